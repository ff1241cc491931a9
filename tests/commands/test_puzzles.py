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

#: Black leaves the queen to a knight that three men could take. Before that, nearly all moves of White were better.
FORGOTTEN = ["Nf3", "e6", "Ne5", "Nf6", "Nc6", "a6"]


def reviewed(world: World) -> None:
    """Review a board, and let carol want puzzles."""
    played(world, FORGOTTEN)
    asked(world)
    work(world)
    world.signup("carol")
    world.mail("carol", "set carol carol-secret puzzle=chess")


def swept(world: World) -> list[Received]:
    Clock(world.engine, world.site, lambda: world.now, gap=float("inf")).sweep()
    return world.letters()


@pytest.mark.slow
@pytest.mark.both
@pytest.mark.parametrize(
    ("place", "told"),
    [
        (0, "Richtig! So könnte es weitergehen: {best} "),
        (1, "Richtig! {move} ist so gut wie {best}. So könnte es weitergehen: {best} "),
        (-1, "Das ist nicht der beste Zug. Besser war: {best} "),
    ],
    ids=["better", "as good", "wrong"],
)
def test_a_puzzle_comes_once_a_day_and_is_answered_with_a_move(
    world: World, monkeypatch: pytest.MonkeyPatch, place: int, told: str
) -> None:
    monkeypatch.setattr(levels, "strongest", lambda game: 2)
    world.once(reviewed)
    world.mail("alice", "set alice alice-secret lend=on")
    assert swept(world) == []  # bob does not lend his boards
    world.mail("bob", "set bob bob-secret lend=on")
    letter = to(swept(world), "carol")
    assert letter.first_line == "A puzzle for you, carol: Black is to move."
    assert swept(world) == []
    world.mail("carol", "set carol carol-secret language=de")
    review = world.query(lambda s: s.reviews.find(101))
    assert review
    assert review.result
    moment = Review.of(review.result).moments[-1]
    captures = {"b8c6": "Nxc6", "b7c6": "bxc6", "d7c6": "dxc6"}
    assert {*moment.right} == {*captures}
    best, move = (lettered(captures[text], RENDERER.to("de").say) for text in (moment.better, moment.right[place]))
    answer = only(world.reply(letter, "a6" if place < 0 else move))
    assert answer.flat.startswith(told.format(best=best, move=move))
    rating = world.query(lambda s: s.puzzles.rating(world.player("carol").id, "chess", Rating(25, 8)))
    assert (rating.mu > 25) == told.startswith("Richtig")
    assert "Dieses Rätsel hast du schon beantwortet." in only(world.reply(letter, "a6")).text
    world.now += timedelta(days=1)
    assert swept(world) == []  # there is no other one: a position with many right moves is none
