"""Random moves and random rulings: boards always match their logs, and ratings always match a rebuild."""

from collections.abc import Callable
from random import Random

import pytest
import sqlalchemy as sa

from pbmserv.boards import entries
from pbmserv.db import tables
from tests.cli.conftest import Desk
from tests.examples import SOAK, some_of
from tests.world import World

FRIENDS = ("alice", "bob", "carol")


class Days:
    """A server with boards of three games, on which players and admins do random things."""

    def __init__(self, desk: Desk, seed: int) -> None:
        self.desk, self.world, self.random = desk, desk.world, Random(seed)
        self.world.board(*FRIENDS, game="3io")
        self.world.board("carol", game="threes")
        self.deeds: tuple[Callable[[int], None], ...] = (
            self.play, self.play, self.play, self.resign, self.undo, self.undo, self.void, self.adjudicate, self.move,
        )  # fmt: skip

    def step(self) -> None:
        """Do one random thing to one random board."""
        self.random.choice(self.deeds)(self.random.choice((101, 101, 102, 103)))

    def play(self, number: int) -> None:
        row = self.world.row(number)
        if row.board.to_move:
            userid = row.players[min(row.board.to_move)].userid
            game = row.key
            self.world.mail(userid, f"{game} move {number} {userid} {userid}-secret {self.legal(number)}")

    def resign(self, number: int) -> None:
        row = self.world.row(number)
        userid = self.random.choice(row.players).userid
        self.world.mail(userid, f"{row.key} resign {number} {userid} {userid}-secret")

    def undo(self, number: int) -> None:
        ply = self.random.choice(([], ["--ply", str(self.random.randint(0, 5))]))
        chance = self.random.choice(([], ["--past-chance"]))
        self.rule("undo", str(number), *ply, *chance, "--yes")

    def void(self, number: int) -> None:
        self.rule("void", str(number), "--yes")

    def adjudicate(self, number: int) -> None:
        players = list(dict.fromkeys(p.userid for p in self.world.row(number).players))
        order = self.random.sample(players, self.random.randint(0, len(players)))
        self.rule("adjudicate", str(number), *(order or ["--draw"]), "--yes")

    def move(self, number: int) -> None:
        row = self.world.row(number)
        self.rule("move", str(number), self.random.choice(row.players).userid, self.legal(number))

    def legal(self, number: int) -> str:
        """A random legal move of the seat to move, or `a1` if no seat is to move."""
        board = self.world.row(number).board
        if not board.to_move:
            return "a1"
        return board.game.format(self.random.choice(board.game.legal_moves(board.position, min(board.to_move))))

    def rule(self, *words: str) -> None:
        """Run a ruling. Either it is done, recorded as an event and told to all players, or it changes nothing."""
        before = self.world.dump()
        self.world.letters()
        refused = self.desk.run("boards", *words, code=None).exit_code
        letters = {x.to.partition("@")[0] for x in self.world.letters()}
        if refused:
            assert (refused, self.world.dump(), letters) == (65, before, set())
        else:
            number = int(words[1])
            assert letters == {p.userid for p in self.world.row(number).players}
            assert self.desk.event()[0].startswith(f"board {number}: {words[0]}")


def ratings(world: World) -> list[tuple[object, ...]]:
    """All ratings, and by how much each board changed them."""
    seat = tables.seat.c
    columns = (seat.board, seat.seat, seat.rank, seat.score, seat.mu_before, seat.mu_after)
    with world.engine.connect() as connection:
        found = [
            *connection.execute(sa.select(tables.rating).order_by(tables.rating.c.game, tables.rating.c.player_id))
        ]
        return [tuple(r) for r in (*found, *connection.execute(sa.select(*columns).order_by(seat.board, seat.seat)))]


@pytest.mark.slow
@pytest.mark.parametrize("seed", some_of(range(1, 12), 6))
def test_random_days(desk: Desk, seed: int) -> None:
    days = Days(desk, seed)
    for _ in range(20 * SOAK):
        days.step()
        desk.world.verify()
        now = ratings(desk.world)
        desk.world.act(entries.rebuild_ratings)
        assert ratings(desk.world) == now
    assert len(desk.json("events", "list")) > 5  # some rulings were not refused
    assert "3 boards replayed, 0 differences" in desk.says("boards", "verify")
