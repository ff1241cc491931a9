"""What the webhook of a player is told: it is your turn, a board is over, somebody wrote.

It has nothing that the letters to the same player do not have: moves as the player may see them, no addresses, and no
link that lets its reader move.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Literal

from pbmserv.boards.clocks import deadlines
from pbmserv.games import NotInstalled
from pbmserv.games.base.log import Entry, Kind
from pbmserv.letters.fence import Comment
from pbmserv.letters.letters import Letters
from pbmserv.letters.text.times import from_seconds
from pbmserv.model import BoardRow, Player

EventKind = Literal["challenge", "turn", "end", "message"]


def write_event(
    letters: Letters, player: Player, kind: EventKind, data: Mapping[str, object], board: int | None
) -> None:
    """Put an event for the webhook of a player into the outbox. The caller knows that there is one."""
    if letters.site.policy.webhooks:
        letters.queue_event(player, kind, board, pack(kind, data))


def write_board_event(letters: Letters, row: BoardRow, player: Player, entries: Sequence[Entry]) -> None:
    """Tell that it is the player's turn, or that the board is over. `entries`: what the player has not read yet."""
    seats = row.seats_of(player)
    if not (row.board.result or row.board.to_move & set(seats)):
        return
    data = {**_board(row), "seats": list(seats), "moves": moves_for(row, seats, entries)}
    if row.board.result:
        ending = {"reason": row.board.result.reason, "places": list(row.board.result.ranks)}
        write_event(letters, player, "end", data | ending, row.number)
        return
    lost = deadlines.forfeit_at(row.clocks[row.seat_to_move(player)], row.settings)
    until = from_seconds(lost).isoformat() if lost is not None else None
    write_event(letters, player, "turn", {**data, "until": until}, row.number)


def write_message_event(letters: Letters, player: Player, comment: Comment, row: BoardRow | None) -> None:
    """Tell a player what another wrote, about a board or not."""
    about = _board(row) if row else {"board": None}
    data = {**about, "from": comment.by, "text": comment.text}
    write_event(letters, player, "message", data, row.number if row else None)


def pack(kind: str, data: Mapping[str, object]) -> bytes:
    """Return an event for the outbox."""
    return json.dumps({"event": kind, "data": data}, ensure_ascii=False).encode()


def _board(row: BoardRow) -> dict[str, object]:
    return {"board": row.number, "game": row.key, "players": [p.userid for p in row.players]}


def moves_for(row: BoardRow, seats: Sequence[int], entries: Sequence[Entry]) -> list[dict[str, str]]:
    """Return moves as this player may see them: those of others that are hidden are told in other words."""
    if isinstance(row.game, NotInstalled):
        return []
    told = []
    for entry in entries:
        if entry.kind is Kind.MOVE:
            open_ = row.board.result or entry.seat in seats
            text = entry.text if open_ else row.game.public_text(entry.text)
            told.append({"player": row.players[entry.seat].userid, "move": text})
    return told
