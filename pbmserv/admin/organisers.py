"""What an admin does with tournaments: the same as organisers by mail, and who may be one."""

from collections.abc import Sequence
from datetime import datetime

from pbmserv import games
from pbmserv.admin.desk import NO_MAIL, Desk, Missing
from pbmserv.boards.seasons import announcing
from pbmserv.commands import command_language
from pbmserv.commands.tournaments import organising, showing
from pbmserv.errors import PlayerError
from pbmserv.inbox.command import PASSWORD
from pbmserv.inbox.context import Context
from pbmserv.inbox.lines.parse import Parser
from pbmserv.letters.letters import Cause, Letters
from pbmserv.letters.site import Site
from pbmserv.letters.text.blocks import plain
from pbmserv.model import TournamentRow
from pbmserv.model.preferences import Preferences
from pbmserv.model.tournaments import Phase
from pbmserv.store import Store


def new(desk: Desk, game: str, options: Sequence[str]) -> tuple[TournamentRow, int]:
    """Announce a tournament. `options`: as in a mail. Return it, and to how many addresses the announcement goes."""
    rules = games.names().get(game.lower())
    if rules is None:
        known = ", ".join(g.info.key for g in games.listed())
        raise Missing(f"There is no game {game}.", f"The games are: {known}")
    line = " ".join((rules.info.key, organising.ORGANISE.verb, "admin", PASSWORD, "new", *options))
    call = Parser(desk.ctx.command_language, games.names()).call(line)
    tournament, count = organising.begin(desk.ctx, call, None)
    desk.note(f"tournament {tournament.number}: new, {tournament.plan.form} of {rules.info.key}")
    return tournament, count


def change(desk: Desk, number: int, what: str) -> TournamentRow:
    """Open or close the entries of any tournament, or cancel it."""
    tournament = organising.change(desk.ctx, demand(desk.store, number), what)
    desk.note(f"tournament {number}: {what}")
    return tournament


def allow(desk: Desk, userid: str, *, allowed: bool) -> None:
    """Let a player announce tournaments, or no longer. Those that the player has announced go on."""
    player = desk.player(userid)
    if organising.is_organiser(desk.store, player) == allowed:
        raise PlayerError(f"{player.userid} {'can' if allowed else 'cannot'} announce tournaments already.")
    desk.store.players.set_preference(player.id, "", Preferences.is_organiser.name, "yes" if allowed else "no")
    desk.note(f"player {player.userid}: {'can' if allowed else 'cannot'} announce tournaments")


def shown(store: Store, site: Site, number: int, division: int | None, now: datetime) -> str:
    """Return what players read about a tournament."""
    demand(store, number)
    letters = Letters(site, store, Cause(None), now)
    ctx = Context(site, store, NO_MAIL, None, now, letters, command_language())
    return plain(ctx.renderer.said(showing.shown(ctx, number, None, division).text))


def as_data(store: Store, number: int, division: int | None) -> dict[str, object]:
    """Return a tournament for programs: its terms, and who takes part in this season or the coming one, and meets."""
    row = demand(store, number)
    season = row.season + (row.phase is Phase.WAITING)
    entrants = store.tournaments.entrants(number, season, division)
    pairings = store.tournaments.pairings(number, season, division)
    names = {e.player.id: e.player.userid for e in entrants}
    terms = ("game", "name", "form", "start", "size", "rounds", "every", "robots")
    return {
        "number": number,
        **{name: getattr(row.plan, name) for name in terms},
        "state": row.state,
        "season": season,
        "entrants": [
            {"player": e.player.userid, "division": e.division, "place": e.place, "left": e.out} for e in entrants
        ],
        "pairings": [
            {
                "division": p.division,
                "round": p.round,
                "first": names.get(p.first),
                "second": names.get(p.second or 0),
                "board": p.board,
                "points": None if p.points is None else p.points / 2,
            }
            for p in pairings
        ],
    }


def demand(store: Store, number: int) -> TournamentRow:
    """Return a tournament. Raises Missing if there is none with this number."""
    try:
        return announcing.demand(store, number)
    except PlayerError as e:
        raise Missing(e.text, "To see them: pbmserv tournaments list") from None
