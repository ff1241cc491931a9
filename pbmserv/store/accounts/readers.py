"""Who gets which letters: blocks, subscriptions, digests and languages."""

from collections.abc import Sequence
from datetime import datetime
from functools import cache

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.pipelining.statement import Statement, placed, places
from pbmserv.db.queries import Queries
from pbmserv.games.base import Seat
from pbmserv.model import Player
from pbmserv.model.letters import Collected, SentDigest, Subscriber
from pbmserv.model.preferences import TEXT_ONLY, Preferences
from pbmserv.store.accounts.players import PLAYER_COLUMNS

_BLOCKERS = Statement(sa.select(tables.block.c.player_id).where(tables.block.c.blocked_id == sa.bindparam("blocked")))
_SUBSCRIBERS = Statement(
    sa.select(*PLAYER_COLUMNS, tables.subscription.c.end_only)
    .join(tables.subscription)
    .where(tables.subscription.c.board == sa.bindparam("board"), tables.player.c.closed.is_(None))
    .order_by(tables.player.c.id)
)


@cache
def _text_only(count: int) -> Statement:
    c, p = tables.address.c, tables.preference.c
    only_text = (p.game == "", p.name == Preferences.mail.name, p.value.in_([sa.literal(value) for value in TEXT_ONLY]))
    theirs = (c.folded.in_(places("folded", count, sa.String())), c.confirmed.is_not(None))
    return Statement(sa.select(c.folded).join(tables.preference, p.player_id == c.player_id).where(*only_text, *theirs))


class ReaderQueries(Queries):
    """Queries about the readers of letters."""

    def add_block(self, player_id: int, blocked_id: int) -> None:
        """Block a player: this player gets no more text from `blocked_id`."""
        statement = self._insert(tables.block).values(player_id=player_id, blocked_id=blocked_id)
        self._c.execute(statement.on_conflict_do_nothing(index_elements=["player_id", "blocked_id"]))

    def remove_block(self, player_id: int, blocked_id: int) -> None:
        """Remove the block of `blocked_id`."""
        c = tables.block.c
        self._c.execute(sa.delete(tables.block).where(c.player_id == player_id, c.blocked_id == blocked_id))

    def blocked_by(self, player_id: int) -> list[str]:
        """The userids that a player has blocked."""
        c = tables.block.c
        query = sa.select(tables.player.c.userid).join(tables.block, c.blocked_id == tables.player.c.id)
        return list(self._c.scalars(query.where(c.player_id == player_id).order_by(tables.player.c.userid)))

    def blockers_of(self, player_id: int) -> frozenset[int]:
        """The numbers of the players who have blocked this one."""
        return frozenset(row.player_id for row in self._rows(_BLOCKERS, blocked=player_id))

    def broadcast_addresses(self, player_id: int) -> dict[str, int]:
        """Return where a player's broadcast goes, address -> player: to all who want it and do not block the sender."""
        c, a, block = tables.preference.c, tables.address.c, tables.block.c
        # Literals instead of parameters, because otherwise the database would not use the partial index.
        wants: sa.ColumnElement[bool] = sa.literal_column("preference.name = 'broadcasts' AND preference.value = 'on'")
        readers = sa.select(c.player_id).where(c.game == "", wants, c.player_id != player_id)
        blockers = sa.select(block.player_id).where(block.blocked_id == player_id)
        works = (a.confirmed.is_not(None), a.suspended.is_(None))
        query = sa.select(a.address, a.player_id).where(a.player_id.in_(readers), a.player_id.not_in(blockers), *works)
        return {row.address: row.player_id for row in self._c.execute(query.order_by(a.id))}

    def text_only(self, addresses: Sequence[str]) -> frozenset[str]:
        """Which of these addresses, in lower case, belong to a player who wants letters without HTML."""
        if not addresses:
            return frozenset()
        rows = self._rows(_text_only(len(addresses)), **placed("folded", (a.casefold() for a in addresses)))
        return frozenset(row.folded for row in rows)

    def languages(self, addresses: Sequence[str]) -> dict[str, str]:
        """Return the languages that players chose: lower-case address -> language. Others are left out."""
        c, p = tables.address.c, tables.preference.c
        query = (
            sa.select(c.folded, p.value)
            .join(tables.preference, p.player_id == c.player_id)
            .order_by(p.player_id.desc())
        )
        conditions = (
            p.game == "",
            p.name == Preferences.language.name,
            c.folded.in_([a.casefold() for a in addresses]),
            c.confirmed.is_not(None),
        )
        return {row.folded: row.value for row in self._c.execute(query.where(*conditions))}

    # --- subscriptions -----------------------------------------------------------------------------------------------

    def subscribers(self, board: int) -> list[Subscriber]:
        """The readers of a board whose accounts are open."""
        rows = self._rows(_SUBSCRIBERS, board=board)
        return [Subscriber(Player(*r[: len(PLAYER_COLUMNS)]), r.end_only) for r in rows]

    def subscriptions(self, player_id: int) -> list[tuple[int, bool]]:
        """Return the running boards that a player follows, as (number, whether only the last letter is sent)."""
        c = tables.subscription.c
        query = (
            sa.select(c.board, c.end_only)
            .join(tables.board)
            .where(c.player_id == player_id, tables.board.c.over.is_(None))
        )
        return [(r.board, r.end_only) for r in self._c.execute(query.order_by(c.board))]

    def subscribe(self, board: int, player_id: int, end_only: bool) -> None:
        """Let a player follow a board. An existing subscription is changed."""
        self._put(tables.subscription, {"board": board, "player_id": player_id}, {"end_only": end_only})

    def unsubscribe(self, board: int, player_id: int) -> bool:
        """End a subscription. Returns whether there was one."""
        c = tables.subscription.c
        gone = sa.delete(tables.subscription).where(c.board == board, c.player_id == player_id)
        return bool(self._c.execute(gone.returning(c.board)).first())

    # --- digests -----------------------------------------------------------------------------------------------------

    def collect(self, player_id: int, board: int, by: str, comment: str, now: datetime) -> None:
        """Keep a board letter for the next digest."""
        values = {"player_id": player_id, "board": board, "by": by, "comment": comment, "created": now}
        self._c.execute(sa.insert(tables.collected).values(values))

    def digest_readers(self) -> list[tuple[int, datetime]]:
        """Return the players with letters for a digest, and since when: (player id, time of the oldest letter)."""
        c = tables.collected.c
        query = sa.select(c.player_id, sa.func.min(c.created, type_=tables.Utc())).group_by(c.player_id)
        return [(r[0], r[1]) for r in self._c.execute(query.order_by(c.player_id))]

    def take_collected(self, player_id: int) -> list[Collected]:
        """Remove and return the letters for a reader's digest, by board and age."""
        c = tables.collected.c
        taken = sa.delete(tables.collected).where(c.player_id == player_id)
        rows = sorted(self._c.execute(taken.returning(c.board, c.id, c.by, c.comment)))
        return [Collected(r.board, r.by, r.comment) for r in rows]

    def add_digest(self, player_id: int, boards: Sequence[tuple[int, Seat, int]], now: datetime) -> int:
        """Record a digest and return its number. Each board: number, seat, length of the log now."""
        values = {"player_id": player_id, "sent": now, "boards": [list(b) for b in boards]}
        return int(self._c.execute(sa.insert(tables.digest).values(values).returning(tables.digest.c.id)).scalar_one())

    def digest(self, number: int) -> SentDigest | None:
        """The digest with this number."""
        c = tables.digest.c
        row = self._c.execute(sa.select(c.player_id, c.boards).where(c.id == number)).first()
        return SentDigest(row.player_id, {n: (seat, length) for n, seat, length in row.boards}) if row else None
