"""Tournaments as JSON, for other programs: what the pages with the same paths show."""

from collections.abc import Sequence

from pbmserv.model import TournamentRow
from pbmserv.web.for_programs.lists_as_json import as_json, fields
from pbmserv.web.seasons import tournament_pages
from pbmserv.web.seasons.season_tables import Meeting, Result, SeasonLine, SeasonView
from pbmserv.web.visit import File, Visit

_POINTS = {"1": 1.0, "½": 0.5, "0": 0.0, "+": 1.0, "-": 0.0}


def listed(visit: Visit) -> File:
    """Return the newest tournaments, only of one game if the path names one."""
    key = visit.game().info.key if "game" in visit.path else ""
    tournaments = visit.store.tournaments.all(key, limit=tournament_pages.MOST_LISTED)
    return as_json(visit, "tournaments", {"tournaments": [_terms(t) for t in tournaments]})


def one(visit: Visit) -> File:
    """Return a tournament, and the season, division and round in the query; without these the present ones."""
    tournament = tournament_pages.find(visit)
    season, division, shown = tournament_pages.shown_of(visit, tournament)
    coming = visit.store.tournaments.entrants(tournament.number, tournament.season + 1, gone=False)
    robots = visit.store.players.robots()
    data: dict[str, object] = {
        **_terms(tournament),
        "shown_season": season or None,
        "division": division if shown.lines else None,
        "divisions": list(shown.divisions),
        "shown_round": shown.round or None,
        "table": [_line(line, shown, robots) for line in shown.lines],
        "rungs": [{"rung": rung, "player": userid} for rung, userid in shown.rungs],
        "teams": [{"team": team, "points": half / 2} for team, half in shown.teams],
        "meetings": [_meeting(m) for m in shown.meetings],
        "entrants": [{"player": e.player.userid, "team": e.team or None} for e in coming],
    }
    return as_json(visit, "tournament", data)


def _terms(tournament: TournamentRow) -> dict[str, object]:
    plan = tournament.plan
    return {
        "number": tournament.number,
        **fields(plan, "name game form"),
        "options": dict(plan.options),
        "state": tournament.state,
        "announced": tournament.created,
        "start": plan.start,
        **fields(tournament, "season round"),
        "every": plan.every or None,
        "robots": plan.robots,
    }


def _line(line: SeasonLine, shown: SeasonView, robots: frozenset[str]) -> dict[str, object]:
    """`results`: of each board, with the opponent and, where the columns are rounds, the round."""
    table = line.line
    return {
        "place": table.rank,
        "player": line.userid,
        "robot": line.userid in robots,
        "points": table.points / 2,
        "sonneborn_berger": table.sonneborn_berger / 4,
        **fields(table, "won drawn lost forfeits"),
        "left": table.out,
        "results": [
            {"opponent": _opponent(result, shown.lines), **({"round": n} if shown.by_rounds else {}), **_result(result)}
            for n, cell in enumerate(line.cells, start=1)
            for result in cell or ()
        ],
    }


def _opponent(result: Result, lines: Sequence[SeasonLine]) -> str | None:
    return next((line.userid for line in lines if line.line.place == result.place), None)


def _result(result: Result) -> dict[str, object]:
    """`points` is null while the board runs, and if it counts for nobody."""
    return {
        "board": result.board,
        "points": _POINTS.get(result.sign),
        "forfeit": result.sign in ("+", "-"),
        "void": result.sign == "x",
    }


def _meeting(meeting: Meeting) -> dict[str, object]:
    """`points`: of the first player."""
    return {"first": meeting.first, "second": meeting.second or None, **_result(meeting.result)}
