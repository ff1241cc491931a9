"""Games about space: who has more of the board at the end, or can still move."""
