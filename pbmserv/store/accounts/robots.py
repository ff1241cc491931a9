"""Accounts that this server plays itself, and the turns that wait for them."""

from collections.abc import Collection, Sequence
from datetime import datetime

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import Queries
from pbmserv.games.base import Seat
from pbmserv.model import Player, Robot
from pbmserv.model.players import WaitingTurn
from pbmserv.store.accounts.players import PLAYER_COLUMNS


class RobotQueries(Queries):
    """Queries about robots."""

    def add(
        self,
        player_id: int,
        game: str,
        level: int,
        boards: int,
        engine: str | None = None,
        elo: int | None = None,
        nodes: int | None = None,
    ) -> None:
        """Make an account a robot."""
        p = tables.player
        self._c.execute(sa.update(p).where(p.c.id == player_id).values(robot=True))
        values = {"player_id": player_id, "game": game, "level": level, "boards": boards, "paused": False}
        self._c.execute(sa.insert(tables.robot).values(**values, engine=engine, elo=elo, nodes=nodes))

    def remove(self, player_id: int) -> None:
        """Let this server play an account no longer."""
        self._c.execute(sa.delete(tables.robot).where(tables.robot.c.player_id == player_id))

    def declare(self, player_id: int, is_robot: bool) -> None:
        """Mark an account that a program of its owner plays, or take the mark back."""
        p = tables.player
        self._c.execute(sa.update(p).where(p.c.id == player_id).values(robot=is_robot))

    def rated_board(self, player_id: int, *, against_robots: bool) -> int | None:
        """Return the number of a running rated board of a player, perhaps only of those with robots; None: no such."""
        s, b, p = tables.seat.c, tables.board.c, tables.player.c
        query = sa.select(sa.func.min(b.number)).join(tables.seat, s.board == b.number)
        boards = query.where(s.player_id == player_id, b.over.is_(None), b.settings["rated"].as_boolean())
        if against_robots:
            theirs = tables.seat.alias()
            other = sa.select(theirs.c.seat).join(tables.player, p.id == theirs.c.player_id)
            boards = boards.where(sa.exists(other.where(theirs.c.board == b.number, p.id != player_id, p.robot)))
        number = self._c.scalar(boards)
        return None if number is None else int(number)

    def pause(self, player_id: int, paused: bool) -> None:
        """Let a robot rest, or go on. Its time limits go on in any case."""
        c = tables.robot.c
        self._c.execute(sa.update(tables.robot).where(c.player_id == player_id).values(paused=paused))

    def find(self, player_id: int) -> Robot | None:
        """Return the robot with the number of this account."""
        return next(iter(self._robots(tables.robot.c.player_id == player_id)), None)

    def all(self, game: str = "") -> list[Robot]:
        """Return all robots, or those of a game, by game and level."""
        return self._robots(tables.robot.c.game == game if game else sa.true())

    def among(self, player_ids: Sequence[int]) -> list[Robot]:
        """Return the robots among these accounts."""
        return self._robots(tables.robot.c.player_id.in_(player_ids))

    def waiting(self, now: float, since: float, limit: int, *, engines: bool = True) -> list[WaitingTurn]:
        """Return turns of robots that have begun before `since`, and that no process has taken.

        Without `engines`, only turns of those robots that think by themselves.

        Accounts with the same confirmed address are one opponent. First comes one turn of each, then the second:
        those of low levels first, then the oldest. Before them come seats that were asked about a proposal before
        `since`, and turns of processes that were killed.
        """
        s, r, t, other = tables.seat.c, tables.robot.c, tables.thinking.c, tables.seat.alias()
        first = sa.select(sa.func.min(other.c.player_id)).where(other.c.board == s.board, other.c.seat != s.seat)
        account = first.correlate(tables.seat).scalar_subquery()
        opponent = sa.func.coalesce(_person(account), account, s.player_id)
        seats = sa.select(s.board, s.seat, r.level, opponent.label("opponent"), s.since).join(
            tables.robot, r.player_id == s.player_id
        )
        seats = seats.where(~r.paused, sa.true() if engines else r.engine.is_(None))
        left = seats.join(tables.thinking, sa.and_(t.board == s.board, t.seat == s.seat)).where(t.until <= since)
        taken = sa.exists().where(t.board == s.board, t.until > now)
        turn = seats.where(sa.literal_column("seat.to_move"), s.since <= since, ~taken).subquery().c
        place = sa.func.row_number().over(partition_by=turn.opponent, order_by=(turn.level, turn.since))
        turns = sa.select(*turn).order_by(place, turn.level, turn.since)
        rows = (row for query in (left.order_by(t.until), turns) for row in self._c.execute(query.limit(limit)))
        return [WaitingTurn(*row) for row in dict.fromkeys(tuple(row)[:-1] for row in rows)]

    def longest_wait(self) -> float | None:
        """Return since when a turn of a robot that is not paused waits longest (since 1970); None: none does."""
        s, r = tables.seat.c, tables.robot.c
        waits = sa.select(sa.func.min(s.since)).join(tables.robot, r.player_id == s.player_id)
        first = self._c.scalar(waits.where(~r.paused, sa.literal_column("seat.to_move")))
        return None if first is None else float(first)

    def ask(self, board: int, seats: Collection[Seat], now: float) -> None:
        """Let the robots among the players in these seats answer a proposal, though it may be another's turn."""
        s, t = tables.seat.c, tables.thinking
        of_robots = sa.select(s.seat).join(tables.robot, tables.robot.c.player_id == s.player_id)
        for seat in self._c.scalars(of_robots.where(s.board == board, s.seat.in_(seats))).all():
            asked = self._insert(t).values(board=board, seat=seat, until=now)
            self._c.execute(asked.on_conflict_do_nothing(index_elements=["board", "seat"]))

    def take(self, turn: WaitingTurn, now: float, until: float) -> bool:
        """Take a turn until a time, unless a process has one of its board. Lock the board before. Returns success."""
        t = tables.thinking.c
        others = sa.select(t.seat).where(t.board == turn.board, t.seat != turn.seat, t.until > now)
        if self._c.scalar(others.limit(1)) is not None:
            return False
        keys = {"board": turn.board, "seat": turn.seat}
        statement = self._insert(tables.thinking).values(**keys, until=until)
        taken = statement.on_conflict_do_update(index_elements=list(keys), set_={"until": until}, where=t.until <= now)
        return self._c.execute(taken.returning(t.board)).first() is not None

    def put_off(self, turn: WaitingTurn, until: float) -> None:
        """Let a turn that a process has taken be taken again at a time, or when its lease ends if that is earlier."""
        t = tables.thinking
        own = (t.c.board == turn.board, t.c.seat == turn.seat, t.c.until > until)
        self._c.execute(sa.update(t).where(*own).values(until=until))

    def give_back(self, turn: WaitingTurn) -> None:
        """Forget that a process has taken a turn."""
        t = tables.thinking.c
        self._c.execute(sa.delete(tables.thinking).where(t.board == turn.board, t.seat == turn.seat))

    def shared_boards(self, robot_id: int, player_id: int, *, hold: bool = False) -> int:
        """Return how many running boards a robot has with a player.

        With `hold`, other transactions that count those of the player with `hold` wait until ours ends.
        """
        if hold:
            self._take_turns(f"robots of {player_id}")
        own, theirs, b = tables.seat.alias(), tables.seat.alias(), tables.board.c
        joined = own.join(theirs, theirs.c.board == own.c.board).join(tables.board, b.number == own.c.board)
        query = sa.select(sa.func.count(b.number.distinct())).select_from(joined)
        both = query.where(own.c.player_id == robot_id, theirs.c.player_id == player_id, b.over.is_(None))
        return int(self._c.scalar(both) or 0)

    def newest_board(self, robot_id: int) -> tuple[bool, datetime] | None:
        """Return whether the newest board of a robot is still running, and when it began; None if it has none."""
        b, s = tables.board.c, tables.seat.c
        query = sa.select(b.over.is_(None), b.created).join(tables.seat, s.board == b.number)
        row = self._c.execute(query.where(s.player_id == robot_id).order_by(s.board.desc()).limit(1)).first()
        return (bool(row[0]), row[1]) if row else None

    def last_seat(self, robot_id: int, player_id: int, game: str) -> Seat | None:
        """Return the seat that a player had on the last rated board of a game with a robot; None before the first.

        A board that ended without counting, because somebody declined it, is none.
        """
        own, theirs, b = tables.seat.alias(), tables.seat.alias(), tables.board.c
        joined = own.join(theirs, theirs.c.board == own.c.board).join(tables.board, b.number == own.c.board)
        query = sa.select(theirs.c.seat).select_from(joined).order_by(b.number.desc()).limit(1)
        both = query.where(own.c.player_id == robot_id, theirs.c.player_id == player_id, b.game == game)
        counts = sa.or_(b.over.is_(None), theirs.c.mu_after.is_not(None))
        seat = self._c.scalar(both.where(b.settings["rated"].as_boolean(), counts))
        return None if seat is None else int(seat)

    def _robots(self, condition: sa.ColumnElement[bool]) -> list[Robot]:
        r, p, columns = tables.robot.c, tables.player.c, len(PLAYER_COLUMNS)
        query = sa.select(*PLAYER_COLUMNS, r.game, r.level, r.boards, r.paused, r.engine, r.elo, r.nodes).join(
            tables.robot, r.player_id == p.id
        )
        rows = self._c.execute(query.where(condition).order_by(r.game, r.level, p.userid))
        return [Robot(Player(*row[:columns]), *row[columns:]) for row in rows]


def _person(account: sa.ScalarSelect[int]) -> sa.ScalarSelect[int]:
    """Return the first of all accounts with a confirmed address of this one; NULL if it has none."""
    own, same = tables.address.alias().c, tables.address.alias().c
    joined = sa.select(sa.func.min(same.player_id)).where(same.folded == own.folded, same.confirmed.is_not(None))
    return joined.where(own.player_id == account, own.confirmed.is_not(None)).scalar_subquery()
