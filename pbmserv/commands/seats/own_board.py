"""The board of a call, for what cannot be taken back."""

from pbmserv.errors import PlayerError
from pbmserv.games.base import Seat
from pbmserv.inbox.command import PASSWORD, Call
from pbmserv.inbox.context import Context
from pbmserv.model import BoardRow, Player


def by_owner(ctx: Context, call: Call) -> tuple[BoardRow, Player, Seat]:
    """As `my_board`, for what cannot be taken back. A signed address alone does not do: the mail has to come from the
    player's own address. Raises PlayerError.
    """
    row, player, seat = ctx.my_board(call)
    if ctx.authentication.signed and not ctx.authentication.is_own_address(player):
        raise PlayerError(
            "This works only from one of your own addresses.",
            f"Send it with your password: {row.key} {call.command.verb} {row.number} {player.userid} {PASSWORD}",
        )
    return row, player, seat
