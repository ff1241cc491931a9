"""Who may write to whom, and how often."""

from collections.abc import Sequence
from functools import cache

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import Queries
from pbmserv.db.statement import Statement, placed, places

_BLOCKERS = Statement(sa.select(tables.block.c.player_id).where(tables.block.c.blocked_id == sa.bindparam("blocked")))


#: Values of the setting `mail` with which letters have no HTML.
TEXT_ONLY = ("text", "spoken")


@cache
def _text_only(count: int) -> Statement:
    c, p = tables.address.c, tables.preference.c
    wanted = (p.game == "", p.name == "mail", p.value.in_([sa.literal(value) for value in TEXT_ONLY]))
    mine = (c.folded.in_(places("folded", count, sa.String())), c.confirmed.is_not(None))
    return Statement(sa.select(c.folded).join(tables.preference, p.player_id == c.player_id).where(*wanted, *mine))


class Social(Queries):
    """Queries about players and their like or dislike of letters."""

    def add_block(self, player_id: int, blocked_id: int) -> None:
        """Nothing that `blocked_id` writes reaches this player any more."""
        statement = self._insert(tables.block).values(player_id=player_id, blocked_id=blocked_id)
        self._c.execute(statement.on_conflict_do_nothing(index_elements=["player_id", "blocked_id"]))

    def remove_block(self, player_id: int, blocked_id: int) -> None:
        """He may write again."""
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

    def listeners(self, player_id: int) -> list[str]:
        """The addresses, each once, to which a player's broadcasts go: of all who want them and do not block him."""
        c, a, block = tables.preference.c, tables.address.c, tables.block.c
        wants: sa.ColumnElement[bool] = sa.literal_column(
            "preference.name = 'broadcasts' AND preference.value = 'on'"
        )  # as its index has it
        wanted = sa.select(c.player_id).where(c.game == "", wants, c.player_id != player_id)
        deaf = sa.select(block.player_id).where(block.blocked_id == player_id)
        works = (a.confirmed.is_not(None), a.suspended.is_(None))
        query = sa.select(a.address).where(a.player_id.in_(wanted), a.player_id.not_in(deaf), *works).order_by(a.id)
        return list(dict.fromkeys(self._c.scalars(query)))

    def text_only(self, addresses: Sequence[str]) -> frozenset[str]:
        """Those of these addresses, without case, whose player wants letters without HTML."""
        if not addresses:
            return frozenset()
        rows = self._rows(_text_only(len(addresses)), **placed("folded", (a.casefold() for a in addresses)))
        return frozenset(row.folded for row in rows)

    def languages(self, addresses: Sequence[str]) -> dict[str, str]:
        """The language that the player of an address wants, by address without case; who never chose is left out."""
        c, p = tables.address.c, tables.preference.c
        query = (
            sa.select(c.folded, p.value)
            .join(tables.preference, p.player_id == c.player_id)
            .order_by(p.player_id.desc())
        )
        wanted = (
            p.game == "",
            p.name == "language",
            c.folded.in_([a.casefold() for a in addresses]),
            c.confirmed.is_not(None),
        )
        return {row.folded: row.value for row in self._c.execute(query.where(*wanted))}

    def spend(self, player_id: int, what: str, day: str, amount: int, most: int) -> bool:
        """Use up some of a player's daily allowance; False, and nothing is used, if there is not so much left."""
        table = tables.quota
        c = table.c
        if amount > most:
            return False
        statement = self._insert(table).values(player_id=player_id, what=what, day=day, used=amount)
        more = statement.on_conflict_do_update(
            index_elements=["player_id", "what", "day"],
            set_={"used": c.used + amount},
            where=c.used + amount <= most,
        )
        return self._c.execute(more.returning(c.used)).scalar_one_or_none() is not None

    def spent(self, player_id: int, what: str, day: str) -> int:
        """How much of a player's daily allowance is used."""
        c = tables.quota.c
        query = sa.select(c.used).where(c.player_id == player_id, c.what == what, c.day == day)
        return self._c.scalar(query) or 0
