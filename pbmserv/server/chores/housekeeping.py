"""Deletes old rows, and ends seeks and invitations that nobody answered: a part of it in every run of the clock."""

from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy.engine import Engine

from pbmserv import games
from pbmserv.boards import closing_accounts
from pbmserv.boards.absences import free_seats, lost_time
from pbmserv.commands.challenge import INVITATION_LASTS
from pbmserv.commands.seeks import SEEK_LASTS
from pbmserv.db import engines
from pbmserv.db.queries import PEOPLE_AT_ONCE
from pbmserv.letters.letters import Cause, Letters
from pbmserv.letters.site import Site
from pbmserv.letters.tournament_letters import write_left
from pbmserv.mail.duplicates import POSTED_WITHIN
from pbmserv.store import Store

#: The most transactions of each kind in a run. Deleting 100 mails and 200 letters a second takes 60.
MOST_TRANSACTIONS = 100
_KEEP_COUNTS = timedelta(days=1)  #: after their end


class Housekeeping:
    """Works in short transactions, so that mails can be committed in between.

    Each transaction searches for remaining work. So an interrupted run does no harm, and neither do two concurrent
    runs.
    """

    def __init__(self, engine: Engine, site: Site, now: Callable[[], datetime]) -> None:
        self._engine = engine
        self._site = site
        self._now = now

    def keep(self) -> int:
        """Do all the work, or much of it. Returns how many rows were deleted or ended."""
        now = self._now()
        return self._repeat(self._forget, now) + self._repeat(self._lapse, now)

    def _repeat(self, do: Callable[[Store, datetime], int], now: datetime) -> int:
        """Do one kind of work until it is finished, or a run's limit is reached. Returns how much was done."""
        done = 0
        for _ in range(MOST_TRANSACTIONS):
            count = engines.transact(self._engine, lambda connection, _: do(Store(connection), now))
            done += count
            if count == 0:
                break
        return done

    def _forget(self, store: Store, now: datetime) -> int:
        """Delete old records of mails, letters and counts. Returns how many."""
        policy, away = self._site.policy, lost_time.absences(store)
        forgotten = store.mails.forget(lost_time.ago(now, timedelta(days=policy.retention_days), away))
        letters_before = lost_time.ago(now, timedelta(days=policy.letters_days), away)
        forgotten += store.letters.forget(letters_before) + store.waiting_moves.forget(letters_before)
        forgotten += store.mailboxes.forget_posted(now.timestamp() - POSTED_WITHIN)
        return forgotten + store.operations.forget_counts(lost_time.ago(now, _KEEP_COUNTS, away).timestamp())

    def _lapse(self, store: Store, now: datetime) -> int:
        """End old seeks, invitations and accounts, and tell the waiting players. Returns how many."""
        letters = Letters(self._site, store, Cause(None), now)
        away = lost_time.absences(store)
        count = lapse_seeks(store, letters, now, lost_time.ago(now, SEEK_LASTS, away))
        count += lapse_seeks(store, letters, now, lost_time.ago(now, free_seats.SEAT_LASTS, away), for_seats=True)
        count += lapse_invitations(store, letters, now)
        lapsed = closing_accounts.lapse(store, now, lost_time.ago(now, closing_accounts.CONFIRM_WITHIN, away))
        write_left(letters, lapsed.left)
        store.letters.queue(letters.rows)
        return count + lapsed.accounts


def lapse_seeks(store: Store, letters: Letters, now: datetime, before: datetime, *, for_seats: bool = False) -> int:
    """Close seeks from before a time, and tell the waiting players. Returns how many.

    `for_seats`: those for seats that somebody left, whose time is shorter; else all others.
    """
    lasts = free_seats.SEAT_LASTS if for_seats else SEEK_LASTS
    stale = store.challenges.seeks_before(before, PEOPLE_AT_ONCE, for_seats=for_seats)
    for seek in stale:
        store.challenges.close_seek(seek.number, now)
        for player in seek.players:
            text = letters.render("seek_lapsed", player, seek=seek, player=player.userid, lasts=lasts.days)
            subject = f"{seek.game.capitalize()} seek {seek.number}"
            letters.write(
                "answer", letters.addresses(player), subject, {"text": text}, language=letters.language(player)
            )
    return len(stale)


def lapse_invitations(store: Store, letters: Letters, now: datetime) -> int:
    """Delete expired invitations with their addresses, and tell inviters without an answer. Returns how many."""
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
