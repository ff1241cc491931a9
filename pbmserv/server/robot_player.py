"""The role `robots`: takes turns of robots one after the other, thinks, and hands the moves to the pipeline as mails.

A mail of a robot answers the letter that nobody sends to it: its recipient is the signed address of board, seat and
length of the log. So nothing else can come of it than of the answer of a player. If this process is killed, the turn is
taken again after its lease. If two processes answer, the second answer is to an old letter, and nothing happens.
"""

import asyncio
import threading
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime
from secrets import token_hex
from typing import Any, NamedTuple

import structlog
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from pbmserv.boards import with_robots
from pbmserv.db import engines
from pbmserv.db.trouble import TROUBLE, driver_message
from pbmserv.games.base import Seat, View
from pbmserv.games.base.board import Board, film
from pbmserv.games.base.log import Entry, Kind, standing_places
from pbmserv.inbox.pipeline import Pipeline
from pbmserv.letters.site import Site
from pbmserv.letters.text.times import utc_now
from pbmserv.mail.envelope import ACCEPTED, Incoming, MailStatus
from pbmserv.mail.outbound import NOWHERE
from pbmserv.model import BoardRow, Robot
from pbmserv.model.players import WaitingTurn
from pbmserv.rng import Rng
from pbmserv.robots import by_engine, thinking
from pbmserv.robots.engines import Engines, PlayedSoFar, Strength
from pbmserv.robots.manners import Situation, answer, any_move
from pbmserv.robots.thinking import AnyProblem
from pbmserv.server.chores.reviewer import Reviewer
from pbmserv.store import Store

log = structlog.get_logger()

EVERY = 2.0  #: seconds between two looks for turns, while there are none
REST = 10.0  #: seconds that a robot waits before it answers, so that no mailbox is flooded
LEASE = 120.0  #: seconds for which a process has a turn or a review; the highest level needs ten
NICE = 10  #: how much less important than others this process is for the machine
ALONE_LOOK = 600.0  #: seconds between two looks whether a robot of a solitaire begins a board
_FIRST = 10.0  #: seconds between two looks whether there are robots at all
_AGAIN = 5.0  #: seconds until a turn is taken again whose answer the database could not take
_MOST_TRIES = 3  #: for one turn, if others do something on the board meanwhile
_AT_ONCE = 8  #: turns among which a process looks for one that is free


class Pace(NamedTuple):
    """How long a robot rests before it answers, and how long a process has a turn, in seconds."""

    rest: float = REST
    lease: float = LEASE


USUAL = Pace()


class _NotNow(Exception):
    """The pipeline cannot take an answer now, for example because the database is busy."""


async def until_there_are_robots(engine: Engine) -> None:
    """Wait for the first robot of this server, or the first review. Until then no process for robots is needed."""

    def look() -> bool:
        with engine.execution_options(**engines.READ_ONLY).connect() as connection:
            store = Store(connection)
            return bool(store.robots.all()) or store.reviews.is_asked()

    while True:
        with suppress(SQLAlchemyError):
            if await asyncio.to_thread(look):
                return
        await asyncio.sleep(_FIRST)


@dataclass(frozen=True)
class _Task:
    """A turn with all that a robot may know. `length`: of the log of its board."""

    turn: WaitingTurn
    robot: Robot
    length: int
    situation: Situation


class Robots:
    """Makes the moves of robots."""

    def __init__(
        self,
        engine: Engine,
        site: Site,
        pipeline: Pipeline,
        now: Callable[[], datetime] = utc_now,
        pace: Pace = USUAL,
        engines: Engines | None = None,
    ) -> None:
        """`engines`: those of others; None: another process plays for the robots that need one, and reviews boards."""
        self._engine = engine
        self._site = site
        self._pipeline = pipeline
        self._now = now
        self._pace = pace
        self._engines = engines
        self._ended = asyncio.Event()
        self._writing = threading.Lock()  # held while something is written, so that the process can end in between
        self._reviewer = (
            Reviewer(engine, site, now, self._writing, engines, pace.lease) if engines is not None else None
        )
        self._turn: WaitingTurn | None = None  # the one in hand; also while the database cannot take the answer
        self._served = dict[
            int, int
        ]()  # opponent -> the number of the last turn, among those of this process, against that opponent
        self._next_alone = 0.0  # when to look for robots of solitaires again

    async def run(self) -> None:
        """Play until `stop`. It does not wait for a robot that is thinking: its turn is taken again later."""
        ended: asyncio.Future[bool] = asyncio.ensure_future(self._ended.wait())
        while not ended.done():
            played = _in_daemon(self.play)
            await asyncio.wait([played, ended], return_when=asyncio.FIRST_COMPLETED)
            if not played.done():
                break
            try:
                if played.result():
                    continue
            except Exception as error:
                # The database may be down; the next look tries again.
                TROUBLE.log(log, "robots failed", error, **driver_message(error))
            await asyncio.wait([ended], timeout=EVERY)
        await asyncio.to_thread(self._give_up)
        if self._engines:
            self._engines.close()

    def stop(self) -> None:
        """End at once, but finish what is being written."""
        self._ended.set()

    def play(self) -> bool:
        """Take one turn and make its move; without one, go on with a review.

        Returns whether there was anything to do. Raises the errors of the database.
        """
        if self._turn is not None:
            self._put_off(self._turn)
        turn = self._take()
        if turn is None:
            return self._begin_alone() or (self._reviewer is not None and self._reviewer.step())
        try:
            task = self._look(turn)
            done = task is None or self._respond(task)
        except _NotNow:
            return False
        except Exception as bug:
            if engines.is_down(bug):
                raise
            log.exception("robot stumbled", board=turn.board, seat=turn.seat)
            done = False
        if done:
            self._give_back(turn)
        else:  # the turn stays taken until its lease ends, so that a bug in one game holds up no other board
            self._turn = None
        return True

    def _begin_alone(self) -> bool:
        """Begin boards for robots of solitaires. One process looks at a time, and not each time."""
        now = self._now()

        def begin(connection: Connection, _: bool) -> bool:
            store = Store(connection)
            is_ours = store.operations.lease("robots alone", now.timestamp(), ALONE_LOOK)
            return is_ours and bool(with_robots.play_alone(store, self._site.games, now))

        if now.timestamp() < self._next_alone:
            return False
        self._next_alone = now.timestamp() + ALONE_LOOK
        with self._writing:
            return engines.transact(self._engine, begin)

    def _respond(self, task: _Task) -> bool:
        """Think and answer. If the answer is not understood, any move does, so that no board stands still.

        Returns whether the answer was carried out, or none is needed any more. Raises _NotNow.
        """
        for _ in range(_MOST_TRIES):
            status = self._answer(task, self._decide(task))
            if status in (MailStatus.DONE, MailStatus.SHELVED):
                return status == MailStatus.DONE
            again = self._look(task.turn)
            if again is None:
                return True
            if again.length == task.length:
                return (
                    self._answer(again, any_move(again.situation, Rng(token_hex(16), again.length))) == MailStatus.DONE
                )
            task = again  # somebody was faster, and perhaps asks for something else
        return False

    def _decide(self, task: _Task) -> str:
        """Return what the robot answers. It has its own random numbers, and never those of the board."""
        rng, robot, engine = Rng(token_hex(16), task.situation.ply), task.robot, None
        if self._engines and robot.engine:
            engine = by_engine.chooser(self._engines, robot.engine, Strength(robot.elo, robot.nodes))
        line = answer(task.situation, robot.level, rng, engine)
        if self._engines and (news := self._engines.news()):
            self._note(news, self._engines.names)
        return line

    def _note(self, news: Mapping[str, str], known: Collection[str]) -> None:
        """Store what an operator should know of engines. If the database cannot take it, it is in the log."""

        def note(connection: Connection, _: bool) -> None:
            Store(connection).operations.note_engines(news, known, self._now().timestamp())

        with self._writing, suppress(SQLAlchemyError):
            engines.transact(self._engine, note)

    def _give_up(self) -> None:
        """Wait until nothing is being written, let nothing more be written, and leave a turn in hand to others."""
        self._writing.acquire()
        if self._turn is not None:
            with suppress(SQLAlchemyError):
                turn = self._turn
                engines.transact(self._engine, lambda connection, _: Store(connection).robots.give_back(turn))

    def _take(self) -> WaitingTurn | None:
        """Take a turn that no other process has: one of the opponent who has waited for most turns of others."""
        now = self._now().timestamp()
        with self._engine.execution_options(**engines.READ_ONLY).connect() as connection:
            with_engines = self._engines is not None
            turns = Store(connection).robots.waiting(now, now - self._pace.rest, _AT_ONCE, engines=with_engines)
        waiting = sorted(turns, key=lambda turn: self._served.get(turn.opponent, 0))

        def take(connection: Connection, _: bool) -> WaitingTurn | None:
            store = Store(connection)
            store.boards.lock({turn.board for turn in waiting})
            return next((turn for turn in waiting if store.robots.take(turn, now, now + self._pace.lease)), None)

        if not waiting:
            return None
        with self._writing:
            self._turn = engines.transact(self._engine, take)
        if self._turn:
            self._served[self._turn.opponent] = max(self._served.values(), default=0) + 1
        return self._turn

    def _put_off(self, turn: WaitingTurn) -> None:
        """Leave a turn alone for a moment, so that others are not held up."""
        until = self._now().timestamp() + _AGAIN
        with self._writing:
            engines.transact(self._engine, lambda connection, _: Store(connection).robots.put_off(turn, until))
            self._turn = None

    def _give_back(self, turn: WaitingTurn) -> None:
        with self._writing:
            engines.transact(self._engine, lambda connection, _: Store(connection).robots.give_back(turn))
            self._turn = None

    def _look(self, turn: WaitingTurn) -> _Task | None:
        """Read the board; None if the robot is no longer asked anything."""
        with self._engine.execution_options(**engines.READ_ONLY).connect() as connection:
            store = Store(connection)
            row = store.boards.find(turn.board, lock=False)
            if row is None or turn.seat not in row.board.to_move | row.board.to_answer:
                return None
            entries = store.boards.entries(turn.board)
            robot = store.robots.find(row.players[turn.seat].id)
        return _Task(turn, robot, row.board.length, _situation(row, entries, turn.seat)) if robot else None

    def _answer(self, task: _Task, line: str) -> str:
        """Answer the robot's letter by a line; return the mail's status, `done` if carried out. Raises _NotNow."""
        turn, length, player = task.turn, task.length, task.robot.player
        to = self._site.signer.answer(turn.board, turn.seat, length, player.epoch)
        mail = EmailMessage()
        mail["From"] = f"{player.userid}@{NOWHERE}"
        mail["To"] = to
        mail["Date"] = format_datetime(self._now())
        # No two have the same one, so that one that was not understood does not stand in the way of the next.
        mail["Message-ID"] = f"<{turn.board}.{turn.seat}.{length}.{token_hex(8)}@{NOWHERE}>"
        mail["Subject"] = f"Board {turn.board}"
        mail.set_content(f"{line}\n")
        incoming = Incoming(mail.as_bytes(), f"{player.userid}@{NOWHERE}", (to,), "")
        with self._writing:
            (reply,) = self._pipeline.handle([self._pipeline.prepare(incoming)])
        if reply != ACCEPTED:
            raise _NotNow
        status = incoming.progress.status
        if status != "done":
            log.warning("robot's answer not taken", board=turn.board, answer=line, status=status)
        return status


def _in_daemon(work: Callable[[], bool]) -> asyncio.Future[bool]:
    """Run something in a thread that the end of this process does not wait for."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[bool] = loop.create_future()

    def tell(result: bool, error: Exception | None) -> None:
        if error:
            future.set_exception(error)
        else:
            future.set_result(result)

    def run() -> None:
        result, error = False, None
        try:
            result = work()
        except Exception as e:
            error = e
        with suppress(RuntimeError):  # the loop is closed: nobody wants to know any more
            loop.call_soon_threadsafe(tell, result, error)

    threading.Thread(target=run, name="robot", daemon=True).start()
    return future


def _situation(row: BoardRow, entries: Sequence[Entry], seat: Seat) -> Situation:
    """Return what the robot of a seat may know: neither the seed of the board, nor what is hidden from the seat."""
    board, start = row.board, row.board.start
    boards = () if row.game.info.hidden else tuple(film(start, entries))
    views = [row.game.view(past.position, seat) for past in boards]
    keys = [thinking.key_of(row.game, past.position) for past in views]
    view = board.game.view(board.position, seat)
    moves = tuple((entries[place].seat, entries[place].text) for place in standing_places(entries))
    record = PlayedSoFar(row.game, start.options, [past.position for past in boards], moves) if boards else None
    problem = thinking.Problem(board.game, view, start.options, start.seats, frozenset(keys), record)
    last = _turn_before(boards, seat) if start.seats == 2 else None
    return Situation(
        problem,
        is_turn=seat in board.to_move,
        offer=board.offer.kind if board.offer and seat in board.to_answer else None,
        rated=row.settings.rated,
        undos=sum(entry.kind is Kind.UNDO and entry.seat != seat for entry in entries),
        ply=board.ply,
        came_back=bool(keys) and keys[-1] in keys[:-1],
        before=None if last is None else _earlier(problem, views[last], frozenset(keys[: last + 1]), last),
    )


def _earlier(problem: AnyProblem, view: View[Any], past: frozenset[Hashable], ply: int) -> AnyProblem:
    """Return what the same robot knew after so many plies."""
    return problem._replace(view=view, past=past, record=problem.record and problem.record.until(ply))


def _turn_before(boards: Sequence[Board], seat: Seat) -> int | None:
    """Return at which ply a seat had its turn before the opponent moved last; None if it had none."""
    others = [ply for ply, board in enumerate(boards) if seat not in board.to_move]
    return max((ply for ply in range(others[-1]) if seat in boards[ply].to_move), default=None) if others else None
