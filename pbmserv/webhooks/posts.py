"""Makes the bodies of events when they are sent, in the form that the webhook of their player wants."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pbmserv.boards.absences import lost_time
from pbmserv.letters.site import Site
from pbmserv.letters.text.templates import Renderer
from pbmserv.mail.envelope import Outgoing
from pbmserv.model import WebhookRow
from pbmserv.model.letters import EventKind, LeasedEvent
from pbmserv.model.players import WebhookState
from pbmserv.store import Store
from pbmserv.webhooks import signing
from pbmserv.webhooks.event_words import words
from pbmserv.webhooks.targets import Destination, read_stored

CODE_WITHIN = timedelta(days=1)  #: how long the code of a challenge can be sent back
_MOST_TEXT = 1900  #: characters; Discord takes 2000


@dataclass(frozen=True)
class OutgoingEvent(Outgoing):
    """An event, with what is needed to send it. A challenge is tried only once."""

    target: Destination | None = field(default=None, repr=False)
    secret: str = field(default="", repr=False)
    event_id: str = ""
    once: bool = False


class Poster:
    """Makes events of some rows of the outbox."""

    def __init__(self, site: Site, store: Store, now: datetime) -> None:
        self._site, self._store, self._now = site, store, now

    def posts(self, rows: Sequence[LeasedEvent]) -> dict[int, OutgoingEvent]:
        """Return the events by the ids of their rows. Rows without a webhook that takes them have none.

        The same row always gets the same id of an event, so a receiver knows one that comes again after a crash.
        """
        ids = {row.webhook for row in rows}
        if not ids or not self._site.policy.webhooks:
            return {}
        webhooks, wants = self._store.webhooks.of(ids), self._store.players.preferences(ids)
        made = {row.id: self._post(row, webhooks.get(row.webhook), wants[row.webhook].language) for row in rows}
        return {id_: post for id_, post in made.items() if post}

    def _post(self, row: LeasedEvent, webhook: WebhookRow | None, language: str) -> OutgoingEvent | None:
        signer = self._site.signer
        if webhook is None or not self._takes(webhook, row):
            return None
        if (url := signer.seal.opened(webhook.sealed)) is None:
            return None  # the secret key is another one, so all codes and secrets are, too
        return OutgoingEvent(
            row.id,
            "",
            row.recipient,
            self._body(row, webhook, self._site.renderer.to(language)),
            row.attempts,
            target=read_stored(webhook.form, url.decode()),
            secret=signing.secret_of(signer, webhook),
            event_id="msg_" + signer.keyed_hash(f"event:{row.id}:{row.created.timestamp()}")[:32],
            once=row.kind == EventKind.CHALLENGE,
        )

    def _takes(self, webhook: WebhookRow, row: LeasedEvent) -> bool:
        """Whether an event is for the webhook as it is now.

        What waited for one that the player had before was dropped with it. Times do not tell: clocks may be wrong.
        """
        if row.kind == EventKind.CHALLENGE:
            since = lost_time.ago(self._now, CODE_WITHIN, lost_time.absences(self._store))
            return webhook.state == WebhookState.ASKED and row.created > since
        return webhook.state == WebhookState.ON

    def _body(self, row: LeasedEvent, webhook: WebhookRow, renderer: Renderer) -> bytes:
        data: dict[str, object] = json.loads(row.data)["data"]
        if row.kind == EventKind.CHALLENGE:
            data["code"] = signing.code_of(self._site.signer, webhook)
        if webhook.form == "json":
            made: dict[str, object] = {"type": row.kind, "timestamp": row.created.isoformat(), "data": data}
        else:
            text = words(EventKind(row.kind), data, renderer)
            text = text if len(text) <= _MOST_TEXT else f"{text[:_MOST_TEXT]}…"
            made = _FORMS[webhook.form](text)
        return json.dumps(made, ensure_ascii=False).encode()


def _discord(text: str) -> dict[str, object]:
    """Return a message for Discord. Nobody is called by it, whatever players have written."""
    return {"content": text, "allowed_mentions": {"parse": []}}


def _matrix(text: str) -> dict[str, object]:
    """Return the content of m.room.message, with the field that the bridge matrix-hookshot reads."""
    return {"msgtype": "m.notice", "body": text, "text": text}


_FORMS = {"discord": _discord, "matrix": _matrix}
