"""What ends because nobody answers: seeks and invitations. The clock calls both until none is left."""

from datetime import datetime, timedelta

from pbmserv import games
from pbmserv.db.queries import PEOPLE_AT_ONCE
from pbmserv.letters.letters import Letters
from pbmserv.store import Store

SEEK_LASTS = timedelta(days=30)
INVITATION_LASTS = timedelta(days=14)


def lapse_seeks(store: Store, letters: Letters, now: datetime) -> int:
    """Close seeks that have been open too long and tell those who waited; how many."""
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
    """Forget invitations whose time is over, with their addresses, and tell who got no answer; how many."""
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
