"""Time on boards: limits and reminders, days off, dates that a board can have. Pure functions."""
