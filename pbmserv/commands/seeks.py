"""Open challenges: `seek`, `join` and `withdraw`."""

import re
from collections.abc import Mapping
from datetime import timedelta
from textwrap import fill

from pbmserv import games
from pbmserv.boards.news import BoardNews
from pbmserv.boards.ratings import rating_formula
from pbmserv.boards.with_robots import played
from pbmserv.commands.seats import substitute
from pbmserv.commands.starting import Terms, begin_board, demand_offered, fewest_seats, read_terms
from pbmserv.errors import PlayerError
from pbmserv.inbox.command import LOGIN, PASSWORD, TERMS, Arg, Call, Is, Scope, Setting, game_of
from pbmserv.inbox.context import Answer, Command, Context
from pbmserv.letters.letters import habits_of
from pbmserv.letters.text.templates import WIDTH
from pbmserv.letters.text.translations import Say
from pbmserv.letters.text.wording import Habits, days, habits_text, terms
from pbmserv.mail import signed_addresses
from pbmserv.model import Player, Seek
from pbmserv.model.boards import options_text
from pbmserv.model.tournaments import LAST

MOST_SEEKS = 10  #: the most open seeks of one player
SEEK_LASTS = timedelta(days=30)
_RATING = re.compile(r"(\d{1,5})-(\d{1,5})")
_NUMBER = Arg("number", "the number of the seek", Is.NUMBER)
_SEEK_SETTINGS = (
    *TERMS,
    Setting("seats", "the number of players, if the game allows several (the fewest)", "NUMBER"),
    Setting(
        "rating",
        "the ratings that can join (all); players without a rating count as "
        f"{rating_formula.points(rating_formula.UNRATED.mu)}",
        "LOWEST-HIGHEST",
    ),
)


def seek(ctx: Context, call: Call) -> Answer:
    """`game seek userid password [-options] [--options]`: wait for other players."""
    player = ctx.authentication.login(call)
    terms = read_terms(ctx, call)
    return open_seek(ctx, player, terms, _seats(call, terms, player), _rating(call))


def open_seek(ctx: Context, player: Player, terms: Terms, seats: int, rating: tuple[int, int] | None = None) -> Answer:
    """Let a player wait for others. Raises PlayerError if the player waits in too many seeks."""
    own = ctx.store.challenges.seeks_of(player)
    if len(own) >= MOST_SEEKS:
        raise PlayerError(
            f"You already have {len(own)} open seeks, which is the limit.",
            f"Withdraw one: {own[0].game} withdraw {own[0].number} {player.userid} {PASSWORD}",
        )
    new = ctx.store.challenges.add_seek(
        terms.game.info.key, dict(terms.options), terms.settings, seats, rating, terms.random, player, ctx.now
    )
    return waiting(ctx, new, player)


SEEK = Command(
    "seek",
    "Opens a challenge to everybody, called a seek. The board begins when all its seats are taken. After "
    f"{days(SEEK_LASTS.days)} a seek expires.",
    seek,
    scope=Scope.GAME,
    reaches_others=True,
    args=LOGIN,
    settings=_SEEK_SETTINGS,
    takes_options=True,
    usable=lambda on: max(on.game.info.seats) > 1,
    example="{game} seek {userid} {password}",
    second="{game} seek {userid} {password} --rating=1500-1900",
    more="The answer says the number of the seek. Others join with that number, see: help join. To limit who can "
    "join, use --rating.\n"
    "If an option is unknown, the answer lists the options of the game.",
)


def join(ctx: Context, call: Call) -> Answer:
    """`game join number userid password`: join a seek. The board begins when it is full."""
    player = ctx.authentication.login(call)
    seek = _open_seek(ctx, call, "join")
    demand_offered(ctx, games.find(seek.game))
    if player in seek.players:
        raise PlayerError(
            f"You already have a place in seek {seek.number}.",
            f"To leave it: {seek.game} withdraw {seek.number} {player.userid} {PASSWORD}",
        )
    if seek.left:
        return substitute.join(ctx, seek, player)
    _demand_rating(ctx, seek, player)
    _demand_welcome(ctx, seek, player)
    ctx.store.challenges.join_seek(seek.number, player)
    joined = (*seek.players, player)
    if len(joined) < seek.seats:
        return waiting(ctx, ctx.store.challenges.seek(seek.number) or seek, player)
    terms = Terms(games.find(seek.game), seek.options, seek.settings, seek.random)
    row = begin_board(ctx, terms, joined)
    ctx.store.challenges.close_seek(seek.number, ctx.now, row.number)
    return Answer(f"Board {row.number} has begun.", boards=[BoardNews(row, 0, player)], complete=True)


JOIN = Command(
    "join",
    "Joins an open seek. To see their numbers, send: list",
    join,
    scope=Scope.GAME,
    reaches_others=True,
    args=(_NUMBER, *LOGIN),
    example="{game} join {seek} {userid} {password}",
    second="{game} join 2 bob {password}",
    more="You cannot join a seek that is closed, full, or not for your rating. You cannot join twice.\n"
    "The board begins when the last place is taken. Then all players get its first letter.",
)


def withdraw(ctx: Context, call: Call) -> Answer:
    """`game withdraw number userid password`: leave a seek. A seek without players is closed."""
    player = ctx.authentication.login(call)
    seek = _open_seek(ctx, call, "leave")
    if player not in seek.players:
        raise PlayerError(f"You have no place in seek {seek.number}.", "To see the open seeks, send: list")
    if seek.left:
        return substitute.give_up(ctx, seek, player)
    ctx.store.challenges.leave_seek(seek.number, player)
    if seek.players == (player,):
        ctx.store.challenges.close_seek(seek.number, ctx.now)
        return Answer(f"Seek {seek.number} is withdrawn.", subject=_subject(seek))
    return Answer(f"You have left seek {seek.number}. The others keep waiting.", subject=_subject(seek))


WITHDRAW = Command(
    "withdraw",
    "Gives up your place in an open seek. A seek without players is over.",
    withdraw,
    scope=Scope.GAME,
    args=(_NUMBER, *LOGIN),
    example="{game} withdraw {own_seek} {userid} {password}",
    second="{game} withdraw 2 bob {password}",
    more="This works only if you have a place there and the board has not begun. If it has begun, you can decline "
    "the board.",
)


def describe_seek(seek: Seek, say: Say, habits: Mapping[str, Habits]) -> str:
    """`     3  trippples -w: alice, 1 place left, rated, reminder after 7 days, time limit 21 days`; in 79 columns.

    `habits`: what players have set about their time, by userid.
    """
    what = f"{seek.game} {options_text(seek.options)}".rstrip()
    names = ", ".join(p.shown for p in seek.players)
    parts = [f"{seek.number:6}  {what}: {names}", *seek_terms(seek, say, habits)]
    return fill(", ".join(parts), WIDTH, subsequent_indent=" " * 8, break_on_hyphens=False)


def seek_terms(seek: Seek, say: Say, habits: Mapping[str, Habits]) -> list[str]:
    """`1 place left`, `rated`, `reminder after 7 days`: what else there is to know about a seek."""
    left = seek.seats - len(seek.players)
    if seek.left:
        left = 1  # the other places are for the players of that board, who are asked by letter
    parts = [
        say(f"{left} place{'s' * (left != 1)} left"),
        *terms(seek.settings, say),
        *habits_text({p.userid: habits[p.userid] for p in seek.players}, say),
    ]
    if seat := seek.left:
        parts.insert(0, say(f"for the seat of {seat.userid} on board {seat.board}"))
    if seek.rating:
        parts.append(say(f"for ratings {seek.rating[0]}-{seek.rating[1]}"))
    return parts


def _demand_welcome(ctx: Context, seek: Seek, player: Player) -> None:
    """Raise PlayerError if a player of the seek has blocked this player. The error does not give the reason."""
    if any(p.id in ctx.store.readers.blockers_of(player.id) for p in seek.players):
        raise PlayerError(
            f"Seek {seek.number} cannot be joined at the moment.",
            f"To begin one yourself: {seek.game} seek {player.userid} {PASSWORD}",
        )


def waiting(ctx: Context, seek: Seek, player: Player) -> Answer:
    """Say that a place is taken. If a robot plays the game, offer it meanwhile: robots do not join seeks."""
    left, has_robot = seek.seats - len(seek.players), seek.game in played(ctx.store, ctx.site.games)
    habits = habits_of(ctx.store, seek.players)
    conditions = ", ".join([*terms(seek.settings, ctx.say), *habits_text(habits, ctx.say)])
    told = {"left": left, "lasts": SEEK_LASTS.days, "conditions": conditions, "has_robot": has_robot}
    reply_to = ctx.site.signer.sign(signed_addresses.WELCOME, player.id) if has_robot else ""
    answers = (f"play {seek.game}",) * has_robot + ("games",)
    return Answer(ctx.render("seek", seek=seek, **told), subject=_subject(seek), answers=answers, reply_to=reply_to)


def _subject(seek: Seek) -> str:
    return f"{seek.game.capitalize()} seek {seek.number}"


def _seats(call: Call, terms: Terms, player: Player) -> int:
    """Return the number of players: `--seats`, or the smallest that options and game allow. Raises PlayerError."""
    game = terms.game
    several = [n for n in game.info.seats if n > 1]
    if not several:
        raise PlayerError(
            f"{game.info.name} is for one player, so you need no opponent.",
            f"To begin a board, send: {game.info.key} challenge {player.userid}",
        )
    text = call.settings.get("seats")
    if text is None:
        return fewest_seats(game, terms.options)
    if text not in map(str, several):
        counts = " or ".join(map(str, several))
        raise PlayerError(f"{game.info.name} has {counts} seats.", f"Write for example: --seats={several[0]}")
    game.check(terms.options, int(text))
    return int(text)


def _rating(call: Call) -> tuple[int, int] | None:
    """Return the range of ratings that may join, from `--rating=1500-1900`. Raises PlayerError."""
    text = call.settings.get("rating")
    if text is None:
        return None
    match = _RATING.fullmatch(text)
    if match is None or int(match[1]) > int(match[2]):
        raise PlayerError(
            "'--rating' needs the lowest and the highest rating that can join.", "Write for example: --rating=1500-1900"
        )
    return int(match[1]), int(match[2])


def _open_seek(ctx: Context, call: Call, instead: str) -> Seek:
    """Return the seek that a call names. `instead`: what its command is called for tournaments. Raises PlayerError."""
    number, key = call.values["number"], game_of(call).info.key
    if (board := ctx.store.challenges.board_of_seek(number)) is not None:
        ctx.lookups.hold(board)  # all lock the board before the seek
    seek = ctx.store.challenges.seek(number)
    if seek is None:
        raise PlayerError(f"There is no open seek {number}.", _or_tournament(ctx, call, instead))
    if seek.game != key:
        right = ctx.shown(call).replace(key, seek.game, 1)
        raise PlayerError(f"Seek {number} is for {games.find(seek.game).info.name}.", f"Send: {right}")
    return seek


def _or_tournament(ctx: Context, call: Call, instead: str) -> str:
    """Return what to send where there is no such seek. Somebody may mean the tournament with this number."""
    number, here = call.values["number"], game_of(call).info.key
    tournament = ctx.store.tournaments.find(number)
    if tournament is None or tournament.plan.game != here or tournament.phase in LAST:
        return "To see the open seeks, send: list"
    login = f"{call.values['userid']} {PASSWORD}"
    return f"There is a tournament {number}. If you mean it, send: tournament {instead} {number} {login}"


def _demand_rating(ctx: Context, seek: Seek, player: Player) -> None:
    if seek.rating is None:
        return
    low, high = seek.rating
    rating = ctx.store.ratings.find(seek.game, player.id) or rating_formula.UNRATED
    points = rating_formula.points(rating.mu)
    if not low <= points <= high:
        raise PlayerError(
            f"Seek {seek.number} is for ratings from {low} to {high}; yours is {points}.",
            f"To seek on your own terms, send: {seek.game} seek {player.userid} {PASSWORD}",
        )
