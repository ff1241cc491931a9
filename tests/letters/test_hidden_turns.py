"""Who learns of moves that are hidden from them: those whose turn begins, or who are told something by it."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from pbmserv.games.base.board import Start, begin, play
from pbmserv.games.base.hidden import read_by
from pbmserv.letters.text.templates import Renderer
from tests.games.bids import Bids
from tests.games.toy import TEMPLATES, installed
from tests.world import World


@pytest.fixture
def bidding(world: World) -> Iterator[World]:
    """Players of Bids, which hides the moves of everybody."""
    with installed(Bids()):
        world.use(Renderer(str(TEMPLATES)))
        yield world


def bid(world: World, userid: str, move: int) -> set[str]:
    """Bid on board 101, and return who gets a letter about it."""
    letters = world.mail(userid, f"bids move 101 {userid} {userid}-secret {move}")
    return {letter.to.partition("@")[0] for letter in letters}


@pytest.mark.slow
def test_a_round_that_begins_is_told_to_all(bidding: World) -> None:
    bidding.board("alice", "bob", game="bids")
    assert bid(bidding, "alice", 3) == {"alice", "bob"}
    assert bidding.row().board.to_move == {1}
    assert bid(bidding, "bob", 4) == {"alice", "bob"}
    assert bidding.row().board.to_move == {0, 1}


@pytest.mark.slow
def test_nobody_is_told_that_others_have_moved_before(bidding: World) -> None:
    bidding.board("alice", "bob", "carol", game="bids")
    assert bid(bidding, "alice", 3) == {"alice"}  # the others are to move as before
    assert bid(bidding, "bob", 3) == {"bob", "carol"}  # now they all wait for carol; alice has moved, as before
    assert bid(bidding, "carol", 3) == {"alice", "bob", "carol"}


@pytest.mark.slow
def test_players_read_their_own_bids_and_what_is_revealed(bidding: World) -> None:
    """A round is one line of the table, in whatever order its moves come, also when the board is over."""
    bidding.board("alice", "bob", "carol", game="bids")
    for userid, move in (("carol", 3), ("alice", 4)):
        bid(bidding, userid, move)
    first = [["1", "4", "5", "3"]]
    assert rounds(bidding, "bob", 5) == first
    assert rounds(bidding, "carol", 6) == [*first, ["2", "6"]]
    assert rounds(bidding, "bob", 8) == [*first, ["2", "8", "bid"]]
    for userid, move in (("alice", 9), ("bob", 1), ("carol", 1)):
        bid(bidding, userid, move)
    assert rounds(bidding, "alice", 1) == [*first, ["2", "9", "8", "6"], ["3", "1", "1", "1"]]


def rounds(world: World, userid: str, move: int) -> list[list[str]]:
    """Bid on board 101, and return the lines of the table of moves in the player's own letter."""
    letters = world.mail(userid, f"bids move 101 {userid} {userid}-secret {move}")
    (letter,) = (letter for letter in letters if letter.to.startswith(userid))
    return [line.split() for line in letter.text.split("\n") if re.match(r" \d ", line)]


@pytest.mark.slow
def test_a_note_is_told(bidding: World) -> None:
    bidding.board("alice", "bob", "carol", game="bids")
    assert bid(bidding, "alice", 7) == {"alice", "bob"}


def test_the_written_form_of_a_hidden_move_is_hidden_too() -> None:
    change = play(begin(Start(Bids(), {}, 2, "0" * 32)), 0, "3")
    log = [replace(change.entry, written="three")]
    assert [read_by(change.board, log, {seat})[0].shown for seat in (0, 1)] == ["three", "bid"]
