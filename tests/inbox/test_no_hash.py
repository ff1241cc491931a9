"""Hashes are computed before the transaction of a mail, because other mails wait while it runs."""

import pytest

from pbmserv.mail.envelope import ACCEPTED, Incoming
from tests.world import World


@pytest.mark.slow
def test_a_move_in_an_answer_needs_no_hash_in_its_transaction(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.board("alice", "bob")
    references = ""
    for who, verb in (("alice", "propose"), ("bob", "reject"), ("alice", "propose")):
        letters = world.mail(who, f"tumble {verb} 101 {who} {who}-secret")
        letter = next(x for x in letters if x.to == "bob@example.org")
        references += f" {letter.message['Message-ID']}"
    answer = (
        f"From: bob@example.org\r\nTo: {letter.reply_to}\r\nSubject: Re: {letter.subject}\r\n"
        f"Message-ID: <answer@client.example>\r\nReferences:{references}\r\n\r\nreject\r\n"
    )
    there = world.again()  # it has not seen these letters
    prepared = there.pipeline.prepare(Incoming(answer.encode(), "bob@example.org", (letter.reply_to,), world.peer))

    def refuse(*_: object) -> bytes:
        raise AssertionError("a hash is computed in the transaction")

    monkeypatch.setattr("pbmserv.mail.signed_addresses.hmac.digest", refuse)
    assert there.pipeline.handle([prepared]) == [ACCEPTED]
    monkeypatch.undo()
    assert world.row().board.length == 4
    assert [m.status for m in world.query(lambda s: s.mails.newest(1))] == ["done"]
