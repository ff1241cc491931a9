"""Knows before a mail is handled whether its sender is banned, so that nothing is worked out for it."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy.engine import Engine

from pbmserv.db import engines
from pbmserv.inbox.context import Context
from pbmserv.model.bans import Ban, banned
from pbmserv.store import Store

#: How long the bans are kept in memory: most mails are of people whom nobody has banned, and cost no query.
KEPT = timedelta(seconds=10)
_ONCE = timedelta(days=3650)


class KnownBans:
    """The bans, as they were at most KEPT ago."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._read: datetime | None = None
        self._bans: Mapping[str, Ban] = {}

    def of(self, addresses: tuple[str, ...], now: datetime) -> Ban | None:
        """Return the ban of the first of these addresses that has one. Safe in any thread."""
        if self._read is None or not timedelta(0) <= now - self._read < KEPT:
            with self._engine.execution_options(**engines.READ_ONLY).connect() as connection:
                self._bans = {ban.what: ban for ban in Store(connection).bans.all()}
            self._read = now
        return next((ban for address in addresses if (ban := banned(address, self._bans))), None)


def turn_away(ctx: Context, ban: Ban) -> None:
    """Tell a banned sender once why nothing was done; later mails are met with silence.

    Only somebody who is known to read the address is told, because anybody can write it into From.
    """
    to = ctx.answer_to() or [ctx.mail.sender] * ctx.mail.dmarc_pass
    for address in to:
        if ctx.is_first_letter(f"ban {ban.id}", address, _ONCE):
            told = f"postmaster@{ctx.site.signer.domain}" if ctx.site.policy.operator else ""
            data = {"banned": ban.what.removeprefix("@"), "why": ban.why, "postmaster": told}
            ctx.letters.write("banned", [address], "Your mails are not read any more", data)
