"""The moves of the markers in Trippples, freezes and repetitions. Clauses R10-R27 of the rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import dropwhile, pairwise

from pbmserv.games.base import Seat
from pbmserv.games.base.values import changed
from pbmserv.games.race.trippples.tiles import ARROWS, FINISH, GRID, NEUTRAL, NEXT, SETS, START, plan


@dataclass(frozen=True)
class Position:
    """The state of a board. `tiles` and `markers` hold one tile per square and one square per seat.

    `options`: the letters of the options, sorted. `free`: the seat to move has a free move (R22). `shown`: the tile
    to place and `pile` the ones after it, in a fixed order that says nothing (p). `down`: the squares whose tiles
    lie face down (h). `out`: the seats that left (d). `history`: `key` of every position since the markers began
    to move, as far back as it could come again (R19). `winner`: a team, with `ending` "" while the game goes on.
    """

    options: str
    tiles: tuple[str, ...]
    markers: tuple[int, ...]
    turn: Seat = 0
    free: bool = False
    shown: str = ""
    pile: tuple[str, ...] = ()
    down: tuple[int, ...] = ()
    out: tuple[Seat, ...] = ()
    history: tuple[int, ...] = ()
    ending: str = ""
    winner: int | None = None


def opponents(position: Position, seat: Seat) -> range:
    """The seats of the other team: seats alternate between the two (R27)."""
    return range(1 - seat % 2, len(position.markers), 2)


def directions(position: Position, seat: Seat) -> Sequence[int]:
    """Return the directions for a seat, clockwise: those under an opponent's marker (R10, R27), or all (R22)."""
    if position.free:
        return range(8)
    return sorted({d for s in opponents(position, seat) for d in ARROWS[position.tiles[position.markers[s]]]})


def obstacle(position: Position, seat: Seat, square: int) -> str:
    """Return why a seat may not enter a square next to its marker; "" if it may (R11, R22, R26, R27)."""
    if square in position.markers:
        return "a marker stands there"
    if square in position.down or square == plan(position.options).finishes[seat]:
        return ""
    return _closed(position.tiles[square], _is_wild(position), position.free)


def open_squares(position: Position) -> int:
    """Return the set of squares that every seat could enter from a square beside them."""
    ground = _open_tiles(position.tiles, position.down, _is_wild(position), position.free)
    return ground & ~sum(SETS[square] for square in {*position.markers})


@lru_cache(maxsize=1 << 10)
def _open_tiles(tiles: tuple[str, ...], down: tuple[int, ...], wild: bool, free: bool) -> int:
    return sum(SETS[s] for s, tile in enumerate(tiles) if s in down or not _closed(tile, wild, free))


def _closed(tile: str, wild: bool, free: bool) -> str:
    """Return why nobody may enter a tile whose face is up; "" if one may."""
    if tile == START:
        return "it is a start tile, and nobody may return to one"
    if tile == FINISH:
        return "it is not your finish"
    if tile == NEUTRAL and not wild:
        return "it is a neutral tile"
    if tile == NEUTRAL and free:
        return "a free move cannot go to another neutral tile"
    return ""


def targets(position: Position, seat: Seat) -> list[int]:
    """Return the squares to which a seat may move, clockwise from north."""
    around = NEXT[position.markers[seat]]
    near = (around[d] for d in directions(position, seat))
    return [square for square in near if square >= 0 and not obstacle(position, seat, square)]


def moved(position: Position, seat: Seat, square: int) -> Position:
    """Return the position with a marker on another square. The caller handles the consequences."""
    markers = tuple(square if s == seat else old for s, old in enumerate(position.markers))
    return changed(position, markers=markers, free=False)


def free_move(position: Position, seat: Seat) -> Position | None:
    """Return the position with a free move if the marker has just reached a neutral tile and can move (R23)."""
    if position.tiles[position.markers[seat]] != NEUTRAL:
        return None
    waiting = changed(position, turn=seat, free=True)
    return waiting if targets(waiting, seat) else None


def with_end(position: Position, ending: str, winner: int | None = None) -> Position:
    """Return the position at the end of the game; `winner` is a team."""
    return changed(position, ending=ending, winner=winner)


def next_seats(position: Position, seat: Seat) -> list[Seat]:
    """Return the seats in turn order after `seat`, itself last, without seats that left (R29)."""
    seats = len(position.markers)
    return [s for i in range(1, seats + 1) if (s := (seat + i) % seats) not in position.out]


def pass_on(position: Position, seat: Seat) -> tuple[Position, tuple[Seat, ...]]:
    """Give the turn to the next seat after `seat` that has a move. Also returns the skipped seats (R13, R15)."""
    missed: list[Seat] = []
    for following in next_seats(position, seat):
        there = changed(position, turn=following, free=False)
        if targets(there, following):
            return there, tuple(missed)
        missed.append(following)
    return with_end(changed(position, free=False), "frozen"), ()


def loses(position: Position, seat: Seat, square: int) -> bool:
    """Return whether the opponent can step onto the finish immediately after this move (R17)."""
    opponent = 1 - seat
    return plan(position.options).finishes[opponent] in targets(moved(position, seat, square), opponent)


def freeze_fault(position: Position, seat: Seat, square: int) -> str:
    """Return why a freeze cannot be called with the legal move to `square`; "" if it can (R16)."""
    for letter in "dh":
        if letter in position.options:
            return f"a freeze cannot be called with option -{letter}"
    if square == plan(position.options).finishes[seat]:
        return "that move reaches your finish and wins anyway"
    return _thaw(moved(position, seat, square), seat) or _no_choice(position, seat, square)


def _thaw(after: Position, seat: Seat) -> str:
    """Return why the freeze fails: somebody could still move after the move of `seat`; "" if nobody can (R16 (a))."""
    if free_move(after, seat):
        return "you would have a free move from there"
    if squares := targets(after, 1 - seat):
        return f"your opponent could still move to {GRID.name(squares[0]).upper()}"
    if squares := targets(after, seat):
        return f"you could still move to {GRID.name(squares[0]).upper()}"
    return ""


def _no_choice(position: Position, seat: Seat, square: int) -> str:
    """Return why the freeze fails: the seat has no other move that does not lose; "" if it has one (R16 (b))."""
    others = [t for t in targets(position, seat) if t != square]
    if not others:
        return "it is your only move"
    if all(loses(position, seat, t) for t in others):
        return "each of your other moves would let your opponent reach the finish"
    return ""


def key(position: Position) -> int:
    """Encode markers, turn and free move as one number (R19). `remember` explains why face-up tiles are not in it."""
    number = position.turn * 2 + position.free
    for square in position.markers:
        number = number * GRID.size + square
    return number


def remember(position: Position) -> Position:
    """Add the position to the history. The game ends when it occurs for the third time (R19).

    When a tile is turned up, the history is emptied: with another tile face up, no earlier position can come again.
    """
    history = (*position.history, key(position))
    position = changed(position, history=history)
    if history.count(history[-1]) < 3:
        return position
    winner = None if {"d", "h"} & set(position.options) else _indirect_winner(position)
    return with_end(position, "repetition" if winner is None else "indirect", winner)


def _indirect_winner(position: Position) -> Seat | None:
    """Return who forced the repetition, judged by the moves from the second to the third occurrence (R20)."""
    second = position.history.index(position.history[-1], position.history.index(position.history[-1]) + 1)
    cycle = [_recall(position, number) for number in position.history[second:]]
    lost: tuple[list[bool], list[bool]] = ([], [])  # for each seat: does every move that it did not choose lose?
    for before, after in pairwise(cycle):
        seat = before.turn
        chosen = after.markers[seat]
        lost[seat].extend(loses(before, seat, t) for t in targets(before, seat) if t != chosen)
    for seat in (0, 1):
        avoiding = all(lost[seat]) and any(lost[seat])
        if avoiding and not all(lost[1 - seat]):
            return 1 - seat
    return None


def left_square(position: Position) -> Sequence[int]:
    """Return the square where a marker stood before the last turn; none if a tile was turned up since then."""
    earlier = (_recall(position, number) for number in reversed(position.history))
    turn = list[Position]()
    for then in dropwhile(lambda then: then.markers == position.markers, earlier):
        if turn and then.turn != turn[0].turn:
            break
        turn.append(then)
    return [turn[-1].markers[turn[0].turn]] if turn else []


def _recall(position: Position, number: int) -> Position:
    markers: list[int] = []
    for _ in position.markers:
        number, square = divmod(number, GRID.size)
        markers.insert(0, square)
    return changed(position, markers=tuple(markers), turn=number // 2, free=bool(number % 2))


def _is_wild(position: Position) -> bool:
    """Return whether neutral tiles may be entered: with the wild option (R22) and with hidden tiles (R26)."""
    return "w" in position.options or "h" in position.options
