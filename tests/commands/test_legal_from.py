"""A board whose moves have no room in a letter is touched in two steps: `legal d4` brings the moves from there."""

import pytest

from pbmserv import games
from tests.letters.html import pictures, taps
from tests.world import Received, World


def _asked(world: World, game: str, options: str, line: str) -> Received:
    world.signup("alice", "bob")
    letters = world.mail("alice", f"{game} challenge alice bob {options}")
    first = next(letter for letter in letters if letter.to == "alice@example.org")
    (answer,) = world.reply(first, line)
    return answer


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "options", "line", "then"),
    [
        ("go", "-size=19", "legal near k10", "k10"),
        ("go", "-size=19", "legal page 1", "legal page 3"),
        ("go", "-size=19", "legal page 3", "h3"),
        ("tumble", "", "legal d1", "d1-d2"),
        ("amazons", "", "legal d1", "legal d1 d2"),
        ("amazons", "", "legal d1 d2", "d1-d2/d1"),
    ],
)
def test_a_touch_brings_the_moves_there(world: World, game: str, options: str, line: str, then: str) -> None:
    answer = _asked(world, game, options, line)
    assert len(pictures(answer.html)) == ("page" not in line)
    tap = next(tap for tap in taps(answer.html) if tap.body == f"{then}\r\n\r\n")
    after = world.mail("alice", tap.subject, tap.body, to=tap.to)
    assert world.row().board.ply == (not then.startswith("legal")), after[0].text


def test_moves_are_listed_in_natural_order(world: World) -> None:
    assert "A8 A9 A10 A11 A12 A13 B1 B2" in _asked(world, "go", "-size=13", "moves").flat


def test_squares_without_a_move_are_told(world: World) -> None:
    answer = _asked(world, "chess", "", "legal e5")
    assert "No move of yours begins there." in answer.text


@pytest.mark.slow
@pytest.mark.parametrize(("game", "line"), [("backgammon", "legal 24"), ("go", "legal near k9")])
def test_a_picture_that_fails_is_not_missed(
    world: World, monkeypatch: pytest.MonkeyPatch, game: str, line: str
) -> None:
    """A package can bring a game with such a bug. Then the words that need the picture are answered by text."""
    monkeypatch.setattr(type(games.find(game)), "picture", lambda self, view: 1 // 0)
    answer = _asked(world, game, "", line)
    assert not pictures(answer.html)
    assert "Board 101" in answer.text + answer.subject
