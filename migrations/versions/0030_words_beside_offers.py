"""What stood beside a move that was offered. It goes to the others with the move, if the answer is yes."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "offered",
        sa.Column("board", _ID, nullable=False),
        sa.Column("player_id", _ID, nullable=False),
        sa.Column("move", sa.String(64), nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("written", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["board"], ["board.number"], name="fk_offered_board_board"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_offered_player_id_player"),
        sa.PrimaryKeyConstraint("board", "player_id", "move", name="pk_offered"),
    )
    for column in ("player_id", "written"):
        op.create_index(f"ix_offered_{column}", "offered", [column])


def downgrade() -> None:
    op.drop_table("offered")
