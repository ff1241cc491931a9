"""Invitations to addresses: who asked whom to which board, and who wants to hear of none."""

import secrets
from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, NamedTuple

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import PEOPLE_AT_ONCE, Queries

_INVITE = "invite"
_NEVER = "never"
_FOR_EVER = datetime(9999, 1, 1, tzinfo=UTC)


class Invitation(NamedTuple):
    """An invitation; `data` holds the terms of the board. `used` once it was answered."""

    id: int
    player_id: int
    address: str
    data: dict[str, Any]
    expires: datetime
    used: datetime | None


class Invitations(Queries):
    """Queries about invitations."""

    def add_invitation(
        self, player_id: int, address: str, data: dict[str, Any], now: datetime, expires: datetime
    ) -> int:
        """Write an invitation down; its number."""
        values = {
            "purpose": _INVITE,
            "digest": sha256(secrets.token_bytes(16)).hexdigest(),
            "player_id": player_id,
            "address": address,
            "data": data,
            "created": now,
            "expires": expires,
        }
        return int(self._c.execute(sa.insert(tables.token).values(values).returning(tables.token.c.id)).scalar_one())

    def invitation(self, number: int) -> Invitation | None:
        """The invitation with this number, locked until the transaction ends."""
        return next(iter(self._invitations(tables.token.c.id == number)), None)

    def expired_invitations(self, now: datetime) -> list[Invitation]:
        """Invitations whose time is over, answered or not; at most PEOPLE_AT_ONCE."""
        return self._invitations(tables.token.c.expires <= now, PEOPLE_AT_ONCE)

    def use_invitation(self, number: int, now: datetime) -> None:
        """The invitation was answered."""
        self._c.execute(sa.update(tables.token).where(tables.token.c.id == number).values(used=now))

    def forget_invitations(self, numbers: Iterable[int]) -> None:
        """Nothing of these invitations is kept, least of all the addresses."""
        c = tables.token.c
        self._c.execute(sa.delete(tables.token).where(c.purpose == _INVITE, c.id.in_(list(numbers))))

    def count_invitations(self, since: datetime, *, player_id: int | None = None, address: str = "") -> int:
        """How many invitations were made since a time: by a player, or to an address in any case of letters.

        Nobody else counts the same ones until the transaction ends.
        """
        self._take_turns(f"invitations {player_id or address.lower()}")
        c = tables.token.c
        whose = c.player_id == player_id if player_id is not None else sa.func.lower(c.address) == address.lower()
        query = sa.select(sa.func.count()).where(c.purpose == _INVITE, c.created > since, whose)
        return int(self._c.scalar(query) or 0)

    def refuse_invitations(self, digest: str, now: datetime) -> None:
        """No invitation ever goes to the address of this digest again."""
        values = {"purpose": _NEVER, "digest": digest, "address": "", "data": {}, "created": now, "expires": _FOR_EVER}
        self._c.execute(self._insert(tables.token).values(values).on_conflict_do_nothing(index_elements=["digest"]))

    def refuses_invitations(self, digest: str) -> bool:
        """Whether the owner of the address of this digest wants none."""
        c = tables.token.c
        return bool(self._c.scalar(sa.select(sa.exists().where(c.purpose == _NEVER, c.digest == digest))))

    def _invitations(self, condition: sa.ColumnElement[bool], most: int = 1) -> list[Invitation]:
        c = tables.token.c
        columns = (c.id, c.player_id, c.address, c.data, c.expires, c.used)
        query = sa.select(*columns).where(c.purpose == _INVITE, condition).order_by(c.expires, c.id).limit(most)
        return [Invitation(*row) for row in self._c.execute(self._locked(query))]
