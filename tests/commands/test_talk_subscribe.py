"""Subscriptions and talk about boards, by mail."""

import re
from datetime import timedelta

import pytest

from pbmserv.server.clock import Clock
from tests.commands.answers import diagram_of, only, to
from tests.world import Received, World


@pytest.fixture
def watched(world: World) -> World:
    """Alice and bob play on tumble board 101, alice is to move. Carol subscribes; dave gets only the final letter."""
    world.once(_begin)
    return world


def _begin(world: World) -> None:
    world.board("alice", "bob")
    world.signup("carol", "dave")
    world.mail("carol", "tumble subscribe 101 carol carol-secret")
    world.mail("dave", "tumble notify dave dave-secret 101")
    world.letters()


@pytest.fixture
def three_boards(watched: World) -> World:
    """Board 102 is private, and alice has resigned on board 103."""
    watched.once(_begin_more)
    return watched


def _begin_more(world: World) -> None:
    world.mail("alice", "tumble challenge alice bob --private -c")
    world.mail("alice", "tumble challenge alice bob")
    world.mail("alice", "tumble resign 103 alice alice-secret")
    world.letters()


def readers(letters: list[Received]) -> set[str]:
    """The userids of those who get a letter."""
    return {x.to.partition("@")[0] for x in letters}


def test_a_subscriber_gets_copies_and_the_end_goes_to_all(watched: World) -> None:
    letters = watched.mail("alice", "tumble move 101 alice alice-secret a1-a2", "Mind your king!")
    copy = to(letters, "carol")
    assert readers(letters) == {"alice", "bob", "carol"}
    assert copy.subject == "Tumble Board 101"
    assert copy.first_line == "It is bob's turn."
    assert "alice writes:\n    Mind your king!" in copy.text
    assert "tumble unsubscribe 101 carol PASSWORD" in copy.text
    letters = watched.mail("bob", "tumble resign 101 bob bob-secret")
    assert readers(letters) == {"alice", "bob", "carol", "dave"}
    assert to(letters, "dave").first_line == "Board 101 is over: alice wins (by resignation)."


def test_list_unsubscribe_is_an_address_that_needs_no_password(watched: World) -> None:
    copy = to(watched.mail("alice", "tumble move 101 alice alice-secret a1-a2"), "carol")
    address = str(copy.message["List-Unsubscribe"])
    assert address.startswith("<mailto:pbmserv+u101.")
    assert address.endswith("?subject=unsubscribe>")
    link = address.removeprefix("<mailto:").partition("?")[0]
    for _ in range(2):
        answer = only(watched.mail("carol", "unsubscribe", to=link))
        assert "You get no more copies of board 101." in answer.text
    assert readers(watched.mail("bob", "tumble move 101 bob bob-secret f5-f6")) == {"alice", "bob"}


def test_a_copy_shows_what_spectators_see(world: World) -> None:
    world.board("alice", "bob", game="trippples", options="-h")
    world.signup("carol")
    world.mail("carol", "trippples set carol carol-secret m")
    world.mail("carol", "trippples subscribe 101 carol carol-secret")
    world.letters()
    board = world.row(101).board
    letters = world.mail("alice", f"trippples move 101 alice alice-secret {board.game.example(board.position, 0)}")
    after = world.row(101).board
    picture = world.site.renderer.diagram(after.game, after.game.view(after.position, None), "m")
    assert picture in to(letters, "carol").text
    assert "???" in picture


def test_unsubscribe_and_notify_say_what_is_read(watched: World) -> None:
    assert "101  every letter" in only(watched.mail("carol", "tumble notify carol carol-secret")).text
    assert "101  only the last letter" in only(watched.mail("carol", "tumble notify carol carol-secret 101")).text
    assert (
        "no more copies of board 101" in only(watched.mail("carol", "tumble unsubscribe 101 carol carol-secret")).text
    )
    assert (
        "you get no letters about boards of other players"
        in only(watched.mail("carol", "tumble notify carol carol-secret")).text
    )


def test_chat_goes_to_the_others_and_to_subscribers(watched: World) -> None:
    letters = watched.mail("bob", "tumble chat 101 bob bob-secret", "Nice opening.\n\nWhere are you from?")
    assert readers(letters) == {"alice", "bob", "carol"}
    said = to(letters, "alice")
    assert said.subject == "Tumble Board 101 alice"
    assert said.first_line == "bob writes about Tumbling Down board 101:"
    assert "    Nice opening.\n\n    Where are you from?" in said.text.replace("    \n", "\n")
    assert "Your message goes to alice, carol." in to(letters, "bob").text
    assert "chat" not in to(letters, "carol").text


def test_chat_in_a_reply_and_back(watched: World) -> None:
    letter = to(watched.mail("bob", "tumble chat 101 bob bob-secret", "Hello."), "alice")
    letters = watched.reply(letter, "chat\nHello yourself.")
    assert "    Hello yourself." in to(letters, "bob").text
    assert "Your message goes to bob, carol." in to(letters, "alice").text
    letters = watched.reply(letter, "a1-a2\nAnd now?")
    assert to(letters, "bob").first_line == "Your move, bob."


@pytest.mark.parametrize(
    ("line", "text", "hint"),
    [
        ("tumble chat 101 bob bob-secret", "Your message is empty.", "body of the mail"),
        ("tumble chat 101 dave dave-secret", "dave does not play on board 101", "tumble"),
        ("tumble subscribe 101 bob bob-secret", "You play on board 101", "nothing to do"),
        ("tumble subscribe 999 dave dave-secret", "There is no board '999'.", "send: list"),
        ("tumble unsubscribe 101 bob bob-secret", "You have not subscribed to board 101.", "nothing to do"),
        ("threes subscribe 101 dave dave-secret", "Board 101 is a Tumbling Down board.", "Send: tumble subscribe 101"),
        ("tumble subscribe 102 dave dave-secret", "Board 102 is private.", "tumble showas"),
        ("tumble notify dave dave-secret 103", "Board 103 is over.", "tumble show 103"),
        ("tumble show 102", "Board 102 is private.", "tumble showas USERID PASSWORD 102"),
        ("tumble record 102", "Board 102 is private.", "tumble showas USERID PASSWORD 102"),
        ("tumble showas dave dave-secret 102", "Board 102 is private.", "tumble showas USERID PASSWORD 102"),
        ("tumble showas dave dave-secret everything", "is neither a board number nor one of", "tumble show USERID"),
        ("tumble show 101 alice", "Name boards or players, not both.", "tumble show 101#7"),
    ],
)
def test_errors_name_the_cause_and_the_way_out(three_boards: World, line: str, text: str, hint: str) -> None:
    before = three_boards.dump()
    error = only(three_boards.mail("dave", line))
    assert text in error.flat
    assert hint in error.flat
    assert diagram_of(three_boards, 102) not in error.text
    assert three_boards.dump() == before


def test_nobody_else_reads_a_private_board(world: World) -> None:
    world.board("alice", "bob", options="--private")
    world.signup("carol")
    world.letters()
    assert readers(world.mail("alice", "tumble chat 101 alice alice-secret", "Hi")) == {"alice", "bob"}
    assert "101" not in only(world.mail("carol", "tumble games")).text
    assert "There is no such board." in only(world.mail("carol", "tumble show alice all")).text
    assert "To move: alice" in only(world.mail("alice", "tumble showas alice alice-secret")).text
    assert "is attached" in only(world.mail("bob", "tumble record 101 --as=bob:bob-secret")).text
    refused = only(world.mail("carol", "tumble move 101 carol carol-secret h4-g5t"))
    assert "Board 101 is private." in refused.text
    assert "alice" not in refused.text


def test_chat_needs_somebody_who_reads(world: World) -> None:
    world.board("alice", game="threes")
    assert (
        "Nobody else gets letters about this board."
        in only(world.mail("alice", "threes chat 101 alice alice-secret", "Hm.")).text
    )


@pytest.mark.both
def test_show_takes_boards_plies_and_players(watched: World) -> None:
    watched.mail("alice", "tumble challenge alice carol")
    watched.mail("alice", "tumble move 101 alice alice-secret a1-a2")
    two = only(watched.mail("dave", "tumble show 101#0 102")).flat
    assert "Tumble Board 101, after ply 0 (rated, reminder after 7 days, time limit 21 days)" in two
    assert "Tumble Board 102" in two
    mine = only(watched.mail("dave", "tumble show alice next"))
    assert mine.subject == "Tumble Board 102"
    assert only(watched.mail("dave", "tumble show bob carol all")).text.count("To move:") == 2
    assert "There is no such board." in only(watched.mail("dave", "tumble show bob inactive")).text


@pytest.mark.slow
def test_show_says_how_many_it_leaves_out(world: World) -> None:
    world.board("alice", "bob")
    for n in range(11):
        world.signup(f"bob{n}")
        world.mail("alice", f"tumble challenge alice bob{n}")
    assert "(2 more are not shown here" in only(world.mail("alice", "tumble show alice")).text


def stop_address(letter: Received) -> str:
    """The address in the header List-Unsubscribe."""
    found = re.fullmatch(r"<mailto:(.+)\?subject=unsubscribe>", str(letter.message["List-Unsubscribe"]))
    assert found, letter.message["List-Unsubscribe"]
    return found[1]


def test_letters_about_own_moves_can_be_stopped_with_an_empty_mail(watched: World) -> None:
    letters = watched.mail("alice", "tumble move 101 alice alice-secret a1-a2")
    assert to(letters, "bob").message["List-Unsubscribe"] is None  # you cannot stop the letters about your own turn
    address = stop_address(to(letters, "alice"))
    for _ in range(2):
        answer = only(watched.mail("alice", "", "", to=address))
        assert answer.to == "alice@example.org"
        assert "You get no more letters about your own moves that were played." in answer.flat
        assert "set alice PASSWORD own=on" in answer.flat
    watched.mail("bob", "tumble move 101 bob bob-secret f5-f6")
    assert "alice" not in readers(watched.mail("alice", "tumble move 101 alice alice-secret c1-c2"))


def test_broadcasts_can_be_stopped_with_an_empty_mail(world: World) -> None:
    world.signup("alice", "bob", "carol")
    for userid in ("bob", "carol"):
        world.mail(userid, f"set {userid} {userid}-secret broadcasts=on")
    letters = world.mail("alice", "broadcast alice alice-secret", "Who plays?")
    assert "You get no more broadcasts." in only(world.mail("bob", "", "", to=stop_address(to(letters, "bob")))).flat
    world.now += timedelta(days=1)
    assert readers(world.mail("alice", "broadcast alice alice-secret", "Nobody?")) == {"alice", "carol"}


@pytest.mark.parametrize("late", [False, True])
def test_invitations_can_be_stopped_with_an_empty_mail(world: World, late: bool) -> None:
    world.signup("alice")
    invitation = to(world.mail("alice", "tumble challenge alice dora@example.org"), "dora")
    if late:
        world.reply(invitation, "decline")
    answer = world.mail("dora", "", "", to=stop_address(invitation))
    assert "No more invitations will be sent to your address." in to(answer, "dora").flat
    world.now += timedelta(days=30)
    again = only(world.mail("alice", "tumble challenge alice dora@example.org"))
    assert "The owner of that address does not want invitations." in again.flat


@pytest.mark.slow
def test_each_kind_of_letter_has_a_name_to_filter_by(watched: World) -> None:
    watched.mail("bob", "set bob bob-secret digest=daily broadcasts=on")
    moved = watched.mail("alice", "tumble move 101 alice alice-secret a1-a2")
    chat = watched.mail("alice", "tumble chat 101 alice alice-secret", "Hello!")
    copies, own = [to(letters, "carol") for letters in (moved, chat)], to(moved, "alice")
    assert {str(x.message["List-Id"]) for x in copies} == {"<tumble.pbmserv.games.example>"}
    assert {str(x.message["X-PBM-Kind"]) for x in (*copies, own)} == {"tumble.pbmserv.games.example"}
    assert own.message["List-Id"] is None  # Evolution would ask before each answer whether it is private
    said = to(watched.mail("alice", "broadcast alice alice-secret", "Who plays?"), "bob")
    assert said.message["List-Id"] == "<broadcasts.pbmserv.games.example>"
    watched.now += timedelta(days=1)
    Clock(watched.engine, watched.site, lambda: watched.now, gap=1e9).sweep()
    assert [x.message["List-Id"] for x in watched.letters()] == ["<digest.pbmserv.games.example>"]
    assert only(watched.mail("alice", "help")).message["List-Id"] is None


def test_a_closed_account_has_nothing_to_stop(watched: World) -> None:
    address = stop_address(to(watched.mail("alice", "tumble move 101 alice alice-secret a1-a2"), "alice"))
    watched.mail("alice", "signoff alice alice-secret")
    watched.letters()
    watched.mail("alice", "", "", to=address)
    assert watched.query(lambda s: s.mails.newest(1))[0].status == "error"
