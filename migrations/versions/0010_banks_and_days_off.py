"""Banks of time, days off, and the time of a turn in two parts: what has counted, and from when it counts on.

A reminder is remembered by how much of the turn had counted. A turn that stands still during the upgrade, because of a
vacation or of letters that come back, loses nothing: its limit stays where it is.
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_SEAT = sa.table("seat", *(sa.column(name) for name in ("since", "nagged", "spent")))
_REMINDED = sa.and_(_SEAT.c.nagged.is_not(None), _SEAT.c.since.is_not(None))


def upgrade() -> None:
    op.add_column("seat", sa.Column("spent", sa.Double, nullable=False, server_default="0"))
    op.add_column("seat", sa.Column("bank", sa.Double))
    op.add_column("seat", sa.Column("earned", sa.Integer, nullable=False, server_default="0"))
    op.add_column("seat", sa.Column("rest", sa.String(60), nullable=False, server_default=""))
    op.execute(sa.update(_SEAT).where(_REMINDED).values(nagged=_SEAT.c.nagged - _SEAT.c.since))


def downgrade() -> None:
    begun = sa.and_(_SEAT.c.since.is_not(None), _SEAT.c.spent > 0)
    op.execute(sa.update(_SEAT).where(begun).values(since=_SEAT.c.since - _SEAT.c.spent))
    op.execute(sa.update(_SEAT).where(_REMINDED).values(nagged=_SEAT.c.nagged + _SEAT.c.since))
    for name in ("rest", "earned", "bank", "spent"):
        op.drop_column("seat", name)
