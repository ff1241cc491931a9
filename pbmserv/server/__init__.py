"""The server process and its roles: listener, sender, clock, robots."""
