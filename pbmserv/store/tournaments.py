"""Tournaments, who takes part in their seasons, and who meets whom."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.pipelining.statement import AnySelect, Statement
from pbmserv.db.queries import Queries
from pbmserv.model import EntrantRow, NewPairing, PairingRow, Phase, Player, Settings, TournamentPlan, TournamentRow
from pbmserv.model.rows import StoredTournament
from pbmserv.model.tournaments import LAST, RUNNING, SOON
from pbmserv.store.accounts.players import PLAYER_COLUMNS
from pbmserv.tournaments.forms import LEAGUE, MATCH

_T, _E, _P = tables.tournament.c, tables.entrant.c, tables.pairing.c
#: Whether an entrant has won a season: in a league its first division. The players of a match win or lose as a team.
_WON = (_E.place == 1, _T.form != MATCH, sa.or_(_T.form != LEAGUE, _E.division == 1))
_DECIDED = ("points", "forfeiter", "void", "decided", "step")
_OF_BOARD = Statement(sa.select(tables.pairing).where(_P.board == sa.bindparam("of")))
_DECIDE = Statement(sa.update(tables.pairing).where(_P.id == sa.bindparam("pairing_id")), _DECIDED)
_SET_PLACE = Statement(sa.update(tables.entrant).where(_E.id == sa.bindparam("of")), ("place",))
_SET_DIVISION = Statement(sa.update(tables.entrant).where(_E.id == sa.bindparam("of")), ("division",))
_WAKE = Statement(
    sa.update(tables.tournament)
    .where(_T.number == sa.bindparam("of"), _T.due > sa.bindparam("moment", type_=tables.Utc()))
    .values(due=sa.bindparam("moment", type_=tables.Utc()))
)
_ENTRANT_COLUMNS = tuple(c for c in tables.entrant.c if c.name != "player_id")


class TournamentQueries(Queries):
    """Queries about tournaments."""

    def add(self, plan: TournamentPlan, organiser: Player | None, now: datetime) -> TournamentRow:
        """Store a new tournament, which is open for entries. The clock looks at it when it is to begin."""
        values = {
            **{name: value for name, value in vars(plan).items() if name != "settings"},
            "options": dict(plan.options),
            "settings": asdict(plan.settings),
            "organiser": organiser and organiser.id,
            "created": now,
            "first": plan.start,
            "phase": Phase.WAITING.value,
            "entries": True,
            "season": 0,
            "round": 0,
            "due": plan.start,
            "steps": 0,
        }
        number = self._c.scalar(sa.insert(tables.tournament).values(values).returning(_T.number))
        new = self.find(number or 0)
        if new is None:
            raise ValueError("the tournament was not stored")
        return new

    def find(self, number: int, *, lock: bool = False) -> TournamentRow | None:
        """Return a tournament; with `lock`, nobody else changes it until the end. Lock boards before tournaments."""
        query = sa.select(tables.tournament).where(_T.number == number)
        rows = self._found(self._locked(query) if lock else query)
        return _tournament(rows[0]) if rows else None

    def all(self, game: str = "", phases: Sequence[Phase] = (), limit: int | None = None) -> list[TournamentRow]:
        """Return the tournaments, the newest first: of one game, and in these phases, if given."""
        query = sa.select(tables.tournament).order_by(_T.number.desc()).limit(limit)
        query = query.where(_T.game == game) if game else query
        query = query.where(_T.phase.in_([p.value for p in phases])) if phases else query
        return [_tournament(row) for row in self._found(query)]

    def names(self, numbers: Collection[int]) -> dict[int, str]:
        """Return the names of these tournaments by their numbers."""
        rows = self._c.execute(sa.select(_T.number, _T.name).where(_T.number.in_(numbers))) if numbers else ()
        return {row.number: row.name for row in rows}

    def due(self, now: datetime, limit: int) -> list[int]:
        """Return the numbers of tournaments that the clock has to look at, those that wait longest first."""
        begun = _T.phase.in_([p.value for p in RUNNING])
        is_due = sa.or_(_T.due <= now, sa.and_(_T.due > now + SOON, begun))
        return list(self._c.scalars(sa.select(_T.number).where(is_due).order_by(_T.due, _T.number).limit(limit)))

    def wake(self, number: int, now: datetime) -> None:
        """Let the clock look at a tournament at its next run, unless it will anyway, or never again."""
        self._run(_WAKE, {"of": number, "moment": now})

    def change(self, number: int, **values: object) -> None:
        """Write some columns of a tournament."""
        self._c.execute(sa.update(tables.tournament).where(_T.number == number).values(values))

    def step(self, number: int) -> int:
        """Return the number of the next step of a tournament. Other transactions wait for this one to end."""
        counted = sa.update(tables.tournament).where(_T.number == number).values(steps=_T.steps + 1)
        return int(self._c.execute(counted.returning(_T.steps)).scalar_one())

    # --- entrants ----------------------------------------------------------------------------------------------------

    def enter(self, number: int, season: int, player: Player, entered: int, **values: object) -> None:
        """Let somebody take part in a season. The order of `entered` is that of the entries."""
        entrant = _entered(number, season, {**values, "player_id": player.id, "entered": entered})
        self._c.execute(sa.insert(tables.entrant).values(entrant))

    def enter_many(self, number: int, season: int, entries: Sequence[Mapping[str, object]]) -> None:
        """Let several players take part; each with `player_id`, `entered` and other columns."""
        rows = [_entered(number, season, entry) for entry in entries]
        if rows:
            self._c.execute(sa.insert(tables.entrant), rows)

    def withdraw(self, entrant_id: int) -> None:
        """Delete an entry of a season that has not begun."""
        self._c.execute(sa.delete(tables.entrant).where(_E.id == entrant_id))

    def change_entrant(self, entrant_id: int, **values: object) -> None:
        """Write some columns of an entrant."""
        self._c.execute(sa.update(tables.entrant).where(_E.id == entrant_id).values(values))

    def entrants(self, number: int, season: int, division: int | None = None, *, gone: bool = True) -> list[EntrantRow]:
        """Return who takes part in a season, or in one division of it; with `gone`, those who left it, too."""
        query = self._taking_part(number, season)
        query = query if division is None else query.where(_E.division == division)
        return self._entrants(query if gone else query.where(_E.out == ""))

    def entrant(self, number: int, season: int, player_id: int, *, gone: bool = False) -> EntrantRow | None:
        """Return the entry of a player; with `gone`, also one that was left. None: there is none."""
        query = self._taking_part(number, season).where(_E.player_id == player_id)
        entrants = self._entrants(query if gone else query.where(_E.out == ""))
        return entrants[-1] if entrants else None

    def count_entrants(self, number: int, season: int) -> int:
        """Return how many take part in a season."""
        c = sa.select(sa.func.count()).select_from(tables.entrant)
        return int(self._c.scalar(c.where(_E.tournament == number, _E.season == season, _E.out == "")) or 0)

    def entries_of(self, player_id: int) -> list[EntrantRow]:
        """Return the entries of a player in tournaments that are not over, which were not left."""
        query = self._with_players().join(tables.tournament, _T.number == _E.tournament)
        own = query.where(
            _E.player_id == player_id, _E.out == "", _E.season >= _T.season, _T.phase.not_in([p.value for p in LAST])
        )
        return self._entrants(own.order_by(_E.tournament, _E.season))

    def titles_of(self, player_ids: Iterable[int], game: str = "") -> list[EntrantRow]:
        """Return the seasons that players have won, in a league its first division, the newest first."""
        return self._titles(_E.player_id.in_(list(player_ids)), game)

    def titles_by_userid(self, userids: Iterable[str], game: str) -> list[EntrantRow]:
        """Return the same for players with these userids, in a game."""
        return self._titles(tables.player.c.userid.in_(list(userids)), game)

    def winners(self, number: int, season: int) -> list[str]:
        """Return the userids of those who have won a season; nobody wins a match or a ladder."""
        c = tables.player.c
        query = sa.select(c.userid).join(tables.entrant, _E.player_id == c.id)
        query = query.join(tables.tournament, _T.number == _E.tournament)
        won = query.where(_E.tournament == number, _E.season == season, *_WON)
        return list(self._c.scalars(won.order_by(c.userid)))

    def _titles(self, theirs: sa.ColumnElement[bool], game: str) -> list[EntrantRow]:
        query = self._with_players().join(tables.tournament, _T.number == _E.tournament)
        won = query.where(theirs, *_WON)
        won = won.where(_T.game == game) if game else won
        return self._entrants(won.order_by(_E.tournament.desc(), _E.season.desc()))

    def not_told(self, number: int, season: int, round_: int, limit: int) -> list[EntrantRow]:
        """Return entrants to whom no letter about a round was written, in the order of their entries."""
        return self._entrants(self._taking_part(number, season).where(_E.told < round_).limit(limit))

    def without_place(self, number: int, season: int) -> EntrantRow | None:
        """Return an entrant of a season whose place was not written; None: all places were."""
        entrants = self._entrants(self._taking_part(number, season).where(_E.place.is_(None)).limit(1))
        return entrants[0] if entrants else None

    def set_places(self, places: Sequence[tuple[int, int]]) -> None:
        """Write the places of entrants: (id, place)."""
        self._run(_SET_PLACE, [{"of": entrant_id, "place": place} for entrant_id, place in places])

    def divide(self, divisions: Sequence[tuple[int, int]]) -> None:
        """Write the divisions of entrants: (id, division)."""
        self._run(_SET_DIVISION, [{"of": entrant_id, "division": division} for entrant_id, division in divisions])

    def unpair(self, number: int, season: int, round_: int) -> None:
        """Delete the pairings of a round, none of which has its board yet."""
        here = (_P.tournament == number, _P.season == season, _P.round == round_, _P.board.is_(None))
        self._c.execute(sa.delete(tables.pairing).where(*here))

    def freeze_ratings(self, number: int, season: int, game: str, usual: float) -> None:
        """Give all entrants of a season the ratings that they have now in a game; `usual`: those without one."""
        r = tables.rating.c
        rating = sa.select(r.mu).where(r.game == game, r.player_id == _E.player_id).scalar_subquery()
        here = sa.update(tables.entrant).where(_E.tournament == number, _E.season == season)
        self._c.execute(here.values(rating=sa.func.coalesce(rating, usual)))

    def move_rungs(self, number: int, season: int, first: int, last: int, by: int) -> None:
        """Move everybody who stands on the rungs from `first` to `last` of a ladder up or down."""
        here = (_E.tournament == number, _E.season == season, _E.out == "", _E.rung.between(first, last))
        self._c.execute(sa.update(tables.entrant).where(*here).values(rung=_E.rung + by))

    def _with_players(self) -> AnySelect:
        return sa.select(*PLAYER_COLUMNS, *_ENTRANT_COLUMNS).join_from(tables.entrant, tables.player)

    def _taking_part(self, number: int, season: int) -> AnySelect:
        return self._with_players().where(_E.tournament == number, _E.season == season).order_by(_E.entered, _E.id)

    def _entrants(self, query: AnySelect) -> list[EntrantRow]:
        return [_entrant(row) for row in self._c.execute(query)]

    # --- pairings ----------------------------------------------------------------------------------------------------

    def pair(self, number: int, season: int, pairings: Iterable[NewPairing], now: datetime) -> None:
        """Store pairings."""
        fixed = {"tournament": number, "season": season, "void": False, "board": None, "forfeiter": None, "step": None}
        rows = [p._asdict() | fixed | {"decided": None if p.points is None else now} for p in pairings]
        if rows:
            self._c.execute(sa.insert(tables.pairing), rows)

    def begun(self, pairing_id: int, board: int) -> None:
        """Note the board of a pairing."""
        self._c.execute(sa.update(tables.pairing).where(_P.id == pairing_id).values(board=board))

    def pairings(
        self, number: int, season: int, division: int | None = None, round_: int | None = None
    ) -> list[PairingRow]:
        """Return the pairings of a season, or of a division or a round of it, in the order in which they were made."""
        query = sa.select(tables.pairing).where(_P.tournament == number, _P.season == season).order_by(_P.id)
        query = query if division is None else query.where(_P.division == division)
        return self._pairings(query if round_ is None else query.where(_P.round == round_))

    def pairings_of(self, number: int, season: int, player_id: int) -> list[PairingRow]:
        """Return the pairings of a player in a season."""
        pairings = []
        for column in (_P.first, _P.second):  # two searches, because each of them has its index
            own = (column == player_id, _P.tournament == number, _P.season == season)
            pairings += self._pairings(sa.select(tables.pairing).where(*own))
        return sorted(pairings, key=lambda p: p.id)

    def running_of(self, number: int, season: int, player_id: int) -> list[PairingRow]:
        """Return the pairings of a player whose boards run."""
        return [p for p in self.pairings_of(number, season, player_id) if p.board and not p.decided]

    def pairing_of(self, board: int) -> PairingRow | None:
        """Return the pairing of a board."""
        row = self._first(_OF_BOARD, of=board)
        return PairingRow(*row) if row else None

    def to_begin(self, number: int, season: int, limit: int) -> list[PairingRow]:
        """Return pairings whose boards have not begun, in the order in which they were made."""
        here = (_P.tournament == number, _P.season == season, _P.decided.is_(None), _P.board.is_(None))
        return self._pairings(sa.select(tables.pairing).where(*here).order_by(_P.id).limit(limit))

    def is_undecided(self, number: int, season: int) -> bool:
        """Return whether a pairing of a season is not decided."""
        here = (_P.tournament == number, _P.season == season, _P.decided.is_(None))
        return self._c.scalar(sa.select(_P.id).where(*here).limit(1)) is not None

    def last_decided(self, number: int, season: int) -> datetime | None:
        """Return when the last pairing of a season was decided."""
        query = sa.select(sa.func.max(_P.decided)).where(_P.tournament == number, _P.season == season)
        moment: datetime | None = self._c.scalar(query)
        return moment

    def latest_decided(self, number: int, season: int, limit: int) -> list[PairingRow]:
        """Return the pairings of a season that were decided last, the latest first."""
        here = (_P.tournament == number, _P.season == season, _P.decided.is_not(None))
        return self._pairings(
            sa.select(tables.pairing).where(*here).order_by(_P.decided.desc(), _P.id.desc()).limit(limit)
        )

    def forfeits(self, number: int, season: int, player_id: int | None = None) -> list[PairingRow]:
        """Return the pairings that entrants have forfeited, the oldest first: of all who are still in it, or of one.

        Those that were decided before the entrant was warned are left out.
        """
        both = [sa.case((_P.void, player)) for player in (_P.first, _P.second)]
        theirs = _E.player_id.in_([_P.forfeiter, *both])  # with "or" SQLite reads all entrants each time
        same = (_E.tournament == _P.tournament, _E.season == _P.season, theirs, _E.out == "")
        query = sa.select(tables.pairing).join(tables.entrant, sa.and_(*same))
        query = query.where(_P.tournament == number, _P.season == season, _P.forfeiter.is_not(None))
        query = query.where(sa.or_(_E.warned.is_(None), _P.decided > _E.warned))
        query = query if player_id is None else query.where(_E.player_id == player_id)
        return self._pairings(query.order_by(_P.decided, _P.id).distinct())

    def decide(
        self,
        pairing_id: int,
        points: int | None,
        decided: datetime | None,
        *,
        forfeiter: int | None = None,
        void: bool = False,
        step: int | None = None,
    ) -> None:
        """Write how a pairing ended; without `decided`, it has not ended."""
        values = {"points": points, "forfeiter": forfeiter, "void": void, "decided": decided, "step": step}
        self._run(_DECIDE, {"pairing_id": pairing_id, **values})

    def _pairings(self, query: AnySelect) -> list[PairingRow]:
        return [PairingRow(*row) for row in self._c.execute(query)]


def _tournament(row: StoredTournament) -> TournamentRow:
    plan = TournamentPlan(
        *(row.game, row.name, row.form, row.options, Settings(**row.settings), row.start, row.size),
        *(row.rounds, row.every, row.robots, (row.teams[0], row.teams[1]) if row.teams else None, row.zone),
    )
    known = row.organiser, row.created, row.first, Phase(row.phase), row.entries
    return TournamentRow(row.number, plan, *known, row.season, row.round, row.due, row.steps)


def _entrant(row: Sequence[Any]) -> EntrantRow:
    count = len(PLAYER_COLUMNS)
    number, tournament, season, *rest = row[count:]
    return EntrantRow(number, tournament, season, Player(*row[:count]), *rest)


def _entered(number: int, season: int, values: Mapping[str, object]) -> dict[str, object]:
    """Return the columns of a new entrant."""
    usual: dict[str, object] = {
        "division": 0,
        "rung": 0,
        "team": "",
        "rating": 0.0,
        "renews": True,
        "told": 0,
    }
    return {**usual, **values, "tournament": number, "season": season, "out": ""}
