"""Y and misère Hex: games that are made of the family of Hex in a few lines."""

import pytest

from pbmserv.conformance.checks import CHECKS
from pbmserv.conformance.walks import Setup, Walk, record
from pbmserv.games.base import Outcome
from pbmserv.games.connection.hexagons import Stones
from pbmserv.letters.text.templates import Renderer
from pbmserv.rng import NoChance
from tests.games.connection.hexagon_games import MisereHex, Y

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
    found = outcome(game, texts)
    assert (found and found.ranks) == ranks


@pytest.mark.parametrize("game", [Y(), MisereHex()], ids=["Y", "misère Hex"])
def test_they_keep_all_promises_of_a_game(game: Stones) -> None:
    for luck in range(2):
        played = record(game, Walk(game.info.key, Setup((("size", "4"),), 2), luck))
        for check in CHECKS:
            check(played)


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
