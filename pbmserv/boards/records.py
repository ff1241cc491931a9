"""A whole board as plain data, for `record`, for admins and for other programs."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pbmserv import games
from pbmserv.games.base import AnyGame
from pbmserv.games.base.board import Board, Start, replay
from pbmserv.games.base.log import Entry, Kind
from pbmserv.rng import commitment
from pbmserv.store import BoardRow, LogLine


def record_of(row: BoardRow, lines: Sequence[LogLine], with_secrets: bool = False) -> dict[str, Any]:
    """Game, options, settings, players, log, result; before the board is over nothing that a spectator may not know.

    The seed is in it once the board is over, before that its sha256; so is the position with which a fork begins if
    things are hidden in it. `with_secrets` is for an admin who moves a running board to another server.
    """
    board = row.board
    seed, origin = board.start.seed, board.start.origin
    result = board.result
    open_ = bool(result) or with_secrets
    return {
        "format": 1,
        "board": row.number,
        "game": board.game.info.key,
        "rules": board.game.info.rules,
        "options": dict(board.start.options),
        "settings": asdict(row.settings),
        "players": [p.userid for p in row.players],
        "created": row.created.isoformat(),
        "commitment": commitment(seed),
        "seed": seed if open_ else None,
        "origin": json.loads(board.game.dump(origin)) if origin and (open_ or not board.game.info.hidden) else None,
        "log": [_entry(line) for line in lines],
        "result": {"reason": result.reason, "ranks": result.ranks, "scores": result.scores} if result else None,
    }


def replayed(record: Mapping[str, Any]) -> Board:
    """The finished board that a record leads to. Raises PlayerError if its log cannot be played."""
    game = games.find(record["game"])
    origin = origin_of(game, record.get("origin"))
    start = Start(game, record["options"], len(record["players"]), record["seed"], origin)
    return replay(start, [Entry(e["seat"], Kind(e["kind"]), e["text"], e["ply"]) for e in record["log"]])


def origin_of(game: AnyGame, plain: Any) -> Any:
    """The position that a fork begins with, from the plain data of a record. Raises ValueError."""
    return None if plain is None else game.load(json.dumps(plain))


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
