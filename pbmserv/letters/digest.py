"""The digest: the board letters of a day in one letter, at the reader's local morning."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta, tzinfo

from pbmserv.games.base.log import seen_by
from pbmserv.letters.board_page import wanted_display, wanted_language
from pbmserv.letters.comments import Comment
from pbmserv.letters.letters import Letters
from pbmserv.letters.text import times
from pbmserv.mail import signed_addresses
from pbmserv.mail.signed_addresses import Signer
from pbmserv.store import Player, Store
from pbmserv.store.readers import Collected

_AT_ONCE = 500  #: readers whose preferences are asked for with one statement
MORNING = 7  #: o'clock, where the reader lives


def due_readers(store: Store, now: datetime) -> list[int]:
    """The players for whom a morning has come since a letter began to wait, and those who want no digest any more."""
    waiting = store.readers.digest_readers()
    parts = (waiting[n : n + _AT_ONCE] for n in range(0, len(waiting), _AT_ONCE))
    return [player_id for part in parts for player_id in _due(store, part, now)]


def _due(store: Store, waiting: Sequence[tuple[int, datetime]], now: datetime) -> list[int]:
    """Those of these readers who get a digest now; with each, since when a letter waits for him."""
    preferences = store.players.preferences(player_id for player_id, _ in waiting)
    due = []
    for player_id, since in waiting:
        zone = times.zone(preferences.get((player_id, "", "timezone")))
        wants = preferences.get((player_id, "", "digest")) == "daily"
        if not wants or since < _last_morning(now, zone):
            due.append(player_id)
    return due


def write_digest(store: Store, letters: Letters, signer: Signer, player: Player, now: datetime) -> bool:
    """One letter with all boards that have news; nothing waits any more. False if nothing did."""
    collected = store.readers.take_collected(player.id)
    if not collected:
        return False
    preferences = store.players.preferences([player.id])
    pages, boards, language = [], [], wanted_language(preferences, player.id)
    for number in dict.fromkeys(c.board for c in collected):
        row = store.boards.find(number)
        if row is None:
            raise ValueError(f"board {number} is not there")
        seat = row.seat_to_move(player)
        log = store.boards.entries(number)
        display = wanted_display(preferences, player.id, row.key)
        pages.append(
            letters.pages.page(row, log, seat, seen_by(log, seat), display, _comments(collected, number), language)
        )
        boards.append((number, seat, row.board.length))
    digest = store.readers.add_digest(player.id, boards, now)
    letters.write(
        "digest",
        letters.addresses(player),
        "Digest",
        {"reader": player.userid, "pages": pages},
        reply_to=signer.sign(signed_addresses.DIGEST, digest),
        language=language,
    )
    return True


def _comments(collected: Iterable[Collected], number: int) -> list[Comment]:
    return [Comment(c.by, c.comment) for c in collected if c.board == number and c.comment]


def _last_morning(now: datetime, zone: tzinfo) -> datetime:
    """The latest moment, not after `now`, at which it was seven o'clock there."""
    local = now.astimezone(zone)
    morning = local.replace(hour=MORNING, minute=0, second=0, microsecond=0)
    return morning if morning <= local else morning - timedelta(days=1)
