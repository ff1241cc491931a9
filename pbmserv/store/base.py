"""What all queries share."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection, NestedTransaction


class Queries:
    """Statements over one connection, whose transaction belongs to the caller."""

    def __init__(self, connection: Connection) -> None:
        self._c = connection

    def savepoint(self) -> NestedTransaction:
        """A context: what fails inside it is undone alone."""
        return self._c.begin_nested()

    def _insert(self, table: sa.Table) -> Any:
        return (sqlite if self._c.dialect.name == "sqlite" else postgresql).insert(table)
