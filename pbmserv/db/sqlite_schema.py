"""Changes the definition of a table of SQLite, for migrations.

To make a table again would need foreign keys off and lose the count of its numbers, so its schema is edited as
https://www.sqlite.org/lang_altertable.html (section 7) allows.
"""

import re
from collections.abc import Mapping

import sqlalchemy as sa
from sqlalchemy.engine import Connection


def edit(connection: Connection, table: str, changes: Mapping[str, str]) -> None:
    """Replace a part of a table's definition for each of these patterns, which must be found once."""
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
