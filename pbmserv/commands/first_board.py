"""The first board of a newcomer: an answer to the welcome letter begins it, with a robot or with somebody."""

from collections.abc import Sequence

from pbmserv import games
from pbmserv.boards import with_robots
from pbmserv.boards.news import BoardNews
from pbmserv.commands.help import rules_of
from pbmserv.commands.seeks import open_seek, waiting
from pbmserv.commands.starting import Terms, begin_board, demand_players, fewest_seats
from pbmserv.errors import PlayerError
from pbmserv.games.base import AnyGame
from pbmserv.inbox.command import PASSWORD
from pbmserv.inbox.context import Answer, Context
from pbmserv.inbox.lines.first_line import bare_words, is_question
from pbmserv.inbox.lines.wishes import Wish, game_named, is_request, read_wish
from pbmserv.inbox.refusals.advice import advice_on_letters
from pbmserv.inbox.refusals.topics import Topic, topics_in
from pbmserv.mail.signed_addresses import Token
from pbmserv.model import Player, Settings

_FEW = 3  #: games that a newcomer is offered
_KNOWN, _OWN = "chess", "tumble"  #: the game that most people know, and the one that this server was made for


def first_games(ctx: Context) -> list[AnyGame]:
    """Return the games that a newcomer is offered: one that most know, the operator's first, and our own.

    If one of these is not offered here, or is another one of them, there is one in its place that a robot plays.
    """
    several = [game for game in ctx.site.games if game.info.seats != (1,)]
    offered = {game.info.key: game for game in several or ctx.site.games}
    keys = (_KNOWN, *ctx.site.policy.games[:1], _OWN, *with_robots.played(ctx.store, ctx.site.games), *offered)
    return [offered[key] for key in dict.fromkeys(keys) if key in offered][:_FEW]


def first_lines(ctx: Context, player: Player) -> list[tuple[str, str, str, str]]:
    """Return the name and the key of each of these games, with whom it begins, and whom its robot suits.

    It begins with a robot, anybody, or nobody.
    """
    return [(game.info.name, game.info.key, *_other(ctx, game, player)) for game in first_games(ctx)]


def _other(ctx: Context, game: AnyGame, player: Player) -> tuple[str, str]:
    other = _with(ctx, game)
    return other, _suits(ctx, game, player) if other == "robot" else ""


def _suits(ctx: Context, game: AnyGame, player: Player) -> str:
    """Return in words whom the robot suits that plays against somebody in a game; "" if an engine chooses its moves."""
    nearest = with_robots.nearest(ctx.store, game, player)
    robots = with_robots.levels_of(ctx.store, game)
    return next((level.suits for robot, level in robots if robot.player == nearest and not robot.engine), "")


def _with(ctx: Context, game: AnyGame) -> str:
    if game.info.seats == (1,):
        return "nobody"
    return "robot" if game.info.key in with_robots.played(ctx.store, ctx.site.games) else "anybody"


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
    if ctx.language_wished(line):
        told = ctx.set_language(player, line)
        reply_to = ctx.site.signer.sign(token.purpose, *token.numbers)
        return Answer(told, subject="Settings", reply_to=reply_to, answers=tuple(first_answers(ctx)))
    names = ctx.names_of_games()
    wish = read_wish(line, names)
    if wish is None:
        raise _not_understood(ctx, player, line, game_named(line, names))
    if wish.explain and wish.game:
        return rules_of(ctx, wish.game)
    if is_question(line) and not is_request(line):
        raise PlayerError(
            "Your first line reads like a question, a quotation or a remark, so nothing was done.",
            f"To do it, write nothing else on that line but: {wish.text}",
        )
    terms = Terms(game := _game(ctx, wish), game.usual_options({}), Settings())
    if not wish.opponent and _with(ctx, game) == "anybody":
        return _seek(ctx, wish, terms, player)
    row = begin_board(ctx, terms, demand_players(ctx, terms, _seats(ctx, wish, game, player), player))
    return Answer(f"Board {row.number} has begun.", boards=[BoardNews(row, 0, player)], complete=True)


def _seek(ctx: Context, wish: Wish, terms: Terms, player: Player) -> Answer:
    """Challenge anybody, or find the challenge that waits. Raises PlayerError if the wish is a robot."""
    game = terms.game
    if wish.robot:
        raise PlayerError(
            f"No robot of this server plays {game.info.name}.",
            f"To wait for anybody who wants to play, answer with: play {game.info.key}",
        )
    known = next((seek for seek in ctx.store.challenges.seeks_of(player) if seek.game == game.info.key), None)
    return waiting(ctx, known, player) if known else open_seek(ctx, player, terms, fewest_seats(game, terms.options))


def find_welcomed(ctx: Context, token: Token) -> None:
    """Tell the context whom a welcome letter went to."""
    player = ctx.store.players.by_id(*token.numbers)
    if player and player.password_hash is not None:
        ctx.authentication.enter(player)


def _not_understood(ctx: Context, player: Player, line: str, named: AnyGame | None) -> PlayerError:
    offered = [named.info.key] if named else [game.info.key for game in first_games(ctx)]
    told = [advice_on_letters(ctx, player.userid, line)]
    if Topic.PEOPLE in topics_in(bare_words(line)):
        told.append(f"To play with somebody, answer for example with: play {first_games(ctx)[0].info.key} with USERID")
    told += [f"Answer with one of: {', '.join(f'play {key}' for key in offered)}"] * bool(offered)
    hint = "\n".join(filter(None, (*told, "To see the games: games")))
    return PlayerError("Nothing was done: the first line of your answer was not understood.", hint)


def _game(ctx: Context, wish: Wish) -> AnyGame:
    """Return the game of a wish; if it names none, that of the robot it names, else one that a robot plays."""
    known = ctx.store.players.find(wish.opponent) if wish.opponent else None
    robot = ctx.store.robots.find(known.id) if known else None
    if wish.game or robot:
        return wish.game or games.find(robot.game if robot else "")
    return next((game for game in first_games(ctx) if _with(ctx, game) == "robot"), first_games(ctx)[0])


def _seats(ctx: Context, wish: Wish, game: AnyGame, player: Player) -> list[str]:
    if game.info.seats == (1,):
        return [player.userid]
    return [player.userid, wish.opponent or with_robots.nearest(ctx.store, game, player).userid]
