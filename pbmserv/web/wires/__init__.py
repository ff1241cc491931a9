"""What other programs read: calendars, and lists and tables as JSON."""
