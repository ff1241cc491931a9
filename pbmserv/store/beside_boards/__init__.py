"""What belongs to a board and is not its log: moves that wait, reviews, puzzles."""
