"""The events of the outbox: leased, recorded and given up like letters. Each call is one short transaction."""

from collections.abc import Sequence
from datetime import timedelta

from pbmserv.mail.envelope import Outgoing, Receipts
from pbmserv.server.outbox import StoredOutbox
from pbmserv.store import Store
from pbmserv.webhooks.deliveries import Deliveries


class EventOutbox(StoredOutbox):
    """Events in the database, leased to one sender at a time."""

    def claim(self, limit: int, lease_seconds: float, receipts: Receipts = ()) -> list[Outgoing]:
        """Lease the due events, and record that webhooks have taken others."""
        if not receipts and not self._any_event_due():
            return []

        def exchange(store: Store) -> list[Outgoing]:
            deliveries = self._deliveries(store)
            deliveries.note_sent(receipts)
            return deliveries.lease(limit, timedelta(seconds=lease_seconds), self._slot)

        return self._transact(exchange)

    def sent_many(self, receipts: Receipts) -> None:
        """Record that webhooks have taken these events."""
        if receipts:
            self._transact(lambda store: self._deliveries(store).note_sent(receipts))

    def refuse(self, letter_id: int, error: str) -> bool:
        """Record that a webhook wants no more events, or that it did not get its challenge."""
        self._transact(lambda store: self._deliveries(store).note_refused(letter_id, error))
        return True

    def _defer(self, store: Store, letter_ids: Sequence[int], error: str, delay_seconds: float) -> None:
        """Try again later, with all that waits for this webhook."""
        rows = store.letters.by_ids(letter_ids)
        super()._defer(store, letter_ids, error, delay_seconds)
        self._deliveries(store).note_failed(rows, error, timedelta(seconds=delay_seconds))

    def _any_event_due(self) -> bool:
        with self._reader.connect() as connection:
            return Store(connection).letters.any_event_due(self._now())

    def _deliveries(self, store: Store) -> Deliveries:
        return Deliveries(self._site, store, self._now())
