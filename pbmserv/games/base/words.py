"""Moves that are the same word in all games. Each of them names no cell, so it has a button of its own."""

PASS = "pass"  # noqa: S105 - a move  #: the turn goes to the next seat, and nothing is moved
SWAP = "swap"  #: the second player takes over the first move; see pbmserv/games/base/pie.py
