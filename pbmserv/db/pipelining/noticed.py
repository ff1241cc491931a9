"""What a transaction asks before it wants the answer, and what it need not ask any more."""

from collections.abc import Callable
from dataclasses import dataclass, field

from sqlalchemy.engine import Connection

from pbmserv.db.pipelining.statement import Rows, Statement, Values


@dataclass
class Ahead:
    """Questions that were asked, and whose answers nobody has wanted yet. Only on PostgreSQL there are any."""

    is_asking: bool = False  #: questions are only asked, and find nothing
    asked: dict[object, Callable[[], Rows]] = field(default_factory=dict)  #: by statement and values

    def ask(self, questions: Callable[[], object]) -> None:
        """Call a function that asks questions, so that they wait for their answers together. It finds nothing."""
        self.asked.clear()
        self.is_asking = True
        try:
            questions()
        finally:
            self.is_asking = False

    def rows(self, connection: Connection, statement: Statement, values: Values) -> Rows:
        """Return all rows that a statement finds, from the answer if it was asked ahead. While `ask` runs: none."""
        question = statement, tuple(values.items())
        if self.is_asking:
            self.asked[question] = statement.ask(connection, values)
            return []
        answer = self.asked.pop(question, None)
        return answer() if answer else statement.rows(connection, values)


@dataclass
class Noticed:
    """What a transaction has read of others together with a board that it locked, so that nobody asks again."""

    ahead: Ahead = field(default_factory=Ahead)
    unqueued: set[int] = field(default_factory=set)  #: boards without queued moves
    ends: dict[int, float] = field(default_factory=dict)  #: by player: the end of the last vacation; 0: there was none
    sound: set[int] = field(default_factory=set)  #: players none of whose addresses has bounced or is away

    def forget(self) -> None:
        """Forget all, because changes and locks of the transaction were undone."""
        self.ahead.asked.clear()
        self.unqueued.clear()
        self.ends.clear()
        self.sound.clear()
