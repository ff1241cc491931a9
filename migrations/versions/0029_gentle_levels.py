"""Robots of backgammon and Go, where two levels came below the three that there were: they play as well as before."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

_GAMES = ("backgammon", "go", "hypergammon", "longgammon", "nackgammon", "teamgo")
_robot = sa.table("robot", sa.column("game", sa.String), sa.column("level", sa.Integer))


def upgrade() -> None:
    """Levels 1, 2 and 3 become 3, 4 and 5."""
    _renumber(_robot.c.level + 2)


def downgrade() -> None:
    """Levels 1 and 2 become the weakest one that there was."""
    _renumber(sa.case((_robot.c.level > 3, _robot.c.level - 2), else_=1))


def _renumber(level: sa.ColumnElement[int]) -> None:
    op.execute(sa.update(_robot).where(_robot.c.game.in_(_GAMES)).values(level=level))
