"""Letters are delivered into Maildirs."""

import asyncio
import mailbox
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv.mail.envelope import Outgoing
from pbmserv.mail.smtp.delivery import RelayDown
from pbmserv.mail.smtp.maildir import folder_name
from pbmserv.mail.smtp.relay import open_relay
from tests.tools.aio import in_loop

DATA = b"Subject: Tumble Board 101 ann\r\n\r\nIt is your turn, ann: ply 3.\r\n"


def letter(number: int = 1, recipient: str = "Ann@Example.org", data: bytes = DATA) -> Outgoing:
    """A letter to `recipient`."""
    return Outgoing(number, "pbmserv+v1.abc@example.org", recipient, data)


@in_loop
async def test_a_letter_is_a_file_with_line_feeds(tmp_path: Path) -> None:
    relay = open_relay(f"maildir:{tmp_path}/var/letters")
    receipt = await relay.deliver(letter())
    path = tmp_path / "var/letters" / receipt
    assert path.parent == tmp_path / "var/letters/ann@example.org/new"
    assert path.read_bytes() == DATA.replace(b"\r\n", b"\n")
    box = mailbox.Maildir(path.parent.parent, create=False)
    assert [message["Subject"] for message in box] == ["Tumble Board 101 ann"]
    await relay.close()


@in_loop
async def test_a_second_delivery_makes_no_second_file(tmp_path: Path) -> None:
    """Also when the first delivery was read meanwhile, or stopped half-way."""
    relay = open_relay(f"maildir:{tmp_path}")
    first = await relay.deliver(letter())
    assert await relay.deliver(letter()) == first
    new = tmp_path / first
    new.rename(new.parent.parent / "cur" / f"{new.name}:2,S")
    await relay.deliver(letter())
    assert list(new.parent.iterdir()) == []
    (new.parent.parent / "tmp" / "0000000002.torn.pbmserv").write_bytes(b"half of")
    await relay.deliver(letter(2))
    assert len(list(new.parent.iterdir())) == 1


@in_loop
async def test_another_letter_with_the_same_number_is_another_file(tmp_path: Path) -> None:
    """This happens after the database was deleted and the letters were kept."""
    relay = open_relay(f"maildir:{tmp_path}")
    await relay.deliver(letter(1))
    await relay.deliver(letter(1, data=DATA + b"PS\r\n"))
    assert len(list((tmp_path / "ann@example.org/new").iterdir())) == 2


@in_loop
async def test_file_and_folders_are_on_disk_before_the_receipt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []

    def note(handle: int) -> None:
        synced.append(str(Path(os.readlink(f"/proc/self/fd/{handle}")).relative_to(tmp_path)))

    monkeypatch.setattr(os, "fsync", note)
    receipt = await open_relay(f"maildir:{tmp_path}/letters").deliver(letter())
    name = Path(receipt).name
    maildir = "letters/ann@example.org"
    assert synced == [".", "letters", maildir, maildir, maildir, f"{maildir}/tmp/{name}", f"{maildir}/new"]


@in_loop
async def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "letters").write_text("a file")
    with pytest.raises(RelayDown, match="cannot write below"):
        await open_relay(f"maildir:{tmp_path}/letters").deliver(letter())


@in_loop
async def test_many_at_one_time(tmp_path: Path) -> None:
    relay = open_relay(f"maildir:{tmp_path}")
    await asyncio.gather(*(relay.deliver(letter(n)) for n in range(20)))
    assert len(list((tmp_path / "ann@example.org/new").iterdir())) == 20


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("Ann@Example.org", "ann@example.org"),
        ("pbmserv+x@example.org", "pbmserv+x@example.org"),
        ("/etc/x@example.org", "%2Fetc%2Fx@example.org"),
        ("../x@example.org", "%2E.%2Fx@example.org"),
        (".", "%2E"),
        ("..", "%2E."),
        ("%2E", "%252e"),
        ("a b@example.org", "a%20b@example.org"),
        ("änn@example.org", "%C3%A4nn@example.org"),
        ("a\x00b@example.org", "a%00b@example.org"),
    ],
)
def test_the_name_of_a_folder(address: str, name: str) -> None:
    assert folder_name(address) == name


@given(st.text(min_size=1, max_size=100), st.text(min_size=1, max_size=100))
def test_a_folder_is_one_name_and_nobody_elses(address: str, other: str) -> None:
    name = folder_name(address)
    assert "/" not in name
    assert not name.startswith(".")
    assert len(os.fsencode(name)) <= 200
    if address.lower() != other.lower():
        assert name != folder_name(other)
