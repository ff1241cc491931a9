"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    for create in _TABLES.values():
        create()


def downgrade() -> None:
    for table in reversed(_TABLES):
        op.drop_table(table)


def _board() -> None:
    op.create_table(
        "board",
        sa.Column(
            "number",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            sa.Identity(always=False, start=101),
            nullable=False,
        ),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("rules", sa.Integer(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("seed", sa.String(length=32), nullable=False),
        sa.Column(
            "variant",
            sa.String(length=200).with_variant(sa.String(length=200, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column("origin", sa.Text(), nullable=True),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("over", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ending", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("changed", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("position", sa.Text(), nullable=False),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_board")),
        sqlite_autoincrement=True,
    )

    with op.batch_alter_table("board", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_board_ending"), ["ending"], unique=False)

    if op.get_bind().dialect.name == "sqlite":  # boards count from 101; PostgreSQL has it from the identity column
        op.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('board', 100)")


def _event() -> None:
    op.create_table(
        "event",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            sa.Identity(always=False, start=1),
            nullable=False,
        ),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("who", sa.String(length=80), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event")),
        sqlite_autoincrement=True,
    )

    with op.batch_alter_table("event", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_event_at"), ["at"], unique=False)


def _fact() -> None:
    op.create_table(
        "fact",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_fact")),
    )


def _mail() -> None:
    op.create_table(
        "mail",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            sa.Identity(always=False, start=1),
            nullable=False,
        ),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("received", sa.DateTime(timezone=True), nullable=False),
        sa.Column("peer", sa.String(length=60), nullable=False),
        sa.Column("sender", sa.String(length=254), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("calls", sa.Text(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail")),
        sa.UniqueConstraint("digest", name=op.f("uq_mail_digest")),
        sqlite_autoincrement=True,
    )

    with op.batch_alter_table("mail", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_mail_received"), ["received"], unique=False)
        batch_op.create_index(batch_op.f("ix_mail_sender"), ["sender"], unique=False)


def _player() -> None:
    op.create_table(
        "player",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            sa.Identity(always=False, start=1),
            nullable=False,
        ),
        sa.Column(
            "userid",
            sa.String(length=20).with_variant(sa.String(length=20, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column("password_hash", sa.String(length=200), nullable=True),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player")),
        sa.UniqueConstraint("userid", name=op.f("uq_player_userid")),
        sqlite_autoincrement=True,
    )


def _address() -> None:
    op.create_table(
        "address",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            sa.Identity(always=False, start=1),
            nullable=False,
        ),
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("folded", sa.String(length=254), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("confirmed", sa.DateTime(timezone=True), nullable=True),
        sa.Column("leaving", sa.Boolean(), nullable=False),
        sa.Column("bounces", sa.Integer(), server_default="0", nullable=False),
        sa.Column("suspended", sa.DateTime(timezone=True), nullable=True),
        sa.Column("away", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_address_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_address")),
        sa.UniqueConstraint("player_id", "folded", name=op.f("uq_address_player_id_folded")),
        sqlite_autoincrement=True,
    )

    with op.batch_alter_table("address", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_address_folded"), ["folded"], unique=False)


def _block() -> None:
    op.create_table(
        "block",
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("blocked_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(["blocked_id"], ["player.id"], name=op.f("fk_block_blocked_id")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_block_player_id")),
        sa.PrimaryKeyConstraint("player_id", "blocked_id", name=op.f("pk_block")),
    )


def _collected() -> None:
    op.create_table(
        "collected",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            sa.Identity(always=False, start=1),
            nullable=False,
        ),
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("board", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.String(length=20), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["board"], ["board.number"], name=op.f("fk_collected_board")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_collected_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_collected")),
        sqlite_autoincrement=True,
    )

    with op.batch_alter_table("collected", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_collected_player_id"), ["player_id"], unique=False)


def _digest() -> None:
    op.create_table(
        "digest",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            sa.Identity(always=False, start=1),
            nullable=False,
        ),
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("sent", sa.DateTime(timezone=True), nullable=False),
        sa.Column("boards", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_digest_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_digest")),
        sqlite_autoincrement=True,
    )

    with op.batch_alter_table("digest", schema=None) as batch_op:
        batch_op.create_index("ix_digest_player_id_sent", ["player_id", "sent"], unique=False)


def _entry() -> None:
    op.create_table(
        "entry",
        sa.Column("board", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("mail_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("fixed", sa.Boolean(), nullable=False),
        sa.Column("missed", sa.JSON(), nullable=False),
        sa.Column("notes", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["board"], ["board.number"], name=op.f("fk_entry_board")),
        sa.ForeignKeyConstraint(["mail_id"], ["mail.id"], name=op.f("fk_entry_mail_id")),
        sa.PrimaryKeyConstraint("board", "number", name=op.f("pk_entry")),
    )

    with op.batch_alter_table("entry", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_entry_mail_id"), ["mail_id"], unique=False)


def _outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            sa.Identity(always=False, start=1),
            nullable=False,
        ),
        sa.Column("mail_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("board", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("recipient", sa.String(length=254), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=False),
        sa.Column("leased", sa.Boolean(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("finished", sa.DateTime(timezone=True), nullable=True),
        sa.Column("receipt", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["board"], ["board.number"], name=op.f("fk_outbox_board")),
        sa.ForeignKeyConstraint(["mail_id"], ["mail.id"], name=op.f("fk_outbox_mail_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sqlite_autoincrement=True,
    )

    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_outbox_board"), ["board"], unique=False)
        batch_op.create_index(batch_op.f("ix_outbox_mail_id"), ["mail_id"], unique=False)
        batch_op.create_index(
            "ix_outbox_queue",
            ["due", "id"],
            unique=False,
            sqlite_where=sa.text("status = 'queued'"),
            postgresql_where=sa.text("status = 'queued'"),
        )
        batch_op.create_index("ix_outbox_recipient_created", ["recipient", "created"], unique=False)


def _preference() -> None:
    op.create_table(
        "preference",
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("value", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_preference_player_id")),
        sa.PrimaryKeyConstraint("player_id", "game", "name", name=op.f("pk_preference")),
    )


def _queued() -> None:
    op.create_table(
        "queued",
        sa.Column("board", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("theirs", sa.String(length=200), nullable=False),
        sa.Column("mine", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["board"], ["board.number"], name=op.f("fk_queued_board")),
        sa.PrimaryKeyConstraint("board", "seat", "number", name=op.f("pk_queued")),
    )


def _rating() -> None:
    op.create_table(
        "rating",
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("boards", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_rating_player_id")),
        sa.PrimaryKeyConstraint("game", "player_id", name=op.f("pk_rating")),
    )

    with op.batch_alter_table("rating", schema=None) as batch_op:
        batch_op.create_index("ix_rating_game_mu", ["game", "mu"], unique=False)


def _seat() -> None:
    op.create_table(
        "seat",
        sa.Column("board", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("to_move", sa.Boolean(), nullable=False),
        sa.Column("since", sa.Double(), nullable=True),
        sa.Column("due", sa.Double(), nullable=True),
        sa.Column("used", sa.Double(), nullable=False),
        sa.Column("nags", sa.Integer(), nullable=False),
        sa.Column("nagged", sa.Double(), nullable=True),
        sa.Column("paused", sa.Double(), nullable=True),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.Column("score", sa.BigInteger(), nullable=True),
        sa.Column("mu_before", sa.Double(), nullable=True),
        sa.Column("mu_after", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["board"], ["board.number"], name=op.f("fk_seat_board")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_seat_player_id")),
        sa.PrimaryKeyConstraint("board", "seat", name=op.f("pk_seat")),
    )

    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_seat_due"), ["due"], unique=False)
        batch_op.create_index("ix_seat_player_id_board", ["player_id", "board"], unique=False)


def _seek() -> None:
    op.create_table(
        "seek",
        sa.Column(
            "number",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            sa.Identity(always=False, start=1),
            nullable=False,
        ),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("rating_from", sa.Integer(), nullable=True),
        sa.Column("rating_to", sa.Integer(), nullable=True),
        sa.Column("random", sa.Boolean(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed", sa.DateTime(timezone=True), nullable=True),
        sa.Column("board", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.ForeignKeyConstraint(["board"], ["board.number"], name=op.f("fk_seek_board")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_seek")),
        sqlite_autoincrement=True,
    )


def _submitted() -> None:
    op.create_table(
        "submitted",
        sa.Column("board", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["board"], ["board.number"], name=op.f("fk_submitted_board")),
        sa.PrimaryKeyConstraint("board", "seat", name=op.f("pk_submitted")),
    )


def _subscription() -> None:
    op.create_table(
        "subscription",
        sa.Column("board", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("end_only", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["board"], ["board.number"], name=op.f("fk_subscription_board")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_subscription_player_id")),
        sa.PrimaryKeyConstraint("board", "player_id", name=op.f("pk_subscription")),
    )


def _token() -> None:
    op.create_table(
        "token",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            sa.Identity(always=False, start=1),
            nullable=False,
        ),
        sa.Column("purpose", sa.String(length=20), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_token_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_token")),
        sa.UniqueConstraint("digest", name=op.f("uq_token_digest")),
        sqlite_autoincrement=True,
    )

    with op.batch_alter_table("token", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_token_address"), ["address"], unique=False)


def _vacation() -> None:
    op.create_table(
        "vacation",
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("begins", sa.Double(), nullable=False),
        sa.Column("ends", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_vacation_player_id")),
        sa.PrimaryKeyConstraint("player_id", "begins", name=op.f("pk_vacation")),
    )


def _quota() -> None:
    op.create_table(
        "quota",
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("what", sa.String(length=20), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_quota_player_id")),
        sa.PrimaryKeyConstraint("player_id", "what", "day", name=op.f("pk_quota")),
    )


def _seeker() -> None:
    op.create_table(
        "seeker",
        sa.Column("seek", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_seeker_player_id")),
        sa.ForeignKeyConstraint(["seek"], ["seek.number"], name=op.f("fk_seeker_seek")),
        sa.PrimaryKeyConstraint("seek", "place", name=op.f("pk_seeker")),
    )


_TABLES = {
    "board": _board,
    "event": _event,
    "fact": _fact,
    "mail": _mail,
    "player": _player,
    "address": _address,
    "block": _block,
    "collected": _collected,
    "digest": _digest,
    "entry": _entry,
    "outbox": _outbox,
    "preference": _preference,
    "queued": _queued,
    "rating": _rating,
    "seat": _seat,
    "seek": _seek,
    "submitted": _submitted,
    "subscription": _subscription,
    "token": _token,
    "vacation": _vacation,
    "quota": _quota,
    "seeker": _seeker,
}  #: in an order in which each finds those that it refers to
