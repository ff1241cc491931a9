"""Runs a call in its savepoint and writes the letters that come of it: what a call, and a mail, gives back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from pbmserv.boards.news import BoardNews, all_news
from pbmserv.boards.queued_moves import play_queued
from pbmserv.errors import PlayerError
from pbmserv.inbox.command import BoardRef, Call, Scope, read_board
from pbmserv.inbox.context import Context
from pbmserv.letters.board_letters import write_news


@dataclass
class Answer:
    """What a call gives back: a text for the sender, and boards whose players get a letter.

    `complete`: the board letter is all the answer that the sender needs.
    """

    text: str = ""
    subject: str = ""
    boards: list[BoardNews] = field(default_factory=list)
    complete: bool = False
    answers: tuple[tuple[str, bool], ...] = ()  #: what can be answered with a click, and whether that is a move
    attachments: tuple[tuple[str, bytes], ...] = ()  #: JSON files: name, content


@dataclass
class Done:
    """What became of a mail, for its row: the calls without passwords, and the first error."""

    calls: list[str] = field(default_factory=list)
    problem: str = ""


def run_call(ctx: Context, call: Call, *, alone: bool = False) -> Answer:
    """Run a call in a savepoint: if it fails, neither its rows nor its letters remain. Raises PlayerError.

    `alone`: the mail has no other call, so that its own savepoint, which has just begun, serves for both.
    """
    ctx.asker.demand_patience(call)
    return in_savepoint(ctx, lambda: call.command.run(ctx, _with_game(ctx, call)), alone=alone)


def _with_game(ctx: Context, call: Call) -> Call:
    """The call with the game of its board, if the line leaves the game to the board's number. Raises PlayerError."""
    if call.game or call.command.scope is Scope.SERVER:
        return call
    first = call.values[call.command.args[0].name]
    ref = first if isinstance(first, BoardRef) else read_board(first if isinstance(first, str) else first[0])
    if ref is None:
        raise ValueError("the parser lets no line without a game pass that names no board first")
    return replace(call, game=ctx.lookups.board(ref.number, lock=False).game)


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
            {"text": ctx.say(answer.text), "answers": answer.answers},
            reply_to=reply_to,
            attachments=answer.attachments,
            language=ctx.language,
        )
    elif not any(r["recipient"] == ctx.mail.sender for r in ctx.letters.rows):
        ctx.notice()
