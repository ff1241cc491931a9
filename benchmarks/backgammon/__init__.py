"""How well our backgammon is played, and where its figures come from. Needs gnubg, another program, for both."""
