"""Indexes for what grew with the age of a server: forgetting, once a day, and the boards of a game hardly played."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_INDEXES = (
    ("ix_mail_to_forget", "mail", ["received"], "sender <> ''"),
    ("ix_outbox_finished", "outbox", ["finished"], "finished IS NOT NULL"),
    ("ix_board_running", "board", ["game", "number"], "over IS NULL"),
    ("ix_board_ended", "board", ["game", "number"], "over IS NOT NULL"),
)


def upgrade() -> None:
    for name, table, columns, where in _INDEXES:
        op.create_index(name, table, columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def downgrade() -> None:
    for name, table, *_ in reversed(_INDEXES):
        op.drop_index(name, table_name=table)
