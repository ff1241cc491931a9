"""The relay for events: each goes to the webhook of its player. Its answer's body is not read."""

import time

from pbmserv.mail.envelope import Outgoing
from pbmserv.mail.smtp.delivery import Deferred, Refused
from pbmserv.webhooks import signing
from pbmserv.webhooks.posting import Client, NoAnswer
from pbmserv.webhooks.posts import OutgoingEvent

GONE = 410  #: the status of a webhook that wants no more events


class PostRelay:
    """Posts events to their webhooks."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def deliver(self, letter: Outgoing, then: Outgoing | None = None, /) -> str:
        """Deliver as in `Relay.deliver`. The receipt is the status."""
        if not isinstance(letter, OutgoingEvent) or letter.target is None:
            raise Refused("it is no event")
        headers = signing.headers(letter.event_id, int(time.time()), letter.data, letter.secret)
        try:
            status = await self._client.post(letter.target, letter.data, headers)
        except NoAnswer as error:
            reason = str(error)
        else:
            reason = f"HTTP {status}"
            if status in range(200, 300):
                return reason
            if status == GONE:
                raise Refused(reason)
        if letter.once:
            raise Refused(reason)
        raise Deferred(reason)

    async def close(self) -> None:
        """Do nothing: no connection is kept."""
