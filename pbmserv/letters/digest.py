"""The digest: all board letters of a day in one letter, in the morning of the reader's time zone."""

from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo

from pbmserv.boards.absences.vacations import wants_auto
from pbmserv.games.base.log import seen_by
from pbmserv.letters.board_page import BesideTheLog, Pages, digest_subject
from pbmserv.letters.fence import Comment
from pbmserv.letters.letters import Letters
from pbmserv.letters.text import times
from pbmserv.model import Player
from pbmserv.store import Store

_AT_ONCE = 500  #: how many readers' preferences one statement reads
MORNING = 7  #: the hour, in the reader's time zone


def due_readers(store: Store, now: datetime) -> list[int]:
    """Return players with a morning since their first waiting letter, and players who no longer want a digest."""
    waiting = store.readers.digest_readers()
    parts = (waiting[n : n + _AT_ONCE] for n in range(0, len(waiting), _AT_ONCE))
    return [player_id for part in parts for player_id in _due(store, part, now)]


def _due(store: Store, waiting: Sequence[tuple[int, datetime]], now: datetime) -> list[int]:
    """Return the players who get a digest now. `waiting`: player id, and since when a letter waits."""
    preferences = store.players.preferences((player_id for player_id, _ in waiting))
    due = []
    for player_id, since in waiting:
        wants = preferences[player_id]
        if not wants.wants_digest or since < _last_morning(now, times.zone(wants.timezone)):
            due.append(player_id)
    return due


def write_digest(letters: Letters, player: Player) -> bool:
    """Write one letter with all boards that have news, and clear the waiting letters. False if there were none."""
    store, signer = letters.store, letters.site.signer
    collected = store.readers.take_collected(player.id)
    if not collected:
        return False
    wants = store.players.preferences([player.id])[player.id]
    made, pages, boards = Pages(letters.site, letters.replays), [], []
    for number in dict.fromkeys(c.board for c in collected):
        row = store.boards.find(number)
        if row is None:
            raise ValueError(f"board {number} is not there")
        seat = row.seat_to_move(player)
        log = letters.replays.log(row)
        beside = BesideTheLog.of(store, row, letters.now, wants_auto(store, row.players))
        comments = [Comment(c.by, c.comment) for c in collected if c.board == number and c.comment]
        seen = seen_by(log, seat)
        page = made.page(row, log, seat, seen, wants, comments, beside, at=letters.now)
        receipt = row.receipt if seen or (row.board.result and row.board.length) else ""
        pages.append(page | {"receipt": receipt, "length": row.board.length})
        boards.append((number, seat, row.board.length))
    boards_url = letters.site.boards(player, wants.page) if wants.has_page and letters.site.policy.web_url else ""
    digest = store.readers.add_digest(player.id, boards, letters.now)
    letters.write(
        "digest",
        letters.addresses(player),
        digest_subject(pages, wants),
        {"reader": player.userid, "pages": pages, "boards_url": boards_url},
        reply_to=signer.digest(digest, player.epoch),
        language=wants.language,
        kind_of_list="digest",
    )
    return True


def _last_morning(now: datetime, zone: tzinfo) -> datetime:
    """Return the last seven o'clock in this time zone, not after `now`."""
    local = now.astimezone(zone)
    morning = local.replace(hour=MORNING, minute=0, second=0, microsecond=0)
    return morning if morning <= local else morning - timedelta(days=1)
