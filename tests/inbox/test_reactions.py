"""Whoever reacts with an emoji is not told of errors, and those who want reactions read it."""

import pytest

from tests.world import Received, World

SIGN = "\U0001f44d"


def _first_letter(world: World) -> Received:
    world.signup("alice", "bob")
    return next(x for x in world.mail("alice", "tumble challenge alice bob") if x.to.startswith("alice"))


@pytest.mark.sqlite
@pytest.mark.parametrize("wants", [True, False])
def test_a_reaction_reaches_who_wants_it_and_is_never_answered(world: World, *, wants: bool) -> None:
    mine = _first_letter(world)
    if wants:
        world.mail("bob", "set bob bob-secret reactions=on")
    before = world.row().board
    letters = world.reply(mine, SIGN)
    assert [(x.to.partition("@")[0], f"    {SIGN}" in x.text) for x in letters] == ([("bob", True)] if wants else [])
    assert world.row().board == before
    with world.engine.connect() as connection:
        done = connection.exec_driver_sql("SELECT status, calls FROM mail ORDER BY id DESC LIMIT 1").one()
    assert tuple(done) == ("done", f"(reaction:{SIGN})")


@pytest.mark.sqlite
def test_an_emoji_in_answer_to_words_is_words(world: World) -> None:
    mine = _first_letter(world)
    (chat,) = [x for x in world.reply(mine, "chat\n\nHello!") if x.to.startswith("bob")]
    letters = world.reply(chat, SIGN)
    assert any(x.to.startswith("alice") and SIGN in x.text for x in letters)


@pytest.mark.sqlite
def test_a_reaction_to_anything_else_has_no_answer(world: World) -> None:
    world.signup("alice")
    assert world.mail("alice", "Re: Welcome", SIGN) == []
