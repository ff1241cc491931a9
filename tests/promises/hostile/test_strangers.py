"""Without an account, or with a forged From, you can make the server do almost nothing."""

from datetime import timedelta
from email import message_from_bytes, policy
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbmserv.commands import COMMANDS
from pbmserv.db import tables
from pbmserv.inbox.command import fill_example
from pbmserv.mail.envelope import ACCEPTED, Incoming
from tests.examples import some_of, spread
from tests.world import ADDRESS, World

LINES = [fill_example(c, None).replace("PASSWORD", "mallory-secret") for c in COMMANDS]
VICTIM = "victim@elsewhere.example"


class TestBackscatter:
    """Mails from an unconfirmed address to a public server."""

    @pytest.mark.slow
    def test_one_notice_a_day_whatever_is_sent_and_however_it_is_spelt(self, strict_world: World) -> None:
        letters = []
        for hour in range(24):
            for sender in (VICTIM, VICTIM.upper(), VICTIM.title()):
                letters += strict_world.mail(sender, LINES[hour % len(LINES)], "Buy cheap watches")
            strict_world.now += timedelta(minutes=55)
        # The notice, and one confirmation letter after a signup.
        assert len([x for x in letters if x.to.lower() == VICTIM]) <= 2

    def test_nothing_of_the_original_comes_back(self, strict_world: World) -> None:
        mail = message_from_bytes(
            b"From: Cheap Watches <victim@elsewhere.example>\nSubject: watches\n\nwatches", policy=policy.SMTP
        )
        mail.add_attachment(b"watches", maintype="application", subtype="octet-stream", filename="watches.exe")
        (notice,) = strict_world.bytes(mail.as_bytes())
        assert "watches" not in notice.data.decode().lower()
        assert [part.get_content_type() for part in notice.message.walk()] == [
            "multipart/alternative", "text/plain", "text/html"]  # fmt: skip
        assert notice.message["Auto-Submitted"] == "auto-replied"

    @pytest.mark.parametrize("line", spread(some_of(LINES, 4), 2))
    def test_no_command_writes_to_an_address_that_is_named_more_than_once_a_day(
        self, strict_world: World, line: str
    ) -> None:
        strict_world.signup("mallory")
        letters = []
        for n in range(3):
            letters += strict_world.mail("mallory@example.org", f"signup mallory mallory-secret {VICTIM}")
            letters += strict_world.mail(f"m{n}@example.org", f"signup mallory{n} mallory-secret {VICTIM}")
            letters += strict_world.mail("mallory@example.org", line.replace("alice", "mallory"))
        assert len([x for x in letters if x.to == VICTIM]) == 1

    @pytest.mark.parametrize("line", spread([*LINES, "nonsense", "multiple", ""], 4))
    def test_a_forged_from_makes_us_write_only_to_him_whose_name_it_is(self, strict_world: World, line: str) -> None:
        """At most one letter is sent, to the address in From, and none to others (promise 8)."""
        strict_world.signup("alice", "bob")
        letters = strict_world.mail("alice", line, "a comment for bob")
        new = "alice@example.org"
        assert {x.to for x in letters} <= {new}
        assert len(letters) <= 2


class TestEnumeration:
    """No reply shows whether an address has an account (promise 10)."""

    @pytest.mark.parametrize(
        "line", spread([f"forgot {VICTIM}", f"signup mallory mallory-secret {VICTIM}", *LINES, "nonsense", ""], 4)
    )
    def test_answers_are_the_same(self, tmp_path: Path, line: str) -> None:
        answers = []
        for known in (True, False):
            folder = tmp_path / str(known)
            folder.mkdir()
            world = World(folder, trust_from=False, confirm_addresses=True)
            world.once(_owned, VICTIM if known else "owner@example.org")
            for text in (line, f"{line} {VICTIM}"):
                letters = world.mail("mallory", text)
                answers.append([x.flat for x in letters if x.to == "mallory@example.org"])
            world.engine.dispose()
        assert answers[:2] == answers[2:]

    @pytest.mark.parametrize("sender", ["alice@example.org", "nobody@example.org", "", "no address"])
    def test_the_reply_at_the_end_of_a_message_is_the_same(self, strict_world: World, sender: str) -> None:
        strict_world.signup("alice")
        data = f"From: {sender}\r\nSubject: games\r\n\r\n".encode()
        prepared = strict_world.prepare(Incoming(data, sender, (ADDRESS,), "192.0.2.1"))
        assert strict_world.pipeline.handle([prepared]) == [ACCEPTED]

    @pytest.mark.parametrize("local", ["alice", "nobody", "pbmserv+alice", "pbmserv+b101.0.0.aaaaaaaaaaaaaaaa"])
    def test_no_recipient_is_accepted_but_our_own(self, strict_world: World, local: str) -> None:
        strict_world.signup("alice")
        assert not strict_world.site.signer.accepts(f"{local}@games.example")


class TestAnOldMail:
    """An answer to a letter has no effect if the letter was answered before, or if the board went on (promise 12)."""

    @pytest.mark.slow
    def test_answers_to_old_letters(self, world: World) -> None:
        world.board("alice", "bob")
        first = world.mail("alice", "tumble challenge alice bob")[0]
        number = 102
        old = world.mail("alice", f"tumble move {number} alice alice-secret c1-c2")[0]
        world.mail("bob", f"tumble move {number} bob bob-secret f6-f5")
        world.now += timedelta(days=400)
        length = world.row(number).board.length
        for letter in (first, old):
            for answer in ("c1-c2", "resign", "propose", "undo", "accept", "reject", "decline"):
                world.reply(letter, answer)
                assert world.row(number).board.length == length
        world.verify()

    def test_a_mail_that_comes_again_after_a_year(self, world: World) -> None:
        number = world.board("alice", "bob")
        head = "From: alice@example.org\r\nMessage-ID: <1@client.example>\r\n"
        data = f"{head}Subject: tumble propose {number} alice alice-secret\r\n\r\n".encode()
        assert world.bytes(data)
        before = world.dump()
        world.now += timedelta(days=399)
        assert world.bytes(data) == []
        assert world.dump() == before


def _owned(world: World, address: str) -> None:
    """Make two accounts, and give the second this address."""
    world.signup("mallory")
    _give(world, "owner", address)


def _give(world: World, userid: str, address: str) -> None:
    """Make an account with this confirmed address."""
    world.signup(userid)
    with world.engine.begin() as connection:
        mine = sa.update(tables.address).where(tables.address.c.address == f"{userid}@example.org")
        connection.execute(mine.values(address=address, folded=address))
