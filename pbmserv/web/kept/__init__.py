"""What is made once for several requests, within bounds."""
