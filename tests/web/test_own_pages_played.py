"""Whole games played by touching the board on the players' own pages, without typing a square."""

import pytest

from tests.games.whole_games import WHOLE, Whole, moves_to_the_end, players_of
from tests.web.touching import HOME, play
from tests.world import World


@pytest.mark.sqlite  # other tests play on both databases; the rules are the same
@pytest.mark.parametrize("whole", WHOLE)
def test_a_whole_game_without_typing_a_square(world: World, whole: Whole) -> None:
    world.signup("alice", "bob")
    world.allow(web_url=HOME)
    world.mail("alice", f"{whole.key} challenge {' '.join(players_of(whole))} {whole.options}".strip())
    letters = play(world, 101, moves_to_the_end(world.row().board, whole.seed))
    assert world.row().board.result
    assert any("is over" in letter.text for letter in letters)
    world.verify()
