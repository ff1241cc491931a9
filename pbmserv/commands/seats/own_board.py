"""The board of a call, for what cannot be taken back."""

from pbmserv.errors import PlayerError
from pbmserv.games.base import Seat
from pbmserv.inbox.command import PASSWORD, Call
from pbmserv.inbox.context import Context
from pbmserv.model import BoardRow, Player


def by_owner(ctx: Context, call: Call) -> tuple[BoardRow, Player, Seat]:
    """Return what `my_board` does, if the mail comes from one of the player's own addresses. Raises PlayerError.

    For what cannot be taken back, a signed address alone is not enough.
    """
    row, player, seat = ctx.my_board(call)
    if ctx.authentication.signed and not ctx.authentication.is_own_address(player):
        raise PlayerError(
            "This works only from one of your own addresses.",
            f"Send it with your password: {row.key} {call.command.verb} {row.number} {player.userid} {PASSWORD}",
        )
    return row, player, seat
