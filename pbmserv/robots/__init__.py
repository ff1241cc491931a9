"""How robots think: searches over the pure rules. A robot knows what a player of its seat may see, and no more.

A robot is given a view and its own random numbers, never the seed of the board.
"""
