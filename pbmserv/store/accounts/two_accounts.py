"""Two accounts of one person become one."""

from datetime import datetime

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import Queries
from pbmserv.model import Player
from pbmserv.model.operations import player_subject

#: What names a player and stands once for each thing that it is about: these columns just name the other account.
_RECORDS = (
    tables.seat.c.player_id,
    tables.seeker.c.player_id,
    tables.entrant.c.player_id,
    tables.pairing.c.first,
    tables.pairing.c.second,
    tables.pairing.c.forfeiter,
    tables.tournament.c.organiser,
    tables.collected.c.player_id,
    tables.seek.c.wanted,
    tables.player.c.renamed,
)
#: What a player has once of each: (the player's column, what of it there is once).
_LISTS = (
    (tables.address.c.player_id, tables.address.c.folded),
    (tables.subscription.c.player_id, tables.subscription.c.board),
    (tables.vacation.c.player_id, tables.vacation.c.begins),
    (tables.block.c.player_id, tables.block.c.blocked_id),
    (tables.block.c.blocked_id, tables.block.c.player_id),
)
#: What stays of the account that goes on only. Ratings and scores are made again from the boards.
_DROPPED = (tables.preference, tables.digest, tables.webhook, tables.token, tables.rating, tables.score)


class MergeQueries(Queries):
    """Queries for `players merge`."""

    def boards_of_both(self, one: Player, other: Player) -> list[int]:
        """Return the boards on which both have a seat."""
        c = tables.seat.c
        return self._of_both(c.board, c.player_id, one, other)

    def tournaments_of_both(self, one: Player, other: Player) -> list[int]:
        """Return the tournaments in which both took part, whether in the same season or not."""
        c = tables.entrant.c
        return self._of_both(c.tournament, c.player_id, one, other)

    def games_of(self, player: Player) -> set[str]:
        """Return the games of all boards of a player."""
        query = sa.select(tables.board.c.game).join(tables.seat).where(tables.seat.c.player_id == player.id)
        return set(self._c.scalars(query.distinct()))

    def merge(self, gone: Player, kept: Player, now: datetime) -> None:
        """Let all that belongs to one account belong to another, and close it as the old name of that one.

        They must have no board and no tournament together. The open invitations of the account go on.
        """
        self._move_watched(gone.id, kept.id)
        c = tables.token.c
        invitations = sa.update(tables.token).where(c.player_id == gone.id, c.purpose == "invite")
        self._c.execute(invitations.values(player_id=kept.id))
        for column in _RECORDS:
            self._c.execute(sa.update(column.table).where(column == gone.id).values({column.name: kept.id}))
        self._let_confirmed_win(gone.id, kept.id)
        for column, key in _LISTS:
            self._move_list(column, key, gone.id, kept.id)
        for table in _DROPPED:
            self._c.execute(sa.delete(table).where(table.c.player_id == gone.id))
        self._c.execute(sa.delete(tables.counter).where(tables.counter.c.subject == player_subject(gone.id)))
        closed = sa.update(tables.player).where(tables.player.c.id == gone.id)
        self._c.execute(closed.values(password_hash=None, closed=now, renamed=kept.id))

    def _of_both(self, thing: sa.Column[int], who: sa.Column[int], one: Player, other: Player) -> list[int]:
        both = sa.select(thing).where(who.in_((one.id, other.id))).group_by(thing)
        return list(self._c.scalars(both.having(sa.func.count(who.distinct()) > 1).order_by(thing)))

    def _move_watched(self, gone: int, kept: int) -> None:
        """End subscriptions of each account to boards of the other, and blocks between them."""
        c, seat, block = tables.subscription.c, tables.seat.c, tables.block.c
        ours = sa.select(seat.board).where(seat.player_id.in_((gone, kept)))
        self._c.execute(sa.delete(tables.subscription).where(c.player_id.in_((gone, kept)), c.board.in_(ours)))
        between = (block.player_id.in_((gone, kept)), block.blocked_id.in_((gone, kept)))
        self._c.execute(sa.delete(tables.block).where(*between))

    def _let_confirmed_win(self, gone: int, kept: int) -> None:
        """Forget addresses of the account that goes on that nobody has confirmed, if the other has them, too."""
        c = tables.address.c
        theirs = sa.select(c.folded).where(c.player_id == gone).scalar_subquery()
        self._c.execute(
            sa.delete(tables.address).where(c.player_id == kept, c.confirmed.is_(None), c.folded.in_(theirs))
        )

    def _move_list(self, who: sa.Column[int], key: sa.ColumnElement[object], gone: int, kept: int) -> None:
        theirs = sa.select(key).where(who == kept).scalar_subquery()
        self._c.execute(sa.delete(who.table).where(who == gone, key.in_(theirs)))
        self._c.execute(sa.update(who.table).where(who == gone).values({who.name: kept}))
