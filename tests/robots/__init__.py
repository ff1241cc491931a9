"""Searches for good moves."""
