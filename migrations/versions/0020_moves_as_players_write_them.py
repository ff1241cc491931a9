"""A move as players of its game write it, where that is not the text in which it is stored.

Moves of before are shown as they are stored. A NULL says the same, so no row is written.
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("entry", sa.Column("written", sa.Text))


def downgrade() -> None:
    op.drop_column("entry", "written")
