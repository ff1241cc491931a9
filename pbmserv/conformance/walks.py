"""Random games as values, so that you can read and repeat a failing example."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product

from hypothesis import strategies as st

from pbmserv.errors import PlayerError
from pbmserv.games.base import AnyGame, Option, Seat
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Change, Start
from pbmserv.rng import Rng

PLIES = 250  #: a random game stops after this many
SEED = int(os.environ.get("SEED", "1"))  #: of long tests, which play the same games each time; `make soak` sets others
SOME = 5  #: random games that every check looks at; the long tests play others, too


@dataclass(frozen=True)
class Setup:
    """Options and a number of seats that fit together."""

    options: tuple[tuple[str, str], ...]
    seats: int


@dataclass(frozen=True)
class PlayedMove:
    """One move of a random game: the board before it, the seat, its legal moves, and the result."""

    before: Board
    json: str  #: the position before the move, dumped before the move was played
    seat: Seat
    texts: tuple[str, ...]
    change: Change


@dataclass(frozen=True)
class Playthrough:
    """A random game after it was played: the opening and the board after each entry, the moves, all changes."""

    start: Start
    boards: tuple[Board, ...]
    turns: tuple[PlayedMove, ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Walk:
    """A random game. `luck` seeds the board and the choice of moves. Before each ply in `leave`, a seat leaves."""

    key: str
    setup: Setup
    luck: int
    leave: frozenset[int] = frozenset()


def walks(game: AnyGame) -> st.SearchStrategy[Walk]:
    """Random games with any options and seats that `check` allows. Nobody leaves."""
    return st.builds(Walk, st.just(game.info.key), st.sampled_from(setups(game)), st.integers(0, 9999))


def walks_with_leavers(game: AnyGame) -> st.SearchStrategy[Walk]:
    """Random games of three or more seats, some of which leave."""
    leave = st.frozensets(st.integers(0, 30), min_size=1, max_size=4)
    return st.builds(Walk, st.just(game.info.key), st.sampled_from(large_setups(game)), st.integers(0, 9999), leave)


def some_walks(game: AnyGame) -> list[Walk]:
    """Return the same few random games each time. The first has no options, and the others have any."""
    return [Walk(game.info.key, setup, luck) for luck, setup in enumerate(_some(setups(game)))]


def some_walks_with_leavers(game: AnyGame) -> list[Walk]:
    """Return the same few random games of three or more seats each time, in which seats leave, early and late."""
    leave = [frozenset({luck, luck * luck + 3, 9 * luck + 4}) for luck in range(SOME)]
    large = enumerate(_some(large_setups(game)))
    return [Walk(game.info.key, setup, luck, leave[luck]) for luck, setup in large]


def _some(all_setups: tuple[Setup, ...]) -> list[Setup]:
    """Return SOME of these, the first of them first, and the rest from all over the list."""
    return [all_setups[place * len(all_setups) // SOME] for place in range(SOME)]


@cache
def setups(game: AnyGame) -> tuple[Setup, ...]:
    """Return all combinations of options and seats that `check` allows, the simplest first."""
    choices = product(*(_choices(option) for option in game.info.options))
    every = [tuple(option for option in chosen if option) for chosen in choices]
    possible = [Setup(options, seats) for options in sorted(every, key=len) for seats in game.info.seats]
    return tuple(setup for setup in possible if _is_allowed(game, setup))


def large_setups(game: AnyGame) -> tuple[Setup, ...]:
    """Return the combinations in which the others can play on when a seat leaves."""
    return tuple(setup for setup in setups(game) if setup.seats > 2)


@lru_cache(maxsize=64)
def record(game: AnyGame, walk: Walk) -> Playthrough:
    """Play a random game to its end, or to PLIES moves."""
    start = Start(game, dict(walk.setup.options), walk.setup.seats, f"{walk.luck:032x}")
    opening = play.begin(start)
    turns, boards, changes = list[PlayedMove](), [opening], list[Change]()
    for happening in _happenings(opening, walk):
        change = happening.change if isinstance(happening, PlayedMove) else happening
        turns += [happening] if isinstance(happening, PlayedMove) else []
        boards.append(change.board)
        changes.append(change)
    return Playthrough(start, tuple(boards), tuple(turns), tuple(changes))


def _happenings(board: Board, walk: Walk) -> Iterator[PlayedMove | Change]:
    leave = set(walk.leave)
    while board.to_move and board.ply < PLIES:
        luck = Rng(f"walk {walk.luck}", board.length)
        if board.ply in leave:
            leave.remove(board.ply)
            change = play.resign(board, luck.choice([s for s in range(walk.setup.seats) if s not in board.out]))
            yield change
        else:
            turn = random_turn(board, luck)
            change = turn.change
            yield turn
        board = change.board


def random_turn(board: Board, luck: Rng) -> PlayedMove:
    """Let a seat that is to move play one of its legal moves."""
    game = board.game
    seat = luck.choice(sorted(board.to_move))
    texts = tuple(game.format(move) for move in game.legal_moves(board.position, seat))
    assert texts, f"seat {seat} is to move, but `legal_moves` gives it none: {board.position}"
    text = luck.choice(texts)
    try:
        return PlayedMove(board, game.dump(board.position), seat, texts, play.play(board, seat, text))
    except PlayerError as refused:
        raise AssertionError(f"`format` gives {text!r} for a legal move, but `parse` says: {refused}") from refused


def readers(board: Board) -> list[Seat | None]:
    """Return all who may look at a board: a spectator (None) and every seat."""
    return [None, *range(board.start.seats)]


def _choices(option: Option) -> list[tuple[str, str] | None]:
    return [None, *((option.name, value) for value in option.samples)]


def _is_allowed(game: AnyGame, setup: Setup) -> bool:
    try:
        game.check(dict(setup.options), setup.seats)
    except PlayerError:
        return False
    return True
