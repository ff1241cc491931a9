"""Words from player to player: to some, or to all who want to hear."""

from collections.abc import Sequence

from pbmserv.errors import PlayerError
from pbmserv.inbox.answer import Answer
from pbmserv.inbox.command import MOST_READERS, PASSWORD, Call
from pbmserv.inbox.context import Context
from pbmserv.store import Player

MESSAGES_A_DAY = 50  #: letters of one sender
BROADCASTS_A_DAY = 1
_AT_ONCE = 500  #: addresses whose readers are asked for with one statement


def message(ctx: Context, call: Call) -> Answer:
    """`message userid password to …`: the body goes to these players, one letter each."""
    sender = ctx.asker.login(call)
    words = _words(ctx, sender)
    readers = _readers(ctx, call.values["to"])
    _spend(ctx, sender, "message", len(readers), MESSAGES_A_DAY)
    deaf = ctx.store.readers.blockers_of(sender.id)
    for reader in readers:
        if reader.id not in deaf:
            data = {"by": sender.userid, "text": words, "reader": reader.userid, "password": PASSWORD}
            to, language = ctx.letters.addresses(reader), ctx.letters.language(reader)
            ctx.letters.write("message", to, f"A message from {sender.userid}", data, language=language)
    names = ", ".join(r.userid for r in readers)
    return Answer(f"Your words were passed on to: {names}", subject="Message")


def broadcast(ctx: Context, call: Call) -> Answer:
    """`broadcast userid password`: the body goes to all who want broadcasts."""
    sender = ctx.asker.login(call)
    words = _words(ctx, sender)
    _spend(ctx, sender, "broadcast", 1, BROADCASTS_A_DAY)
    data = {"by": sender.userid, "text": words, "password": PASSWORD}
    to = ctx.store.readers.broadcast_addresses(sender.id)
    for n in range(0, len(to), _AT_ONCE):
        ctx.letters.write("broadcast", to[n : n + _AT_ONCE], f"From {sender.userid} to everybody", data)
    return Answer("Your words went to everybody who wants broadcasts.", subject="Broadcast")


def _words(ctx: Context, sender: Player) -> str:
    """What the sender wrote. Raises PlayerError if that is nothing."""
    comment = ctx.comment(sender)
    if comment is None:
        raise PlayerError(
            "There are no words to pass on: they stand in the body of the mail.",
            "Send the line again as the subject, with your words below it.",
        )
    return comment.text


def _readers(ctx: Context, userids: Sequence[str]) -> list[Player]:
    """The players to whom a message goes. Raises PlayerError that lists everybody who is none."""
    several, players, trouble = dict.fromkeys(userids), list[Player](), list[PlayerError]()
    if len(several) > MOST_READERS:
        raise PlayerError(f"A message goes to at most {MOST_READERS} players.", "Send it in several mails.")
    for userid in several:
        try:
            players.append(ctx.lookups.player(userid))
        except PlayerError as e:
            trouble.append(e)
    if trouble:
        hints = dict.fromkeys(e.hint for e in trouble)
        raise PlayerError("\n".join(e.text for e in trouble), "\n".join(["Nothing was sent.", *hints]))
    return players


def _spend(ctx: Context, sender: Player, what: str, amount: int, most: int) -> None:
    """Count against the sender's daily allowance. Raises PlayerError if it is used up."""
    if not ctx.store.readers.spend(sender.id, what, f"{ctx.now:%Y-%m-%d}", amount, most):
        often = "once" if most == 1 else f"to {most} players"
        raise PlayerError(
            f"A {what} may be sent {often} in a day, and that is used up.", "Send it again tomorrow (days are in UTC)."
        )
