"""The webhooks of players: encrypted URLs, and whether they work."""

from collections.abc import Collection
from datetime import datetime

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import Queries
from pbmserv.model import WebhookRow
from pbmserv.model.players import WebhookState

_W = tables.webhook.c


class WebhookQueries(Queries):
    """Queries about webhooks."""

    def of(self, player_ids: Collection[int]) -> dict[int, WebhookRow]:
        """Return the webhooks of these players, by player."""
        rows = self._c.execute(sa.select(tables.webhook).where(_W.player_id.in_(player_ids)))
        return {row.player_id: WebhookRow(**{**row._mapping, "state": WebhookState(row.state)}) for row in rows}

    def put(self, webhook: WebhookRow) -> None:
        """Store a webhook in place of the one that the player had."""
        self.remove(webhook.player_id)
        self._c.execute(sa.insert(tables.webhook).values(vars(webhook)))

    def remove(self, player_id: int) -> None:
        """Forget the webhook of a player."""
        self._c.execute(sa.delete(tables.webhook).where(_W.player_id == player_id))

    def set_state(self, player_id: int, state: WebhookState, now: datetime) -> None:
        """Let a webhook be on, or not."""
        changed = sa.update(tables.webhook).where(_W.player_id == player_id)
        self._c.execute(changed.values(state=state, since=now, failures=0))

    def count_failure(self, player_id: int) -> int:
        """Count a failure. Returns how many there were in a row; 0 if the webhook is not on."""
        more = sa.update(tables.webhook).where(_W.player_id == player_id, _W.state == WebhookState.ON)
        return self._c.scalar(more.values(failures=_W.failures + 1).returning(_W.failures)) or 0

    def note_success(self, letter_ids: Collection[int]) -> None:
        """Note that the webhooks of these events have taken them."""
        o = tables.outbox.c
        theirs = sa.select(o.webhook).where(o.id.in_(letter_ids))
        self._c.execute(sa.update(tables.webhook).where(_W.failures > 0, _W.player_id.in_(theirs)).values(failures=0))
