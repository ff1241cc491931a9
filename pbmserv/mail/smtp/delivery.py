"""What a relay promises, and the three ways in which a delivery can fail."""

from typing import Protocol

from pbmserv.mail.envelope import Outgoing


class Deferred(Exception):
    """The letter could not be delivered now and should be tried again later."""


class RelayDown(Deferred):
    """The relay itself is in trouble: no letter can be delivered now."""


class Refused(Exception):
    """The letter will never be taken. The text is the relay's answer, bounded and printable."""


class Relay(Protocol):
    """Takes letters, several at one time if it is asked to."""

    async def deliver(self, letter: Outgoing, then: Outgoing | None = None, /) -> str:
        """A short receipt once somebody else answers for the letter. Raises Deferred or Refused.

        `then` will be delivered next, so that it can be announced already. Whoever does not deliver it after all has
        to `close`.
        """

    async def close(self) -> None:
        """Let go of all connections that are not in use; a later `deliver` makes new ones."""
