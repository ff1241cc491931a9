"""The players of the benchmarks get what real players get."""

from pathlib import Path

import pytest

from benchmarks import work
from benchmarks.servers import KEY
from pbmserv.commands import command_language
from pbmserv.db import engines, migrate
from pbmserv.inbox.pipeline import Pipeline
from pbmserv.letters.site import Site
from pbmserv.mail.envelope import Incoming
from pbmserv.mail.signed_addresses import Signer
from pbmserv.server.outbox import StoredOutbox


@pytest.mark.slow
def test_their_letters_have_pictures(tmp_path: Path) -> None:
    engine, signer = engines.connect(f"sqlite:///{tmp_path}/pbmserv.db"), Signer(work.ADDRESS, KEY.encode())
    migrate.upgrade(engine)
    (table,), site = work.tables(engine, 1, signer), Site(signer)
    pipeline = Pipeline(engine, site, command_language(), bytes)
    for mail in table.mails(engine, 2):
        pipeline.handle([pipeline.prepare(Incoming(mail.data, mail.sender, (mail.recipient,), "127.0.0.1"))])
    letters = StoredOutbox(engine, site).claim(10, 120, [])
    engine.dispose()
    assert [letter.recipient.partition("@")[0] for letter in letters] == ["ann0", "bob0"] * 2
    assert all(b"Content-Type: image/png" in letter.data for letter in letters)
