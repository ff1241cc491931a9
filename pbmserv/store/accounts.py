"""The life of an account: its password, the change of its addresses, reset tokens, vacations, its end."""

from collections.abc import Iterable
from datetime import datetime

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import PEOPLE_AT_ONCE, Queries
from pbmserv.store.players import PLAYER_COLUMNS
from pbmserv.store.types import Player, Vacation

#: What belongs to a player alone; seats, ratings and seeks that became boards belong to the records.
_PERSONAL = (
    tables.address,
    tables.preference,
    tables.subscription,
    tables.token,
    tables.vacation,
    tables.quota,
    tables.collected,
    tables.digest,
)


class Accounts(Queries):
    """Queries about the changes of an account."""

    def set_password(self, player_id: int, password_hash: str) -> None:
        """A new password; letters that offered to reset the old one are worth nothing now."""
        update = sa.update(tables.player).where(tables.player.c.id == player_id)
        self._c.execute(update.values(password_hash=password_hash))
        self.void_tokens("reset", player_id)

    # --- addresses -------------------------------------------------------------------------------------------------

    def replace_addresses(self, player_id: int, keep: Iterable[str]) -> None:
        """All addresses but these are leaving; those that nobody confirmed go at once."""
        c, kept = tables.address.c, [a.casefold() for a in keep]
        mine = sa.update(tables.address).where(c.player_id == player_id)
        self._c.execute(mine.values(leaving=c.folded.not_in(kept)))
        unconfirmed = sa.delete(tables.address).where(c.player_id == player_id, c.leaving, c.confirmed.is_(None))
        self._c.execute(unconfirmed)
        self.drop_leaving(player_id)

    def keep_address(self, address_id: int) -> None:
        """The address is not leaving, or no more."""
        self._c.execute(sa.update(tables.address).where(tables.address.c.id == address_id).values(leaving=False))

    def drop_leaving(self, player_id: int) -> None:
        """Forget the addresses that are being replaced, if another one is confirmed."""
        c, other = tables.address.c, tables.address.alias()
        stays = sa.exists().where(
            other.c.player_id == player_id, sa.not_(other.c.leaving), other.c.confirmed.is_not(None)
        )
        self._c.execute(sa.delete(tables.address).where(c.player_id == player_id, c.leaving, stays))

    def lapse_addresses(self, before: datetime) -> list[int]:
        """Forget addresses that were given before a time and never confirmed; what they were to replace stays.

        At most PEOPLE_AT_ONCE; the numbers of their players.
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

    def without_address(self, ids: Iterable[int]) -> list[Player]:
        """Those of these players whose accounts are open, but have no address at all."""
        c = tables.player.c
        has_one = sa.exists().where(tables.address.c.player_id == c.id)
        query = sa.select(*PLAYER_COLUMNS).where(c.id.in_(list(ids)), c.password_hash.is_not(None), ~has_one)
        return [Player(*row) for row in self._c.execute(query.order_by(c.id))]

    # --- the end of an account --------------------------------------------------------------------------------------

    def running_boards(self, player_id: int) -> list[int]:
        """The numbers of a player's running boards, lowest first: the order in which boards are locked."""
        mine = sa.select(tables.seat.c.board).where(tables.seat.c.player_id == player_id)
        c = tables.board.c
        query = sa.select(c.number).where(c.number.in_(mine), c.over.is_(None)).order_by(c.number)
        return list(self._c.scalars(self._locked(query)))

    def lock_account(self, player_id: int) -> None:
        """Let no board or vacation of this player begin, except ours, until the transaction ends."""
        self._hold(sa.select(tables.player.c.id).where(tables.player.c.id == player_id))

    def erase_player(self, player_id: int, now: datetime) -> None:
        """Close an account: nothing of the person remains but the userid, the boards and the ratings."""
        self._withdraw_seeks(player_id, now)
        for table in (tables.queued, tables.submitted):
            mine = sa.select(tables.seat.c.board, tables.seat.c.seat).where(tables.seat.c.player_id == player_id)
            self._c.execute(sa.delete(table).where(sa.tuple_(table.c.board, table.c.seat).in_(mine)))
        for table in _PERSONAL:
            self._c.execute(sa.delete(table).where(table.c.player_id == player_id))
        block = tables.block.c
        self._c.execute(
            sa.delete(tables.block).where(sa.or_(block.player_id == player_id, block.blocked_id == player_id))
        )
        closed = sa.update(tables.player).where(tables.player.c.id == player_id)
        self._c.execute(closed.values(password_hash=None, closed=now))

    def delete_unused(self, player_id: int) -> None:
        """Delete an erased account that no record names, so that its userid is free again."""
        used = [
            sa.exists().where(table.c.player_id == player_id) for table in (tables.seat, tables.rating, tables.seeker)
        ]
        self._c.execute(sa.delete(tables.player).where(tables.player.c.id == player_id, ~sa.or_(*used)))

    def _withdraw_seeks(self, player_id: int, now: datetime) -> None:
        """Give up the player's places in open seeks; those without players are over."""
        seeker, seek = tables.seeker.c, tables.seek.c
        still_open = sa.exists().where(seek.number == seeker.seek, seek.closed.is_(None))
        gone = sa.delete(tables.seeker).where(seeker.player_id == player_id, still_open)
        left = self._c.scalars(gone.returning(seeker.seek)).all()
        empty = ~sa.exists().where(seeker.seek == seek.number)
        self._c.execute(sa.update(tables.seek).where(seek.number.in_(left), empty).values(closed=now))

    # --- tokens ------------------------------------------------------------------------------------------------------

    def add_token(self, purpose: str, digest: str, player_id: int, now: datetime, expires: datetime) -> None:
        """Remember a one-time secret that was mailed; earlier ones of the same purpose are worth nothing now."""
        self.void_tokens(purpose, player_id)
        values = {"purpose": purpose, "digest": digest, "player_id": player_id, "created": now, "expires": expires}
        self._c.execute(sa.insert(tables.token).values(**values, address="", data={}))

    def use_token(self, purpose: str, digest: str, now: datetime) -> int | None:
        """The player to whom a one-time secret was mailed; None if it is unknown, used or out of time."""
        c = tables.token.c
        valid = (c.purpose == purpose, c.digest == digest, c.used.is_(None), c.expires > now)
        used = sa.update(tables.token).where(*valid).values(used=now).returning(c.player_id)
        return self._c.execute(used).scalar_one_or_none()

    def void_tokens(self, purpose: str, player_id: int) -> None:
        """Forget the one-time secrets that were mailed to a player."""
        c = tables.token.c
        self._c.execute(sa.delete(tables.token).where(c.purpose == purpose, c.player_id == player_id))

    # --- vacations ---------------------------------------------------------------------------------------------------

    def vacations(self, player_id: int) -> list[Vacation]:
        """The vacations of a player in order, past and present. Locks his account."""
        self.lock_account(player_id)
        c = tables.vacation.c
        query = sa.select(c.begins, c.ends).where(c.player_id == player_id).order_by(c.begins)
        return [Vacation(*row) for row in self._c.execute(query)]

    def set_vacation(self, player_id: int, vacation: Vacation) -> None:
        """Write a vacation, or the new end of the one that began at the same time."""
        keys = {"player_id": player_id, "begins": vacation.begins}
        statement = self._insert(tables.vacation).values(**keys, ends=vacation.ends)
        self._c.execute(statement.on_conflict_do_update(index_elements=list(keys), set_={"ends": vacation.ends}))
