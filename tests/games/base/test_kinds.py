"""Each game has a kind, and its module is where a reader looks for it."""

import pytest

from pbmserv.games import GAMES, listed
from pbmserv.games.base import AnyGame
from pbmserv.games.base.kinds import KINDS, by_kind


@pytest.mark.parametrize("game", GAMES, ids=lambda g: g.info.key)
def test_the_folder_of_a_game_of_ours_is_its_kind(game: AnyGame) -> None:
    assert game.info.kind in KINDS
    assert type(game).__module__.split(".")[2] == game.info.kind


def test_a_kind_is_listed_once_with_all_its_games() -> None:
    infos = [g.info for g in listed()]
    parts = by_kind(infos)
    assert list(parts) == [name for kind, name in KINDS.items() if any(i.kind == kind for i in infos)]
    assert sorted(i.key for part in parts.values() for i in part) == sorted(i.key for i in infos)
    assert [i.key for part in parts.values() for i in part] == [g.info.key for g in listed()]


def test_kinds_fit_the_columns_of_letters() -> None:
    assert max(map(len, KINDS.values())) <= 26


def test_no_game_goes_by_a_trademark() -> None:
    """The keys othello and battleship are words that players look for. Owned names stay out of the rest."""
    owned = {"connectfour", "connect4", "connect four", "battleships", "battleship", "pente"}
    names = {name.lower() for g in GAMES for name in (g.info.name, *g.info.aliases)}
    assert names & owned == set()
