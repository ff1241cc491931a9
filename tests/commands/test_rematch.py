"""`rematch`: once more with the same players and options. A board has one rematch, however many ask for it."""

from dataclasses import replace

import pytest

from tests.commands.answers import fail, only, run, to
from tests.conformance.toy_boards import Pebbles
from tests.games.toy import installed
from tests.letters.html import taps
from tests.world import Received, World


@pytest.fixture
def over(world: World) -> list[Received]:
    """The last letters of board 101, with the corner layout: alice has resigned."""
    world.signup("alice", "bob", "carol")
    world.mail("alice", "tumble challenge alice bob -c --forfeittime=30 --private")
    return world.mail("alice", "tumble resign 101 alice alice-secret")


def numbers(world: World) -> list[int]:
    return sorted(world.query(lambda s: s.board_lists.numbers()))


def seated(world: World, number: int) -> list[str]:
    return [p.userid for p in world.row(number).players]


def test_the_last_letter_offers_it(over: list[Received]) -> None:
    for letter in over:
        assert "answer this letter with the word rematch. Other answers (one word): help, show, stop" in letter.flat
        assert "with swapped seats and the same options" in letter.flat
    assert [[tap.text for tap in taps(to(over, userid).html)] for userid in ("alice", "bob")] == [
        ["rematch"],
        ["rematch", "substitute"],
    ]


def test_an_answer_begins_the_same_board_with_swapped_seats(world: World, over: list[Received]) -> None:
    letters = world.reply(to(over, "bob"), "rematch\n\nThat was quick!")
    assert [(x.to, x.first_line) for x in letters] == [
        ("bob@example.org", "Your move, bob."),
        ("alice@example.org", "It is bob's turn, alice."),
    ]
    assert "This board is the rematch of board 101." in to(letters, "alice").text
    assert "bob writes:\n    That was quick!" in to(letters, "alice").text
    old, new = world.row(101), world.row(102)
    assert seated(world, 102) == ["bob", "alice"]
    assert (new.settings, new.board.start.options) == (old.settings, old.board.start.options)
    assert new.board.start.seed != old.board.start.seed
    later = world.reply(to(letters, "alice"), "propose")
    assert not any("rematch" in x.text for x in later)
    world.verify()


def test_it_is_a_tap_and_a_command(world: World, over: list[Received]) -> None:
    (tap,) = taps(to(over, "alice").html)
    world.mail("alice", tap.subject, tap.body, to=tap.to)
    assert seated(world, 102) == ["bob", "alice"]
    world.mail("bob", "tumble resign 102 bob bob-secret")
    run(world, "bob", "rematch 102 bob bob-secret")
    assert seated(world, 103) == ["alice", "bob"]


@pytest.mark.parametrize("words", ["Rematch!", "play again", "Revanche", "noch einmal"])
def test_other_words_for_it(world: World, over: list[Received], words: str) -> None:
    world.reply(to(over, "alice"), words)
    assert numbers(world) == [101, 102]


def test_if_both_ask_only_one_board_begins(world: World, over: list[Received]) -> None:
    world.reply(to(over, "alice"), "rematch")
    (letter,) = world.reply(to(over, "bob"), "rematch")
    assert (letter.to, letter.subject) == ("bob@example.org", "Tumble Board 102 bob")
    assert "Board 102 is the rematch of board 101 already, so no other board begins." in letter.flat
    assert numbers(world) == [101, 102]
    world.reply(letter, letter.text.rpartition("PASSWORD ")[2].split()[0])
    assert world.row(102).board.ply == 1
    (again,) = run(world, "alice", "tumble rematch 101 alice alice-secret")
    assert again.to == "alice@example.org"
    assert numbers(world) == [101, 102]


def test_it_is_told_in_german(world: World, over: list[Received]) -> None:
    world.mail("bob", "set bob bob-secret language=de")
    assert "Diese Partie ist die Revanche zu Partie 101." in to(world.reply(to(over, "alice"), "rematch"), "bob").flat
    (letter,) = world.reply(to(over, "bob"), "rematch")
    assert "Partie 102 ist schon die Revanche zu Partie 101" in letter.flat


def test_only_its_players_can_ask_and_only_at_the_end(world: World, over: list[Received]) -> None:
    assert "carol" in fail(world, "carol", "tumble rematch 101 carol carol-secret").text
    world.reply(to(over, "alice"), "rematch")
    answer = fail(world, "alice", "tumble rematch 102 alice alice-secret")
    assert "Board 102 is not over yet." in answer.text


def test_a_letter_that_was_passed_on_begins_no_board(world: World, over: list[Received]) -> None:
    letters = world.reply(to(over, "alice"), "rematch", sender="carol")
    assert any("only from one of your own addresses" in x.flat for x in letters)
    assert numbers(world) == [101]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("tumble limit alice alice-secret 0", "alice does not accept challenges in Tumbling Down."),
        ("set alice alice-secret block=bob", "alice does not accept challenges in Tumbling Down."),
        ("signoff alice alice-secret", "The account alice is closed."),
    ],
)
def test_the_limits_of_a_challenge_hold(world: World, over: list[Received], line: str, says: str) -> None:
    world.mail("alice", line)
    (letter,) = world.reply(to(over, "bob"), "rematch")
    assert letter.text.startswith(says)
    assert numbers(world) == [101]


def test_it_counts_as_a_challenge(world: World, over: list[Received]) -> None:
    world.allow(challenges_a_day=1)
    (letter,) = world.reply(to(over, "alice"), "rematch")
    assert letter.first_line == "You can challenge 1 players a day."


def test_a_vacation_stops_the_time_of_the_new_board(world: World, over: list[Received]) -> None:
    world.mail("bob", "vacation bob bob-secret 10")
    world.reply(to(over, "alice"), "rematch")
    assert (world.row(102).clocks[0].since or 0) > world.now.timestamp() + 9 * 86_400


def test_three_move_up_and_a_team_stays_one(world: World) -> None:
    world.board("alice", "bob", "carol", game="3io")
    world.mail("alice", "3io propose 101 alice alice-secret")
    world.mail("bob", "3io accept 101 bob bob-secret")
    letters = world.mail("carol", "3io accept 101 carol carol-secret")
    assert "with other seats and the same options" in to(letters, "bob").flat
    world.reply(to(letters, "carol"), "rematch")
    assert seated(world, 102) == ["bob", "carol", "alice"]


def test_a_solitaire_begins_at_once(world: World) -> None:
    world.board("alice", game="threes")
    (last,) = world.mail("alice", "threes resign 101 alice alice-secret")
    assert "To play again with the same options, answer this letter" in last.flat
    letter = only(world.reply(last, "rematch"))
    assert (letter.subject, letter.first_line) == ("Threes Board 102 alice", "Your move, alice.")


def test_a_fork_begins_again_where_it_began(world: World) -> None:
    world.board("alice", "bob")
    world.mail("alice", "tumble move 101 alice alice-secret c1-c2")
    world.mail("bob", "tumble fork 101 bob alice")
    world.mail("bob", "tumble resign 102 bob bob-secret")
    run(world, "alice", "tumble rematch 102 alice alice-secret")
    old, new = world.row(102), world.row(103)
    assert new.board.position == old.board.start.origin == new.board.start.origin
    assert not new.settings.rated
    world.verify()


def test_a_line_of_a_digest_begins_one(world: World) -> None:
    world.signup("alice", "bob")
    world.mail("bob", "set bob bob-secret digest=daily")
    world.mail("alice", "tumble challenge alice bob")
    world.mail("alice", "tumble resign 101 alice alice-secret")
    bob = world.player("bob").id
    number = world.act(lambda s: s.readers.add_digest(bob, [(101, 1, 1)], world.now))
    address = world.site.signer.sign("d", number)
    world.mail("bob", "Re: Digest", "101: rematch", to=address)
    assert seated(world, 102) == ["bob", "alice"]


def test_words_that_are_not_understood_are_answered_with_this_one(world: World, over: list[Received]) -> None:
    (letter,) = world.reply(to(over, "bob"), "What can I do now")
    assert "You can answer with one of these words: rematch" in letter.flat


def test_a_declined_board_offers_none(world: World) -> None:
    world.board("alice", "bob")
    for letter in world.mail("bob", "tumble decline 101 bob bob-secret"):
        assert "rematch" not in letter.text
        assert taps(letter.html) == []


class NewerPebbles(Pebbles):
    """Pebbles under newer rules, by which a position that stands for the third time is a draw."""

    info = replace(Pebbles.info, rules=2, repetition=3)


def test_a_rematch_of_a_fork_keeps_the_rules_of_the_fork(world: World) -> None:
    with installed(Pebbles()):
        world.board("alice", "bob", game="pebbles")
        world.mail("alice", "pebbles move 101 alice alice-secret a1")
        world.mail("alice", "pebbles fork 101 alice bob")
        world.mail("alice", "pebbles resign 102 alice alice-secret")
    with installed(Pebbles(), NewerPebbles()):
        run(world, "alice", "pebbles rematch 102 alice alice-secret")
        assert world.row(103).game.info.rules == 1


def test_newer_rules_with_a_number_of_their_own_count_as_they_say(world: World) -> None:
    with installed(Pebbles()):
        world.board("alice", "bob", game="pebbles", options="--repetition=5")
        world.mail("alice", "pebbles resign 101 alice alice-secret")
    with installed(Pebbles(), NewerPebbles()):
        run(world, "alice", "pebbles rematch 101 alice alice-secret")
        start = world.row(102).board.start
        assert (start.game.info.rules, start.repetition, start.most_often) == (2, 0, 3)
        assert world.row(102).settings.repetition == 0
