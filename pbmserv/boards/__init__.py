"""What follows on a board from an entry, from time, and from players who leave."""
