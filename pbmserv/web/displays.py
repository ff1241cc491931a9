"""What a board's page shows of a position: the picture, a text diagram, or words; and how a player moves by touch."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from urllib.parse import urlencode

import structlog

from pbmserv.boards.entries import written_by
from pbmserv.games.base import AnyGame, Picture, Seat
from pbmserv.games.base.board import Board, view_of
from pbmserv.games.base.drawn import Drawn
from pbmserv.games.base.log import Entry
from pbmserv.games.base.picture import CHOSEN, GOAL
from pbmserv.letters.pictures.diagrams import last_marks, said
from pbmserv.letters.pictures.drawing import Drawing, drawing
from pbmserv.letters.pictures.parts import part, regions
from pbmserv.letters.pictures.touch import Touches, Way, by_caption, goals, in_order
from pbmserv.letters.text.templates import SPOKEN, Renderer
from pbmserv.web.visit import Visit, missing

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

TEXT = "text"  #: the display that is the only text diagram of a game with a picture
Link = tuple[str, str]  #: what it says, and its URI
_BEGIN = "Touch where your move begins. Then you see how it can go on."
_AT_ONCE = "Touch the place where you move."
_ONLY_BELOW = "Touch your move."
_MARKED, _BELOW = "Touch a marked place, or a move below.", "Touch a move below."
_BETWEEN = "."  #: between the cells of a path in a URI
_MOST_MARKED = 12  #: places where a move can go at once; where there are more, marks would hide the board


@dataclass(frozen=True)
class Links:
    """Makes the URIs of a page."""

    answer: Callable[[str], str]  #: a move -> a mail with this answer
    chosen: Callable[[str, str], str]  #: start and end of a move, perhaps "" -> the page with these cells chosen


@dataclass(frozen=True)
class Panel:
    """One step of a move, touched without a script: which cells are links and which are marked, and the links below.

    At first a cell is a link to the finished move, or, if several moves begin there, to the same page with this cell
    chosen. Then the cells where a move can end are links, and so on. All moves can be touched below the board, too.
    """

    says: str
    cells: Mapping[str, str] = field(default_factory=dict)  #: cell -> URI
    marks: Mapping[str, str] = field(default_factory=dict)  #: cell -> one of games.base.picture.MARKS
    moves: Sequence[Link] = ()
    starts: Sequence[Link] = ()  #: the cells where moves begin, for readers who do not see the picture
    back: str = ""  #: the URI of the step before


def panel(game: AnyGame, touches: Touches, links: Links, start: str = "", goal: str = "") -> Panel:
    """Return the step at which these cells are chosen. Cells where no move begins or ends are not."""
    ways = touches.starts.get(start, ())
    if not ways:
        return _first(touches, links)
    ends = goals(game, ways)
    if len(ends.get(goal, ())) > 1:
        return _choice(start, goal, ends[goal], links)
    return _started(touches, start, ends, links)


def stepwise(orders: Mapping[tuple[str, ...], str], links: Links, touched: str = "") -> Panel:
    """Return the step at which these cells are touched, for moves of many cells. `orders`: the moves by their cells."""
    path = tuple(touched.split(_BETWEEN)) if touched else ()
    left = {order[len(path) :]: text for order, text in orders.items() if order[: len(path)] == path}
    if not left:
        return stepwise(orders, links)
    cells = {rest[0]: links.answer(text) for rest, text in left.items() if len(rest) == 1}
    cells |= {rest[0]: links.chosen(_BETWEEN.join((*path, rest[0])), "") for rest in left if len(rest) > 1}
    if not path:
        return Panel(_BEGIN, cells, starts=_in_order((cell.upper(), uri) for cell, uri in cells.items()))
    return Panel(
        _chosen(" ".join(path), goals=True),
        cells,
        dict.fromkeys(cells, GOAL) | {path[-1]: CHOSEN},
        _in_order((text, links.answer(text)) for text in set(left.values())),
        back=links.chosen(_BETWEEN.join(path[:-1]), ""),
    )


def finished(board: Board, seat: Seat, move: str, first: Panel, links: Links, legal: Collection[str]) -> Panel | None:
    """Return the step after the last: the move is chosen, and another can be touched; None if it is not legal."""
    if move not in legal:
        return None
    cells = board.game.cells_of(move)
    marks = dict.fromkeys(cells, GOAL) | dict.fromkeys(cells[:1], CHOSEN if len(cells) > 1 else GOAL)
    says = f"{written_by(board, seat, move)} is chosen. Send it, or touch another move."
    return replace(first, says=says, marks=marks, back=links.chosen("", ""))


def _first(touches: Touches, links: Links) -> Panel:
    cells = {start: links.chosen(start, "") for start in touches.starts}
    cells |= {cell: links.answer(text) for cell, text in touches.cells.items()}
    moves = [(text, links.answer(text)) for text in touches.others]
    # A cell has only one link. What else can begin on it is below.
    moves += [_link(way, links) for cell in touches.cells for way in touches.starts.get(cell, ())]
    starts = _in_order((cell.upper(), uri) for cell, uri in cells.items())
    says = _ONLY_BELOW if not cells else _AT_ONCE if touches.cells else _BEGIN
    marks = dict.fromkeys(touches.cells, GOAL) if len(touches.cells) <= _MOST_MARKED else {}
    return Panel(says, cells, marks, moves, starts)


def _started(touches: Touches, start: str, ends: Mapping[str, Sequence[Way]], links: Links) -> Panel:
    """A cell is chosen where several moves begin."""
    onward = {goal: ways for goal, ways in ends.items() if goal != start}
    cells = dict(_first(touches, links).cells) | {start: links.chosen("", "")}
    for goal, ways in onward.items():
        cells[goal] = links.answer(ways[0].text) if len(ways) == 1 else links.chosen(start, goal)
    marks = dict.fromkeys(onward, GOAL) | {start: CHOSEN}
    return Panel(
        _chosen(start, goals=bool(onward)),
        cells,
        marks,
        [_link(way, links) for way in by_caption(touches.starts[start])],
        back=links.chosen("", ""),
    )


def _in_order(links: Iterable[Link]) -> list[Link]:
    return sorted(links, key=lambda link: in_order(link[0]))


def _chosen(cells: str, *, goals: bool) -> str:
    says = f"{cells.upper()} are chosen." if " " in cells else f"{cells.upper()} is chosen."
    return f"{says} {_MARKED if goals else _BELOW}"


def _choice(start: str, goal: str, ways: Sequence[Way], links: Links) -> Panel:
    """Two cells are chosen between which there are several moves."""
    back = links.chosen(start, "")
    return Panel(
        f"There are {len(ways)} moves from {start.upper()} to {goal.upper()}. Touch one of them.",
        {start: links.chosen("", ""), goal: back},
        {start: CHOSEN, goal: GOAL},
        [_link(way, links) for way in ways],
        back=back,
    )


def _link(way: Way, links: Links) -> Link:
    return way.caption, links.answer(way.text)


@dataclass(frozen=True)
class Looks:
    """How a visitor wants to see a board. `display`: one of `displays`; `turned`: with the other side at the bottom."""

    display: str = ""
    turned: bool = False

    @classmethod
    def of(cls, visit: Visit, then: Board) -> "Looks":
        """Read it from the query. Raises HTTPException for a display that the game does not have."""
        display = visit.query.get("display", "")
        if display and display not in {name for name, *_ in displays(then, is_drawn=picture(then) is not None)}:
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


def has_picture(game: AnyGame) -> bool:
    """Return whether boards of a game have pictures."""
    return type(game).picture is not Drawn.picture


def displays(then: Board, *, is_drawn: bool) -> list[tuple[str, str, str]]:
    """Return the displays to choose from: name, title, explanation. The name of the first can be left out.

    `is_drawn`: whether there is a picture.
    """
    diagrams = [(d.name, f"text {d.name}", d.text) for d in then.game.info.displays]
    if not is_drawn:
        return [*(diagrams or [("", "text", "")]), (SPOKEN, "in words", "")]
    return [("", "picture", ""), *(diagrams or [(TEXT, "text", "")]), (SPOKEN, "in words", "")]


def marked(
    then: Board,
    moves: Sequence[Entry],
    seat: Seat | None = None,
    touched: Mapping[str, str] = MappingProxyType({}),
    plain: Picture | None = None,
) -> Picture | None:
    """Return the picture of a board with marks on the cells of the last moves, and others; None if it has none.

    `plain`: what `picture` returned, if it was asked already.
    """
    shown = plain or picture(then, seat)
    return shown and shown.marked({**last_marks(then, seat, moves), **touched})


def drawn(
    renderer: Renderer,
    then: Board,
    moves: Sequence[Entry],
    seat: Seat | None = None,
    *,
    turned: bool = False,
    touched: Panel | None = None,
    near: str = "",
    enlarged: Callable[[str], str] | None = None,
    plain: Picture | None = None,
) -> Drawing | None:
    """Draw a board with its last moves marked, and with what its player can touch; None if the game has no picture.

    `near`: only the part around this cell of a wide board. `enlarged`: cell -> URI of the page with such a part.
    `plain`: as of `marked`.
    """
    links = touched.cells if touched else {}
    try:
        board = marked(then, moves, seat, touched.marks if touched else {}, plain)
        if board is None:
            return None
        shown = part(board, near) if near and regions(board) else board
        shown = said(shown.turned() if turned else shown, renderer)
        view = view_of(then, seat)
        # Only cells that are links say what is on them.
        facts, told = renderer.facts_and_told(then.game, view) if links else ((), renderer.told(then.game, view))
        return drawing(shown, links, facts, enlarged, told=told, say=renderer.say)
    except Exception as bug:  # a picture that is not as the conformance suite wants it
        log.exception("picture_without_drawing", game=then.game.info.key, bug=type(bug).__name__)
        return None


def diagram(renderer: Renderer, then: Board, display: str, seat: Seat | None = None) -> str:
    """Return a board as a text diagram, or in words."""
    return renderer.diagram(then.game, view_of(then, seat), "" if display == TEXT else display)
