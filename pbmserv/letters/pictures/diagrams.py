"""The diagram of a board in a letter, with the picture that readers of HTML get instead."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import groupby, islice

import structlog

from pbmserv.games.base import Cell, Picture, Seat
from pbmserv.games.base.board import Board, view_of
from pbmserv.games.base.log import Entry, standing_backwards
from pbmserv.games.base.picture import EARLIER, LAST, LEFT, MADE
from pbmserv.letters.pictures.shapes.pile import MOST_DRAWN
from pbmserv.letters.text.aloud import for_ears
from pbmserv.letters.text.blocks import Depicted, Words, cut, pictured
from pbmserv.letters.text.templates import Renderer
from pbmserv.letters.text.translations import Say
from pbmserv.model.preferences import Preferences

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

#: The drawing of a man with a letter that moves have in the language of the reader: `Ri8` is `Ti8` in German.
_WAGON = "xq-wagon"

#: The picture that was drawn last: the other seats of a board often see the same. Threads may replace it at any time.
_LATEST = [Depicted(Picture(()))]


def drawn(
    renderer: Renderer,
    board: Board,
    seat: Seat | None,
    wants: Preferences,
    entries: Sequence[Entry] = (),
    seen: Callable[[Picture], Picture] = lambda picture: picture,
) -> Words:
    """Return the diagram of a board for one seat (None: a spectator). If the reader wants pictures, it carries one.

    `entries`: what was played, whose last cells are marked. `seen`: what of the picture is shown, and how.
    """
    game, view = board.game, view_of(board, seat)
    made = cache(partial(game.picture, view))
    text = for_ears(wants)(renderer.diagram(game, view, wants.display(game.info.key), made))
    if not wants.wants_pictures:
        return cut(text)
    try:
        picture = made()
        if picture is None:
            return cut(text)
        picture = _for_reader(picture, board, seat, entries, turned=wants.wants_turned)
        turn = _turn(board)
        shown = said(seen(replace(picture, lines=(turn, *picture.lines)) if turn else picture), renderer)
        return pictured(text, _shared(shown), _told(renderer, board, _last_move(entries), turn))
    except Exception as bug:
        log.exception("board_without_picture", game=game.info.key, bug=type(bug).__name__)
        return cut(text)


def _shared(picture: Picture) -> Depicted:
    """Return a picture as a block carries it, the same for those who see the same."""
    drawn = _LATEST[0]
    if picture != drawn.picture:
        drawn = _LATEST[0] = Depicted(picture)
    return drawn


def said(picture: Picture, renderer: Renderer) -> Picture:
    """Return a picture with its words in the language of the reader: they are painted, so no later step can."""
    if renderer.say is str:
        return picture
    say = renderer.say
    rows = tuple(tuple(cell and _said(cell, say) for cell in row) for row in picture.rows)
    beside = tuple(
        replace(t, says=say(t.says), cells=tuple(_said(cell, say) for cell in t.cells)) for t in picture.beside
    )
    return replace(picture, rows=rows, titles=tuple(map(say, picture.titles)), beside=beside)


def _said(cell: Cell, say: Say) -> Cell:
    if any(piece.art == _WAGON for piece in cell.pieces):
        return replace(cell, pieces=tuple(replace(piece, art=say(_WAGON)) for piece in cell.pieces))
    return replace(cell, text=say(cell.text)) if cell.text and not cell.in_corner else cell


def _told(renderer: Renderer, board: Board, last: Entry | None, turn: str) -> str:
    """Return in words what one sees at once: the last move, and `turn`.

    It comes back in quotes, so it begins as no move does.
    """
    names = board.seat_names
    moved = "The board before the first move."
    if last:
        by = f"The board after {last.shown} ({names[last.seat]})."
        moved = by if len(names) > 1 else f"The board after {last.shown}."
    return " ".join(map(renderer.say, filter(None, (moved, turn))))


def _turn(board: Board) -> str:
    """Return whose turn it is, with the name that the rules have for the seat; "" if nobody has to ask."""
    names = board.seat_names
    if len(names) == 1 or not board.to_move:
        return ""
    return f"Next to move: {', '.join(names[seat] for seat in sorted(board.to_move))}."


def picture_of(
    board: Board, seat: Seat | None, entries: Sequence[Entry] = (), *, turned: bool = False
) -> Picture | None:
    """Return the picture of a board for one seat; None if the game has none. `turned`: own pieces are at the bottom."""
    picture = board.game.picture(view_of(board, seat))
    return picture and _for_reader(picture, board, seat, entries, turned=turned)


def _for_reader(
    picture: Picture, board: Board, seat: Seat | None, entries: Sequence[Entry], *, turned: bool
) -> Picture:
    """Return a picture with the marks of the last turn, and turned if its reader wants that."""
    if entries:
        picture = picture.marked(last_marks(board, seat, entries))
    return picture.turned() if turned and seat in picture.top else picture


def last_marks(board: Board, seat: Seat | None, entries: Sequence[Entry]) -> Mapping[str, str]:
    """Return the marks of the last turn for one seat, by cell. A turn of who plays alone is one move."""
    game, marks = board.game, dict[str, str]()
    most = 1 if len(board.seat_names) == 1 else None
    standing = (entry for _, entry in islice(standing_backwards(entries), most))
    for _, turn in islice(groupby(standing, lambda entry: entry.seat), 1 + game.marks_each):
        for n, entry in enumerate(turn):
            notes = [note.text for note in entry.notes if note.seats is None or seat in note.seats]
            noted = dict.fromkeys(game.noted_cells(entry.text, notes), MADE)
            new = {**game.marks(entry.text, entry.seat, seat), **noted}
            marks = {**(_earlier(new) if n else new), **marks}
    return {**dict.fromkeys(game.came_from(board.position), LEFT), **marks} if marks else marks


def _earlier(marks: Mapping[str, str]) -> Mapping[str, str]:
    """Return the marks of a move after which the same seat has moved again."""
    return {cell: EARLIER if mark == LAST else mark for cell, mark in marks.items()}


def _last_move(entries: Sequence[Entry]) -> Entry | None:
    return next((entry for _, entry in standing_backwards(entries)), None)


def lines_below(picture: Picture) -> tuple[str, ...]:
    """Return what stands below a picture: its notes, and what is in stacks that are too tall to be drawn."""
    stacks = [cell for cell in picture.cells if not any(piece.art for piece in cell.pieces)]
    tall = [cell for cell in stacks if sum(piece.count for piece in cell.pieces) > MOST_DRAWN]
    return (*picture.notes, *map(_stack, tall))


def _stack(cell: Cell) -> str:
    men = " ".join(piece.label for piece in cell.pieces)
    return f"Stack on {cell.name.upper()}, from the bottom: {men}"
