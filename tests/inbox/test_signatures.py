"""What a player's mails end with twice, word for word, is a signature. The player is told once, and can keep it."""

import pytest
from sqlalchemy import text

from tests.world import Received, World

SIGNATURE = "Alice Adams\nHead of nothing at all"


def _told(letters: list[Received], userid: str) -> str:
    return "\n".join(x.flat for x in letters if x.to.startswith(userid))


@pytest.mark.both
def test_the_same_end_is_left_out_from_the_second_mail_on(world: World) -> None:
    world.signup("alice", "bob")
    seen, told = list[str](), list[str]()
    for n in range(3):
        mine = next(x for x in world.mail("alice", "tumble challenge alice bob") if x.to.startswith("alice"))
        letters = world.reply(mine, f"c1-c5t\n\nThis is comment number {n}.\n\n{SIGNATURE}")
        seen.append(_told(letters, "bob"))
        told.append(_told(letters, "alice"))
    assert ["Head of nothing" in words for words in seen] == [True, False, False]
    assert [f"comment number {n}." in words for n, words in enumerate(seen)] == [True, True, True]
    assert ["signature=keep" in words for words in told] == [False, True, False]


@pytest.mark.sqlite
def test_a_player_can_keep_it_and_only_a_hash_is_stored(world: World) -> None:
    world.signup("alice", "bob")
    for n in range(2):
        if n:
            world.mail("alice", "set alice alice-secret signature=keep")
        mine = next(x for x in world.mail("alice", "tumble challenge alice bob") if x.to.startswith("alice"))
        assert "Head of nothing" in _told(world.reply(mine, f"c1-c5t\n\n{SIGNATURE}"), "bob")
    with world.engine.connect() as connection:
        values = connection.execute(text("SELECT value FROM preference WHERE name = 'endings'")).scalars().all()
    assert [len(value) for value in values] == [33]


@pytest.mark.sqlite
@pytest.mark.parametrize("end", ["Good luck and have fun!", "I offer a draw", "Hi Bob!"])
def test_wishes_and_commands_are_no_signature(world: World, end: str) -> None:
    world.signup("alice", "bob")
    for _ in range(3):
        mine = next(x for x in world.mail("alice", "chess challenge alice bob") if x.to.startswith("alice"))
        letters = world.reply(mine, f"e4\n\n{end}")
        assert end in _told(letters, "bob") or world.row(101).board.offer is not None


@pytest.mark.sqlite
def test_a_mail_that_does_nothing_is_not_remembered(world: World) -> None:
    world.signup("alice", "bob")
    mine = next(x for x in world.mail("alice", "tumble challenge alice bob") if x.to.startswith("alice"))
    world.reply(mine, f"c1-c1t\n\n{SIGNATURE}")
    assert "Head of nothing" in _told(world.reply(mine, f"c1-c5t\n\n{SIGNATURE}"), "bob")


@pytest.mark.sqlite
def test_who_only_chats_is_told_too(world: World) -> None:
    world.signup("alice", "bob")
    mine = next(x for x in world.mail("alice", "tumble challenge alice bob") if x.to.startswith("alice"))
    told = [_told(world.reply(mine, f"chat\n\nHello, number {n}!\n\n{SIGNATURE}"), "alice") for n in range(3)]
    assert ["signature=keep" in words for words in told] == [False, True, False]
