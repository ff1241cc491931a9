"""Runs the calls of a mail, each in its own savepoint, and writes the answers."""

from collections.abc import Sequence

from pbmserv.boards.news import BoardNews
from pbmserv.errors import PlayerError
from pbmserv.inbox.authentication.authentication import SignedSeat
from pbmserv.inbox.authentication.password_checks import origin_of
from pbmserv.inbox.calls import (
    Done,
    answerable,
    in_savepoint,
    run_call,
    write_answer,
    write_board_letters,
    write_letters,
)
from pbmserv.inbox.command import BoardRef, Call, CallError, Understood
from pbmserv.inbox.context import Answer, Context
from pbmserv.inbox.lines.parse import MOST_LINES, Request
from pbmserv.inbox.lines.wishes import read_wish
from pbmserv.inbox.refusals.advice import advice_on_letters
from pbmserv.inbox.refusals.error_answers import (
    answer_error,
    answer_line,
    commands_after,
    how_to_go_on,
    understood_line,
    words_of_board,
)
from pbmserv.inbox.replies.answers import find_reader, reply
from pbmserv.inbox.replies.call_of_line import what_is_missing
from pbmserv.inbox.replies.misdirected import misdirected
from pbmserv.letters.board_letters import write_chat
from pbmserv.letters.fence import Comment
from pbmserv.letters.letters import Letters
from pbmserv.letters.text.blocks import Words, joined
from pbmserv.mail import signed_addresses
from pbmserv.mail.envelope import Incoming
from pbmserv.mail.inbound import Mail
from pbmserv.mail.outbound import BYTES, Attachment
from pbmserv.mail.signed_addresses import Token
from pbmserv.model import Allowance
from pbmserv.model.operations import origin_subject

_MOST_WORDS = 8  #: of a line that asks for no more letters
MOST_FOR_OPERATOR = 50  #: mails in a day that are passed on to the people who run the server
MOST_OF_ORIGIN = 10  #: of these from one origin
MOST_ATTACHED = 64 * 1024  #: bytes of such a mail; the rest is cut off


def run(ctx: Context, request: Request) -> Done:
    """Run a request and write the letters."""
    ctx.body = request.comment
    if _is_reaction(ctx.mail, request.token):
        return _react(ctx, request.token)
    if request.token is not None:
        return reply(ctx, request.token, request)
    if request.welcomed is not None:
        find_reader(ctx, request.welcomed)
    if (astray := misdirected(ctx, request)) is not None:
        return astray
    if (wished := _wished(ctx, request) or _leaving(ctx, request)) is not None:
        return wished
    if not request.calls:
        return _puzzled(ctx)
    if request.several and len(request.calls) > 1:
        return _several(ctx, request.calls)
    return _single(ctx, request.calls[0])


def _is_reaction(mail: Mail, token: Token | None) -> bool:
    """Return whether a mail is only a reaction. An emoji that is written in answer to words is words, too."""
    of_words = token is not None and token.purpose in (signed_addresses.CHAT, signed_addresses.TOUCH)
    return bool(mail.reaction) and not (of_words and mail.body.strip() == mail.reaction)


def _react(ctx: Context, token: Token | None) -> Done:
    """Show a reaction to a letter about a board to the others who want that. Whoever reacts gets no letter.

    The record of the mail keeps it in any case.
    """
    if token is not None and token.purpose in signed_addresses.OF_A_BOARD:
        try:
            in_savepoint(ctx, lambda: _show_reaction(ctx, token))
        except PlayerError:  # of no account: nobody asked for anything
            ctx.authentication.signed = None
    return Done([f"(reaction:{ctx.mail.reaction})"])


def _show_reaction(ctx: Context, token: Token) -> Answer:
    signed = ctx.authentication.signed = SignedSeat.by(token)
    row = ctx.authentication.signed_row()
    player = row.players[signed.seat]
    if player.epoch == token.epoch and ctx.authentication.is_confirmed(ctx.authentication.enter(player)):
        ctx.spend(player, "chat", ctx.site.policy.chats_a_day, "")
        write_chat(ctx.letters, row, Comment(player.userid, ctx.mail.reaction), is_reaction=True)
    return Answer(complete=True)


def _puzzled(ctx: Context) -> Done:
    """Answer a mail without a command. The answer is answered as a welcome letter is."""
    words = ctx.command_language.by_letter[signed_addresses.WELCOME].words(ctx)
    player = ctx.authentication.probable_player()
    text = ctx.render(
        "puzzled", problem=_missing(ctx.mail), first=words[0] if player and words[0].startswith("play ") else ""
    )
    reply_to = ctx.site.signer.sign(signed_addresses.WELCOME, player.id) if player else ""
    answers = [*words, "help"] if player else ["help", "help commands"]
    write_answer(ctx, Answer(text, subject="Help", answers=tuple(answers), reply_to=reply_to))
    return Done(problem="no command was found")


def _missing(mail: Mail) -> str:
    """Return what is said of a mail without words of its sender; "" if it has some."""
    return "" if mail.subject or mail.body else what_is_missing(mail).whole


def _wished(ctx: Context, request: Request) -> Done | None:
    """Carry out what a newcomer wishes in other words than those of a command; None if nothing of that kind is there.

    The rules of a game are mailed. A board begins if From proves the player; else the answer is answered.
    """
    if request.is_call:
        return None
    lines, names = (ctx.mail.subject, ctx.mail.body.strip().partition("\n")[0]), ctx.names_of_games()
    wishes = ((line, read_wish(line, names)) for line in lines)
    line, wish = next(((line, w) for line, w in wishes if w and (w.explain or w.is_said)), ("", None))
    if wish and wish.explain:
        return _single(ctx, Call(ctx.command_language.game_command("help"), wish.game, {}))
    text = wish.text if wish else ""
    if wish is None and (spoken := next((line for line in lines if ctx.language_wished(line)), "")):
        line = text = spoken
    player = ctx.authentication.probable_player() if text else None
    if player is None:
        return None
    token = Token(signed_addresses.WELCOME, (player.id,))
    if ctx.authentication.is_known_by_from():
        ctx.demand_writing()
        return reply(ctx, token, Request(token=token, first_line=line))
    error = PlayerError("The From address alone does not prove who sent this mail.", f"Answer this letter with: {text}")
    answer_error(ctx, error, Understood(), reply_to=ctx.site.signer.sign(token.purpose, player.id), answers=[text])
    return Done(["(play)"], error.text)


def _leaving(ctx: Context, request: Request) -> Done | None:
    """Say how to get fewer letters to whoever asks for that in other words than those of a command; None to others."""
    line = ctx.mail.subject or ctx.mail.body.strip().partition("\n")[0]
    words = line.split()
    if request.is_call or len(words) > _MOST_WORDS or not all(word.strip(".,!?'").isalpha() for word in words):
        return None
    player = ctx.authentication.probable_player()
    hint = advice_on_letters(ctx, player.userid if player else "USERID", line)
    return _failed(ctx, PlayerError("Nothing was done.", hint), Understood()) if hint else None


def tell_operator(letters: Letters, incoming: Incoming, mail: Mail) -> bool:
    """Pass the beginning of a mail on to the people who run the server; False if they got enough of them today.

    Nothing of it is in the headers of the letter but the address that an answer goes to.
    """
    operator = letters.site.policy.operator
    uses = [("server", Allowance("operator", MOST_FOR_OPERATOR))]
    if origin := origin_of(mail, incoming.peer):  # else one stranger could use up all for everybody
        uses.insert(0, (origin_subject(origin), Allowance("operator", MOST_OF_ORIGIN)))
    if letters.store.operations.spend(uses, letters.now.timestamp()):
        return False
    data = {"sender": mail.sender, "size": len(incoming.data), "most": MOST_ATTACHED}
    attached = Attachment("mail.eml", incoming.data[:MOST_ATTACHED], BYTES)
    sender = "" if letters.site.signer.is_ours(mail.sender) else mail.sender
    letters.write("operator", [operator], "For the operator", data, reply_to=sender, attachments=(attached,))
    return True


def _single(ctx: Context, call: Call | CallError) -> Done:
    """Run a single command. Writes its answer, or only board letters if they are enough."""
    if isinstance(call, CallError):
        return _failed(ctx, call, call.understood)
    try:
        answer = run_call(ctx, call, alone=True)
    except PlayerError as e:
        return _failed(ctx, e, Understood.of(call))
    write_letters(ctx, answerable(ctx, call, answer))
    return Done([ctx.shown(call)])


def _failed(ctx: Context, error: PlayerError, understood: Understood) -> Done:
    answer_error(ctx, error, understood)
    return Done([understood_line(ctx, understood)], error.text)


def _several(ctx: Context, calls: Sequence[Call | CallError]) -> Done:
    """Run several commands. The first failure stops the rest, and the answer says so."""
    ctx.store.boards.lock(_boards_named(calls))
    done, answers, boards, attachments = Done(), list[Words](), list[BoardNews](), list[Attachment]()
    replies, links = set[str](), list[tuple[str, str]]()  # where a link goes, and what it says
    for i, call in enumerate(calls):
        try:
            answer = run_call(ctx, _demand_call(i, call))
        except PlayerError as e:
            if i == 0 and not ctx.answer_to():  # what is below the line of a stranger are words for us
                return _failed(ctx, e, _understood(call))
            shown = understood_line(ctx, _understood(call) if i < MOST_LINES else Understood())
            done.calls.append(shown)
            done.problem = e.text
            answers.append(answer_line(ctx, shown, e.whole))
            links += [("", command) for command in commands_after(ctx, _understood(call))]
            answers += [_not_run(ctx, left) for left in calls[i + 1 :]]
            break
        done.calls.append(understood_line(ctx, _understood(call)))
        answers.append(answer_line(ctx, done.calls[-1], answer.text))
        boards += answer.boards
        attachments += answer.attachments
        links += [(answer.reply_to, word) for word in answer.answers]
        replies |= {answer.reply_to} - {""}
    write_board_letters(ctx, boards)
    reply_to = _reply_to(ctx, calls, replies)
    others = (word for to, word in links if to == reply_to)
    words = tuple(dict.fromkeys((reply_to and _words_of_board(ctx, calls)) or others))
    text = joined(answers)
    if words:
        hint = f"You can answer with: {words[0]}" if reply_to else f"You can send: {words[-1]}"
        text = how_to_go_on(ctx, text, hint)
    write_answer(ctx, Answer(text, "Multiple", answers=words, attachments=tuple(attachments), reply_to=reply_to))
    return done


def _words_of_board(ctx: Context, calls: Sequence[Call | CallError]) -> Sequence[str]:
    """Return what the answer to several calls can be answered with at the address of the only board that they name."""
    number, player = next(iter(_boards_named(calls)), None), ctx.authentication.player
    row = ctx.store.boards.find(number, lock=False) if number is not None else None
    return words_of_board(row, row.seat_to_move(player)) if row and player and row.seats_of(player) else ()


def _reply_to(ctx: Context, calls: Sequence[Call | CallError], replies: set[str]) -> str:
    """Return where an answer to the answer to several calls goes: `replies`, or the board that they name as it is now.

    "" if there are several: then nobody can tell which one it is for.
    """
    about = [call for call in calls if isinstance(call, Call) and _boards_named([call])]
    if len(_boards_named(about)) == 1:
        replies = {*replies, answerable(ctx, about[-1], Answer()).reply_to}
    elif about:
        return ""
    return next(iter(replies)) if len(replies) == 1 else ""


def _boards_named(calls: Sequence[Call | CallError]) -> set[int]:
    refs = [call.values.get("board") for call in calls if isinstance(call, Call)]
    return {ref.number for ref in refs if isinstance(ref, BoardRef)}


def _demand_call(number: int, call: Call | CallError) -> Call:
    """Return the call. Raises PlayerError if the line is no call, or one too many."""
    if number >= MOST_LINES:
        raise PlayerError(f"A mail can have at most {MOST_LINES} commands.", "Send the rest in another mail.")
    if isinstance(call, CallError):
        raise call
    return call


def _not_run(ctx: Context, call: Call | CallError) -> Words:
    return answer_line(ctx, understood_line(ctx, _understood(call)), "Not run.")


def _understood(call: Call | CallError) -> Understood:
    return call.understood if isinstance(call, CallError) else Understood.of(call)
