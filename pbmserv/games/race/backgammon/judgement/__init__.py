"""What robots think of a position of backgammon (docs/adr/0103-backgammon-by-numbers-of-our-own.md)."""
