"""Ratings of players: how a board changes them, and how they are counted again."""
