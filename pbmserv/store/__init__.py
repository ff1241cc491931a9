"""Named queries: the only package that writes SQL statements. Nothing here commits."""

from pbmserv.db.health import Upkeep
from pbmserv.store.accounts import Accounts
from pbmserv.store.addresses import Bounces
from pbmserv.store.audit import Audit
from pbmserv.store.boards import Boards
from pbmserv.store.challenges import Invitations
from pbmserv.store.digests import Digests
from pbmserv.store.events import Events
from pbmserv.store.figures import Figures, Standby, Waiting
from pbmserv.store.held import Held
from pbmserv.store.housekeeping import Housekeeping
from pbmserv.store.letters import Letters
from pbmserv.store.mails import Mails
from pbmserv.store.operations import Facts
from pbmserv.store.personal import Personal
from pbmserv.store.players import Players
from pbmserv.store.ratings import Ratings
from pbmserv.store.readers import Social
from pbmserv.store.seeks import Seeks
from pbmserv.store.shelf import Shelf
from pbmserv.store.statistics import Statistics
from pbmserv.store.subscriptions import Subscriptions
from pbmserv.store.traces import Traces
from pbmserv.store.types import (
    Address,
    BoardRow,
    Clock,
    Listed,
    LogLine,
    Player,
    Rating,
    Seek,
    Settings,
    Standing,
    Vacation,
)
from pbmserv.store.waiting_moves import Queued, Queues, Submitted

__all__ = [
    "Address",
    "BoardRow",
    "Clock",
    "Listed",
    "LogLine",
    "Player",
    "Queued",
    "Rating",
    "Seek",
    "Settings",
    "Standby",
    "Standing",
    "Store",
    "Submitted",
    "Vacation",
    "Waiting",
]


class Store(
    Players,
    Accounts,
    Social,
    Boards,
    Mails,
    Letters,
    Ratings,
    Facts,
    Digests,
    Housekeeping,
    Seeks,
    Queues,
    Subscriptions,
    Invitations,
    Bounces,
    Events,
    Shelf,
    Held,
    Traces,
    Personal,
    Statistics,
    Figures,
    Upkeep,
    Audit,
):
    """All queries over one connection, whose transaction belongs to the caller."""
