"""The commands about what is stored."""
