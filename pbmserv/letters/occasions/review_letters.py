"""What a review says: in its letter, in the answer to whom asks again, and on the page of its board."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import structlog

from pbmserv.games.base import Picture, Seat
from pbmserv.games.base.board import Board, view_of
from pbmserv.games.base.picture import GOAL, LAST
from pbmserv.letters.letters import Letters
from pbmserv.letters.pictures.diagrams import picture_of, said
from pbmserv.letters.text.aloud import for_ears
from pbmserv.letters.text.blocks import Depicted, Words, cut, pictured
from pbmserv.letters.text.templates import Renderer
from pbmserv.letters.text.wording import result_text
from pbmserv.model import BoardRow, Player
from pbmserv.model.preferences import SPOKEN, Preferences
from pbmserv.robots.reviewing.review import Moment, Review

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_COLUMNS, _ROWS = 60, 5  #: of the curve in a text


@dataclass(frozen=True)
class Reviewed:
    """A finished board with its review. `film`: the board at each ply."""

    row: BoardRow
    review: Review
    film: Sequence[Board]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats."""
        return self.row.board.seat_names

    @property
    def light(self) -> Seat:
        """The seat whose chance the light part of the curve is."""
        return 1 if len(self.names) == 2 and self.names[1] == "White" else 0

    @property
    def curve(self) -> tuple[int, ...]:
        """The chance of that seat at each ply."""
        curve = self.review.curve
        return curve if self.light == 0 else tuple(100 - value for value in curve)

    def with_curve(self, picture: Picture) -> Picture:
        """Return a picture with the curve below it, and a dot for each moment."""
        dots = tuple(moment.ply + 1 for moment in self.review.moments)
        return replace(picture, curve=self.curve, dots=dots)

    def marked(self, moment: Moment, picture: Picture) -> Picture:
        """Return the picture before a moment with both moves: the one that was played, and the better one."""
        cells = self.row.game.marked_cells
        better, played = (cells(text, moment.seat, moment.seat) for text in (moment.better, moment.played))
        return picture.marked(dict.fromkeys(better, GOAL) | dict.fromkeys(played, LAST))

    def written(self, moment: Moment) -> str:
        """Return the move of a moment as players write it."""
        return self.row.game.written(self.film[moment.ply].position, moment.seat, moment.played)


def write_review(letters: Letters, reviewed: Reviewed, player: Player) -> None:
    """Write the letter with a review to a player of its board."""
    wants = letters.store.players.preferences([player.id])[player.id]
    renderer = letters.site.renderer.to(wants.language)
    seat = reviewed.row.seats_of(player)[0]
    data = page_of(renderer, reviewed, wants, seat) | {"page": _page(letters.site.policy.web_url, reviewed.row)}
    letters.write("review", letters.addresses(player), f"Review of board {reviewed.row.number}", data)


def _page(url: str, row: BoardRow) -> str:
    return f"{url}/boards/{row.number}" if url and not row.settings.private else ""


def page_of(renderer: Renderer, reviewed: Reviewed, wants: Preferences, seat: Seat | None) -> dict[str, object]:
    """Return the data of the template `review` for a reader."""
    row = reviewed.row
    curve = [] if wants.display(row.key) == SPOKEN else _in_text(reviewed.curve)
    alt = "The last position, and who stood better when."
    return facts_of(renderer, reviewed) | {
        "review_of": row.number,
        "diagram": _drawn(renderer, reviewed.film[-1], seat, wants, reviewed.with_curve, alt, curve),
        "curve": bool(curve),
        "marked": wants.wants_pictures,
        "moments": [_moment(renderer, reviewed, moment, seat, wants) for moment in reviewed.review.moments],
        "page": "",
    }


def facts_of(renderer: Renderer, reviewed: Reviewed) -> dict[str, object]:
    """Return what a review says of the whole game."""
    row, review, say = reviewed.row, reviewed.review, renderer.say
    luck = review.luck or (None,) * len(row.players)
    names = map(say, reviewed.names)
    sides = zip(row.players, names, review.accuracy, luck, strict=True)
    return {
        "game": row.game.info.name,
        "result": result_text(row, say),
        "sides": [(p.userid, name, None if a is None else round(a), luck) for p, name, a, luck in sides],
        "solitaire": len(row.players) == 1,
        "light": say(reviewed.names[reviewed.light]),
        "judge": say(review.judge),
    }


def moment_facts(renderer: Renderer, reviewed: Reviewed, moment: Moment) -> dict[str, Any]:
    """Return what a review says of a moment, without its picture."""
    return {
        "ply": moment.ply + 1,
        "by": reviewed.row.players[moment.seat].userid,
        "name": renderer.say(reviewed.names[moment.seat]),
        "played": reviewed.written(moment),
        "why": renderer.say(moment.why),
        "before": moment.chance[0],
        "after": moment.chance[1],
        "line": " ".join(moment.line),
        "reply": " ".join(moment.reply),
    }


def _moment(
    renderer: Renderer, reviewed: Reviewed, moment: Moment, seat: Seat | None, wants: Preferences
) -> dict[str, Any]:
    alt = f"The board before ply {moment.ply + 1}, with the move that was played and the better one."
    diagram = _drawn(
        *(renderer, reviewed.film[moment.ply], seat, wants), lambda picture: reviewed.marked(moment, picture), alt
    )
    return moment_facts(renderer, reviewed, moment) | {"diagram": diagram}


def _drawn(
    renderer: Renderer,
    board: Board,
    seat: Seat | None,
    wants: Preferences,
    seen: Callable[[Picture], Picture],
    alt: str,
    below: Sequence[str] = (),
) -> Words:
    """Return the diagram of a board, with its picture if the reader wants pictures. `below`: lines of its text."""
    game, view = board.game, view_of(board, seat)
    text = for_ears(wants)(renderer.diagram(game, view, wants.display(game.info.key)))
    text = "\n".join([text, *[""] * bool(below), *below])
    try:
        picture = picture_of(board, seat, turned=wants.wants_turned) if wants.wants_pictures else None
        if picture is None:
            return cut(text)
        return pictured(text, Depicted(said(seen(picture), renderer)), renderer.say(alt))
    except Exception as bug:  # in a game of others
        log.exception("board_without_picture", game=game.info.key, bug=type(bug).__name__)
        return cut(text)


def _in_text(curve: Sequence[int]) -> list[str]:
    """Return the curve in characters; [] if there is none."""
    if not curve:
        return []
    step = max(len(curve) / _COLUMNS, 1)
    values = [curve[min(int(column * step), len(curve) - 1)] for column in range(min(len(curve), _COLUMNS))]
    return [*_rows(values), f"  0 +{'-' * len(values)}"]


def _rows(values: Sequence[int]) -> Iterator[str]:
    for row in range(_ROWS, 0, -1):
        least = 100 * (row - 0.5) / _ROWS
        label = {_ROWS: "100", (_ROWS + 1) // 2: " 50"}.get(row, "   ")
        yield f"{label} |{''.join('#' if value >= least else ' ' for value in values)}"
