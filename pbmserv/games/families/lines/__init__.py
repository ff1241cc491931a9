"""Games about lines: who gets so many stones in a row."""
