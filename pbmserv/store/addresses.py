"""Letters that did not arrive, and the addresses that are to blame."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from typing import Any

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import Queries
from pbmserv.db.statement import Statement, placed, places
from pbmserv.games.base import Seat

#: So many letters in a row that came back suspend an address.
MOST_BOUNCES = 5

_A = tables.address.c
_ADDRESSES = Statement(
    sa.select(_A.address)
    .where(_A.player_id == sa.bindparam("player"), _A.confirmed.is_not(None))
    .where(sa.or_(_A.suspended.is_(None), _A.folded == sa.bindparam("also")))
    .order_by(_A.id)
)
_LIFE = Statement(
    sa.update(tables.address)
    .where(_A.player_id == sa.bindparam("player"), _A.folded == sa.bindparam("from_"), _A.suspended.is_(None))
    .where(sa.or_(_A.bounces > 0, _A.away.is_not(None)))
    .values(bounces=0, away=None)
)


@cache
def _unreachable(count: int) -> Statement:
    mine = (_A.player_id.in_(places("id", count)), _A.confirmed.is_not(None))
    return Statement(sa.select(_A.player_id).where(*mine).group_by(_A.player_id).having(sa.func.min(_A.bounces) > 0))


@cache
def _doubts(count: int) -> Statement:
    reader = tables.address.alias()
    return Statement(
        sa.select(reader.c.folded.label("reader"), _A.id, _A.address, _A.suspended, _A.away, tables.player.c.userid)
        .join(tables.address, _A.player_id == reader.c.player_id)
        .join(tables.player, tables.player.c.id == _A.player_id)
        .where(reader.c.folded.in_(places("reader", count, sa.String())), reader.c.confirmed.is_not(None))
        .where(_A.confirmed.is_not(None), sa.or_(_A.suspended.is_not(None), _A.away >= sa.bindparam("since")))
        .order_by(_A.id)
    )


@cache
def _boxes(count: int) -> Statement:
    return Statement(
        sa.select(_A.player_id, _A.id, _A.address, _A.folded, _A.suspended, _A.away, tables.player.c.userid)
        .join(tables.player)
        .where(_A.player_id.in_(places("id", count)), _A.confirmed.is_not(None))
        .order_by(_A.id)
    )


class Bounces(Queries):
    """Queries about addresses that work, and those that do not."""

    def letter_addresses(self, player_id: int, also: str = "") -> list[str]:
        """Where letters to a player go: his confirmed addresses, suspended ones only if it is `also`, without case."""
        return [row.address for row in self._rows(_ADDRESSES, player=player_id, also=also.casefold())]

    def boxes(self, player_ids: Iterable[int]) -> dict[int, list[Any]]:
        """The confirmed addresses of each of these players.

        Each row: player_id, id, address, folded (without case), suspended, away, userid.
        """
        ids = list(player_ids)
        found: dict[int, list[Any]] = {id_: [] for id_ in ids}
        for row in self._rows(_boxes(len(ids)), **placed("id", ids)) if ids else ():
            found[row.player_id].append(row)
        return found

    def lose_letter(self, letter_id: int, status: str, receipt: str, now: datetime) -> Any:
        """Write down that a letter did not arrive: its recipient, board and time; None if that was known before."""
        c = tables.outbox.c
        lost = sa.update(tables.outbox).where(c.id == letter_id, c.status.in_(("queued", "sent")))
        values = {"status": status, "receipt": receipt[:500], "finished": now}
        return self._c.execute(lost.values(values).returning(c.recipient, c.board, c.created)).first()

    def recipient(self, letter_id: int) -> str | None:
        """To whom a letter went."""
        return self._c.scalar(sa.select(tables.outbox.c.recipient).where(tables.outbox.c.id == letter_id))

    def count_bounce(self, address: str, now: datetime) -> None:
        """One more letter in a row came back from this address, whoever has it."""
        c = tables.address.c
        here = sa.update(tables.address).where(c.folded == address.casefold())
        self._c.execute(here.values(bounces=c.bounces + 1))
        self._c.execute(here.where(c.bounces >= MOST_BOUNCES, c.suspended.is_(None)).values(suspended=now))

    def note_away(self, address: str, now: datetime) -> None:
        """A mailer says that the owner of this address is away."""
        c = tables.address.c
        here = sa.update(tables.address).where(c.folded == address.casefold(), c.confirmed.is_not(None))
        self._c.execute(here.values(away=now))

    def note_life(self, player_id: int, address: str) -> bool:
        """The player wrote from this address; whether that is news. A suspended one needs more: his yes."""
        return self._run(_LIFE, {"player": player_id, "from_": address.casefold()}) > 0

    def revive_address(self, address_id: int) -> bool:
        """The owner says that the address works; whether that is news."""
        c = tables.address.c
        here = sa.update(tables.address).where(c.id == address_id, c.bounces > 0)
        return self._c.execute(here.values(bounces=0, suspended=None)).rowcount > 0

    def unreachable(self, player_ids: Iterable[int]) -> frozenset[int]:
        """Those of these players from whose every confirmed address the last letters came back."""
        ids = list(player_ids)
        return frozenset(row.player_id for row in self._rows(_unreachable(len(ids)), **placed("id", ids)))

    def paused_seats(self, player_id: int, now: float) -> list[tuple[int, Seat]]:
        """The seats of a player whose time stands still: board number and seat."""
        c = tables.seat.c
        query = sa.select(c.board, c.seat).where(c.player_id == player_id, c.paused > now).order_by(c.board)
        return [(r.board, r.seat) for r in self._c.execute(query)]

    def doubts(self, recipients: Sequence[str], since: datetime) -> list[Any]:
        """The addresses that the owners of `recipients` should hear about: suspended ones, and those away `since` then.

        Each row: the recipient without case (reader), the number and text of the address, suspended, userid.
        """
        if not recipients:
            return []
        folded = placed("reader", (r.casefold() for r in recipients))
        return self._rows(_doubts(len(recipients)), **folded, since=since)
