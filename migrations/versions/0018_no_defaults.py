"""No column has a default, so that an INSERT of an older program fails and stores no value that means nothing.

SQLite cannot drop a default, so the schema of its tables is edited. Rows that are older than their column do not
contain it, so they are written first.
"""

import sqlalchemy as sa
from alembic import op

from pbmserv.db.sqlite_schema import edit

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

_DEFAULTS = {
    "address": {"bounces": "'0'"},
    "board": {"beginning": "''", "receipt": "''"},
    "entry": {"receipt": "''"},
    "player": {"robot": "false"},
    "seat": {"spent": "'0'", "earned": "'0'", "rest": "''"},
    "tournament": {"zone": "'UTC'"},
}


def upgrade() -> None:
    for table, columns in _DEFAULTS.items():
        if op.get_bind().dialect.name == "sqlite":
            names: list[sa.ColumnClause[object]] = [sa.column(name) for name in columns]
            op.execute(sa.update(sa.table(table, *names)).values({name: name for name in names}))
            edit(op.get_bind(), table, {_column(name, r" DEFAULT (?:'[^']*'|\w+)"): r"\1 NOT NULL" for name in columns})
        else:
            for name in columns:
                op.alter_column(table, name, server_default=None)


def downgrade() -> None:
    for table, columns in _DEFAULTS.items():
        if op.get_bind().dialect.name == "sqlite":
            edit(
                op.get_bind(),
                table,
                {_column(name): rf"\1 DEFAULT {value} NOT NULL" for name, value in columns.items()},
            )
        else:
            for name, value in columns.items():
                op.alter_column(table, name, server_default=sa.text(value))


def _column(name: str, default: str = "") -> str:
    return rf"\b({name} [A-Z]+(?:\(\d+\))?){default} NOT NULL"
