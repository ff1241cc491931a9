"""Levels of ratings, a table of high scores, and indexes, so that no query has to count or search all players."""

from collections.abc import Callable, Iterable, Sequence
from math import floor
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_VARIANT = sa.String(200).with_variant(sa.String(200, collation="C"), "postgresql")
_INDEXES = (
    ("ix_rating_game_level_mu_player_id", "rating", ["game", "level", "mu", "player_id"]),
    ("ix_rating_player_id", "rating", ["player_id"]),
    ("ix_score_game_variant_level_best_player_id", "score", ["game", "variant", "level", "best", "player_id"]),
    ("ix_score_player_id", "score", ["player_id"]),
    ("ix_block_blocked_id", "block", ["blocked_id"]),
    ("ix_quota_day", "quota", ["day"]),
    ("ix_seeker_player_id", "seeker", ["player_id"]),
    ("ix_subscription_player_id", "subscription", ["player_id"]),
    ("ix_token_player_id", "token", ["player_id"]),
    ("ix_token_purpose_expires", "token", ["purpose", "expires"]),
)
_PARTIAL = (
    ("ix_address_unconfirmed", "address", ["created"], "confirmed IS NULL"),
    ("ix_mail_shelved", "mail", ["id"], "status = 'shelved'"),
    ("ix_preference_broadcasts", "preference", ["player_id"], "name = 'broadcasts' AND value = 'on'"),
    ("ix_seek_open", "seek", ["game", "number"], "closed IS NULL"),
    ("ix_seek_to_lapse", "seek", ["created"], "closed IS NULL"),
)
_AT_ONCE = 5000

rating = sa.table("rating", *(sa.column(n) for n in ("game", "player_id", "mu", "level")))
score = sa.table("score", *(sa.column(n) for n in ("game", "variant", "player_id", "best", "total", "boards", "level")))
level = sa.table("level", *(sa.column(n) for n in ("list", "game", "variant", "level", "players")))
board = sa.table("board", *(sa.column(n) for n in ("number", "game", "variant")))
seat = sa.table("seat", *(sa.column(n) for n in ("board", "seat", "player_id", "score")))


def upgrade() -> None:
    op.drop_index("ix_rating_game_mu", table_name="rating")
    op.add_column("rating", sa.Column("level", sa.Integer))
    _make_tables()
    _rate_levels()
    _fill_scores()
    _count("ratings", rating.c.game, sa.literal(""), rating.c.level)
    _count("scores", score.c.game, score.c.variant, score.c.level)
    with op.batch_alter_table("rating") as batch:
        batch.alter_column("level", existing_type=sa.Integer(), nullable=False)
    for name, table, columns in _INDEXES:
        op.create_index(name, table, columns)
    for name, table, columns, where in _PARTIAL:
        op.create_index(name, table, columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def downgrade() -> None:
    for name, table, *_ in (*_PARTIAL, *_INDEXES):
        op.drop_index(name, table_name=table)
    op.drop_table("level")
    op.drop_table("score")
    with op.batch_alter_table("rating") as batch:
        batch.drop_column("level")
    op.create_index("ix_rating_game_mu", "rating", ["game", "mu"])


def _make_tables() -> None:
    key = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "score",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("variant", _VARIANT, nullable=False),
        sa.Column("player_id", key, nullable=False),
        sa.Column("best", sa.BigInteger, nullable=False),
        sa.Column("total", sa.BigInteger, nullable=False),
        sa.Column("boards", sa.Integer, nullable=False),
        sa.Column("level", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("game", "variant", "player_id", name=op.f("pk_score")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_score_player_id")),
    )
    op.create_table(
        "level",
        sa.Column("list", sa.String(10), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("variant", _VARIANT, nullable=False),
        sa.Column("level", sa.BigInteger, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("list", "game", "variant", "level", name=op.f("pk_level")),
    )


def _rate_levels() -> None:
    """The level of each rating; what is rounded how is a matter of Python, not of two databases."""
    c = rating.c
    here = sa.update(rating).where(c.game == sa.bindparam("of"), c.player_id == sa.bindparam("whose"))
    rows = op.get_bind().execute(sa.select(c.game, c.player_id, c.mu)).all()
    _write(
        here.values(level=sa.bindparam("at")),
        rows,
        lambda r: {"of": r.game, "whose": r.player_id, "at": floor(60 * r.mu)},
    )


def _fill_scores() -> None:
    """The high scores of the boards of one player that have ended."""
    other = seat.alias("other")
    alone = ~sa.exists().where(other.c.board == seat.c.board, other.c.seat == 1)
    keys = (board.c.game, board.c.variant, seat.c.player_id)
    total = sa.cast(sa.func.sum(seat.c.score), sa.BigInteger).label("total")
    columns = (sa.func.max(seat.c.score).label("best"), total, sa.func.count().label("boards"))
    ended = sa.select(*keys, *columns).select_from(seat.join(board, board.c.number == seat.c.board))
    rows = op.get_bind().execute(ended.where(seat.c.score.is_not(None), alone).group_by(*keys)).all()
    _write(sa.insert(score), rows, lambda r: {**r._mapping, "level": _score_level(r.best)})


def _score_level(best: int) -> int:
    rest = max(abs(best).bit_length() - 7, 0)
    return best >> rest << rest


def _count(name: str, *keys: sa.ColumnElement[Any]) -> None:
    """How many players stand at each level of the lists of one kind."""
    counted = sa.select(sa.literal(name), *keys, sa.func.count()).group_by(*keys)
    op.execute(sa.insert(level).from_select(["list", "game", "variant", "level", "players"], counted))


def _write(statement: Any, rows: Sequence[Any], values: Callable[[Any], dict[str, Any]]) -> None:
    for part in _parts(rows):
        op.get_bind().execute(statement, [values(row) for row in part])


def _parts(rows: Sequence[Any]) -> Iterable[Sequence[Any]]:
    return (rows[n : n + _AT_ONCE] for n in range(0, len(rows), _AT_ONCE))
