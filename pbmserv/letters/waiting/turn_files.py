"""The files in a turn letter of a player who lets a program answer: the board as data, and for programs of the game."""

import json
from collections.abc import Iterable

from pbmserv.boards.absences.vacations import wants_auto
from pbmserv.boards.past import Past
from pbmserv.boards.records import formats_now, record_of, sheet_of, site_of
from pbmserv.games.base import Seat
from pbmserv.games.base.board import film, view_of
from pbmserv.letters.site import Site
from pbmserv.mail.outbound import Attachment
from pbmserv.model import BoardRow
from pbmserv.store import Store

MOST_MOVES = 2500  #: that are listed; no game has more at its beginning
MOST_ENTRIES = 2000  #: of the log; longer ones have only their end, and no file for programs of the game


def turn_files(site: Site, store: Store, row: BoardRow, seat: Seat, log: Past) -> tuple[Attachment, ...]:
    """Return the files for the player whose turn it is: a record with `turn` in it, and one for each other format."""
    length = row.board.length
    lines = [line for line in store.boards.log(row.number, max(0, length - MOST_ENTRIES)) if line.number <= length]
    record = record_of(row, lines, auto=wants_auto(store, row.players)) | {"turn": _turn(row, seat)}
    files = [Attachment(f"board-{row.number}.json", json.dumps(record, ensure_ascii=False).encode())]
    if length <= MOST_ENTRIES:
        files += _sheets(site, row, log)
    return tuple(files)


def _turn(row: BoardRow, seat: Seat) -> dict[str, object]:
    """Return what a program needs to answer: its seat, the position as this seat sees it, and its legal moves."""
    game, seen = row.game, view_of(row.board, seat).position
    moves = game.legal_moves(seen, seat)
    return {
        "seat": seat,
        "ply": row.board.ply,
        "position": json.loads(game.dump(seen)),
        "legal": [game.format(move) for move in moves[:MOST_MOVES]],
        "more_moves": len(moves) > MOST_MOVES,
    }


def _sheets(site: Site, row: BoardRow, log: Past) -> Iterable[Attachment]:
    forms = formats_now(row)
    if not forms:
        return
    entries = list(log)
    where = site_of(row, site.policy.web_url, site.address)
    for form in forms:
        text = form.write(sheet_of(row, entries, film(row.board.start, entries), where))
        yield Attachment(f"board-{row.number}.{form.name}", text.encode(), form.media_type)
