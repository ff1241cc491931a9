"""Words from player to player, talk about a board, and copies of its letters for those who do not play there."""

from collections.abc import Sequence

from pbmserv.errors import PlayerError
from pbmserv.inbox.answer import Answer
from pbmserv.inbox.command import (
    LOGIN,
    MOST_READERS,
    ON_BOARD,
    PASSWORD,
    Arg,
    BoardRef,
    Call,
    Command,
    Is,
    Scope,
    game_of,
)
from pbmserv.inbox.context import Context, Occasion
from pbmserv.letters.board_letters import write_chat
from pbmserv.letters.text.wording import number_word
from pbmserv.mail.signed_addresses import Token
from pbmserv.store import BoardRow, Player

_WORDS = "your words to them"
MESSAGES_A_DAY = 50  #: letters of one sender
BROADCASTS_A_DAY = 1
_AT_ONCE = 500  #: addresses whose readers are asked for with one statement


def message(ctx: Context, call: Call) -> Answer:
    """`message userid password to …`: the body goes to these players, one letter each."""
    sender = ctx.asker.login(call)
    words = _words(ctx, sender)
    readers = _readers(ctx, call.values["to"])
    _spend(ctx, sender, "message", len(readers), MESSAGES_A_DAY)
    blockers = ctx.store.readers.blockers_of(sender.id)
    for reader in readers:
        if reader.id not in blockers:
            data = {"by": sender.userid, "text": words, "reader": reader.userid, "password": PASSWORD}
            to, language = ctx.letters.addresses(reader), ctx.letters.language(reader)
            ctx.letters.write("message", to, f"A message from {sender.userid}", data, language=language)
    names = ", ".join(r.userid for r in readers)
    return Answer(f"Your words were passed on to: {names}", subject="Message")


MESSAGE = Command(
    "message",
    "Passes the body of your mail on to players. Nobody sees an address.",
    message,
    args=(*LOGIN, Arg("to", f"up to {number_word(MOST_READERS)} userids", Is.USERID, many=True)),
    body=_WORDS,
    example="message {userid} {password} {other}",
    second="message {userid} {password} {other} {userid}",
    more="If one of the userids is unknown, or the body is empty, nothing is sent. A message is written as the "
    "subject, so it cannot be one of the lines of a mail with the subject multiple.\n"
    f"At most {number_word(MESSAGES_A_DAY)} players a day are written to in this way. "
    "Who has blocked you gets nothing.",
)


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


BROADCAST = Command(
    "broadcast",
    "Passes the body of your mail on to all players who want broadcasts; once a day.",
    broadcast,
    args=LOGIN,
    body=_WORDS,
    example="broadcast {userid} {password}",
    second="broad {userid} {password}",
    more="To get the broadcasts of others: set USERID PASSWORD broadcasts=on\n"
    "An empty body is refused, and so is a second broadcast on the same day (in UTC).",
)


def chat(ctx: Context, call: Call) -> Answer:
    """`game chat board userid password`: the body goes to the other players and to the subscribers."""
    row, player, _ = ctx.my_board(call)
    comment = ctx.comment(player)
    if comment is None:
        raise PlayerError(
            "There are no words to pass on.", "Write them in the body of the mail, or below the line that says chat."
        )
    readers = write_chat(ctx.letters, row, comment)
    if not readers:
        raise PlayerError("Nobody else reads this board.", "To write to another player, see: help message")
    return Answer(f"Your words go to {', '.join(readers)}.", subject=row.title)


CHAT = Command(
    "chat",
    "Sends the body of your mail to the other players of a board, and to those who have subscribed to it.",
    chat,
    Scope.GAME,
    args=ON_BOARD,
    reply=True,
    body="what you say",
    usable=Occasion.plays,
    example="{game} chat {board} {userid} {password}",
    second="{game} chat 102 bob {password}",
    more="The words stand in the body of the mail; without any, nothing is sent. Who answers a board letter writes "
    "chat on the first line and his words below it.",
)


def subscribe(ctx: Context, call: Call) -> Answer:
    """`game subscribe board userid password`: a copy of every letter of a board, as spectators see it."""
    player = ctx.asker.login(call)
    row = _subscribe(ctx, call, player, call.values["board"], end_only=False)
    text = ctx.render("subscribed", number=row.number, key=row.key, player=player.userid)
    return Answer(text, subject=row.title)


def _can_subscribe(on: Occasion) -> bool:
    return on.row is not None and not (on.seats or on.row.board.result or on.row.settings.private)


SUBSCRIBE = Command(
    "subscribe",
    "A copy of every letter of a board, as spectators see it.",
    subscribe,
    Scope.GAME,
    args=ON_BOARD,
    usable=_can_subscribe,
    example="{game} subscribe {board} {userid} {password}",
    second="{game} subscribe 102 bob {password}",
    more="Private boards cannot be subscribed to, and players of a board get its letters anyway. "
    "To end it: GAME unsubscribe BOARD USERID PASSWORD",
)


def unsubscribe(ctx: Context, call: Call) -> Answer:
    """`game unsubscribe board userid password`: no more copies."""
    player = ctx.asker.login(call)
    row = ctx.row(call, call.values["board"])
    if not ctx.store.readers.unsubscribe(row.number, player.id):
        raise PlayerError(f"You have not subscribed to board {row.number}.", "There is nothing to do.")
    return _no_more(row)


def _has_subscribed(on: Occasion) -> bool:
    return on.row is not None and any(on.asker == s.player for s in on.ctx.store.readers.subscribers(on.row.number))


UNSUBSCRIBE = Command(
    "unsubscribe",
    "No more copies of the letters of a board.",
    unsubscribe,
    Scope.GAME,
    args=ON_BOARD,
    usable=_has_subscribed,
    example="{game} unsubscribe {board} {userid} {password}",
    second="{game} unsubscribe 102 bob {password}",
    more="It does no harm on a board that you have not subscribed to. The letters themselves offer the same.",
)


def notify(ctx: Context, call: Call) -> Answer:
    """`game notify userid password [board …]`: only the last letter of boards. Without a board: what is read."""
    player = ctx.asker.login(call)
    for ref in call.get("board"):
        _subscribe(ctx, call, player, ref, end_only=True)
    found = ctx.store.readers.subscriptions(player.id)
    text = ctx.render("subscriptions", player=player.userid, boards=found, key=game_of(call).info.key)
    return Answer(text, subject="Subscriptions")


NOTIFY = Command(
    "notify",
    "Only the last letter of boards on which you do not play. Without boards, lists those that you read.",
    notify,
    Scope.GAME,
    args=(*LOGIN, Arg("board", "board numbers", Is.BOARD, optional=True, many=True)),
    example="{game} notify {userid} {password}",
    second="{game} notify {userid} {password} {board}",
    more="Every letter of a board, not only the last, comes with: GAME subscribe BOARD USERID PASSWORD",
)


def unsubscribe_signed(ctx: Context, token: Token, line: str) -> Answer:
    """A mail to the address that stands under List-Unsubscribe in a copy. To write there twice does no harm.

    Mail programs send it, so it does not matter what its `line` says.
    """
    number, player_id = token.numbers
    row, player = ctx.store.boards.find(number), ctx.store.players.by_id(player_id)
    if row is None or player is None:
        raise PlayerError("That subscription is gone.", "There is nothing to do.")
    ctx.asker.proved = player
    ctx.store.readers.unsubscribe(number, player_id)
    return _no_more(row)


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
    """The players to whom a message goes. Raises a PlayerError that lists all userids that are of no player."""
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


def _subscribe(ctx: Context, call: Call, player: Player, ref: BoardRef, end_only: bool) -> BoardRow:
    row = ctx.readable_row(call, ref, player)
    if row.seats_of(player):
        raise PlayerError(f"You play on board {row.number}, so you get its letters anyway.", "There is nothing to do.")
    if row.board.result:
        raise PlayerError(f"Board {row.number} is over.", f"To see how it ended, send: {row.key} show {row.number}")
    ctx.store.readers.subscribe(row.number, player.id, end_only)
    return row


def _no_more(row: BoardRow) -> Answer:
    again = f"{row.key} subscribe {row.number} USERID {PASSWORD}"
    return Answer(f"You get no more copies of board {row.number}.\nTo begin again: {again}", subject=row.title)
