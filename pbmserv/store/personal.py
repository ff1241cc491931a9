"""All that is known of one person, for the right of access; and a new userid."""

from typing import Any

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import Queries

#: What is kept from an export: secrets and their digests, which would let a finder of the file in.
_SECRET = ("digest", "password_hash", "sealed")


class Personal(Queries):
    """Queries about everything of a player's."""

    def personal_data(self, player_id: int) -> dict[str, list[dict[str, Any]]]:
        """Rows by table: all that refer to the player, his mails, and his letters with their text.

        Who has blocked him is the others' own affair.
        """
        found = {
            table.name: self._plain(table, sa.or_(*(c == player_id for c in columns)))
            for table in tables.metadata.sorted_tables
            if (
                columns := [
                    c for c in table.c if c.references(tables.player.c.id) and c is not tables.block.c.blocked_id
                ]
            )
        }
        c, entry, seat = tables.address.c, tables.entry.c, tables.seat.c
        his = sa.select(sa.func.lower(c.address)).where(c.player_id == player_id)
        seated = sa.exists().where(seat.player_id == player_id, seat.board == entry.board, seat.seat == entry.seat)
        return found | {
            "player": self._plain(tables.player, tables.player.c.id == player_id),
            "entry": self._plain(tables.entry, seated),
            "mail": self._plain(tables.mail, sa.func.lower(tables.mail.c.sender).in_(his)),
            "outbox": self._plain(tables.outbox, sa.func.lower(tables.outbox.c.recipient).in_(his)),
        }

    def rename_player(self, player_id: int, old: str, new: str) -> None:
        """Give a player another userid, also in the invitations that are on their way."""
        self._c.execute(sa.update(tables.player).where(tables.player.c.id == player_id).values(userid=new))
        c = tables.token.c
        for row in self._c.execute(sa.select(c.id, c.data).where(c.purpose == "invite", c.used.is_(None))).all():
            places = [new if place == old else place for place in row.data["places"]]
            if places != row.data["places"]:
                data = {**row.data, "places": places}
                self._c.execute(sa.update(tables.token).where(c.id == row.id).values(data=data))

    def _plain(self, table: sa.Table, condition: sa.ColumnElement[bool]) -> list[dict[str, Any]]:
        columns = [c for c in table.c if c.name not in _SECRET]
        query = sa.select(*columns).where(condition).order_by(*table.primary_key)
        return [dict(row._mapping) for row in self._c.execute(query)]
