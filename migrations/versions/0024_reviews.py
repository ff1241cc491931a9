"""Reviews of finished boards, and puzzles from them."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "review",
        sa.Column("board", _ID, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("asked", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seats", sa.JSON, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        sa.Column("verdicts", sa.JSON, nullable=False),
        sa.Column("done", sa.DateTime(timezone=True)),
        sa.Column("result", sa.JSON),
        sa.ForeignKeyConstraint(["board"], ["board.number"], name="fk_review_board_board"),
        sa.PrimaryKeyConstraint("board", name="pk_review"),
    )
    open_ones = sa.text("done IS NULL")
    op.create_index("ix_review_until", "review", ["until"], sqlite_where=open_ones, postgresql_where=open_ones)
    op.create_table(
        "puzzle",
        sa.Column("id", _ID, sa.Identity(start=1), nullable=False),
        sa.Column("board", _ID, nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(["board"], ["board.number"], name="fk_puzzle_board_board"),
        sa.PrimaryKeyConstraint("id", name="pk_puzzle"),
        sa.UniqueConstraint("board", "ply", name="uq_puzzle_board_ply"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_puzzle_game_mu", "puzzle", ["game", "mu"])
    op.create_table(
        "solving",
        sa.Column("player_id", _ID, nullable=False),
        sa.Column("puzzle", _ID, nullable=False),
        sa.Column("sent", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answered", sa.DateTime(timezone=True)),
        sa.Column("solved", sa.Boolean),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_solving_player_id_player"),
        sa.ForeignKeyConstraint(["puzzle"], ["puzzle.id"], name="fk_solving_puzzle_puzzle"),
        sa.PrimaryKeyConstraint("player_id", "puzzle", name="pk_solving"),
    )
    op.create_index("ix_solving_puzzle", "solving", ["puzzle"])


def downgrade() -> None:
    for table in ("solving", "puzzle", "review"):
        op.drop_table(table)
