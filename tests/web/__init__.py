"""The read-only web pages."""
