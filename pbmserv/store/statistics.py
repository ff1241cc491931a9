"""Counts for the admin."""

from datetime import datetime

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import Queries


class Statistics(Queries):
    """Queries that count."""

    def mails_by_day(self, since: datetime) -> dict[str, int]:
        """How many mails came in, by day in UTC."""
        return self._by_day(tables.mail.c.received, since)

    def letters_by_day(self, since: datetime) -> dict[str, int]:
        """How many letters were written, by day in UTC."""
        return self._by_day(tables.outbox.c.created, since)

    def moves_by_day(self, since: datetime) -> dict[str, int]:
        """How many moves were played, by day in UTC."""
        return self._by_day(tables.entry.c.at, since, tables.entry.c.kind == "move")

    def answer_seconds(self, since: datetime) -> list[float]:
        """How long each move took since what was before it on its board, in ascending order; solitaires left out."""
        e, b = tables.entry.c, tables.board.c
        before = sa.func.lag(e.at).over(partition_by=e.board, order_by=e.number)
        several = sa.select(tables.seat.c.board).where(tables.seat.c.seat == 1)
        touched = sa.select(e.board).where(e.at >= since, e.board.in_(several))
        query = sa.select(e.kind, e.at, sa.func.coalesce(before, b.created, type_=tables.Utc()).label("since"))
        rows = self._c.execute(query.join(tables.board).where(e.board.in_(touched)))
        return sorted((r.at - r.since).total_seconds() for r in rows if r.kind == "move" and r.at >= since)

    def boards_by_game(self, since: datetime) -> dict[str, tuple[int, int, int]]:
        """Of each game: boards that run, boards begun since then, boards ended since then."""
        c = tables.board.c
        counts = (
            sa.func.count().filter(c.over.is_(None)),
            sa.func.count().filter(c.created >= since),
            sa.func.count().filter(c.over >= since),
        )
        query = sa.select(c.game, *counts).group_by(c.game).order_by(c.game)
        return {game: (running, begun, ended) for game, running, begun, ended in self._c.execute(query)}

    def _by_day(self, at: sa.Column[datetime], since: datetime, *conditions: sa.ColumnElement[bool]) -> dict[str, int]:
        if self._c.dialect.name == "sqlite":
            day = sa.func.strftime("%Y-%m-%d", at, type_=sa.String())
        else:
            day = sa.func.to_char(sa.func.timezone("UTC", at), "YYYY-MM-DD", type_=sa.String())
        query = sa.select(day, sa.func.count()).where(at >= since, *conditions).group_by(day).order_by(day)
        return {str(name): count for name, count in self._c.execute(query)}
