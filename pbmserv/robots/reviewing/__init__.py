"""What was good and what was wrong in a finished game: pure functions of its positions and of what a judge says."""
