"""What the commands share: tables, errors, times, and the database they open."""
