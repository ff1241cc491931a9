"""What a line of a mail means: a command, a move, or what the player probably meant."""
