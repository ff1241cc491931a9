"""Which letters the change of a board brings about: who gets one, at once or in a digest, and what else it says."""

from collections.abc import Mapping, Sequence
from typing import Any

from pbmserv.boards import deadlines
from pbmserv.boards.news import BoardNews, News
from pbmserv.games.base import Seat
from pbmserv.games.base.log import Entry, seen_by
from pbmserv.letters.board_page import Pages, board_subject
from pbmserv.letters.comments import Comment
from pbmserv.letters.letters import Letters
from pbmserv.letters.preferences import Preferences
from pbmserv.letters.readers import People, Reader
from pbmserv.mail import signed_addresses
from pbmserv.store import BoardRow, Player, Store
from pbmserv.store.readers import Subscriber


def write_news(letters: Letters, news: BoardNews, comment: Comment | None = None) -> None:
    """Write the board letter to each player and subscriber, or to the only player whom the news is for.

    The actor reads what happened since their mail came in, the others what happened after their own last entry. The
    comment is for everybody but the actor.
    """
    change = _Change(letters, news, comment)
    change.tell_players()
    if not news.only:
        change.tell_subscribers()


def write_chat(letters: Letters, row: BoardRow, comment: Comment) -> list[str]:
    """Send a player's chat to the other players and the subscribers, and return their userids.

    Players who have blocked the writer get nothing. The writer does not learn about it.
    """
    blockers = _blockers(letters.store, row, comment)
    playing = [p for p in dict.fromkeys(row.players) if p.userid != comment.by]
    others = [s.player for s in _subscribers(letters.store, row) if not s.end_only]
    people = letters.people((*playing, *others))
    threads, length = Threads(letters, row.number, letters.replays.log(row)), row.board.length
    data = {"comment": comment, "number": row.number, "game": row.game.info.name}
    for player in [p for p in playing if p.id not in blockers]:
        if people.preferences(player).wants_digest:
            _collect(letters, row, player, [comment])
        else:
            earlier = threads.until(player.id, length)
            _write_to_player(letters, "chat", row, player, data | {"playing": True}, people, earlier)
    for player in [p for p in others if p.id not in blockers]:
        earlier = threads.until(player.id, length)
        _write_to_subscriber(letters, "chat", row, player, data | {"playing": False}, people, earlier)
    return [p.userid for p in (*playing, *others)]


class Threads:
    """The Message-IDs of the letters about one board. They follow from its log, so none is looked up.

    The latest entries count, too: a board that was restored from an older backup gets other letters at the same
    length, and some mail services drop a letter whose Message-ID they know. The entries are hashed with our key,
    because they may be hidden from a reader.
    """

    _RECENT = 4  #: letters that the next one refers to besides the first; not every entry caused a letter
    _TELLING = 8  #: entries that distinguish a log from others of the same length

    def __init__(self, letters: Letters, board: int, log: Sequence[Entry]) -> None:
        self._letters, self._board, self._log = letters, board, log
        self._codes: dict[int, int] = {}  #: all readers share them

    def letter(self, player_id: int, length: int) -> str:
        """Return the Message-ID of a reader's letter about the board when its log had this length."""
        code = (length, self._code(length)) if length else ()
        return self._letters.message_id(self._board, player_id, *code)

    def until(self, player_id: int, length: int) -> list[str]:
        """Return the Message-IDs of a reader's first letter and of the latest ones up to this length."""
        lengths = (0, *range(max(length - self._RECENT, 0) + 1, length + 1))
        return [self.letter(player_id, n) for n in lengths]

    def _code(self, length: int) -> int:
        if length not in self._codes:
            told = "\n".join(f"{e.seat} {e.kind} {e.text}" for e in self._log[max(length - self._TELLING, 0) : length])
            self._codes[length] = int(self._letters.site.signer.keyed_hash(told)[:10], 16)
        return self._codes[length]


class _Change:
    """The change of a board, and what is read once for all letters about it."""

    def __init__(self, letters: Letters, news: BoardNews, comment: Comment | None) -> None:
        self._letters = letters
        self._news = news
        self._row = news.row
        self._log = letters.replays.log(news.row)
        self._threads = Threads(letters, news.row.number, self._log)
        self._news_of = news.by_player
        self._people = letters.people(dict.fromkeys(news.row.players))
        self._comment = comment if news.actor and self._people.may_comment(news.actor) else None
        self._blockers = _blockers(letters.store, news.row, self._comment)
        self._pages = Pages(letters.site, letters.store, letters.now, letters.replays)

    def tell_players(self) -> None:
        """Write a letter to each player who needs one."""
        for player in self._people.players:
            if not self._needs_none(player):
                self._tell(player)

    def tell_subscribers(self) -> None:
        """Write to each subscriber, with the board as spectators see it."""
        row = self._row
        subscribers = [s.player for s in _subscribers(self._letters.store, row) if row.board.result or not s.end_only]
        people = self._letters.people(subscribers)
        for player in subscribers:
            wants, comments = people.preferences(player), self._comments_for(player)
            page = self._pages.page(row, self._log, None, self._news.since, wants, comments)
            earlier = self._threads.until(player.id, self._news.since)
            own = self._threads.letter(player.id, row.board.length)
            _write_to_subscriber(self._letters, "copy", row, player, page, people, earlier, own)

    def _needs_none(self, player: Player) -> bool:
        """Return whether a player needs no letter: the news are for others, or the player did all of it."""
        news = self._news
        if news.only and player.id != news.only.id:
            return True
        if not self._is_actor(player) or self._news_of[player.id].text:
            return False
        if self._people.preferences(player).wants_own and not news.quiet:
            return False
        return self._all_by(player)

    def _all_by(self, player: Player) -> bool:
        """Whether this player has done all of it."""
        return _all_by(self._row.seats_of(player), self._log[self._news.since :])

    def _tell(self, player: Player) -> None:
        """Write the letter to a player, or put the board into the next digest."""
        row, seat = self._row, self._row.seat_to_move(player)
        wants, news = self._people.preferences(player), self._news_of.get(player.id)
        comments = [] if self._is_actor(player) else self._comments_for(player)
        if wants.wants_digest and not news and not self._is_urgent(seat):
            _collect(self._letters, row, player, comments)
            return
        news = news or News("", seen_by(self._log, seat))
        page = self._pages.page(row, self._log, seat, news.since, wants, comments)
        first = row.board.length == 0
        data = page | {"news": self._letters.site.renderer.to(wants.language).say(news.text), "first": first}
        if self._news.only:  # this player already has the letter for this length; for example, this is a reminder
            had, own = row.board.length, ""
        else:
            had, own = self._had(player, wants), self._threads.letter(player.id, row.board.length)
        earlier = self._threads.until(player.id, had)
        stop = ""
        if self._is_actor(player) and self._all_by(player):
            stop = self._letters.site.signer.sign(signed_addresses.STOP, player.id, signed_addresses.OWN_MOVES)
        _write_to_player(self._letters, "board", row, player, data, self._people, earlier, own, stop)

    def _had(self, player: Player, wants: Preferences) -> int:
        """Return the length of the log in the latest letter that a player got before this change."""
        length, seats = self._news.since, self._row.seats_of(player)
        while length and not wants.wants_own and self._log[length - 1].seat in seats:
            length -= 1
        return length

    def _is_actor(self, player: Player) -> bool:
        actor = self._news.actor
        return actor is not None and player.id == actor.id

    def _comments_for(self, player: Player) -> list[Comment]:
        """Return the comment, unless the reader has blocked its writer."""
        return [self._comment] if self._comment and player.id not in self._blockers else []

    def _is_urgent(self, seat: Seat) -> bool:
        """Return whether the board could be lost less than a day after the next digest."""
        lost = deadlines.forfeit_at(self._row.clocks[seat], self._row.settings)
        return lost is not None and lost - self._letters.now.timestamp() < 2 * deadlines.DAY


def _write_to_player(
    letters: Letters,
    kind: str,
    row: BoardRow,
    player: Player,
    data: Mapping[str, Any],
    people: People,
    earlier: Sequence[str],
    own: str = "",
    stop: str = "",
) -> None:
    """Write a letter to a player of the board, who can answer it with a move. `earlier`, `own`: see `Threads`."""
    subject = board_subject(row, player, people.preferences(player))
    signed = (signed_addresses.BOARD, row.number, row.seat_to_move(player), row.board.length)
    reply_to = letters.site.signer.sign(*signed)
    _write(letters, kind, row, people.readers(player), subject, data, earlier, own, reply_to=reply_to, stop=stop)


def _write_to_subscriber(
    letters: Letters,
    kind: str,
    row: BoardRow,
    player: Player,
    data: Mapping[str, Any],
    people: People,
    earlier: Sequence[str],
    own: str = "",
) -> None:
    """Write a letter to somebody who does not play on the board. Its headers say how to get no more of them."""
    subject = board_subject(row, player, people.preferences(player), playing=False)
    stop = letters.site.signer.sign(signed_addresses.UNSUBSCRIBE, row.number, player.id)
    data = {**data, "reader": player.userid}
    _write(letters, kind, row, people.readers(player), subject, data, earlier, own, stop=stop)


def _write(
    letters: Letters,
    kind: str,
    row: BoardRow,
    to: Sequence[Reader],
    subject: str,
    data: Mapping[str, Any],
    earlier: Sequence[str],
    own: str,
    **fields: Any,
) -> None:
    letters.write_to(
        to, kind, subject, data, board=row.number, thread=earlier, message_id=own, kind_of_list=row.key, **fields
    )


def _collect(letters: Letters, row: BoardRow, player: Player, comments: Sequence[Comment]) -> None:
    """Keep a board, and perhaps a comment, for a player's next digest."""
    by, text = (comments[0].by, comments[0].text) if comments else ("", "")
    letters.store.readers.collect(player.id, row.number, by, text, letters.now)


def _subscribers(store: Store, row: BoardRow) -> list[Subscriber]:
    return [] if row.settings.private else store.readers.subscribers(row.number)


def _blockers(store: Store, row: BoardRow, comment: Comment | None) -> frozenset[int]:
    """Return the ids of the players who have blocked the writer of a comment."""
    if comment is None:
        return frozenset()
    writer = next((p for p in row.players if p.userid == comment.by), None) or store.players.find(comment.by)
    return store.readers.blockers_of(writer.id) if writer else frozenset()


def _all_by(seats: Sequence[Seat], entries: Sequence[Entry]) -> bool:
    """Return whether there are entries and all are by these seats."""
    return bool(entries) and all(e.seat in seats for e in entries)
