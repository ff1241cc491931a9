"""Code that the commands share: tables, errors, times, and the database."""
