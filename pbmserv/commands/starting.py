"""How boards begin: on which terms, with whom, and everything that can stand in the way; and `fork`."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from pbmserv.boards import entries
from pbmserv.boards.news import BoardNews, News
from pbmserv.commands.settings import limit_of
from pbmserv.errors import PlayerError
from pbmserv.games.base import AnyGame, Options
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Start
from pbmserv.games.base.log import Kind
from pbmserv.inbox.answer import Answer
from pbmserv.inbox.command import AS, TERMS, Arg, Call, Command, Is, Scope, game_of
from pbmserv.inbox.context import Context, Occasion
from pbmserv.store import BoardRow, Player, Settings

_MANY = 10  #: userids that are looked for although no board has so many seats: to say what is wrong with each


@dataclass(frozen=True)
class Terms:
    """What a board is to be. `random`: the seats are drawn by lot when it begins."""

    game: AnyGame
    options: Options
    settings: Settings
    random: bool = False


def read_terms(call: Call) -> Terms:
    """The terms that a line names. Raises PlayerError."""
    settings = Settings(
        rated="unrated" not in call.settings,
        nag=_days(call, "nagtime", Settings.nag),
        forfeit=_days(call, "forfeittime", Settings.forfeit),
        total=_days(call, "totaltime", Settings.total),
        private="private" in call.settings,
    )
    return Terms(game_of(call), dict(call.options), settings, "random" in call.settings)


def fewest_seats(game: AnyGame, options: Options) -> int:
    """The smallest number of players with these options, but two rather than one. Raises PlayerError."""
    clashes = list[PlayerError]()
    for seats in sorted(game.info.seats, key=lambda n: (n < 2, n)):
        try:
            game.check(options, seats)
        except PlayerError as e:
            clashes.append(e)
        else:
            return seats
    raise clashes[0]


def begin_board(ctx: Context, terms: Terms, players: Sequence[Player], start: Start | None = None) -> BoardRow:
    """Begin a board. It is unrated if one player has two seats. Raises PlayerError.

    `start`: where the board begins, if not as the game does.
    """
    seated = list(players)
    still_open = ctx.store.players.open_among({p.id for p in seated})
    if gone := [p.userid for p in seated if p.id not in still_open]:
        raise PlayerError(f"The account {gone[0]} is closed.", "Name somebody else.")
    if terms.random:
        secrets.SystemRandom().shuffle(seated)
    start = start or Start(terms.game, terms.options, len(seated), new_seed())
    board = play.begin(start)
    rated = terms.settings.rated and len({p.id for p in seated}) == len(seated)
    origin = terms.game.dump(start.origin) if start.origin else None
    return entries.begin(ctx.store, board, seated, replace(terms.settings, rated=rated), ctx.now, origin)


def new_seed() -> str:
    """A secret of 128 bits, in hexadecimal."""
    return secrets.token_hex(16)


def demand_players(ctx: Context, terms: Terms, userids: Sequence[str], sender: Player) -> list[Player]:
    """The players by seat. Raises a PlayerError that lists everything that stands in the way, and what to do."""
    players, trouble = find_players(ctx, terms, userids, sender)
    demand_no_trouble(trouble)
    return players


def find_players(
    ctx: Context, terms: Terms, userids: Sequence[str], sender: Player, strangers: int = 0
) -> tuple[list[Player], list[PlayerError]]:
    """The players who can be asked, and all that stands in the way of the others or of the board.

    `strangers`: how many others, who have no userid yet, will have a seat.
    """
    trouble = list[PlayerError]()
    try:
        terms.game.check(terms.options, len(userids) + strangers)
    except PlayerError as e:
        trouble.append(e)
    few = dict.fromkeys(userids[: max(*terms.game.info.seats, _MANY)])
    players = [p for u in few if (p := _find(ctx, terms, u, sender, trouble))]
    by_userid = {p.userid: p for p in players}
    if len(userids) + strangers > 2 and len(set(userids)) < len(userids):
        trouble.append(
            PlayerError(
                "One player cannot have two seats here.",
                "Name each player once; two seats are possible in games of two.",
            )
        )
    return [by_userid[u] for u in userids if u in by_userid], trouble


def demand_no_trouble(trouble: Sequence[PlayerError]) -> None:
    """Raise one PlayerError for all that stands in the way; return if nothing does."""
    if len(trouble) == 1:
        raise trouble[0]
    if trouble:
        raise PlayerError("\n".join(f"{e.text} {e.hint}".rstrip() for e in trouble), "Nothing has begun.")


def fork(ctx: Context, call: Call) -> Answer:
    """`game fork board#n userid1 …`: a new unrated board that goes on from ply n of another one."""
    sender = ctx.asker.sender_player(call)
    ref = call.values["board"]
    row = ctx.readable_row(call, ref, sender)
    then = _board_at(ctx, row, ref.ply)
    board = row.board.start
    terms = read_terms(call)
    terms = replace(terms, options=board.options, settings=replace(terms.settings, rated=False))
    players = demand_players(ctx, terms, call.values["userid"], sender)
    _demand_seats(row, players)
    start = Start(board.game, board.options, board.seats, new_seed(), origin=then.position)
    new = begin_board(ctx, terms, players, start)
    text = f"This board goes on from board {row.number} after ply {then.ply}."
    return Answer(
        text=f"Board {new.number} has begun. {text}",
        subject=new.title,
        boards=[BoardNews(new, 0, sender, news={p.id: News(text, 0) for p in players})],
        complete=sender in players,
    )


def _can_be_forked(on: Occasion) -> bool:
    """Whether a new board may begin with any ply of this one, and with as many players as the example names."""
    if on.row is None:
        return False
    info = on.game.info
    return not (on.row.board.result or info.chance or info.hidden) and len(on.row.players) == info.seats[0]


FORK = Command(
    "fork",
    "A new board, unrated and with a new seed, that begins with ply n of another one. "
    "With chance or hidden things only once that board is over.",
    fork,
    Scope.GAME,
    args=(
        Arg("board", "the number of a board, 101#7 for ply 7", Is.BOARD),
        Arg("userid", "the players, in the order of their turns", Is.USERID, many=True),
    ),
    settings=(AS, *(s for s in TERMS if s.name != "unrated")),
    usable=_can_be_forked,
    example="{game} fork {board} {players}",
    second="{game} fork {board}#1 {players}",
    more="If the board still runs and has chance or hidden things, or has no such ply, the answer says so. "
    "The number of players must be that of the old board.",
)


def _find(ctx: Context, terms: Terms, userid: str, sender: Player, trouble: list[PlayerError]) -> Player | None:
    """The player, if he can be asked; else one more trouble."""
    try:
        player = ctx.lookups.player(userid)
        if player.id != sender.id:  # who asks others has the right to exceed his own limit
            _demand_welcome(ctx, player, sender, terms.game)
            _demand_room(ctx, player, terms.game)
    except PlayerError as e:
        trouble.append(e)
        return None
    return player


def _demand_welcome(ctx: Context, player: Player, sender: Player, game: AnyGame) -> None:
    """Raise PlayerError if the player is locked or has blocked the sender; it reads as if he took no challenges."""
    if player.is_locked or player.id in ctx.store.readers.blockers_of(sender.id):
        raise PlayerError(f"{player.userid} takes no challenges in {game.info.name}.", _elsewhere(game))


def _elsewhere(game: AnyGame) -> str:
    return f"Ask somebody else, or find anybody with: {game.info.key} seek USERID PASSWORD"


def _demand_room(ctx: Context, player: Player, game: AnyGame) -> None:
    limit = limit_of(ctx, player, game)
    if limit is None:
        return
    other = _elsewhere(game)
    if limit == 0:
        raise PlayerError(f"{player.userid} takes no challenges in {game.info.name}.", other)
    active = ctx.store.board_lists.count_active(game.info.key, player.id)
    if active >= limit:
        raise PlayerError(
            f"{player.userid} plays {active} board{'s' * (active != 1)} of {game.info.name} and wants no more than "
            f"{limit} at a time.",
            f"Wait until one is over. {other}",
        )


def _days(call: Call, name: str, default: float | None) -> float | None:
    """A time in days, fractions allowed; `none` for no limit. Raises PlayerError."""
    text = call.settings.get(name)
    if text is None:
        return default
    if text == "none":
        return None
    try:
        days = timedelta(days=float(text))
    except (ValueError, OverflowError):
        days = timedelta(0)
    if not timedelta(minutes=1) <= days <= timedelta(days=3650):
        raise PlayerError(
            f"'--{name}' needs a number of days.", f"Write for example: --{name}=7 or --{name}=0.5 or --{name}=none"
        )
    return days / timedelta(days=1)


def _demand_seats(row: BoardRow, players: list[Player]) -> None:
    seats = row.board.start.seats
    if len(players) != seats:
        raise PlayerError(f"Board {row.number} has {seats} seats, and you named {len(players)} players.")


def _board_at(ctx: Context, row: BoardRow, ply: int | None) -> Board:
    """The board as it was after a ply (None: as it is), if a new one may begin with it. Raises PlayerError."""
    info = row.game.info
    if row.board.result is None and (info.chance or info.hidden):
        raise PlayerError(
            f"Board {row.number} is still running, and a copy could tell what chance or hidden things will bring.",
            f"Wait for its end, or try moves with: {info.key} preview {row.number}",
        )
    then = row.board if ply is None else play.at(row.board.start, ctx.log(row), ply)
    if not then.game.to_move(then.position):
        raise PlayerError(
            "The board is over there, so nothing is left to play.",
            f"Name an earlier ply, for example: {info.key} fork {row.number}#{max(then.ply - 1, 0)} "
            + " ".join(p.userid for p in row.players),
        )
    # The one whose leaving ended the board is still part of the position; the others were taken out of it.
    ended = then.result is not None and then.result.reason in (Kind.RESIGN, Kind.FORFEIT)
    if then.out[: len(then.out) - ended]:
        raise PlayerError("A player had left the board by then.", "Name an earlier ply.")
    return then
