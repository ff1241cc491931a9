"""Letters that wait: their words are fixed; their links, signed addresses and HTML are made when they are sent."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from pathlib import Path
from types import SimpleNamespace

import pytest
import sqlalchemy as sa
from hypothesis import given

from pbmserv.db import tables
from pbmserv.games.base import Cell, Picture
from pbmserv.letters.pictures.packing import pack
from pbmserv.letters.site import Site
from pbmserv.letters.text.blocks import cut, indented, kind, linked
from pbmserv.letters.text.templates import Renderer
from pbmserv.letters.waiting.draft import Draft
from pbmserv.letters.waiting.finisher import Finisher, marks_of
from pbmserv.mail.outbound import Attachment, Letter, build
from pbmserv.mail.signed_addresses import Signer
from pbmserv.model.letters import Form
from pbmserv.server.outbox import StoredOutbox
from pbmserv.store import Store
from tests.mail.test_outbound import LETTERS, SERVICE
from tests.world import World

SIGNER = Signer(SERVICE, b"key")
DRAFT = Draft(
    Letter("ann@example.org", "Hi", "", "<m@x.example>", datetime(2026, 3, 1, tzinfo=UTC)),
    cut("It is your turn."),
    "en",
)


def finished(data: bytes, form: Form = Form.WORDS) -> bytes:
    """Return the message for what is stored of a letter. It needs no database, because it is no board letter."""
    engine = sa.create_engine("sqlite://")
    with engine.connect() as connection:
        made = Finisher(Site(SIGNER)).finish(Store(connection), [SimpleNamespace(id=1, form=form, data=data)])[1]
    assert isinstance(made, bytes)
    return made


def claimed(world: World) -> list[bytes]:
    return [letter.data for letter in StoredOutbox(world.engine, world.site, lambda: world.now).claim(50, 60)]


@pytest.mark.slow
@given(LETTERS)
def test_what_was_packed_is_what_goes_out(letter: Letter) -> None:
    blocks = cut(f"{letter.text}\n\n{indented(letter.text)}\n\nRules: {linked('https://a.example')} .")
    letter = replace(
        letter, text="", html="", pictures=(), attachments=(Attachment("board.json", b'{"a": "\xc3\xa4"}'),)
    )
    draft = Draft(letter, blocks, "de", False, ["undo", "resign"])
    assert Draft.unpack(draft.pack()) == draft


def test_a_letter_of_long_ago_goes_out_as_it_was_written() -> None:
    """Such a letter is a whole message. While it waits, its signatures are taken out like those of others."""
    ours = SIGNER.sign("b", 101, 0, 12)
    mark = f"{SIGNER.signed('m', 7)}@games.example"
    data = f"From: {SERVICE}\r\nMessage-ID: <{mark}>\r\nReply-To: {ours}\r\n\r\nmailto:{ours}\r\n".encode()
    bare = SIGNER.without_signatures(data)
    assert ours.encode() not in bare
    assert finished(bare, Form.MESSAGE) == finished(data, Form.MESSAGE) == data
    assert any(part in bare for part in marks_of(mark, SIGNER))


def test_a_letter_from_before_release_2_0_goes_out_as_it_would_be_written_now() -> None:
    """Its text has control characters in place of blocks."""
    board = f"\x01diagram\n\x04{pack(Picture(((Cell('a1', text='x'),),)))}\n+-+\n\x05\n+-+"
    said = "bob writes:\n\x02Hi!\n\x02\n\x02Bye."
    text = f"\x01fine\nRules: \x03https://games.example/a\x03 .\n\n{board}\n\n{said}"
    now = replace(DRAFT, blocks=cut(text)).pack()
    fields = json.loads(now)
    del fields["letter"]["blocks"]
    fields["letter"]["text"] = text
    assert finished(json.dumps(fields).encode()) == finished(now)
    assert not re.search(r"\\u000[1-5]|[\x01-\x05]", now.decode())
    assert not re.search(rb"[\x01-\x05]|=0[1-5]", finished(now))


def test_a_letter_need_not_have_a_subject() -> None:
    draft = replace(DRAFT, letter=replace(DRAFT.letter, subject=""))
    assert Draft.unpack(draft.pack()).letter == draft.letter
    assert b"\r\nSubject:\r\n" in finished(draft.pack())


def test_answers_become_links() -> None:
    draft = replace(DRAFT, letter=replace(DRAFT.letter, reply_to="p+b1@x.example"), blocks=cut(f"{kind('how')}\nMove."))
    packed = replace(draft, answers=["undo", "resign"]).pack()
    html = finished(packed).decode()
    assert 'class="verb"' in html
    assert "mailto:p%2Bb1@x.example?subject=Re:%20Hi&body=undo%0D%0A" in html
    older = packed.replace(b'["undo", "resign"]', b'[["undo", false], ["resign", false]]')
    assert older != packed, "release 1.0 stored more of each word"
    assert finished(older).decode() == html


def test_a_letter_of_release_1_0_about_too_many_answers_goes_out() -> None:
    packed = DRAFT.pack()
    older = packed.replace(b'"answers": []', b'"answers": 200')
    assert older != packed, "release 1.0 took the number in this letter for its words"
    assert finished(older) == finished(packed)


@pytest.mark.slow
def test_the_words_go_out_even_if_the_html_cannot_be_made(world: World, tmp_path: Path) -> None:
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail/letter.html").write_text("{{ nothing.here }}")
    world.use(Renderer(str(tmp_path)))
    world.mail("ann", "help")
    (data,) = claimed(world)
    message = message_from_bytes(data, policy=policy.default)
    assert message.get_content_type() == "text/plain"
    assert "signup" in message.get_content()


def test_one_that_cannot_be_made_waits_and_keeps_no_other(world: World) -> None:
    world.mail("ann", "help")
    world.mail("bob", "help")
    with world.engine.begin() as connection:
        connection.execute(sa.update(tables.outbox).where(tables.outbox.c.id == 1).values(data=b"{}"))
    assert len(claimed(world)) == 1
    waiting = world.query(lambda s: s.letters.by_ids([1]))
    assert [(x.status, x.attempts, x.receipt) for x in waiting] == [("queued", 0, "it cannot be written: KeyError")]
    assert world.query(lambda s: s.letters.unmade()) == [1]


def test_what_an_older_release_wrote_goes_out_as_it_is(world: World) -> None:
    old = build(replace(DRAFT.letter, text="It is your turn.\n", html="<p>It is your turn.</p>"), SERVICE)
    world.mail("ann", "help")
    with world.engine.begin() as connection:
        connection.execute(sa.update(tables.outbox).values(form=Form.MESSAGE, data=old))
    assert claimed(world) == [old]


@pytest.mark.parametrize("subject", ["a\r\nBcc: x@example.org", "a\nb"])
def test_no_header_is_smuggled_in(subject: str) -> None:
    with pytest.raises(ValueError, match="line"):
        replace(DRAFT, letter=replace(DRAFT.letter, subject=subject)).pack()
