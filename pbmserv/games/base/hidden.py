"""What players read of the hidden moves of others while a board goes on, and which moves of its log are one turn."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from pbmserv.games.base.board import Board, film
from pbmserv.games.base.game import AnyGame, Game
from pbmserv.games.base.log import Entry, Kind, standing_places
from pbmserv.games.base.values import Played, Seat

_MOST_REPLAYED = 1000  #: entries; of longer logs, all moves are told as if they were made now


def hides_moves(game: AnyGame) -> bool:
    """Return whether there can be hidden moves in a game. Of all others nothing is asked here."""
    return type(game).public_text is not Game.public_text


def read_by(board: Board, log: Sequence[Entry], seats: Collection[Seat] = (), *, all_: bool = False) -> Sequence[Entry]:
    """Return the whole log of a board as the player of these seats reads it; no seats: as everybody does.

    Until the board is over, hidden moves are told in other words. `all_`: they are told as they are.
    """
    if not hides_moves(board.start.game):
        return log
    before = _before(board, log)
    joined = set(_joined(before))
    told = [replace(entry, joins=place in joined) for place, entry in enumerate(log)]
    if all_ or board.result:
        return told
    return [replace(e, text=_text(board, log, place, before, seats)) for place, e in enumerate(told)]


def only_hidden(board: Board, log: Sequence[Entry], since: int, seats: Collection[Seat]) -> bool:
    """Return whether a log has entries after the first `since`, and all are hidden moves of others than these seats."""
    if len(log) <= since or not hides_moves(board.start.game):
        return False
    if any(e.kind is not Kind.MOVE or e.seat in seats for e in log[since:]):
        return False
    told = read_by(board, log, seats)
    return all(told[place].text != log[place].text for place in range(since, len(log)))


def is_hidden_now(board: Board, mover: Seat, text: str) -> bool:
    """Return whether everybody else would read a move in other words if it were made now."""
    played = Played(mover, text, board.position, board.position)
    return hides_moves(board.game) and board.game.public_text(played, None) != text


def _before(board: Board, log: Sequence[Entry]) -> Mapping[int, Board]:
    """Return the board before each standing move, by the place of that in the log; none if it is too long to replay."""
    if len(log) > _MOST_REPLAYED:
        return {}
    return dict(zip(standing_places(log), film(board.start, log), strict=False))


def _joined(before: Mapping[int, Board]) -> Iterator[int]:
    """Yield the places of moves that belong to a turn of several seats which an earlier move has begun.

    A turn ends when a seat may move that could not before.
    """
    together = False
    for (_, last), (place, now) in pairwise(before.items()):
        together = now.to_move <= last.to_move and (together or len(last.to_move) > 1)
        if together:
            yield place


def _text(board: Board, log: Sequence[Entry], place: int, before: Mapping[int, Board], seats: Collection[Seat]) -> str:
    entry = log[place]
    if entry.kind is not Kind.MOVE or entry.seat in seats:
        return entry.text
    then = before.get(place, board)  # a move that was taken back is told as if it were made now
    played = Played(entry.seat, entry.text, then.position, board.position)
    return board.start.game.public_text(played, min(seats, default=None))
