"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
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
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("over", sa.DateTime(timezone=True), nullable=True),
        sa.Column("changed", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("position", sa.Text(), nullable=False),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_board")),
        sqlite_autoincrement=True,
    )
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

    op.create_table(
        "player",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            sa.Identity(always=False, start=1),
            nullable=False,
        ),
        sa.Column("userid", sa.String(length=20), nullable=False),
        sa.Column("password_hash", sa.String(length=200), nullable=True),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player")),
        sa.UniqueConstraint("userid", name=op.f("uq_player_userid")),
        sqlite_autoincrement=True,
    )
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
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_address_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_address")),
        sa.UniqueConstraint("player_id", "folded", name=op.f("uq_address_player_id_folded")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("address", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_address_folded"), ["folded"], unique=False)

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

    op.create_table(
        "preference",
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("value", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_preference_player_id")),
        sa.PrimaryKeyConstraint("player_id", "game", "name", name=op.f("pk_preference")),
    )
    op.create_table(
        "seat",
        sa.Column("board", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("to_move", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["board"], ["board.number"], name=op.f("fk_seat_board")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_seat_player_id")),
        sa.PrimaryKeyConstraint("board", "seat", name=op.f("pk_seat")),
    )
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.create_index("ix_seat_player_id_board", ["player_id", "board"], unique=False)

    if op.get_bind().dialect.name == "sqlite":  # boards count from 101; PostgreSQL has it from the identity column
        op.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('board', 100)")


def downgrade() -> None:
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.drop_index("ix_seat_player_id_board")

    op.drop_table("seat")
    op.drop_table("preference")
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.drop_index("ix_outbox_recipient_created")
        batch_op.drop_index(
            "ix_outbox_queue", sqlite_where=sa.text("status = 'queued'"), postgresql_where=sa.text("status = 'queued'")
        )
        batch_op.drop_index(batch_op.f("ix_outbox_mail_id"))
        batch_op.drop_index(batch_op.f("ix_outbox_board"))

    op.drop_table("outbox")
    with op.batch_alter_table("entry", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_entry_mail_id"))

    op.drop_table("entry")
    with op.batch_alter_table("address", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_address_folded"))

    op.drop_table("address")
    op.drop_table("player")
    with op.batch_alter_table("mail", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_mail_sender"))
        batch_op.drop_index(batch_op.f("ix_mail_received"))

    op.drop_table("mail")
    op.drop_table("board")
