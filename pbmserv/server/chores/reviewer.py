"""Reviews finished boards, one position at a time, whenever no robot has a move to make.

Each step is stored at once. If the process is killed, the step is lost, and another process goes on from the last one
as soon as its lease has ended.
"""

import threading
from collections.abc import Callable
from datetime import datetime
from hashlib import sha256

import structlog
from sqlalchemy.engine import Connection, Engine

from pbmserv.commands.reviews import obstacle
from pbmserv.db import engines
from pbmserv.games import NotInstalled
from pbmserv.games.base.board import film
from pbmserv.games.base.log import Entry, standing
from pbmserv.letters.letters import Cause, Letters
from pbmserv.letters.occasions.puzzle_letters import make as make_puzzles
from pbmserv.letters.occasions.review_letters import Reviewed, write_review
from pbmserv.letters.site import Site
from pbmserv.model import BoardRow
from pbmserv.model.boards import ReviewRow
from pbmserv.rng import Rng
from pbmserv.robots.engines import Engines
from pbmserv.robots.reviewing.judging import Judged, OwnSearch, Question, judge_of, judged
from pbmserv.robots.reviewing.review import PlayedGame, Review, next_step
from pbmserv.store import Store

log = structlog.get_logger()

WAIT = 600.0  #: seconds until a review is looked at again that has to wait
_AFTER_A_BUG = 86400.0  #: seconds until one is tried again that failed
_AT_ONCE = 4  #: reviews among which a process looks for one that is free


class Reviewer:
    """Goes on with reviews.

    `writing`: the lock that is held while something is written; `engines`: of the operator; `lease`: seconds for which
    a process has a review; a step takes a minute at most.
    """

    def __init__(
        self,
        engine: Engine,
        site: Site,
        now: Callable[[], datetime],
        writing: threading.Lock,
        engines: Engines,
        lease: float,
    ) -> None:
        self._engine = engine
        self._site = site
        self._now = now
        self._writing = writing
        self._engines = engines
        self._lease = lease
        self._last: tuple[BoardRow, PlayedGame] | None = None  #: the board of the last step

    def step(self) -> bool:
        """Take one step of a review. Returns whether there was one to take. Raises the errors of the database."""
        review = self._take()
        if review is None:
            return False
        try:
            self._go_on(review)
        except Exception as bug:
            if engines.is_down(bug):
                raise
            log.exception("review failed", board=review.board)
            self._transact(lambda store: store.reviews.go_on(review, review.verdicts, self._seconds() + _AFTER_A_BUG))
        return True

    def _seconds(self) -> float:
        return self._now().timestamp()

    def _transact(self, do: Callable[[Store], object]) -> None:
        with self._writing:
            engines.transact(self._engine, lambda connection, _: do(Store(connection)))

    def _take(self) -> ReviewRow | None:
        now = self._seconds()
        with self._engine.execution_options(**engines.READ_ONLY).connect() as connection:
            boards = Store(connection).reviews.waiting(now, _AT_ONCE)

        def take(connection: Connection, _: bool) -> ReviewRow | None:
            taken = (Store(connection).reviews.take(board, now, now + self._lease) for board in boards)
            return next(filter(None, taken), None)

        if not boards:
            return None
        with self._writing:
            return engines.transact(self._engine, take)

    def _go_on(self, review: ReviewRow) -> None:
        there = self._find(review)
        if there is None:
            self._transact(lambda store: store.reviews.remove(review.board))
            return
        row, played, wait = there
        if wait:
            self._transact(lambda store: store.reviews.go_on(review, review.verdicts, self._seconds() + WAIT))
            return
        # Of its own, so that it foresees no dice, and the same each time, so that a review begun again says the same.
        seed = sha256(f"review:{row.board.start.seed}".encode()).hexdigest()[:32]
        judge = judge_of(row.game, Rng(seed, len(review.verdicts)), self._engines)
        step = next_step(played, [Judged(*verdict) for verdict in review.verdicts], judge.name)
        if isinstance(step, Review):
            self._finish(review, row, step)
        else:
            self._answer(review, step, judge)

    def _answer(self, review: ReviewRow, question: Question, judge: OwnSearch) -> None:
        verdict = judged(question, judge)
        verdicts = [*review.verdicts, list(verdict)]
        self._transact(lambda store: store.reviews.go_on(review, verdicts, 0.0))

    def _find(self, review: ReviewRow) -> tuple[BoardRow, PlayedGame, bool] | None:
        """Return the board of a review, what was played, and whether the review has to wait; None if it is void."""
        with self._engine.execution_options(**engines.READ_ONLY).connect() as connection:
            store = Store(connection)
            row = store.boards.find(review.board, lock=False)
            if row is None or not review.is_of(row):
                return None
            wait = isinstance(row.game, NotInstalled) or bool(obstacle(store, row))
            if self._last is None or self._last[0].receipt != row.receipt or self._last[0].number != row.number:
                entries = store.boards.entries(row.number)[: row.board.length]
                self._last = row, played_on(row, entries)
        return row, self._last[1], wait

    def _finish(self, review: ReviewRow, row: BoardRow, result: Review) -> None:
        now = self._now()

        def finish(store: Store) -> None:
            done = store.reviews.finish(review, result._asdict(), now)
            if done:
                make_puzzles(store, row, result)
            letters = Letters(self._site, store, Cause(None), now)
            boards = tuple(film(row.board.start, store.boards.entries(row.number)[: row.board.length]))
            for seat in done.seats if done else ():
                write_review(letters, Reviewed(row, result, boards), row.players[seat])
            store.letters.queue(letters.rows)

        self._transact(finish)


def played_on(row: BoardRow, entries: list[Entry]) -> PlayedGame:
    """Return what was played on a board: the moves that stand."""
    start = row.board.start
    positions = tuple(board.position for board in film(start, entries))
    moves = tuple((entry.seat, entry.text) for entry in standing(entries))
    return PlayedGame(row.game, start.options, start.seats, positions, moves)
