"""Starts boards: their terms, their players, and all possible obstacles. Also has `fork`."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from pbmserv import games
from pbmserv.boards import entries, with_robots
from pbmserv.boards.news import BoardNews, News
from pbmserv.commands.board_limit import demand_room, elsewhere
from pbmserv.errors import PlayerError, may_be_password, no_such
from pbmserv.games.base import AnyGame, Options
from pbmserv.games.base import board as play
from pbmserv.games.base.before_setup import not_set_up
from pbmserv.games.base.board import Board, Start
from pbmserv.games.base.log import Kind
from pbmserv.inbox.command import AS, TERMS, Arg, Call, Is, Scope, game_of
from pbmserv.inbox.context import Answer, Command, Context, Occasion
from pbmserv.letters.text import wording
from pbmserv.model import BoardRow, LeftSeat, Player, Settings
from pbmserv.model.boards import ALLOWED, SHARED

ASKED_AGAIN_AFTER = timedelta(days=1)  #: a board that ended without a move of the opponent counts for so long
REPETITIONS = range(2, 10)  #: how often a position can stand until the board is a draw
_MANY = (
    10  #: how many userids are checked, even if no board has so many seats, so that the answer can name every problem
)
USUAL_CAP = 1.5  #: how many times the bank the cap is, if a challenge has none
_FORBIDDEN = "forbidden"
_BANK = "Write for example: --bank=10 --increment=1.5 --cap=15"
_INVITE = "To invite a friend without an account, write their mail address instead of a userid."


@dataclass(frozen=True)
class Terms:
    """The terms of a new board. `random`: the seats are drawn by lot when it begins."""

    game: AnyGame
    options: Options
    settings: Settings
    random: bool = False


def read_terms(ctx: Context, call: Call) -> Terms:
    """Return the terms that a line names. Raises PlayerError, also if no board of the game can begin here."""
    game = game_of(call)
    demand_offered(ctx, game)
    settings = Settings(
        rated="unrated" not in call.settings,
        nag=_days(call, "nagtime", Settings.nag),
        forfeit=_days(call, "forfeittime", Settings.forfeit),
        total=_days(call, "totaltime", Settings.total),
        private="private" in call.settings,
        repetition=_repetition(call, game),
        dice=_dice(call),
        engines=_engines(call),
        counting=Settings.counting,  # until the board begins
        **_bank(call),
    )
    terms = Terms(game, game.usual_options(dict(call.options)), settings, "random" in call.settings)
    _demand_chance(terms)
    return terms


def demand_offered(ctx: Context, game: AnyGame) -> None:
    """Raise PlayerError if the operator has not chosen this game. Its boards go on, but no others begin."""
    offered = [g.info.key for g in ctx.site.games]  # keys, because a fork goes on under the rules of its board
    if game.info.key not in offered and not isinstance(game, games.NotInstalled):
        keys = ", ".join(offered)
        raise PlayerError(f"No new boards of {game.info.name} begin on this server.", f"You can begin one of: {keys}")


def fewest_seats(game: AnyGame, options: Options) -> int:
    """Return the fewest players with these options, but if possible two instead of one. Raises PlayerError."""
    clashes = list[PlayerError]()
    for seats in sorted(game.info.seats, key=lambda n: (n < 2, n)):
        try:
            game.check(options, seats)
        except PlayerError as e:
            clashes.append(e)
        else:
            return seats
    raise clashes[0]


def begin_board(
    ctx: Context,
    terms: Terms,
    players: Sequence[Player],
    start: Start | None = None,
    rematch_of: int | None = None,
    continues: LeftSeat | None = None,
) -> BoardRow:
    """Begin a board. It is unrated if one player has two seats, or if two players are robots. Raises PlayerError.

    `start`: where the board begins, if not as the game does. `rematch_of`: the board that it is the rematch of.
    `continues`: the seat of another board that a substitute takes over here.
    """
    # This check is the one that counts. Commands check earlier, too, where they would do or ask something else before.
    demand_offered(ctx, terms.game)
    still_open = ctx.store.players.open_among({p.id for p in players})
    if gone := [p.userid for p in players if p.id not in still_open]:
        raise PlayerError(f"{gone[0]} begins no more boards.", "Name somebody else.")
    seated = [still_open[p.id] for p in players]  # one may have said meanwhile that it is a robot
    robots = ctx.store.robots.among([p.id for p in seated])
    if terms.random:
        secrets.SystemRandom().shuffle(seated)
    if robots and terms.settings.rated and start is None:
        seated = with_robots.seats(ctx.store, terms.game, seated, robots)
    settings = with_robots.settings(terms.game, terms.settings, seated)
    start = start or Start(terms.game, terms.options, len(seated), new_seed())
    if settings.repetition:
        _demand_repetition(terms.game, len(seated))
    if start.origin is None:  # one that goes on from another may have drawn all at its own beginning
        _demand_chance(replace(terms, settings=settings))
    board = play.begin(replace(start, repetition=settings.repetition, shared=settings.dice == SHARED))
    rated = settings.rated and len({p.id for p in seated}) == len(seated)
    origin = terms.game.dump(start.origin) if start.origin else None
    settings = replace(settings, rated=rated)
    return entries.begin(ctx.store, board, seated, settings, ctx.now, origin, rematch_of, continues=continues)


def new_seed() -> str:
    """Return a secret of 128 bits, in hexadecimal."""
    return secrets.token_hex(16)


def demand_substitute(ctx: Context, terms: Terms, seats: int, userid: str, sender: Player) -> Player:
    """Return the player who is asked to take one of `seats` seats. Raises PlayerError as a challenge does."""
    players, trouble = find_players(ctx, terms, [userid], sender, strangers=seats - 1)
    demand_no_trouble(trouble)
    _spend_challenges(ctx, players, sender)
    return players[0]


def demand_players(ctx: Context, terms: Terms, userids: Sequence[str], sender: Player) -> list[Player]:
    """Return the players by seat. Raises a PlayerError that lists all obstacles, and what to do."""
    players, trouble = find_players(ctx, terms, userids, sender)
    demand_no_trouble(trouble)
    _spend_challenges(ctx, players, sender)
    return players


def _spend_challenges(ctx: Context, players: Sequence[Player], sender: Player) -> None:
    """Count how many others are challenged. Raises PlayerError if that is too much, or one has not answered yet."""
    others = [p for p in dict.fromkeys(players) if p.id != sender.id]
    if not others or ctx.mail_id is None:
        return
    most, in_a_row = ctx.site.policy.challenges_a_day, ctx.site.policy.unanswered_boards
    ctx.spend(sender, "challenge", most, f"You can challenge {most} players a day.", len(others))
    for other in others:  # no other challenge of the sender comes between, because all of them use one allowance
        if ctx.store.board_lists.is_unanswered(sender.id, other.id, in_a_row, ctx.now - ASKED_AGAIN_AFTER):
            raise PlayerError(
                f"{other.userid} has not moved yet on the last {in_a_row} boards with you.",
                f"Wait until {other.userid} has moved. If it is your turn, move first.",
            )


def find_players(
    ctx: Context, terms: Terms, userids: Sequence[str], sender: Player, strangers: int = 0
) -> tuple[list[Player], list[PlayerError]]:
    """Return the available players, and all obstacles for the others or for the board.

    `strangers`: how many more players, who have no userid yet, will have a seat.
    """
    trouble = list[PlayerError]()
    try:
        terms.game.check(terms.options, len(userids) + strangers)
    except PlayerError as e:
        trouble.append(e)
    few = dict.fromkeys(userids[: max(*terms.game.info.seats, _MANY)])
    players = [p for n, u in enumerate(few, 1) if (p := _find(ctx, terms, u, n, sender, trouble))]
    if not strangers and sender not in players and (robots := ctx.store.robots.among([p.id for p in players])):
        name = robots[0].player.userid  # its limit is one for each human, so somebody must have a seat
        trouble.append(PlayerError(f"{name} is a robot and plays only with you.", "Name yourself and the robot."))
    by_userid = {p.userid: p for p in players}
    if len(userids) + strangers > 2 and len(set(userids)) < len(userids):
        trouble.append(
            PlayerError(
                "One player cannot have two seats on this board.",
                "Name each player once. One player can have two seats only in a game for two.",
            )
        )
    return [by_userid[u] for u in userids if u in by_userid], trouble


def demand_no_trouble(trouble: Sequence[PlayerError]) -> None:
    """Raise one PlayerError for all obstacles; return if there are none."""
    if len(trouble) == 1:
        raise trouble[0]
    if trouble:
        raise PlayerError("\n".join(f"{e.text} {e.hint}".rstrip() for e in trouble), "Nothing has begun.")


def fork(ctx: Context, call: Call) -> Answer:
    """`game fork board#n userid1 …`: start a new unrated board that continues from ply n of another one."""
    sender = ctx.authentication.sender_player(call)
    ref = call.values["board"]
    row = ctx.readable_row(call, ref, sender)
    then = _board_at(ctx, row, ref.ply)
    board = row.board.start
    terms = read_terms(ctx, call)
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
    "Begins a new board from ply n of another board. It is unrated and has a new seed. If the old board has dice, "
    "cards or hidden things, it must be over.",
    fork,
    scope=Scope.GAME,
    reaches_others=True,
    args=(
        Arg("board", "a board number; or 101#7, for ply 7", Is.BOARD),
        Arg("userid", "the players, in the order in which they move", Is.USERID, many=True),
    ),
    settings=(AS, *(s for s in TERMS if s.name != "unrated")),
    usable=_can_be_forked,
    example="{game} fork {board} {players}",
    second="{game} fork {board}#1 {players}",
    more="The new board must have as many players as the old one. It does not change the old one.",
)


def _find(
    ctx: Context, terms: Terms, userid: str, number: int, sender: Player, trouble: list[PlayerError]
) -> Player | None:
    """Return the player if available, else add an obstacle. `number`: the position of the userid in the call."""
    if ctx.store.players.find(userid) is None:
        near = ctx.lookups.nearest(userid)
        hint = f"Did you mean: {', '.join(near)}\n" if near else ""
        trouble.append(PlayerError(_unknown(ctx, userid, number), hint + _INVITE))
        return None
    try:
        player = ctx.lookups.player(userid)
        if player.id != sender.id:  # players who challenge others may exceed their own limit
            _demand_welcome(ctx, player, sender, terms.game)
            if robot := ctx.store.robots.find(player.id):
                with_robots.demand_free(ctx.store, robot, sender, terms.game, terms.settings)
            else:
                _demand_address(ctx, player)
                demand_room(ctx, player, terms.game)
    except PlayerError as e:
        trouble.append(e)
        return None
    return player


def _unknown(ctx: Context, userid: str, number: int) -> str:
    """Return how to refer to an unknown userid: by itself, or by its position if it might be a password."""
    if not may_be_password(userid):
        return f"{no_such('player', userid)}."
    if ctx.authentication.is_no_password(userid):
        return f"There is no player '{userid}'."
    return f"Userid number {number} in your line belongs to nobody."


def _demand_welcome(ctx: Context, player: Player, sender: Player, game: AnyGame) -> None:
    """Raise PlayerError if the player is locked or has blocked the sender. The text says: takes no challenges."""
    if player.is_locked or player.id in ctx.store.readers.blockers_of(sender.id):
        raise PlayerError(f"{player.userid} does not accept challenges in {game.info.name}.", elsewhere(game))


def _demand_address(ctx: Context, player: Player) -> None:
    """Raise PlayerError if no letter could reach the player."""
    if ctx.site.policy.confirm_addresses and not ctx.store.addresses.has_confirmed(player.id):
        raise PlayerError(
            f"{player.userid} has not confirmed an address yet, so no letter would arrive there.",
            f"Ask {player.userid} to answer the confirmation letter first.",
        )


def _days(call: Call, name: str, default: float | None) -> float | None:
    """Return a time in days, with fractions; None for `none`, no limit. Raises PlayerError."""
    text = call.settings.get(name)
    if text is None:
        return default
    if text == "none":
        return None
    try:
        days = timedelta(days=0 if "_" in text else float(text))  # Python reads 1_0 as 10
    except (ValueError, OverflowError):
        days = timedelta(0)
    if not timedelta(minutes=1) <= days <= timedelta(days=3650):
        raise PlayerError(
            f"'--{name}' needs a number of days.", f"Write for example: --{name}=7 or --{name}=0.5 or --{name}=none"
        )
    return days / timedelta(days=1)


def _bank(call: Call) -> dict[str, float | None]:
    """Return bank, increment and cap in days. Without `--cap` it is USUAL_CAP times the bank. Raises PlayerError."""
    bank, increment = _days(call, "bank", None), _days(call, "increment", None)
    if bank is None:
        for name in ("increment", "cap"):
            if call.settings.get(name, "none") != "none":
                raise PlayerError(f"'--{name}' needs a bank.", _BANK)
        return {}
    most = _days(call, "cap", USUAL_CAP * bank if increment else None)
    if most is not None and most < bank:
        raise PlayerError(f"The cap must be at least the bank: {wording.days(bank)}.", _BANK)
    return {"bank": bank, "increment": increment, "cap": most if increment else None}


def _repetition(call: Call, game: AnyGame) -> int:
    """Return how often a position stands until the board is a draw; 0: that is not asked for. Raises PlayerError."""
    text = call.settings.get("repetition")
    if text is None:
        return 0
    if text not in map(str, REPETITIONS):
        few, many = REPETITIONS[0], REPETITIONS[-1]
        raise PlayerError(f"'--repetition' needs a number from {few} to {many}.", "Write for example: --repetition=3")
    _demand_repetition(game, max(game.info.seats))
    return int(text)


def takes_repetition(game: AnyGame, seats: int) -> bool:
    """Return whether `--repetition` makes sense on a board of this game with so many seats."""
    return not _against_repetition(game, seats)


def _demand_repetition(game: AnyGame, seats: int) -> None:
    """Raise PlayerError if a board of this game with so many seats cannot have `--repetition`."""
    if why := _against_repetition(game, seats):
        raise PlayerError(why, "Leave out --repetition.")


def _against_repetition(game: AnyGame, seats: int) -> str:
    """Return why a board of this game cannot have `--repetition`; "" if it can."""
    name = game.info.name
    if seats < 2:
        return f"A board of {name} for one player cannot be a draw."
    if "draw" not in game.info.agreements:
        return f"A board of {name} cannot be a draw."
    return f"{name} has its own rule for positions that come back." if game.info.repetition else ""


def _dice(call: Call) -> str:
    """Return SHARED, or "" for dice that follow from the server's secret alone. Raises PlayerError."""
    text = call.settings.get("dice", "")
    if text not in ("", SHARED):
        raise PlayerError(f"'--dice' is written like this: --dice={SHARED}", "Or leave it out.")
    return text


def _engines(call: Call) -> str:
    """Return ALLOWED if programs may help with the moves, else "". Raises PlayerError."""
    text = call.settings.get("engines", _FORBIDDEN)
    if text not in (ALLOWED, _FORBIDDEN):
        raise PlayerError(f"'--engines' is written like this: --engines={ALLOWED}", "Without it they are forbidden.")
    return ALLOWED if text == ALLOWED else ""


def _demand_chance(terms: Terms) -> None:
    """Raise PlayerError if a board should have shared dice and has none."""
    if terms.settings.dice and not terms.game.info.draws(terms.options):
        raise PlayerError(f"This board of {terms.game.info.name} has nothing to do with chance.", "Leave out --dice.")


def _demand_seats(row: BoardRow, players: list[Player]) -> None:
    seats = row.board.start.seats
    if len(players) != seats:
        raise PlayerError(f"Board {row.number} has {seats} seats, and you named {len(players)} players.")


def _board_at(ctx: Context, row: BoardRow, ply: int | None) -> Board:
    """The board as it was after a ply (None: as it is), if a new one may begin with it. Raises PlayerError."""
    info = row.game.info
    if row.board.result is None and (info.chance or info.hidden):
        raise PlayerError(
            f"Board {row.number} is still running, and a copy could reveal dice or hidden things.",
            f"Wait until it is over, or try moves with: {info.key} preview {row.number}",
        )
    then = row.board if ply is None else ctx.at(row, ply)
    if then.waits:
        raise not_set_up()
    if not then.game.to_move(then.position):
        raise PlayerError(
            "The board was already over at that ply.",
            f"Name an earlier ply, for example: {info.key} fork {row.number}#{max(then.ply - 1, 0)} "
            + " ".join(p.userid for p in row.players),
        )
    # The seat whose leaving ended the board is still in the position. Seats that left earlier were removed.
    ended = then.result is not None and then.result.reason in (Kind.RESIGN, Kind.FORFEIT)
    if then.out[: len(then.out) - ended]:
        raise PlayerError("At that ply a player had already left the board.", "Name an earlier ply.")
    return then
