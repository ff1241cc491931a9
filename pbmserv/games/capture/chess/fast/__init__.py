"""Chess for searches: a position that changes, with sets of squares as numbers (ADR 101)."""
