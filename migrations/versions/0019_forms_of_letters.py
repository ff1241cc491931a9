"""What the data of a letter is stands in a column. Before, the first bytes of the data told it.

Old programs do not know the column: it has no default, so that their INSERT fails.
"""

import sqlalchemy as sa
from alembic import op

from pbmserv.db.sqlite_schema import edit

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

#: The first bytes of the data and what it is. The first that fit count; a letter that was finished has none of them.
_BEGINNINGS = {b'{"view": [': "view", b'{"event": ': "event", b"{": "words"}


def upgrade() -> None:
    outbox = sa.table("outbox", sa.column("form", sa.String), sa.column("data", sa.LargeBinary))
    op.add_column("outbox", sa.Column("form", sa.String(10)))
    first = ((sa.func.substr(outbox.c.data, 1, len(begin)) == begin, form) for begin, form in _BEGINNINGS.items())
    op.execute(sa.update(outbox).values(form=sa.case(*first, else_="message")))
    if op.get_bind().dialect.name == "sqlite":
        edit(op.get_bind(), "outbox", {r"\bform VARCHAR\(10\)": "form VARCHAR(10) NOT NULL"})
    else:
        op.alter_column("outbox", "form", nullable=False)


def downgrade() -> None:
    op.drop_column("outbox", "form")
