"""A puzzle a day: `set … puzzle=chess`, from reviewed boards whose players lend them."""

from datetime import timedelta

import pytest

from pbmserv.letters.text.men import lettered
from pbmserv.model import Rating
from pbmserv.robots import levels
from pbmserv.robots.reviewing.review import Review
from pbmserv.server.clock import Clock
from tests.commands.answers import only, to
from tests.commands.test_reviews import asked, played, work
from tests.world import RENDERER, Received, World


def reviewed(world: World) -> None:
    """Review a board on which White has given a queen away, and let carol want puzzles."""
    played(world)
    asked(world)
    work(world)
    world.signup("carol")
    world.mail("carol", "set carol carol-secret puzzle=chess")


def swept(world: World) -> list[Received]:
    Clock(world.engine, world.site, lambda: world.now, gap=float("inf")).sweep()
    return world.letters()


@pytest.mark.slow
@pytest.mark.both
@pytest.mark.parametrize("solved", [True, False])
def test_a_puzzle_comes_once_a_day_and_is_answered_with_a_move(
    world: World, monkeypatch: pytest.MonkeyPatch, solved: bool
) -> None:
    monkeypatch.setattr(levels, "strongest", lambda game: 2)
    world.once(reviewed)
    world.mail("alice", "set alice alice-secret lend=on")
    assert swept(world) == []  # bob does not lend his boards
    world.mail("bob", "set bob bob-secret lend=on")
    letter = to(swept(world), "carol")
    assert letter.first_line == "A puzzle for you, carol: White is to move."
    assert swept(world) == []
    moment = world.query(lambda s: s.puzzles.find(1))
    review = world.query(lambda s: s.reviews.find(101))
    assert moment is not None
    assert review is not None
    assert review.result is not None
    line = next(m.line for m in Review.of(review.result).moments if m.ply == moment.ply)
    world.mail("carol", "set carol carol-secret language=de")
    answer = only(world.reply(letter, lettered(line[0], RENDERER.to("de").say) if solved else "a2a3"))
    assert answer.first_line.startswith("Richtig!" if solved else "Das ist nicht der beste Zug.")
    rating = world.query(lambda s: s.puzzles.rating(world.player("carol").id, "chess", Rating(25, 8)))
    assert (rating.mu > 25) == solved
    assert "Dieses Rätsel hast du schon beantwortet." in only(world.reply(letter, "a2a3")).text
    world.now += timedelta(days=1)
    assert swept(world) == []  # there is no other one
