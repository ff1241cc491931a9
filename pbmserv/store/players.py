"""Accounts, addresses, preferences."""

from collections.abc import Iterable
from datetime import datetime
from functools import cache
from typing import Any

import sqlalchemy as sa

from pbmserv.db import engines, tables
from pbmserv.db.queries import Queries
from pbmserv.db.statement import Statement, placed, places
from pbmserv.store.types import Address, Player

#: In the order of Player's fields.
PLAYER_COLUMNS = (tables.player.c.id, tables.player.c.userid, tables.player.c.password_hash, tables.player.c.created)
#: In the order of Address's fields.
ADDRESS_COLUMNS = tuple(tables.address.c[name] for name in ("id", "player_id", "address", "confirmed", "leaving"))

_BY_USERID = Statement(sa.select(*PLAYER_COLUMNS).where(tables.player.c.userid == sa.bindparam("userid")))
_BY_ID = Statement(sa.select(*PLAYER_COLUMNS).where(tables.player.c.id == sa.bindparam("id_")))


@cache
def _preferences(count: int) -> Statement:
    return Statement(sa.select(tables.preference).where(tables.preference.c.player_id.in_(places("id", count))))


@cache
def _held(count: int) -> Statement:
    p = tables.player.c
    rows = sa.select(p.id).where(p.id.in_(places("id", count))).order_by(p.id)
    return Statement(rows.with_for_update(read=True))


@cache
def _away(count: int) -> Statement:
    c, now = tables.vacation.c, sa.bindparam("now", type_=sa.Float())
    mine = c.player_id.in_(places("id", count))
    return Statement(sa.select(c.player_id, c.ends).where(mine, c.begins <= now, c.ends > now))


class Players(Queries):
    """Queries about people."""

    def player(self, userid: str) -> Player | None:
        """The account with this userid, in any case of letters."""
        row = self._first(_BY_USERID, userid=userid.lower())
        return Player(*row) if row else None

    def player_by_id(self, player_id: int) -> Player | None:
        """The account with this number."""
        row = self._first(_BY_ID, id_=player_id)
        return Player(*row) if row else None

    def players_at(self, address: str) -> list[Player]:
        """The accounts that have confirmed this address."""
        query = (
            sa.select(*PLAYER_COLUMNS)
            .join(tables.address)
            .where(tables.address.c.folded == address.casefold(), tables.address.c.confirmed.is_not(None))
            .order_by(tables.player.c.id)
        )
        return [Player(*row) for row in self._c.execute(query)]

    def players(self) -> list[Player]:
        """All accounts by userid."""
        return [Player(*row) for row in self._c.execute(sa.select(*PLAYER_COLUMNS).order_by(tables.player.c.userid))]

    def userids_near(self, word: str, reach: int) -> list[str]:
        """The userids of open accounts that stand around a word in the alphabet, so many before it and behind it."""
        c = tables.player.c
        open_ = sa.select(c.userid).where(c.password_hash.is_not(None)).limit(reach)
        before = self._c.scalars(open_.where(c.userid < word).order_by(c.userid.desc())).all()
        return [*reversed(before), *self._c.scalars(open_.where(c.userid >= word).order_by(c.userid))]

    def userids(self, most: int = 100) -> list[str]:
        """The userids of the oldest open accounts."""
        c = tables.player.c
        query = sa.select(c.userid).where(c.password_hash.is_not(None)).order_by(c.id)
        return list(self._c.scalars(query.limit(most)))

    def add_player(self, userid: str, password_hash: str, now: datetime) -> Player:
        """Open an account; the userid is free."""
        values = {"userid": userid.lower(), "password_hash": password_hash, "created": now}
        id_ = self._c.execute(sa.insert(tables.player).values(values).returning(tables.player.c.id)).scalar_one()
        return Player(id_, **values)  # type: ignore[arg-type]

    def add_closed_player(self, userid: str, now: datetime) -> Player:
        """A userid that only stands in records: nobody can use it."""
        values = {"userid": userid.lower(), "password_hash": None, "created": now}
        new = sa.insert(tables.player).values(**values, closed=now).returning(tables.player.c.id)
        return Player(self._c.execute(new).scalar_one(), **values)  # type: ignore[arg-type]

    def addresses(self, player_id: int) -> list[Address]:
        """The addresses of a player in the order in which they were given."""
        c = tables.address.c
        query = sa.select(*ADDRESS_COLUMNS).where(c.player_id == player_id).order_by(c.id)
        return [Address(*row) for row in self._c.execute(query)]

    def address_rows(self, player_id: int) -> list[Any]:
        """The addresses of a player with all that is known of them: confirmed, suspended, bounces, away."""
        c = tables.address.c
        return list(self._c.execute(sa.select(tables.address).where(c.player_id == player_id).order_by(c.id)))

    def address_by_id(self, address_id: int) -> Address | None:
        """The address with this number, locked until the transaction ends: it cannot lapse while it is confirmed."""
        c = tables.address.c
        row = self._c.execute(self._locked(sa.select(*ADDRESS_COLUMNS).where(c.id == address_id))).first()
        return Address(*row) if row else None

    def add_address(self, player_id: int, address: str, now: datetime, confirmed: bool) -> Address:
        """Give a player one more address; he does not have it yet."""
        when = now if confirmed else None
        values = {"player_id": player_id, "address": address, "confirmed": when}
        extra = {"folded": address.casefold(), "created": now, "leaving": False}
        id_ = self._c.execute(
            sa.insert(tables.address).values(**values, **extra).returning(tables.address.c.id)
        ).scalar_one()
        return Address(id_, player_id, address, when)

    def confirm_address(self, address_id: int, now: datetime) -> None:
        """The owner of the address has said yes."""
        self._c.execute(sa.update(tables.address).where(tables.address.c.id == address_id).values(confirmed=now))

    def is_confirmed(self, address: str) -> bool:
        """Whether anybody has confirmed this address."""
        c = tables.address.c
        query = sa.select(sa.exists().where(c.folded == address.casefold(), c.confirmed.is_not(None)))
        return bool(self._c.scalar(query))

    def preferences(self, player_ids: Iterable[int]) -> dict[tuple[int, str, str], str]:
        """The preferences of these players: (player, game or "", name) -> value."""
        ids = list(player_ids)
        rows = self._rows(_preferences(len(ids)), **placed("id", ids)) if ids else []
        return {(r.player_id, r.game, r.name): r.value for r in rows}

    def set_preference(self, player_id: int, game: str, name: str, value: str) -> None:
        """Remember a preference."""
        keys = {"player_id": player_id, "game": game, "name": name}
        statement = self._insert(tables.preference).values(**keys, value=value)
        self._c.execute(statement.on_conflict_do_update(index_elements=list(keys), set_={"value": value}))

    def open_accounts(self, player_ids: Iterable[int]) -> frozenset[int]:
        """Those of these players whose accounts are open. None is closed until the transaction ends."""
        c = tables.player.c
        ids = list(player_ids)
        self._hold_accounts(ids)
        is_open = sa.select(c.id).where(c.id.in_(ids), c.password_hash.is_not(None))
        return frozenset(self._c.scalars(is_open))

    def away_until(self, player_ids: Iterable[int], now: float) -> dict[int, float]:
        """Those of these players who are on vacation, with the second at which it ends. None begins one meanwhile."""
        ids = list(player_ids)
        self._hold_accounts(ids)
        return {r.player_id: r.ends for r in self._rows(_away(len(ids)), **placed("id", ids), now=now)}

    def _hold_accounts(self, ids: list[int]) -> None:
        """Let nobody change these accounts until the transaction ends; others may hold them, too."""
        if not engines.has_one_writer(self._c) and not engines.only_reads(self._c):
            self._rows(_held(len(ids)), **placed("id", ids))
