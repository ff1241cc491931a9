"""`game tournament`: players whom the admin allows announce tournaments, open and close their entries, cancel them."""

from pbmserv.boards.seasons import announcing
from pbmserv.commands.tournaments.plans import PLAN_SETTINGS, read_plan
from pbmserv.errors import PlayerError
from pbmserv.inbox.command import LOGIN, PASSWORD, Arg, Call, Is, Scope, game_of
from pbmserv.inbox.context import Answer, Command, Context
from pbmserv.letters.tournament_letters import announce, answer_address, facts, subject_of
from pbmserv.model import Player, TournamentRow
from pbmserv.store import Store

TOURNAMENTS_A_DAY = 3
#: The preference that makes a player an organiser. Only the admin sets it, because it is no setting of `set`.
_ACTIONS = ("new", "open", "close", "cancel")


def organise(ctx: Context, call: Call) -> Answer:
    """`game tournament userid password new --form=…`, or `open`, `close`, `cancel` and the number."""
    player = ctx.authentication.login(call)
    demand_organiser(ctx.store, player)
    what, number = call.values["what"], call.values.get("number")
    line = f"{game_of(call).info.key} tournament {player.userid} {PASSWORD}"
    if what not in _ACTIONS:
        raise PlayerError(
            "A line of an organiser says new, open, close or cancel.", f"Send for example: {line} close NUMBER"
        )
    if what == "new":
        return _new(ctx, call, player)
    if number is None:
        raise PlayerError("The number of the tournament is missing.", f"Send for example: {line} {what} 3")
    tournament = _own(ctx.store, number, player)
    changed = change(ctx, tournament, what)
    text = _done(what, number, line)
    reply_to = answer_address(ctx.site, changed, player)
    return Answer(text, subject=subject_of(changed), answers=("show",), reply_to=reply_to)


ORGANISE = Command(
    "tournament",
    "Announces a tournament, opens or closes its entries, or cancels it. Only for players whom the people who run the "
    "server allow this.",
    organise,
    scope=Scope.GAME,
    reaches_others=True,
    args=(
        *LOGIN,
        Arg("what", "new; or open, close or cancel", form="new|open|close|cancel"),
        Arg("number", "the number of the tournament, not for new", Is.NUMBER, optional=True),
    ),
    settings=PLAN_SETTINGS,
    takes_options=True,
    example="{game} tournament {userid} {password} new --form=league --start=2030-01-31",
    second="{game} tournament {userid} {password} close 3",
    more="All who get broadcasts read the announcement, and answer it with join. Then everything goes by itself: the "
    "server begins the boards and the seasons, warns and removes players who forfeit, and tells everybody the "
    "results. You get a letter with the winners. The options of the boards are those of a challenge.\n"
    f"You can announce {TOURNAMENTS_A_DAY} tournaments a day. If an option is wrong, the answer says what to write. "
    "For the forms, send: help tournaments",
)


def demand_organiser(store: Store, player: Player) -> None:
    """Raise PlayerError unless the admin allows this player to announce tournaments."""
    if not is_organiser(store, player):
        raise PlayerError(
            "You cannot announce tournaments on this server.",
            "To ask for it, write to the people who run this server.\nTo enter one, send: tournament list",
        )


def is_organiser(store: Store, player: Player) -> bool:
    """Return whether the admin allows a player to announce tournaments."""
    return store.players.preferences([player.id])[player.id].is_organiser


def begin(ctx: Context, call: Call, organiser: Player | None) -> tuple[TournamentRow, int]:
    """Store the tournament that a line describes, and announce it. Return to how many addresses, too."""
    tournament = announcing.create(ctx.store, game_of(call), read_plan(ctx, call), organiser, ctx.now)
    return tournament, announce(ctx.letters, tournament)


def change(ctx: Context, tournament: TournamentRow, what: str) -> TournamentRow:
    """Open or close the entries of a tournament, or cancel it. Raises PlayerError."""
    if what == "cancel":
        return announcing.cancel(ctx.store, tournament.number, ctx.now)
    do = announcing.open_entries if what == "open" else announcing.close_entries
    return do(ctx.store, tournament.number)


def _new(ctx: Context, call: Call, player: Player) -> Answer:
    if call.values.get("number") is not None:
        raise PlayerError("A new tournament gets its number from the server.", "Leave the number out.")
    most = TOURNAMENTS_A_DAY
    ctx.spend(player, "tournament", most, f"You can announce {most} tournaments a day.")
    tournament, count = begin(ctx, call, player)
    about = facts(ctx.site, ctx.store, tournament, ctx.say, ctx.reader_zone())
    text = ctx.render("tournament_announced", **about, reader=player.userid, password=PASSWORD, count=count)
    reply_to = answer_address(ctx.site, tournament, player)
    return Answer(text, subject=subject_of(tournament), answers=("join", "show"), reply_to=reply_to)


def _done(what: str, number: int, line: str) -> str:
    """Return what an organiser reads after one of the other actions. `line`: the beginning of an organiser's line."""
    if what == "open":
        return f"Players can enter tournament {number} again."
    if what == "close":
        return f"Tournament {number} takes no more entries.\nTo take entries again, send: {line} open {number}"
    end = "All who take part get a letter. Boards that run go on as ordinary boards."
    return f"Tournament {number} is cancelled. {end}"


def _own(store: Store, number: int, player: Player) -> TournamentRow:
    """Return a tournament of this organiser. Raises PlayerError."""
    tournament = announcing.demand(store, number)
    if tournament.organiser != player.id:
        raise PlayerError(
            f"Tournament {number} was announced by somebody else.", "To see all tournaments, send: tournament list"
        )
    return tournament
