"""An index that also finds mails without a sender, because their peer must be erased later, too."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_NAME = "ix_mail_to_forget"


def upgrade() -> None:
    _replace("sender <> '' OR peer <> ''")


def downgrade() -> None:
    _replace("sender <> ''")


def _replace(where: str) -> None:
    op.drop_index(_NAME, table_name="mail")
    op.create_index(_NAME, "mail", ["received"], sqlite_where=sa.text(where), postgresql_where=sa.text(where))
