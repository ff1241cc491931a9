"""Which sender has leased a letter. It is empty for letters that were leased before."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("outbox", sa.Column("slot", sa.Integer))


def downgrade() -> None:
    op.drop_column("outbox", "slot")
