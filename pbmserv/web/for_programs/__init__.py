"""What other programs read: feeds, calendars, lists and tables as JSON, and clicks that stop letters."""
