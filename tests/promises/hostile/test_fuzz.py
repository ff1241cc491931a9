"""Bytes of a stranger alone put nothing on the shelf: every mail is answered, refused or recorded."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbmserv.conformance.walks import SEED
from tests.examples import SOAK
from tests.promises.hostile.fuzz import Fuzz
from tests.promises.hostile.test_bytes import signed, take
from tests.world import ADDRESS, World

pytestmark = pytest.mark.sqlite


@pytest.fixture
def busy(tmp_path: Path) -> Iterator[World]:
    """A server with boards of all games, a seek, and an operator's address for mail to postmaster."""
    world = World(tmp_path)
    world.site = replace(world.site, policy=replace(world.site.policy, operator="op@example.org"))
    world.use(world.site.renderer)
    world.board("alice", "bob")
    world.board("alice", "alice")
    for game, *userids in (
        ("trippples", "alice", "bob"),
        ("town", "alice"),
        ("threes", "alice"),
        ("3io", "alice", "bob"),
    ):
        world.board(*userids, game=game)
    world.mail("alice", "tumble seek alice alice-secret")
    yield world
    world.close()


def throw(world: World, seed: int, count: int) -> None:
    """Hand in so many mails.

    Check that each letter they cause can be finished, and that all stored data are consistent.
    """
    for data, to, mail_from in Fuzz(seed).mails(count, signed(world)):
        take(world, data, to, mail_from)
        assert all(letter.data for letter in world.letters())
    world.verify()


@pytest.mark.slow
def test_odd_mails(busy: World) -> None:
    throw(busy, seed=1, count=60)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("more", range(SOAK))
def test_many_odd_mails(busy: World, more: int) -> None:
    throw(busy, seed=SOAK * SEED + more, count=300)


@pytest.mark.slow
@pytest.mark.parametrize("header", ["From", "To", "Sender", "Subject", "Message-ID", "References", "Content-Type"])
def test_a_header_of_a_thousand_signs(busy: World, header: str) -> None:
    """From with a thousand colons raises RecursionError in the package `email`. Such mails must not fill the disk."""
    author = "" if header == "From" else "From: alice@example.org\n"
    for piece in (":", "a:", "(", ")", "<", "a@b,", '"', "[", "\\", "a:a@b;", "=?utf-8?q?(?="):
        for to in (ADDRESS, signed(busy)[-1]):
            take(busy, f"{author}{header}: {piece * 1000}\n\nhelp {to}\n".encode(), to)
