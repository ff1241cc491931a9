"""`pbmserv players`: accounts, and who may write."""
