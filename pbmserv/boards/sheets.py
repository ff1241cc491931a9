"""Boards in the formats that other programs read."""

from collections.abc import Iterable, Sequence

from pbmserv.errors import PlayerError, quote
from pbmserv.games.base.board import Board
from pbmserv.games.base.log import Entry, standing
from pbmserv.games.base.sheet import Facts, Format, Ply, Sheet, formats_of, named
from pbmserv.model import BoardRow

JSON = "json"


def sheet_of(row: BoardRow, log: Sequence[Entry], film: Iterable[Board], site: str) -> Sheet:
    """Return a board for a format of other programs. `film`: the board at each ply, as `board.film` yields it."""
    plies = tuple(Ply(then.position, e.seat, e.text) for then, e in zip(film, standing(log), strict=False))
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
