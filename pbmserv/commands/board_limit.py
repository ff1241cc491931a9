"""`limit`: how many boards of a game others can begin with a player at a time."""

import re

from pbmserv.errors import PlayerError
from pbmserv.games.base import AnyGame
from pbmserv.inbox.command import LOGIN, PASSWORD, Arg, Call, Scope, game_of
from pbmserv.inbox.context import Answer, Command, Context
from pbmserv.letters.policy import Policy
from pbmserv.model import Player
from pbmserv.model.preferences import OF_LIMIT


def limit(ctx: Context, call: Call) -> Answer:
    """`game limit userid password [n | none]`: the most boards of a game that others may bring a player to."""
    player, game = ctx.authentication.login(call), game_of(call)
    if (word := call.values.get("n")) is not None:
        if word != "none" and not re.fullmatch(r"\d{1,4}", word):
            raise PlayerError(
                "The limit must be a number of boards, or the word none.",
                f"Send for example: {game.info.key} limit {player.userid} {PASSWORD} 5",
            )
        ctx.store.players.set_preference(player.id, game.info.key, OF_LIMIT, word if word == "none" else str(int(word)))
    most, active = limit_of(ctx, player, game), ctx.store.board_lists.count_active(game.info.key, player.id)
    text = ctx.render("limit", game=game.info, player=player.userid, limit=most, active=active)
    return Answer(text, subject=f"{game.info.key.capitalize()} limit")


LIMIT = Command(
    "limit",
    "Limits how many boards of this game others can begin with you at a time. 0 means none. Without a number, the "
    f"answer shows your limit. At first it is {Policy().board_limit}.",
    limit,
    scope=Scope.GAME,
    args=(*LOGIN, Arg("n", "a number; or none, for no limit", optional=True)),
    example="{game} limit {userid} {password} 5",
    second="{game} limit {userid} {password} none",
    more="The limit does not count for boards that you begin yourself. You can always begin more.",
)


def limit_of(ctx: Context, player: Player, game: AnyGame) -> int | None:
    """How many boards of a game a player wants to play at most; None: any number."""
    value = ctx.preferences(player).limit(game.info.key)
    if value is None:
        return ctx.site.policy.board_limit
    return None if value == "none" else int(value)


def demand_room(ctx: Context, player: Player, game: AnyGame) -> None:
    """Raise PlayerError if the player does not want another board of this game that somebody else begins."""
    limit = limit_of(ctx, player, game)
    if limit is None:
        return
    other = elsewhere(game)
    if limit == 0:
        raise PlayerError(f"{player.userid} does not accept challenges in {game.info.name}.", other)
    active = ctx.store.board_lists.count_active(game.info.key, player.id, hold=True)
    if active >= limit:
        raise PlayerError(
            f"{player.userid} plays {active} board{'s' * (active != 1)} of {game.info.name} and wants no more than "
            f"{limit} at a time.",
            f"Wait until one is over. {other}",
        )


def elsewhere(game: AnyGame) -> str:
    """Return what to do when a player takes no challenges."""
    return f"Challenge somebody else, or find an opponent with: {game.info.key} seek USERID PASSWORD"
