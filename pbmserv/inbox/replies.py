"""Handles answers to our letters.

The signed address says which letter it was: about a board, a digest, or another one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from pbmserv import games
from pbmserv.boards.news import BoardNews
from pbmserv.boards.ways import offered as ways_offered
from pbmserv.boards.ways import ways
from pbmserv.errors import AmbiguousMove, NotUnderstood, PlayerError
from pbmserv.games import demand_installed
from pbmserv.games.base import Seat, moves_of
from pbmserv.games.base.board import Board
from pbmserv.games.base.hidden import read_by
from pbmserv.games.base.log import Kind
from pbmserv.games.base.notation import SUCH_AS
from pbmserv.inbox.authentication.authentication import SignedSeat
from pbmserv.inbox.calls import (
    Done,
    answerable,
    in_savepoint,
    run_call,
    write_answer,
    write_board_letters,
    write_letters,
)
from pbmserv.inbox.command import (
    PASSWORD,
    WORD,
    BoardRef,
    Call,
    CommandLanguage,
    CommandSyntax,
    Is,
    Understood,
    code_of,
)
from pbmserv.inbox.context import Answer, Context, LetterAnswer, Outdated
from pbmserv.inbox.lines.agreement import (
    agrees,
    asks_to_agree,
    behind_refusal,
    declines,
    is_no_answer_to,
    refuses,
    tends,
)
from pbmserv.inbox.lines.beside import (
    Beside,
    LineReading,
    before_comment,
    before_question,
    below_comment,
    closing_move,
    doubted_in_subject,
    in_subject,
    leading_move,
    taken_back,
    words_besides,
)
from pbmserv.inbox.lines.comment_words import KNOWN, doubts, wishes_well
from pbmserv.inbox.lines.farewell import FAREWELL, is_in_doubt
from pbmserv.inbox.lines.first_line import (
    FirstLine,
    bare_words,
    has_other_number,
    is_question,
    is_sentence,
    is_yes,
    read_first_line,
    word_of,
)
from pbmserv.inbox.lines.offers import move_in, with_ends, with_other_letters, words_in
from pbmserv.inbox.lines.parse import Request
from pbmserv.inbox.lines.sentence_words import OTHERS, POLITE
from pbmserv.inbox.lines.spellings import (
    Letters,
    foreign,
    formed,
    legal_move,
    not_there,
    odd_word,
    other_colour,
    without_noise,
)
from pbmserv.inbox.refusals.advice import advice, advice_on_letters, examples, how_to_leave
from pbmserv.inbox.refusals.error_answers import (
    ReplyFacts,
    answer_error,
    answer_line,
    can_do,
    how_to_go_on,
    shown_words,
    too_late,
)
from pbmserv.inbox.refusals.topics import Topic, topics_in
from pbmserv.letters.fence import passed_on
from pbmserv.letters.text.blocks import Words, joined
from pbmserv.letters.text.men import lettered, letters_of_men
from pbmserv.letters.text.move_list import doer
from pbmserv.letters.text.translations import Say
from pbmserv.letters.tournament_letters import subject_of
from pbmserv.mail import signed_addresses
from pbmserv.mail.inbound import Mail
from pbmserv.mail.outbound import BY_PAGE
from pbmserv.mail.reading.encoding import fold
from pbmserv.mail.signed_addresses import Token, offered_move
from pbmserv.model import BoardRow, Player
from pbmserv.model.letters import SentDigest

#: Lines of one answer to a digest.
MOST_DIGEST_LINES = 50
_MOST_LINKS = 6  # in the answer to a digest
_MOST_BELOW = 8  # lines of an answer that begins with a greeting, in which a word is looked for
_ASTRAY = "Your mail went to the address of this server, not to the reply address of the letter, so nothing was done."
_WITHOUT_WORDS = "Your mail lacks the words in brackets that end the subject of the letter, so nothing was done."
_KEEP_SUBJECT = "Answer the letter, and leave its subject as it is. To see what you can send: help"
_OLD_ADDRESS = (
    "You have set another password since that letter, so nothing was done. This letter has a new reply address."
)
_SAME_LINES = "Answer it with the same lines, one for each board, for example: 101: MOVE"
_USE_REPLY_TO = (
    "If somebody waits for your answer, send it to the address that the letter names as its reply address (Reply-To). "
    "If it names none, nobody does. To see what you can send: help"
)
_REMARK = "Your first line reads like a question, a quotation or a remark, so nothing was done."
_OTHER_NUMBER = "Your first line has the number of another move, so nothing was done."
_DOUBTED = "The words below your first line leave in doubt whether you mean it, so nothing was done."
_AFTER_THE_END = frozenset(("rematch", "review"))
_FINAL = ("resign", "accept", "decline")  #: what cannot be taken back, so that nobody should do it in jest
_ANSWERS = ("accept", "reject", "decline")  #: to what another seat proposes, also by the rules of the game
_FOR = frozenset(("fürs", "pour", "voor", "för"))  #: what somebody says thanks for
_AGAIN = frozenset(("again", "another", "revenge", "revanche", "noch", "nochmal", "rematch"))  #: who may want a rematch
_ABOVE = "Write your answer above them, without a sign such as > before it."
_END_OF_PART = re.compile(r"[.,;:!]")
#: The subjects of board letters: `Tumble Board 101 alice`, `101 your turn (Tumble)`.
_TITLE = re.compile(r"(?P<game>\S+) board (?P<number>\d{1,9})(?: \S+)?", re.IGNORECASE)
_TURN = re.compile(r"(?P<number>\d{1,9}) .*\((?P<game>\S+)\)")
#: A first number that may be a board's: `On board 101 I play e4`. Smaller ones belong to moves, and cost no statement.
_OF_BOARD = re.compile(r"\D{0,30}([1-9]\d{2,8})(?!\w)")
_LINE = re.compile(r"[ \t]*(?:(?:board|partie|brett)[ \t]+)?#?(\d{1,9})[ \t]*(?::[ \t]*|\.?[ \t]+)(\S.*)")


def reply(ctx: Context, token: Token, request: Request) -> Done:
    """Carry out an answer to one of our letters."""
    if about_no_board := ctx.command_language.by_letter.get(token.purpose):
        return _to_letter(ctx, about_no_board, token, request.first_line)
    if token.purpose == signed_addresses.DIGEST:
        return _to_digest(ctx, token, f"{request.first_line}\n{request.comment}")
    return _to_board(ctx, token, request)


def find_reader(ctx: Context, token: Token) -> None:
    """Tell the context who got the letter that a mail answers, for a mail that does not say who wrote it."""
    find, player_id = ctx.command_language.by_letter.get(token.purpose), None
    if find:
        find.find_reader(ctx, token)
    elif token.purpose == signed_addresses.DIGEST:
        sent = ctx.store.readers.digest(token.numbers[0])
        player_id = sent and sent.player_id
    elif row := ctx.store.boards.find(token.numbers[0], lock=False):
        player_id = row.players[SignedSeat.by(token).seat].id
    if player_id is not None:
        ctx.authentication.player = ctx.store.players.by_id(player_id)


def _to_letter(ctx: Context, answers: LetterAnswer, token: Token, first_line: str) -> Done:
    """An answer to a letter about no board: a confirmation, a new password, an invitation."""
    try:
        answer = in_savepoint(ctx, lambda: answers.run(ctx, token, first_line))
    except PlayerError as e:
        if not ctx.answer_to():
            find_reader(ctx, token)
            if ctx.owner_of and not ctx.is_mistake_told(ctx.owner_of.lower()):
                return Done([answers.shown], e.text)
        # The answer says what to write instead, and is answered itself: it has the address of the letter before it.
        to, words = ctx.site.signer.sign(token.purpose, *token.numbers), answers.words(ctx)
        answer_error(ctx, e, Understood(), reply_to=to, answers=words)
        return Done([answers.shown], e.text)
    write_letters(ctx, answer)
    return Done([answers.shown])


# --- a board ---------------------------------------------------------------------------------------------------------


def _to_board(ctx: Context, token: Token, request: Request) -> Done:
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
            return Done(["(reply)"], _OLD_ADDRESS)
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
    if call.command.verb == "move" and offered and offered == call.values["move"][0]:
        waiting = ctx.store.waiting_moves
        words = waiting.words_beside(row.number, player.id, offered, signed.length)
        ctx.body = "\n".join(filter(None, (words, ctx.body)))
        waiting.forget_offered(row.number, player.id)
    write_letters(ctx, answerable(ctx, call, answer))
    return Done(calls)


def _refuse(ctx: Context, error: PlayerError, signed: SignedSeat, line: str, call: Call | None) -> None:
    """Answer a reply that did nothing: with the moves of what it names, and an offer if it can mean only one thing."""
    understood = Understood.of(call) if call else _meant_move(ctx, signed)
    facts = _reply_facts(ctx, signed, line, call)
    if facts and error.hint.startswith(SUCH_AS):
        told = advice(ctx, facts.row, signed.seat, line).split("\n")
        error.hint = "\n".join(text for text in told if text != error.text) or error.hint
    if facts and isinstance(error, AmbiguousMove):
        facts = replace(facts, offer="")
    is_move = call is None or call.command.verb == "move"
    if facts and facts.offer and is_move and not facts.keep and not ctx.command_language.offered(facts.offer):
        facts = replace(facts, along=_keep_words(ctx, facts))
    answer_error(ctx, error, understood, facts)


def _keep_words(ctx: Context, facts: ReplyFacts) -> str:
    """Keep what a mail says to the others besides the move that is offered, for the yes, and return it."""
    row, player, waiting = facts.row, facts.row.players[facts.seat], ctx.store.waiting_moves
    move, length = facts.offer, row.board.length
    words = passed_on(words_besides(ctx.mail.body, move, _reading(ctx, row, facts.seat)), ctx.site)
    if WORD in shown_words(ctx, player, facts.line):  # the line may have the password
        words = ""
    if words != waiting.words_beside(row.number, player.id, move, length):
        ctx.demand_writing()
        waiting.offer(row.number, player.id, move, length, words, ctx.now)
    return words


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
            return _call(ctx, row, signed, line, offered, "" if is_talk else whole)
        except PlayerError:
            is_farewell = row.board.result is not None and _is_farewell(ctx, row, signed.seat, line)
            if not (is_talk or is_farewell):
                raise
    ctx.body = whole
    return _call_of(row, signed, FirstLine(ctx.command_language.game_command("chat")))


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
    if _is_renewed(ctx, f"{player.id} on {row.number}"):
        write_board_letters(ctx, [BoardNews(row, row.board.length, player, _OLD_ADDRESS, only=player)])


def _is_renewed(ctx: Context, what: str) -> bool:
    """Count a letter with a new reply address. Somebody else may have the old one, so there is one in an hour."""
    return ctx.is_first_letter("renewal", what, timedelta(hours=1))


def _call(ctx: Context, row: BoardRow, signed: SignedSeat, line: str, offered: str, body: str = "") -> Call:
    """The call that the first line of a reply makes. Raises PlayerError unless all of the line is understood.

    `body`: the whole text, if a move may also stand at its end or in the subject.
    """
    language = ctx.command_language
    is_turn = signed.seat in row.board.to_move
    word = language.offered(offered)
    if offered and is_yes(line, to_word=word is not None):
        if word:
            return _call_of(row, signed, FirstLine(word[0], userid=word[1]))
        return _call_of(row, signed, FirstLine(language.game_command("move" if is_turn else "queue"), (offered,)))
    if offered and refuses(line):
        raise PlayerError("Nothing was done.")
    if other := _other_board(ctx, row, signed.seat, line):
        text = f"Your line names board {other}, but this letter is about board {row.number}, so nothing was done."
        raise PlayerError(text, f"Answer the letter about board {other}.")
    seat = signed.seat if is_turn and signed.length == row.board.length else None
    first = _answer_to_proposal(language, row.board, signed.seat, line)
    first = first or read_first_line(line, language, row.board, seat, _letters(ctx))
    if first is None:
        demand_installed(row.game)
        moves = _beside(ctx, row, seat, line, body) or _impossible(ctx, row, signed.seat, line)
        first = FirstLine(language.game_command("move"), moves)
    if not first.moves and first.command.verb == "move":
        raise _not_understood(ctx, row, signed.seat, line)
    _demand_clear(ctx, row, signed, first, line)
    return _call_of(row, signed, first)


def _other_board(ctx: Context, row: BoardRow, seat: Seat, line: str) -> int:
    """Return the number of another running board of a player that a line names before all others; 0 if it is none."""
    match = _OF_BOARD.match(line)
    number = int(match[1]) if match else row.number
    other = None if number == row.number else ctx.store.boards.find(number, lock=False)
    return number if other and not other.board.result and other.seats_of(row.players[seat]) else 0


def _answer_to_proposal(language: CommandLanguage, board: Board, seat: Seat, line: str) -> FirstLine | None:
    """Return the command if a line says yes or no to an open proposal.

    Who answers the offer of a draw with ok may only have read it, so that asks.
    """
    if board.offer is None or seat not in board.to_answer or is_no_answer_to(line, is_draw=_is_draw(board)):
        return None
    if refuses(line):
        return FirstLine(language.game_command("reject"))
    is_clear = not _is_draw(board) or agrees(line, clearly=True)
    return FirstLine(language.game_command("accept"), asks=not is_clear) if agrees(line) else None


def _is_draw(board: Board) -> bool:
    """Return whether an open proposal is that of a draw, and not of taking a move back."""
    return board.offer is not None and board.offer.kind is Kind.PROPOSE


def what_is_missing(mail: Mail) -> PlayerError:
    """Return the error of a mail without words of its sender: it says what the mail has in their place."""
    if mail.inside_quote:
        return PlayerError(
            "Your mail has only quoted lines, and your answer is one of them, so nothing was done.",
            "Write it above all of them.",
        )
    if mail.attached:
        return PlayerError(
            f"Your mail has no text, only a {mail.attached}, so nothing was done.", "Write your answer as text."
        )
    if mail.only_quoted:
        return PlayerError("Your mail has only quoted lines or a footer, so nothing was done.", _ABOVE)
    return PlayerError("Your mail has no text, so nothing was done.")


def _letters(ctx: Context) -> Letters:
    """Return what gives the letters of men in the sender's language."""
    return lambda: letters_of_men(ctx.say)


def _beside(ctx: Context, row: BoardRow, seat: Seat | None, line: str, body: str) -> tuple[str, ...]:
    """Return the move beside a comment, which is then what the others read; () if there is none without doubt."""
    if seat is None:
        return ()
    reading = _reading(ctx, row, seat)
    same_line = before_comment(line, reading)
    beside = same_line or (body and (below_comment(body, reading) or _in_subject(ctx, body, reading)))
    if not beside or WORD in shown_words(ctx, row.players[seat], line):  # the line may have the password
        return ()
    below = ctx.mail.body.strip().partition("\n")[2] if body and ctx.body else ctx.body  # with its empty lines
    ctx.body = f"{beside.comment}\n{below}".strip("\n") if same_line else beside.comment
    return (beside.move,)


def _in_subject(ctx: Context, body: str, reading: LineReading) -> Beside | None:
    return in_subject(ctx.mail.subject, "" if ctx.mail.is_signature else body, reading)


def _reading(ctx: Context, row: BoardRow, seat: Seat) -> LineReading:
    """Return how moves beside a comment are read. People greet each other by name, and sign."""
    names = {player.userid for player in row.players} | set(bare_words(ctx.mail.name))
    return LineReading(ctx.command_language, row.board, seat, _letters(ctx), frozenset(names))


def _impossible(ctx: Context, row: BoardRow, seat: Seat, line: str) -> tuple[str, ...]:
    """Return the move that a line names and that is not possible, so that the answer says why; () if it offers another.

    Raises MoveError for a cell that is none of the game's, and for what may be several moves.
    """
    if seat not in row.board.to_move:
        return ()
    if other := other_colour(line, row.board, seat):
        raise PlayerError(f"Your line names a move of {other}, and that is not your colour, so nothing was done.")
    several, word = foreign(line, row.board, seat), odd_word(line)
    moves = formed(line, row.board, seat, _letters(ctx)) or not_there(line, row.board, seat)
    if not (len(several) > 1 or moves or word) or _meant(ctx, row, seat, line):  # what is meant is dear to find
        return ()
    if len(several) > 1:
        raise row.game.ambiguous(row.board.position, seat, line.strip(), several)
    if not moves:
        error = row.game.not_a_move(row.board.position, seat, word)
        raise PlayerError(error.text, advice(ctx, row, seat, line) or error.hint)
    return moves


def _not_understood(ctx: Context, row: BoardRow, seat: Seat, line: str) -> PlayerError:
    if not line.strip():
        return what_is_missing(ctx.mail)
    text = "The first line of your answer was not understood, so nothing was done."
    return NotUnderstood(text, advice(ctx, row, seat, line))


def _demand_clear(ctx: Context, row: BoardRow, signed: SignedSeat, first: FirstLine, line: str) -> None:
    """Raise PlayerError if a line only asks, may be several moves, or has a cost that its word does not tell."""
    verb = first.command.verb
    if first.either:
        raise row.game.ambiguous(row.board.position, signed.seat, line.strip(), first.moves)
    is_early = verb in _AFTER_THE_END and row.board.result is None  # what refuses it says more
    if first.asks and not is_early:
        shown = (ctx.shown_move(row.board, signed.seat, move) for move in first.moves)
        what = " ".join(shown) or f"{verb} {first.userid}".rstrip()
        raise PlayerError(
            _OTHER_NUMBER if first.moves and has_other_number(line, row.board) else _REMARK,
            f"To do it, write nothing else on that line but: {what}",
        )
    if verb == "move" and not signed.by_page and len(first.moves) == 1:
        _demand_meant(ctx, row, signed.seat, first.moves[0], line)
        _demand_kept(ctx, row, signed.seat, first.moves[0])
    needs_farewell, names = verb == "resign", (ctx.mail.name.lower(), row.players[signed.seat].userid)
    if verb in _FINAL and not signed.by_page and is_in_doubt(ctx.body, names, needs_farewell=needs_farewell):
        raise PlayerError(_DOUBTED, f"To do it, answer with nothing but: {verb}")
    if verb == "decline" and (way := ways(row, signed.seat, ctx.log(row)).get(verb)) and not way.offered:
        player = row.players[signed.seat].userid
        raise PlayerError(
            f"Nothing was done yet. {way.costs}",
            f"To do it all the same, send: {row.key} {verb} {row.number} {player} {PASSWORD}",
        )


def _demand_meant(ctx: Context, row: BoardRow, seat: Seat, text: str, line: str) -> None:
    """Raise PlayerError if the rules of the game ask whether a legal move is meant. The line of a link is."""
    move = legal_move(text, row.board, seat) if seat in row.board.to_move else ""
    if (
        move
        and line.strip() != move
        and (why := row.game.asks_back(row.board.position, seat, row.game.normalise(text)))
    ):
        if move != row.game.normalise(text):  # the board has that name in another place
            legal = map(row.game.format, moves_of(row.game, row.board.position, seat))
            raise NotUnderstood(why, f"Your moves: {', '.join(ctx.shown_move(row.board, seat, m) for m in legal)}")
        player = row.players[seat].userid
        raise NotUnderstood(why, f"To do it all the same, send: {row.key} move {row.number} {player} {PASSWORD} {move}")


def _demand_kept(ctx: Context, row: BoardRow, seat: Seat, move: str) -> None:
    """Raise PlayerError if the lines below a move take it back: then it is offered, with what they name instead."""
    others = taken_back(ctx.body, move, _reading(ctx, row, seat)) if ctx.body and seat in row.board.to_move else None
    if others is None:
        return
    if len(others) != 1:
        shown = ctx.shown_move(row.board, seat, move)
        raise PlayerError(_DOUBTED, f"To do it, answer with nothing but: {shown}")
    moves = (legal_move(move, row.board, seat), *others)
    error = AmbiguousMove(move, moves, [row.game.written(row.board.position, seat, text) for text in moves])
    error.text = _DOUBTED
    raise error


def _call_of(row: BoardRow, signed: SignedSeat, first: FirstLine) -> Call:
    """The call of a command on the board of the letter, for the player whom it was sent to."""
    known: dict[str, object] = {"userid": row.players[signed.seat].userid}
    for arg in first.command.args:
        if arg.name == "board":
            known["board"] = (str(row.number),) if arg.many else BoardRef(row.number)
        elif first.userid and arg.is_ is Is.USERID and arg.optional:
            known[arg.name] = first.userid
    if first.moves:
        known["move"] = first.moves
    return Call(first.command, row.board.start.game, known)  # as after a subject, also while the board waits for words


def _offer_a_draw(ctx: Context, signed: SignedSeat, moved: Answer) -> list[str]:
    """Offer a draw, if the line below a move asks for it. If this is not possible, say so in the board letter."""
    line, _, rest = ctx.body.strip().partition("\n")
    news = moved.boards[0]
    word = word_of(line, ctx.command_language, news.row.board)
    if word is None or word.asks or word.command.verb != "propose" or news.row.board.result:
        return []
    ctx.body = rest.strip("\n")
    ctx.authentication.signed = replace(signed, length=news.row.board.length)
    call = _call_of(news.row, signed, word)
    try:
        proposed = run_call(ctx, call)
    except PlayerError as e:
        moved.boards = [replace(news, text="\n".join(filter(None, (news.text, ctx.say(e.text)))))]
    else:
        moved.boards += proposed.boards
    return [ctx.shown(call)]


def _reply_facts(ctx: Context, signed: SignedSeat, line: str, call: Call | None) -> ReplyFacts | None:
    """What the answer to an error says of a reply to a board letter."""
    row = ctx.store.boards.find(signed.number, lock=False)
    if row is None:
        return None
    seat, offer = signed.seat, ""
    is_turn = seat in row.board.to_move
    if call is None and not _other_board(ctx, row, seat, line):
        line = line if line.strip() else ctx.mail.inside_quote
        offer = (is_turn and _by_rules(row, tends(line) or "reject" * refuses(line))) or _meant(ctx, row, seat, line)
    elif call and is_turn and row.board.offer is None and call.command.verb in _ANSWERS:
        offer = _by_rules(row, call.command.verb)
    elif call and call.command.verb == "move" and not row.board.result and len(call.values["move"]) == 1:
        text = call.values["move"][0]
        offer = text if not is_turn else with_other_letters(text, row.board, seat) or with_ends([text], row.board, seat)
    return ReplyFacts(row, seat, line if call is None else "", _that_fits(ctx, row, seat, offer), keep=not is_turn)


def _by_rules(row: BoardRow, verb: str) -> str:
    """Return the move that accepts or rejects what the rules let another seat propose; "" if there is none now."""
    board = row.board
    if not verb or board.result or board.waits:
        return ""
    return board.game.agreeing(board.position) if verb == "accept" else board.game.refusing(board.position)


def _that_fits(ctx: Context, row: BoardRow, seat: Seat, offer: str) -> str:
    """Return the offer; "" if it is too long for an address."""
    signer, epoch, board = ctx.site.signer, row.players[seat].epoch, row.board
    move = legal_move(offer, board, seat) if seat in board.to_move else ""
    if move and board.game.asks_back(board.position, seat, board.game.normalise(offer)):
        offer = move if move == board.game.normalise(offer) else ""  # the board calls another place so
    return offer if offer and signer.offer(row.number, seat, row.board.length, epoch, offer) else ""


def _meant(ctx: Context, row: BoardRow, seat: Seat, line: str) -> str:
    """Return what is offered: the move that is probably meant, or the code of a word that can be done now; else ""."""
    letters, at = _letters(ctx), seat if seat in row.board.to_move else None
    first = _answer_to_proposal(ctx.command_language, row.board, seat, line)
    first = first or read_first_line(line, ctx.command_language, row.board, at, letters)
    if first is None:
        is_asked = row.board.offer is not None and seat in row.board.to_answer
        body = (is_asked and behind_refusal(ctx.mail.body)) or ctx.mail.body  # a move rejects a proposal, too
        is_agreed = is_asked and agrees(_END_OF_PART.split(line, 1)[0])  # ok. And then Nf3
        return (
            ("" if is_agreed else move_in(body, ctx.command_language, row.board, seat, letters))
            or (is_asked and at is not None and _first_move(behind_refusal(ctx.mail.body), row.board, at))
            or _before_question(ctx, row, at, line)
            or _meant_word(ctx, row, seat, line)
            or ("" if is_agreed else _at_an_end(ctx, row, at, line) or _meant_in_subject(ctx, row, at))
        )
    if first.moves:
        return first.moves[0] if len(first.moves) == 1 and not row.board.result else ""
    return code_of(first.command, first.userid) if can_do(ctx, row, seat, first.command.verb) else ""


def _first_move(text: str, board: Board, seat: Seat) -> str:
    """Return the legal move with which a text begins that stands behind a refusal; "" if it begins otherwise."""
    first = text.split(None, 1)[0] if text.split() else ""
    return without_noise(first) if legal_move(without_noise(first), board, seat) else ""


def _meant_word(ctx: Context, row: BoardRow, seat: Seat, line: str) -> str:
    """Return the code of the only word in a sentence that can be done now; "" if there is none, or several.

    If the first line is a greeting, it is the word that is alone on a line below.
    """
    if answer := _tended(ctx, row, seat, line):
        return code_of(answer)
    language, below = ctx.command_language, ctx.mail.body.strip().split("\n", _MOST_BELOW)[1:_MOST_BELOW]
    alone = (word_of(text, language) for text in below)
    meant = words_in(line, language) or [word.command for word in alone if word]
    is_answer = len(meant) > 1 and any(command.verb in _ANSWERS for command in meant)  # who agrees proposes nothing
    asked = ("resign",) * is_question(line)  # should I resign: that is no wish
    commands = {c for c in meant if not c.question and c.verb not in asked and can_do(ctx, row, seat, c.verb)}
    return code_of(commands.pop()) if len(commands) == 1 and not is_answer else ""


def _tended(ctx: Context, row: BoardRow, seat: Seat, line: str) -> CommandSyntax | None:
    """Return the answer to an open proposal that a line begins with, or that a sentence with its word may be.

    Who has not moved yet, and says no, may decline the board.
    """
    if row.board.offer is None or seat not in row.board.to_answer:
        is_no = declines(line) and "decline" in ways_offered(row, seat, ctx.log(row))
        return ctx.command_language.game_command("decline") if is_no else None
    if is_no_answer_to(line, is_draw=_is_draw(row.board)):
        return None
    meant = {c.verb for c in words_in(line, ctx.command_language)}
    if meant == {"propose", "decline"}:
        return ctx.command_language.game_command("reject")
    words = {*bare_words(line)} - {"propose", *ctx.command_language.reply_verbs}
    # you want a draw, I think about a draw
    is_other = (
        is_question(line) or not OTHERS.isdisjoint(words) or not KNOWN.issuperset(words) or any(map(doubts, words))
    )
    may_agree = meant == {"propose"} and _is_draw(row.board) and not is_other and not asks_to_agree(line)
    verb = tends(line) or "accept" * may_agree  # let's call it a draw
    return ctx.command_language.game_command(verb) if verb else None


def _before_question(ctx: Context, row: BoardRow, seat: Seat | None, line: str) -> str:
    return "" if seat is None else before_question(line, _reading(ctx, row, seat))


def _at_an_end(ctx: Context, row: BoardRow, seat: Seat | None, line: str) -> str:
    """Return the move with which a line begins or ends, if neither its other words nor those below it say otherwise."""
    reading = None if seat is None else _reading(ctx, row, seat)
    move = (leading_move(line, reading) or closing_move(line, reading)) if reading else ""
    below = ctx.mail.body.strip().partition("\n")[2]
    return move if reading and move and taken_back(below, move, reading) is None else ""


def _meant_in_subject(ctx: Context, row: BoardRow, seat: Seat | None) -> str:
    """Return the move that is alone in the subject of an answer whose words doubt it; "" if there is none."""
    if seat is None or ctx.authentication.signed is None:
        return ""
    return doubted_in_subject(ctx.mail.subject, ctx.mail.body, _reading(ctx, row, seat))


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


# --- an answer to the service address --------------------------------------------------------------------------------


def misdirected(ctx: Context, request: Request) -> Done | None:
    """Say where an answer belongs that did not go to the reply address of our letter; None if the mail is no such one.

    Its subject is that of a board letter, with nothing added; or it has no command and refers to a letter of ours.
    """
    if request.calls and isinstance(request.calls[0], Call):
        return None
    number, letters = _board_in_subject(ctx.mail.subject), _letters_answered(ctx)
    if number is None and (request.calls or not letters):
        return None
    if number is None:
        number = next((letter.numbers[0] for letter in reversed(letters) if len(letter.numbers) > 1), None)
    row = None if number is None else ctx.store.boards.find(number, lock=False)
    facts = _facts_at_sender(ctx, row) if row and row.key in games.names() else None
    error = PlayerError(_ASTRAY, _USE_REPLY_TO) if ctx.site.policy.plus else PlayerError(_WITHOUT_WORDS, _KEEP_SUBJECT)
    if facts and ctx.site.policy.plus:
        row, epoch = facts.row, facts.row.players[facts.seat].epoch
        address = ctx.site.signer.answer(row.number, facts.seat, row.board.length, epoch, facts.offer)
        error = PlayerError(_ASTRAY, f"Send it to this address: {address}")
    answer_error(ctx, error, Understood(), facts)
    return Done(["(reply)"], error.text)


def _board_in_subject(subject: str) -> int | None:
    """The number of the board, if a subject is that of its letters."""
    match = _TITLE.fullmatch(subject) or _TURN.fullmatch(subject)
    return int(match["number"]) if match and match["game"].lower() in games.names() else None


def _letters_answered(ctx: Context) -> list[Token]:
    """The letters of ours that the mail refers to, by their Message-IDs."""
    ids = (known.strip("<>").rpartition("@")[0] for known in ctx.mail.references.split())
    tokens = (ctx.site.signer.verify(left) for left in ids)
    return [token for token in tokens if token and token.purpose == signed_addresses.MESSAGE]


def _facts_at_sender(ctx: Context, row: BoardRow) -> ReplyFacts | None:
    """What the answer says of the board to its player; None if From names none of its players.

    The answer goes to the address in From, which is the player's own, even if somebody else wrote the mail.
    """
    here = {player.id for player in ctx.store.players.at(ctx.mail.sender)}
    senders = [player for player in row.players if player.id in here]
    named = [player for player in senders if player.userid in ctx.mail.subject.lower().split()]
    if not senders:
        return None
    seat, line = row.seat_to_move((named or senders)[0]), ctx.mail.body.strip().partition("\n")[0]
    return ReplyFacts(row, seat, line, _offered(ctx, row, seat, line))


def _offered(ctx: Context, row: BoardRow, seat: Seat, line: str) -> str:
    """The one legal move that a line names, alone or among other words; "" if it names none or is too long."""
    if seat not in row.board.to_move:
        return ""
    letters = _letters(ctx)
    first = read_first_line(line, ctx.command_language, row.board, seat, letters)
    if first and len(first.moves) == 1:
        offer = first.moves[0]
    else:
        offer = move_in(ctx.mail.body, ctx.command_language, row.board, seat, letters)
    return _that_fits(ctx, row, seat, offer)


# --- a digest --------------------------------------------------------------------------------------------------------


@dataclass
class _Results:
    """The results of the lines of an answer to a digest."""

    answers: list[Words] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    news: list[BoardNews] = field(default_factory=list)
    comments: dict[int, str] = field(default_factory=dict)  #: by board, of those that have news
    links: list[str] = field(default_factory=list)  #: lines that answer an error
    problem: str = ""


def _to_digest(ctx: Context, token: Token, body: str) -> Done:
    """An answer to a digest: lines that are independent of each other, and one letter with all their results."""
    ctx.body, number = "", token.numbers[0]
    digest = ctx.store.readers.digest(number)
    player = ctx.authentication.player = ctx.store.players.by_id(digest.player_id) if digest else None
    if player and player.epoch != token.epoch:
        ctx.authentication.player = None
        _renew_digest(ctx, player, number)
        return Done(["(digest)"], _OLD_ADDRESS)
    same = ctx.site.signer.digest(number, token.epoch) if player else ""  # lines that failed can be sent again
    try:
        sent, lines = _demand_lines(ctx, digest, body)
    except PlayerError as e:
        moves = [f"{board}: moves" for board in digest.boards][:_MOST_LINKS] if digest else []
        answer_error(ctx, e, Understood(), reply_to=same, answers=moves)
        return Done(["(digest)"], e.text)
    results = _run_lines(ctx, sent, lines)
    if player and results.news:
        _read_ending(ctx, player)
    for board, comment in results.comments.items():
        ctx.body = comment
        write_board_letters(ctx, [replace(news, quiet=True) for news in results.news if news.row.number == board])
    links = tuple(results.links[:_MOST_LINKS])
    text = joined(results.answers)
    if links:
        text = how_to_go_on(ctx, text, _how_to_answer(ctx, sent))
    write_answer(ctx, Answer(text, _subject_of(ctx, sent), answers=links, reply_to=same))
    return Done(results.calls, results.problem)


def _read_ending(ctx: Context, player: Player) -> None:
    """Remember how an answer to a digest ends, below its lines. No comment has this end."""
    _, _, below = ctx.mail.body.strip("\n").rpartition("\n\n")
    if not lines_of(below):
        ctx.body = below
        ctx.cut_signature(player)


def _subject_of(ctx: Context, sent: SentDigest) -> str:
    number = _tournament_of(ctx, sent)
    tournament = None if number is None else ctx.store.tournaments.find(number)
    return subject_of(tournament) if tournament else "Digest"


def _tournament_of(ctx: Context, sent: SentDigest) -> int | None:
    """Return the tournament that a letter is about: one begins with a letter about all boards of a player."""
    rows = ctx.store.boards.find_many(sent.boards).values()
    numbers = {row.tournament for row in rows} if not any(length for _, length in sent.boards.values()) else set()
    return next(iter(numbers)) if len(numbers) == 1 else None


def _renew_digest(ctx: Context, player: Player, number: int) -> None:
    """Send a player the new reply address of a digest, only to the player's own addresses."""
    if _is_renewed(ctx, f"{player.id} digest {number}"):
        to, language = ctx.letters.addresses(player), ctx.letters.language(player)
        text = ctx.site.renderer.to(language).say(f"{_OLD_ADDRESS}\n\n{_SAME_LINES}")
        reply_to = ctx.site.signer.digest(number, player.epoch)
        ctx.letters.write("answer", to, "Digest", {"text": text}, reply_to=reply_to, language=language)


def _how_to_answer(ctx: Context, sent: SentDigest) -> str:
    """Return how to write an answer to a digest, with a line for one of its boards that works now."""
    rows = [row for row in ctx.store.boards.find_many(sent.boards).values() if row.key in games.names()]
    seats = {row.number: sent.boards[row.number][0] for row in rows}
    lines = (f"{row.number}: {move}" for row in rows for move in examples(row.board, seats[row.number])[:1])
    return f"Write one line for each board, for example: {next(lines, f'{min(sent.boards, default=101)}: show')}"


def _demand_lines(ctx: Context, sent: SentDigest | None, body: str) -> tuple[SentDigest, list[tuple[int, str]]]:
    """The digest that was answered, and the lines of the answer. Raises PlayerError if one of them is not there."""
    lines = lines_of(body)
    if sent is None or not lines:
        told = _how_to_answer(ctx, sent or SentDigest(0, {}))
        raise PlayerError("Your answer does not name a board.", f"{_how_to_end(ctx, sent, body)}\n{told}".strip())
    return sent, lines


def _how_to_end(ctx: Context, sent: SentDigest | None, body: str) -> str:
    """Return how to get no more letters such as the one that is answered, if the first line may ask for that.

    Whoever answers the letter of a tournament with other words than a move is told how to see it.
    """
    player = ctx.authentication.player
    if sent is None or player is None:
        return ""
    to, userid = ctx.site.address, player.userid
    first = f"To get a letter for each board in place of a digest, send to {to}: set {userid} {PASSWORD} digest=off"
    if (tournament := _tournament_of(ctx, sent)) is not None:
        first = how_to_leave(ctx, tournament, userid)
    fewer = advice_on_letters(ctx, userid, body.strip().partition("\n")[0], first)
    return fewer or ("" if tournament is None else f"To see the tournament, send to {to}: tournament show {tournament}")


def lines_of(body: str) -> list[tuple[int, str]]:
    """The lines such as `101: e5h5t` at the beginning of an answer: board and words."""
    lines = []
    for line in body.splitlines():
        match = _LINE.fullmatch(line)
        if match:
            lines.append((int(match[1]), match[2]))
        elif line.strip():
            break
    return lines[:MOST_DIGEST_LINES]


def _run_lines(ctx: Context, sent: SentDigest, lines: Sequence[tuple[int, str]]) -> _Results:
    results = _Results()
    ctx.store.boards.lock(number for number, _ in lines if number in sent.boards)
    for number, words in lines:
        _run_line(ctx, sent, number, words, results)
    return results


def _run_line(ctx: Context, sent: SentDigest, number: int, words: str, results: _Results) -> None:
    shown, ctx.body = f"(board {number})", ""
    try:
        signed = _demand_board(sent, number)
        ctx.authentication.signed = signed
        call = _call(ctx, ctx.authentication.signed_row(), signed, words, "")
        shown = ctx.shown(call)
        answer = run_call(ctx, call)
    except PlayerError as e:
        results.problem = results.problem or e.text
        results.answers.append(answer_line(ctx, shown, f"{e.whole}{_word_meant(ctx, number, words, e)}"))
        results.links += [f"{number}: {word}" for word in _answers_to(e, number in sent.boards, ctx.say)]
    else:
        results.answers.append(answer_line(ctx, shown, answer.text))
        results.news += answer.boards
        for news in answer.boards:
            results.comments[news.row.number] = f"{results.comments.get(news.row.number, '')}\n{ctx.body}".strip()
    results.calls.append(shown)


def _word_meant(ctx: Context, number: int, words: str, error: PlayerError) -> str:
    """Return how to write the only word of the server that a line names besides others, on a line of its own."""
    meant = words_in(words, ctx.command_language) if isinstance(error, NotUnderstood) else []
    return f"\nTo do that, write: {number}: {meant[0].verb}" if len(meant) == 1 else ""


def _answers_to(error: PlayerError, is_there: bool, say: Say) -> Sequence[str]:
    """Return what can be written after an error in a line about a board. `is_there`: the digest has this board."""
    if isinstance(error, AmbiguousMove):
        return (*(lettered(move, say) for move in error.shown), "moves")
    return ("moves", "help")[: 2 * is_there]


def _demand_board(sent: SentDigest, number: int) -> SignedSeat:
    """Return the digest's data about a board. Raises PlayerError if the board was not in it."""
    if number not in sent.boards:
        raise PlayerError(f"Board {number} was not in that letter.", "To see the running boards, send: list")
    return SignedSeat(number, *sent.boards[number])
