"""Runs every test once for each game, and names each cause of failures once for each game."""

import re
from collections.abc import Generator

import pytest

from pbmserv import games
from pbmserv.conformance import golden, walks
from pbmserv.games.base import AnyGame, Game


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes more than a few seconds")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Set the parameters `game`, `large_game` (three seats or more) and `transcript` (a golden file)."""
    if "game" in metafunc.fixturenames:
        metafunc.parametrize("game", _games(), ids=_key)
    if "transcript" in metafunc.fixturenames:
        transcripts = [t for g in _games() for t in golden.transcripts(g)]
        metafunc.parametrize("transcript", transcripts, ids=[t.name for t in transcripts])
    if "large_game" in metafunc.fixturenames:
        metafunc.parametrize("large_game", [g for g in _games() if walks.large_setups(g)], ids=_key)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Skip what fails at the same place and for the same reason as a test before: that is the same mistake."""
    report = yield
    if report.failed and call.excinfo:
        known = item.config.stash.setdefault(_CAUSES, {})
        first = known.setdefault(_cause(item, call.excinfo), item.name)
        if first != item.name:
            place = str(item.path), item.location[1] or 0
            report.outcome, report.longrepr = "skipped", (*place, f"Skipped: the same cause as in {first}")
    return report


def _cause(item: pytest.Item, failure: pytest.ExceptionInfo[BaseException]) -> tuple[object, ...]:
    """Return where and why the test of a game failed: what is told before the values of one board."""
    params = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    game = next((value for value in params.values() if isinstance(value, Game)), None)
    place = failure.traceback[-1]
    told = re.split(r"[\d'\"({\[<\n]", str(failure.value), maxsplit=1)[0]
    return game and game.info.key, failure.type, str(place.path), place.lineno, told


_CAUSES = pytest.StashKey[dict[tuple[object, ...], str]]()


def _games() -> list[AnyGame]:
    """Return the games that have tests of their own; those of our families have tests together."""
    return [game for game in games.all_games() if game not in games.of_families()]


def _key(game: AnyGame) -> str:
    return game.info.key
