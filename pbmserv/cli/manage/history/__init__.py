"""What happened: what admins did, the way of each mail, and counts of both."""
