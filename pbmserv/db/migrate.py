"""Schema migrations: Alembic, driven from code so that it works from any folder and needs no alembic.ini."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from pbmserv import paths

if TYPE_CHECKING:  # Alembic takes long to import, and most commands only ask which schema there is
    from alembic.config import Config
    from sqlalchemy.engine import Connection, Engine

_VERSION = sa.table("alembic_version", sa.column("version_num", sa.String))


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Bring the schema up to `revision`."""
    from alembic import command

    with engine.connect() as connection:
        command.upgrade(_config(connection), revision)


def downgrade(engine: Engine, revision: str) -> None:
    """Take the schema back to `revision` ("base": no tables at all)."""
    from alembic import command

    with engine.connect() as connection:
        command.downgrade(_config(connection), revision)


def is_current(engine: Engine) -> bool:
    """Whether the database has the schema that this program needs."""
    with engine.connect() as connection:
        return revision(connection) == newest()


def revision(connection: Connection) -> str | None:
    """The schema that the database has; None if it has none."""
    if not sa.inspect(connection).has_table(_VERSION.name):
        return None
    return connection.execute(sa.select(_VERSION.c.version_num)).scalar_one_or_none()


def newest() -> str:
    """The schema that this program needs: the number of the last migration, with which its file's name begins."""
    return max(file.name.partition("_")[0] for file in (paths.data("migrations") / "versions").glob("[0-9]*.py"))


def _config(connection: Connection) -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(paths.data("migrations")).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
