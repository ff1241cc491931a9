"""Runs what one mail asks for: its calls, each in its own savepoint, and the letters that answer them."""

from collections.abc import Sequence

from pbmserv.boards.news import BoardNews
from pbmserv.errors import PlayerError
from pbmserv.inbox.calls import Answer, Done, run_call, write_answer, write_board_letters, write_letters
from pbmserv.inbox.command import BoardRef, Call, CallError, Understood
from pbmserv.inbox.context import Context
from pbmserv.inbox.error_answers import answer_error, understood_line
from pbmserv.inbox.parse import MOST_LINES, Request
from pbmserv.inbox.replies import reply


def run(ctx: Context, request: Request) -> Done:
    """Do it, and write the letters."""
    ctx.body = request.comment
    if request.token is not None:
        return reply(ctx, request.token, request)
    if not request.calls:
        write_answer(ctx, Answer(ctx.render("puzzled"), subject="Help"))
        return Done(problem="no command was found")
    if request.several:
        return _several(ctx, request.calls)
    return _single(ctx, request.calls[0])


def _single(ctx: Context, call: Call | CallError) -> Done:
    """A single command: its answer, or the board letters that make one needless."""
    if isinstance(call, CallError):
        return _failed(ctx, call, call.understood)
    try:
        answer = run_call(ctx, call, alone=True)
    except PlayerError as e:
        return _failed(ctx, e, Understood.of(call))
    write_letters(ctx, answer)
    return Done([ctx.shown(call)])


def _failed(ctx: Context, error: PlayerError, understood: Understood) -> Done:
    answer_error(ctx, error, understood)
    return Done([understood_line(ctx, understood)], error.text)


def _several(ctx: Context, calls: Sequence[Call | CallError]) -> Done:
    """Several commands: the first failure stops the rest, and the answer says so."""
    ctx.store.boards.lock(_boards_named(calls))
    done, blocks, boards, attachments = Done(), list[str](), list[BoardNews](), list[tuple[str, bytes]]()
    for i, call in enumerate(calls):
        try:
            answer = run_call(ctx, _demand_call(i, call))
        except PlayerError as e:
            shown = understood_line(ctx, _understood(call) if i < MOST_LINES else Understood())
            done.calls.append(shown)
            done.problem = e.text
            blocks.append(f"> {ctx.say(shown)}\n{ctx.say(e.whole)}")
            blocks += [_not_run(ctx, left) for left in calls[i + 1 :]]
            break
        done.calls.append(understood_line(ctx, _understood(call)))
        blocks.append(f"> {ctx.say(done.calls[-1])}\n{ctx.say(answer.text)}")
        boards += answer.boards
        attachments += answer.attachments
    write_board_letters(ctx, boards)
    write_answer(ctx, Answer("\n\n".join(blocks), subject="Multiple", attachments=tuple(attachments)))
    return done


def _boards_named(calls: Sequence[Call | CallError]) -> set[int]:
    """The numbers of the boards that these calls are about."""
    refs = [call.values.get("board") for call in calls if isinstance(call, Call)]
    return {ref.number for ref in refs if isinstance(ref, BoardRef)}


def _demand_call(number: int, call: Call | CallError) -> Call:
    """The call, if it is one and not one too many. Raises PlayerError."""
    if number >= MOST_LINES:
        raise PlayerError(f"A mail has at most {MOST_LINES} commands.", "Send the rest in another mail.")
    if isinstance(call, CallError):
        raise call
    return call


def _not_run(ctx: Context, call: Call | CallError) -> str:
    return f"> {ctx.say(understood_line(ctx, _understood(call)))}\n{ctx.say('Not run.')}"


def _understood(call: Call | CallError) -> Understood:
    return call.understood if isinstance(call, CallError) else Understood.of(call)
