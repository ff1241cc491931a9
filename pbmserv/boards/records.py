"""Records: a whole board as plain data, for `record`, admins and other programs, and in the formats that these read.

Plain data can be imported again (admin/imports.py).
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType

from pbmserv import games
from pbmserv.errors import PlayerError, quote
from pbmserv.games.base import AnyGame
from pbmserv.games.base.board import Board, Start, replay
from pbmserv.games.base.hidden import read_by
from pbmserv.games.base.log import Entry, Kind, standing
from pbmserv.games.base.sheet import Facts, Format, Ply, Sheet, formats_of, named
from pbmserv.model import BoardRow, LogLine, receipts
from pbmserv.model.boards import SHARED, ReviewRow
from pbmserv.model.rows import Json
from pbmserv.rng import commitment
from pbmserv.robots.reviewing.review import Moment, Review

_NO_COMMENTS: Mapping[int, str] = MappingProxyType({})


def comments_of(review: ReviewRow | None, row: BoardRow) -> Mapping[int, str]:
    """Return what a review says of moves, by their plies; nothing if it is not done, or of another end of the board."""
    if review is None or review.result is None or not review.is_of(row):
        return _NO_COMMENTS
    return {moment.ply + 1: comment_on(moment) for moment in Review.of(review.result).moments}


def comment_on(moment: Moment) -> str:
    """Return a comment for other programs: what was wrong, and what was better."""
    return f"{moment.why} Better: {' '.join(moment.line)}"


def record_of(
    row: BoardRow, lines: Sequence[LogLine], with_secrets: bool = False, auto: Collection[int] = ()
) -> dict[str, object]:
    """Return the record of a board: game, options, settings, players, log and result.

    The record of a running board has only what spectators may know: not the seed but its sha256, not the text of a
    hidden move, and not the first position of a fork if the game hides things. `with_secrets` is for admins who move a
    running board to another server. `auto`: the ids of players with automatic vacation.

    The receipts can be checked at any time: what is told has its salt, what is hidden its seal. With the seed, anybody
    can compute all salts, so they are left out.
    """
    board = row.board
    seed, origin = board.start.seed, board.start.origin
    result = board.result
    tells_all = bool(result) or with_secrets
    log = read_by(board, [line.entry for line in lines], all_=tells_all)
    shown = origin and (tells_all or not board.game.info.hidden)
    return {
        "format": 1,
        "board": row.number,
        "game": board.game.info.key,
        "rules": board.game.info.rules,
        "options": dict(board.start.options),
        "settings": asdict(row.settings),
        "players": [p.userid for p in row.players],
        "days_off": [",".join(clock.rest.days) for clock in row.clocks],
        "auto_vacation": [p.id in auto for p in row.players],
        "times": [{"used": clock.used, "bank": clock.bank} for clock in row.clocks],
        "created": row.created.isoformat(),
        "continues": row.continues._asdict() if row.continues else None,
        "tournament": row.tournament,
        "commitment": commitment(seed),
        "seed": seed if tells_all else None,
        "origin": _origin(board) if shown else None,
        "beginning": json.loads(row.beginning) if row.beginning else None,  # see `AuditQueries.seal`
        "salt": receipts.salt(seed, 0) if shown and not tells_all else None,
        "log": [_entry(line, entry, "" if tells_all else seed) for line, entry in zip(lines, log, strict=True)],
        "result": {"reason": result.reason, "ranks": result.ranks, "scores": result.scores} if result else None,
    }


def replayed(record: Json) -> Board:
    """Replay a record and return its finished board. Raises PlayerError if its log cannot be played."""
    game = games.find(record["game"])
    origin = origin_of(game, record.get("origin"))
    repetition, shared = record["settings"].get("repetition", 0), record["settings"].get("dice") == SHARED
    start = Start(game, record["options"], len(record["players"]), record["seed"], origin, repetition, shared)
    return replay(start, [Entry(e["seat"], Kind(e["kind"]), e["text"], e["ply"]) for e in record["log"]])


def origin_of(game: AnyGame, plain: object) -> object:
    """Return the first position of a fork from the plain data of a record. Raises ValueError."""
    return None if plain is None else game.load(json.dumps(plain))


def _origin(board: Board) -> object:
    return json.loads(board.start.game.dump(board.start.origin))


def _entry(line: LogLine, entry: Entry, seed: str) -> dict[str, object]:
    """Return an entry as plain data. `seed`: if still secret; else "". `entry`: as everybody may read it."""
    public = [n.text for n in entry.notes if n.seats is None]
    return {
        "number": line.number,
        "at": line.at.isoformat(),
        "seat": entry.seat,
        "kind": entry.kind.value,
        "text": entry.text,
        "ply": entry.ply,
        "notes": public,
        "receipt": line.receipt,
        **(_sealed(line, entry, receipts.salt(seed, line.number)) if seed else {}),
    }


def _sealed(line: LogLine, entry: Entry, salt: str) -> dict[str, str]:
    """Return what somebody needs to check a receipt without the seed."""
    if entry.text == line.entry.text:
        return {"salt": salt}
    return {"seal": receipts.seal(salt, line.entry.text)}


JSON = "json"


def sheet_of(
    row: BoardRow, log: Sequence[Entry], film: Iterable[Board], site: str, comments: Mapping[int, str] = _NO_COMMENTS
) -> Sheet:
    """Return a board for a format of other programs. `film`: the board at each ply, as `board.film` yields it.

    `comments`: by the ply of the move.
    """
    moves = enumerate(zip(film, standing(log), strict=False), start=1)
    plies = tuple(Ply(then.position, e.seat, e.text, comments.get(ply, "")) for ply, (then, e) in moves)
    ended = f"{row.over:%Y-%m-%d}" if row.over else ""
    facts = Facts(row.number, tuple(p.userid for p in row.players), site, f"{row.created:%Y-%m-%d}", ended)
    return Sheet(facts, row.board, plies)


def format_for(row: BoardRow, name: str) -> Format:
    """Return the format of a board that has this name. Raises PlayerError if there is none now."""
    game, chosen = row.game, named(formats_of(row.game), name.lower())
    if chosen is None:
        known = [form.name for form in formats_of(game)]
        text = f"{game.info.name} has no records in the format {quote(name)}."
        if not known:
            raise PlayerError(text, f"Send: {game.info.key} record {row.number}")
        raise PlayerError(text, f"Send: {game.info.key} record {row.number} --format={known[0]}")
    if game.info.hidden and not row.board.result:
        raise PlayerError(
            "This game hides things, so other programs get its record only when the board is over.",
            f"Send: {game.info.key} record {row.number}",
        )
    return chosen


def site_of(row: BoardRow, web_url: str, address: str) -> str:
    """Return where a board is played: its page on the web, else the host of the mail address."""
    return f"{web_url}/boards/{row.number}" if web_url else address.rpartition("@")[2]


def formats_now(row: BoardRow) -> tuple[Format, ...]:
    """Return the formats in which a board can be had now, besides JSON."""
    return formats_of(row.game) if row.board.result or not row.game.info.hidden else ()
