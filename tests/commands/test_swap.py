"""`swap` by mail: the second player takes over the first move, and players, times, ratings and records stay right."""

import pytest

from pbmserv.boards.records import replayed
from tests.boards.test_records import record
from tests.commands.answers import fail, run, to
from tests.letters.html import taps
from tests.web.browser import browse
from tests.web.touching import HOME, own_page
from tests.world import World


@pytest.fixture
def hex_board(world: World) -> World:
    """A server where alice has begun a board of Hex against bob with d2."""
    world.allow(web_url=HOME)
    world.signup("alice", "bob")
    run(world, "alice", "hex challenge alice bob")
    run(world, "alice", "hex move 101 alice alice-secret d2")
    return world


@pytest.mark.slow
def test_a_whole_game_with_swap(hex_board: World) -> None:
    letters = run(hex_board, "bob", "hex move 101 bob bob-secret swap")
    assert "The stone on d2 is now a blue one on b4." in to(letters, "alice").flat
    row = hex_board.row()
    assert [player.userid for player in row.players] == ["alice", "bob"]
    assert row.board.to_move == {0}
    for ply in range(11):
        for userid, column in (("alice", "f"), ("bob", "g")):
            if not hex_board.row().board.result:
                letters = run(hex_board, userid, f"hex move 101 {userid} {userid}-secret {column}{ply + 1}")
    assert "alice wins (a chain from edge to edge)" in to(letters, "bob").flat
    hex_board.verify()
    assert [entry["text"] for entry in record(hex_board)["log"]][:2] == ["d2", "swap"]


def test_undo_brings_the_choice_back(hex_board: World) -> None:
    run(hex_board, "bob", "hex move 101 bob bob-secret swap")
    run(hex_board, "bob", "hex undo 101 bob bob-secret")
    run(hex_board, "alice", "hex accept 101 alice alice-secret")
    assert hex_board.row().board.to_move == {1}
    run(hex_board, "bob", "hex move 101 bob bob-secret f6")
    assert "only for the second player" in fail(hex_board, "alice", "hex move 101 alice alice-secret swap").flat
    hex_board.verify()


@pytest.mark.both
def test_it_is_queued_like_other_moves(world: World) -> None:
    world.signup("alice", "bob")
    run(world, "alice", "hex challenge alice bob")
    run(world, "bob", "hex queue 101 bob bob-secret a2:swap")
    run(world, "alice", "hex move 101 alice alice-secret a2")
    assert world.row().board.ply == 2


def test_the_own_page_has_a_button(hex_board: World) -> None:
    letter = to(run(hex_board, "alice", "hex show 101"), "alice")
    assert "Instead of moving, the second player can take over this move with: swap" in letter.flat
    with browse(hex_board) as pages:
        assert "body=swap%0D%0A" in pages.get(own_page(hex_board, 101, "bob")).text


def test_the_first_letter_about_it_has_a_button(world: World) -> None:
    world.signup("alice", "bob")
    run(world, "alice", "hex challenge alice bob")
    letter = to(run(world, "alice", "hex move 101 alice alice-secret d2"), "bob")
    assert "swap\r\n\r\n" in [tap.body for tap in taps(letter.html)]
    world.reply(letter, "swap")
    assert world.row().board.ply == 2


@pytest.mark.slow
def test_in_german(world: World) -> None:
    world.signup("alice", "bob")
    run(world, "bob", "set bob bob-secret language=de")
    run(world, "alice", "hex challenge alice bob")
    letter = to(run(world, "alice", "hex move 101 alice alice-secret d2"), "bob")
    assert "Statt zu ziehen, kann der zweite Spieler diesen Zug übernehmen mit: swap" in letter.flat
    answers = world.reply(letter, "swap")
    assert "Der Stein von d2 liegt jetzt als blauer auf b4." in to(answers, "bob").flat
    run(world, "bob", "hex challenge bob alice")
    assert "nicht mit der Option -noswap" in fail(world, "bob", "hex move 102 bob bob-secret swap").flat


def test_without_swap(world: World) -> None:
    world.signup("alice", "bob")
    letters = run(world, "alice", "hex challenge alice bob -noswap")
    assert "-noswap" in to(letters, "bob").flat
    letter = to(run(world, "alice", "hex move 101 alice alice-secret d2"), "bob")
    assert "swap\r\n" not in [tap.body for tap in taps(letter.html)]
    assert "not with the option -noswap" in fail(world, "bob", "hex move 101 bob bob-secret swap").flat


def test_help_explains_it(world: World) -> None:
    (letter,) = run(world, "carol@example.org", "help options")
    assert letter.text.count("-noswap") == 2
    (letter,) = run(world, "carol@example.org", "havannah help")
    assert "SWAP: YOU CUT, I CHOOSE" in letter.text


def test_a_record_gives_the_same_board(hex_board: World) -> None:
    run(hex_board, "bob", "hex move 101 bob bob-secret swap")
    assert replayed(record(hex_board)).position == hex_board.row().board.position
