"""Runs every test once for each game."""

import pytest

from pbmserv import games
from pbmserv.conformance import golden, walks
from pbmserv.games.base import AnyGame


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes more than a few seconds")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Set the parameters `game`, `large_game` (three seats or more) and `transcript` (a golden file)."""
    if "game" in metafunc.fixturenames:
        metafunc.parametrize("game", games.all_games(), ids=_key)
    if "transcript" in metafunc.fixturenames:
        transcripts = [t for g in games.all_games() for t in golden.transcripts(g)]
        metafunc.parametrize("transcript", transcripts, ids=[t.name for t in transcripts])
    if "large_game" in metafunc.fixturenames:
        metafunc.parametrize("large_game", [g for g in games.all_games() if walks.large_setups(g)], ids=_key)


def _key(game: AnyGame) -> str:
    return game.info.key
