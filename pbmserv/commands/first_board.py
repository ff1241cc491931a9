"""The first board of a newcomer: an answer to the welcome letter begins it, with a robot or with somebody."""

from collections.abc import Sequence

from pbmserv import games
from pbmserv.boards import with_robots
from pbmserv.boards.news import BoardNews
from pbmserv.commands.help import rules_of
from pbmserv.commands.starting import Terms, begin_board, demand_players
from pbmserv.errors import PlayerError
from pbmserv.games.base import AnyGame
from pbmserv.inbox.command import PASSWORD
from pbmserv.inbox.context import Answer, Context
from pbmserv.inbox.lines.wishes import Wish, game_named, read_wish
from pbmserv.mail.signed_addresses import Token
from pbmserv.model import Player, Settings

_FEW = 3  #: games that a newcomer is offered
_KNOWN, _OWN = "chess", "tumble"  #: the game that most people know, and the one that this server was made for


def first_games(ctx: Context) -> list[AnyGame]:
    """Return the games that a newcomer is offered: one that most know, the operator's first, and our own.

    If a robot plays none of these, there are others in their place.
    """
    there = with_robots.played(ctx.store, ctx.site.games)
    keys = (_KNOWN, *ctx.site.policy.games[:1], _OWN, *there)
    return [games.find(key) for key in dict.fromkeys(keys) if key in there][:_FEW]


def first_answers(ctx: Context) -> Sequence[str]:
    """Return what a welcome letter can be answered by a link."""
    return [*(f"play {game.info.key}" for game in first_games(ctx)), "games", "help tutorial"]


def answer_welcome(ctx: Context, token: Token, line: str) -> Answer:
    """Handle an answer to a welcome letter: a wish to play begins a board. Raises PlayerError."""
    find_welcomed(ctx, token)
    player = ctx.authentication.player
    if player is None:
        raise PlayerError("That account is closed.", f"To open an account, send: signup USERID {PASSWORD}")
    if not ctx.authentication.is_own_address(player):
        raise PlayerError("This works only from one of your own addresses.", "Answer the letter from one of them.")
    names = ctx.names_of_games()
    wish = read_wish(line, names)
    if wish is None:
        raise _not_understood(ctx, game_named(line, names))
    if wish.explain and wish.game:
        return rules_of(ctx, wish.game)
    terms = Terms(game := _game(ctx, wish), game.usual_options({}), Settings())
    row = begin_board(ctx, terms, demand_players(ctx, terms, _seats(ctx, wish, game, player), player))
    return Answer(f"Board {row.number} has begun.", boards=[BoardNews(row, 0, player)], complete=True)


def find_welcomed(ctx: Context, token: Token) -> None:
    """Tell the context whom a welcome letter went to."""
    player = ctx.store.players.by_id(*token.numbers)
    if player and player.password_hash is not None:
        ctx.authentication.enter(player)


def _not_understood(ctx: Context, named: AnyGame | None) -> PlayerError:
    offered = [named.info.key] if named else [game.info.key for game in first_games(ctx)]
    hint = (
        f"Answer with one of: {', '.join(f'play {key}' for key in offered)}" if offered else "To see the games: games"
    )
    return PlayerError("Nothing was done: the first line of your answer was not understood.", hint)


def _game(ctx: Context, wish: Wish) -> AnyGame:
    """Return the game of a wish; if it names none, that of the robot it names, else the first. Raises PlayerError."""
    known = ctx.store.players.find(wish.opponent) if wish.opponent else None
    robot = ctx.store.robots.find(known.id) if known else None
    offered = [games.find(robot.game)] if robot else first_games(ctx)
    if wish.game or offered:
        return wish.game or offered[0]
    raise PlayerError("No robot plays here at the moment.", "To see who looks for opponents, send: list")


def _seats(ctx: Context, wish: Wish, game: AnyGame, player: Player) -> list[str]:
    if game.info.seats == (1,):
        return [player.userid]
    return [player.userid, wish.opponent or with_robots.nearest(ctx.store, game, player).userid]
