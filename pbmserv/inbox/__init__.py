"""One mail, one transaction: from its lines to what became of them."""
