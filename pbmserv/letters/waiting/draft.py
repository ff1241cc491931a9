"""Letters that wait as words: headers and text. HTML and MIME are made when they are sent.

These are all letters but those about boards (board_draft.py). Their text is decided when they are written, and only
their format is made when they are sent (docs/adr/0020). The same draft always gets the same format, so a letter that is
sent twice has the same bytes.

Signatures are left out while letters wait: a copy of the database alone must not let anybody answer for a player.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import structlog

from pbmserv.letters.pictures.html import Answers, Html, letter_html
from pbmserv.letters.pictures.packing import pack
from pbmserv.letters.pictures.touch import NO_TOUCHES, Touches
from pbmserv.letters.site import LINE_TO_KEEP, Site
from pbmserv.letters.text.blocks import Block, Depicted, Line, Linked, Said, cut, plain
from pbmserv.letters.text.templates import Renderer
from pbmserv.mail.outbound import BYTES, JSON, Attachment, Letter, build, check, transfer_size
from pbmserv.mail.signed_addresses import Signer, words_of
from pbmserv.model.rows import Json

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Draft:
    """A waiting letter. It has blocks in place of its text and its HTML, which are made of them."""

    letter: Letter
    blocks: tuple[Block, ...]
    language: str
    rich: bool = True  #: the reader wants HTML, too
    answers: Sequence[str] = ()  #: words that answer it by a link
    touches: Touches = NO_TOUCHES
    page: str = ""  #: the URL of the reader's page of the board

    def pack(self) -> bytes:
        """Return the letter for the outbox. Raises ValueError if it could not be sent, as `outbound.build` does."""
        letter = self.letter
        check(letter)
        fields = {name: value for name, value in vars(letter).items() if value or name == "subject"}
        fields["date"] = letter.date.isoformat()
        if letter.attachments:
            fields["attachments"] = [(a.name, a.content.decode(_codec(a)), a.media_type) for a in letter.attachments]
        fields["blocks"] = [(b.kind, [_packed(x) for x in b.lines], _line_of(b.picture), b.alt) for b in self.blocks]
        packed = {"letter": fields, "language": self.language, "rich": self.rich, "answers": self.answers}
        if self.rich and self.touches.count:
            packed["touches"] = vars(self.touches)
        return json.dumps(packed, ensure_ascii=False).encode()

    @classmethod
    def unpack(cls, packed: bytes) -> "Draft":
        """Return the draft that `pack` turned into bytes."""
        fields = json.loads(packed)
        # In letters of release 1.0, each answer is a pair: the word, and whether it is a move. If there is no answer, a
        # number stands in place of the list.
        answers = fields["answers"] if isinstance(fields["answers"], list) else []
        words = [word if isinstance(word, str) else word[0] for word in answers]
        letter = fields["letter"]
        # In letters of releases before 2.0, the blocks are one text with marks.
        blocks = tuple(map(_block, letter.pop("blocks"))) if "blocks" in letter else cut(letter["text"])
        touches = Touches.of(fields["touches"]) if "touches" in fields else NO_TOUCHES
        return cls(_letter({**letter, "text": ""}), blocks, fields["language"], fields["rich"], words, touches)


def reached(draft: Draft, site: Site) -> Draft:
    """Return a letter as it is if our provider takes mail to signed addresses; else with their words in subjects.

    The words of the address for answers stand in its last line, too, for those who write another subject.
    """
    letter = draft.letter
    if site.policy.plus:
        return draft
    if letter.unsubscribe:
        letter = replace(letter, unsubscribe=site.address, unsubscribe_words=words_of(letter.unsubscribe))
    if not site.signer.read(letter.reply_to):
        return replace(draft, letter=letter)
    to, subject = site.reached_at(letter.reply_to, letter.subject)
    words = site.signer.for_reader(words_of(letter.reply_to), letter.recipient)
    line = f"{site.renderer.to(draft.language).say(LINE_TO_KEEP)}: [{words}]"
    letter = replace(letter, reply_to=to, subject=subject)
    return replace(draft, letter=letter, blocks=(*draft.blocks, Block("fine", (line,))))


def formed(draft: Draft, renderer: Renderer, signer: Signer) -> bytes:
    """Return the message, with CRLF line ends, that goes out for a draft."""
    text = plain_text(draft)
    html, pictures = html_of(draft, renderer, signer.address, transfer_size(text))
    return build(replace(draft.letter, text=text, html=html, pictures=pictures), signer.address)


def marks(message_id: str, signer: Signer) -> list[bytes]:
    """Return parts of the stored letter with this Message-ID, one for each form in which letters are stored.

    No other letter has any of them: the first is in letters that wait as text, where players cannot write it, because
    quotes in their text are escaped. The second is in letters from before release 1.0.
    """
    mark = f'"message_id": {json.dumps(message_id)}'.encode()
    header = f"\r\nMessage-ID: {message_id}\r\n".encode()
    return [signer.without_signatures(mark), signer.without_signatures(header)]


def plain_text(draft: Draft) -> str:
    """Return the text of a letter."""
    return plain(draft.blocks)


def html_of(draft: Draft, renderer: Renderer, service: str, beside: int) -> Html:
    """Return the HTML of a letter; "" if its reader wants none, or if it cannot be made: it is sent without it.

    `service`: our address, which gets the commands of a letter that has no address of its own for answers; `beside`:
    how many bytes its text has.
    """
    letter = draft.letter
    if not draft.rich:
        return Html("")
    try:
        to, subject = (letter.reply_to, f"Re: {letter.subject}") if letter.reply_to else (service, "")
        answers = Answers(to, subject, draft.answers, draft.touches, draft.page)
        return letter_html(renderer.to(draft.language), draft.blocks, answers, beside)
    except Exception as bug:
        log.exception("letter_without_html", message_id=letter.message_id, bug=type(bug).__name__)
        return Html("")


def _packed(line: Line) -> object:
    """Return a line for JSON: text as it is, a player's line and one with links by what they have."""
    return line if isinstance(line, str) else line._asdict()


def _line_of(drawn: Depicted | str) -> str:
    """Return a picture on one line; one that was read is on one line already."""
    return drawn if isinstance(drawn, str) else pack(drawn.picture)


def _block(packed: tuple[str, list[str | Json], str, str]) -> Block:
    kind, lines, *picture = packed
    return Block(kind, tuple(x if isinstance(x, str) else _line(x) for x in lines), *picture)


def _line(fields: Json) -> Line:
    return Linked(tuple(fields["parts"])) if "parts" in fields else Said(**fields)


def _letter(fields: Json) -> Letter:
    """Make a letter from the fields that `pack` stored."""
    attachments = tuple(_attachment(*packed) for packed in fields.pop("attachments", ()))
    references = tuple(fields.pop("references", ()))
    date = datetime.fromisoformat(fields.pop("date"))
    return Letter(**fields, date=date, references=references, attachments=attachments)


def _attachment(name: str, text: str, media_type: str = "") -> Attachment:
    """Unpack a file. Letters from before release 1.1 do not store its type: it is a record, or a mail."""
    file = Attachment(name, b"", media_type or (BYTES if name.endswith(".eml") else JSON))
    return file._replace(content=text.encode(_codec(file)))


def _codec(file: Attachment) -> str:
    """Return the encoding in which a file is stored as text."""
    return "latin-1" if file.media_type == BYTES else "utf-8"
