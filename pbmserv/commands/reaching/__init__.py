"""Other ways than letters to reach a player."""
