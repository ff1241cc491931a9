"""What a player of a board can do besides moving, and what each of these ways costs.

Commands, letters, pages and the help all ask here, so they cannot say different things. What the rules of a board
allow is in games/base/board.py; this module adds what the board was begun for.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pbmserv.errors import PlayerError
from pbmserv.games.base import Seat
from pbmserv.games.base import board as play
from pbmserv.games.base.evaluation import Evaluation
from pbmserv.games.base.log import Entry, Kind
from pbmserv.games.base.sheet import NOT_PLAYED
from pbmserv.model import BoardRow

NOBODY_LOSES = "The board ends, and nobody wins or loses."
FORFEITED = "In a tournament you lose the board by forfeit."
MOST_PLIES = 600  #: of a board that is reviewed: each takes seconds
_FEWEST_PLIES = 2
_NO_REMATCH = (*NOT_PLAYED, "substitute")  #: endings after which nobody is offered one


@dataclass(frozen=True)
class WayOut:
    """One of these ways. `costs`: a sentence; `offered`: whether letters and pages name it without being asked."""

    costs: str
    offered: bool = True


def ways(row: BoardRow, seat: Seat, log: Sequence[Entry]) -> Mapping[str, WayOut]:
    """Return the ways of a seat by the verb of their command. `log`: the whole log of the board."""
    if result := row.board.result:
        return _at_the_end(row, result.reason)
    verbs = play.verbs(row.board, seat, log)
    return {verb: _WAYS[verb](row, seat) for verb in verbs if verb != "decline" or not row.continues}


def offered(row: BoardRow, seat: Seat, log: Sequence[Entry]) -> list[str]:
    """Return the verbs of the ways that letters and pages name."""
    return [verb for verb, way in ways(row, seat, log).items() if way.offered]


def demand_declinable(row: BoardRow) -> None:
    """Raise PlayerError if nobody can decline the board, because it goes on from another one.

    Only one board does, so a stranger could take a seat there and use it up.
    """
    if row.continues:
        raise PlayerError(
            f"Everybody has agreed to board {row.number}, so it cannot be declined.", "To resign, send: resign"
        )


def demand_reviewable(row: BoardRow) -> None:
    """Raise PlayerError if no judge can say anything about a board."""
    number, name, result = row.number, row.game.info.name, row.board.result
    if result is None:
        raise PlayerError(f"Board {number} is not over yet.", "You can send review when it is.")
    if result.reason in NOT_PLAYED or row.board.ply < _FEWEST_PLIES:
        raise PlayerError(f"Board {number} was not played, so there is nothing to review.")
    if row.board.ply > MOST_PLIES:
        raise PlayerError(f"Board {number} is too long for a review: it has more than {MOST_PLIES} plies.")
    if type(row.game).evaluate is Evaluation.evaluate:
        raise PlayerError(f"{name} has no reviews, because no robot here can judge a position of it.")


def is_reviewable(row: BoardRow) -> bool:
    """Return whether a board can be reviewed."""
    try:
        demand_reviewable(row)
    except PlayerError:
        return False
    return True


def _at_the_end(row: BoardRow, reason: str) -> Mapping[str, WayOut]:
    """Return the ways of a seat when the board is over."""
    again = {} if reason in _NO_REMATCH else {"rematch": WayOut("A new board begins.")}
    return again | ({"review": WayOut("A letter says what decided the game.")} if is_reviewable(row) else {})


def _accept(row: BoardRow, seat: Seat) -> WayOut:
    offer = row.board.offer
    if offer and offer.kind is Kind.UNDO:
        return WayOut("You agree to the take-back. It is done as soon as all have agreed.")
    return WayOut("You agree to a draw. The board ends as soon as all have agreed.")


def _reject(row: BoardRow, seat: Seat) -> WayOut:
    is_own = row.board.offer is not None and row.board.offer.seat == seat
    return WayOut("You withdraw your proposal." if is_own else "You reject the proposal.")


def _propose(row: BoardRow, seat: Seat) -> WayOut:
    claims = row.game.claim(row.board.position)
    return WayOut("You claim a draw, which ends the board." if claims else "You offer a draw to all others.")


def _resign(row: BoardRow, seat: Seat) -> WayOut:
    if len(row.players) == 1:
        return WayOut("The board ends, and the score that you have counts.")
    return WayOut("You lose the board, and you cannot take that back.")


def _decline(row: BoardRow, seat: Seat) -> WayOut:
    if row.tournament is not None:
        return WayOut(FORFEITED, offered=False)
    return WayOut(NOBODY_LOSES, offered=len(row.players) > 1)  # in a solitaire nobody was invited


_WAYS: Mapping[str, Callable[[BoardRow, Seat], WayOut]] = {
    "accept": _accept,
    "reject": _reject,
    "propose": _propose,
    "undo": lambda row, seat: WayOut("You ask all others to let you take back your last move."),
    "resign": _resign,
    "decline": _decline,
}
