"""Tournaments: their seasons, who takes part, and who meets whom on which board.

A server of an earlier version knows no tournaments. After a downgrade their boards go on as ordinary boards.
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.add_column("board", sa.Column("tournament", _NUMBER))
    _add_tournaments()
    _add_entrants()
    _add_pairings()


def downgrade() -> None:
    for table in ("pairing", "entrant", "tournament"):
        op.drop_table(table)
    op.drop_column("board", "tournament")


def _add_tournaments() -> None:
    due = sa.text("due IS NOT NULL")
    op.create_table(
        "tournament",
        sa.Column("number", _NUMBER, sa.Identity(start=1), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("form", sa.String(10), nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("settings", sa.JSON, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("rounds", sa.Integer),
        sa.Column("every", sa.String(10), nullable=False),
        sa.Column("robots", sa.Boolean, nullable=False),
        sa.Column("teams", sa.JSON),
        sa.Column("organiser", _NUMBER),
        sa.Column("created", _TIME, nullable=False),
        sa.Column("phase", sa.String(10), nullable=False),
        sa.Column("entries", sa.Boolean, nullable=False),
        sa.Column("season", sa.Integer, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("start", _TIME, nullable=False),
        sa.Column("due", _TIME),
        sa.Column("steps", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["organiser"], ["player.id"], name="fk_tournament_organiser"),
        sa.PrimaryKeyConstraint("number", name="pk_tournament"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_tournament_organiser", "tournament", ["organiser"])
    op.create_index("ix_tournament_game_number", "tournament", ["game", "number"])
    op.create_index("ix_tournament_due", "tournament", ["due"], sqlite_where=due, postgresql_where=due)


def _add_entrants() -> None:
    still_in = sa.text("out = ''")
    op.create_table(
        "entrant",
        sa.Column("id", _NUMBER, sa.Identity(start=1), nullable=False),
        sa.Column("tournament", _NUMBER, nullable=False),
        sa.Column("season", sa.Integer, nullable=False),
        sa.Column("player_id", _NUMBER, nullable=False),
        sa.Column("entered", sa.Integer, nullable=False),
        sa.Column("division", sa.Integer, nullable=False),
        sa.Column("rung", sa.Integer, nullable=False),
        sa.Column("team", sa.String(40), nullable=False),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("renews", sa.Boolean, nullable=False),
        sa.Column("warned", _TIME),
        sa.Column("out", sa.String(10), nullable=False),
        sa.Column("gone", sa.Integer),
        sa.Column("told", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer),
        sa.ForeignKeyConstraint(["tournament"], ["tournament.number"], name="fk_entrant_tournament"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_entrant_player_id"),
        sa.PrimaryKeyConstraint("id", name="pk_entrant"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_entrant_player_id", "entrant", ["player_id"])
    op.create_index(
        "ix_entrant_in",
        "entrant",
        ["tournament", "season", "player_id"],
        unique=True,
        sqlite_where=still_in,
        postgresql_where=still_in,
    )
    for column in ("division", "rung"):
        op.create_index(f"ix_entrant_tournament_season_{column}", "entrant", ["tournament", "season", column])


def _add_pairings() -> None:
    keys = ["tournament", "season", "division", "round", "first", "second"]
    begun, undecided = sa.text("board IS NOT NULL"), sa.text("decided IS NULL")
    forfeited = sa.text("forfeiter IS NOT NULL")
    players = ("first", "second", "forfeiter")
    op.create_table(
        "pairing",
        sa.Column("id", _NUMBER, sa.Identity(start=1), nullable=False),
        sa.Column("tournament", _NUMBER, nullable=False),
        sa.Column("season", sa.Integer, nullable=False),
        sa.Column("division", sa.Integer, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("first", _NUMBER, nullable=False),
        sa.Column("second", _NUMBER),
        sa.Column("board", _NUMBER),
        sa.Column("points", sa.Integer),
        sa.Column("forfeiter", _NUMBER),
        sa.Column("void", sa.Boolean, nullable=False),
        sa.Column("decided", _TIME),
        sa.Column("step", sa.Integer),
        sa.ForeignKeyConstraint(["tournament"], ["tournament.number"], name="fk_pairing_tournament"),
        sa.ForeignKeyConstraint(["board"], ["board.number"], name="fk_pairing_board"),
        *(sa.ForeignKeyConstraint([name], ["player.id"], name=f"fk_pairing_{name}") for name in players),
        sa.PrimaryKeyConstraint("id", name="pk_pairing"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_pairing_tournament_season_division_round_first_second", "pairing", keys, unique=True)
    for column in ("first", "second"):
        op.create_index(f"ix_pairing_{column}", "pairing", [column, "tournament", "season"])
    op.create_index("ix_pairing_board", "pairing", ["board"], unique=True, sqlite_where=begun, postgresql_where=begun)
    op.create_index(
        "ix_pairing_forfeited",
        "pairing",
        ["tournament", "season"],
        sqlite_where=forfeited,
        postgresql_where=forfeited,
    )
    op.create_index(
        "ix_pairing_undecided",
        "pairing",
        ["tournament", "season", "id"],
        sqlite_where=undecided,
        postgresql_where=undecided,
    )
