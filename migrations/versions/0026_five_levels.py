"""Robots of games that have five levels, and had three: they play as well as before."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

_GAMES = (
    "amazons",
    "breakthrough",
    "chess",
    "dots",
    "gomoku",
    "havannah",
    "hex",
    "loa",
    "morris",
    "oware",
    "trippples",
    "tumble",
)
_robot = sa.table("robot", sa.column("game", sa.String), sa.column("level", sa.Integer))


def upgrade() -> None:
    """Levels 1, 2 and 3 become 1, 3 and 5."""
    _renumber(2 * _robot.c.level - 1)


def downgrade() -> None:
    """Levels 2 and 4 become the next lower one."""
    _renumber((_robot.c.level + 1) // 2)


def _renumber(level: sa.ColumnElement[int]) -> None:
    op.execute(sa.update(_robot).where(_robot.c.game.in_(_GAMES)).values(level=level))
