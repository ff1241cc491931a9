"""Lists and counts of boards and of their seats."""

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import lru_cache

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.pipelining.statement import Statement, filled, placed, places
from pbmserv.db.queries import Queries
from pbmserv.games.base import Seat
from pbmserv.model import Listed, Settings
from pbmserv.model.boards import BoardState, DaysOff
from pbmserv.model.rows import ListedBoard, ListedSeat
from pbmserv.store.boards import result_of

_B = tables.board.c
#: What a line of a list is made of. Positions and beginnings are longer than all of it.
_LINE = (_B.number, _B.game, _B.options, _B.ply, _B.changed, _B.state, _B.settings, _B.tournament)
# Asked once for each game, so that no game keeps another out of a list.
_RUNNING = Statement(
    sa.select(*_LINE)
    .where(_B.game == sa.bindparam("key"), _B.over.is_(None), ~_B.settings["private"].as_boolean())
    .order_by(_B.number.desc())
    .limit(sa.bindparam("most", type_=sa.Integer()))
)


class BoardListQueries(Queries):
    """Queries that list and count."""

    def search(
        self,
        *,
        game: str | None = None,
        player_ids: Collection[int] = (),
        state: BoardState = BoardState.ACTIVE,
        limit: int = 200,
        public: bool = False,
        waiting_since: float | None = None,
        option: str = "",
        before: int | None = None,
        by_change: bool = False,
    ) -> list[Listed]:
        """Boards, the newest first; with `by_change`, those first that have changed last.

        `state`: all, active, inactive, or next: one of `player_ids` is to move. `player_ids`: any of these plays.
        `public`: no private ones. `waiting_since`: somebody is to move, and has been since then. `option`: one of the
        game's, such as `c` or `size=5`. `before`: only boards with lower numbers.
        """
        more = waiting_since is not None, option
        asked = _search(bool(game), len(player_ids), state, public, before is not None, by_change, *more)
        values = {"key": game, "before": before, "since": waiting_since, "most": limit}
        return self._listed(self._rows(asked, **values, **placed("player", player_ids)))

    def running(self, games: Sequence[str], limit: int = 200) -> list[Listed]:
        """The running boards of these games without private ones: game by game, of each the newest, at most so many."""
        asked = [self._ask(_RUNNING, key=key, most=limit) for key in games]
        return self._listed([row for rows in asked for row in rows()])

    def _listed(self, rows: Sequence[ListedBoard]) -> list[Listed]:
        return [_listed(row, seats) for row, seats in zip(rows, self._seats([r.number for r in rows]), strict=True)]

    def numbers(self) -> list[int]:
        """The numbers of all boards."""
        return list(self._c.scalars(sa.select(tables.board.c.number).order_by(tables.board.c.number)))

    def ended(self) -> list[int]:
        """The numbers of the finished boards in the order in which they ended."""
        c = tables.board.c
        return list(self._c.scalars(sa.select(c.number).where(c.ending.is_not(None)).order_by(c.ending)))

    def counts_by_game(self, player_id: int) -> dict[str, tuple[int, int]]:
        """How many boards a player has of each game: game -> (running, finished)."""
        c = tables.board.c
        boards = sa.select(tables.seat.c.board).where(tables.seat.c.player_id == player_id)
        finished = sa.func.count(c.over)
        query = sa.select(c.game, sa.func.count() - finished, finished).where(c.number.in_(boards)).group_by(c.game)
        return {game: (running, over) for game, running, over in self._c.execute(query)}

    def count_active(self, game: str, player_id: int, *, hold: bool = False) -> int:
        """Return how many running boards of a game a player has.

        With `hold`, other transactions that count them with `hold` wait until ours ends.
        """
        if hold:
            self._take_turns(f"boards of {player_id}")
        boards = sa.select(sa.func.count(tables.board.c.number.distinct())).join(tables.seat)
        own = boards.where(
            tables.board.c.game == game, tables.board.c.over.is_(None), tables.seat.c.player_id == player_id
        )
        return int(self._c.scalar(own) or 0)

    def is_unanswered(self, player_id: int, opponent_id: int, most: int, since: datetime) -> bool:
        """Return whether an opponent has not moved on any of the last `most` boards with a player.

        Boards that ended count only if they began since then.
        """
        b, e, own, theirs = tables.board.c, tables.entry.c, tables.seat.alias(), tables.seat.alias()
        moved = sa.exists().where(e.board == theirs.c.board, e.seat == theirs.c.seat, e.kind == "move")
        shared = (own.c.player_id == player_id, theirs.c.player_id == opponent_id, theirs.c.board == own.c.board)
        last = (
            sa.select(sa.or_(moved, sa.and_(b.over.is_not(None), b.created < since)).label("answered"))
            .select_from(own.join(theirs, sa.and_(*shared)).join(tables.board, b.number == own.c.board))
            .order_by(own.c.board.desc())
            .limit(most)
        )
        answered = list(self._c.scalars(last))
        return len(answered) == most and not any(answered)

    def running_of_closed(self, game: str, rules: int) -> list[tuple[int, int]]:
        """Return running boards of a game that have a seat of a closed account: (board number, player id)."""
        b, s, p = tables.board.c, tables.seat.c, tables.player.c
        joined = tables.board.join(tables.seat, s.board == b.number).join(tables.player, p.id == s.player_id)
        query = sa.select(b.number, p.id).select_from(joined).distinct().order_by(b.number)
        of_game = query.where(b.game == game, b.rules == rules, b.over.is_(None), p.closed.is_not(None))
        return [(r[0], r[1]) for r in self._c.execute(of_game)]

    def due_seats(self, now: float, limit: int, waiting: Collection[tuple[str, int]] = ()) -> list[tuple[int, Seat]]:
        """Return the seats that the clock has to handle, as (board number, seat), the first due first.

        Boards of the games `waiting`, each a key with the version of its rules, are left out.
        """
        c, b = tables.seat.c, tables.board.c
        query = sa.select(c.board, c.seat).where(c.due <= now).order_by(c.due).limit(limit)
        if waiting:
            of_them = sa.or_(*(sa.and_(b.game == key, b.rules == rules) for key, rules in waiting))
            query = query.where(~sa.exists().where(b.number == c.board, of_them))
        return [(r.board, r.seat) for r in self._c.execute(query)]

    def paused_seats(self, player_id: int, now: float) -> list[tuple[int, Seat]]:
        """Return the seats of a player whose time is stopped, as (board number, seat)."""
        c = tables.seat.c
        query = sa.select(c.board, c.seat).where(c.player_id == player_id, c.paused > now).order_by(c.board)
        return [(r.board, r.seat) for r in self._c.execute(query)]

    def _seats(self, numbers: list[int]) -> list[list[ListedSeat]]:
        """The seats of these boards, board by board. Each row: board, player_id, userid, to_move, rest."""
        seats: dict[int, list[ListedSeat]] = {n: [] for n in numbers}
        if not numbers:
            return []
        asked = filled(numbers)
        for row in self._rows(_seats_of(len(asked)), **placed("board", asked)):
            seats[row.board].append(row)
        return list(seats.values())


@lru_cache(maxsize=256)
def _search(
    game: bool, players: int, state: BoardState, public: bool, before: bool, by_change: bool, waiting: bool, option: str
) -> Statement:
    """Return the statement of a search. To build one takes longer than to run it."""
    c = tables.board.c
    query = sa.select(*_LINE).where(*_more(waiting, option))
    if public:
        query = query.where(~c.settings["private"].as_boolean())
    if before:
        query = query.where(c.number < sa.bindparam("before"))
    if game:
        query = query.where(c.game == sa.bindparam("key"))
    if state in (BoardState.ACTIVE, BoardState.NEXT):
        query = query.where(c.over.is_(None))
    if state is BoardState.INACTIVE:
        query = query.where(c.over.is_not(None))
    if players:
        theirs = sa.select(tables.seat.c.board).where(tables.seat.c.player_id.in_(places("player", players)))
        query = query.where(c.number.in_(theirs.where(tables.seat.c.to_move) if state is BoardState.NEXT else theirs))
    order = [c.changed.desc(), c.number.desc()] if by_change else [c.number.desc()]
    return Statement(query.order_by(*order).limit(sa.bindparam("most", type_=sa.Integer())))


@lru_cache(maxsize=256)
def _seats_of(count: int) -> Statement:
    c = tables.seat.c
    columns = (c.board, c.player_id, tables.player.c.userid, c.to_move, c.rest)
    theirs = sa.select(*columns).join(tables.player).where(c.board.in_(places("board", count)))
    return Statement(theirs.order_by(c.board, c.seat))


def _more(waiting: bool, option: str) -> list[sa.ColumnElement[bool]]:
    """Conditions that only admins ask for."""
    conditions: list[sa.ColumnElement[bool]] = []
    if waiting:
        c = tables.seat.c
        long = sa.select(c.board).where(c.to_move, c.since <= sa.bindparam("since"))
        conditions.append(tables.board.c.number.in_(long))
    if option:
        words = " " + tables.board.c.variant + " "
        forms = [f" -{option} "] if "=" in option else [f" -{option} ", f" -{option}="]
        conditions.append(sa.or_(*(words.contains(form, autoescape=True) for form in forms)))
    return conditions


def _listed(row: ListedBoard, seats: list[ListedSeat]) -> Listed:
    players = tuple(s.userid for s in seats)
    to_move = tuple(s.userid for s in seats if s.to_move)
    return Listed(
        row.number,
        row.game,
        row.options,
        row.ply,
        players,
        to_move,
        row.changed,
        result_of(row.state),
        Settings(**row.settings),
        row.tournament,
        tuple(s.player_id for s in seats),
        tuple(DaysOff.of(s.rest) for s in seats),
    )
