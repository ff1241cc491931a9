"""Time on boards: limits and reminders, days off, vacations, and time that counts for nobody."""
