"""Count the letters that wait for a sender."""

import sqlalchemy as sa

from pbmserv.db import tables


def letters_waiting(engine: sa.Engine) -> int:
    """Return how many letters are not sent yet."""
    with engine.connect() as connection:
        waiting = sa.select(sa.func.count()).where(tables.outbox.c.status == "queued")
        return int(connection.execute(waiting).scalar_one())
