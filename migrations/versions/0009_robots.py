"""Robots: accounts that the server plays itself, and the turns about which its processes think."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_TO_MOVE, _ROBOT = sa.text("to_move"), sa.text("robot")


def upgrade() -> None:
    op.add_column("player", sa.Column("robot", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_index("ix_player_robot", "player", ["userid"], sqlite_where=_ROBOT, postgresql_where=_ROBOT)
    op.create_table(
        "robot",
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("level", sa.Integer, nullable=False),
        sa.Column("boards", sa.Integer, nullable=False),
        sa.Column("paused", sa.Boolean, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_robot_player_id"),
        sa.PrimaryKeyConstraint("player_id", name="pk_robot"),
    )
    op.create_index("ix_robot_game", "robot", ["game"])
    op.create_table(
        "thinking",
        sa.Column("board", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(["board"], ["board.number"], name="fk_thinking_board"),
        sa.PrimaryKeyConstraint("board", "seat", name="pk_thinking"),
    )
    op.create_index("ix_seat_to_move", "seat", ["player_id"], sqlite_where=_TO_MOVE, postgresql_where=_TO_MOVE)


def downgrade() -> None:
    op.drop_index("ix_seat_to_move", "seat")
    op.drop_table("thinking")
    op.drop_index("ix_robot_game", "robot")
    op.drop_table("robot")
    op.drop_index("ix_player_robot", "player")
    op.drop_column("player", "robot")
