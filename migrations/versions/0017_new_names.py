"""Which account has a userid that its player does not have any more, so that the old name leads to the new one."""

import re

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

_RENAMED = re.compile(r"player (\S+): rename to (\S+)")


def upgrade() -> None:
    op.add_column("player", sa.Column("renamed", sa.BigInteger().with_variant(sa.Integer(), "sqlite")))
    _fill()


def downgrade() -> None:
    op.drop_column("player", "renamed")


def _fill() -> None:
    """Follow the renames that are in the events of admins, the latest first: so each leads to the name of today."""
    connection = op.get_bind()
    events = connection.execute(sa.text("SELECT what FROM event WHERE what LIKE '%: rename to %' ORDER BY id DESC"))
    names = dict[str, str]()
    for (what,) in events.all():
        if found := _RENAMED.fullmatch(what):
            names.setdefault(found[1], names.get(found[2], found[2]))
    known = sa.text(
        "UPDATE player SET renamed = (SELECT p.id FROM player p WHERE p.userid = :new) "
        "WHERE userid = :old AND password_hash IS NULL AND :old <> :new"
    )
    for old, new in names.items():
        connection.execute(known, {"old": old, "new": new})
