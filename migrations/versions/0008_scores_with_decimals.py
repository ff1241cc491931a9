"""Scores with one decimal, as with a komi of 7.5.

SQLite needs no change: it stores such a number in a column of whole numbers as it is. A downgrade rounds.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_COLUMNS = (("seat", "score", True), ("score", "best", False), ("score", "total", False))


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        for table, column, nullable in _COLUMNS:
            op.alter_column(table, column, type_=sa.Numeric(20, 1), existing_nullable=nullable)


def downgrade() -> None:
    for table, column, nullable in _COLUMNS:
        if op.get_bind().dialect.name == "postgresql":
            op.alter_column(table, column, type_=sa.BigInteger(), existing_nullable=nullable)
        else:
            _round(sa.table(table, sa.column(column)))


def _round(table: sa.TableClause) -> None:
    (column,) = table.c
    rounded = sa.cast(sa.func.round(column), sa.BigInteger)
    op.execute(sa.update(table).where(sa.func.typeof(column) == "real").values({column: rounded}))
