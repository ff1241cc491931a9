"""Finds what is offered after a line that did nothing: the move or the word that is probably meant."""

from pbmserv.games.base import Seat, moves_of
from pbmserv.games.base.board import Board
from pbmserv.inbox.authentication.authentication import SignedSeat
from pbmserv.inbox.command import Call, code_of
from pbmserv.inbox.context import Context
from pbmserv.inbox.lines.agreement import agrees, behind_refusal, besides_refusal, refuses, tends
from pbmserv.inbox.lines.beside import before_question, closing_move, doubted_in_subject, leading_move, taken_back
from pbmserv.inbox.lines.first_line import LONGEST, bare_words, is_question, read_first_line, word_of
from pbmserv.inbox.lines.offers import move_in, with_ends, with_other_letters, words_in
from pbmserv.inbox.lines.sole import last_move, mended_move, only_move, said_move
from pbmserv.inbox.lines.spellings import legal_move, without_noise
from pbmserv.inbox.lines.words.comment_words import OR_ELSE, corrects, revokes
from pbmserv.inbox.lines.words.sentence_words import END_OF_PART, OTHERS
from pbmserv.inbox.refusals.error_answers import ReplyFacts, can_do
from pbmserv.inbox.refusals.topics import asks_meaning
from pbmserv.inbox.replies.proposals import answer_to_proposal, tended
from pbmserv.inbox.replies.readings import letters_of, other_board, reading_of
from pbmserv.mail.reading.encoding import fold
from pbmserv.model import BoardRow

_MOST_BELOW = 8  # lines of an answer that begins with a greeting, in which a word is looked for
_MOST_NAMED = 40  # lines of an answer, in which a move is offered that no line below takes back
_ANSWERS = ("accept", "reject", "decline")  #: to what another seat proposes, also by the rules of the game


def reply_facts(ctx: Context, signed: SignedSeat, line: str, call: Call | None) -> ReplyFacts | None:
    """What the answer to an error says of a reply to a board letter."""
    row = ctx.store.boards.find(signed.number, lock=False)
    if row is None:
        return None
    seat, offer = signed.seat, ""
    is_turn = seat in row.board.to_move
    if call is None and not other_board(ctx, row, seat, line):
        line = line if line.strip() else ctx.mail.inside_quote
        offer = (is_turn and _by_rules(row, tends(line) or "reject" * refuses(line))) or what_is_meant(
            ctx, row, seat, line
        )
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


def move_named(ctx: Context, row: BoardRow, seat: Seat, line: str) -> str:
    """The one legal move that a line names, alone or among other words; "" if it names none or is too long."""
    if seat not in row.board.to_move:
        return ""
    letters = letters_of(ctx)
    first = read_first_line(line, ctx.command_language, row.board, seat, letters)
    if first and len(first.moves) == 1:
        offer = first.moves[0]
    else:
        offer = move_in(ctx.mail.body, ctx.command_language, row.board, seat, letters)
    return _that_fits(ctx, row, seat, offer)


def _that_fits(ctx: Context, row: BoardRow, seat: Seat, offer: str) -> str:
    """Return the offer; "" if it is too long for an address, if it cannot be done, or if its writer chooses again."""
    signer, epoch, board = ctx.site.signer, row.players[seat].epoch, row.board
    move = legal_move(offer, board, seat) if seat in board.to_move else ""
    is_word = ctx.command_language.offered(offer) is not None
    goals = [offer, *board.game.cells_of(move)[-1:]] if move else []
    if (seat in board.to_move and not (move or is_word)) or any(_chooses_again(ctx.mail.body, text) for text in goals):
        return ""
    if move and board.game.asks_back(board.position, seat, board.game.normalise(offer)):
        offer = move if move == board.game.normalise(offer) else ""  # the board calls another place so
    return offer if offer and signer.offer(row.number, seat, row.board.length, epoch, offer) else ""


def _chooses_again(text: str, move: str) -> bool:
    """Return whether words behind the last place where a text has a move, or its goal, take another one or none.

    As in: c3-c1 or Kd1? The king. 7 goes to 10 or to 11.
    """
    _, there, behind = fold(text).lower().rpartition(move.lower())
    behind = behind.partition("\n")[0][:LONGEST] if there else ""
    words = bare_words(behind)
    names_cell = any(map(str.isdigit, "".join(words)))
    return names_cell and (words[0] in OR_ELSE or corrects(words) or ("?" in behind and revokes(behind)))


def what_is_meant(ctx: Context, row: BoardRow, seat: Seat, line: str) -> str:
    """Return what is offered: the move that is probably meant, or the code of a word that can be done now; else ""."""
    letters, at = letters_of(ctx), seat if seat in row.board.to_move else None
    first = answer_to_proposal(ctx.command_language, row.board, seat, line)
    first = first or read_first_line(line, ctx.command_language, row.board, at, letters)
    if first is None and asks_meaning(line):
        return ""
    if first is None:
        is_asked = row.board.offer is not None and seat in row.board.to_answer
        body = (is_asked and behind_refusal(ctx.mail.body)) or ctx.mail.body  # a move rejects a proposal, too
        is_agreed = is_asked and agrees(END_OF_PART.split(line, 1)[0])  # ok. And then Nf3
        return (
            ("" if is_agreed else _named(ctx, row, seat, body))
            or (is_asked and at is not None and _first_move(behind_refusal(ctx.mail.body), row.board, at))
            or (is_asked and _besides_refusal(ctx, row, at, line))
            or _before_question(ctx, row, at, line)
            or _meant_word(ctx, row, seat, line)
            or (
                ""
                if is_agreed
                else _at_an_end(ctx, row, at, line) or _only(ctx, row, at) or _meant_in_subject(ctx, row, at)
            )
        )
    if first.moves:
        return first.moves[0] if len(first.moves) == 1 and not row.board.result else ""
    return code_of(first.command, first.userid) if can_do(ctx, row, seat, first.command.verb) else ""


def _named(ctx: Context, row: BoardRow, seat: Seat, body: str) -> str:
    """Return the only move that lines name, if none below it takes it back."""
    move = move_in(body, ctx.command_language, row.board, seat, letters_of(ctx))
    if not move:
        return ""
    reading, (_, *below) = reading_of(ctx, row, seat), body.strip().split("\n", _MOST_NAMED)[:_MOST_NAMED]
    legal = legal_move(move, row.board, seat)
    at = next((at for at, line in enumerate(below, 1) if legal_move(reading.move(line), row.board, seat) == legal), 0)
    own = (text for line in below[at:] for text in END_OF_PART.split(line) if OTHERS.isdisjoint(bare_words(text)))
    return move if taken_back("\n".join(own), move, reading) is None else ""  # then you take back with the rook


def _first_move(text: str, board: Board, seat: Seat) -> str:
    """Return the legal move with which a text begins that stands behind a refusal; "" if it begins otherwise."""
    first = text.split(None, 1)[0] if text.split() else ""
    return without_noise(first) if legal_move(without_noise(first), board, seat) else ""


def _besides_refusal(ctx: Context, row: BoardRow, seat: Seat | None, line: str) -> str:
    """Return the move beside the words with which a line refuses a proposal, which it rejects, too."""
    rest = besides_refusal(line)
    if not rest or seat is None:
        return ""
    return reading_of(ctx, row, seat).move(rest) or _at_an_end(ctx, row, seat, rest)


def _meant_word(ctx: Context, row: BoardRow, seat: Seat, line: str) -> str:
    """Return the code of the only word in a sentence that can be done now; "" if there is none, or several.

    If the first line is a greeting, it is the word that is alone on a line below.
    """
    if answer := tended(ctx, row, seat, line):
        is_half = answer.verb == "reject" and _names_goal(row.board, seat, line)  # no way, Bxc4
        return "" if is_half else code_of(answer)
    language, below = ctx.command_language, ctx.mail.body.strip().split("\n", _MOST_BELOW)[1:_MOST_BELOW]
    alone = (word_of(text, language) for text in below)
    meant = words_in(line, language) or [word.command for word in alone if word]
    is_answer = len(meant) > 1 and any(command.verb in _ANSWERS for command in meant)  # who agrees proposes nothing
    asked = ("resign",) * is_question(line)  # should I resign: that is no wish
    commands = {c for c in meant if not c.question and c.verb not in asked and can_do(ctx, row, seat, c.verb)}
    return code_of(commands.pop()) if len(commands) == 1 and not is_answer else ""


def _names_goal(board: Board, seat: Seat, line: str) -> bool:
    """Return whether a word of a line is the cell to which a legal move goes."""
    words = [word for word in bare_words(line) if any(map(str.isdigit, word))]
    cells = {cell for word in words for cell in board.game.cells_of(word)}
    legal = moves_of(board.game, board.position, seat) if cells and seat in board.to_move else ()
    return any(not cells.isdisjoint(board.game.cells_of(board.game.format(move))[-1:]) for move in legal)


def _before_question(ctx: Context, row: BoardRow, seat: Seat | None, line: str) -> str:
    return "" if seat is None else before_question(line, reading_of(ctx, row, seat))


def _at_an_end(ctx: Context, row: BoardRow, seat: Seat | None, line: str) -> str:
    """Return the move with which a line begins or ends, if neither its other words nor those below it say otherwise."""
    reading = None if seat is None else reading_of(ctx, row, seat)
    move = (leading_move(line, reading) or closing_move(line, reading)) if reading else ""
    below = ctx.mail.body.strip().partition("\n")[2]
    return move if reading and move and taken_back(below, move, reading) is None else ""


def _only(ctx: Context, row: BoardRow, seat: Seat | None) -> str:
    """Return the move for which a text decides at its end, or the only one in it."""
    if seat is None:
        return ""
    reading = reading_of(ctx, row, seat)
    body = ctx.mail.body
    ways = (last_move, mended_move, only_move, said_move)
    return next((move for way in ways if (move := way(body, reading))), "")


def _meant_in_subject(ctx: Context, row: BoardRow, seat: Seat | None) -> str:
    """Return the move that is alone in the subject of an answer whose words doubt it; "" if there is none."""
    if seat is None or ctx.authentication.signed is None:
        return ""
    return doubted_in_subject(ctx.mail.subject, ctx.mail.body, reading_of(ctx, row, seat))
