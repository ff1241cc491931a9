"""The role `robots`: takes turns of robots one after the other, thinks, and hands the moves to the pipeline as mails.

A mail of a robot answers the letter that nobody sends to it: its recipient is the signed address of board, seat and
length of the log. So nothing else can come of it than of the answer of a player. If this process is killed, the turn is
taken again after its lease. If two processes answer, the second answer is to an old letter, and nothing happens.
"""

import asyncio
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime
from secrets import token_hex

import structlog
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from pbmserv.db import engines
from pbmserv.db.trouble import TROUBLE, said
from pbmserv.games.base.board import Board, film
from pbmserv.games.base.log import Entry
from pbmserv.inbox.pipeline import Pipeline
from pbmserv.letters.site import Site
from pbmserv.letters.text.times import utc_now
from pbmserv.mail import signed_addresses
from pbmserv.mail.envelope import ACCEPTED, Incoming
from pbmserv.mail.outbound import NOWHERE
from pbmserv.rng import Rng
from pbmserv.robots import thinking
from pbmserv.store import BoardRow, Store
from pbmserv.store.accounts.robots import WaitingTurn

log = structlog.get_logger()

EVERY = 2.0  #: seconds between two looks for turns, while there are none
REST = 10.0  #: seconds that a robot waits before it answers, so that no mailbox is flooded
LEASE = 120.0  #: seconds for which a process has a turn; the highest level needs ten
NICE = 10  #: how much less important than others this process is for the machine
_FIRST = 30.0  #: seconds between two looks whether there are robots at all
_EVEN = 0.02  #: what a board is worth to a robot that agrees to a draw, at most
_AT_ONCE = 8  #: turns among which a process looks for one that is free


async def until_there_are_robots(engine: Engine) -> None:
    """Wait for the first robot of this server. Until then no process for robots is needed."""

    def look() -> bool:
        with engine.execution_options(**engines.READ_ONLY).connect() as connection:
            return bool(Store(connection).robots.all())

    while True:
        with suppress(SQLAlchemyError):
            if await asyncio.to_thread(look):
                return
        await asyncio.sleep(_FIRST)


@dataclass(frozen=True)
class _Task:
    """A turn with all that a robot may know."""

    turn: WaitingTurn
    userid: str
    board: Board
    past: frozenset[Hashable]
    comes_back: bool  #: whether the same position was on the board before: nothing changes any more


class Robots:
    """Makes the moves of robots."""

    def __init__(
        self,
        engine: Engine,
        site: Site,
        pipeline: Pipeline,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self._engine = engine
        self._site = site
        self._pipeline = pipeline
        self._now = now
        self._ended = asyncio.Event()

    async def run(self) -> None:
        """Play until `stop`."""
        while not self._ended.is_set():
            try:
                if await asyncio.to_thread(self.play):
                    continue
            except Exception as error:
                # The database may be down; the next look tries again.
                TROUBLE.log(log, "robots failed", error, **said(error))
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ended.wait(), EVERY)

    def stop(self) -> None:
        """End after the current move."""
        self._ended.set()

    def play(self) -> bool:
        """Take one turn and make its move. Returns whether there was one. Raises the errors of the database."""
        turn = self._take()
        if turn is None:
            return False
        try:
            task = self._look(turn)
            done = task is None or self._answer(task, _decide(task))
        except Exception as bug:
            if engines.is_down(bug):
                raise
            log.exception("robot stumbled", board=turn.board, seat=turn.seat)
            done = False
        if done:  # else the turn stays taken until its lease ends, so that a bug in one game holds up no other board
            engines.transact(self._engine, lambda connection, _: Store(connection).robots.give_back(turn))
        return True

    def _take(self) -> WaitingTurn | None:
        """Take the oldest turn that no other process has."""
        now = self._now().timestamp()
        with self._engine.execution_options(**engines.READ_ONLY).connect() as connection:
            waiting = Store(connection).robots.waiting(now, now - REST, _AT_ONCE)

        def take(connection: Connection, _: bool) -> WaitingTurn | None:
            robots = Store(connection).robots
            return next((turn for turn in waiting if robots.take(turn, now, now + LEASE)), None)

        return engines.transact(self._engine, take) if waiting else None

    def _look(self, turn: WaitingTurn) -> _Task | None:
        """Read the board; None if the robot is no longer to move."""
        with self._engine.execution_options(**engines.READ_ONLY).connect() as connection:
            store = Store(connection)
            row = store.boards.find(turn.board, lock=False)
            if row is None or turn.seat not in row.board.to_move:
                return None
            entries = store.boards.entries(turn.board)
        keys = _keys(row, entries, turn)
        comes_back = bool(keys) and keys[-1] in keys[:-1]
        return _Task(turn, row.players[turn.seat].userid, row.board, frozenset(keys), comes_back)

    def _answer(self, task: _Task, line: str) -> bool:
        """Hand a line to the pipeline as the answer to the robot's letter. Returns whether it was carried out."""
        turn, length = task.turn, task.board.length
        to = self._site.signer.sign(signed_addresses.BOARD, turn.board, turn.seat, length)
        mail = EmailMessage()
        mail["From"] = f"{task.userid}@{NOWHERE}"
        mail["To"] = to
        mail["Date"] = format_datetime(self._now())
        mail["Message-ID"] = f"<{turn.board}.{turn.seat}.{length}@{NOWHERE}>"
        mail["Subject"] = f"Board {turn.board}"
        mail.set_content(f"{line}\n")
        incoming = Incoming(mail.as_bytes(), f"{task.userid}@{NOWHERE}", (to,), "")
        (reply,) = self._pipeline.handle([self._pipeline.prepare(incoming)])
        status = incoming.progress.status
        if reply == ACCEPTED and status == "done":
            return True
        log.warning("robot's move not taken", board=turn.board, reply=reply, status=status)
        return False


def _keys(row: BoardRow, entries: Sequence[Entry], turn: WaitingTurn) -> list[Hashable]:
    """Return the keys of what has been on the board, the last one now; none where something is hidden."""
    if row.game.info.hidden:
        return []
    seen = (row.game.view(board.position, turn.seat).position for board in film(row.board.start, entries))
    return [thinking.key_of(row.game, position) for position in seen]


def _decide(task: _Task) -> str:
    """Return what the robot answers: a move, perhaps with the offer of a draw below, or the answer to such an offer.

    It has its own random numbers, and never those of the board.
    """
    board, seat, start = task.board, task.turn.seat, task.board.start
    view = board.game.view(board.position, seat)
    problem = thinking.Problem(board.game, view, start.options, start.seats, task.past)
    choice = thinking.choose(problem, task.turn.level, Rng(token_hex(16), board.ply))
    if start.seats == 1 or choice.value > _EVEN:
        return choice.text
    if seat in board.to_answer:
        return "accept"
    if board.game.claim(board.position):
        return "propose"
    return f"{choice.text}\npropose" if task.comes_back and "draw" in board.game.info.agreements else choice.text
