"""What metrics show that is known only by looking into the database, at the moment when somebody asks."""

from collections.abc import Callable, Mapping
from time import time

from sqlalchemy.engine import Engine
from sqlalchemy.exc import SQLAlchemyError

from pbmserv.db import engines
from pbmserv.server import clock
from pbmserv.store import Store


class Gauges:
    """Called in the threads that answer Prometheus."""

    def __init__(self, engine: Engine, sessions: Callable[[], int]) -> None:
        self._engine = engine.execution_options(**engines.READ_ONLY)
        self._sessions = sessions

    def __call__(self) -> Mapping[str, float]:
        """Names and values; of the database only that it is away, if it is."""
        found: dict[str, float] = {"sessions_open": self._sessions()}
        try:
            with self._engine.connect() as connection:
                found |= self._look(Store(connection))
        except SQLAlchemyError:
            return found | {"database_up": 0}
        return found | {"database_up": 1}

    def _look(self, store: Store) -> dict[str, float]:
        now, waiting, last = time(), store.operations.waiting_letters(), store.operations.fact(clock.LAST_RUN)
        found: dict[str, float] = {
            "outbox_letters": waiting.count,
            "outbox_oldest_seconds": now - waiting.oldest.timestamp() if waiting.oldest else 0.0,
            "shelf_mails": store.operations.shelved_mails(),
        }
        return found | ({"clock_age_seconds": now - float(last)} if last else {})
