"""The pages of tournaments: the list, and one with its terms and the table of a season."""

from starlette.exceptions import HTTPException

from pbmserv import games
from pbmserv.letters.text.table_lines import points_text
from pbmserv.letters.text.wording import terms
from pbmserv.model import TournamentRow
from pbmserv.model.boards import options_text
from pbmserv.web import displays
from pbmserv.web.seasons.season_tables import MOST_NAMED, SeasonView, view
from pbmserv.web.visit import SOON, Page, Visit, missing

MOST_LISTED = 100
#: How the page calls each state.
STATES = {
    "open": "players can enter",
    "closed": "waits for its start, entries are closed",
    "running": "running",
    "over": "over",
    "cancelled": "cancelled",
}


def listed(visit: Visit) -> Page:
    """List the newest tournaments, only of one game if the path names one."""
    game = visit.game() if "game" in visit.path else None
    tournaments = visit.store.tournaments.all(game.info.key if game else "", limit=MOST_LISTED)
    with_games = ((t, games.find(t.plan.game)) for t in tournaments)
    rows = [(t, played.info, STATES[t.state], displays.has_picture(played)) for t, played in with_games]
    return Page("tournaments.html", {"info": game and game.info, "rows": rows, "most": MOST_LISTED})


def one(visit: Visit) -> Page:
    """Show a tournament and the season, division and round in the query; without these the present ones."""
    tournament = find(visit)
    season, division, shown = shown_of(visit, tournament)
    coming = visit.store.tournaments.entrants(tournament.number, tournament.season + 1, gone=False)
    plan, game = tournament.plan, games.find(tournament.plan.game)
    organiser = visit.store.players.by_id(tournament.organiser) if tournament.organiser else None
    data: dict[str, object] = {
        "tournament": tournament,
        "plan": plan,
        "info": game.info,
        "has_pictures": displays.has_picture(game) and not plan.settings.private,
        "state": STATES[tournament.state],
        "conditions": ", ".join(filter(None, [options_text(plan.options), *terms(plan.settings)])),
        "organiser": organiser.userid if organiser else "",
        "season": season,
        "division": division,
        "shown": shown,
        "teams": [(team, points_text(half)) for team, half in shown.teams],
        "coming": [(e.player.userid, e.team) for e in coming[:MOST_NAMED]],
        "count": len(coming),
        "address": visit.place.address,
    }
    return Page("tournament.html", data, SOON)


def find(visit: Visit) -> TournamentRow:
    """Return the tournament in the path. Raises HTTPException if there is none."""
    number = visit.number("number")
    tournament = visit.store.tournaments.find(number)
    if tournament is None:
        raise missing("tournament", str(number))
    return tournament


def shown_of(visit: Visit, tournament: TournamentRow) -> tuple[int, int, SeasonView]:
    """Return the season and the division in the query, and what is there. Raises HTTPException if there is nothing."""
    asked = visit.asked("season")
    season = tournament.season if asked is None else asked
    division = visit.asked("division") or 1
    if not season and not tournament.season:
        return 0, division, SeasonView()
    if not 0 < season <= tournament.season:
        raise HTTPException(404, f"Tournament {tournament.number} has no season {season}.")
    shown = view(visit.store, tournament, season, division, visit.asked("round"))
    if shown.divisions and division not in shown.divisions:
        raise HTTPException(404, f"Tournament {tournament.number} has no division {division} in this season.")
    return season, division, shown
