"""No column has a default, so that an INSERT of an older program fails and stores no value that means nothing.

SQLite cannot drop a default. To make such a table again would need foreign keys off and lose the count of its
numbers, so its schema is edited as https://www.sqlite.org/lang_altertable.html (section 7) allows. Rows that are older
than their column do not contain it, so they are written first.
"""

import re

import sqlalchemy as sa
from alembic import op

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
            _edit(table, {_column(name, r" DEFAULT (?:'[^']*'|\w+)"): r"\1 NOT NULL" for name in columns})
        else:
            for name in columns:
                op.alter_column(table, name, server_default=None)


def downgrade() -> None:
    for table, columns in _DEFAULTS.items():
        if op.get_bind().dialect.name == "sqlite":
            _edit(table, {_column(name): rf"\1 DEFAULT {value} NOT NULL" for name, value in columns.items()})
        else:
            for name, value in columns.items():
                op.alter_column(table, name, server_default=sa.text(value))


def _column(name: str, default: str = "") -> str:
    return rf"\b({name} [A-Z]+(?:\(\d+\))?){default} NOT NULL"


def _edit(table: str, changes: dict[str, str]) -> None:
    """Replace a part of a table's definition in SQLite for each of these patterns, which must be found once."""
    connection = op.get_bind()
    where = sa.text("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = :name")
    sql = connection.execute(where, {"name": table}).scalar_one()
    for pattern, new in changes.items():
        sql, count = re.subn(pattern, new, sql)
        if count != 1:
            raise ValueError(f"the definition of {table} is not what this migration knows: {pattern}")
    version = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
    connection.exec_driver_sql("PRAGMA writable_schema = ON")
    change = sa.text("UPDATE sqlite_schema SET sql = :sql WHERE type = 'table' AND name = :name")
    connection.execute(change, {"sql": sql, "name": table})
    connection.exec_driver_sql(f"PRAGMA schema_version = {version + 1}")  # so that everybody reads it again
    connection.exec_driver_sql("PRAGMA writable_schema = RESET")
