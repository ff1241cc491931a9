"""Games like othello."""
