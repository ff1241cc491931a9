"""What programs add to a text without its sender, at its end: each kind has a module."""
