"""The texts of the letters that a mail answers, made again so that the reader of the mail knows their lines.

Only for mails with doubtful words (`quotes.is_doubtful`) or with lines that were cut off (`Mail.is_cut`), from a
snapshot of the database, before any lock is taken.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import structlog

from pbmserv.db import engines
from pbmserv.games.base.log import seen_by
from pbmserv.inbox.authentication.authentication import SignedSeat
from pbmserv.letters.board_page import NOTHING_BESIDE, BesideTheLog
from pbmserv.letters.pictures.html import lines_above
from pbmserv.letters.site import Site
from pbmserv.letters.text.blocks import plain, unsaid
from pbmserv.letters.waiting import draft
from pbmserv.letters.waiting.board_draft import BoardDraft
from pbmserv.letters.waiting.draft import Draft
from pbmserv.letters.waiting.finisher import Finisher, marks_of
from pbmserv.mail import signed_addresses
from pbmserv.mail.inbound import Mail
from pbmserv.mail.outbound import transfer_size
from pbmserv.mail.reading import body, quotes
from pbmserv.mail.signed_addresses import Signer, Token
from pbmserv.model.letters import Form, StoredLetter
from pbmserv.store import Store

_MOST = 3  # letters that one mail answers
_LONG = 16 * 1024  # characters of a mail that takes longer to read than a letter takes to be made
_MOST_LINES = 200  # of a mail in which an answer among quoted lines is looked for
_RARELY = 4  # as many lines of a quote as one that its reader has put among them
_SIGN = re.compile(r"\s*[>|]")
_MOST_IDS = 4  # Message-IDs of ours that it refers to, the last ones

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


def signed_ids(mail: Mail, signer: Signer) -> list[str]:
    """Return the Message-IDs of our letters to which a mail refers, the last ones."""
    return [id_ for id_ in mail.references.split() if signer.verify(id_[1:].partition("@")[0])][-_MOST_IDS:]


def known(store: Store, site: Site, mail: Mail, token: Token | None, now: datetime) -> Mail:
    """Return the mail without the lines of the letters that it answers. Raises the database's errors.

    Which letters these are, only what we have signed tells: the address that the mail went to, and Message-IDs.
    """
    drafts = list(_drafts(store, site, _rows(store, site, mail, token, now)))
    if not drafts:
        return mail
    letters = ["\n".join(_words_of_text(d, site) for d in drafts)]
    is_long = len(mail.text) > _LONG  # then it is not read twice
    own = quotes.OwnWords("", is_cut=True) if is_long else quotes.read(mail.text, letters)
    if own.is_cut or quotes.is_doubtful(mail.text, own.words):  # perhaps the HTML is quoted: it has other boards
        letters.append("\n".join(_words_of_html(d, site) for d in drafts))
        own = quotes.read(mail.text, letters)
    inside = "" if own.words else _inside(mail.text, letters)
    return replace(mail, body=own.words, only_quoted=not own.words, inside_quote=inside, is_cut=own.is_cut)


def _inside(text: str, letters: Sequence[str]) -> str:
    """Return the first quoted line that is in none of the letters, without its signs, if nearly all others are."""
    whole = "".join("".join(letter.split()) for letter in letters)
    quoted = [
        line.strip().lstrip("> |").strip() for line in text.split("\n", _MOST_LINES)[:_MOST_LINES] if _SIGN.match(line)
    ]
    lines = [line for line in quoted if line]
    own = [line for line in lines if "".join(line.split()) not in whole]
    return own[0] if 0 < len(own) * _RARELY <= len(lines) else ""


def _words_of_text(made: Draft, site: Site) -> str:
    """Return the text of a letter, with the words that programs quote above its pictures and in place of them."""
    say = site.renderer.to(made.language).say
    return plain(
        replace(b, lines=(*lines_above(b.picture, say), b.alt, *b.lines)) if b.picture else b for b in made.blocks
    )


def _words_of_html(made: Draft, site: Site) -> str:
    """Return the words of a letter's HTML. What players have said stands in the plain text, and may be very long."""
    beside = transfer_size(draft.plain_text(made))  # it decides which links there are
    return body.words_of(
        draft.html_of(replace(made, blocks=unsaid(made.blocks)), site.renderer, site.address, beside).text
    )


def _drafts(store: Store, site: Site, rows: Sequence[StoredLetter]) -> Iterator[Draft]:
    finisher = Finisher(site)
    for row in rows:
        try:
            words = finisher.words(store, row)
        except Exception as bug:
            if engines.is_down(bug):
                raise
            log.exception("answered_letter_unknown", letter=row.id, bug=type(bug).__name__)
        else:
            yield from [words] if words else []


def _rows(store: Store, site: Site, mail: Mail, token: Token | None, now: datetime) -> Sequence[StoredLetter]:
    ids = signed_ids(mail, site.signer)
    marks = [mark for id_ in ids for mark in marks_of(id_, site.signer)]
    boards = {
        t.numbers[0] for id_ in ids if (t := site.signer.verify(id_[1:].partition("@")[0])) and len(t.numbers) > 1
    }
    view = None
    if token and token.purpose in signed_addresses.OF_A_BOARD and (view := _view(store, SignedSeat.by(token), now)):
        boards.add(view.board)
        beginning, _, _ = view.pack().partition(b"]")
        marks.append(beginning + b"]")
    letters = [letter for board in sorted(boards)[:_MOST] for letter in store.letters.latest_about(board)]
    if ids:
        letters += store.letters.latest_to(mail.sender)
    marked = [letter for letter in letters if any(mark in letter.data for mark in marks)][:_MOST]
    return marked or ([_row(view, mail.sender, _written(store, view, now))] if view else [])


def _view(store: Store, signed: SignedSeat, now: datetime) -> BoardDraft | None:
    """Return the board letter with this signed address, as far as it follows from the log and the clocks."""
    row = store.boards.find(signed.number, lock=False)
    if row is None or signed.length > row.board.length:
        return None
    since = seen_by(store.boards.entries(signed.number, upto=signed.length), signed.seat)
    player = row.players[signed.seat]
    beside = BesideTheLog.of(store, row, now, ()) if signed.length == row.board.length else NOTHING_BESIDE
    return BoardDraft(signed.number, player.id, signed.length, seat=signed.seat, since=since, beside=beside)


def _written(store: Store, view: BoardDraft, now: datetime) -> datetime:
    """Return when the log got the length that a letter shows: its last line says when it was written."""
    return next((line.at for line in store.boards.log(view.board, view.length - 1)), now) if view.length else now


def _row(view: BoardDraft, recipient: str, written: datetime) -> StoredLetter:
    """Return the row of a letter that is no longer kept."""
    return _LetterOfAView(0, None, view.board, "board", recipient, Form.VIEW, view.pack(), written)


@dataclass
class _LetterOfAView:
    id: int
    mail_id: int | None
    board: int | None
    kind: str
    recipient: str
    form: str
    data: bytes
    created: datetime
