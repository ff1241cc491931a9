"""Accounts, boards, moves, lists and agreements, with the lines that players send."""

import re

import pytest

from pbmserv.games import GAMES
from tests.commands.answers import diagram_of, moves, only, ply, run, status
from tests.world import Received, World


@pytest.fixture
def tumble(world: World) -> World:
    """Board 101 with the corner layout, alice is to move. The passwords are those of the examples in the docs."""
    world.once(_begin)
    return world


def _begin(world: World) -> None:
    run(world, "alice", "signup alice secret1")
    run(world, "bob", "signup bob secret2")
    run(world, "alice", "tumble challenge alice bob -c")


def test_signup_opens_an_account(world: World) -> None:
    (letter,) = run(world, "alice", "signup alice secret1")
    assert letter.to == "alice@example.org"
    assert letter.first_line == "Welcome, alice. Your account is open."
    assert "secret1" not in letter.text


@pytest.mark.parametrize("verb", ["signup", "add", "signu"])
def test_signup_with_its_password_adds_an_address(world: World, verb: str) -> None:
    world.signup("alice")
    run(world, "alice", f"{verb} alice alice-secret alice@elsewhere.example")
    run(world, "alice", "tumble challenge alice alice")
    assert sorted({letter.to for letter in run(world, "alice", "tumble move 101 alice alice-secret b1-b2")}) == [
        "alice@elsewhere.example",
        "alice@example.org",
    ]


def test_the_same_signup_again_says_that_nothing_was_new(world: World) -> None:
    world.signup("alice")
    (letter,) = run(world, "alice", "signup alice alice-secret")
    assert "already has that address" in letter.text


def test_a_challenge_begins_a_board_and_tells_both(tumble: World) -> None:
    first, second = run(tumble, "bob", "tumble challenge bob alice --nagtime=2 -c --unrated")
    assert (first.to, first.subject) == ("bob@example.org", "Tumble Board 102 bob")
    assert (second.to, second.subject) == ("alice@example.org", "Tumble Board 102 alice")
    assert first.first_line == "Your move, bob."
    assert second.first_line == "It is bob's turn, alice."
    assert "(-c, unrated, reminder after 2 days, time limit 21 days)" in first.flat


def test_who_challenges_two_others_gets_an_answer_himself(tumble: World) -> None:
    run(tumble, "carol", "signup carol secret3")
    letters = run(tumble, "carol", "tumble challenge alice bob")
    assert [x.to for x in letters] == ["alice@example.org", "bob@example.org", "carol@example.org"]
    assert letters[2].text == "Board 102 has begun.\n"
    assert letters[2].subject == "Tumble Board 102"


@pytest.mark.parametrize(
    "line",
    [
        "tumble move 101 alice secret1 h4-g5t",
        "Tumble Board 101 alice secret1 H4G5T",
        "Re: Tumble Board 101 alice secret1 h4-g5t",
        "tumble  move   101 alice secret1 h4-g5t ",
        "tumble move ** 101 alice secret1 h4-g5t **",
        "tumble move 101 Alice secret1 h4\N{EN DASH}g5t",
        "TUMBLE MOVE 101 ALICE secret1 H4-G5T",
        "tumblingdown mov 101 alice secret1 h4g5t",
        "tumble move 101 alice secret1 h4-g5t#1",
    ],
)
def test_a_move_in_every_spelling(tumble: World, line: str) -> None:
    mine, his = run(tumble, "alice", line)
    assert moves(tumble) == ["h4-f6t"]
    assert mine.first_line == "It is bob's turn, alice."
    assert his.first_line == "Your move, bob."


def test_passwords_keep_their_capitals(tumble: World) -> None:
    tumble.mail("alice", "tumble move 101 alice SECRET1 h4-g5t")
    assert status(tumble) == "error"


def test_several_moves_are_played_one_after_the_other(world: World) -> None:
    number = world.board("alice", game="threes")
    (letter,) = run(world, "alice", f"threes move {number} alice alice-secret w a s#3 d")
    assert ply(world, number) == 4
    assert letter.first_line == "Your move, alice."


def test_moves_stop_when_the_turn_is_over(tumble: World) -> None:
    mine, his = run(tumble, "alice", "tumble move 101 alice secret1 h4-g5t h1-h5t h2-h3")
    assert "Played: h4-f6t. Your last 2 moves were not played. It is not your turn" in mine.flat
    assert "were not played" not in his.text
    assert ply(tumble) == 1


def test_a_solitaire_of_two_seats_is_played_by_one(world: World) -> None:
    number = world.board("alice", "alice")
    run(world, "alice", f"tumble move {number} alice alice-secret b1-b2 g8-g7")
    assert ply(world, number) == 2


def test_show_a_board_and_an_earlier_ply(tumble: World) -> None:
    before = diagram_of(tumble, 101)
    run(tumble, "alice", "tumble move 101 alice secret1 h4-g5t")
    (now,) = run(tumble, "carol", "tumble show 101")
    assert diagram_of(tumble, 101) in now.text
    assert "To move: bob, ply 2." in now.text
    (then,) = run(tumble, "carol", "tumble show 101#0")
    assert before in then.text
    assert "after ply 0" in then.flat
    (first,) = run(tumble, "carol", "tumble show 101#1")
    assert diagram_of(tumble, 101) in first.text
    (both,) = run(tumble, "carol", "tumble show 101#0 101#1")
    assert before in both.text
    assert diagram_of(tumble, 101) in both.text


def test_show_the_boards_of_players(tumble: World) -> None:
    assert "Tumble Board 101 (-c" in only(run(tumble, "bob", "tumble show alice")).text
    assert "Tumble Board 101 (-c" in only(run(tumble, "bob", "tumble show alice next")).text
    tumble.mail("bob", "tumble show bob next")
    assert status(tumble) == "error"


def test_showas_shows_hidden_things_and_the_own_display(tumble: World) -> None:
    assert diagram_of(tumble, 101) in only(run(tumble, "alice", "tumble showas alice secret1 101")).text
    assert diagram_of(tumble, 101) in only(run(tumble, "alice", "tumble showas alice secret1 next")).text


def test_a_display_setting_is_for_the_own_letters_only(tumble: World) -> None:
    told = only(run(tumble, "bob", "tumble set bob secret2")).text
    assert "boards is h." in told
    assert "boards is u." in only(run(tumble, "bob", "tumble set bob secret2 u")).text
    for line in ("h1-h2 a8-a7", "h2-h3 a7-a6"):
        mine, reply = line.split()
        run(tumble, "alice", f"tumble move 101 alice secret1 {mine}")
        run(tumble, "bob", f"tumble move 101 bob secret2 {reply}")
    run(tumble, "alice", "tumble move 101 alice secret1 e1-a5t")
    letters = run(tumble, "bob", "tumble move 101 bob secret2 a6-a5")
    row = tumble.row()
    view = row.game.view(row.board.position, None)
    shown = {x.to.partition("@")[0]: x.text for x in letters}
    h, u = (tumble.site.renderer.diagram(row.game, view, d) for d in ("h", "u"))
    assert h in shown["alice"]
    assert u in shown["bob"]
    assert u in only(run(tumble, "bob", "tumble showas bob secret2 101")).text
    assert h in only(run(tumble, "bob", "tumble show 101")).text


def test_tables_of_boards(tumble: World) -> None:
    for line in ("tumble games alice", "tumble games", "list", "list tumble", "tumble games alice bob next"):
        assert "   101  tumble         0  01 Mar 12:00  *alice, bob" in only(run(tumble, "carol", line)).text
    assert "There are none." in only(run(tumble, "carol", "list threes")).text
    assert "There are none." in only(run(tumble, "carol", "tumble games bob next")).text
    run(tumble, "alice", "tumble resign 101 alice secret1")
    assert "alice, bob, over" in only(run(tumble, "carol", "tumble games alice inactive")).text


@pytest.mark.parametrize("line", ["list tumble tumble", "tumble games alice bob alice", "tumble games alice alice"])
def test_who_is_named_twice_is_listed_once(tumble: World, line: str) -> None:
    (letter,) = run(tumble, "alice", line)
    assert letter.text.count("   101  tumble") == 1
    assert "alice and alice" not in letter.text


def test_the_games_are_listed(world: World) -> None:
    text = only(run(world, "alice", "games")).text
    assert all(re.search(rf"(?m)^  {g.info.key} +{g.info.name}[:,]", text) for g in GAMES)


@pytest.mark.parametrize(
    "line",
    [
        "tumble challenge -c alice bob --nagtime=3",
        "tumble challenge alice --nagtime=3 bob -c",
        "tumble challenge --nagtime=3 -c alice bob",
        "Tumble chall alice bob \N{EM DASH}nagtime=3 \N{MINUS SIGN}c",
    ],
)
def test_options_stand_anywhere_after_the_verb(tumble: World, line: str) -> None:
    first, _ = run(tumble, "alice", line)
    assert "(-c, rated, reminder after 3 days, time limit 21 days)" in first.text


def test_resigning_ends_a_board_for_two(tumble: World) -> None:
    mine, his = run(tumble, "alice", "tumble resign 101 alice secret1")
    assert mine.first_line == his.first_line == "Board 101 is over: bob wins (by resignation)."


def test_of_three_the_others_play_on(world: World) -> None:
    number = world.board("alice", "bob", "carol", game="3io")
    letters = run(world, "alice", f"3io resign {number} alice alice-secret")
    assert len(letters) == 3
    assert letters[1].first_line == "Your move, bob."


def test_an_invited_player_may_decline(tumble: World) -> None:
    _, his = run(tumble, "bob", "tumble decline 101 bob secret2")
    assert his.first_line == "Board 101 is over: no result (the board was declined)."


class TestAgreements:
    """`propose`, `undo`, `accept` and `reject`: as a command, in place of a move, and as a verb in a reply."""

    @pytest.fixture(params=["command", "move", "reply"])
    def way(self, request: pytest.FixtureRequest) -> str:
        return str(request.param)

    def say(self, world: World, way: str, verb: str, letter: Received, password: str) -> list[Received]:
        userid = letter.to.partition("@")[0]
        if way == "reply":
            return world.reply(letter, f"{verb.capitalize()}\n\na good game")
        words = f"{verb} 101 {userid} {password}" if way == "command" else f"move 101 {userid} {password} {verb}"
        return run(world, userid, f"tumble {words}", "a good game")

    def test_a_draw_is_offered_and_accepted(self, tumble: World, way: str) -> None:
        first = run(tumble, "alice", "tumble move 101 alice secret1 h4-g5t")
        offered = self.say(tumble, way, "propose", first[0], "secret1")
        assert offered[1].first_line == "bob, alice offers a draw: answer accept or reject."
        assert "Still to answer: bob." in offered[0].text
        assert "alice writes:\n    a good game" in offered[1].text
        over = self.say(tumble, way, "accept", offered[1], "secret2")
        assert over[0].first_line == "Board 101 is over: a draw (by agreement)."

    def test_a_draw_is_rejected(self, tumble: World, way: str) -> None:
        first = run(tumble, "alice", "tumble propose 101 alice secret1")
        self.say(tumble, way, "reject", first[1], "secret2")
        assert tumble.row().board.offer is None

    def test_a_move_is_taken_back(self, tumble: World, way: str) -> None:
        first = run(tumble, "alice", "tumble move 101 alice secret1 h4-g5t")
        asked = self.say(tumble, way, "undo", first[0], "secret1")
        assert asked[1].first_line.startswith("bob, alice asks to take back ")
        back = self.say(tumble, way, "accept", asked[1], "secret2")
        assert back[0].first_line == "Your move, alice."
        assert moves(tumble) == []
        tumble.verify()

    @pytest.mark.parametrize("way", ["move", "reply"])
    def test_any_move_withdraws_an_offer(self, tumble: World, way: str) -> None:
        offered = run(tumble, "bob", "tumble propose 101 bob secret2")
        self.say(tumble, way, "h4-g5t", offered[0], "secret1")
        assert tumble.row().board.offer is None
        assert ply(tumble) == 1
