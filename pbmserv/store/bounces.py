"""Letters that did not arrive, and the addresses that are to blame."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from pbmserv import db
from pbmserv.games.base import Seat
from pbmserv.store.base import Queries

#: So many letters in a row that came back suspend an address.
MOST_BOUNCES = 5


class Bounces(Queries):
    """Queries about addresses that work, and those that do not."""

    def letter_addresses(self, player_id: int, also: str = "") -> list[str]:
        """Where letters to a player go: his confirmed addresses, suspended ones only if it is `also`, without case."""
        c = db.address.c
        goes = sa.or_(c.suspended.is_(None), c.folded == also.casefold())
        query = sa.select(c.address).where(c.player_id == player_id, c.confirmed.is_not(None), goes)
        return list(self._c.scalars(query.order_by(c.id)))

    def lose_letter(self, letter_id: int, status: str, receipt: str, now: datetime) -> Any:
        """Write down that a letter did not arrive: its recipient, board and time; None if that was known before."""
        c = db.outbox.c
        lost = sa.update(db.outbox).where(c.id == letter_id, c.status.in_(("queued", "sent")))
        values = {"status": status, "receipt": receipt[:500], "finished": now}
        return self._c.execute(lost.values(values).returning(c.recipient, c.board, c.created)).first()

    def recipient(self, letter_id: int) -> str | None:
        """To whom a letter went."""
        return self._c.scalar(sa.select(db.outbox.c.recipient).where(db.outbox.c.id == letter_id))

    def count_bounce(self, address: str, now: datetime) -> None:
        """One more letter in a row came back from this address, whoever has it."""
        c = db.address.c
        here = sa.update(db.address).where(c.folded == address.casefold())
        self._c.execute(here.values(bounces=c.bounces + 1))
        self._c.execute(here.where(c.bounces >= MOST_BOUNCES, c.suspended.is_(None)).values(suspended=now))

    def note_away(self, address: str, now: datetime) -> None:
        """A mailer says that the owner of this address is away."""
        c = db.address.c
        here = sa.update(db.address).where(c.folded == address.casefold(), c.confirmed.is_not(None))
        self._c.execute(here.values(away=now))

    def note_life(self, player_id: int, address: str) -> bool:
        """The player wrote from this address; whether that is news. A suspended one needs more: his yes."""
        c = db.address.c
        here = sa.update(db.address).where(c.player_id == player_id, c.folded == address.casefold())
        doubted = (c.suspended.is_(None), sa.or_(c.bounces > 0, c.away.is_not(None)))
        return self._c.execute(here.where(*doubted).values(bounces=0, away=None)).rowcount > 0

    def revive_address(self, address_id: int) -> bool:
        """The owner says that the address works; whether that is news."""
        c = db.address.c
        here = sa.update(db.address).where(c.id == address_id, c.bounces > 0)
        return self._c.execute(here.values(bounces=0, suspended=None)).rowcount > 0

    def unreachable(self, player_ids: Iterable[int]) -> frozenset[int]:
        """Those of these players from whose every confirmed address the last letters came back."""
        c = db.address.c
        query = sa.select(c.player_id).where(c.player_id.in_(list(player_ids)), c.confirmed.is_not(None))
        return frozenset(self._c.scalars(query.group_by(c.player_id).having(sa.func.min(c.bounces) > 0)))

    def paused_seats(self, player_id: int, now: float) -> list[tuple[int, Seat]]:
        """The seats of a player whose time stands still: board number and seat."""
        c = db.seat.c
        query = sa.select(c.board, c.seat).where(c.player_id == player_id, c.paused > now).order_by(c.board)
        return [(r.board, r.seat) for r in self._c.execute(query)]

    def doubts(self, recipients: Iterable[str], since: datetime) -> list[Any]:
        """The addresses that the owners of `recipients` should hear about: suspended ones, and those away `since` then.

        Each row: the recipient without case (reader), the number and text of the address, suspended, userid.
        """
        reader, c = db.address.alias(), db.address.c
        query = (
            sa.select(reader.c.folded.label("reader"), c.id, c.address, c.suspended, c.away, db.player.c.userid)
            .join(db.address, c.player_id == reader.c.player_id)
            .join(db.player, db.player.c.id == c.player_id)
            .where(reader.c.folded.in_([r.casefold() for r in recipients]), reader.c.confirmed.is_not(None))
            .where(c.confirmed.is_not(None), sa.or_(c.suspended.is_not(None), c.away >= since))
            .order_by(c.id)
        )
        return list(self._c.execute(query))
