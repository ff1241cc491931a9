"""The interface of a relay, and the ways in which a delivery can fail."""

from typing import Protocol

from pbmserv.mail.envelope import Outgoing


class Deferred(Exception):
    """The letter could not be delivered now and should be tried again later."""


class RelayDown(Deferred):
    """The relay itself does not work: no letter can be delivered now."""


class RelayLimit(RelayDown):
    """The relay takes no more letters for a while, because a limit is reached: no letter can be delivered now."""


class RefusesAlike(RelayDown):
    """The relay refuses letters to several domains in the same words: it takes none now, or these are dead."""


class NoLogin(RelayDown):
    """We cannot log in to the relay now, which is not the letter's fault: it may be for weeks."""


class Refused(Exception):
    """The relay refuses the letter for good. The text is its reply, shortened and printable."""


class Relay(Protocol):
    """Delivers letters, also several at the same time."""

    async def deliver(self, letter: Outgoing, then: Outgoing | None = None, /) -> str:
        """Deliver a letter, and return a short receipt when it is accepted. Raises Deferred or Refused.

        `then` is the next letter, which can be announced already. If you do not deliver it afterwards, call `close`.
        """

    async def close(self) -> None:
        """Close all idle connections. A later `deliver` opens new ones."""
