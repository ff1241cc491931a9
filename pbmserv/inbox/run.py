"""Runs what one mail asks for: its lines, each in its own savepoint, and the letters that answer them."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from pbmserv.boards.news import BoardNews, all_news
from pbmserv.commands import accounts, challenge, talk
from pbmserv.errors import PlayerError
from pbmserv.games.base.log import Kind
from pbmserv.inbox import replies
from pbmserv.inbox.calls import call_of, in_savepoint, reply_call
from pbmserv.inbox.command import BoardRef, Call, CallError, Command, TooOften
from pbmserv.inbox.context import Answer, Context, Outdated, preferences_of
from pbmserv.inbox.error_answers import example_of
from pbmserv.inbox.parse import Games, is_command, parse, words_of
from pbmserv.letters.board_page import diagram, reader_seat
from pbmserv.letters.text.move_list import doer
from pbmserv.letters.text.wording import board_title
from pbmserv.mail import signed_addresses
from pbmserv.mail.inbound import Mail
from pbmserv.mail.signed_addresses import Token
from pbmserv.store import BoardRow

MOST_LINES = 10
_UNREAD = "(a line that was not understood)"


@dataclass(frozen=True)
class Request:
    """What a mail asks for: command lines; or, sent to a signed address, what `first_line` says there."""

    lines: tuple[str, ...] = ()
    token: Token | None = None
    first_line: str = ""
    comment: str = ""
    several: bool = False


@dataclass
class Done:
    """What became of a mail, for its row: the calls without passwords, and the first error."""

    calls: list[str] = field(default_factory=list)
    problem: str = ""


def read_request(mail: Mail, token: Token | None, commands: Sequence[Command], games: Games) -> Request:
    """Find the command lines: the subject, the lines of the body, or the first line of a reply."""
    several = mail.subject.lower() == "multiple"
    if token is not None and not several and not (_may_be_call(token) and _is_complete(mail.subject, commands, games)):
        first, _, rest = mail.body.strip().partition("\n")
        return Request(token=token, first_line=first, comment=rest.strip("\n"))
    if mail.subject and not several:
        return Request((mail.subject,) if is_command(mail.subject, commands, games) else (), comment=mail.body)
    lines = tuple(_body_lines(mail.body))
    return Request(lines, several=True) if any(is_command(x, commands, games) for x in lines[:1]) else Request()


def run(ctx: Context, request: Request, commands: Sequence[Command], games: Games) -> Done:
    """Do it, and write the letters."""
    ctx.body = request.comment
    if request.token is not None:
        return _reply(ctx, request, commands)
    if not request.lines:
        _answer(ctx, Answer(ctx.render("puzzled"), subject="Help"))
        return Done(problem="no command was found")
    if request.several:
        return _lines(ctx, request.lines, commands, games)
    return _line(ctx, request.lines[0], commands, games)


def _line(ctx: Context, line: str, commands: Sequence[Command], games: Games) -> Done:
    """A single command: its answer, or the board letters that make one needless."""
    call = None
    try:
        call = parse(line, commands, games)
        answer = call_of(ctx, call, alone=True)
    except PlayerError as e:
        _answer_error(ctx, e, call)
        return Done([_understood(ctx, e, call)], e.text)
    _board_letters(ctx, answer.boards)
    if not answer.complete:
        _answer(ctx, answer)
    return Done([ctx.shown(call)])


def _lines(ctx: Context, lines: Sequence[str], commands: Sequence[Command], games: Games) -> Done:
    """Several commands: the first failure stops the rest, and the answer says so."""
    ctx.store.lock_boards(_boards_named(lines, commands, games))
    done, blocks, boards, attachments = Done(), list[str](), list[BoardNews](), list[tuple[str, bytes]]()
    for i, line in enumerate(lines):
        call = None
        try:
            call = _parse_numbered(i, line, commands, games)
            answer = call_of(ctx, call)
        except PlayerError as e:
            done.calls.append(_understood(ctx, e, call))
            done.problem = e.text
            blocks.append(f"> {ctx.say(done.calls[-1])}\n{ctx.say(e.whole)}")
            blocks += [f"> {ctx.say(_shown(ctx, x, commands, games))}\n{ctx.say('Not run.')}" for x in lines[i + 1 :]]
            break
        done.calls.append(ctx.shown(call))
        blocks.append(f"> {ctx.say(done.calls[-1])}\n{ctx.say(answer.text)}")
        boards += answer.boards
        attachments += answer.attachments
    _board_letters(ctx, boards)
    _answer(ctx, Answer("\n\n".join(blocks), subject="Multiple", attachments=tuple(attachments)))
    return done


def _boards_named(lines: Sequence[str], commands: Sequence[Command], games: Games) -> set[int]:
    """The numbers of the boards that these lines are about, as far as they can be read."""
    numbers = set()
    for line in lines:
        with suppress(PlayerError):
            ref = parse(line, commands, games).values.get("board")
            numbers |= {ref.number} if isinstance(ref, BoardRef) else set()
    return numbers


def _parse_numbered(number: int, line: str, commands: Sequence[Command], games: Games) -> Call:
    if number >= MOST_LINES:
        raise PlayerError(f"A mail has at most {MOST_LINES} commands.", "Send the rest in another mail.")
    return parse(line, commands, games)


def _reply(ctx: Context, request: Request, commands: Sequence[Command]) -> Done:
    """An answer to a letter of ours: the signed address says which."""
    token = request.token
    if token is None:
        raise ValueError("a reply has a token")
    if token.purpose in _BY_LETTER:
        return _by_letter(ctx, token, request.first_line)
    if token.purpose == signed_addresses.DIGEST:
        return _digest(ctx, token, f"{request.first_line}\n{request.comment}", commands)
    ctx.signed = ctx.signed_by(token)
    call = None
    try:
        row = ctx.signed_row()
        ctx.proved = row.players[ctx.signed.seat]
        call = reply_call(row, ctx.signed, request.first_line, commands)
        answer = call_of(ctx, call, alone=True)
    except Outdated as e:
        news = f"{e.text} {_meanwhile(ctx, e)}"
        _board_letters(ctx, [BoardNews(e.row, e.length, e.player, news, only=e.player)])
        return Done([ctx.shown(call) if call else ""], e.text)
    except PlayerError as e:
        _answer_error(ctx, e, call or _meant_move(ctx, commands))
        return Done([ctx.shown(call) if call else "(reply)"], e.text)
    _board_letters(ctx, answer.boards)
    if not answer.complete:
        _answer(ctx, answer)
    return Done([ctx.shown(call)])


def _meant_move(ctx: Context, commands: Sequence[Command]) -> Call | None:
    """What an answer to a board letter would have been: a move on that board."""
    row = ctx.store.board(ctx.signed.number, lock=False) if ctx.signed else None
    move = next(c for c in commands if c.verb == "move")
    return Call(move, row.board.game, {"board": BoardRef(row.number)}) if row else None


def _digest(ctx: Context, token: Token, body: str, commands: Sequence[Command]) -> Done:
    """An answer to a digest: lines that are independent of each other, and one letter with all their results."""
    ctx.body = ""
    try:
        results = replies.answer(ctx, token, body, commands)
    except PlayerError as e:
        _answer_error(ctx, e, None)
        return Done(["(digest)"], e.text)
    _board_letters(ctx, [replace(news, quiet=True) for news in results.news])
    _answer(ctx, Answer("\n\n".join(results.texts), subject="Digest"))
    return Done(results.calls, results.problem)


#: What an answer to a letter about no board does, and how it is written down.
_BY_LETTER: Mapping[str, tuple[Callable[[Context, Token, str], Answer], str]] = {
    signed_addresses.CONFIRM: (accounts.confirm, "(confirmation)"),
    signed_addresses.RESET: (accounts.reset, "(new password)"),
    signed_addresses.INVITE: (challenge.answer_invitation, "(invitation)"),
    signed_addresses.UNSUBSCRIBE: (talk.unsubscribe_signed, "(unsubscribe)"),
}


def _by_letter(ctx: Context, token: Token, first_line: str) -> Done:
    """What the answer to a letter about no board asks for."""
    do, shown = _BY_LETTER[token.purpose]
    try:
        answer = in_savepoint(ctx, lambda: do(ctx, token, first_line))
    except PlayerError as e:
        _answer_error(ctx, e, None)
        return Done([shown], e.text)
    _board_letters(ctx, answer.boards)
    if not answer.complete:
        _answer(ctx, answer)
    return Done([shown])


def _board_letters(ctx: Context, boards: Sequence[BoardNews]) -> None:
    """One letter per board and reader, however many lines of the mail changed the board."""
    merged: dict[int, BoardNews] = {}
    for news in boards:
        if first := merged.get(news.row.number):
            both = all_news(first.news, news.news)
            news = replace(news, since=first.since, text=news.text or first.text, news=both)
        merged[news.row.number] = news
    for news in merged.values():
        comment = ctx.comment(news.actor) if news.actor and not news.only else None
        ctx.letters.board(news, comment)


def _answer(ctx: Context, answer: Answer, reply_to: str = "") -> None:
    """The letter to the sender, in his language, wherever he may be written to."""
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


def _answer_error(ctx: Context, error: PlayerError, call: Call | None) -> None:
    """What was understood, what is wrong, what to send instead; and the board if one was named."""
    if isinstance(error, TooOften):
        _answer(ctx, Answer(error.text, subject="Please wait"))
        return
    command = call.command if call else getattr(error, "command", None)
    call = call or getattr(error, "call", None)
    row = _named_board(ctx, call)
    game = row.board.game if row else call.game if call else getattr(error, "game", None)
    seat = reader_seat(row, ctx.proved) if row and ctx.proved and row.seats_of(ctx.proved) else None
    display = preferences_of(ctx, ctx.proved, row.board.game.info.key).get("display", "") if row and ctx.proved else ""
    text = ctx.render(
        "error",
        understood=ctx.shown(call) if call else "",
        text=ctx.say(error.text),
        hint=ctx.say(error.hint),
        usage=command.usage(game.info.key if game else "game") if command else "",
        example=example_of(ctx, command, game, row, call),
        title=board_title(row) if row else "",
        diagram=diagram(ctx.renderer, row.board, seat, display) if row else "",
    )
    name = board_title(row) if row else game.info.key.capitalize() if game else ""
    signed = (row.number, seat, row.board.length) if row and seat is not None else None
    reply_to = ctx.site.signer.sign(signed_addresses.BOARD, *signed) if signed else ""
    _answer(ctx, Answer(text, subject=f"{name} error".strip().capitalize() if not row else f"{name} error"), reply_to)


def _named_board(ctx: Context, call: Call | None) -> BoardRow | None:
    """The board of an error answer; a private one is shown to its players only."""
    ref = call.values.get("board") if call else None
    row = ctx.store.board(ref.number, lock=False) if isinstance(ref, BoardRef) else None
    return row if row and (not row.settings.private or (ctx.proved and row.seats_of(ctx.proved))) else None


def _meanwhile(ctx: Context, outdated: Outdated) -> str:
    """What happened after the letter that was answered, in one line."""
    entries = ctx.log(outdated.row)[outdated.length :]
    told = [e for e in entries if e.kind is not Kind.ADMIN]
    names = (ctx.say(doer(e, outdated.row.players)) for e in told)
    done = [f"{n} {e.text if e.kind is Kind.MOVE else ctx.say(e.kind.value)}" for n, e in zip(names, told, strict=True)]
    return ctx.say(f"Since then: {', '.join(done[-6:])}.") if done else ""


def _understood(ctx: Context, error: PlayerError, call: Call | None) -> str:
    """What could be read of a line that failed, without anything that might be a password."""
    call = call or (error.call if isinstance(error, CallError) else None)
    return ctx.shown(call) if call else _UNREAD


def _shown(ctx: Context, line: str, commands: Sequence[Command], games: Games) -> str:
    """A line as it may be shown although it was not run."""
    try:
        return ctx.shown(parse(line, commands, games))
    except PlayerError as e:
        return _understood(ctx, e, None)


def _may_be_call(token: Token) -> bool:
    """Whether a command in the subject counts more than the answer: not if the subject is only a title of ours."""
    return token.purpose not in _BY_LETTER


def _is_complete(line: str, commands: Sequence[Command], games: Games) -> bool:
    try:
        return bool(line) and bool(parse(line, commands, games))
    except PlayerError:
        return False


def _body_lines(body: str) -> list[str]:
    """The lines of the body until one that says `signoff`; one more than may be run, so that it can be refused."""
    lines: list[str] = []
    for line in body.splitlines():
        if [w.folded for w in words_of(line)] == ["signoff"] or len(lines) > MOST_LINES:
            break
        if line.strip():
            lines.append(line)
    return lines
