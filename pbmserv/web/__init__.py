"""The read-only web pages: what a stranger may ask for by mail. Nothing here writes, and nothing knows a secret."""
