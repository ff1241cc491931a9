"""The role `mailbox` on a Maildir: what another program puts into new/ takes effect once and is moved then."""

import os
from pathlib import Path

import pytest

from pbmserv.cli.checking import connection_checks
from pbmserv.config import Config
from pbmserv.mail.imap.account import FetchPace, MailboxSettings, read_account
from tests.inbox.mails import message
from tests.server.test_fetcher import _fetching
from tests.tools.aio import in_loop, until
from tests.world import World

_PACE = FetchPace(soonest=0.05, latest=0.05, batch=2)


@pytest.fixture
def box(tmp_path: Path) -> Path:
    for part in ("tmp", "new", "cur"):
        (tmp_path / "box" / part).mkdir(parents=True)
    return tmp_path / "box"


def _settings(box: Path) -> MailboxSettings:
    return MailboxSettings(read_account(f"maildir:{box}"), "", _PACE)


def _deliver(box: Path, name: str, mail: bytes) -> None:
    (box / "tmp" / name).write_bytes(mail)
    (box / "tmp" / name).rename(box / "new" / name)


def _names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


@pytest.mark.both
@in_loop
@pytest.mark.slow
async def test_what_lies_in_new_is_played_and_moved(world: World, box: Path) -> None:
    """Also what came before the first contact, and only whole files: no folder, no link, nothing of tmp/."""
    world.signup("alice", "bob")
    first, second = (message("alice", "tumble challenge alice bob", number=n) for n in (1, 2))
    (box / "tmp" / "1.half").write_bytes(message("alice", "tumble challenge alice bob", number=3))
    for number in range(3):
        (box / "new" / f"0.folder{number}").mkdir()
    (box / "new" / "0.link").symlink_to(box / "tmp" / "1.half")
    (box / "new" / ".hidden").write_bytes(b"")
    _deliver(box, "2.mail", first.replace(b"\r\n", b"\n"))
    async with _fetching(world, settings := _settings(box)):
        await until(lambda: _names(box / "cur") == ["2.mail:2,S"])
        _deliver(box, "4.mail", second)
        _deliver(box, "3.mail", first)
        await until(lambda: len(_names(box / "cur")) == 3)
    assert world.query(lambda s: s.board_lists.numbers()) == [101, 102]
    assert _names(box / "tmp") == ["1.half"]
    assert _names(box / "new") == [".hidden", "0.folder0", "0.folder1", "0.folder2", "0.link"]
    assert world.query(lambda s: s.mailboxes.taken(settings.account.name, 1)) == set()


@pytest.mark.slow
@in_loop
async def test_a_mail_that_cannot_be_moved_counts_once_and_stops_no_other(world: World, box: Path) -> None:
    """Two names are so long that there is no room for the flags. They have no Message-ID, which would tell that they
    were read before."""
    world.signup("alice", "bob")
    for number in range(2):
        challenge = f"From: alice@example.org\nSubject: tumble challenge alice bob\n\n-- \n{number}\n"
        _deliver(box, f"{number}." + "x" * 253, challenge.encode())
    async with _fetching(world, _settings(box)):
        _deliver(box, "3.large", message("alice", "help", number=1) + b"x" * 78 * 4000)
        _deliver(box, "4.mail", message("alice", "help", number=2))
        await until(lambda: _names(box / "cur") == ["3.large:2,FS", "4.mail:2,S"])
    async with _fetching(world, _settings(box)):  # as after a crash
        _deliver(box, "5.mail", message("alice", "help", number=3))
        await until(lambda: "5.mail:2,S" in _names(box / "cur"))
    assert world.query(lambda s: s.board_lists.numbers()) == [101, 102]
    assert any("too large" in letter.flat for letter in world.letters())


@in_loop
async def test_mails_are_read_in_the_order_in_which_they_came(world: World, box: Path) -> None:
    """Postfix names the inode before the part of the second, other programs do not fill it up with zeros."""
    names = ("9.old", "100.Vfd01I9M5.host", "100.Vfd01I3M20.host", "101.mail")
    for number, name in enumerate(names):
        _deliver(box, name, message(f"sender-{number}", "who", number=number))
        os.utime(box / "new" / name, ns=(0, number if "100" in name else 0))
    async with _fetching(world, _settings(box)):
        await until(lambda: len(_names(box / "cur")) == len(names))
    senders = [row.sender for row in world.query(lambda s: s.mails.newest())]
    assert senders == [f"sender-{number}@example.org" for number in reversed(range(len(names)))]


@pytest.mark.slow
@in_loop
async def test_two_watchers_at_once(world: World, box: Path) -> None:
    """Two processes of one server. These mails have no Message-ID, by which they would be known."""
    world.signup("alice")
    world.letters()
    async with _fetching(world, _settings(box)), _fetching(world, _settings(box)):
        for number in range(12):
            _deliver(box, f"{number}.mail", f"From: alice@example.org\nSubject: who\n\n-- \n{number}\n".encode())
        await until(lambda: len(_names(box / "cur")) == 12)
    assert len(world.letters()) == 12


def test_doctor_says_how_many_mails_wait_or_what_is_missing(box: Path) -> None:
    _deliver(box, "1.mail", message("alice", "help"))
    finding, _ = connection_checks.mailbox(Config(mailbox=f"maildir:{box}"))
    assert finding.said == f"maildir:{box} has 1 mails, and tells of new mails at once"
    (box / "cur").rmdir()
    (finding,) = connection_checks.mailbox(Config(mailbox=f"maildir:{box}"))
    assert f"{box / 'cur'} is missing" in finding.said
