"""Letters that no turn of a board brings about: vacations, reviews, puzzles."""
