"""Whole boards: `record` gives one as JSON, `fork` begins a new one in the middle of an old one."""

import json
from dataclasses import replace

from pbmserv.boards.news import BoardNews, News
from pbmserv.boards.records import record_of
from pbmserv.commands.starting import begin_board, demand_players, new_seed, read_terms
from pbmserv.errors import PlayerError
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Start
from pbmserv.games.base.log import Kind
from pbmserv.inbox.answer import Answer
from pbmserv.inbox.command import Call
from pbmserv.inbox.context import Context
from pbmserv.letters.text.wording import board_title
from pbmserv.store import BoardRow, Player


def record(ctx: Context, call: Call) -> Answer:
    """`game record board`: game, options, players, moves and result as a JSON file."""
    reader = ctx.asker.login(call) if call.credentials else None
    row = ctx.readable_row(call, call.values["board"], reader)
    content = json.dumps(record_of(row, ctx.store.boards.log(row.number)), indent=1).encode()
    seed = "with its seed" if row.board.result else "without its seed, which is told when the board is over"
    return Answer(
        f"The record of board {row.number} is attached, {seed}.",
        subject=board_title(row),
        attachments=((f"board-{row.number}.json", content),),
    )


def fork(ctx: Context, call: Call) -> Answer:
    """`game fork board#n userid1 …`: a new unrated board that goes on from ply n of another one."""
    sender = ctx.asker.sender_player(call)
    ref = call.values["board"]
    row = ctx.readable_row(call, ref, sender)
    then = _board_at(ctx, row, ref.ply)
    board = row.board.start
    terms = read_terms(call)
    terms = replace(terms, options=board.options, settings=replace(terms.settings, rated=False))
    players = demand_players(ctx, terms, call.values["userid"], sender)
    _demand_seats(row, players)
    start = Start(board.game, board.options, board.seats, new_seed(), origin=then.position)
    new = begin_board(ctx, terms, players, start)
    text = f"This board goes on from board {row.number} after ply {then.ply}."
    return Answer(
        text=f"Board {new.number} has begun. {text}",
        subject=board_title(new),
        boards=[BoardNews(new, 0, sender, news={p.id: News(text, 0) for p in players})],
        complete=sender in players,
    )


def _demand_seats(row: BoardRow, players: list[Player]) -> None:
    seats = row.board.start.seats
    if len(players) != seats:
        raise PlayerError(f"Board {row.number} has {seats} seats, and you named {len(players)} players.")


def _board_at(ctx: Context, row: BoardRow, ply: int | None) -> Board:
    """The board as it was after a ply (None: as it is), if a new one may begin with it. Raises PlayerError."""
    info = row.board.game.info
    if row.board.result is None and (info.chance or info.hidden):
        raise PlayerError(
            f"Board {row.number} is still running, and a copy could tell what chance or hidden things will bring.",
            f"Wait for its end, or try moves with: {info.key} preview {row.number}",
        )
    then = row.board if ply is None else play.at(row.board.start, ctx.log(row), ply)
    if not then.game.to_move(then.position):
        raise PlayerError(
            "The board is over there, so nothing is left to play.",
            f"Name an earlier ply, for example: {info.key} fork {row.number}#{max(then.ply - 1, 0)} "
            + " ".join(p.userid for p in row.players),
        )
    # The one whose leaving ended the board is still part of the position; the others were taken out of it.
    ended = then.result is not None and then.result.reason in (Kind.RESIGN, Kind.FORFEIT)
    if then.out[: len(then.out) - ended]:
        raise PlayerError("A player had left the board by then.", "Name an earlier ply.")
    return then
