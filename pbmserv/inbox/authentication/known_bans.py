"""Knows before a mail is handled whether its sender is banned, so that nothing is worked out for it."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy.engine import Engine

from pbmserv.db import engines
from pbmserv.model.mails import Ban, banned
from pbmserv.store import Store

#: Seconds for which bans are kept in memory: most mails are of people whom nobody has banned, and cost no query.
KEPT = 10.0


class KnownBans:
    """The bans, as they were at most KEPT seconds ago."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._read: datetime | None = None
        self._bans: Mapping[str, Ban] = {}

    def of(self, addresses: tuple[str, ...], now: datetime) -> Ban | None:
        """Return the ban of the first of these addresses that has one. Safe in any thread."""
        if self._read is None or not 0 <= (now - self._read).total_seconds() < KEPT:
            with self._engine.execution_options(**engines.READ_ONLY).connect() as connection:
                self._bans = {ban.what: ban for ban in Store(connection).banned.all()}
            self._read = now
        return next((ban for address in addresses if (ban := banned(address, self._bans))), None)
