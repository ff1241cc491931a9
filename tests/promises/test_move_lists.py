"""The legal moves of a position are listed once, however many parts of the letters and pages ask for them."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from pbmserv import games
from pbmserv.games.base import AnyGame, Seat
from pbmserv.games.base.rules import moves_of
from tests.examples import spread
from tests.games.toy import Position, Toy
from tests.web.browser import browse
from tests.web.filled import begin, play_on
from tests.web.touching import HOME, own_page
from tests.world import World


@pytest.mark.slow
@pytest.mark.parametrize("game", spread(games.GAMES, 3), ids=lambda game: game.info.key)
def test_no_list_of_moves_is_made_twice(world: World, monkeypatch: pytest.MonkeyPatch, game: AnyGame) -> None:
    made, rules = Counter[tuple[Any, Seat]](), type(game).legal_moves

    def counted(self: AnyGame, position: Any, seat: Seat) -> Sequence[Any]:
        made[position, seat] += 1
        return rules(self, position, seat)

    key, players = game.info.key, ("alice", "bob", "carol")[: game.info.seats[0]]
    world.allow(web_url=HOME)
    world.signup("alice", "bob", "carol")
    number = begin(world, *players, game=key)
    play_on(world, number, 3)
    monkeypatch.setattr(type(game), "legal_moves", counted)
    forget_all_lists()
    for _ in range(3):
        board, mover = world.row(number).board, world.row(number).players[min(world.row(number).board.to_move)].userid
        move = game.example(board.position, min(board.to_move))
        assert world.mail(mover, f"{key} legal {number} {mover} {mover}-secret")
        with browse(world) as pages:
            assert pages.get(own_page(world, number, mover)).status_code == 200
        assert world.mail(mover, f"{key} move {number} {mover} {mover}-secret {move}")
        assert world.row(number).board.ply == board.ply + 1
    assert made
    assert max(made.values()) == 1


def forget_all_lists() -> None:
    """Ask for the moves of so many other positions that no list of an earlier test is kept."""
    toy = Toy()
    for secret in range(1000):
        moves_of(toy, Position(12, secret, (0,)), 0)
