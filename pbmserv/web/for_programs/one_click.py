"""The pages where readers stop letters with one click (RFC 8058).

A look at the page does nothing, because programs follow the links in letters. A click becomes a mail to the signed
address that the letter names as well, so there is one way to stop letters, and this process writes nothing itself.
"""

from functools import partial
from typing import NamedTuple

from starlette.exceptions import HTTPException

from pbmserv.letters.site import STOPPING, Site
from pbmserv.mail.outbound import CLICK, ONE_CLICK
from pbmserv.mail.signed_addresses import BROADCASTS, MOST_CHARACTERS, NEVER, OWN_MOVES, STOP, UNSUBSCRIBE, Token
from pbmserv.web.own.handing import Post, letter
from pbmserv.web.visit import FORM, Page, Visit

_NAME, _, _VALUE = ONE_CLICK.partition("=")
_OFF = "Letters of this server are not stopped on a page. Write to the address that the letter names for it."
_NOT_OURS = "This link is not complete, or it is none of ours. Open it again from the letter, or write to its address."
_GONE = "There is nothing to stop any more: the account is closed, or there is no such board."
_TOO_OFTEN = "This link was used too often in the last minute. Nothing more was done."
_LATER = "Nothing was changed, because the server cannot be reached from here just now. Please try again in a minute."
_NO_CLICK = f"Nothing was changed: a mail program posts {ONE_CLICK} here, and the button of the page does the same."


class _Stoppable(NamedTuple):
    """A kind of letters, and the command with which a reader gets them again."""

    what: str
    again: str


_OF_PLAYERS = {
    OWN_MOVES: _Stoppable("letters about your own moves", "set USERID PASSWORD own=on"),
    BROADCASTS: _Stoppable("broadcasts", "set USERID PASSWORD broadcasts=on"),
}


def asked(visit: Visit) -> Page:
    """Show what the link stops, and a button. It changes nothing. Raises HTTPException if it stops nothing."""
    _, words, stop = _stoppable(visit)
    data = {"found": stop, "place": STOPPING + words, "name": _NAME, "value": _VALUE, "done": False}
    return Page("stop.html", data, allows=FORM)


def clicked(visit: Visit, body: bytes) -> Post:
    """Make a mail of a click. Raises HTTPException if it is none or stops nothing, and after too many clicks."""
    if not (_NAME.encode() in body and _VALUE.encode() in body):  # RFC 8058 (3.2), as a form of either kind
        raise HTTPException(400, _NO_CLICK)
    site, words, stop = _stoppable(visit)
    if visit.place.clicks.are_too_many(words, visit.origin, visit.now.timestamp()):
        raise HTTPException(429, _TOO_OFTEN)
    # Clicks of one minute are one mail.
    mail = letter(site, CLICK, words, "unsubscribe", f"{visit.now:%Y-%m-%d %H:%M}")
    return Post(mail, site.policy.web_listener, partial(_done, stop))


def _done(stop: _Stoppable, _: Visit, taken: bool) -> Page:
    if not taken:
        raise HTTPException(503, _LATER)
    return Page("stop.html", {"found": stop, "done": True})


def _stoppable(visit: Visit) -> tuple[Site, str, _Stoppable]:
    """Return what the link in the path stops, and its signed words. Raises HTTPException if it stops nothing."""
    site, words = visit.place.site, visit.path["token"].lower()
    if site is None or not site.policy.web_listener:
        raise HTTPException(404, _OFF)
    token = site.signer.verify(words) if len(words) <= MOST_CHARACTERS else None
    if token is None or token.purpose not in (UNSUBSCRIBE, STOP, NEVER):
        raise HTTPException(404, _NOT_OURS)
    stop = _found(visit, token)
    if stop is None:
        raise HTTPException(410, _GONE)
    return site, words, stop


def _found(visit: Visit, token: Token) -> _Stoppable | None:
    store, number = visit.store, token.numbers[0]
    if token.purpose == NEVER:
        return _Stoppable("invitations to your address", "")  # addresses are nothing that this process may read
    player = store.players.by_id(token.numbers[-1] if token.purpose == UNSUBSCRIBE else number)
    if player is None or player.password_hash is None:
        return None
    if token.purpose == STOP:
        return _OF_PLAYERS.get(token.numbers[1])
    row = store.boards.find(number, lock=False)
    what = f"copies of the letters about board {number}"
    return _Stoppable(what, f"{row.key} subscribe {number} USERID PASSWORD") if row else None
