"""Runs a call in its savepoint, and writes the letters that come of it."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from pbmserv.boards.news import BoardNews, all_news
from pbmserv.boards.queued_moves import play_queued
from pbmserv.errors import PlayerError
from pbmserv.inbox.answer import Answer
from pbmserv.inbox.command import Call
from pbmserv.inbox.context import Context
from pbmserv.letters.board_letters import write_news


def run_call(ctx: Context, call: Call, *, alone: bool = False) -> Answer:
    """Run a call in a savepoint: if it fails, neither its rows nor its letters remain. Raises PlayerError.

    `alone`: the mail has no other call, so that its own savepoint, which has just begun, serves for both.
    """
    ctx.asker.demand_patience(call)
    return in_savepoint(ctx, lambda: call.command.run(ctx, call), alone=alone)


def in_savepoint(ctx: Context, do: Callable[[], Answer], *, alone: bool = False) -> Answer:
    """Do something, then play the moves that were queued for its boards. If it fails, nothing of it remains."""
    letters = len(ctx.letters.rows)
    try:
        with ctx.store.rewinding() if alone else ctx.store.savepoint():
            answer = do()
            answer.boards = [_with_queues(ctx, news) for news in answer.boards]
    except PlayerError:
        del ctx.letters.rows[letters:]
        raise
    finally:
        ctx.lookups.forget()
    return answer


def _with_queues(ctx: Context, news: BoardNews) -> BoardNews:
    """A board that has changed, after the moves that were queued for this turn."""
    played = play_queued(ctx.store, news.row, ctx.mail_id, ctx.now)
    return replace(news, row=played.row, news=all_news(news.news, played.news))


def write_letters(ctx: Context, answer: Answer) -> None:
    """The letters about the boards, and the answer to the sender if those do not make it needless."""
    write_board_letters(ctx, answer.boards)
    if not answer.complete:
        write_answer(ctx, answer)


def write_board_letters(ctx: Context, boards: Sequence[BoardNews]) -> None:
    """One letter per board and reader, however many lines of the mail changed the board."""
    merged: dict[int, BoardNews] = {}
    for news in boards:
        if first := merged.get(news.row.number):
            both = all_news(first.news, news.news)
            news = replace(news, since=first.since, text=news.text or first.text, news=both)
        merged[news.row.number] = news
    for news in merged.values():
        comment = ctx.comment(news.actor) if news.actor and not news.only else None
        write_news(ctx.letters, news, comment)


def write_answer(ctx: Context, answer: Answer, reply_to: str = "") -> None:
    """The letter to the sender, in his language, to every address where he may be written to."""
    to = ctx.answer_to()
    if to:
        ctx.letters.write(
            "answer",
            to,
            answer.subject,
            {"text": ctx.say(answer.text)},
            reply_to=reply_to,
            attachments=answer.attachments,
            language=ctx.language,
        )
    elif not any(r["recipient"] == ctx.mail.sender for r in ctx.letters.rows):
        ctx.notice()
