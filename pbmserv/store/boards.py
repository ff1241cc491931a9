"""Boards, their seats and their logs."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from pbmserv import games
from pbmserv.db import engines, tables
from pbmserv.db.queries import Queries
from pbmserv.db.statement import Statement
from pbmserv.games.base import Note, Outcome, Seat
from pbmserv.games.base.board import Board, Offer, Start
from pbmserv.games.base.log import Entry, Kind
from pbmserv.store.players import PLAYER_COLUMNS
from pbmserv.store.types import BoardRow, Clock, Listed, LogLine, Player, Settings

_CLOCK = tuple(f.name for f in fields(Clock))
_PLAYER = len(PLAYER_COLUMNS)
_BOARD = sa.select(tables.board).where(tables.board.c.number == sa.bindparam("board"))
_READ = Statement(_BOARD)
_LOCK = Statement(_BOARD.with_for_update(key_share=True))
_SEATS = Statement(
    sa.select(*PLAYER_COLUMNS, *(tables.seat.c[name] for name in _CLOCK))
    .join(tables.seat)
    .where(tables.seat.c.board == sa.bindparam("board"))
    .order_by(tables.seat.c.seat)
)
_E = tables.entry.c
_LISTS = (sa.cast(_E.missed, sa.Text).label("missed"), sa.cast(_E.notes, sa.Text).label("notes"))
_ENTRIES = (
    sa.select(_E.seat, _E.kind, _E.text, _E.ply, _E.fixed, *_LISTS)
    .where(_E.board == sa.bindparam("board"))
    .order_by(_E.number)
)
_ONLY_ENTRIES = Statement(_ENTRIES)
_LOG = Statement(_ENTRIES.add_columns(_E.number, _E.at, _E.mail_id))
_APPEND = Statement(sa.insert(tables.entry), [c.name for c in tables.entry.c])
_SET_BOARD = Statement(
    sa.update(tables.board).where(tables.board.c.number == sa.bindparam("board")),
    ("changed", "ply", "length", "position", "state", "over"),
)
_SET_SEAT = Statement(
    sa.update(tables.seat).where(tables.seat.c.board == sa.bindparam("of"), tables.seat.c.seat == sa.bindparam("nth")),
    ("to_move", *_CLOCK),
)


class Boards(Queries):
    """Queries about boards."""

    def add_board(
        self,
        board: Board,
        players: Sequence[Player],
        settings: Settings,
        clocks: Sequence[Clock],
        now: datetime,
        origin: str | None = None,
    ) -> BoardRow:
        """Begin a board; its number is the next one of the server."""
        info = board.game.info
        values = {
            "game": info.key,
            "rules": info.rules,
            "options": dict(board.start.options),
            "seed": board.start.seed,
            "variant": options_text(board.start.options),
            "origin": origin,
            "settings": asdict(settings),
            "created": now,
            **_cache(board, now),
        }
        number = self._c.execute(sa.insert(tables.board).values(values).returning(tables.board.c.number)).scalar_one()
        seats = [
            {"board": number, "seat": s, "player_id": p.id, "to_move": s in board.to_move, **asdict(clocks[s])}
            for s, p in enumerate(players)
        ]
        self._c.execute(sa.insert(tables.seat), seats)
        return BoardRow(number, board, tuple(players), settings, now, now, None, tuple(clocks))

    def lock_boards(self, numbers: Iterable[int]) -> None:
        """Lock several boards, always in the order of their numbers, so that nobody waits for us while we wait."""
        c = tables.board.c
        self._hold(sa.select(c.number).where(c.number.in_(list(numbers))).order_by(c.number))

    def board(self, number: int, *, lock: bool = True) -> BoardRow | None:
        """The board with this number, locked until the transaction ends unless it is only to be shown."""
        row = self._first(_LOCK if lock and not engines.only_reads(self._c) else _READ, board=number)
        if row is None:
            return None
        seats = self._rows(_SEATS, board=number)
        players = tuple(Player(*r[:_PLAYER]) for r in seats)
        clocks = tuple(Clock(*r[_PLAYER:]) for r in seats)
        board = _board(row, len(players))
        settings = Settings(**row.settings)
        return BoardRow(number, board, players, settings, row.created, row.changed, row.over, clocks)

    def entries(self, number: int) -> list[Entry]:
        """The entries of the whole log of a board."""
        return [_entry(r) for r in self._rows(_ONLY_ENTRIES, board=number)]

    def log(self, number: int) -> list[LogLine]:
        """The whole log of a board."""
        return [LogLine(r.number, _entry(r), r.at, r.mail_id) for r in self._rows(_LOG, board=number)]

    def append(
        self, row: BoardRow, entry: Entry, board: Board, clocks: Sequence[Clock], mail_id: int | None, now: datetime
    ) -> BoardRow:
        """Write one more entry and the board after it."""
        values = {
            "board": row.number,
            "number": board.length,
            "at": now,
            "mail_id": mail_id,
            "seat": entry.seat,
            "kind": entry.kind.value,
            "text": entry.text,
            "ply": entry.ply,
            "fixed": entry.fixed,
            "missed": list(entry.missed),
            "notes": [[n.text, None if n.seats is None else sorted(n.seats)] for n in entry.notes],
        }
        self._run(_APPEND, values)
        over = now if board.result else None
        self._run(_SET_BOARD, {**_cache(board, now), "over": over, "board": row.number})
        self._set_seats(row, board, clocks)
        return BoardRow(row.number, board, row.players, row.settings, row.created, now, over, tuple(clocks))

    def set_clock(self, number: int, seat: Seat, clock: Clock) -> None:
        """Write the time of one seat."""
        here = sa.update(tables.seat).where(tables.seat.c.board == number, tables.seat.c.seat == seat)
        self._c.execute(here.values(asdict(clock)))

    def set_result(self, row: BoardRow) -> None:
        """Write what a finished board brought to each seat, and which ending of the server it was."""
        self.lock_endings()
        count = sa.select(sa.func.coalesce(sa.func.max(tables.board.c.ending), 0) + 1).scalar_subquery()
        self._c.execute(sa.update(tables.board).where(tables.board.c.number == row.number).values(ending=count))
        self.correct_result(row)

    def correct_result(self, row: BoardRow) -> None:
        """Write what a finished board brought to each seat; it keeps its place among the endings."""
        result = row.board.result
        if result is None:
            raise ValueError("the board is not over")
        for seat, rank in enumerate(result.ranks):
            score = result.scores[seat] if result.scores else None
            here = sa.update(tables.seat).where(tables.seat.c.board == row.number, tables.seat.c.seat == seat)
            self._c.execute(here.values(rank=rank, score=score))

    def reopen(self, number: int) -> None:
        """A finished board runs again: it brought nothing to anybody, and those that ended later move up."""
        self.lock_endings()
        c = tables.board.c
        was = self._c.execute(sa.select(c.ending).where(c.number == number)).scalar_one()
        self._c.execute(sa.update(tables.board).where(c.number == number).values(ending=None))
        self._c.execute(sa.update(tables.board).where(c.ending > was).values(ending=c.ending - 1))
        nothing = {"rank": None, "score": None, "mu_before": None, "mu_after": None}
        self._c.execute(sa.update(tables.seat).where(tables.seat.c.board == number).values(nothing))

    def lock_endings(self) -> None:
        """Let no other board end until the transaction does: ratings follow the order of the endings."""
        self._take_turns("endings")

    def ended(self) -> list[int]:
        """The numbers of the finished boards in the order in which they ended."""
        c = tables.board.c
        return list(self._c.scalars(sa.select(c.number).where(c.ending.is_not(None)).order_by(c.ending)))

    def due_seats(self, now: float, limit: int) -> list[tuple[int, Seat]]:
        """Seats that the clock has to look at, the longest due first: board number and seat."""
        c = tables.seat.c
        query = sa.select(c.board, c.seat).where(c.due <= now).order_by(c.due).limit(limit)
        return [(r.board, r.seat) for r in self._c.execute(query)]

    def shift_clocks(self, seconds: float, player_id: int | None = None) -> None:
        """Time that does not count: every running turn (of one player) began later by so much."""
        b, c = tables.board.c, tables.seat.c
        running = sa.select(b.number).where(b.over.is_(None))  # most seats are at boards that are over
        whose = c.board.in_(running) if player_id is None else c.player_id == player_id
        mine = sa.select(c.board).where(c.since.is_not(None), whose)
        self._hold(sa.select(b.number).where(b.number.in_(mine)).order_by(b.number))
        shifted = {k: c[k] + seconds for k in ("since", "due", "nagged")}
        self._c.execute(sa.update(tables.seat).where(c.since.is_not(None), whose).values(shifted))

    def list_boards(
        self,
        *,
        game: str | None = None,
        player_ids: Collection[int] = (),
        state: str = "active",
        limit: int = 200,
        public: bool = False,
        waiting_since: float | None = None,
        option: str = "",
        before: int | None = None,
    ) -> list[Listed]:
        """Boards by number, the newest first. `state`: all, active, inactive, or next (one of the players is to move).

        `player_ids`: with any of these players; `public` leaves out the private ones; `waiting_since`: somebody has
        been to move since then or longer; `option`: `c` or `size=5`; `before`: only those with lower numbers.
        """
        query = (
            sa.select(tables.board)
            .order_by(tables.board.c.number.desc())
            .limit(limit)
            .where(*_more(waiting_since, option))
        )
        if public:
            query = query.where(~tables.board.c.settings["private"].as_boolean())
        if before is not None:
            query = query.where(tables.board.c.number < before)
        if game:
            query = query.where(tables.board.c.game == game)
        if state in ("active", "next"):
            query = query.where(tables.board.c.over.is_(None))
        if state == "inactive":
            query = query.where(tables.board.c.over.is_not(None))
        if player_ids:
            mine = sa.select(tables.seat.c.board).where(tables.seat.c.player_id.in_(player_ids))
            query = query.where(
                tables.board.c.number.in_(mine.where(tables.seat.c.to_move) if state == "next" else mine)
            )
        rows = list(self._c.execute(query))
        return [_listed(row, seats) for row, seats in zip(rows, self._seats([r.number for r in rows]), strict=True)]

    def board_counts(self, player_id: int) -> dict[str, tuple[int, int]]:
        """How many boards a player has in each game: running, finished."""
        c = tables.board.c
        mine = sa.select(tables.seat.c.board).where(tables.seat.c.player_id == player_id)
        finished = sa.func.count(c.over)
        query = sa.select(c.game, sa.func.count() - finished, finished).where(c.number.in_(mine)).group_by(c.game)
        return {game: (running, over) for game, running, over in self._c.execute(query)}

    def count_active(self, game: str, player_id: int) -> int:
        """How many boards of a game a player is playing."""
        boards = sa.select(sa.func.count(tables.board.c.number.distinct())).join(tables.seat)
        mine = boards.where(
            tables.board.c.game == game, tables.board.c.over.is_(None), tables.seat.c.player_id == player_id
        )
        return int(self._c.scalar(mine) or 0)

    def numbers(self) -> list[int]:
        """The numbers of all boards."""
        return list(self._c.scalars(sa.select(tables.board.c.number).order_by(tables.board.c.number)))

    def _set_seats(self, row: BoardRow, board: Board, clocks: Sequence[Clock]) -> None:
        changed = [
            {"of": row.number, "nth": seat, "to_move": seat in board.to_move, **vars(clock)}
            for seat, clock in enumerate(clocks)
            if clock != row.clocks[seat] or (seat in board.to_move) != (seat in row.board.to_move)
        ]
        if changed:
            self._run(_SET_SEAT, changed)

    def _seats(self, numbers: list[int]) -> list[list[Any]]:
        """The seats of each of these boards: userid and whether it is to move."""
        c = tables.seat.c
        query = sa.select(c.board, tables.player.c.userid, c.to_move).join(tables.player).where(c.board.in_(numbers))
        found: dict[int, list[Any]] = {n: [] for n in numbers}
        for row in self._c.execute(query.order_by(c.board, c.seat)):
            found[row.board].append(row)
        return list(found.values())


def options_text(options: Mapping[str, str]) -> str:
    """The options of a board as they are written in a challenge."""
    return " ".join(f"-{k}={v}" if v else f"-{k}" for k, v in options.items())


def _more(waiting_since: float | None, option: str) -> list[sa.ColumnElement[bool]]:
    """Conditions that only admins ask for."""
    conditions: list[sa.ColumnElement[bool]] = []
    if waiting_since is not None:
        c = tables.seat.c
        conditions.append(tables.board.c.number.in_(sa.select(c.board).where(c.to_move, c.since <= waiting_since)))
    if option:
        words = " " + tables.board.c.variant + " "
        forms = [f" -{option} "] if "=" in option else [f" -{option} ", f" -{option}="]
        conditions.append(sa.or_(*(words.contains(form, autoescape=True) for form in forms)))
    return conditions


def _cache(board: Board, now: datetime) -> dict[str, Any]:
    """The columns of a board that can be made anew from its log."""
    return {
        "changed": now,
        "ply": board.ply,
        "length": board.length,
        "position": board.game.dump(board.position),
        "state": _dump_state(board),
    }


def _dump_state(board: Board) -> dict[str, Any]:
    offer = board.offer
    return {
        "offer": offer and [offer.kind.value, offer.seat, offer.to_ply, sorted(offer.agreed)],
        "out": list(board.out),
        "result": board.result and asdict(board.result),
    }


def _result(state: dict[str, Any]) -> Outcome | None:
    if state["result"] is None:
        return None
    return Outcome(state["result"]["reason"], tuple(state["result"]["ranks"]), tuple(state["result"]["scores"]))


def _board(row: Any, seats: int) -> Board:
    game = games.find(row.game)
    offer = row.state["offer"]
    return Board(
        Start(game, row.options, seats, row.seed, game.load(row.origin) if row.origin else None),
        game.load(row.position),
        row.ply,
        row.length,
        Offer(Kind(offer[0]), offer[1], offer[2], frozenset(offer[3])) if offer else None,
        tuple(row.state["out"]),
        _result(row.state),
    )


def _entry(row: Any) -> Entry:
    notes = tuple(Note(text, None if seats is None else frozenset(seats)) for text, seats in _list(row.notes))
    return Entry(row.seat, Kind(row.kind), row.text, row.ply, row.fixed, tuple(_list(row.missed)), notes)


def _list(text: str) -> Sequence[Any]:
    """A list of the log as it is stored; most are empty, which is quickly seen."""
    return json.loads(text) if text != "[]" else ()


def _listed(row: Any, seats: list[Any]) -> Listed:
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
        _result(row.state),
        row.settings["private"],
    )
