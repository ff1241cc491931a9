"""The admin's command line."""
