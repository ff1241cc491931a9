"""Whole seasons of tournaments with many players."""
