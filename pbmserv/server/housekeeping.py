"""Forgets what is old and ends what nobody has answered, a little in every run of the clock."""

from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy.engine import Engine

from pbmserv import games
from pbmserv.boards import leaving
from pbmserv.boards.news import BoardNews
from pbmserv.boards.queued_moves import play_queued
from pbmserv.commands.challenge import INVITATION_LASTS
from pbmserv.commands.seeks import SEEK_LASTS
from pbmserv.db import engines
from pbmserv.db.queries import PEOPLE_AT_ONCE
from pbmserv.letters.board_letters import write_news
from pbmserv.letters.letters import Cause, Letters
from pbmserv.letters.site import Site
from pbmserv.store import Store

MOST_TRANSACTIONS = 100  #: in a run, of each kind: 100 mails and 200 letters a second need 60 to be forgotten
_KEEP_QUOTAS = timedelta(days=7)


class Housekeeping:
    """Work in short transactions, between which mails have their turn.

    Each transaction looks for what is left. So a run that is broken off does no harm, nor do two runs at once.
    """

    def __init__(self, engine: Engine, site: Site, now: Callable[[], datetime]) -> None:
        self._engine = engine
        self._site = site
        self._now = now

    def keep(self) -> int:
        """Do what there is to do, or much of it. Returns how much was forgotten or ended."""
        now = self._now()
        return self._repeat(self._forget, now) + self._repeat(self._lapse, now)

    def _repeat(self, do: Callable[[Store, datetime], int], now: datetime) -> int:
        """Do one kind of work until nothing of it is left, or until this run has done enough. Returns how much."""
        done = 0
        for _ in range(MOST_TRANSACTIONS):
            count = engines.transact(self._engine, lambda connection, _: do(Store(connection), now))
            done += count
            if count == 0:
                break
        return done

    def _forget(self, store: Store, now: datetime) -> int:
        """Forget old records of mails, letters and counts. Returns how many."""
        forgotten = store.mails.forget(now - timedelta(days=self._site.policy.retention_days))
        forgotten += store.letters.forget(now - timedelta(days=self._site.policy.letters_days))
        return forgotten + store.readers.forget_quotas(f"{now - _KEEP_QUOTAS:%Y-%m-%d}")

    def _lapse(self, store: Store, now: datetime) -> int:
        """End old seeks, invitations and accounts, and tell those who waited for them. Returns how many."""
        letters = Letters(self._site, store, Cause(None), now)
        count = lapse_seeks(store, letters, now) + lapse_invitations(store, letters, now)
        lapsed = leaving.lapse(store, now)
        for left in lapsed.left:
            played = play_queued(store, left.row, None, now)
            write_news(letters, BoardNews(played.row, left.since, news=played.news))
        store.letters.queue(letters.rows)
        return count + lapsed.accounts


def lapse_seeks(store: Store, letters: Letters, now: datetime) -> int:
    """Close seeks that have been open too long, and tell those who waited. Returns how many."""
    stale = store.challenges.seeks_before(now - SEEK_LASTS, PEOPLE_AT_ONCE)
    for seek in stale:
        store.challenges.close_seek(seek.number, now)
        for player in seek.players:
            text = letters.render("seek_lapsed", player, seek=seek, player=player.userid, lasts=SEEK_LASTS.days)
            subject = f"{seek.game.capitalize()} seek {seek.number}"
            letters.write(
                "answer", letters.addresses(player), subject, {"text": text}, language=letters.language(player)
            )
    return len(stale)


def lapse_invitations(store: Store, letters: Letters, now: datetime) -> int:
    """Forget invitations whose time is over, with their addresses. Whoever got no answer is told. Returns how many."""
    expired = store.challenges.expired_invitations(now)
    for invitation in expired:
        inviter = store.players.by_id(invitation.player_id)
        if invitation.used is None and inviter is not None:
            game = games.find(invitation.data["game"]).info
            data = {"invited": invitation.address, "game": game, "lasts": INVITATION_LASTS.days}
            text, language = letters.render("unanswered", inviter, **data), letters.language(inviter)
            subject, to = "Your invitation was not answered", letters.addresses(inviter)
            letters.write("answer", to, subject, {"text": text}, language=language)
    if expired:
        store.challenges.forget_invitations(i.id for i in expired)
    return len(expired)
