"""Tafl, the board games of the north: a king and his men against twice as many attackers."""
