"""The events of the outbox: leased, recorded and given up like letters, and a count of failures of each webhook."""

from collections.abc import Sequence
from datetime import timedelta

from pbmserv.letters.letters import Cause, Letters
from pbmserv.mail.envelope import Outgoing, Receipts
from pbmserv.model.letters import LeasedEvent, ListedLetter
from pbmserv.model.preferences import Preferences
from pbmserv.server.outbox import StoredOutbox
from pbmserv.store import Store
from pbmserv.webhooks.post_relay import OutgoingEvent
from pbmserv.webhooks.posts import Post, Poster

#: A webhook is suspended when its oldest event has failed so often. The pause between tries doubles up to a limit, so
#: this takes two days.
MOST_FAILURES = 20
#: New state of a webhook -> the only state that it follows. "failed": the challenge was not answered.
_ENDS = {"failed": "asked", "suspended": "on"}


class EventOutbox(StoredOutbox):
    """Events in the database, leased to one sender at a time."""

    def claim(self, limit: int, lease_seconds: float, receipts: Receipts = ()) -> list[Outgoing]:
        """Lease the due events. Those whose webhook is not there any more are dropped."""
        if not receipts and not self._any_event_due():
            return []

        def exchange(store: Store) -> list[Outgoing]:
            now = self._now()
            self._note_sent(store, receipts)
            rows = store.letters.claim_events(now, timedelta(seconds=lease_seconds), limit, self._slot)
            posts = Poster(self._site, store, now).posts(rows)
            for row in rows:
                if row.id not in posts:
                    store.letters.set_aside(row.id, "dropped", "its webhook takes none", now)
            return [_outgoing(row, *posts[row.id]) for row in rows if row.id in posts]

        return self._transact(exchange)

    def sent_many(self, receipts: Receipts) -> None:
        """Record that webhooks have taken these events."""
        if receipts:
            self._transact(lambda store: self._note_sent(store, receipts))

    def refuse(self, letter_id: int, error: str) -> bool:
        """Record that a webhook wants no more events, or that it did not get its challenge."""

        def refuse(store: Store) -> None:
            row = store.letters.find(letter_id)
            store.letters.finish([(letter_id, error)], "refused", self._now())
            if row and (player_id := _counting(row)) is not None:
                self._end(store, player_id, "failed" if row.kind == "challenge" else "suspended", error)

        self._transact(refuse)
        return True

    def _defer(self, store: Store, letter_ids: Sequence[int], error: str, delay_seconds: float) -> None:
        """Try again later, with all that waits for this webhook, and suspend the webhook if it fails too often.

        Only the event that has waited longest counts: new ones are tried at once, and there may be many.
        """
        rows = store.letters.by_ids(letter_ids)
        super()._defer(store, letter_ids, error, delay_seconds)
        for row in rows:
            if (player_id := _counting(row)) is None:
                continue
            store.letters.let_events_wait(player_id, self._now() + timedelta(seconds=delay_seconds))
            is_oldest = store.letters.oldest_event(player_id) in (row.id, None)
            if is_oldest and store.webhooks.count_failure(player_id) >= MOST_FAILURES:
                self._end(store, player_id, "suspended", error)

    def _any_event_due(self) -> bool:
        with self._reader.connect() as connection:
            return Store(connection).letters.any_event_due(self._now())

    def _note_sent(self, store: Store, receipts: Receipts) -> None:
        store.letters.finish(receipts, "sent", self._now())
        if receipts:
            store.webhooks.note_success([letter_id for letter_id, _ in receipts])

    def _end(self, store: Store, player_id: int, how: str, error: str) -> None:
        """Send no more to a webhook, and tell its player why by letter.

        A code that came back before the answer of its challenge has turned the webhook on, so that it did not fail.
        """
        now, player = self._now(), store.players.by_id(player_id)
        webhook = store.webhooks.of([player_id]).get(player_id)
        if webhook is None or player is None or webhook.state != _ENDS[how]:
            return
        store.webhooks.set_state(player_id, "suspended", now)
        store.players.set_preference(player_id, "", Preferences.has_webhook.name, "off")
        store.letters.drop_events(player_id, f"the webhook {how}", now)
        letters = Letters(self._site, store, Cause(None), now)
        language = letters.language(player)
        data = {"player": player.userid, "what": how, "error": self._site.renderer.to(language).say(error)}
        letters.write("webhook", letters.addresses(player), "Your webhook", data, language=language)
        store.letters.queue(letters.rows)


def _counting(row: ListedLetter) -> int | None:
    """Return the player whose webhook a failed event counts for; None: it was for one that the player had before.

    The events of that one were dropped meanwhile.
    """
    return row.webhook if row.status == "queued" else None


def _outgoing(row: LeasedEvent, post: Post, event_id: str) -> OutgoingEvent:
    return OutgoingEvent(
        row.id,
        "",
        row.recipient,
        post.body,
        row.attempts,
        target=post.target,
        secret=post.secret,
        event_id=event_id,
        once=row.kind == "challenge",
    )
