"""What the webhook of a player is told: it is your turn, a board is over, somebody wrote.

It has nothing that the letters to the same player do not have: moves as the player may see them, no addresses, and no
link that lets its reader move.
"""

import json
from collections.abc import Mapping, Sequence

from pbmserv.boards.clocks import deadlines
from pbmserv.games import NotInstalled
from pbmserv.games.base.hidden import read_by
from pbmserv.games.base.log import Entry, Kind
from pbmserv.letters.site import Events
from pbmserv.letters.text.times import from_seconds
from pbmserv.model import BoardRow, Player
from pbmserv.model.letters import Event, EventKind


class WebhookEvents(Events):
    """The events of what letters say."""

    def of_board(self, row: BoardRow, player: Player, log: Sequence[Entry], seen: int) -> Event | None:
        seats = row.seats_of(player)
        if not (row.board.result or row.board.to_move & set(seats)):
            return None
        data = {**_board(row), "seats": list(seats), "moves": moves_for(row, seats, log, seen)}
        if row.board.result:
            ending = {"reason": row.board.result.reason, "places": list(row.board.result.ranks)}
            return event(EventKind.END, data | ending, row)
        lost = deadlines.forfeit_at(row.clocks[row.seat_to_move(player)], row.settings)
        until = from_seconds(lost).isoformat() if lost is not None else None
        return event(EventKind.TURN, {**data, "until": until}, row)

    def of_message(self, by: str, text: str, row: BoardRow | None) -> Event:
        about = _board(row) if row else {"board": None}
        return event(EventKind.MESSAGE, {**about, "from": by, "text": text}, row)


def event(kind: EventKind, data: Mapping[str, object], row: BoardRow | None = None) -> Event:
    """Return an event for the outbox. `data`: what can be said in JSON."""
    packed = json.dumps({"event": kind, "data": data}, ensure_ascii=False).encode()
    return Event(kind, row.number if row else None, packed)


def _board(row: BoardRow) -> dict[str, object]:
    return {"board": row.number, "game": row.key, "players": [p.userid for p in row.players]}


def moves_for(row: BoardRow, seats: Sequence[int], log: Sequence[Entry], seen: int = 0) -> list[dict[str, str]]:
    """Return moves as this player may see them: those of others that are hidden are told in other words."""
    if isinstance(row.game, NotInstalled):
        return []
    moves = (entry for entry in read_by(row.board, log, seats)[seen:] if entry.kind is Kind.MOVE)
    return [{"player": row.players[move.seat].userid, "move": move.text} for move in moves]
