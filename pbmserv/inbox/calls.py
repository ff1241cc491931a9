"""Makes a call of the words of a reply, and runs calls."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from pbmserv.boards.news import BoardNews, all_news
from pbmserv.boards.queued_moves import play_queued
from pbmserv.errors import PlayerError
from pbmserv.inbox.command import BoardRef, Call, Command
from pbmserv.inbox.context import Answer, Context, Signed
from pbmserv.inbox.parse import parse_reply
from pbmserv.store import BoardRow


def reply_call(row: BoardRow, signed: Signed, line: str, commands: Sequence[Command]) -> Call:
    """The call that the first line of a reply makes. Raises PlayerError unless every word of it is understood."""
    found = parse_reply(line, commands, row.board.game)
    if found is None:
        raise PlayerError(
            "The first line of your answer is neither moves nor a verb, so nothing was done.",
            f"Write your move alone on the first line{_example(row, signed)}, and your words to the others below.",
        )
    command, words = found
    values: dict[str, Any] = {"board": BoardRef(row.number), "userid": row.players[signed.seat].userid}
    return Call(command, row.board.game, values | ({"move": words} if words else {}))


def _example(row: BoardRow, signed: Signed) -> str:
    board = row.board
    return f", such as {board.game.example(board.position, signed.seat)}" if signed.seat in board.to_move else ""


def call_of(ctx: Context, call: Call, *, alone: bool = False) -> Answer:
    """Run a call in a savepoint: if it fails, neither its rows nor its letters remain.

    `alone`: the mail has no other call, so that its own savepoint, which has just begun, serves for both.
    """
    ctx.demand_patience(call)
    return in_savepoint(ctx, lambda: call.command.run(ctx, call), alone=alone)


def in_savepoint(ctx: Context, do: Callable[[], Answer], *, alone: bool = False) -> Answer:
    """Do something, then what was queued for the boards it changed; if it fails, nothing of it remains."""
    letters = len(ctx.letters.rows)
    try:
        with ctx.store.rewinding() if alone else ctx.store.savepoint():
            answer = do()
            answer.boards = [_with_queues(ctx, news) for news in answer.boards]
    except PlayerError:
        del ctx.letters.rows[letters:]
        raise
    finally:
        ctx.forget()
    return answer


def _with_queues(ctx: Context, news: BoardNews) -> BoardNews:
    """A board that has changed, after the moves that were queued for this turn."""
    played = play_queued(ctx.store, news.row, ctx.mail_id, ctx.now)
    return replace(news, row=played.row, news=all_news(news.news, played.news))
