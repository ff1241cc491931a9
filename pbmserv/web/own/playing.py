"""What a player sends from their own page of a board: a mail to the reply address that a letter would have now."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from email.message import EmailMessage
from functools import partial
from itertools import takewhile
from urllib.parse import parse_qs

from starlette.exceptions import HTTPException

from pbmserv.games.base.log import Entry, Kind
from pbmserv.letters.text.men import lettered
from pbmserv.letters.text.wording import button
from pbmserv.mail.envelope import MailStatus
from pbmserv.mail.outbound import OWN_PAGE
from pbmserv.model.mails import Handled
from pbmserv.web.own import own_page
from pbmserv.web.own.handing import Post, letter
from pbmserv.web.own.own_page import TOKEN_BYTES, Own, Told, Typed
from pbmserv.web.visit import Page, Visit

_MOST_FIELDS = 10
_TOKEN = re.compile(rf"[0-9a-f]{{{2 * TOKEN_BYTES}}}")
_LENGTH = re.compile(r"[0-9]{1,9}")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_OFF = "This server takes no moves from its pages. Answer the letter about the board by mail."
_NO_FORM = "Nothing was done, because what was posted here is not from this page. Load it again."
_EMPTY = "Nothing was sent: choose a move, or write one."
_TOO_OFTEN = "Nothing was sent, because too much was sent in the last minute. Please wait a little, and send it again."
_NOT_NOW = (
    "Not now: the server does not answer. What you wrote is still here. Send it again in a minute: it counts only once."
)
_ARRIVED = "It has arrived. Load this page again to see what became of it."


@dataclass(frozen=True)
class _Sent:
    """What was posted. `length`: of the log that the player saw."""

    words: Typed
    length: int
    token: str


def sent(visit: Visit, body: bytes) -> Post | Page:
    """Make a mail of what was posted. Raises HTTPException if it is from no page of ours, or if nobody takes it."""
    own = own_page.owner(visit)
    if not own.takes_posts:
        raise HTTPException(404, _OFF)
    form = _read(body)
    refuse = partial(Told, words=form.words, token=form.token)
    if not form.words.first:
        return own_page.shown(visit, own, refuse(_EMPTY, 422))
    if visit.place.moves.are_too_many(own.words, visit.origin, visit.now.timestamp()):
        return own_page.shown(visit, own, refuse(_TOO_OFTEN, 429))
    mail = _mail(own, form)
    post = Post(mail, own.site.policy.web_listener, lambda then, taken: _shown(then, form, post.fingerprint, taken))
    return post


def _read(body: bytes) -> _Sent:
    """Read the form. Raises HTTPException if it is not one of ours."""
    try:
        fields = parse_qs(body.decode(errors="replace"), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        raise HTTPException(400, _NO_FORM) from None
    values = {name: _CONTROL.sub("", first.replace("\r\n", "\n")) for name, (first, *_) in fields.items()}
    token, length = values.get("token", ""), values.get("length", "")
    if not _TOKEN.fullmatch(token) or not _LENGTH.fullmatch(length):
        raise HTTPException(400, _NO_FORM)
    line, verb = (" ".join(values.get(name, "").split()) for name in ("line", "verb"))
    return _Sent(Typed(line, verb, values.get("comment", "").strip(), "draw" in values), int(length), token)


def _mail(own: Own, form: _Sent) -> EmailMessage:
    row, words = own.row, form.words
    # Nobody gets an address for a state that has not come yet.
    length = min(form.length, row.board.length)
    signed = own.site.signer.touch(row.number, own.seat, length, own.player.epoch)
    lines = [words.first, *(["propose"] if words.offers_draw else []), words.comment]
    return letter(own.site, OWN_PAGE, signed, f"Re: {row.title}", form.token, "\n".join(lines))


def _shown(visit: Visit, form: _Sent, fingerprint: str, taken: bool) -> Page:
    """Show the board as it is now, and what became of what was sent."""
    own = own_page.owner(visit)
    if not taken:
        return own_page.shown(visit, own, Told(_NOT_NOW, 503, form.words, form.token))
    log = visit.store.boards.entries(own.row.number)[form.length :]
    return own_page.shown(visit, own, _told(own, form.words, log, visit.store.mails.outcome(fingerprint)))


def _told(own: Own, words: Typed, since: Sequence[Entry], outcome: Handled | None) -> Told:
    if outcome is None:
        return Told(_ARRIVED)
    match outcome.status:
        case MailStatus.DONE:
            played = "" if words.verb else _played(own, since)
            return Told(f"Done: {played or replace(words, verb=button(words.verb, own.say)).first}")
        case MailStatus.SHELVED:
            return Told(f"Our fault: reference {outcome.id}. What you sent is kept, and will be tried again.", 500)
    return Told(f"Refused: {outcome.problem}", 422, words)


def _played(own: Own, since: Sequence[Entry]) -> str:
    """Return the moves with which the player went on, as players of the game write them; "" if there is none."""
    first = takewhile(lambda entry: entry.seat == own.seat, since)
    return lettered(" ".join(entry.shown for entry in first if entry.kind is Kind.MOVE), own.say)
