"""Mails that only ask. Their answers are made from a snapshot of the database, before the transaction of the mail.

So nobody waits for the write lock while pages are made. The transaction of the mail checks that the sender, the
sender's addresses and their limits are still the same, and queues the answers. Otherwise it runs the mail as any other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pbmserv.db import engines
from pbmserv.inbox.calls import Done
from pbmserv.inbox.command import Call, CommandLanguage
from pbmserv.inbox.context import Context, MustWrite
from pbmserv.inbox.lines.first_line import word_of
from pbmserv.inbox.lines.parse import Request
from pbmserv.inbox.replies.to_digest import lines_of
from pbmserv.inbox.run import run
from pbmserv.mail import signed_addresses
from pbmserv.model import Player
from pbmserv.model.letters import AnswerKinds, NewLetter

#: An answer that is older when it could be written down is made again: the machine slept, or its clock was set.
LASTS = timedelta(minutes=10)


@dataclass(frozen=True)
class Answered:
    """The answers to a mail, as of one moment, and what they depend on.

    `rows`: its letters, without the number of the mail and the time at which they are stored; `owed`: what is done
    when something can be counted; `bug`: what was raised instead.
    """

    at: datetime
    done: Done = field(default_factory=Done)
    rows: Sequence[NewLetter] = field(default=(), repr=False)
    owed: Sequence[Callable[[Context], None]] = ()
    player: Player | None = None
    reach: Sequence[tuple[str, AnswerKinds, bool]] = ()
    bug: Exception | None = field(default=None, repr=False)


def only_asks(request: Request, language: CommandLanguage) -> bool:
    """Return whether a mail changes nothing: all its commands are questions, or lines that are no commands.

    This is a guess if it answers a letter: the game of the board may use the same word for a move.
    """
    if request.token is None:
        return all(call.command.question for call in request.calls if isinstance(call, Call))
    if request.token.purpose in signed_addresses.OF_A_BOARD:
        return _is_question(request.first_line, language)
    if request.token.purpose == signed_addresses.DIGEST:
        lines = lines_of(f"{request.first_line}\n{request.comment}")
        return bool(lines) and all(_is_question(words, language) for _, words in lines)
    return False


def _is_question(line: str, language: CommandLanguage) -> bool:
    word = word_of(line, language)
    return word is not None and word.command.question


def answer_ahead(ctx: Context, request: Request) -> Answered | None:
    """Answer a mail in a read-only transaction. Raises the errors of the database.

    None if the mail must write something. A bug is returned: the mail goes into quarantine in a transaction of its own.
    """
    owed = ctx.owed = []
    ctx.authentication.read = {}
    try:
        with ctx.store.savepoint():
            done = run(ctx, request)
        return Answered(ctx.now, done, ctx.letters.rows, owed, ctx.authentication.player, ctx.reach())
    except MustWrite:
        return None
    except Exception as bug:
        if engines.was_refused(bug):  # its row in the command table says that it is a question, but it writes
            return None
        if engines.is_down(bug):
            raise
        return Answered(ctx.now, bug=bug)


def take_over(ctx: Context, answered: Answered | None) -> Done | None:
    """Use these answers, or raise their bug. None: there are none, or what they depend on has changed."""
    if answered is None or abs(ctx.now - answered.at) > LASTS:
        return None
    if answered.bug:
        raise answered.bug
    player = answered.player
    if player and ctx.store.players.by_id(player.id) != player:
        return None
    ctx.authentication.player = player
    if ctx.reach() != answered.reach:
        ctx.authentication.player = None
        return None
    ctx.letters.rows = [letter._replace(mail_id=ctx.mail_id, created=ctx.now) for letter in answered.rows]
    for write in answered.owed:
        write(ctx)
    return answered.done
