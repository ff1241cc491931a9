"""Of which board another one is the rematch. It is empty for boards that were begun before."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_KNOWN = sa.text("rematch_of IS NOT NULL")


def upgrade() -> None:
    op.add_column("board", sa.Column("rematch_of", sa.BigInteger().with_variant(sa.Integer(), "sqlite")))
    op.create_index(
        "ix_board_rematch_of", "board", ["rematch_of"], unique=True, sqlite_where=_KNOWN, postgresql_where=_KNOWN
    )


def downgrade() -> None:
    op.drop_index("ix_board_rematch_of", table_name="board")
    op.drop_column("board", "rematch_of")
