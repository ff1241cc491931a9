"""Makes a call of the first line of an answer to a letter about a board, if all of it is understood."""

from pbmserv.errors import NotUnderstood, PlayerError
from pbmserv.games import demand_installed
from pbmserv.games.base import Seat
from pbmserv.inbox.authentication.authentication import SignedSeat
from pbmserv.inbox.command import REFUSED, WORD, BoardRef, Call, Is
from pbmserv.inbox.context import Context
from pbmserv.inbox.lines.agreement import refuses
from pbmserv.inbox.lines.beside import Beside, LineReading, before_comment, below_comment, in_subject
from pbmserv.inbox.lines.first_line import FirstLine, is_yes, plan_in, read_first_line
from pbmserv.inbox.lines.spellings import foreign, formed, not_there, odd_word, other_colour
from pbmserv.inbox.refusals.advice import advice
from pbmserv.inbox.refusals.error_answers import shown_words
from pbmserv.inbox.replies.demands import condition, demand_clear, plan
from pbmserv.inbox.replies.meant import what_is_meant
from pbmserv.inbox.replies.proposals import answer_to_proposal
from pbmserv.inbox.replies.readings import letters_of, other_board, reading_of
from pbmserv.mail.inbound import Mail
from pbmserv.model import BoardRow

_YES_TO_WHAT = "You said yes to a letter that only refused your words, so nothing was done."
_ABOVE = "Write your answer above them, without a sign such as > before it."


def call_by(ctx: Context, row: BoardRow, signed: SignedSeat, line: str, offered: str, body: str = "") -> Call:
    """The call that the first line of a reply makes. Raises PlayerError unless all of the line is understood.

    `body`: the whole text, if a move may also stand at its end or in the subject.
    """
    language = ctx.command_language
    is_turn = signed.seat in row.board.to_move
    if offered == REFUSED:
        _demand_accepted(row, signed.seat, line)
        offered = ""
    word = language.offered(offered)
    if offered and is_yes(line, to_word=word is not None):
        if word:
            return call_of(row, signed, FirstLine(word[0], userid=word[1]))
        return call_of(row, signed, FirstLine(language.game_command("move" if is_turn else "queue"), (offered,)))
    if offered and refuses(line):
        raise PlayerError("Nothing was done.")
    if other := other_board(ctx, row, signed.seat, line):
        text = f"Your line names board {other}, but this letter is about board {row.number}, so nothing was done."
        raise PlayerError(text, f"Answer the letter about board {other}.")
    seat = signed.seat if is_turn and signed.length == row.board.length else None
    first = answer_to_proposal(language, row.board, signed.seat, line)
    first = first or read_first_line(line, language, row.board, seat, letters_of(ctx))
    if first is None:
        demand_installed(row.game)
        moves = _beside(ctx, row, seat, line, body) or _impossible(ctx, row, signed.seat, line)
        first = FirstLine(language.game_command("move"), moves)
    if not first.moves and first.command.verb == "move":
        raise _not_understood(ctx, row, signed.seat, line)
    demand_clear(ctx, row, signed, first, line)
    return call_of(row, signed, first)


def _demand_accepted(row: BoardRow, seat: Seat, line: str) -> None:
    """Raise PlayerError if a line is only a yes to a letter that refused other words, while a proposal is open."""
    if row.board.offer is not None and seat in row.board.to_answer and is_yes(line):
        raise PlayerError(_YES_TO_WHAT, "Do you accept the proposal? Answer accept or reject.")


def call_of(row: BoardRow, signed: SignedSeat, first: FirstLine) -> Call:
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


def _beside(ctx: Context, row: BoardRow, seat: Seat | None, line: str, body: str) -> tuple[str, ...]:
    """Return the move beside a comment, which is then what the others read; () if there is none without doubt."""
    if seat is None:
        return ()
    reading = reading_of(ctx, row, seat)
    same_line = before_comment(line, reading)
    beside = same_line or (body and (below_comment(body, reading) or _in_subject(ctx, body, reading)))
    if not beside or WORD in shown_words(ctx, row.players[seat], line):  # the line may have the password
        return ()
    below = ctx.mail.body.strip().partition("\n")[2] if body and ctx.body else ctx.body  # with its empty lines
    ctx.body = f"{beside.comment}\n{below}".strip("\n") if same_line else beside.comment
    return (beside.move,)


def _in_subject(ctx: Context, body: str, reading: LineReading) -> Beside | None:
    return in_subject(ctx.mail.subject, "" if ctx.mail.is_signature else body, reading)


def _impossible(ctx: Context, row: BoardRow, seat: Seat, line: str) -> tuple[str, ...]:
    """Return the move that a line names and that is not possible, so that the answer says why; () if it offers another.

    Raises MoveError for a cell that is none of the game's, and for what may be several moves.
    """
    if seat not in row.board.to_move:
        return ()
    if other := other_colour(line, row.board, seat):
        raise PlayerError(f"Your line names a move of {other}, and that is not your colour, so nothing was done.")
    several, word = foreign(line, row.board, seat), odd_word(line)
    moves = formed(line, row.board, seat, letters_of(ctx)) or not_there(line, row.board, seat)
    if not (len(several) > 1 or moves or word) or what_is_meant(ctx, row, seat, line):  # what is meant is dear to find
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
    if seat in row.board.to_move and (moves := plan_in(line, row.board, seat)):
        return plan(ctx, row.board, seat, moves)
    text = "The first line of your answer was not understood, so nothing was done."
    told = condition(row.board, seat, line), advice(ctx, row, seat, line)
    return NotUnderstood(text, "\n".join(filter(None, told)))


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
