"""The consequences for a board of entries, of time limits, and of players who leave."""
