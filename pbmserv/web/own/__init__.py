"""What only the links in letters lead to, and what is posted there."""
