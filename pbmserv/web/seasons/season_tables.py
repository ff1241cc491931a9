"""What the page of a season shows: who meets whom with which result, and who stands where."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pbmserv.boards.seasons.cross_tables import CrossTable, pure_entrants, pure_pairings, table
from pbmserv.letters.text.table_lines import direct_text, points_text, quarters_text
from pbmserv.model import EntrantRow, PairingRow, TournamentRow
from pbmserv.store import Store
from pbmserv.tournaments.entrants import DRAW, WIN, Season
from pbmserv.tournaments.forms import GROUPS, LADDER, MATCH, SWISS
from pbmserv.tournaments.forms.team_match import team_points
from pbmserv.tournaments.standings import TableLine

MOST_NAMED = 200  #: rungs or entrants on a page
LATEST = 20  #: challenges of a ladder on a page

_SIGNS = {WIN: "1", DRAW: "½", 0: "0"}
_BY_FORFEIT = {WIN: "+", 0: "-"}
_WORDS = {WIN: "won against", DRAW: "drew with", 0: "lost to"}


@dataclass(frozen=True)
class Result:
    """How a pairing stands for one of its players. `sign`: one character; `said`: in words; `place`: of the other."""

    sign: str
    said: str
    board: int | None
    place: int | None = None


@dataclass(frozen=True)
class SeasonLine:
    """The line of a player. `cells`: the results against each other player, or of each round; None: against oneself."""

    line: TableLine
    userid: str
    points: str
    direct: str
    tie: str
    cells: Sequence[Sequence[Result] | None]


@dataclass(frozen=True)
class Meeting:
    """Two players who met. `second` is "" for a bye."""

    first: str
    second: str
    result: Result


@dataclass(frozen=True)
class SeasonView:
    """One season, or a division or a group of a round of it.

    `heads`: of the columns of `lines`, as they are written and in words; `by_rounds`: the columns are rounds, not
    players; `rungs`: of a ladder, with their numbers; `more`: how many are not named; `teams`: with half points.
    """

    heads: Sequence[tuple[str, str]] = ()
    lines: Sequence[SeasonLine] = ()
    by_rounds: bool = False
    rungs: Sequence[tuple[int, str]] = ()
    more: int = 0
    teams: Sequence[tuple[str, int]] = ()
    meetings: Sequence[Meeting] = ()
    divisions: Sequence[int] = field(default=())
    round: int = 0  #: of groups


def view(store: Store, tournament: TournamentRow, season: int, division: int, round_: int | None) -> SeasonView:
    """Return a season that has begun: a division of it, or a group of a round; the last round if none is given."""
    form, number = tournament.plan.form, tournament.number
    if form == LADDER:
        return _ladder(store, tournament, season)
    if form == MATCH:
        return _match(store.tournaments.entrants(number, season), store.tournaments.pairings(number, season))
    shown, divisions = round_ or 0, list[int]()
    if form == GROUPS:
        pairings = store.tournaments.pairings(number, season)
        shown = round_ or max((p.round for p in pairings), default=1)
        divisions = sorted({p.division for p in pairings if p.round == shown})
    elif form != SWISS:
        divisions = sorted({e.division for e in store.tournaments.entrants(number, season) if e.division})
    season_table = table(store, tournament, season, division, shown or None)
    made = _by_rounds(season_table) if form == SWISS else _crossed(season_table)
    return SeasonView(*made, by_rounds=form == SWISS, divisions=divisions, round=shown)


def _crossed(season_table: CrossTable) -> tuple[list[tuple[str, str]], list[SeasonLine]]:
    """Return columns and lines where everybody meets everybody."""
    names, places = _names(season_table.entrants), {line.player: line.place for line in season_table.lines}
    results = dict[tuple[int, int], list[Result]]()
    for p in season_table.pairings:
        if p.second is not None:
            for me, other in ((p.first, p.second), (p.second, p.first)):
                results.setdefault((me, other), []).append(_result(p, me, names, places))
    order = [line.player for line in season_table.lines]
    heads = [(str(line.place), f"against {names[line.player]}") for line in season_table.lines]
    return heads, [
        _line(x, names, [None if x.player == other else results.get((x.player, other), []) for other in order])
        for x in season_table.lines
    ]


def _by_rounds(season_table: CrossTable) -> tuple[list[tuple[str, str]], list[SeasonLine]]:
    """Return columns and lines where a player meets somebody else in each round."""
    names, places = _names(season_table.entrants), {line.player: line.place for line in season_table.lines}
    results = dict[tuple[int, int], list[Result]]()
    for p in season_table.pairings:
        for me in (p.first, p.second):
            if me is not None:
                results.setdefault((me, p.round), []).append(_result(p, me, names, places))
    rounds = range(1, max((p.round for p in season_table.pairings), default=0) + 1)
    heads = [(str(n), f"round {n}") for n in rounds]
    return heads, [_line(x, names, [results.get((x.player, n), []) for n in rounds]) for x in season_table.lines]


def _ladder(store: Store, tournament: TournamentRow, season: int) -> SeasonView:
    there = store.tournaments.entrants(tournament.number, season, gone=False)
    rungs = sorted((e.rung, e.player.userid) for e in there if e.rung)
    pairings = store.tournaments.pairings(tournament.number, season)[: -LATEST - 1 : -1]
    met = {player for p in pairings for player in (p.first, p.second) if player}
    known = {player.id: player.userid for player in store.players.by_ids(met)} if met else {}
    meetings = [_meeting(p, known) for p in pairings]
    return SeasonView(rungs=rungs[:MOST_NAMED], more=max(0, len(rungs) - MOST_NAMED), meetings=meetings)


def _match(entrants: Sequence[EntrantRow], pairings: Sequence[PairingRow]) -> SeasonView:
    names = _names(entrants)
    points = team_points(Season(pure_entrants(entrants), pure_pairings(pairings)))
    return SeasonView(teams=list(points.items()), meetings=[_meeting(p, names) for p in pairings])


def _meeting(pairing: PairingRow, names: Mapping[int, str]) -> Meeting:
    second = names.get(pairing.second, "?") if pairing.second is not None else ""
    return Meeting(names.get(pairing.first, "?"), second, _result(pairing, pairing.first, names))


def _line(line: TableLine, names: Mapping[int, str], cells: Sequence[Sequence[Result] | None]) -> SeasonLine:
    points, direct, tie = points_text(line.points), direct_text(line), quarters_text(line.sonneborn_berger)
    return SeasonLine(line, names[line.player], points, direct, tie, cells)


def _result(pairing: PairingRow, me: int, names: Mapping[int, str], places: Mapping[int, int] | None = None) -> Result:
    """Return how a pairing stands for one of its players."""
    other = pairing.other(me)
    if other is None:
        return Result("1", "had nobody to meet", None)
    place = (places or {}).get(other)
    whom = names.get(other, "?")
    if pairing.forfeiter and pairing.void:
        return Result(_BY_FORFEIT[0], f"{_WORDS[0]} {whom} by forfeit", pairing.board, place)
    if pairing.void:
        return Result("x", f"against {whom}, counts for nobody", pairing.board, place)
    if pairing.points is None:
        return Result("·", f"against {whom}, not over", pairing.board, place)
    won = pairing.points if me == pairing.first else WIN - pairing.points
    forfeited = pairing.forfeiter is not None
    sign = _BY_FORFEIT.get(won, _SIGNS[won]) if forfeited else _SIGNS[won]
    return Result(sign, f"{_WORDS[won]} {whom}{' by forfeit' if forfeited else ''}", pairing.board, place)


def _names(entrants: Iterable[EntrantRow]) -> dict[int, str]:
    return {e.player.id: e.player.userid for e in entrants}
