"""Runs a call in its savepoint and writes the letters that it causes. Defines the results of a call and of a mail."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from pbmserv.boards.news import BoardNews, all_news
from pbmserv.boards.queued_moves import play_queued
from pbmserv.errors import PlayerError
from pbmserv.inbox.command import BoardRef, Call, Scope, board_for_game
from pbmserv.inbox.context import Answer, Command, Context
from pbmserv.letters.board_letters import ask_of, write_news
from pbmserv.letters.text.blocks import cut, joined

_CUT = (
    "Below your words, your mail has another mail, which is not marked as a quote and not known here. Nothing of it "
    "was read. If you wrote something there, please send it again above all quotes."
)

_SIGNATURE = (
    "Your mails end with the same words. They are taken for a signature, and are not passed on. To keep them, send: "
    "set USERID PASSWORD signature=keep"
)


@dataclass
class Done:
    """The result of a mail, for its row: the calls without passwords, and the first error."""

    calls: list[str] = field(default_factory=list)
    problem: str = ""


def run_call(ctx: Context, call: Call, *, alone: bool = False) -> Answer:
    """Run a call in a savepoint. If it fails, its rows and letters are undone. Raises PlayerError, MustWrite.

    `alone`: the mail has no other call, so the savepoint of the mail, which has just begun, is used for the call.
    """
    ctx.authentication.demand_patience(call)
    ctx.budget.demand_room()
    if call.command.question:
        ctx.demand_reader(call)
    else:
        ctx.demand_writing()
    return in_savepoint(ctx, lambda: _run_of(call)(ctx, _with_game(ctx, call)), alone=alone)


def _run_of(call: Call) -> Callable[[Context, Call], Answer]:
    if not isinstance(call.command, Command):
        raise TypeError("the commands of a server are rows of its table")
    return call.command.run


def _with_game(ctx: Context, call: Call) -> Call:
    """Add the game of the board, if the line names only the board's number. Raises PlayerError."""
    if call.game or call.command.scope is Scope.SERVER:
        return call
    ref = board_for_game(call.command, call.values[call.command.args[0].name])
    if ref is None:
        raise ValueError("the parser accepts a line without a game only if it names a board first")
    return replace(call, game=ctx.lookups.board(ref.number, lock=False).game)


def in_savepoint(ctx: Context, do: Callable[[], Answer], *, alone: bool = False) -> Answer:
    """Run `do`, then play the moves that are queued for its boards. If it fails, everything is undone."""
    letters, written = len(ctx.letters.rows), ctx.budget.written
    try:
        with ctx.store.rewinding() if alone else ctx.store.savepoint():
            answer = do()
            answer.boards = [_with_queues(ctx, news) for news in answer.boards]
            ctx.budget.written = max(ctx.budget.written, written + answer.size)
    except PlayerError:
        del ctx.letters.rows[letters:]
        ctx.letters.replays.forget()
        raise
    finally:
        ctx.lookups.forget()
    return answer


def _with_queues(ctx: Context, news: BoardNews) -> BoardNews:
    """Play the moves that are queued for this turn, and return the news after them."""
    played = play_queued(ctx.store, news.row, ctx.mail_id, ctx.now, ctx.before(news.row))
    return replace(news, row=played.row, news=all_news(news.news, played.news))


def answerable(ctx: Context, call: Call, answer: Answer) -> Answer:
    """Return the answer to a call with an address where it can be answered, if it is about a board of the sender."""
    ref, player, signed = call.values.get("board"), ctx.authentication.player, ctx.authentication.signed
    if answer.complete or answer.reply_to or player is None or not isinstance(ref, BoardRef):
        return answer
    row = ctx.store.boards.find(ref.number, lock=False)
    if row and row.seats_of(player):
        seat, length = (signed.seat, signed.length) if signed else (row.seat_to_move(player), row.board.length)
        talks = ctx.site.signer.chat if call.command.verb == "chat" else ctx.site.signer.answer
        answer.reply_to = talks(row.number, seat, length, player.epoch)
    return answer


def write_letters(ctx: Context, answer: Answer) -> None:
    """Write the letters about the boards, and the answer to the sender if it is needed."""
    write_board_letters(ctx, answer.boards)
    if not answer.complete:
        write_answer(ctx, answer)


def write_board_letters(ctx: Context, boards: Sequence[BoardNews]) -> None:
    """Write one letter for each board and reader, even if several lines of the mail changed the board."""
    if boards:
        ctx.demand_writing()
    merged: dict[int, BoardNews] = {}
    for news in boards:
        if first := merged.get(news.row.number):
            both = all_news(first.news, news.news)
            news = replace(news, since=first.since, text=news.text or first.text, news=both)
        merged[news.row.number] = news
    for news in merged.values():
        writer = news.actor if news.actor and not news.only and ctx.body else None
        people = ask_of(ctx.letters, news, writer)
        wants = people.preferences(writer) if writer and news.row.seats_of(writer) else None
        comment = ctx.comment(writer, news.row, wants=wants) if writer else None
        text = "\n\n".join(filter(None, (news.text, _notice(ctx))))
        write_news(ctx.letters, replace(news, text=text), comment, people)


def _notice(ctx: Context) -> str:
    """Return what tells the sender that words were left out; "" if none were. Of a signature, it says so once."""
    told = [_CUT] if ctx.mail.is_cut else []
    if ctx.has_new_signature:
        told.append(_SIGNATURE)
        ctx.has_new_signature = False
    return "\n\n".join(ctx.say(sentence) for sentence in told)


def write_answer(ctx: Context, answer: Answer) -> None:
    """Write the answer to the sender, in the sender's language, to every address to which we may write."""
    to = ctx.answer_to()
    if to:
        ctx.answer(
            to,
            answer.subject,
            {
                "text": joined([ctx.renderer.said(answer.text), cut(_notice(ctx))]),
                "answers": answer.answers,
                "touches": answer.touches,
            },
            reply_to=answer.reply_to,
            attachments=answer.attachments,
            language=ctx.language,
        )
    elif not any(letter.recipient == ctx.mail.sender for letter in ctx.letters.rows):
        ctx.notice()
