"""Letters as they wait in the outbox: headers and words. HTML and MIME are put around them when they go out.

So the transaction of a move writes a third of the bytes, and a third of the work is left to the sender, which is a
process of its own on a busy server (docs/adr/0020). What a letter says is decided when it is written, and only its form
is made when it is sent. The same draft always gets the same form: a letter that is sent twice is the same twice.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import structlog

from pbmserv.letters.text.blocks import cut, plain
from pbmserv.letters.text.templates import Link, Renderer
from pbmserv.mail.outbound import Letter, build, check, mailtos

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Draft:
    """A letter that waits: its text still has the marks of its blocks, and it has no HTML yet."""

    letter: Letter
    language: str
    rich: bool = True  #: its reader wants HTML, too
    answers: Sequence[tuple[str, bool]] = ()  #: what he can answer with a click, and whether that is a move

    def pack(self) -> bytes:
        """The letter for the outbox. Raises ValueError if it could not be finished, as `outbound.build` does."""
        letter = self.letter
        check(letter)
        fields = {name: value for name, value in vars(letter).items() if value or name in ("subject", "text")}
        fields["date"] = letter.date.isoformat()
        if letter.attachments:
            fields["attachments"] = [(name, content.decode()) for name, content in letter.attachments]
        packed = {"letter": fields, "language": self.language, "rich": self.rich, "answers": self.answers}
        return json.dumps(packed, ensure_ascii=False).encode()

    @classmethod
    def unpack(cls, packed: bytes) -> "Draft":
        """What `pack` made bytes of."""
        found = json.loads(packed)
        return cls(_letter(found["letter"]), found["language"], found["rich"], found["answers"])


def finished(data: bytes, renderer: Renderer, service: str) -> bytes:
    """The message, with CRLF line ends, that goes out for a row of the outbox; `service` is our own address.

    Before release 1.0 letters were finished when they were written; such a row goes out as it is.
    """
    if not data.startswith(b"{"):
        return data
    draft = Draft.unpack(data)
    letter = draft.letter
    text, html = _dressed(draft, renderer.to(draft.language))
    return build(replace(letter, text=text, html=html), service)


def signs_of(message_id: str) -> tuple[bytes, bytes]:
    """Two marks: one of them stands in the outbox with the letter of this Message-ID, and with no other letter.

    The first mark is in letters that wait as words; nobody can write it there, for quotes within the words are escaped.
    The second is in letters from before release 1.0. The angle brackets of the Message-ID may be left out.
    """
    value = f"<{message_id.strip('<> ')}>"
    return f'"message_id": {json.dumps(value)}'.encode(), f"\r\nMessage-ID: {value}\r\n".encode()


def _dressed(draft: Draft, renderer: Renderer) -> tuple[str, str]:
    """Text and HTML. A letter whose HTML cannot be made goes out without it, because its words are what counts."""
    letter, found = draft.letter, cut(draft.letter.text)
    text = plain(found)
    if not draft.rich:
        return text, ""
    try:
        return text, renderer.html(found, *_links(draft))
    except Exception as bug:
        log.exception("letter_without_html", message_id=letter.message_id, bug=type(bug).__name__)
        return text, ""


def _links(draft: Draft) -> tuple[list[Link], list[Link]]:
    """Moves, and verbs, each with the URI that opens a mail with it."""
    texts = [text for text, _ in draft.answers]
    uris = mailtos(draft.letter.reply_to, f"Re: {draft.letter.subject}", texts)
    links = [(is_move, (text, uri)) for (text, is_move), uri in zip(draft.answers, uris, strict=True)]
    return [link for is_move, link in links if is_move], [link for is_move, link in links if not is_move]


def _letter(fields: dict[str, Any]) -> Letter:
    """A letter from the fields that `pack` kept."""
    attachments = tuple((name, content.encode()) for name, content in fields.pop("attachments", ()))
    references = tuple(fields.pop("references", ()))
    date = datetime.fromisoformat(fields.pop("date"))
    return Letter(**fields, date=date, references=references, attachments=attachments)
