"""`tournament list` and `tournament show`: which tournaments there are, and who stands where."""

from collections.abc import Sequence

from pbmserv import games
from pbmserv.boards.seasons import announcing
from pbmserv.boards.seasons.cross_tables import pure_entrants, pure_pairings, table
from pbmserv.errors import PlayerError, no_such
from pbmserv.games.base.kinds import listed
from pbmserv.inbox.command import Arg, Call, Is
from pbmserv.inbox.context import Answer, Command, Context
from pbmserv.letters.text import table_lines
from pbmserv.letters.tournament_letters import answer_address, facts, subject_of
from pbmserv.model import EntrantRow, PairingRow, Player, TournamentRow
from pbmserv.model.tournaments import LAST
from pbmserv.tournaments.entrants import Season
from pbmserv.tournaments.forms import FORMS, LADDER, LEAGUE, MATCH
from pbmserv.tournaments.forms.swiss import Swiss
from pbmserv.tournaments.forms.team_match import team_points

MOST_LISTED = 100
MOST_TABLES = 3  #: divisions or groups in one answer; more are named one by one
_MOST_NAMED = 200  #: entrants or rungs in one answer


def list_tournaments(ctx: Context, call: Call) -> Answer:
    """`tournament list [game]`: the newest come first."""
    word = call.values.get("game")
    game = games.names().get(word) if word else None
    if word and game is None:
        keys = ", ".join(info.key for info in listed([g.info for g in ctx.site.games]))
        raise PlayerError(f"{no_such('game', word)}.", f"Available: {keys}")
    tournaments = ctx.store.tournaments.all(game.info.key if game else "", limit=MOST_LISTED)
    rows = [_listed(ctx, t) for t in tournaments]
    return Answer(ctx.render("tournaments", rows=rows, zone=ctx.reader_zone()), subject="Tournaments")


LIST_TOURNAMENTS = Command(
    "tournament list",
    "Lists the tournaments of all games, or of one: those that you can enter, those that run, and those that are over.",
    list_tournaments,
    aliases=("tournaments", "tournament"),
    synonyms=("turniere", "turnier"),
    args=(Arg("game", "only of this game", optional=True),),
    question=True,
    example="tournament list",
    second="tournament list hex",
    more="To enter one, send: tournament join NUMBER USERID PASSWORD\n"
    "For the forms and the rules, send: help tournaments",
)


def show_tournament(ctx: Context, call: Call) -> Answer:
    """`tournament show number [division]`: the terms, and the cross table."""
    return shown(ctx, call.values["number"], None, call.values.get("division"))


SHOW_TOURNAMENT = Command(
    "tournament show",
    "Shows a tournament: its terms, who takes part, and the table with all results.",
    show_tournament,
    args=(
        Arg("number", "the number of the tournament", Is.NUMBER),
        Arg("division", "only this division or group", Is.NUMBER, optional=True),
    ),
    question=True,
    example="tournament show 3",
    second="tournament show 3 2",
    more="Your own division comes first, if your mail address shows who you are. In a table 1 is a win, ½ a draw and 0 "
    "a loss, + and - are the same by forfeit, x counts for nobody, and a dot is not over.\n"
    "If there is no such tournament, send: tournament list",
)


def shown(ctx: Context, number: int, reader: Player | None, division: int | None = None) -> Answer:
    """Return the answer that shows a tournament. `reader`: whose division comes first; None: whom From names."""
    tournament = announcing.demand(ctx.store, number)
    own = {p.id for p in ([reader] if reader else ctx.store.players.at(ctx.mail.sender))}
    data = facts(ctx.site, ctx.store, tournament, ctx.say, ctx.reader_zone())
    text = ctx.render("tournament", **data, **_standing(ctx, tournament, own, division), mine=own)
    if reader is None:
        return Answer(text, subject=subject_of(tournament))
    reply_to = answer_address(ctx.site, tournament, reader)
    return Answer(text, subject=subject_of(tournament), answers=_answers(ctx, tournament, reader), reply_to=reply_to)


def _answers(ctx: Context, tournament: TournamentRow, reader: Player) -> tuple[str, ...]:
    """Return the words that a reader can answer now: nobody leaves what is over, and nobody climbs above the top."""
    if tournament.phase in LAST:
        return ()
    seasons = (tournament.season + 1, *([tournament.season] if tournament.has_begun else []))
    entries = (ctx.store.tournaments.entrant(tournament.number, season, reader.id) for season in seasons)
    entrant = next((e for e in entries if e and e.renews), None)
    if entrant:
        return (*(["challenge"] if tournament.has_begun and (entrant.rung or 0) > 1 else []), "leave")
    has_closed = tournament.has_begun and tournament.plan.form not in (LADDER, LEAGUE) and not tournament.plan.every
    return () if has_closed or not tournament.entries else ("join",)


def _listed(ctx: Context, tournament: TournamentRow) -> dict[str, object]:
    season = tournament.shown_season if tournament.has_begun else tournament.season + 1
    entrants = ctx.store.tournaments.count_entrants(tournament.number, season)
    return {"tournament": tournament, "entrants": entrants}


def _standing(ctx: Context, tournament: TournamentRow, own: set[int], division: int | None) -> dict[str, object]:
    """Return the template's data of the season that runs or was last; before the first, of those who have entered.

    `tables`: division, rows, the lines with the results, and how many rounds there are, if their columns are rounds.
    """
    nothing: dict[str, object] = {"tables": [], "entered": [], "rungs": [], "teams": [], "boards": [], "more": 0}
    number, season = tournament.number, tournament.season
    coming = ctx.store.tournaments.entrants(number, season + 1, gone=False)
    entered = [e.player.shown + (f" ({e.team})" if e.team else "") for e in coming][:_MOST_NAMED]
    nothing |= {"entered": entered, "coming": len(coming)}
    if not season:
        return nothing
    if tournament.plan.form == LADDER:
        there = ctx.store.tournaments.entrants(number, season, gone=False)
        rungs = sorted((e.rung, e.player.shown, e.player.id) for e in there if e.rung)
        return nothing | {"rungs": rungs[:_MOST_NAMED], "more": max(0, len(rungs) - _MOST_NAMED)}
    if tournament.plan.form == LEAGUE:
        return nothing | _divisions(ctx, tournament, own, division)
    entrants = ctx.store.tournaments.entrants(number, season)
    pairings = ctx.store.tournaments.pairings(number, season)
    if tournament.plan.form == MATCH:
        return nothing | _teams(entrants, pairings)
    return nothing | _tables(tournament, entrants, pairings, own, division)


def _divisions(ctx: Context, tournament: TournamentRow, readers: set[int], division: int | None) -> dict[str, object]:
    """Return the tables of some divisions of a league: the reader's own first. Only these are read."""
    number, season = tournament.number, tournament.season
    own = [e.division for id_ in readers if (e := ctx.store.tournaments.entrant(number, season, id_, gone=True))]
    numbers = [division] if division else list(dict.fromkeys([*sorted(own), *range(1, MOST_TABLES + 1)]))[:MOST_TABLES]
    tables = []
    for n in numbers:
        division_table = table(ctx.store, tournament, season, n)
        if division_table.entrants:
            rows = table_lines.crossed(division_table.lines, division_table.pairings, _names(division_table.entrants))
            tables.append({"division": n, "rows": rows, "grid": table_lines.grid(rows), "rounds": 0})
    if division and not tables:
        raise PlayerError(f"There is no division {division}.", f"Send: tournament show {number}")
    there_is_more = not division and ctx.store.tournaments.entrants(number, season, max(numbers) + 1)
    return {"tables": tables, "more": int(bool(there_is_more))}


def _tables(
    tournament: TournamentRow,
    entrants: Sequence[EntrantRow],
    pairings: Sequence[PairingRow],
    readers: set[int],
    division: int | None,
) -> dict[str, object]:
    """Return the tables of the groups of the last round, or of a swiss tournament."""
    form, plan, names = FORMS[tournament.plan.form], tournament.plan, _names(entrants)
    season = Season(pure_entrants(entrants), pure_pairings(pairings), plan.size, plan.rounds)
    if isinstance(form, Swiss):
        rows_of = {n: table_lines.by_rounds(lines, pairings, names) for n, lines in form.tables(season).items()}
    else:
        here = [p for p in pairings if p.round == season.round]
        rows_of = {n: table_lines.crossed(lines, here, names) for n, lines in form.tables(season).items()}
    order = sorted(rows_of, key=lambda n: (not any(row.player in readers for row in rows_of[n]), n))
    if division and division not in rows_of:
        raise PlayerError(f"There is no group {division}.", f"Send: tournament show {tournament.number}")
    numbers = [division] if division else order[:MOST_TABLES]
    rounds = season.round if isinstance(form, Swiss) else 0
    first = 1 + max(0, rounds - table_lines.MOST_ROUNDS)
    tables = [
        {"division": n, "rows": rows_of[n], "rounds": rounds, "grid": table_lines.grid(rows_of[n], first)}
        for n in numbers
    ]
    return {"tables": tables, "more": len(order) - len(numbers)}


def _teams(entrants: Sequence[EntrantRow], pairings: Sequence[PairingRow]) -> dict[str, object]:
    """Return the points of the two teams of a match, and its boards."""
    names = _names(entrants)
    points = team_points(Season(pure_entrants(entrants), pure_pairings(pairings)))
    boards = [
        (p.board or 0, names.get(p.first, "?"), table_lines.result_of(p, p.first), names.get(p.second, "?"))
        for p in pairings
        if p.second is not None
    ]
    return {"teams": [(team, table_lines.points_text(half)) for team, half in points.items()], "boards": boards}


def _names(entrants: Sequence[EntrantRow]) -> dict[int, str]:
    return {e.player.id: e.player.shown for e in entrants}
