"""What an admin does to letters in the outbox, and to mails on the shelf."""

from typing import Any

from pbmserv.admin.desk import Desk, Missing
from pbmserv.errors import PlayerError
from pbmserv.store import Store

#: The states in which a letter still waits to go out.
_WAITING = ("queued", "held")


class InHand(PlayerError):
    """A sender is at it just now."""


def hold(desk: Desk, number: int) -> None:
    """Keep a letter back until it is sent again. Raises PlayerError if it has gone out."""
    _demand_waiting(desk, number)
    desk.store.letters.set_aside(number, "held", f"held by {desk.admin.who}", None)
    desk.note(f"letter {number}: hold")


def drop(desk: Desk, number: int) -> None:
    """Never send a letter. Raises PlayerError if it has gone out."""
    _demand_waiting(desk, number)
    desk.store.letters.set_aside(number, "dropped", f"dropped by {desk.admin.who}", desk.now)
    desk.note(f"letter {number}: drop")


def resend(desk: Desk, number: int) -> None:
    """Send a letter, once more or after all: with the Message-ID that it always had."""
    _letter(desk, number)
    desk.store.letters.send_again(number, desk.now)
    desk.note(f"letter {number}: resend")


def drop_mail(desk: Desk, number: int) -> None:
    """Give a mail on the shelf up: its bytes are erased."""
    demand_shelved(desk.store, number)
    desk.store.mails.resolve(number, status="dropped")
    desk.note(f"mail {number}: drop")


def demand_shelved(store: Store, number: int) -> bytes:
    """The sealed bytes of a mail. Raises PlayerError unless it is on the shelf."""
    sealed = store.mails.shelved(number)
    if sealed is not None:
        return sealed
    mail = store.mails.find(number)
    if mail is None:
        raise Missing(f"There is no mail {number}.", "To see the shelf: pbmserv mail list --status shelved")
    raise PlayerError(f"Mail {number} is not on the shelf: it is {mail.status}.")


def _letter(desk: Desk, number: int) -> Any:
    """A letter that no sender has in hand. Raises PlayerError."""
    letter = desk.store.letters.find(number)
    if letter is None:
        raise Missing(f"There is no letter {number}.", "To see them: pbmserv letters list")
    if letter.leased and letter.due > desk.now:
        raise InHand(f"A sender has letter {number} in hand just now.", "Try again in a minute.")
    return letter


def _demand_waiting(desk: Desk, number: int) -> None:
    letter = _letter(desk, number)
    if letter.status not in _WAITING:
        raise PlayerError(f"Letter {number} does not wait any more: it is {letter.status}.")
