"""Who reads the letters of boards on which he does not play."""

from typing import NamedTuple

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import Queries
from pbmserv.db.statement import Statement
from pbmserv.store.players import PLAYER_COLUMNS
from pbmserv.store.types import Player

_SUBSCRIBERS = Statement(
    sa.select(*PLAYER_COLUMNS, tables.subscription.c.end_only)
    .join(tables.subscription)
    .where(tables.subscription.c.board == sa.bindparam("board"), tables.player.c.closed.is_(None))
    .order_by(tables.player.c.id)
)


class Subscriber(NamedTuple):
    """A reader of a board; `end_only`: of its last letter."""

    player: Player
    end_only: bool


class Subscriptions(Queries):
    """Queries about subscriptions."""

    def subscribers(self, board: int) -> list[Subscriber]:
        """The readers of a board whose accounts are open."""
        rows = self._rows(_SUBSCRIBERS, board=board)
        return [Subscriber(Player(*r[: len(PLAYER_COLUMNS)]), r.end_only) for r in rows]

    def subscriptions(self, player_id: int) -> list[tuple[int, bool]]:
        """The running boards that a player reads: number, and whether only its last letter."""
        c = tables.subscription.c
        query = (
            sa.select(c.board, c.end_only)
            .join(tables.board)
            .where(c.player_id == player_id, tables.board.c.over.is_(None))
        )
        return [(r.board, r.end_only) for r in self._c.execute(query.order_by(c.board))]

    def subscribe(self, board: int, player_id: int, end_only: bool) -> None:
        """A player reads a board, in this way from now on."""
        keys = {"board": board, "player_id": player_id}
        statement = self._insert(tables.subscription).values(**keys, end_only=end_only)
        self._c.execute(statement.on_conflict_do_update(index_elements=list(keys), set_={"end_only": end_only}))

    def unsubscribe(self, board: int, player_id: int) -> bool:
        """The player reads the board no more; whether he did."""
        c = tables.subscription.c
        gone = sa.delete(tables.subscription).where(c.board == board, c.player_id == player_id)
        return bool(self._c.execute(gone.returning(c.board)).first())
