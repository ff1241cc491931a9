"""A whole board as plain data, for `record`, for admins and for other programs."""

from collections.abc import Mapping, Sequence
from typing import Any

from pbmserv import games
from pbmserv.board import Board, Entry, Kind, Start, replay
from pbmserv.rng import commitment
from pbmserv.store import BoardRow, LogLine


def record_of(row: BoardRow, lines: Sequence[LogLine]) -> dict[str, Any]:
    """Game, options, players, log, result. The seed is in it once the board is over, before that its sha256."""
    board = row.board
    seed = board.start.seed
    result = board.result
    return {
        "format": 1,
        "board": row.number,
        "game": board.game.info.key,
        "rules": board.game.info.rules,
        "options": dict(board.start.options),
        "players": [p.userid for p in row.players],
        "created": row.created.isoformat(),
        "commitment": commitment(seed),
        "seed": seed if result else None,
        "log": [_entry(line) for line in lines],
        "result": {"reason": result.reason, "ranks": result.ranks, "scores": result.scores} if result else None,
    }


def replayed(record: Mapping[str, Any]) -> Board:
    """The finished board that a record leads to. Raises PlayerError if its log cannot be played."""
    game = games.find(record["game"])
    start = Start(game, record["options"], len(record["players"]), record["seed"])
    return replay(start, [Entry(e["seat"], Kind(e["kind"]), e["text"], e["ply"]) for e in record["log"]])


def _entry(line: LogLine) -> dict[str, Any]:
    entry = line.entry
    public = [n.text for n in entry.notes if n.seats is None]
    return {
        "number": line.number,
        "at": line.at.isoformat(),
        "seat": entry.seat,
        "kind": entry.kind.value,
        "text": entry.text,
        "ply": entry.ply,
        "notes": public,
    }
