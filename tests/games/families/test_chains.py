"""Y and misère Hex: games of the family of Hex in a few lines."""

from typing import Any

import pytest

from pbmserv.conformance.checks import CHECKS
from pbmserv.conformance.walks import Setup, Walk, record
from pbmserv.games.base import Outcome, Seat
from pbmserv.games.connection.hexagons import Stones
from pbmserv.games.families.chains.chains_games import GAMES, MisereHex, Y
from pbmserv.letters.text.templates import Renderer
from pbmserv.rng import NoChance
from tests.games.oracle.agreement import Rival, compare, into_ends
from tests.games.oracle.engine import with_oracle
from tests.games.records.reader import form, sheet_of
from tests.games.records.reader import played as logged

SMALL = {"size": "4"}


def outcome(game: Stones, texts: str) -> Outcome | None:
    position = game.setup(SMALL, 2, NoChance())
    for text in texts.split():
        position = game.apply(position, position.turn, game.parse(position, position.turn, text), NoChance()).position
    return game.outcome(position)


@pytest.mark.parametrize(
    ("game", "texts", "ranks"),
    [
        (Y(), "a3 a2 b3 b2 c3 a1", None),  # two sides
        (Y(), "a3 a2 b3 b2 c3 a1 c4", (1, 2)),
        (Y(), "a1 swap b3 a2 b4 a3 c4 a4", (2, 1)),  # a side of the triangle has two corners
        (MisereHex(), "b1 a1 b2 a2 b3 a3 b4", (2, 1)),
    ],
)
def test_who_wins(game: Stones, texts: str, ranks: tuple[int, int] | None) -> None:
    result = outcome(game, texts)
    assert (result and result.ranks) == ranks


@pytest.mark.parametrize("game", GAMES, ids=["misère Hex", "Y"])
def test_they_keep_all_promises_of_a_game(game: Any) -> None:
    for luck in range(2):
        played = record(game, Walk(game.info.key, Setup((("size", "4"),), 2), luck))
        for check in CHECKS:
            check(played)


def _action(position: Any, seat: Seat, move: str) -> tuple[str, ...]:
    """Our rows begin at the left edge, and theirs at the top: columns and rows change places."""
    column, row = ord(move[0]) - 97, int(move[1:]) - 1
    return (f"{chr(97 + row - column)}{column + 1}",)


@pytest.mark.slow
@with_oracle
def test_openspiel_agrees_about_y() -> None:
    rival = Rival("y", _action, {"board_size": 6})
    report = compare(Y(), rival, 200, {"size": "6", "noswap": ""}, choose=into_ends(Y()))
    assert report.endings["connected"] > 1


def test_robots_see_who_is_nearer() -> None:
    position = Y().setup({"size": "5", "noswap": ""}, 2, NoChance())
    for move in ("c4", "a1", "b3"):
        position = Y().apply(position, position.turn, move, NoChance()).position
    assert Y().evaluate(position, 0) > 0.2 > -0.2 > Y().evaluate(position, 1)


@pytest.mark.parametrize(("key", "says"), [("y", ";W[a1];B[b4])"), ("miserehex", ";B[a1];W[b4])")])
def test_records_name_the_game(key: str, says: str) -> None:
    text = form(key, "sgf").write(sheet_of(logged(key, {"size": "4"}, "a1", "b4"))).replace("\n", "")
    assert f"GM[{key}]" in text
    assert text.endswith(says)


def test_a_triangle_is_drawn() -> None:
    game = Y()
    view = game.view(game.setup(SMALL, 2, NoChance()), None)
    assert Renderer().diagram(game, view) == "\n".join(
        (
            "       A",
            "    1 . B",
            "   2 . . C",
            "  3 . . . D",
            " 4 . . . .",
        )
    )
