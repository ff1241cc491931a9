"""Robots of backgammon and Go, whose weakest level has the number 0 now: they play as well as before."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

_GAMES = ("backgammon", "go", "hypergammon", "longgammon", "nackgammon", "teamgo")
_robot = sa.table("robot", sa.column("game", sa.String), sa.column("level", sa.Integer))


def upgrade() -> None:
    """Levels 1 to 5 become 0 to 4."""
    _renumber(_robot.c.level - 1)


def downgrade() -> None:
    """Levels 0 to 4 become 1 to 5."""
    _renumber(_robot.c.level + 1)


def _renumber(level: sa.ColumnElement[int]) -> None:
    op.execute(sa.update(_robot).where(_robot.c.game.in_(_GAMES)).values(level=level))
