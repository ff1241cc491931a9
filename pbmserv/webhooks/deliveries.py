"""What becomes of events: a count of failures of each webhook, and the suspension of one that fails too often.

Nothing here commits: each of these is a part of a transaction of the sender (server/event_outbox.py).
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from pbmserv.letters.letters import Cause, Letters
from pbmserv.letters.site import Site
from pbmserv.mail.envelope import LetterStatus, Outgoing, Receipts
from pbmserv.model.letters import EventKind, ListedLetter
from pbmserv.model.players import WebhookState
from pbmserv.model.preferences import Preferences
from pbmserv.store import Store
from pbmserv.webhooks.posts import Poster

#: A webhook is suspended when its oldest event has failed so often. The pause between tries doubles up to a limit, so
#: this takes two days.
MOST_FAILURES = 20
#: New state of a webhook -> the only state that it follows. "failed": the challenge was not answered.
_ENDS = {"failed": WebhookState.ASKED, "suspended": WebhookState.ON}


class Deliveries:
    """The events of one transaction."""

    def __init__(self, site: Site, store: Store, now: datetime) -> None:
        self._site, self._store, self._now = site, store, now

    def lease(self, limit: int, lease: timedelta, slot: int | None) -> list[Outgoing]:
        """Lease the due events. Those whose webhook is not there any more are dropped."""
        rows = self._store.letters.claim_events(self._now, lease, limit, slot)
        posts = Poster(self._site, self._store, self._now).posts(rows)
        for row in rows:
            if row.id not in posts:
                self._store.letters.set_aside(row.id, LetterStatus.DROPPED, "its webhook takes none", self._now)
        return list(posts.values())

    def note_sent(self, receipts: Receipts) -> None:
        """Note that webhooks have taken these events."""
        if receipts:
            self._store.letters.finish(receipts, LetterStatus.SENT, self._now)
            self._store.webhooks.note_success([letter_id for letter_id, _ in receipts])

    def note_refused(self, letter_id: int, error: str) -> None:
        """Note that a webhook wants no more events, or that it did not get its challenge."""
        row = self._store.letters.find(letter_id)
        self._store.letters.finish([(letter_id, error)], LetterStatus.REFUSED, self._now)
        if row and (player_id := _counting(row)) is not None:
            self._end(player_id, "failed" if row.kind == EventKind.CHALLENGE else "suspended", error)

    def note_failed(self, rows: Sequence[ListedLetter], error: str, pause: timedelta) -> None:
        """Let all that waits for these webhooks wait, and suspend a webhook that fails too often.

        Only the event that has waited longest counts: new ones are tried at once, and there may be many. `rows`: as
        they were before this failure.
        """
        for row in rows:
            if (player_id := _counting(row)) is None:
                continue
            self._store.letters.let_events_wait(player_id, self._now + pause)
            is_oldest = self._store.letters.oldest_event(player_id) in (row.id, None)
            if is_oldest and self._store.webhooks.count_failure(player_id) >= MOST_FAILURES:
                self._end(player_id, "suspended", error)

    def _end(self, player_id: int, how: str, error: str) -> None:
        """Send no more to a webhook, and tell its player why by letter.

        A code that came back before the answer of its challenge has turned the webhook on, so that it did not fail.
        """
        store, player = self._store, self._store.players.by_id(player_id)
        webhook = store.webhooks.of([player_id]).get(player_id)
        if webhook is None or player is None or webhook.state != _ENDS[how]:
            return
        store.webhooks.set_state(player_id, WebhookState.SUSPENDED, self._now)
        store.players.set_preference(player_id, "", Preferences.has_webhook.name, "off")
        store.letters.drop_events(player_id, f"the webhook {how}", self._now)
        letters = Letters(self._site, store, Cause(None), self._now)
        language = letters.language(player)
        data = {"player": player.userid, "what": how, "error": self._site.renderer.to(language).say(error)}
        letters.write("webhook", letters.addresses(player), "Your webhook", data, language=language)
        store.letters.queue(letters.rows)


def _counting(row: ListedLetter) -> int | None:
    """Return the player whose webhook a failed event counts for; None: it was for one that the player had before.

    The events of that one were dropped meanwhile.
    """
    return row.webhook if row.status == LetterStatus.QUEUED else None
