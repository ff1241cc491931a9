"""Boards, their seats and their logs."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from pbmserv import db, games
from pbmserv.board import Board, Entry, Kind, Offer, Start
from pbmserv.games.base import Note, Outcome
from pbmserv.store.base import Queries
from pbmserv.store.types import BoardRow, Listed, LogLine, Player, Settings


class Boards(Queries):
    """Queries about boards."""

    def add_board(self, board: Board, players: Sequence[Player], settings: Settings, now: datetime) -> BoardRow:
        """Begin a board; its number is the next one of the server."""
        info = board.game.info
        values = {
            "game": info.key,
            "rules": info.rules,
            "options": dict(board.start.options),
            "seed": board.start.seed,
            "settings": asdict(settings),
            "created": now,
            **_cache(board, now),
        }
        number = self._c.execute(sa.insert(db.board).values(values).returning(db.board.c.number)).scalar_one()
        seats = [
            {"board": number, "seat": s, "player_id": p.id, "to_move": s in board.to_move}
            for s, p in enumerate(players)
        ]
        self._c.execute(sa.insert(db.seat), seats)
        return BoardRow(number, board, tuple(players), settings, now, now, None)

    def board(self, number: int) -> BoardRow | None:
        """The board with this number, locked until the transaction ends (SQLite locks everything anyway)."""
        row = self._c.execute(sa.select(db.board).where(db.board.c.number == number).with_for_update()).first()
        if row is None:
            return None
        query = sa.select(db.player).join(db.seat).where(db.seat.c.board == number).order_by(db.seat.c.seat)
        players = tuple(Player(**r._mapping) for r in self._c.execute(query))
        board = _board(row, len(players))
        return BoardRow(number, board, players, Settings(**row.settings), row.created, row.changed, row.over)

    def log(self, number: int) -> list[LogLine]:
        """The whole log of a board."""
        query = sa.select(db.entry).where(db.entry.c.board == number).order_by(db.entry.c.number)
        return [LogLine(r.number, _entry(r), r.at, r.mail_id) for r in self._c.execute(query)]

    def append(self, row: BoardRow, entry: Entry, board: Board, mail_id: int | None, now: datetime) -> BoardRow:
        """Write one more entry and the board after it."""
        values = {
            "board": row.number,
            "number": board.length,
            "at": now,
            "mail_id": mail_id,
            "seat": entry.seat,
            "kind": entry.kind.value,
            "text": entry.text,
            "ply": entry.ply,
            "fixed": entry.fixed,
            "missed": list(entry.missed),
            "notes": [[n.text, None if n.seats is None else sorted(n.seats)] for n in entry.notes],
        }
        self._c.execute(sa.insert(db.entry).values(values))
        over = now if board.result else None
        cache = {**_cache(board, now), "over": over}
        self._c.execute(sa.update(db.board).where(db.board.c.number == row.number).values(cache))
        if board.to_move != row.board.to_move:
            c = db.seat.c
            here = sa.update(db.seat).where(c.board == row.number)
            self._c.execute(here.values(to_move=c.seat.in_(sorted(board.to_move))))
        return BoardRow(row.number, board, row.players, row.settings, row.created, now, over)

    def list_boards(
        self, *, game: str | None = None, player_id: int | None = None, state: str = "active", limit: int = 200
    ) -> list[Listed]:
        """Boards by number, the newest first. `state`: all, active, inactive, or next (the player is to move)."""
        query = sa.select(db.board).order_by(db.board.c.number.desc()).limit(limit)
        if game:
            query = query.where(db.board.c.game == game)
        if state in ("active", "next"):
            query = query.where(db.board.c.over.is_(None))
        if state == "inactive":
            query = query.where(db.board.c.over.is_not(None))
        if player_id is not None:
            mine = sa.select(db.seat.c.board).where(db.seat.c.player_id == player_id)
            query = query.where(db.board.c.number.in_(mine.where(db.seat.c.to_move) if state == "next" else mine))
        rows = list(self._c.execute(query))
        return [_listed(row, seats) for row, seats in zip(rows, self._seats([r.number for r in rows]), strict=True)]

    def numbers(self) -> list[int]:
        """The numbers of all boards."""
        return list(self._c.scalars(sa.select(db.board.c.number).order_by(db.board.c.number)))

    def _seats(self, numbers: list[int]) -> list[list[Any]]:
        """The seats of each of these boards: userid and whether it is to move."""
        c = db.seat.c
        query = sa.select(c.board, db.player.c.userid, c.to_move).join(db.player).where(c.board.in_(numbers))
        found: dict[int, list[Any]] = {n: [] for n in numbers}
        for row in self._c.execute(query.order_by(c.board, c.seat)):
            found[row.board].append(row)
        return list(found.values())


def _cache(board: Board, now: datetime) -> dict[str, Any]:
    """The columns of a board that can be made anew from its log."""
    return {
        "changed": now,
        "ply": board.ply,
        "length": board.length,
        "position": board.game.dump(board.position),
        "state": _dump_state(board),
    }


def _dump_state(board: Board) -> dict[str, Any]:
    offer = board.offer
    return {
        "offer": offer and [offer.kind.value, offer.seat, offer.to_ply, sorted(offer.agreed)],
        "out": list(board.out),
        "result": board.result and asdict(board.result),
    }


def _result(state: dict[str, Any]) -> Outcome | None:
    if state["result"] is None:
        return None
    return Outcome(state["result"]["reason"], tuple(state["result"]["ranks"]), tuple(state["result"]["scores"]))


def _board(row: Any, seats: int) -> Board:
    game = games.find(row.game)
    offer = row.state["offer"]
    return Board(
        Start(game, row.options, seats, row.seed),
        game.load(row.position),
        row.ply,
        row.length,
        Offer(Kind(offer[0]), offer[1], offer[2], frozenset(offer[3])) if offer else None,
        tuple(row.state["out"]),
        _result(row.state),
    )


def _entry(row: Any) -> Entry:
    notes = tuple(Note(text, None if seats is None else frozenset(seats)) for text, seats in row.notes)
    return Entry(row.seat, Kind(row.kind), row.text, row.ply, row.fixed, tuple(row.missed), notes)


def _listed(row: Any, seats: list[Any]) -> Listed:
    players = tuple(s.userid for s in seats)
    to_move = tuple(s.userid for s in seats if s.to_move)
    return Listed(row.number, row.game, row.options, row.ply, players, to_move, row.changed, _result(row.state))
