"""Carries out an answer to a letter about a board, or says what to write instead."""

from dataclasses import replace

from pbmserv.boards.news import BoardNews
from pbmserv.errors import AmbiguousMove, IllegalMove, PlayerError
from pbmserv.games.base import Seat
from pbmserv.games.base.hidden import read_by
from pbmserv.games.base.log import Kind
from pbmserv.games.base.notation import SUCH_AS
from pbmserv.inbox.authentication.authentication import SignedSeat
from pbmserv.inbox.calls import Done, answerable, run_call, write_board_letters, write_letters
from pbmserv.inbox.command import WORD, BoardRef, Call, Understood
from pbmserv.inbox.context import Answer, Context, Outdated
from pbmserv.inbox.lines.agreement import agrees, tends
from pbmserv.inbox.lines.beside import words_besides
from pbmserv.inbox.lines.first_line import FirstLine, bare_words, is_question, is_sentence, is_yes, word_of
from pbmserv.inbox.lines.parse import Request
from pbmserv.inbox.lines.words.comment_words import wishes_well
from pbmserv.inbox.lines.words.farewell import FAREWELL
from pbmserv.inbox.lines.words.sentence_words import POLITE
from pbmserv.inbox.refusals.advice import advice
from pbmserv.inbox.refusals.error_answers import ReplyFacts, answer_error, shown_words, too_late
from pbmserv.inbox.refusals.topics import Topic, topics_in
from pbmserv.inbox.replies.call_of_line import call_by, call_of
from pbmserv.inbox.replies.meant import reply_facts
from pbmserv.inbox.replies.old_addresses import OLD_ADDRESS, is_renewed
from pbmserv.inbox.replies.readings import reading_of
from pbmserv.letters.fence import passed_on
from pbmserv.letters.text.men import lettered
from pbmserv.letters.text.move_list import doer
from pbmserv.mail import signed_addresses
from pbmserv.mail.outbound import BY_PAGE
from pbmserv.mail.reading.encoding import fold
from pbmserv.mail.signed_addresses import Token, offered_move
from pbmserv.model import BoardRow, Player

_FOR = frozenset(("fürs", "pour", "voor", "för"))  #: what somebody says thanks for
_AGAIN = frozenset(("again", "another", "revenge", "revanche", "noch", "nochmal", "rematch"))  #: who may want a rematch


def to_board(ctx: Context, token: Token, request: Request) -> Done:
    """An answer to a board letter: a move or a verb on its first line, and perhaps a draw offered on the next one."""
    signed, line = SignedSeat.by(token), _line_of(request)
    ctx.authentication.signed = signed
    offered = offered_move(token.numbers[-1]) if token.purpose == signed_addresses.OFFER else ""
    call = None
    try:
        row = ctx.authentication.signed_row()
        ctx.authentication.player = player = row.players[signed.seat]
        if player.epoch != token.epoch:
            ctx.authentication.player = None
            _write_again(ctx, player, row)
            return Done(["(reply)"], OLD_ADDRESS)
        if token.purpose != signed_addresses.CHAT and ctx.language_wished(line, ctx.body):
            text = ctx.set_language(player, line)
            write_board_letters(ctx, [BoardNews(row, row.board.length, player, text, only=player)])
            return Done(["(language)"])
        call = _call_to(ctx, row, token, line, offered)
        answer = run_call(ctx, call, alone=True)
    except Outdated as e:
        told = filter(None, (too_late(ctx, e.row, signed.seat), f"{e.text} {_meanwhile(ctx, e)}"))
        news, known = "\n".join(told), min(e.length, e.row.board.length)
        if ctx.mail.sender not in BY_PAGE:  # a page shows the board as it is now
            write_board_letters(ctx, [BoardNews(e.row, known, e.player, news, only=e.player)])
        return Done([ctx.shown(call) if call else ""], e.text)
    except PlayerError as e:
        _refuse(ctx, e, signed, line, call)
        return Done([ctx.shown(call) if call else "(reply)"], e.text)
    calls = [ctx.shown(call)]
    if call.command.verb == "move":
        calls += _offer_a_draw(ctx, signed, answer)
    if offered and _is_taken(ctx, call, offered):
        waiting = ctx.store.waiting_moves
        words = waiting.words_beside(row.number, player.id, offered, signed.length)
        ctx.body = "\n".join(filter(None, (words, ctx.body)))
        waiting.forget_offered(row.number, player.id)
    write_letters(ctx, answerable(ctx, call, answer))
    return Done(calls)


def _is_taken(ctx: Context, call: Call, offered: str) -> bool:
    """Return whether a call is what the answered letter offered."""
    word = ctx.command_language.offered(offered)
    return call.command == word[0] if word else call.command.verb == "move" and call.values["move"][0] == offered


def _refuse(ctx: Context, error: PlayerError, signed: SignedSeat, line: str, call: Call | None) -> None:
    """Answer a reply that did nothing: with the moves of what it names, and an offer if it can mean only one thing."""
    understood = Understood.of(call) if call else _meant_move(ctx, signed)
    facts = reply_facts(ctx, signed, line, call)
    if facts and error.hint.startswith(SUCH_AS):
        why_not = error.text if isinstance(error, IllegalMove) else ""
        told = advice(ctx, facts.row, signed.seat, line, why_not).split("\n")
        error.hint = "\n".join(text for text in told if text != error.text) or error.hint
    if facts and isinstance(error, AmbiguousMove):
        facts = replace(facts, offer="")
    is_move = call is None or call.command.verb == "move"
    if facts and facts.offer and is_move and (not facts.keep or ctx.command_language.offered(facts.offer)):
        facts = replace(facts, along=_keep_words(ctx, facts))
    answer_error(ctx, error, understood, facts)


def _keep_words(ctx: Context, facts: ReplyFacts) -> str:
    """Keep what a mail says to the others besides what is offered, for the yes, and return it."""
    row, player, waiting = facts.row, facts.row.players[facts.seat], ctx.store.waiting_moves
    move, length = facts.offer, row.board.length
    words = passed_on(_beside(ctx, facts), ctx.site)
    if WORD in shown_words(ctx, player, facts.line):  # the line may have the password
        words = ""
    if words != waiting.words_beside(row.number, player.id, move, length):
        ctx.demand_writing()
        waiting.offer(row.number, player.id, move, length, words, ctx.now)
    return words


def _beside(ctx: Context, facts: ReplyFacts) -> str:
    """Return what a mail says besides what is offered: of words of the server, only the thanks of who agrees."""
    body, word = ctx.mail.body, ctx.command_language.offered(facts.offer)
    if word is None:
        return words_besides(body, facts.offer, reading_of(ctx, facts.row, facts.seat))
    is_thanks = tends(facts.line) == "accept" and not agrees(facts.line) and body.strip() == facts.line.strip()
    return body.strip() if is_thanks and word[0].verb == "accept" else ""


def _line_of(request: Request) -> str:
    """Return the first line, with a question mark that stands alone on the next one: some programs break there."""
    below = request.comment.partition("\n")[0]
    return f"{request.first_line}?" if "?" in fold(below) and not any(map(str.isalnum, below)) else request.first_line


def _call_to(ctx: Context, row: BoardRow, token: Token, line: str, offered: str) -> Call:
    """The call of a reply to a board letter.

    A sentence in reply to what a player wrote goes to that player, and good wishes after the end to the others.
    """
    signed, whole, is_talk = SignedSeat.by(token), f"{line}\n{ctx.body}", token.purpose == signed_addresses.CHAT
    if not (is_talk and is_sentence(line, ctx.command_language)):
        try:
            return call_by(ctx, row, signed, line, offered, "" if is_talk else whole)
        except PlayerError:
            is_farewell = row.board.result is not None and _is_farewell(ctx, row, signed.seat, line)
            if not (is_talk or is_farewell):
                raise
    ctx.body = whole
    return call_of(row, signed, FirstLine(ctx.command_language.game_command("chat")))


def _is_farewell(ctx: Context, row: BoardRow, seat: Seat, line: str) -> bool:
    """Return whether a line is good wishes, perhaps with a sentence that asks nothing: gg, my brother played."""
    first, *words = bare_words(line) or [""]
    names = {player.userid for player in row.players}
    wishes = [first, *(word for word in words if word not in POLITE | _FOR)]
    is_wish = wishes_well(wishes, names) or {first, *words} <= FAREWELL - _AGAIN | names
    begins = wishes_well([first]) and not _asks_server(ctx, row.players[seat], line)
    return (is_wish or begins) and not (is_question(line) or is_yes(line))


def _asks_server(ctx: Context, player: Player, line: str) -> bool:
    """Return whether a line may speak to the server, with a word of it, one of its topics, a number or a password."""
    words = bare_words(line)
    is_known = any(word in ctx.command_language.reply_verbs or word in _AGAIN for word in words)
    has_number = any(map(str.isdigit, line))
    return (
        is_known
        or has_number
        or not {Topic.MOVES}.issuperset(topics_in(words))
        or WORD in shown_words(ctx, player, line)
    )


def _write_again(ctx: Context, player: Player, row: BoardRow) -> None:
    """Send a player a letter about a board with a new reply address, only to the player's own addresses."""
    if is_renewed(ctx, f"{player.id} on {row.number}"):
        write_board_letters(ctx, [BoardNews(row, row.board.length, player, OLD_ADDRESS, only=player)])


def _offer_a_draw(ctx: Context, signed: SignedSeat, moved: Answer) -> list[str]:
    """Offer a draw, if the line below a move asks for it. If this is not possible, say so in the board letter."""
    line, _, rest = ctx.body.strip().partition("\n")
    news = moved.boards[0]
    word = word_of(line, ctx.command_language, news.row.board)
    if word is None or word.asks or word.command.verb != "propose" or news.row.board.result:
        return []
    ctx.body = rest.strip("\n")
    ctx.authentication.signed = replace(signed, length=news.row.board.length)
    call = call_of(news.row, signed, word)
    try:
        proposed = run_call(ctx, call)
    except PlayerError as e:
        moved.boards = [replace(news, text="\n".join(filter(None, (news.text, ctx.say(e.text)))))]
    else:
        moved.boards += proposed.boards
    return [ctx.shown(call)]


def _meant_move(ctx: Context, signed: SignedSeat) -> Understood:
    """What an answer to a board letter would have been: a move on that board."""
    row = ctx.store.boards.find(signed.number, lock=False)
    if row is None:
        return Understood()
    move = ctx.command_language.game_command("move")
    return Understood.of(Call(move, row.game, {"board": BoardRef(row.number)}))


def _meanwhile(ctx: Context, outdated: Outdated) -> str:
    """Return one line about what happened since the answered letter."""
    row = outdated.row
    log = read_by(row.board, ctx.log(row), row.seats_of(outdated.player))
    seen = [e for e in log[outdated.length :] if e.kind is not Kind.ADMIN]
    names = (ctx.say(doer(e, row.players)) for e in seen)
    deeds = (lettered(e.shown, ctx.say) if e.kind is Kind.MOVE else ctx.say(e.kind.value) for e in seen)
    done = [f"{name} {deed}" for name, deed in zip(names, deeds, strict=True)]
    return ctx.say(f"Since then: {', '.join(done[-6:])}.") if done else ""
