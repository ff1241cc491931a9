"""Says where an answer belongs that went to the service address."""

import re

from pbmserv import games
from pbmserv.errors import PlayerError
from pbmserv.inbox.calls import Done
from pbmserv.inbox.command import Call, Understood
from pbmserv.inbox.context import Context
from pbmserv.inbox.lines.parse import Request
from pbmserv.inbox.refusals.error_answers import ReplyFacts, answer_error
from pbmserv.inbox.replies.meant import move_named
from pbmserv.mail import signed_addresses
from pbmserv.mail.signed_addresses import Token
from pbmserv.model import BoardRow

_ASTRAY = "Your mail went to the address of this server, not to the reply address of the letter, so nothing was done."
_WITHOUT_WORDS = "Your mail lacks the words in brackets that end the subject of the letter, so nothing was done."
_KEEP_SUBJECT = "Answer the letter, and leave its subject as it is. To see what you can send: help"
_USE_REPLY_TO = (
    "If somebody waits for your answer, send it to the address that the letter names as its reply address (Reply-To). "
    "If it names none, nobody does. To see what you can send: help"
)
#: The subjects of board letters: `Tumble Board 101 alice`, `101 your turn (Tumble)`.
_TITLE = re.compile(r"(?P<game>\S+) board (?P<number>\d{1,9})(?: \S+)?", re.IGNORECASE)
_TURN = re.compile(r"(?P<number>\d{1,9}) .*\((?P<game>\S+)\)")


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
    return ReplyFacts(row, seat, line, move_named(ctx, row, seat, line))
