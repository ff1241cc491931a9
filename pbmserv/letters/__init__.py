"""Letters: which to send, to whom, and their text."""
