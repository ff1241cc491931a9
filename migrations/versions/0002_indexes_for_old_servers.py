"""Indexes for queries that became slow over the years: deleting old rows, boards of rare games, the queue."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

Index = tuple[str, str, list[str], str]

_QUEUED = "status = 'queued'"
_OLD_QUEUE = ("ix_outbox_queue", "outbox", ["due", "id"], _QUEUED)
_INDEXES = (
    ("ix_outbox_queue", "outbox", ["id", "due"], _QUEUED),
    ("ix_outbox_line", "outbox", ["board", "recipient", "id"], _QUEUED),
    ("ix_mail_to_forget", "mail", ["received"], "sender <> ''"),
    ("ix_outbox_finished", "outbox", ["finished"], "finished IS NOT NULL"),
    ("ix_board_running", "board", ["game", "number"], "over IS NULL"),
    ("ix_board_ended", "board", ["game", "number"], "over IS NOT NULL"),
)


def upgrade() -> None:
    _drop(_OLD_QUEUE)
    for index in _INDEXES:
        _create(index)


def downgrade() -> None:
    for index in reversed(_INDEXES):
        _drop(index)
    _create(_OLD_QUEUE)


def _create(index: Index) -> None:
    name, table, columns, where = index
    op.create_index(name, table, columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def _drop(index: Index) -> None:
    op.drop_index(index[0], table_name=index[1])
