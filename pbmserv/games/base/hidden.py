"""What players read of the hidden moves of others while a board goes on, and which moves of its log are one turn."""

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from pbmserv.games.base.board import Board, Start, film, follow
from pbmserv.games.base.game import AnyGame, Game
from pbmserv.games.base.log import Entry, Kind, standing_places
from pbmserv.games.base.values import Played, Seat

_MOST_REPLAYED = 1000  #: entries; of longer logs, all moves are told as if they were made now


class _Before(NamedTuple):
    position: object
    to_move: frozenset[Seat]


class _Replayed(NamedTuple):
    """A log that was replayed, the moment before each standing move by its place, and the board after it."""

    start: Start
    log: tuple[Entry, ...]
    before: Mapping[int, _Before]
    now: Board


#: The logs that were replayed last: the players of a board read it one after the other, and again after the next move.
_LATEST = deque[_Replayed](maxlen=16)


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
    return [_told(e, _text(board, log, place, before, seats)) for place, e in enumerate(told)]


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


def _before(board: Board, log: Sequence[Entry]) -> Mapping[int, _Before]:
    """Return the moment before each standing move, by its place in the log; none if that is too long to replay."""
    if len(log) > _MOST_REPLAYED:
        return {}
    entries = tuple(log)
    known = next((r for r in reversed(list(_LATEST)) if r.start == board.start and _goes_on(r.log, entries)), None)
    if known is None:
        boards = film(board.start, entries)
        before = {place: _moment(then) for place, then in zip(standing_places(entries), boards, strict=False)}
    elif known.log == entries:
        return known.before
    else:
        before = {**known.before, **dict(_followed(known, entries))}
    if board.length == len(entries):  # else the board would not be the one after this log
        _LATEST.append(_Replayed(board.start, entries, before, board))
    return before


def _goes_on(log: tuple[Entry, ...], entries: tuple[Entry, ...]) -> bool:
    """Return whether entries are those of this log and perhaps more moves, which take nothing back."""
    return entries[: len(log)] == log and all(entry.kind is Kind.MOVE for entry in entries[len(log) :])


def _followed(known: _Replayed, entries: tuple[Entry, ...]) -> Iterator[tuple[int, _Before]]:
    then = known.now
    for place in range(len(known.log), len(entries)):
        yield place, _moment(then)
        if place + 1 < len(entries):
            then = follow(then, entries[place], ()).board


def _moment(board: Board) -> _Before:
    return _Before(board.position, board.to_move)


def _joined(before: Mapping[int, _Before]) -> Iterator[int]:
    """Yield the places of moves that belong to a turn of several seats which an earlier move has begun.

    A turn ends when a seat may move that could not before.
    """
    together = False
    for (_, last), (place, now) in pairwise(before.items()):
        together = now.to_move <= last.to_move and (together or len(last.to_move) > 1)
        if together:
            yield place


def _told(entry: Entry, text: str) -> Entry:
    return entry if text == entry.text else replace(entry, text=text, written="")


def _text(
    board: Board, log: Sequence[Entry], place: int, before: Mapping[int, _Before], seats: Collection[Seat]
) -> str:
    entry = log[place]
    if entry.kind is not Kind.MOVE or entry.seat in seats:
        return entry.text
    then = before.get(place, _moment(board))  # a move that was taken back is told as if it were made now
    played = Played(entry.seat, entry.text, then.position, board.position)
    return board.start.game.public_text(played, min(seats, default=None))
