"""Named queries. Only this package writes SQL statements. Nothing here commits."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Generic, TypeVar

from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from pbmserv.db.engines import has_one_writer, is_down, state_seen
from pbmserv.db.pipelining.noticed import Noticed
from pbmserv.db.pipelining.statement import command, settle
from pbmserv.db.queries import Queries
from pbmserv.store.accounts.addresses import AddressQueries
from pbmserv.store.accounts.banned import BanQueries
from pbmserv.store.accounts.players import PlayerQueries
from pbmserv.store.accounts.readers import ReaderQueries
from pbmserv.store.accounts.robots import RobotQueries
from pbmserv.store.accounts.two_accounts import MergeQueries
from pbmserv.store.accounts.webhooks import WebhookQueries
from pbmserv.store.audit import AuditQueries
from pbmserv.store.beside_boards.puzzles import PuzzleQueries
from pbmserv.store.beside_boards.reviews import ReviewQueries
from pbmserv.store.beside_boards.waiting_moves import WaitingMoveQueries
from pbmserv.store.board_lists import BoardListQueries
from pbmserv.store.boards import BoardQueries
from pbmserv.store.challenges import ChallengeQueries
from pbmserv.store.letters import OutboxQueries
from pbmserv.store.mailboxes import MailboxQueries
from pbmserv.store.mails import MailQueries
from pbmserv.store.operations import OperationsQueries
from pbmserv.store.ratings import RatingQueries
from pbmserv.store.tournaments import TournamentQueries

__all__ = ["Readers", "Store", "StoreError", "is_down"]

StoreError = SQLAlchemyError  #: what every query can raise; `is_down` tells whether to try again later

Q = TypeVar("Q", bound=Queries)


class _Part(Generic[Q]):
    """A part of the store. It is made when it is first wanted, because a mail needs few of them."""

    def __init__(self, kind: type[Q]) -> None:
        self._kind = kind

    def __set_name__(self, _: type[object], name: str) -> None:
        self._name = name

    def __get__(self, store: "Store", _: type[object]) -> Q:
        return store.part(self._name, self._kind)


class Store:
    """All queries on one connection, in parts named like the files. The caller begins and commits the transaction."""

    boards = _Part(BoardQueries)
    board_lists = _Part(BoardListQueries)
    waiting_moves = _Part(WaitingMoveQueries)
    reviews = _Part(ReviewQueries)
    puzzles = _Part(PuzzleQueries)
    challenges = _Part(ChallengeQueries)
    players = _Part(PlayerQueries)
    addresses = _Part(AddressQueries)
    banned = _Part(BanQueries)
    two_accounts = _Part(MergeQueries)
    readers = _Part(ReaderQueries)
    webhooks = _Part(WebhookQueries)
    robots = _Part(RobotQueries)
    tournaments = _Part(TournamentQueries)
    ratings = _Part(RatingQueries)
    mails = _Part(MailQueries)
    mailboxes = _Part(MailboxQueries)
    letters = _Part(OutboxQueries)
    audit = _Part(AuditQueries)
    operations = _Part(OperationsQueries)

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._noticed = Noticed()

    def part(self, name: str, kind: type[Q]) -> Q:
        """Make a part. From then on it is an attribute of this store."""
        part = vars(self)[name] = kind(self._connection, self._noticed)
        return part

    @property
    def state_seen(self) -> object:
        """What names the state of the database, which does not change within a transaction that only reads."""
        return state_seen(self._connection)

    def ask_ahead(self, questions: Callable[[], object]) -> None:
        """Call a function that asks questions which will be asked again soon, before anything changes their answers.

        This time they find nothing. On PostgreSQL, all of them wait for their answers together.
        """
        if not has_one_writer(self._connection):
            self._noticed.ahead.ask(questions)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """A context whose changes are undone if it raises. A nested savepoint hides the name of the outer one.

        Errors of its statements are raised before it ends, and errors of those that still wait before it begins.
        """
        settle(self._connection)  # if one failed later, there would be no savepoint to go back to
        command(self._connection, "SAVEPOINT part")
        try:
            with self.rewinding():
                yield
                settle(self._connection)
        finally:
            if not self._connection.invalidated:  # otherwise the database is gone, and the whole transaction with it
                command(self._connection, "RELEASE SAVEPOINT part")

    @contextmanager
    def rewinding(self) -> Iterator[None]:
        """A context in a savepoint that has just begun. If it raises, its changes are undone; the savepoint goes on."""
        try:
            yield
        except BaseException:
            self._rewind()
            raise

    def _rewind(self) -> None:
        """Undo the changes since the savepoint. Perhaps its beginning still waits."""
        self._noticed.forget()
        with suppress(DBAPIError):
            if not self._connection.invalidated:
                settle(self._connection)
        if not self._connection.invalidated:
            command(self._connection, "ROLLBACK TO SAVEPOINT part")


class Readers:
    """Gives stores to readers, each on a connection of its own. `engine` comes from `engines.connect_to_read`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @contextmanager
    def store(self) -> Iterator[Store]:
        """A context with a store."""
        with self._engine.connect() as connection:
            yield Store(connection)

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()
