"""A board together with its log, for the tests of boards and logs."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from pbmserv.errors import PlayerError
from pbmserv.games import find
from pbmserv.games.base import AnyGame, Outcome, Seat
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Change, Start
from pbmserv.games.base.log import Entry, Kind
from tests.games.toy import Toy

TUMBLE = find("tumble")
TOY = Toy()
SEED = "000102030405060708090a0b0c0d0e0f"


@dataclass
class Logged:
    """A board and its log, changed entry by entry. After each entry a replay of the log must give the board."""

    game: AnyGame = TUMBLE
    seats: int = 2
    options: dict[str, str] = field(default_factory=dict)
    log: list[Entry] = field(default_factory=list)
    repetition: int = 0
    origin: Any = None

    def __post_init__(self) -> None:
        self.start = Start(self.game, self.options, self.seats, SEED, self.origin, self.repetition)
        self.board = play.begin(self.start)

    def add(self, change: Change) -> Board:
        self.log.append(change.entry)
        self.board = change.board
        assert self.board.length == len(self.log)
        assert play.replay(self.start, self.log) == self.board
        return self.board

    def moves(self, *texts: str) -> Board:
        for text in texts:
            self.add(play.play(self.board, min(self.board.to_move), text))
        return self.board

    def does(self, seat: Seat, kind: Kind) -> Board:
        return self.add(play.follow(self.board, Entry(seat, kind), self.log))

    def refuses(self, seat: Seat, kind: Kind, why: str) -> None:
        with pytest.raises(PlayerError, match=why):
            play.follow(self.board, Entry(seat, kind), self.log)


def result(board: Board) -> Outcome:
    assert board.result is not None
    return board.result


def entries(logged: Logged) -> Sequence[tuple[Seat, Kind, str, int]]:
    return [(e.seat, e.kind, e.text, e.ply) for e in logged.log]
