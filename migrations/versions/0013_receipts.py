"""Receipts: what is fixed when a board begins, and a hash for each entry, which contains the hash before it.

Old boards get theirs here, with the names that their players have now. Their beginnings say when that was (`sealed`),
because what came before has no other proof. Boards and entries are read in parts, so the memory does not grow with
their number.
"""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from hashlib import blake2b, sha256
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_BOARDS, _ENTRIES = 500, 5000  # rows that are read at once

_PLAYER = sa.table("player", sa.column("id"), sa.column("userid"))
_SEAT = sa.table("seat", *(sa.column(name) for name in ("board", "seat", "player_id")))
_BOARD = sa.table(
    "board",
    *(sa.column(name) for name in ("number", "game", "rules", "seed", "origin", "beginning", "receipt")),
    *(sa.column(name, sa.JSON) for name in ("options", "settings", "left_seat")),
    sa.column("created", sa.DateTime(timezone=True)),
)
_ENTRY = sa.table(
    "entry",
    *(sa.column(name) for name in ("board", "number", "seat", "kind", "text", "ply", "receipt")),
    sa.column("at", sa.DateTime(timezone=True)),
)


def upgrade() -> None:
    op.add_column("board", sa.Column("beginning", sa.Text, nullable=False, server_default=""))
    op.add_column("board", sa.Column("receipt", sa.String(64), nullable=False, server_default=""))
    op.add_column("entry", sa.Column("receipt", sa.String(64), nullable=False, server_default=""))
    now = _moment(datetime.now(UTC))
    for boards in _parts_of_boards():
        begun = [(row, _beginning(row, names, now)) for row, names in boards]
        last = {row.number: _hash(beginning) for row, beginning in begun}
        _write_entries({row.number: row.seed for row, _ in begun}, last)
        _write(
            sa.update(_BOARD).where(_BOARD.c.number == sa.bindparam("of")),
            [{"of": row.number, "beginning": text, "receipt": last[row.number]} for row, text in begun],
        )


def downgrade() -> None:
    op.drop_column("entry", "receipt")
    op.drop_column("board", "receipt")
    op.drop_column("board", "beginning")


def _parts_of_boards() -> Iterator[list[tuple[Any, list[str]]]]:
    """Yield all boards in parts, each board with the names of its players."""
    c, s, last = _BOARD.c, _SEAT.c, -1
    while boards := _rows(sa.select(_BOARD).where(c.number > last).order_by(c.number).limit(_BOARDS)):
        names: dict[int, list[str]] = {row.number: [] for row in boards}
        last = boards[-1].number
        seats = sa.select(s.board, _PLAYER.c.userid).join_from(_SEAT, _PLAYER, s.player_id == _PLAYER.c.id)
        for seat in _rows(seats.where(s.board.between(boards[0].number, last)).order_by(s.board, s.seat)):
            names[seat.board].append(seat.userid)
        yield [(row, names[row.number]) for row in boards]


def _write_entries(seeds: dict[int, str], last: dict[int, str]) -> None:
    """Write the receipts of all entries of these boards. `last` has the receipts of their beginnings, then the last."""
    c, after = _ENTRY.c, (min(seeds), 0)
    here = sa.update(_ENTRY).where(c.board == sa.bindparam("of"), c.number == sa.bindparam("nth"))
    following = sa.select(_ENTRY).where(c.board <= max(seeds)).order_by(c.board, c.number).limit(_ENTRIES)
    while rows := _rows(following.where(sa.tuple_(c.board, c.number) > sa.tuple_(*map(sa.literal, after)))):
        values = []
        for row in (row for row in rows if row.board in seeds):
            last[row.board] = _receipt(last[row.board], row, seeds[row.board])
            values.append({"of": row.board, "nth": row.number, "receipt": last[row.board]})
        _write(here, values)
        after = rows[-1].board, rows[-1].number


def _beginning(row: Any, names: list[str], now: str) -> str:
    left = row.left_seat and dict(zip(("board", "seat", "ply", "userid", "how"), row.left_seat, strict=True))
    return _canonical(
        {
            "game": row.game,
            "rules": row.rules,
            "options": row.options,
            "players": names,
            "settings": {name: value for name, value in row.settings.items() if value},
            "created": _moment(row.created),
            "commitment": _hash(row.seed),
            "origin": None if row.origin is None else _seal(row.seed, 0, _plain(row.origin)),
            "continues": left or None,
            "sealed": now,
        }
    )


def _receipt(before: str, row: Any, seed: str) -> str:
    sealed = _seal(seed, row.number, row.text)
    return _hash(_canonical([before, row.board, row.number, row.seat, row.kind, sealed, row.ply, _moment(row.at)]))


def _seal(seed: str, number: int, text: str) -> str:
    return _hash(blake2b(b"receipt %d" % number, key=seed.encode(), digest_size=16).hexdigest() + text)


def _plain(origin: str) -> str:
    try:
        return _canonical(json.loads(origin))
    except ValueError:  # the board cannot be read, but the upgrade has to go on
        return origin


def _canonical(plain: object) -> str:
    return json.dumps(plain, sort_keys=True, separators=(",", ":"))


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _moment(at: datetime) -> str:
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC).isoformat()


def _rows(query: sa.Select[Any]) -> Sequence[Any]:
    return op.get_bind().execute(query).all()


def _write(statement: sa.Update, values: list[dict[str, Any]]) -> None:
    if values:
        op.get_bind().execute(statement, values)
