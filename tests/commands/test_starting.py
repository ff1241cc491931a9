"""Errors when a board is to begin, and boards on which one player has two seats."""

import pytest

from pbmserv import games
from pbmserv.boards import entries
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Start
from pbmserv.model import Settings
from tests.commands.answers import only
from tests.world import World


def test_a_failed_challenge_lists_everything(world: World) -> None:
    world.board("alice", "carol")
    world.signup("bob", "erin")
    world.mail("bob", "trippples limit bob bob-secret 0")
    with world.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE player SET password_hash = NULL, closed = created WHERE userid = 'erin'")
    text = only(world.mail("alice", "trippples challenge alice bob nobody erin caro")).flat
    assert "Trippples is for 2 players, not for 5." in text
    assert "bob does not accept challenges in Trippples. Challenge somebody else" in text
    assert "Userid number 3 in your line belongs to nobody. To invite a friend" in text
    assert "The account erin is closed. Name somebody else." in text
    assert "There is no player 'caro'. Did you mean: carol" in text


def test_one_person_twice_is_unrated_and_for_two_seats_only(world: World) -> None:
    world.signup("alice", "bob")
    letter = only(world.mail("alice", "tumble challenge alice alice"))
    assert "unrated" in letter.text
    error = only(world.mail("alice", "3io challenge alice bob alice")).text
    assert "One player cannot have two seats on this board." in error


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("challenge bob nobody --as=bob:bob-secret", "There is no player 'nobody'. To invite a friend"),
        ("challenge nobody bob", "Userid number 1 in your line belongs to nobody."),
        ("challenge bob nobody", "Userid number 2 in your line belongs to nobody."),
        ("challenge bob nobody --as=bob:bob-sacred", "The password is not that of bob."),
        ("challenge bob bob-secret --as=bob:bob-secret", "Userid number 2 in your line belongs to nobody."),
        ("challenge bob bob-secert --as=bob:bob-secret", "Userid number 2 in your line belongs to nobody."),
    ],
)
def test_an_unknown_opponent_is_named_if_the_word_is_no_password(world: World, line: str, says: str) -> None:
    world.signup("bob", "carol")
    answer = only(world.mail("bob", f"tumble {line}"))
    assert says in answer.flat
    assert "bob-sec" not in answer.text
    assert ("nobody'" in answer.text) is ("'nobody'" in says)
    world.mail("bob", "set bob bob-secret language=de")
    german = only(world.mail("bob", f"tumble {line}")).flat
    if "number" in says:
        assert "in deiner Zeile gehört niemandem." in german


def test_a_new_board_of_3io_has_one_mail_a_turn_and_says_so(world: World) -> None:
    world.signup("alice", "bob")
    first = world.mail("alice", "3io challenge alice bob")[0]
    assert "3io board 101 (-quick, rated" in first.flat
    assert world.row(101).board.start.options == {"quick": ""}
    world.mail("alice", "3io move 101 alice alice-secret 1c3")
    assert world.row(101).board.to_move == {1}
    world.mail("alice", "3io challenge alice bob -twostep")
    assert world.row(102).board.start.options == {"twostep": ""}
    world.mail("alice", "3io move 102 alice alice-secret draw")
    assert world.row(102).board.to_move == {0}
    error = only(world.mail("alice", "3io challenge alice bob -twostep -quick"))
    assert "-quick and -twostep do not go together." in error.flat
    seek = only(world.mail("alice", "3io seek alice alice-secret"))
    assert seek.subject == "3io seek 1"
    assert "3io -quick: alice" in only(world.mail("alice", "list")).flat
    assert "draw" not in only(world.mail("alice", "3io preview new")).text.split("Box:")[-1]


def test_a_fork_keeps_the_options_of_the_old_board(world: World) -> None:
    world.signup("alice", "bob")
    players = [world.player(userid) for userid in ("alice", "bob")]
    world.act(lambda s: entries.begin(s, old_board(), players, Settings(), world.now))
    world.mail("alice", "3io resign 101 alice alice-secret")
    world.mail("alice", "3io fork 101#0 alice bob")
    assert world.row(102).board.start.options == {}


def old_board() -> Board:
    """A board that began when -quick was not yet the default."""
    return play.begin(Start(games.find("3io"), {}, 2, "0" * 32))


@pytest.mark.parametrize(
    ("option", "first", "condition"), [("", "forbidden", False), ("--engines=allowed", "allowed", True)]
)
def test_a_board_says_whether_engines_are_allowed(world: World, option: str, first: str, condition: bool) -> None:
    world.signup("alice", "bob")
    letters = world.mail("alice", f"chess challenge alice bob {option}")
    assert all(f"Engines are {first}" in letter.flat for letter in letters)
    assert ("engines allowed" in letters[0].flat) == condition
    (invitation,) = [x for x in world.mail("alice", f"chess challenge alice eve@example.net {option}") if "eve" in x.to]
    assert f"Engines are {first}" in invitation.flat
    assert "'--engines' is written like this" in only(world.mail("alice", "chess challenge alice bob --engines=x")).flat
