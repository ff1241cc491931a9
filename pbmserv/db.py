"""The tables, and the engine with the durability that a 250 promises. SQL statements live in store.py."""

from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Dialect, Engine

#: Execution option of a connection that only reads: it then does not wait for the writer.
READ_ONLY = {"pbmserv_read_only": True}


class Utc(sa.types.TypeDecorator[datetime]):
    """An aware datetime, stored in UTC; SQLite keeps no zone, so it is put back on the way out."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.astimezone(UTC).replace(tzinfo=None if dialect.name == "sqlite" else UTC) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.replace(tzinfo=UTC) if value and value.tzinfo is None else value


metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

#: SQLite counts 64-bit row ids only in a column declared INTEGER.
Id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _id(name: str = "id", start: int = 1) -> sa.Column[int]:
    return sa.Column(name, Id, sa.Identity(start=start), primary_key=True)


player = sa.Table(
    "player",
    metadata,
    _id(),
    sa.Column("userid", sa.String(20), nullable=False, unique=True),  # lower case
    sa.Column("password_hash", sa.String(200)),
    sa.Column("created", Utc, nullable=False),
    sqlite_autoincrement=True,
)

address = sa.Table(
    "address",
    metadata,
    _id(),
    sa.Column("player_id", sa.ForeignKey("player.id"), nullable=False),
    sa.Column("address", sa.String(254), nullable=False),
    sa.Column("folded", sa.String(254), nullable=False, index=True),  # compared without case
    sa.Column("created", Utc, nullable=False),
    sa.Column("confirmed", Utc),
    sa.UniqueConstraint("player_id", "folded"),
    sqlite_autoincrement=True,  # a signed address names the row: its number must never be given again
)

preference = sa.Table(
    "preference",
    metadata,
    sa.Column("player_id", sa.ForeignKey("player.id"), primary_key=True),
    sa.Column("game", sa.String(40), primary_key=True),  # "" for the server's own
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.String(200), nullable=False),
)

mail = sa.Table(
    "mail",
    metadata,
    _id(),
    sa.Column("digest", sa.String(64), nullable=False, unique=True),
    sa.Column("received", Utc, nullable=False, index=True),
    sa.Column("peer", sa.String(60), nullable=False),
    sa.Column("sender", sa.String(254), nullable=False, index=True),
    sa.Column("message_id", sa.Text, nullable=False),
    sa.Column("status", sa.String(10), nullable=False),  # done, error, silent, refused, shelved
    sa.Column("calls", sa.Text, nullable=False),  # the command lines without passwords
    sa.Column("problem", sa.Text, nullable=False),  # why it was not read or not run, for the admin
    sa.Column("sealed", sa.LargeBinary),  # the raw bytes, only while shelved
    sqlite_autoincrement=True,
)

board = sa.Table(
    "board",
    metadata,
    _id("number", start=101),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("rules", sa.Integer, nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("seed", sa.String(32), nullable=False),
    sa.Column("settings", sa.JSON, nullable=False),  # rated, nag and forfeit times: store.Settings
    sa.Column("created", Utc, nullable=False),
    sa.Column("over", Utc),
    # From here on a cache of the log: `pbmserv boards verify` compares.
    sa.Column("changed", Utc, nullable=False),
    sa.Column("ply", sa.Integer, nullable=False),
    sa.Column("length", sa.Integer, nullable=False),
    sa.Column("position", sa.Text, nullable=False),
    sa.Column("state", sa.JSON, nullable=False),  # open proposal, seats that left, result
    sqlite_autoincrement=True,
)

seat = sa.Table(
    "seat",
    metadata,
    sa.Column("board", sa.ForeignKey("board.number"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("player_id", sa.ForeignKey("player.id"), nullable=False),
    sa.Column("to_move", sa.Boolean, nullable=False),  # cache, for the lists
    sa.Index("ix_seat_player_id_board", "player_id", "board"),
)

entry = sa.Table(
    "entry",
    metadata,
    sa.Column("board", sa.ForeignKey("board.number"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),  # from 1, without gaps
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("ply", sa.Integer, nullable=False),
    sa.Column("at", Utc, nullable=False),
    sa.Column("mail_id", sa.ForeignKey("mail.id"), index=True),
    # Derived from the log; kept because letters show it.
    sa.Column("fixed", sa.Boolean, nullable=False),
    sa.Column("missed", sa.JSON, nullable=False),
    sa.Column("notes", sa.JSON, nullable=False),
)

outbox = sa.Table(
    "outbox",
    metadata,
    _id(),
    sa.Column("mail_id", sa.ForeignKey("mail.id"), index=True),  # the cause, where a mail was one
    sa.Column("board", sa.ForeignKey("board.number"), index=True),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("recipient", sa.String(254), nullable=False),
    sa.Column("data", sa.LargeBinary, nullable=False),
    sa.Column("created", Utc, nullable=False),
    sa.Column("status", sa.String(10), nullable=False),  # queued, sent, refused
    sa.Column("due", Utc, nullable=False),  # when queued: not before; pushed forward by leases and retries
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("finished", Utc),
    sa.Column("receipt", sa.Text, nullable=False),  # what the relay said last
    sa.Index(
        "ix_outbox_queue",
        "due",
        "id",
        sqlite_where=sa.text("status = 'queued'"),
        postgresql_where=sa.text("status = 'queued'"),
    ),
    sa.Index("ix_outbox_recipient_created", "recipient", "created"),
    sqlite_autoincrement=True,
)


def connect(url: str) -> Engine:
    """The engine for a database URL. Statements never show their parameters: those could be secrets."""
    if url.startswith("postgresql:"):
        url = url.replace("postgresql:", "postgresql+psycopg:", 1)
    engine = sa.create_engine(url, hide_parameters=True)
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _prepare_sqlite)
        sa.event.listen(engine, "begin", _begin_sqlite)
    else:
        sa.event.listen(engine, "connect", _prepare_postgresql)
    return engine


def _prepare_sqlite(connection: Any, record: Any) -> None:
    """Durable commits (WAL with FULL syncs before the commit returns), and transactions that we begin ourselves.

    In the driver's own transaction mode, writes inside a released savepoint survive the outer rollback.
    """
    connection.isolation_level = None
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "busy_timeout = 10000"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    """Take the write lock at once: a lock that is upgraded later can fail after the work is done."""
    reads = connection.get_execution_options().get("pbmserv_read_only")
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


def _prepare_postgresql(connection: Any, record: Any) -> None:
    connection.execute("SET synchronous_commit = on")
    connection.commit()
