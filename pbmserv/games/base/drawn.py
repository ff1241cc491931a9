"""What a board looks like, and which of its cells a move names."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from pbmserv.games.base.notation import Notation
from pbmserv.games.base.picture import LAST, LEFT, Picture
from pbmserv.games.base.rules import M
from pbmserv.games.base.values import P, Seat, View

MOST_IN_CAPTION = 24  #: characters of a link to a move
_SQUARE = re.compile(r"[a-z][1-9][0-9]?")


class Drawn(Notation[P, M]):
    """A board as a picture, or as data for a template of a diagram. A game has one of the two, or both."""

    #: Whether the last turn of each player is marked, and not only that of the last one: they look at different boards.
    marks_each: ClassVar[bool] = False

    def picture(self, view: View[P]) -> Picture | None:
        """Return what the board looks like, for letters and web pages; None if it has only a diagram.

        Each cell that a move can name has its name. Marks are added by the server.
        """
        return None

    def scene(self, view: View[P]) -> Mapping[str, object]:
        """Return plain data for the templates of the diagram and of the spoken board.

        A game with a picture needs neither: then they are made from the picture.
        """
        return {}

    def help_facts(self) -> Mapping[str, object]:
        """Return what the help page of the game gets besides the usual; by default nothing.

        `position`: of a worked turn; the page gets its diagram as `worked`.
        """
        return {}

    def cells_of(self, text: str) -> tuple[str, ...]:
        """Return the names of the cells that a canonical move text names, in the order in which a player touches them.

        By default these are all squares in the text, such as a1 and b10. A move of no cell has a button of its own.
        """
        return tuple(_SQUARE.findall(text))

    def touch_orders(self, position: P, move: M) -> Iterable[tuple[str, ...]]:
        """Return other orders than that of `cells_of` in which a player can touch the cells of a move.

        If a game has such orders, players touch their moves cell by cell on their own pages. By default there are none.
        """
        return ()

    def marked_cells(self, text: str, mover: Seat, reader: Seat | None) -> tuple[str, ...]:
        """Return the cells of a move that was played, as the picture of a reader (None: a spectator) names them.

        A game overrides this if its players have different names for the same place.
        """
        return self.cells_of(text)

    def left_cells(self, text: str, mover: Seat, reader: Seat | None) -> tuple[str, ...]:
        """Return the marked cells that men left, if other men can still be there. By default there are none."""
        return ()

    def came_from(self, position: P) -> tuple[str, ...]:
        """Return the cell that a man left in the turn that led here, if the text does not tell. By default none."""
        return ()

    def marks(self, text: str, mover: Seat, reader: Seat | None) -> Mapping[str, str]:
        """Return the marks of a move that was played, by cell."""
        marked, left = self.marked_cells(text, mover, reader), self.left_cells(text, mover, reader)
        return dict.fromkeys(marked, LAST) | dict.fromkeys(left, LEFT)

    def noted_cells(self, text: str, notes: Sequence[str]) -> tuple[str, ...]:
        """Return the cells on which a move made something new that only its notes tell, because chance chose it.

        They are marked. By default there are none.
        """
        return ()

    def as_counted_by(self, reader: Seat, text: str, mover: Seat) -> str:
        """Return a move of another player with the reader's own names of its cells; "" if these are the same."""
        return ""

    def repeats(self, position: P, move: M) -> bool:
        """Return whether a legal move does the same as another one that is written shorter.

        Lists leave it out, and whoever writes it makes it all the same. By default no move does.
        """
        return False

    def caption(self, position: P, move: M) -> str:
        """Return what a link to a move says in the list of moves that begin on the same cell.

        By default this is its last cell in capitals, or the text of the move. It is shorter than MOST_IN_CAPTION.
        """
        text = self.format(move)
        cells = self.cells_of(text)
        return cells[-1].upper() if len(cells) > 1 else text
