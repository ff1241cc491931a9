"""`game ladder`: enter the ladder of a game, leave it, or challenge somebody on a higher rung."""

from pbmserv.boards.news import BoardNews
from pbmserv.boards.seasons import announcing, challenging, rungs
from pbmserv.commands.tournaments import entering
from pbmserv.errors import PlayerError
from pbmserv.games.base import AnyGame
from pbmserv.inbox.command import LOGIN, PASSWORD, Arg, Call, Is, Scope, game_of
from pbmserv.inbox.context import Answer, Command, Context
from pbmserv.letters.tournament_letters import answer_address, subject_of
from pbmserv.model import Phase, Player, TournamentRow
from pbmserv.tournaments.forms import LADDER

_GOING_ON = tuple(p for p in Phase if p not in (Phase.OVER, Phase.CANCELLED))
_SHOWN = 5  #: how many rungs above the reader are named if nobody can be challenged


def ladder(ctx: Context, call: Call) -> Answer:
    """`game ladder userid password join|leave|challenge [userid]`."""
    player, game = ctx.authentication.login(call), game_of(call)
    word, other = call.values["what"], call.values.get("opponent")
    tournament = ladder_of(ctx, game, player)
    if word == "challenge":
        return challenge(ctx, tournament, player, *([other] if other else []))
    if other or word not in ("join", "leave"):
        line = f"{game.info.key} ladder {player.userid} {PASSWORD}"
        raise PlayerError(
            "A line about a ladder ends with join, leave or challenge.",
            f"Send for example: {line} challenge",
        )
    return (entering.enter if word == "join" else entering.go)(ctx, tournament.number, player)


LADDER_OF_GAME = Command(
    "ladder",
    "Enters or leaves the ladder of a game, or challenges somebody on a higher rung. With challenge alone, the answer "
    "names those whom you can challenge.",
    ladder,
    scope=Scope.GAME,
    reaches_others=True,
    args=(
        *LOGIN,
        Arg("what", "join, leave or challenge", form="join|leave|challenge"),
        Arg("opponent", "whom you challenge", Is.USERID, optional=True),
    ),
    example="{game} ladder {userid} {password} challenge",
    second="{game} ladder {userid} {password} challenge {other}",
    more="A challenge begins a board at once, and the other player has the first seat. Both must play it: who declines "
    "or runs out of time loses. If you win, you climb half of the way up to that player, and those in between go down "
    f"one rung. You can challenge up to a fifth of your rung number, at least {rungs.LEAST_REACH} rungs above you.\n"
    "If a game has no ladder, the answer says so. To see the rungs, send: tournament show NUMBER",
)


def ladder_of(ctx: Context, game: AnyGame, player: Player) -> TournamentRow:
    """Return the ladder of a game: the one on which the player is, else the newest. Raises PlayerError."""
    there = [t for t in ctx.store.tournaments.all(game.info.key, _GOING_ON) if t.plan.form == LADDER]
    if not there:
        raise PlayerError(
            f"{game.info.name} has no ladder at the moment.", "To see all tournaments, send: tournament list"
        )
    numbers = {entry.tournament for entry in ctx.store.tournaments.entries_of(player.id)}
    return next((t for t in there if t.number in numbers), there[0])


def challenge(ctx: Context, tournament: TournamentRow, player: Player, userid: str = "") -> Answer:
    """Begin a board with somebody on a higher rung; without a userid, name those who can be challenged."""
    if tournament.plan.form != LADDER:
        raise PlayerError(
            f"Tournament {tournament.number} is no ladder, so its boards begin by themselves.",
            f"To see it, send: tournament show {tournament.number}",
        )
    if not userid:
        return _choice(ctx, tournament, player)
    other = ctx.lookups.player(userid)
    row = challenging.challenge(ctx.store, tournament.number, player, other, ctx.now)
    return Answer(f"Board {row.number} has begun.", boards=[BoardNews(row, 0, player)], complete=True)


def _choice(ctx: Context, tournament: TournamentRow, player: Player) -> Answer:
    """Name those whom a player can challenge now. Raises PlayerError if the player is not on the ladder."""
    number, season = tournament.number, tournament.season
    entrant = ctx.store.tournaments.entrant(number, season, player.id) if tournament.has_begun else None
    if entrant is None or not entrant.rung:
        announcing.demand_going_on(ctx.store, number)
        key = tournament.plan.game
        raise PlayerError("You are not on this ladder.", f"Send: {key} ladder {player.userid} {PASSWORD} join")
    free = challenging.within_reach(ctx.store, tournament, entrant)
    everybody = ctx.store.tournaments.entrants(number, season, gone=False)
    near = [e for e in everybody if entrant.rung - max(_SHOWN, rungs.reach(entrant.rung)) <= e.rung <= entrant.rung + 1]
    text = ctx.render(
        "ladder",
        tournament=tournament,
        reader=player.userid,
        rung=entrant.rung,
        reach=rungs.reach(entrant.rung),
        rows=[(e.rung, e.player.shown) for e in sorted(near, key=lambda e: e.rung)],
        free=[e.player.userid for e in free],
    )
    words = tuple(f"challenge {e.player.userid}" for e in free[:_SHOWN])
    reply_to = answer_address(ctx.site, tournament, player)
    return Answer(text, subject=subject_of(tournament), answers=words, reply_to=reply_to)
