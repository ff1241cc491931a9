"""Messages between players, chat about a board, and subscriptions: copies of its letters for others."""

from collections.abc import Sequence

from pbmserv.errors import PlayerError
from pbmserv.inbox.command import LOGIN, MOST_READERS, ON_BOARD, PASSWORD, Arg, BoardRef, Call, Is, Scope, game_of
from pbmserv.inbox.context import Answer, Command, Context, Occasion
from pbmserv.letters.board_letters import write_chat
from pbmserv.letters.policy import Policy
from pbmserv.letters.text.wording import number_word
from pbmserv.mail.signed_addresses import BROADCASTS, OWN_MOVES, STOP, Token
from pbmserv.model import BoardRow, Player
from pbmserv.model.preferences import Preferences

_WORDS = "your message to them"
BROADCASTS_A_DAY = 1
#: What a mail that stops letters turns off, and its answer, by the last number of the address.
_STOPPED = {
    OWN_MOVES: (Preferences.wants_own, "You get no more letters about your own moves that were played."),
    BROADCASTS: (Preferences.wants_broadcasts, "You get no more broadcasts."),
}
_AT_ONCE = 500  #: how many addresses one statement looks up


def message(ctx: Context, call: Call) -> Answer:
    """`message userid password to …`: the body goes to these players, one letter each."""
    sender = ctx.authentication.login(call)
    return _send(ctx, sender, _words(ctx, sender), _readers(ctx, call.values["to"]))


def _send(ctx: Context, sender: Player, words: str, readers: Sequence[Player]) -> Answer:
    """Send a message. Each letter, and the answer if there is one reader, is answered with a message."""
    most = ctx.site.policy.messages_a_day
    ctx.spend(sender, "message", most, f"You can write messages to {most} players a day.", len(readers))
    blockers = ctx.store.readers.blockers_of(sender.id)
    for reader in readers:
        if reader.id not in blockers and not ctx.preferences(reader).wants_fewer:
            data = {"by": sender.userid, "text": words, "reader": reader.userid, "password": PASSWORD}
            to, language = ctx.letters.addresses(reader), ctx.letters.language(reader)
            back = ctx.site.signer.talk(sender.id, reader.id, reader.epoch)
            subject = f"A message from {sender.userid}"
            ctx.letters.write("message", to, subject, data, language=language, reply_to=back)
            if ctx.preferences(reader).has_webhook:
                ctx.letters.queue_event(reader, ctx.site.events.of_message(sender.userid, words, None))
    names = ", ".join(r.userid for r in readers)
    again = ctx.site.signer.talk(readers[0].id, sender.id, sender.epoch) if len(readers) == 1 else ""
    return Answer(f"Your message was sent to: {names}", subject="Message", reply_to=again)


def answer_message(ctx: Context, token: Token, line: str) -> Answer:
    """Handle an answer to a message: all of it goes to the writer of that message."""
    find_answering(ctx, token)
    sender, reader = ctx.authentication.player, ctx.store.players.by_id(token.numbers[0])
    if sender is None or reader is None or reader.password_hash is None:
        raise PlayerError("That account is closed.", "To see who plays here, send: who")
    if sender.epoch != token.epoch:
        raise PlayerError(
            "Your password has changed since that letter, so its address works no more.",
            f"Send your message with the subject: message {sender.userid} {PASSWORD} {reader.userid}",
        )
    if not ctx.authentication.is_confirmed(sender):
        raise PlayerError(f"{sender.userid} has not confirmed an address yet, so this cannot reach other players.")
    ctx.body = f"{line}\n{ctx.body}"
    return _send(ctx, sender, _words(ctx, sender), [reader])


def find_answering(ctx: Context, token: Token) -> None:
    """Tell the context who got the message."""
    player = ctx.store.players.by_id(token.numbers[1])
    if player and player.password_hash is not None:
        ctx.authentication.enter(player)


MESSAGE = Command(
    "message",
    "Sends the body of your mail to players. Nobody sees an address.",
    message,
    reaches_others=True,
    args=(*LOGIN, Arg("to", f"up to {number_word(MOST_READERS)} userids", Is.USERID, many=True)),
    body=_WORDS,
    example="message {userid} {password} {other}",
    second="message {userid} {password} {other} {userid}",
    more="If a userid is unknown or the body is empty, nothing is sent. This command must be the subject of its "
    "mail: it cannot be a line under the subject multiple.\n"
    f"You can write to at most {number_word(Policy().messages_a_day)} players a day. Players who have blocked you "
    f"get nothing.",
)


def broadcast(ctx: Context, call: Call) -> Answer:
    """`broadcast userid password`: the body goes to all who want broadcasts."""
    sender = ctx.authentication.login(call)
    words = _words(ctx, sender)
    ctx.spend(sender, "broadcast", BROADCASTS_A_DAY, "You can send one broadcast a day.")
    data = {"by": sender.userid, "text": words, "password": PASSWORD}
    readers = ctx.store.readers.broadcast_addresses(sender.id)
    to, sign = list(readers), ctx.site.signer.sign
    for n in range(0, len(to), _AT_ONCE):
        part = to[n : n + _AT_ONCE]
        stops = {address: sign(STOP, readers[address], BROADCASTS) for address in part}
        subject = f"From {sender.userid} to everybody"
        ctx.letters.write("broadcast", part, subject, data, kind_of_list="broadcasts", stops=stops)
    return Answer("Your message was sent to everybody who gets broadcasts.", subject="Broadcast")


BROADCAST = Command(
    "broadcast",
    "Sends the body of your mail to all players who want broadcasts. You can do this once a day.",
    broadcast,
    args=LOGIN,
    reaches_others=True,
    body=_WORDS,
    example="broadcast {userid} {password}",
    second="broad {userid} {password}",
    more="To get the broadcasts of others, send: set USERID PASSWORD broadcasts=on\n"
    "If the body is empty, nothing is sent. Days are counted in UTC.",
)


def chat(ctx: Context, call: Call) -> Answer:
    """`game chat board userid password`: the body goes to the other players and to the subscribers."""
    row, player, _ = ctx.my_board(call)
    comment = ctx.comment(player, row, needed=True)
    if comment is None:
        raise PlayerError(
            "Your message is empty.", "Write it in the body of the mail, or below the line that says chat."
        )
    most = ctx.site.policy.chats_a_day
    ctx.spend(player, "chat", most, f"You can chat {most} times a day.")
    readers = write_chat(ctx.letters, row, comment)
    if not readers:
        raise PlayerError("Nobody else gets letters about this board.", "To write to another player, see: help message")
    return Answer(f"Your message goes to {', '.join(readers)}.", subject=row.title)


CHAT = Command(
    "chat",
    "Sends the body of your mail to the other players of a board, and to its subscribers.",
    chat,
    scope=Scope.GAME,
    args=ON_BOARD,
    reply=True,
    reaches_others=True,
    body="your message",
    usable=Occasion.plays,
    example="{game} chat {board} {userid} {password}",
    second="{game} chat 102 bob {password}",
    more="Write your message in the body of the mail. If it is empty, nothing is sent. You can also answer a board "
    "letter: write chat on the first line and your message below it.",
)


def subscribe(ctx: Context, call: Call) -> Answer:
    """`game subscribe board userid password`: a copy of every letter of a board, as spectators see it."""
    player = ctx.authentication.login(call)
    row = _subscribe(ctx, call, player, call.values["board"], end_only=False)
    text = ctx.render("subscribed", number=row.number, key=row.key, player=player.userid)
    return Answer(text, subject=row.title)


def _can_subscribe(on: Occasion) -> bool:
    return on.row is not None and not (on.seats or on.row.board.result or on.row.settings.private)


SUBSCRIBE = Command(
    "subscribe",
    "Sends you a copy of every letter about a board, as spectators see it.",
    subscribe,
    scope=Scope.GAME,
    args=ON_BOARD,
    usable=_can_subscribe,
    example="{game} subscribe {board} {userid} {password}",
    second="{game} subscribe 102 bob {password}",
    more="You cannot subscribe to a private board. Players of a board get its letters anyway. To end a subscription, "
    "send: GAME unsubscribe BOARD USERID PASSWORD",
)


def unsubscribe(ctx: Context, call: Call) -> Answer:
    """`game unsubscribe board userid password`: no more copies."""
    player = ctx.authentication.login(call)
    row = ctx.row(call, call.values["board"])
    if not ctx.store.readers.unsubscribe(row.number, player.id):
        raise PlayerError(f"You have not subscribed to board {row.number}.", "There is nothing to do.")
    return _no_more(row)


def _has_subscribed(on: Occasion) -> bool:
    return on.row is not None and any(on.player == s.player for s in on.ctx.store.readers.subscribers(on.row.number))


UNSUBSCRIBE = Command(
    "unsubscribe",
    "Ends your subscription to a board.",
    unsubscribe,
    scope=Scope.GAME,
    args=ON_BOARD,
    usable=_has_subscribed,
    example="{game} unsubscribe {board} {userid} {password}",
    second="{game} unsubscribe 102 bob {password}",
    more="If you have not subscribed to the board, nothing changes. Each copy that you get also says how to end the "
    "subscription.",
)


def notify(ctx: Context, call: Call) -> Answer:
    """`game notify userid password [board …]`: only the last letter of boards; no board: list subscriptions."""
    player = ctx.authentication.login(call)
    for ref in call.get("board"):
        _subscribe(ctx, call, player, ref, end_only=True)
    boards = ctx.store.readers.subscriptions(player.id)
    text = ctx.render("subscriptions", player=player.userid, boards=boards, key=game_of(call).info.key)
    return Answer(text, subject="Subscriptions")


NOTIFY = Command(
    "notify",
    "Sends you only the last letter about boards of other players. Without a board, the answer lists your "
    "subscriptions.",
    notify,
    scope=Scope.GAME,
    args=(*LOGIN, Arg("board", "board numbers", Is.BOARD, optional=True, many=True)),
    example="{game} notify {userid} {password}",
    second="{game} notify {userid} {password} {board}",
    more="To get every letter about a board, send: GAME subscribe BOARD USERID PASSWORD",
)


def fewer(ctx: Context, call: Call) -> Answer:
    """`game fewer board userid password`: explain how to get fewer letters. Changes nothing."""
    row, player, _ = ctx.my_board(call)
    text = ctx.render("fewer", player=player.userid, password=PASSWORD, key=row.key, number=row.number)
    return Answer(text, subject=row.title)


FEWER = Command(
    "fewer",
    "Explains how to get fewer letters, or none. It changes nothing.",
    fewer,
    scope=Scope.GAME,
    args=ON_BOARD,
    reply=True,
    requests=True,
    synonyms=("stop", "quit", "unsubscribe", "stopp", "abmelden", "abbestellen"),
    example="{game} fewer {board} {userid} {password}",
    second="{game} fewer 102 bob {password}",
    more="In an answer to a board letter, the word stop is enough. If the password is wrong, you get an error.",
)


def unsubscribe_signed(ctx: Context, token: Token, line: str) -> Answer:
    """Handle a mail to the List-Unsubscribe address of a copy. Writing there twice does no harm.

    Mail programs send such mails, so the content of `line` does not matter.
    """
    number, player_id = token.numbers
    row, player = ctx.store.boards.find(number), ctx.store.players.by_id(player_id)
    if row is None or player is None:
        raise PlayerError("You had already ended that subscription.", "There is nothing to do.")
    ctx.authentication.player = player
    ctx.store.readers.unsubscribe(number, player_id)
    return _no_more(row)


def stop_signed(ctx: Context, token: Token, line: str) -> Answer:
    """Stop letters of one kind: a mail to the address under List-Unsubscribe. Like `unsubscribe_signed`."""
    player_id, what = token.numbers
    player = ctx.store.players.by_id(player_id)
    if player is None or player.password_hash is None:
        raise PlayerError("That account is closed.", "There is nothing to do.")
    ctx.authentication.player = player
    preference, stopped = _STOPPED[what]
    ctx.store.players.set_preference(player.id, "", preference.name, "off")
    again = f"To get them again: set {player.userid} {PASSWORD} {preference.name}=on"
    return Answer(f"{stopped}\n{again}", subject="Settings")


def find_stopping(ctx: Context, token: Token) -> None:
    """Tell the context which player gets the letters."""
    ctx.authentication.player = ctx.store.players.by_id(token.numbers[0])


def find_subscriber(ctx: Context, token: Token) -> None:
    """Tell the context which player gets the copies."""
    ctx.authentication.player = ctx.store.players.by_id(token.numbers[1])


def _words(ctx: Context, sender: Player) -> str:
    """Return the sender's text. Raises PlayerError if it is empty."""
    comment = ctx.comment(sender, needed=True)
    if comment is None:
        raise PlayerError(
            "Your message is empty: it belongs in the body of the mail.",
            "Send the line again as the subject, with your message below it.",
        )
    return comment.text


def _readers(ctx: Context, userids: Sequence[str]) -> list[Player]:
    """Return the players who get a message. Raises a PlayerError that lists all unknown userids."""
    several, players, trouble = dict.fromkeys(userids), list[Player](), list[PlayerError]()
    if len(several) > MOST_READERS:
        raise PlayerError(f"A message can go to at most {MOST_READERS} players.", "Send it in several mails.")
    for userid in several:
        try:
            players.append(ctx.lookups.player(userid))
        except PlayerError as e:
            trouble.append(e)
    if trouble:
        hints = dict.fromkeys(e.hint for e in trouble)
        raise PlayerError("\n".join(e.text for e in trouble), "\n".join(["Nothing was sent.", *hints]))
    return players


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
