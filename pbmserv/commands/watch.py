"""Boards on which one does not play, and talk about boards: `subscribe`, `unsubscribe`, `notify`, `chat`."""

from pbmserv.errors import PlayerError
from pbmserv.inbox.answer import Answer
from pbmserv.inbox.command import PASSWORD, BoardRef, Call, game_of
from pbmserv.inbox.context import Context
from pbmserv.letters.text.wording import board_title
from pbmserv.mail.signed_addresses import Token
from pbmserv.store import BoardRow, Player


def chat(ctx: Context, call: Call) -> Answer:
    """`game chat board userid password`: the body goes to the other players and to the subscribers."""
    row, player, _ = ctx.my_board(call)
    comment = ctx.comment(player)
    if comment is None:
        raise PlayerError(
            "There are no words to pass on.", "Write them in the body of the mail, or below the line that says chat."
        )
    readers = ctx.letters.chat(row, comment)
    if not readers:
        raise PlayerError("Nobody else reads this board.", "To write to another player, see: help message")
    return Answer(f"Your words go to {', '.join(readers)}.", subject=board_title(row))


def subscribe(ctx: Context, call: Call) -> Answer:
    """`game subscribe board userid password`: a copy of every letter of a board, as spectators see it."""
    player = ctx.asker.login(call)
    row = _subscribe(ctx, call, player, call.values["board"], end_only=False)
    text = ctx.render("subscribed", number=row.number, key=row.board.game.info.key, player=player.userid)
    return Answer(text, subject=board_title(row))


def unsubscribe(ctx: Context, call: Call) -> Answer:
    """`game unsubscribe board userid password`: no more copies."""
    player = ctx.asker.login(call)
    row = ctx.row(call, call.values["board"])
    if not ctx.store.readers.unsubscribe(row.number, player.id):
        raise PlayerError(f"You have not subscribed to board {row.number}.", "There is nothing to do.")
    return _no_more(row)


def notify(ctx: Context, call: Call) -> Answer:
    """`game notify userid password [board …]`: only the last letter of boards; without boards, lists what is read."""
    player = ctx.asker.login(call)
    for ref in call.get("board"):
        _subscribe(ctx, call, player, ref, end_only=True)
    found = ctx.store.readers.subscriptions(player.id)
    text = ctx.render("subscriptions", player=player.userid, boards=found, key=game_of(call).info.key)
    return Answer(text, subject="Subscriptions")


def unsubscribe_signed(ctx: Context, token: Token, line: str) -> Answer:
    """A mail to the address in List-Unsubscribe of a copy; to ask again does no harm.

    Mail programs send it, so it does not matter what its `line` says.
    """
    number, player_id = token.numbers
    row, player = ctx.store.boards.find(number), ctx.store.players.by_id(player_id)
    if row is None or player is None:
        raise PlayerError("That subscription is gone.", "There is nothing to do.")
    ctx.asker.proved = player
    ctx.store.readers.unsubscribe(number, player_id)
    return _no_more(row)


def _subscribe(ctx: Context, call: Call, player: Player, ref: BoardRef, end_only: bool) -> BoardRow:
    row = ctx.readable_row(call, ref, player)
    if row.seats_of(player):
        raise PlayerError(f"You play on board {row.number}, so you get its letters anyway.", "There is nothing to do.")
    if row.board.result:
        raise PlayerError(
            f"Board {row.number} is over.", f"To see how it ended, send: {row.board.game.info.key} show {row.number}"
        )
    ctx.store.readers.subscribe(row.number, player.id, end_only)
    return row


def _no_more(row: BoardRow) -> Answer:
    again = f"{row.board.game.info.key} subscribe {row.number} USERID {PASSWORD}"
    return Answer(f"You get no more copies of board {row.number}.\nTo begin again: {again}", subject=board_title(row))
