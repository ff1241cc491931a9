"""How many passwords a player has set after the first one; NULL: none. It is a part of reply addresses from then on."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("player", sa.Column("epoch", sa.Integer))


def downgrade() -> None:
    op.drop_column("player", "epoch")
