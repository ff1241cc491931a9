"""Boards, their seats and their logs."""

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import asdict, fields, replace
from datetime import datetime
from functools import cache
from typing import Any, TypeAlias

import sqlalchemy as sa

from pbmserv import games
from pbmserv.db import engines, tables
from pbmserv.db.pipelining.statement import AnySelect, Rows, Statement, filled, placed, places
from pbmserv.db.queries import Queries
from pbmserv.games.base import Note, Outcome, Seat
from pbmserv.games.base.before_setup import before_setup
from pbmserv.games.base.board import Board, Offer, Start
from pbmserv.games.base.log import Entry, Kind, Rounds
from pbmserv.games.base.values import at_once
from pbmserv.model import BoardRow, LeftSeat, LogLine, Player, SeatClock, Settings, receipts
from pbmserv.model.boards import SHARED, DaysOff, options_text
from pbmserv.model.rows import HasLeftSeat, Json, LockedSeat, StoredBoard, StoredEntry
from pbmserv.store.accounts.players import PLAYER_COLUMNS


def _number_of(*conditions: sa.ColumnElement[bool]) -> sa.ScalarSelect[int]:
    return sa.select(sa.func.count()).where(*conditions).scalar_subquery()


_CLOCK = tuple(f.name for f in fields(SeatClock))
_PLAYER = len(PLAYER_COLUMNS)
_BOARD = sa.select(tables.board).where(tables.board.c.number == sa.bindparam("board"))
_READ = Statement(_BOARD)
_LOCK = Statement(_BOARD.with_for_update(key_share=True))
_SEATED = (
    sa.select(*PLAYER_COLUMNS, *(tables.seat.c[name] for name in _CLOCK))
    .join(tables.seat)
    .where(tables.seat.c.board == sa.bindparam("board"))
    .order_by(tables.seat.c.seat)
)
_SEATS = Statement(_SEATED)
_A, _V, _Q, _PLAYER_ID = tables.address.c, tables.vacation.c, tables.queued.c, tables.player.c.id
_DOUBTED = sa.or_(_A.bounces > sa.literal_column("0"), _A.away.is_not(None))
#: The seats of a board that will change, with what its changes depend on besides: see `Noticed`. It counts instead of
#: asking whether there is one, because then PostgreSQL never reads a whole table.
_LOCKED_SEATS = Statement(
    _SEATED.add_columns(
        _number_of(_Q.board == tables.seat.c.board, _Q.seat == tables.seat.c.seat).label("queued"),
        _number_of(_A.player_id == _PLAYER_ID, _DOUBTED).label("doubts"),
        sa.select(sa.func.max(_V.ends)).where(_V.player_id == _PLAYER_ID).scalar_subquery().label("vacation"),
    )
)
_E = tables.entry.c
# As text: `_list` decodes them faster than the JSON type, because nearly all of these lists are empty.
_LISTS = (sa.cast(_E.missed, sa.Text).label("missed"), sa.cast(_E.notes, sa.Text).label("notes"))
_ENTRIES = (
    sa.select(_E.seat, _E.kind, _E.text, _E.ply, _E.fixed, _E.written, *_LISTS)
    .where(_E.board == sa.bindparam("board"))
    .order_by(_E.number)
)
_AFTER, _UPTO = (sa.bindparam(name, type_=sa.Integer()) for name in ("after", "upto"))
_ONLY_ENTRIES = Statement(_ENTRIES.where(_E.number > _AFTER, _E.number <= _UPTO))
_ENDLESS = 2**31 - 1
_KINDS = {kind.value: kind for kind in Kind}  #: read for each entry; `Kind(…)` takes four times as long
_NONE = "[]"  #: an empty list as JSON
_PART = ("of", "first", "last")
_LOG = Statement(_ENTRIES.where(_E.number > _AFTER).add_columns(_E.number, _E.at, _E.mail_id, _E.receipt))
_APPEND = Statement(sa.insert(tables.entry), [c.name for c in tables.entry.c])
_SET_BOARD = Statement(
    sa.update(tables.board).where(tables.board.c.number == sa.bindparam("board")),
    ("changed", "ply", "length", "position", "state", "over", "receipt"),
)
_SET_SEAT = Statement(
    sa.update(tables.seat).where(tables.seat.c.board == sa.bindparam("of"), tables.seat.c.seat == sa.bindparam("nth")),
    ("to_move", *_CLOCK),
)


#: A change of the time of a seat, see `BoardQueries.change_clocks`.
ClockChange: TypeAlias = Callable[[SeatClock, Settings, float | None, float], SeatClock]


class BoardQueries(Queries):
    """Queries about boards."""

    _expected: tuple[int, Callable[[], BoardRow | None]] | None = None

    def add(
        self,
        board: Board,
        players: Sequence[Player],
        settings: Settings,
        clocks: Sequence[SeatClock],
        now: datetime,
        origin: str | None = None,
        rematch_of: int | None = None,
        continues: LeftSeat | None = None,
        tournament: int | None = None,
        sealed: datetime | None = None,
    ) -> BoardRow:
        """Begin a board; its number is the next one of the server. `sealed`: as in `receipts.beginning`."""
        info, start, plain = board.game.info, board.start, asdict(settings)
        names = [p.userid for p in players]
        about = (info.key, info.rules, start.options, names, plain, now, start.seed, origin, continues, sealed)
        receipt = receipts.receipt_of(beginning := receipts.beginning(*about))
        values = {
            "game": info.key,
            "rules": info.rules,
            "options": dict(start.options),
            "seed": start.seed,
            "variant": options_text(start.options),
            "origin": origin,
            "rematch_of": rematch_of,
            "continues": continues and continues.board,
            "left_seat": continues,
            "tournament": tournament,
            "settings": plain,
            "created": now,
            "beginning": beginning,
            "receipt": receipt,
            **_cache(board, now),
        }
        number = self._c.execute(sa.insert(tables.board).values(values).returning(tables.board.c.number)).scalar_one()
        seats = [
            {"board": number, "seat": s, "player_id": p.id, "to_move": s in board.to_move, **_times(clocks[s])}
            for s, p in enumerate(players)
        ]
        self._c.execute(sa.insert(tables.seat), seats)
        more = tuple(clocks), rematch_of, continues, tournament, beginning, receipt
        return BoardRow(number, board, tuple(players), settings, now, now, None, *more)

    def rematch(self, number: int) -> int | None:
        """Return the number of the board that is the rematch of this one; None if there is none."""
        c = tables.board.c
        return self._c.scalar(sa.select(c.number).where(c.rematch_of == number))

    def continuation(self, number: int) -> int | None:
        """Return the number of the board on which this one goes on with a substitute; None if there is none."""
        c = tables.board.c
        return self._c.scalar(sa.select(c.number).where(c.continues == number))

    def lock(self, numbers: Iterable[int]) -> None:
        """Lock several boards in the order of their numbers, as all do: so no two transactions wait for each other."""
        padded = filled(sorted(numbers))
        if padded and not engines.has_one_writer(self._c) and not engines.only_reads(self._c):
            self._ask(_held(len(padded)), **placed("board", padded))

    def lock_running(self, player_id: int) -> list[int]:
        """Lock the running boards of a player; their numbers, the lowest first."""
        boards = sa.select(tables.seat.c.board).where(tables.seat.c.player_id == player_id)
        c = tables.board.c
        query = sa.select(c.number).where(c.number.in_(boards), c.over.is_(None)).order_by(c.number)
        return list(self._c.scalars(self._locked(query)))

    def expect(self, number: int) -> None:
        """Ask for a board that is going to be looked for, and lock it, together with what is asked next.

        Until then, nothing may change the board, or the vacations and addresses of its players.
        """
        self._expected = number, self._asked(number, lock=True)

    def find(self, number: int, *, lock: bool = True) -> BoardRow | None:
        """Return the board with this number, locked until the transaction ends. Use `lock=False` only to show it."""
        expected, self._expected = self._expected, None
        read = expected[1] if expected and expected[0] == number else self._asked(number, lock=lock)
        return read()

    def _asked(self, number: int, *, lock: bool) -> Callable[[], BoardRow | None]:
        """Ask for a board. Its seats are read after it is locked, by a statement of its own.

        A statement that has waited for a lock sees only the locked rows as they are now.
        """
        lock = lock and not engines.only_reads(self._c)
        board = self._ask(_LOCK if lock else _READ, board=number)
        seats = self._ask(_LOCKED_SEATS if lock else _SEATS, board=number)

        def read() -> BoardRow | None:
            row = next(iter(board()), None)
            if row is None:
                return None
            rows = seats()
            if lock and row.over is None:
                self._notice(number, rows)
            return _board_row(row, rows)

        return read

    def _notice(self, number: int, seats: Sequence[LockedSeat]) -> None:
        if not any(r.queued for r in seats):
            self._noticed.unqueued.add(number)
        self._noticed.ends.update((r.id, r.vacation or 0.0) for r in seats)
        self._noticed.sound.update(r.id for r in seats if not r.doubts)

    def find_many(self, numbers: Collection[int]) -> dict[int, BoardRow]:
        """Return these boards by their numbers, only to show them."""
        if not numbers:
            return {}
        padded, seats = filled(sorted(numbers)), dict[int, Rows]()
        for seat in self._rows(_seats_of_many(len(padded)), **placed("board", padded)):
            seats.setdefault(seat.board, []).append(seat)
        rows = self._rows(_boards(len(padded)), **placed("board", padded))
        return {row.number: _board_row(row, [seat[1:] for seat in seats[row.number]]) for row in rows}

    def ends_of_logs(self, parts: Collection[tuple[int, int, int]]) -> dict[int, list[Entry]]:
        """Return parts of logs by the numbers of their boards. Each part: a board, and the first and last entry.

        The first entry of a log has the number 1. No board may have two parts.
        """
        entries: dict[int, list[Entry]] = {board: [] for board, _, _ in parts}
        if parts:
            padded = filled(parts)
            values = {f"{name}{i}": part[n] for i, part in enumerate(padded) for n, name in enumerate(_PART)}
            for row in self._rows(_parts(len(padded)), **values):
                entries[row.board].append(_entry(row))
        return entries

    def entries(self, number: int, after: int = 0, upto: int = _ENDLESS) -> list[Entry]:
        """The log of a board, without times and causes: what came after its first `after` entries, up to `upto`."""
        return [_entry(r) for r in self._rows(_ONLY_ENTRIES, board=number, after=after, upto=upto)]

    def log(self, number: int, after: int = 0) -> list[LogLine]:
        """The log of a board: what came after its first `after` entries."""
        rows = self._rows(_LOG, board=number, after=after)
        return [LogLine(r.number, _entry(r), r.at, r.mail_id, r.receipt) for r in rows]

    def append(
        self, row: BoardRow, entry: Entry, board: Board, clocks: Sequence[SeatClock], mail_id: int | None, now: datetime
    ) -> BoardRow:
        """Add an entry to the log, with its receipt, and write the board and the times of its seats after it."""
        number, kind = board.length, entry.kind.value
        sealed = receipts.seal(receipts.salt(board.start.seed, number), entry.text)
        receipt = receipts.next_receipt(row.receipt, row.number, number, entry.seat, kind, sealed, entry.ply, now)
        values = {
            "board": row.number,
            "number": number,
            "at": now,
            "mail_id": mail_id,
            "receipt": receipt,
            "seat": entry.seat,
            "kind": kind,
            "text": entry.text,
            "written": entry.written or None,
            "ply": entry.ply,
            "fixed": entry.fixed,
            "missed": list(entry.missed),
            "notes": [[n.text, None if n.seats is None else sorted(n.seats)] for n in entry.notes],
        }
        self._run(_APPEND, values)
        over = now if board.result else None
        self._run(_SET_BOARD, {**_cache(board, now), "over": over, "receipt": receipt, "board": row.number})
        self._set_seats(row, board, clocks)
        return replace(row, board=board, changed=now, over=over, clocks=tuple(clocks), receipt=receipt)

    def set_clock(self, number: int, seat: Seat, clock: SeatClock) -> None:
        """Write the time of one seat."""
        here = sa.update(tables.seat).where(tables.seat.c.board == number, tables.seat.c.seat == seat)
        self._c.execute(here.values(_times(clock)))

    def leave_out(
        self, change: ClockChange, begin: float, seconds: float, now: float, game: tuple[str, int] | None = None
    ) -> None:
        """Leave out so many seconds after `begin` for all running turns, or those of one game: its key and rules.

        If they are negative, it is so much earlier than everybody thought. `now`: the time now, for vacations; it can
        be minutes after `begin + seconds`. `change` does it for one seat, see `change_clocks`. Turns that nothing holds
        up, which are nearly all, only begin and end so much later, so one statement moves them.
        """
        c, running = tables.seat.c, sa.and_(tables.seat.c.since.is_not(None), self._running(game))
        may_stand = sa.or_(
            *(c.rest != "", c.paused.is_not(None), c.board.in_(_with_few_vacations())),
            _vacations(now).where(tables.vacation.c.ends > begin + min(seconds, 0.0)).exists(),
        )
        self._hold_boards(running)
        self._change_clocks(change, now, sa.and_(running, may_stand))
        whole = sa.update(tables.seat).where(running, ~may_stand)
        self._c.execute(whole.values(since=c.since + seconds, due=c.due + seconds))

    def change_clocks(self, change: ClockChange, now: float, player_id: int) -> None:
        """Change the times of a player's running turns, one by one.

        `change` gets the time of a seat, the settings of its board, the end of the last vacation of its player that
        began until `now`, and when the board began.
        """
        c = tables.seat.c
        running = sa.and_(c.since.is_not(None), c.player_id == player_id)
        self._hold_boards(running)
        self._change_clocks(change, now, running)

    def _change_clocks(self, change: ClockChange, now: float, which: sa.ColumnElement[bool]) -> None:
        c, b = tables.seat.c, tables.board.c
        times = [c[name] for name in _CLOCK]
        last = _vacations(now).with_only_columns(sa.func.max(tables.vacation.c.ends)).scalar_subquery()
        query = sa.select(c.board, c.seat, c.to_move, b.settings, b.created, last.label("ends"), *times)
        changed = []
        for row in self._c.execute(query.join_from(tables.seat, tables.board).where(which, b.over.is_(None))).all():
            clock = change(_clock(row[6:]), Settings(**row.settings), row.ends, row.created.timestamp())
            changed.append({"of": row.board, "nth": row.seat, "to_move": row.to_move, **_times(clock)})
        if changed:
            self._run(_SET_SEAT, changed)

    def with_few_vacations(self, player_id: int) -> list[tuple[int, Settings, float]]:
        """Return the running boards of a player that allow few days of vacation: number, settings, when it began."""
        c, b = tables.seat.c, tables.board.c
        query = sa.select(b.number, b.settings, b.created).join_from(tables.seat, tables.board)
        own = query.where(c.player_id == player_id, b.over.is_(None), b.settings["vacation"].as_string().is_not(None))
        terms = {r.number: (Settings(**r.settings), r.created.timestamp()) for r in self._c.execute(own)}
        return [(number, *terms[number]) for number in sorted(terms)]

    def _running(self, game: tuple[str, int] | None) -> sa.ColumnElement[bool]:
        """Return the condition that a seat belongs to a running board. Most seats belong to boards that are over."""
        b = tables.board.c
        running = sa.select(b.number).where(b.over.is_(None))
        return tables.seat.c.board.in_(running.where(b.game == game[0], b.rules == game[1]) if game else running)

    def _hold_boards(self, seats: sa.ColumnElement[bool]) -> None:
        b = tables.board.c
        self._hold(
            sa.select(b.number).where(b.number.in_(sa.select(tables.seat.c.board).where(seats))).order_by(b.number)
        )

    def set_result(self, row: BoardRow) -> None:
        """Write the rank and score of each seat of a finished board, and the number of this ending on the server."""
        self.lock_endings()
        count = sa.select(sa.func.coalesce(sa.func.max(tables.board.c.ending), 0) + 1).scalar_subquery()
        self._c.execute(sa.update(tables.board).where(tables.board.c.number == row.number).values(ending=count))
        self.correct_result(row)

    def correct_result(self, row: BoardRow) -> None:
        """Write rank and score of each seat of a finished board again. Its place in the order of ends stays."""
        result = row.board.result
        if result is None:
            raise ValueError("the board is not over")
        for seat, rank in enumerate(result.ranks):
            score = result.scores[seat] if result.scores else None
            here = sa.update(tables.seat).where(tables.seat.c.board == row.number, tables.seat.c.seat == seat)
            self._c.execute(here.values(rank=rank, score=score))

    def reopen(self, number: int) -> None:
        """Let a finished board run again: erase its ranks, scores and ratings. Later ends move up by one."""
        self.lock_endings()
        c = tables.board.c
        was = self._c.execute(sa.select(c.ending).where(c.number == number)).scalar_one()
        self._c.execute(sa.update(tables.board).where(c.number == number).values(ending=None))
        self._c.execute(sa.update(tables.board).where(c.ending > was).values(ending=c.ending - 1))
        nothing = {"rank": None, "score": None, "mu_before": None, "mu_after": None}
        self._c.execute(sa.update(tables.seat).where(tables.seat.c.board == number).values(nothing))

    def lock_endings(self) -> None:
        """Let no other board end until this transaction ends, because ratings depend on the order of the ends."""
        self._take_turns("endings")

    def _set_seats(self, row: BoardRow, board: Board, clocks: Sequence[SeatClock]) -> None:
        """Write the seats that have changed."""
        changed = [
            {"of": row.number, "nth": seat, "to_move": seat in board.to_move, **_times(clock)}
            for seat, clock in enumerate(clocks)
            if clock != row.clocks[seat] or (seat in board.to_move) != (seat in row.board.to_move)
        ]
        if changed:
            self._run(_SET_SEAT, changed)


def _with_few_vacations() -> AnySelect:
    """The running boards of tournaments, and others with their settings: rematches of them, or imported ones."""
    b = tables.board.c
    return sa.select(b.number).where(b.settings["vacation"].as_string().is_not(None), b.over.is_(None))


def _vacations(now: float) -> AnySelect:
    """The vacations of a seat's player that began until now."""
    v = tables.vacation.c
    return sa.select(v.ends).where(v.player_id == tables.seat.c.player_id, v.begins <= now)


@cache
def _held(count: int) -> Statement:
    c = tables.board.c
    held = sa.select(c.number).where(c.number.in_(places("board", count))).order_by(c.number)
    return Statement(held.with_for_update(key_share=True))


@cache
def _boards(count: int) -> Statement:
    return Statement(sa.select(tables.board).where(tables.board.c.number.in_(places("board", count))))


@cache
def _seats_of_many(count: int) -> Statement:
    c = tables.seat.c
    seats = sa.select(c.board, *PLAYER_COLUMNS, *(c[name] for name in _CLOCK)).join(tables.seat)
    return Statement(seats.where(c.board.in_(places("board", count))).order_by(c.board, c.seat))


@cache
def _parts(count: int) -> Statement:
    """Parts of logs. Each has three parameters, named as in _PART and numbered."""
    integer = sa.Integer()
    bounds = ([sa.bindparam(f"{name}{i}", type_=integer) for name in _PART] for i in range(count))
    parts = sa.union(*(sa.select(*(b.label(n) for b, n in zip(bound, _PART, strict=True))) for bound in bounds))
    part = parts.subquery("part").c
    query = sa.select(_E.board, _E.seat, _E.kind, _E.text, _E.ply, _E.fixed, _E.written, *_LISTS)
    return Statement(
        query.where(_E.board == part.of, _E.number.between(part.first, part.last)).order_by(_E.board, _E.number)
    )


def _board_row(row: StoredBoard, seats: Rows) -> BoardRow:
    """Make a board from its row and those of its seats."""
    players = tuple(Player(*r[:_PLAYER]) for r in seats)
    clocks = tuple(_clock(r[_PLAYER : _PLAYER + len(_CLOCK)]) for r in seats)
    board, settings = _board(row, len(players)), Settings(**row.settings)
    times = row.created, row.changed, row.over
    origin, chain = (row.rematch_of, left_seat(row), row.tournament), (row.beginning, row.receipt)
    return BoardRow(row.number, board, players, settings, *times, clocks, *origin, *chain)


def _clock(columns: Sequence[Any]) -> SeatClock:
    """Make the time of a seat from its columns, in the order of _CLOCK."""
    return SeatClock(*[*columns[:-1], DaysOff.of(columns[-1])])


def _times(clock: SeatClock) -> dict[str, object]:
    """Return the columns of the time of a seat."""
    return {**vars(clock), "rest": str(clock.rest)}


def left_seat(row: HasLeftSeat) -> LeftSeat | None:
    """Return the seat in the column `left_seat` of a board or a seek; None if there is none."""
    return LeftSeat(*row.left_seat) if row.left_seat else None


def _cache(board: Board, now: datetime) -> dict[str, object]:
    """Return the columns of a board that can be computed from its log."""
    return {
        "changed": now,
        "ply": board.ply,
        "length": board.length,
        "position": board.game.dump(board.position),
        "state": _dump_state(board),
    }


def _dump_state(board: Board) -> dict[str, object]:
    """Return the column `state`: the parts of a board that are not in its position."""
    offer = board.offer
    return {
        "offer": offer and [offer.kind.value, offer.seat, offer.to_ply, sorted(offer.agreed)],
        "out": list(board.out),
        **({"together": sorted(board.together)} if board.together else {}),
        "result": board.result and asdict(board.result),
        "rounds": board.rounds and [board.rounds.count, board.rounds.last],
        **({"seen": board.seen} if board.seen else {}),
        **({"words": list(board.words), "waits": board.waits} if board.words else {}),
    }


def result_of(state: Json) -> Outcome | None:
    """Return how a board ended, from its column `state`; None while it runs."""
    if state["result"] is None:
        return None
    return Outcome(state["result"]["reason"], tuple(state["result"]["ranks"]), tuple(state["result"]["scores"]))


def _board(row: StoredBoard, seats: int) -> Board:
    game = games.find(row.game, row.rules)
    offer, origin = row.state["offer"], game.load(row.origin) if row.origin else None
    repetition, shared = row.settings.get("repetition", 0), row.settings.get("dice") == SHARED
    waits = row.state.get("waits", False)
    return Board(
        Start(game, row.options, seats, row.seed, origin, repetition, shared),
        (before_setup(game) if waits else game).load(row.position),
        row.ply,
        row.length,
        Offer(Kind(offer[0]), offer[1], offer[2], frozenset(offer[3])) if offer else None,
        tuple(row.state["out"]),
        result_of(row.state),
        Rounds(*counted) if (counted := row.state.get("rounds")) else None,
        row.state.get("seen", ""),
        tuple(row.state.get("words", ())),
        frozenset(row.state.get("together", ())),
        waits,
    )


def _entry(row: StoredEntry) -> Entry:
    return at_once(
        Entry,
        seat=row.seat,
        kind=_KINDS[row.kind],
        text=row.text,
        ply=row.ply,
        fixed=row.fixed,
        missed=_list(row.missed),
        notes=tuple([_note(*note) for note in _list(row.notes)]) if row.notes != _NONE else (),
        joins=False,
        written=row.written or "",
    )


def _note(text: str, seats: Collection[Seat] | None) -> Note:
    return Note(text, None if seats is None else frozenset(seats))


def _list(text: str) -> tuple[Any, ...]:
    """Decode a list stored as JSON. Most are empty and need no parser."""
    return tuple(json.loads(text)) if text != _NONE else ()
