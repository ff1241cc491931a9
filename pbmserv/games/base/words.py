"""Moves that are the same word in all games, and numbers in words."""

#: A move that is a word names no cell, so it has a button of its own.
PASS = "pass"  # noqa: S105 - a move  #: the turn goes to the next seat, and nothing is moved
SWAP = "swap"  #: the second player takes over the first move; see pbmserv/games/base/pie.py
#: The numbers from 1 on, as they are said.
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
