"""Schema migrations: Alembic, driven from code so that it works from any folder and needs no alembic.ini."""

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.engine import Connection, Engine

from pbmserv import paths


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Bring the schema up to `revision`."""
    with engine.connect() as connection:
        command.upgrade(_config(connection), revision)


def downgrade(engine: Engine, revision: str) -> None:
    """Take the schema back to `revision` ("base": no tables at all)."""
    with engine.connect() as connection:
        command.downgrade(_config(connection), revision)


def is_current(engine: Engine) -> bool:
    """Whether the database has the schema that this program needs."""
    with engine.connect() as connection:
        return revision(connection) == newest()


def revision(connection: Connection) -> str | None:
    """The schema that the database has; None if it has none."""
    return MigrationContext.configure(connection).get_current_revision()


def newest() -> str | None:
    """The schema that this program needs."""
    return ScriptDirectory.from_config(_config()).get_current_head()


def _config(connection: object = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(paths.data("migrations")).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
