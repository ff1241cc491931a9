"""Who plays: accounts, their addresses and what they read; and robots."""
