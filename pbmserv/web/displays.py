"""What a board's page shows of a position: the picture, a text diagram, or words."""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode

import structlog

from pbmserv.games.base import Picture, Seat
from pbmserv.games.base.board import Board, view_of
from pbmserv.games.base.log import Entry
from pbmserv.games.base.picture import of_last_move
from pbmserv.letters.pictures.drawing import Drawing, drawing
from pbmserv.letters.pictures.parts import part, regions
from pbmserv.letters.text.templates import SPOKEN, Renderer
from pbmserv.web.panel import Panel
from pbmserv.web.visit import Visit, missing

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

TEXT = "text"  #: the display that is the only text diagram of a game with a picture


@dataclass(frozen=True)
class Looks:
    """How a visitor wants to see a board. `display`: one of `displays`; `turned`: with the other side at the bottom."""

    display: str = ""
    turned: bool = False

    @classmethod
    def of(cls, visit: Visit, then: Board) -> "Looks":
        """Read it from the query. Raises HTTPException for a display that the game does not have."""
        display = visit.query.get("display", "")
        if display and display not in {name for name, *_ in displays(then)}:
            raise missing("display", display)
        return cls(display, visit.query.get("turn") == "1")

    @property
    def query(self) -> str:
        """The query of a page that looks the same."""
        asked = {"display": self.display} if self.display else {}
        asked |= {"turn": "1"} if self.turned else {}
        return f"?{urlencode(asked)}" if asked else ""


def picture(then: Board, seat: Seat | None = None) -> Picture | None:
    """Return the picture of a board as a seat may see it (None: as everybody may); None if the game has none."""
    try:
        drawing = then.game.picture(view_of(then, seat))
        return drawing if isinstance(drawing, Picture) else None
    except Exception as bug:  # in a game of others; its diagram can still be shown
        log.exception("board_without_picture", game=then.game.info.key, bug=type(bug).__name__)
        return None


def displays(then: Board) -> list[tuple[str, str, str]]:
    """Return the displays to choose from: name, title, explanation. The name of the first can be left out."""
    diagrams = [(d.name, f"text {d.name}", d.text) for d in then.game.info.displays]
    if picture(then) is None:
        return [*(diagrams or [("", "text", "")]), (SPOKEN, "in words", "")]
    return [("", "picture", ""), *(diagrams or [(TEXT, "text", "")]), (SPOKEN, "in words", "")]


def drawn(
    renderer: Renderer,
    then: Board,
    last: Entry | None,
    seat: Seat | None = None,
    *,
    turned: bool = False,
    touched: Panel | None = None,
    near: str = "",
    enlarged: Callable[[str], str] | None = None,
) -> Drawing | None:
    """Draw a board with its last move marked, and with what its player can touch; None if the game has no picture.

    `near`: only the part around this cell of a wide board. `enlarged`: cell -> URI of the page with such a part.
    """
    plain = picture(then, seat)
    if plain is None:
        return None
    links = touched.cells if touched else {}
    try:
        marks = dict(of_last_move(then.game.marked_cells(last.text, last.seat, seat))) if last else {}
        marked = plain.marked(marks | dict(touched.marks if touched else {}))
        shown = part(marked, near) if near and regions(marked) else marked
        return drawing(shown.turned() if turned else shown, links, facts(renderer, then, seat), enlarged)
    except Exception as bug:  # a picture that is not as the conformance suite wants it
        log.exception("picture_without_drawing", game=then.game.info.key, bug=type(bug).__name__)
        return None


def diagram(renderer: Renderer, then: Board, display: str, seat: Seat | None = None) -> str:
    """Return a board as a text diagram, or in words."""
    return renderer.diagram(then.game, view_of(then, seat), "" if display == TEXT else display)


def facts(renderer: Renderer, then: Board, seat: Seat | None = None) -> list[str]:
    """Return a board in words, as a seat may see it (None: as everybody may)."""
    return renderer.facts(then.game, view_of(then, seat))
