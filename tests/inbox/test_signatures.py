"""What a player's mails end with twice, word for word, is a signature. The player is told once, and can keep it."""

import pytest
from sqlalchemy import text

from tests.letters.test_digest import of_tomorrow
from tests.world import ADDRESS, Received, World

SIGNATURE = "Alice Adams\nHead of nothing at all"
COMMENTS = ("Good luck!", "Well played!", "Thanks!")


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
@pytest.mark.parametrize("way", ["command", "message", "digest"])
def test_it_does_not_matter_which_way_a_mail_comes(world: World, way: str) -> None:
    """The end of two mails of this kind is left out, and so it is of an answer to a board letter."""
    world.signup("alice", "bob")
    if way == "digest":
        world.mail("alice", "set alice alice-secret digest=daily")
    told = [_send(world, way, n) for n in range(3)]
    assert ["signature=keep" in _told(letters, "alice") for letters in told] == [False, True, False]
    seen = [_told(letters, "bob") for letters in told]
    assert ["Head of nothing" in words for words in seen] == [way != "digest", False, False]
    assert [COMMENTS[n] in words for n, words in enumerate(seen)] == [True, True, True]


def _send(world: World, way: str, number: int) -> list[Received]:
    words = f"{COMMENTS[number]}\n\n{SIGNATURE}"
    if way == "message":
        return world.mail("alice", "message alice alice-secret bob", words)
    world.mail("bob", "tumble challenge alice bob")
    board = max(world.query(lambda store: store.board_lists.numbers()))
    if way == "command":
        return world.mail("alice", f"tumble move {board} alice alice-secret c1-c5t", words)
    return world.reply(of_tomorrow(world), f"{board}: c1-c5t. {words}")


@pytest.mark.sqlite
def test_a_message_that_is_nothing_else_is_no_signature(world: World) -> None:
    world.signup("alice", "bob")
    for _ in range(3):
        letters = world.mail("alice", "message alice alice-secret bob", "Are you there, my friend?")
        assert "Are you there" in _told(letters, "bob")


@pytest.mark.slow
@pytest.mark.sqlite
def test_a_player_can_keep_it_and_only_a_hash_is_stored_exported_and_erased(world: World) -> None:
    world.signup("alice", "bob")
    for n in range(2):
        if n:
            world.mail("alice", "set alice alice-secret signature=keep")
        mine = next(x for x in world.mail("alice", "tumble challenge alice bob") if x.to.startswith("alice"))
        assert "Head of nothing" in _told(world.reply(mine, f"c1-c5t\n\n{SIGNATURE}"), "bob")
    player = world.player("alice")
    exported = world.query(lambda store: store.players.personal_data(player.id))["preference"]
    assert {row["name"]: len(str(row["value"])) for row in exported} == {"endings": 33, "signature": 4}
    world.mail("alice", "signoff alice alice-secret")
    with world.engine.connect() as connection:
        assert not connection.execute(text("SELECT * FROM preference")).all()


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


@pytest.mark.parametrize("subject", ["tumble move 101 alice alice-secret c1-c5t", "c1-c5t"])
def test_what_html_marks_as_a_signature_is_not_passed_on_below_a_subject(world: World, subject: str) -> None:
    """Somebody may have typed all of it there, so it is read where no command stands above it."""
    world.signup("alice", "bob")
    letter = next(x for x in world.mail("alice", "tumble challenge alice bob") if x.to.startswith("alice"))
    to = ADDRESS if "move" in subject else letter.reply_to
    head = f"From: alice@example.org\nTo: {to}\nSubject: {subject}\nMessage-ID: <html@client.example>\n"
    signature = '<div class="gmail_signature">Alice Adams<br>Small Street 5</div>'
    letters = world.bytes(f"{head}Content-Type: text/html\n\n<div><br></div>{signature}".encode(), to)
    assert world.row().board.length == 1
    assert not any("Small Street" in letter.text for letter in letters)
