"""Games for one player, who plays for a score."""
