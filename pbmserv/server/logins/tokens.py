"""Tokens for connections to the provider, from the login that is stored.

A refresh token may be good for one use, and to use it twice may end the login for good. So one process at a time
renews, and what comes back is committed before anything is done with it.
"""

import json
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

import structlog
from sqlalchemy.engine import Engine
from sqlalchemy.exc import SQLAlchemyError

from pbmserv.db import engines, turns
from pbmserv.db.schema_guard import IN_USE
from pbmserv.db.trouble import TROUBLE
from pbmserv.letters.text.times import utc_now
from pbmserv.mail.oauth.oauth_settings import LoginNeeded, LoginTrouble, OAuthSettings
from pbmserv.mail.seal import Seal
from pbmserv.model.rows import LoginRow
from pbmserv.store import Store

if TYPE_CHECKING:  # it needs the extra `oauth`
    from pbmserv.mail.oauth.grants import Grant

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

T = TypeVar("T")

#: The lock of whoever renews, on PostgreSQL and on SQLite. Nobody else waits for a slow provider.
_TURN = (IN_USE + 1, ".login")
_PURPOSE = b"pbmserv login"
#: A token is renewed so long before it ends, but not before three quarters of its time are over.
_AHEAD, _SHARE = timedelta(minutes=5), 0.25
_FRESH = 60.0  #: seconds; so old must a token be that the server refuses, until it is renewed for that reason
_RETRY = 60.0  #: seconds until the next try, while the old token is good
_PATIENCE, _PAUSE = 60.0, 0.2  #: seconds for which the new tokens are tried to be stored, and between two attempts
ADVICE = "log in again: pbmserv mailbox login"
UNREADABLE = "PBMSERV_SECRET_KEY is another one than at the login"
NOBODY = "nobody has logged in yet"


class StoredTokens:
    """The tokens of one user. Its methods may be called in any thread and process."""

    def __init__(
        self, engine: Engine, settings: OAuthSettings, key: bytes, now: Callable[[], datetime] = utc_now
    ) -> None:
        self._engine = engine
        self._reader = engine.execution_options(**engines.READ_ONLY)
        self._settings = settings
        self._seal = Seal(key, _PURPOSE)
        self._now = now
        self._next_try = 0.0  #: of a token that is still good, after a failure; of the monotonic clock

    def access(self) -> str:
        """Return a token that is valid now, and a while longer. Raises LoginNeeded, LoginTrouble."""
        row = self._row()
        if not self._is_due(row):
            return self._tokens(row)[0]
        with turns.alone(self._engine, *_TURN):
            row = self._row()  # another process may have renewed it meanwhile
            access, refresh = self._tokens(row)
            return self._renewed(row, access, refresh) if self._is_due(row) else access

    def refused(self) -> None:
        """Let the token be renewed next time, unless it has just been."""
        end, row = self._now() - timedelta(seconds=_FRESH), self._stored()
        if row and row.renewed < end < row.expires:
            log.warning("login_refused", renewed=row.renewed.isoformat())
            self._transact(lambda store: store.mailboxes.change_login(row.name, expires=end))

    def keep(self, grant: "Grant") -> None:
        """Store what a person has got by logging in."""
        with turns.alone(self._engine, *_TURN):
            self._store(grant)

    def _stored(self) -> LoginRow | None:
        with self._reader.connect() as connection:
            return Store(connection).mailboxes.login(self._settings.user)

    def _row(self) -> LoginRow:
        row = self._stored()
        if row is None or row.trouble:
            raise LoginNeeded(f"{row.trouble if row else NOBODY}; {ADVICE}")
        return row

    def _is_due(self, row: LoginRow) -> bool:
        ahead = min(_AHEAD, (row.expires - row.renewed) * _SHARE)
        return self._is_over(row) or (self._now() >= row.expires - ahead and time.monotonic() >= self._next_try)

    def _is_over(self, row: LoginRow) -> bool:
        return not row.renewed <= self._now() < row.expires  # or the clock was set back

    def _tokens(self, row: LoginRow) -> tuple[str, str]:
        """Return the token for connections, and the one that gets the next ones."""
        opened = self._seal.opened(row.sealed)
        if opened is None:
            raise LoginNeeded(f"{UNREADABLE}; {ADVICE}")
        access, refresh = json.loads(opened)
        return access, refresh

    def _renewed(self, row: LoginRow, access: str, refresh: str) -> str:
        """Renew, and store what comes back. If that is not possible now, return the old token while it is valid."""
        from pbmserv.mail.oauth import grants  # here, because few servers need it

        try:
            grant = grants.renewed(self._settings, refresh)
        except LoginNeeded as end:
            self._note(str(end))
            raise LoginNeeded(f"{end}; {ADVICE}") from None
        except LoginTrouble as trouble:
            log.warning("login_not_renewed", trouble=str(trouble))
            if not self._is_over(row):
                self._next_try = time.monotonic() + _RETRY
                return access
            raise
        self._store(grant)
        log.info("login_renewed", rotated=grant.refresh != refresh, seconds=round(grant.seconds))
        return grant.access

    def _note(self, trouble: str) -> None:
        """Note that the login is over, so that nobody asks the provider again."""
        log.error("login_over", trouble=trouble, advice=ADVICE)
        self._transact(lambda store: store.mailboxes.change_login(self._settings.user, trouble=trouble))

    def _store(self, grant: "Grant") -> None:
        """Commit new tokens. They exist nowhere else, so this is tried for a minute, and nobody else renews."""
        sealed, now = self._seal.close(json.dumps([grant.access, grant.refresh]).encode()), self._now()
        ends, deadline = now + timedelta(seconds=grant.seconds), time.monotonic() + _PATIENCE
        while True:
            try:
                self._transact(lambda store: store.mailboxes.put_login(self._settings.user, sealed, now, ends))
            except SQLAlchemyError as error:
                TROUBLE.log(log, "login_not_stored", error)
                if time.monotonic() > deadline:
                    raise
                time.sleep(_PAUSE)
            else:
                return

    def _transact(self, do: Callable[[Store], T]) -> T:
        return engines.transact(self._engine, lambda connection, _: do(Store(connection)))
