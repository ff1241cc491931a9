"""Up to which UID the mails of a mailbox were there before an admin asked for them."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("mailbox", sa.Column("old_upto", sa.BigInteger))


def downgrade() -> None:
    op.drop_column("mailbox", "old_upto")
