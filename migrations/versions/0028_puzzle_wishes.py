"""An index of the players who want puzzles, so that the clock does not read the preferences of all."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    wish = sa.text("name = 'puzzle' AND value <> 'off'")
    op.create_index("ix_preference_puzzle", "preference", ["player_id"], sqlite_where=wish, postgresql_where=wish)


def downgrade() -> None:
    op.drop_index("ix_preference_puzzle", "preference")
