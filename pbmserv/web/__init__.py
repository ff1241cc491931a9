"""The read-only web pages. They show what a stranger can ask for by mail. Nothing here writes or knows a secret."""
