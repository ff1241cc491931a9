"""The addresses of players: which are confirmed, and which work."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.pipelining.statement import Statement, filled, placed, places
from pbmserv.db.queries import PEOPLE_AT_ONCE, Queries
from pbmserv.model import Address
from pbmserv.model.rows import AddressRow, ListedAddress, ReadersSuspect, UsedAddress

#: In the order of the fields of Address.
_COLUMNS = tuple(tables.address.c[name] for name in ("id", "player_id", "address", "confirmed", "leaving"))
_A = tables.address.c
_FOR_LETTERS = Statement(
    sa.select(_A.address)
    .where(_A.player_id == sa.bindparam("player"), _A.confirmed.is_not(None))
    .where(sa.or_(_A.suspended.is_(None), _A.folded == sa.bindparam("also")))
    .order_by(_A.id)
)
_CONFIRMED = Statement(
    sa.select(sa.func.min(_A.address).label("address")).where(
        _A.folded == sa.bindparam("folded"), _A.confirmed.is_not(None)
    )
)
_NOTE_LIFE = Statement(
    sa.update(tables.address)
    .where(_A.player_id == sa.bindparam("player"), _A.folded == sa.bindparam("from_"), _A.suspended.is_(None))
    .where(sa.or_(_A.bounces > 0, _A.away.is_not(None)))
    .values(bounces=0, away=None)
)


@cache
def _unreachable(count: int) -> Statement:
    own = (_A.player_id.in_(places("id", count)), _A.confirmed.is_not(None))
    return Statement(sa.select(_A.player_id).where(*own).group_by(_A.player_id).having(sa.func.min(_A.bounces) > 0))


@cache
def _suspect(count: int) -> Statement:
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
def _confirmed_of(count: int) -> Statement:
    return Statement(
        sa.select(_A.player_id, _A.id, _A.address, _A.folded, _A.suspended, _A.away, tables.player.c.userid)
        .join(tables.player)
        .where(_A.player_id.in_(places("id", count)), _A.confirmed.is_not(None))
        .order_by(_A.id)
    )


class AddressQueries(Queries):
    """Queries about addresses."""

    def of(self, player_id: int) -> list[Address]:
        """Return the addresses of a player in the order in which they were added."""
        c = tables.address.c
        query = sa.select(*_COLUMNS).where(c.player_id == player_id).order_by(c.id)
        return [Address(*row) for row in self._c.execute(query)]

    def rows_of(self, player_id: int) -> list[AddressRow]:
        """Return the addresses of a player as whole rows, also with suspended, bounces and away."""
        c = tables.address.c
        return self._found(sa.select(tables.address).where(c.player_id == player_id).order_by(c.id))

    def by_id(self, address_id: int) -> Address | None:
        """Return the address with this id, locked until the transaction ends, so that nobody deletes it."""
        c = tables.address.c
        row = self._c.execute(self._locked(sa.select(*_COLUMNS).where(c.id == address_id))).first()
        return Address(*row) if row else None

    def add(self, player_id: int, address: str, now: datetime, confirmed: bool) -> Address:
        """Add an address to a player. The player must not have it yet."""
        when = now if confirmed else None
        values = {"player_id": player_id, "address": address, "confirmed": when}
        extra = {"folded": address.casefold(), "created": now, "leaving": False}
        id_ = self._c.execute(
            sa.insert(tables.address).values(**values, **extra).returning(tables.address.c.id)
        ).scalar_one()
        return Address(id_, player_id, address, when)

    def confirm(self, address_id: int, now: datetime) -> None:
        """Mark an address as confirmed."""
        self._c.execute(sa.update(tables.address).where(tables.address.c.id == address_id).values(confirmed=now))

    def confirmed(self, address: str) -> str | None:
        """Return the address as the player who confirmed it writes it, in any case; None if nobody confirmed it."""
        spelt: str | None = self._first(_CONFIRMED, folded=address.casefold()).address
        return spelt

    def is_own(self, address: str, player_id: int) -> bool:
        """Whether this player has confirmed this address."""
        c = tables.address.c
        own = (c.folded == address.casefold(), c.player_id == player_id, c.confirmed.is_not(None))
        return bool(self._c.scalar(sa.select(sa.exists().where(*own))))

    def has_confirmed(self, player_id: int) -> bool:
        """Return whether a player has confirmed an address. Then we know that a person reads it."""
        c = tables.address.c
        return bool(self._c.scalar(sa.select(sa.exists().where(c.player_id == player_id, c.confirmed.is_not(None)))))

    def replace(self, player_id: int, keep: Iterable[str]) -> None:
        """Replace a player's addresses by these. The others become leaving; unconfirmed ones are deleted."""
        c, kept = tables.address.c, [a.casefold() for a in keep]
        addresses = sa.update(tables.address).where(c.player_id == player_id)
        self._c.execute(addresses.values(leaving=c.folded.not_in(kept)))
        unconfirmed = sa.delete(tables.address).where(c.player_id == player_id, c.leaving, c.confirmed.is_(None))
        self._c.execute(unconfirmed)
        self.drop_leaving(player_id)

    def keep(self, address_id: int) -> None:
        """Keep an address that was leaving."""
        self._c.execute(sa.update(tables.address).where(tables.address.c.id == address_id).values(leaving=False))

    def drop_leaving(self, player_id: int) -> None:
        """Delete the leaving addresses of a player, if there is a confirmed one that stays."""
        c, other = tables.address.c, tables.address.alias()
        stays = sa.exists().where(
            other.c.player_id == player_id, sa.not_(other.c.leaving), other.c.confirmed.is_not(None)
        )
        self._c.execute(sa.delete(tables.address).where(c.player_id == player_id, c.leaving, stays))

    def lapse(self, before: datetime) -> list[int]:
        """Delete at most PEOPLE_AT_ONCE addresses that were added before a time and never confirmed.

        The addresses that they should replace stay. Returns the ids of their players.
        """
        c, other = tables.address.c, tables.address.alias()
        old = sa.select(c.id).where(c.confirmed.is_(None), c.created < before)
        some = old.order_by(c.created).limit(PEOPLE_AT_ONCE)
        lapsed = sa.delete(tables.address).where(c.id.in_(some), c.confirmed.is_(None)).returning(c.player_id)
        ids = sorted(set(self._c.scalars(lapsed)))
        if not ids:
            return []
        successor = sa.exists().where(other.c.player_id == c.player_id, sa.not_(other.c.leaving))
        kept = sa.update(tables.address).where(c.player_id.in_(ids), c.leaving, ~successor)
        self._c.execute(kept.values(leaving=False))
        return ids

    def all(self) -> list[ListedAddress]:
        """Return the addresses of all players, each with when the last mail with it in From came."""
        c, mail, own = tables.address.c, tables.mail.alias(), tables.mail.c
        latest = sa.select(sa.func.max(own.id)).where(own.sender.in_((c.address, c.folded)))
        newest = latest.correlate(tables.address).scalar_subquery()
        joined = tables.address.outerjoin(mail, mail.c.id == newest)
        columns = (c.player_id, c.address, c.confirmed, c.suspended, c.bounces, mail.c.received.label("last_mail"))
        return self._found(sa.select(*columns).select_from(joined).order_by(c.id))

    # --- addresses for letters, and bounces --------------------------------------------------------------------------

    def for_letters(self, player_id: int, also: str = "") -> list[str]:
        """Return where to send letters to a player: confirmed and not suspended; `also` in any case."""
        return [row.address for row in self._rows(_FOR_LETTERS, player=player_id, also=also.casefold())]

    def confirmed_of(self, player_ids: Iterable[int]) -> dict[int, list[UsedAddress]]:
        """Return the confirmed addresses of each of these players: player id -> rows."""
        ids = list(player_ids)
        rows: dict[int, list[UsedAddress]] = {id_: [] for id_ in ids}
        padded = filled(ids)
        for row in self._rows(_confirmed_of(len(padded)), **placed("id", padded)) if ids else ():
            rows[row.player_id].append(row)
        return rows

    def suspect(self, recipients: Sequence[str], since: datetime) -> list[ReadersSuspect]:
        """Return suspended addresses, and those away `since` a time, of the players who own `recipients`."""
        if not recipients:
            return []
        folded = placed("reader", (r.casefold() for r in recipients))
        return self._rows(_suspect(len(recipients)), **folded, since=since)

    def unreachable(self, player_ids: Iterable[int]) -> frozenset[int]:
        """Return those of these players whom no letter reaches: the last letters to all their addresses bounced."""
        ids = [id_ for id_ in player_ids if id_ not in self._noticed.sound]
        rows = self._rows(_unreachable(len(ids)), **placed("id", ids)) if ids else []
        return frozenset(row.player_id for row in rows)

    def count_bounce(self, address: str, now: datetime, most: int) -> None:
        """Count a bounce of this address, and suspend the address if there are `most` in a row."""
        self._noticed.sound.clear()
        c = tables.address.c
        here = sa.update(tables.address).where(c.folded == address.casefold())
        self._c.execute(here.values(bounces=c.bounces + 1))
        self._c.execute(here.where(c.bounces >= most, c.suspended.is_(None)).values(suspended=now))

    def uncount_bounce(self, address: str, most: int) -> None:
        """Take back the last bounce of an address, because it was not about it. With `most` it stays suspended."""
        self._noticed.sound.clear()
        c = tables.address.c
        here = sa.update(tables.address).where(c.folded == address.casefold())
        self._c.execute(here.where(c.bounces > 0).values(bounces=c.bounces - 1))
        self._c.execute(here.where(c.bounces < most).values(suspended=None))

    def note_away(self, address: str, now: datetime) -> None:
        """Note that an out-of-office notice came from this address."""
        self._noticed.sound.clear()
        c = tables.address.c
        here = sa.update(tables.address).where(c.folded == address.casefold(), c.confirmed.is_not(None))
        self._c.execute(here.values(away=now))

    def note_life(self, player_id: int, address: str) -> bool:
        """Note that this address works, because the player wrote from it. Returns whether this changes anything.

        A suspended address stays suspended until the player confirms that it works: see `revive`.
        """
        if player_id in self._noticed.sound:
            return False
        return _NOTE_LIFE.count(self._c, {"player": player_id, "from_": address.casefold()}) > 0

    def revive(self, address_id: int) -> bool:
        """Note that an address works, because its owner says so. Returns whether this changes anything."""
        c = tables.address.c
        here = sa.update(tables.address).where(c.id == address_id, c.bounces > 0)
        return self._c.execute(here.values(bounces=0, suspended=None)).rowcount > 0
