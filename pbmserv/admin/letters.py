"""What an admin does to letters in the outbox, and to mails in quarantine."""

from pbmserv.admin.desk import Desk, Missing
from pbmserv.errors import PlayerError
from pbmserv.mail.envelope import LetterStatus, MailStatus
from pbmserv.model.letters import WholeLetter
from pbmserv.store import Store

#: The states of a letter that has not been sent yet.
_WAITING = (LetterStatus.QUEUED, LetterStatus.HELD)


class InHand(PlayerError):
    """A sender is sending this letter now."""


def hold(desk: Desk, number: int) -> None:
    """Hold a letter back until `resend`. Raises PlayerError if it has already been sent."""
    _demand_waiting(desk, number)
    desk.store.letters.set_aside(number, LetterStatus.HELD, f"held by {desk.admin.who}", None)
    desk.note(f"letter {number}: hold")


def hold_to(desk: Desk, domain: str) -> int:
    """Hold all letters to a domain back that wait now, and return how many. Those in a sender's hand go out."""
    count = desk.store.letters.hold_to(domain, f"held by {desk.admin.who}", desk.now)
    desk.note(f"letters to {domain}: hold {count}")
    return count


def release(desk: Desk, number: int) -> None:
    """Let a letter wait for the sender again that is held back."""
    if (status := _letter(desk, number).status) != LetterStatus.HELD:
        raise PlayerError(f"Letter {number} is not held back: it is {status}.")
    resend(desk, number)


def release_to(desk: Desk, domain: str) -> int:
    """Let all letters to a domain go out that are held back, and return how many."""
    count = desk.store.letters.release_to(domain, desk.now)
    desk.note(f"letters to {domain}: release {count}")
    return count


def drop(desk: Desk, number: int) -> None:
    """Drop a letter. Raises PlayerError if it has already been sent."""
    _demand_waiting(desk, number)
    desk.store.letters.set_aside(number, LetterStatus.DROPPED, f"dropped by {desk.admin.who}", desk.now)
    desk.note(f"letter {number}: drop")


def resend(desk: Desk, number: int) -> None:
    """Send a letter again, or for the first time if it was held or dropped. It keeps its Message-ID."""
    if not _letter(desk, number).recipient:
        raise PlayerError(f"Letter {number} was a farewell. Nothing of it is kept, so it cannot be sent again.")
    desk.store.letters.send_again(number, desk.now)
    desk.note(f"letter {number}: resend")


def drop_mail(desk: Desk, number: int) -> None:
    """Drop a mail from quarantine: its content is erased."""
    demand_quarantined(desk.store, number)
    desk.store.mails.resolve(number, status=MailStatus.DROPPED)
    desk.note(f"mail {number}: drop")


def demand_quarantined(store: Store, number: int) -> bytes:
    """Return the encrypted bytes of a mail. Raises PlayerError unless it is in quarantine."""
    sealed = store.mails.quarantined(number)
    if sealed is not None:
        return sealed
    mail = store.mails.find(number)
    if mail is None:
        raise Missing(f"There is no mail {number}.", "To see the shelf: pbmserv mail list --status shelved")
    raise PlayerError(f"Mail {number} is not on the shelf: it is {mail.status}.")


def _letter(desk: Desk, number: int) -> WholeLetter:
    """Return a letter. Raises PlayerError if it does not exist, or if a sender has leased it."""
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
