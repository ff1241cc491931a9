"""The line of a letter that links its reader's own page of the board."""

import re
from datetime import timedelta

import pytest
import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.letters.digest import write_digest
from pbmserv.letters.letters import Cause, Letters
from pbmserv.store import Store
from tests.letters.html import says_the_same
from tests.tools.signatures import signed_words
from tests.world import Received, World

HOME = "https://pbm.example.org"
LINK = re.compile(rf"^{re.escape(HOME)}/my/(p101\.[01]\.\d+\.[a-z2-7]{{16}})$", re.MULTILINE)


@pytest.fixture
def linking(world: World) -> World:
    """A server with web pages, where alice is to move against bob on board 101."""
    world.allow(web_url=HOME)
    world.board("alice", "bob", options="-c")
    return world


def link(letter: Received) -> str:
    """Return the link that a letter has."""
    (found,) = LINK.finditer(letter.text)
    return found[0]


def test_each_player_has_a_link_of_their_own(linking: World) -> None:
    letters = linking.mail("alice", "tumble move 101 alice alice-secret h4-g5t")
    mine, theirs = (link(x) for x in letters)
    row = linking.row()
    assert {mine, theirs} == {linking.site.page(101, seat, row.players[seat]) for seat in (0, 1)}


def test_it_is_a_link_in_html_with_the_same_words(linking: World) -> None:
    letter = linking.mail("alice", "tumble move 101 alice alice-secret h4-g5t")[-1]
    assert f'href="{link(letter)}">{link(letter)}</a>' in letter.html
    assert says_the_same(letter.html, letter.text)


def test_subscribers_and_sites_without_pages_have_none(linking: World) -> None:
    linking.signup("carol")
    linking.mail("carol", "tumble subscribe 101 carol carol-secret")
    letters = linking.mail("alice", "tumble move 101 alice alice-secret h4-g5t")
    assert [bool(LINK.search(x.text)) for x in letters if x.to == "carol@example.org"] == [False]
    linking.allow(web_url="")
    assert not any("/my/" in x.text for x in linking.mail("bob", "tumble move 101 bob bob-secret a5-b4t"))


def test_the_line_is_in_the_language_of_the_reader(linking: World) -> None:
    linking.mail("bob", "set bob bob-secret language=de")
    letter = linking.mail("alice", "tumble move 101 alice alice-secret h4-g5t")[-1]
    assert "Wer ihren Link hat, kann für dich ziehen:" in letter.text


def test_a_digest_has_a_link_for_each_board_and_waits_without_its_signature(linking: World) -> None:
    linking.mail("bob", "set bob bob-secret digest=daily")
    linking.mail("alice", "tumble move 101 alice alice-secret h4-g5t")
    linking.now += timedelta(days=1)

    bob = linking.player("bob")

    def write(store: Store) -> None:
        letters = Letters(linking.site, store, Cause(None), linking.now)
        assert write_digest(letters, bob)
        store.letters.queue(letters.rows)

    linking.act(write)
    with linking.engine.connect() as connection:
        stored = b"\n".join(connection.scalars(sa.select(tables.outbox.c.data)))
    assert b"/my/p101.1." in stored
    assert signed_words(stored, linking.site.signer) == []
    (digest,) = (x for x in linking.letters() if x.subject == "Digest")
    assert link(digest) == linking.site.page(101, 1, bob)


def test_a_link_in_the_words_of_a_player_reaches_nobody(linking: World) -> None:
    mine = linking.site.page(101, 0, linking.player("alice"))
    words_of_mine = mine.rpartition("/")[2]
    letters = linking.mail("alice", "tumble move 101 alice alice-secret h4-g5t", f"Look: {mine} or {mine.upper()}!")
    theirs = letters[-1]
    assert "Look:" in theirs.text
    assert words_of_mine not in theirs.text.lower()
    letters = linking.mail("alice", "tumble chat 101 alice alice-secret", f"It is {words_of_mine}.")
    assert not any(words_of_mine in letter.text for letter in letters if letter.to == "bob@example.org")
