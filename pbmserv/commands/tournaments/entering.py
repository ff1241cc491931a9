"""`tournament join` and `tournament leave`."""

from pbmserv.boards.seasons import announcing, taking_part
from pbmserv.boards.seasons.taking_part import Leaving
from pbmserv.commands.starting import demand_offered
from pbmserv.errors import PlayerError
from pbmserv.games import names as game_names
from pbmserv.inbox.command import LOGIN, Arg, Call, Is
from pbmserv.inbox.context import Answer, Command, Context
from pbmserv.letters.text.blocks import Words
from pbmserv.letters.tournament_letters import answer_address, facts, subject_of
from pbmserv.model import Player, TournamentRow
from pbmserv.tournaments.forms import LADDER

NUMBER = Arg("number", "the number of the tournament", Is.NUMBER)
_LEFT = {
    Leaving.WITHDRAWN: "Your entry is withdrawn.",
    Leaving.AFTERWARDS: "The boards of this season still count. The next one begins without you.",
    Leaving.OUT: "You get no more boards in it. Those that run go on and still count. To end one, resign it.",
}


def join(ctx: Context, call: Call) -> Answer:
    """`tournament join number userid password [team]`: take part from the next season on, in a ladder at once."""
    return enter(ctx, call.values["number"], ctx.authentication.login(call), call.values.get("team", ""))


JOIN_TOURNAMENT = Command(
    "tournament join",
    "Enters you for a tournament. Its boards begin by themselves on the day that the answer says.",
    join,
    reaches_others=True,
    args=(NUMBER, *LOGIN, Arg("team", "one of the two teams, if it is a match", optional=True)),
    example="tournament join 3 {userid} {password}",
    second="tournament join 4 {userid} {password} north",
    more="The easiest way is to answer the letter about a new tournament with the word join. In a running league you "
    "play from the next season on, in a ladder at once. If there is no such tournament, or if it takes no entries, "
    "send: tournament list\n"
    "All boards of a round or a season begin at the same time, and you get one letter about all of them. Limits of "
    "yours for boards and blocked players do not count there. For the rules, send: help tournaments",
)


def leave(ctx: Context, call: Call) -> Answer:
    """`tournament leave number userid password`: take part no longer."""
    return go(ctx, call.values["number"], ctx.authentication.login(call))


LEAVE_TOURNAMENT = Command(
    "tournament leave",
    "Ends your part in a tournament. Your running boards go on.",
    leave,
    args=(NUMBER, *LOGIN),
    example="tournament leave 3 {userid} {password}",
    second="tournament leave 4 bob {password}",
    more=f"Before the start: {_LEFT[Leaving.WITHDRAWN]}\nIn a league: {_LEFT[Leaving.AFTERWARDS]}\n"
    f"In other forms: {_LEFT[Leaving.OUT]}\n"
    "If you do not take part, nothing changes, and the answer says so.",
)


def enter(ctx: Context, number: int, player: Player, team: str = "") -> Answer:
    """Let a player take part, and say what follows. Raises PlayerError."""
    tournament = announcing.demand(ctx.store, number)
    if game := game_names().get(tournament.plan.game):
        demand_offered(ctx, game)
    _demand_address(ctx, player)
    entrant = taking_part.join(ctx.store, number, player, ctx.now, team)
    is_now = tournament.has_begun and entrant.season == tournament.season
    text = ctx.render(
        "tournament_joined",
        **facts(ctx.site, ctx.store, tournament, ctx.say, ctx.reader_zone()),
        reader=player.userid,
        mine=entrant,
        is_now=is_now,
    )
    is_below = tournament.plan.form == LADDER and entrant.rung != 1
    answers = ("challenge", "show", "leave") if is_below else ("show", "leave")
    return _answer(ctx, tournament, player, text, answers)


def go(ctx: Context, number: int, player: Player) -> Answer:
    """Let a player leave, and say what becomes of the boards. Raises PlayerError."""
    how = taking_part.leave(ctx.store, number, player, ctx.now)
    tournament = announcing.demand(ctx.store, number)
    text = f"You have left tournament {number}. {_LEFT[how]}\nTo come back, answer this letter with the word join."
    return _answer(ctx, tournament, player, ctx.say(text), ("join",))


def _answer(
    ctx: Context, tournament: TournamentRow, player: Player, text: str | Words, answers: tuple[str, ...]
) -> Answer:
    reply_to = answer_address(ctx.site, tournament, player)
    return Answer(text, subject=subject_of(tournament), answers=answers, reply_to=reply_to)


def _demand_address(ctx: Context, player: Player) -> None:
    """Raise PlayerError if no letter could reach the player, who would lose all boards."""
    if ctx.site.policy.confirm_addresses and not player.robot and not ctx.store.addresses.has_confirmed(player.id):
        raise PlayerError(
            f"{player.userid} has not confirmed an address yet, so no letter would arrive there.",
            "Confirm it first: answer the confirmation letter with the word yes.",
        )
