"""Squares as players of shogi count them: files from the right in figures, ranks from the top in letters."""

from pbmserv.games.base.grid import Grid


class ShogiGrid(Grid):
    """A board whose squares are called `7g`. Square 0 is still the corner on the left of the first player."""

    def name(self, square: int) -> str:
        """Return the square's name: on nine files and ranks, 0 is `9i`."""
        row, column = divmod(square, self.columns)
        return f"{self.columns - column}{chr(96 + self.rows - row)}"

    def square(self, name: str) -> int:
        """Return the number of a square. Raises ValueError if it is not on the board."""
        mirrored = f"{chr(97 + self.columns - int(name[0]))}{self.rows - ord(name[1]) + 97}"
        return super().square(mirrored)
