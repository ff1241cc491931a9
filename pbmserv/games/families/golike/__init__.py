"""Games like go."""
