"""Forgets what is old and ends what nobody has answered, a little in every run of the clock."""

from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy.engine import Engine

from pbmserv.boards import leaving
from pbmserv.boards.queued_moves import play_queued
from pbmserv.db import engines
from pbmserv.letters.letters import Cause, Letters
from pbmserv.letters.site import Site
from pbmserv.server.lapses import lapse_invitations, lapse_seeks
from pbmserv.store import Store

MOST_TRANSACTIONS = 100  #: in a run, of each kind: 100 mails and 200 letters a second need 60 to be forgotten
_KEEP_QUOTAS = timedelta(days=7)


class Housekeeping:
    """Work in short transactions, between which mails have their turn.

    Each looks for what is left, so that a run that is broken off, or two at once, do no harm.
    """

    def __init__(self, engine: Engine, site: Site, now: Callable[[], datetime]) -> None:
        self._engine = engine
        self._site = site
        self._now = now

    def keep(self) -> int:
        """Do what there is to do, or much of it; how much was forgotten or ended."""
        now = self._now()
        return self._repeat(self._forget, now) + self._repeat(self._lapse, now)

    def _repeat(self, do: Callable[[Store, datetime], int], now: datetime) -> int:
        """Do some work until nothing of it is left, or it has been enough for this run."""
        done = 0
        for _ in range(MOST_TRANSACTIONS):
            count = engines.transact(self._engine, lambda connection, _: do(Store(connection), now))
            done += count
            if count == 0:
                break
        return done

    def _forget(self, store: Store, now: datetime) -> int:
        """Old records of mails, letters and counts."""
        forgotten = store.mails.forget(now - timedelta(days=self._site.retention_days))
        forgotten += store.letters.forget(now - timedelta(days=self._site.letters_days))
        return forgotten + store.readers.forget_quotas(f"{now - _KEEP_QUOTAS:%Y-%m-%d}")

    def _lapse(self, store: Store, now: datetime) -> int:
        """Seeks, invitations and accounts; whoever waited for them is told."""
        letters = Letters(self._site, store, Cause(None), now)
        count = lapse_seeks(store, letters, now) + lapse_invitations(store, letters, now)
        lapsed = leaving.lapse(store, now)
        for left in lapsed.left:
            played = play_queued(store, left.row, None, now)
            letters.board(played.row, since=left.since, told=played.told)
        store.letters.queue(letters.rows)
        return count + lapsed.accounts
