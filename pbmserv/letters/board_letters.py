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
from pbmserv.letters.readers import People
from pbmserv.mail import signed_addresses
from pbmserv.store import BoardRow, Player, Store
from pbmserv.store.readers import Subscriber


def write_news(letters: Letters, news: BoardNews, comment: Comment | None = None) -> None:
    """The board letter to each of its players and subscribers, or to the only player whom the news are for.

    The actor reads what happened since his mail came in, the others what happened after their own last entry. The
    comment is for everybody but the actor.
    """
    change = _Change(letters, news, comment)
    change.tell_players()
    if not news.only:
        change.tell_subscribers()


def write_chat(letters: Letters, row: BoardRow, comment: Comment) -> list[str]:
    """What a player says goes to the others and to the subscribers; their userids.

    Those who have blocked him get nothing, and he does not hear of that.
    """
    blockers = _blockers(letters.store, row, comment)
    playing = [p for p in dict.fromkeys(row.players) if p.userid != comment.by]
    others = [s.player for s in _subscribers(letters.store, row) if not s.end_only]
    people = letters.people((*playing, *others))
    data = {"comment": comment, "number": row.number, "game": row.game.info.name}
    for player in [p for p in playing if p.id not in blockers]:
        if people.preferences(player).wants_digest:
            _collect(letters, row, player, [comment])
        else:
            _write_to_player(letters, "chat", row, player, data | {"playing": True}, people)
    for player in [p for p in others if p.id not in blockers]:
        _write_to_subscriber(letters, "chat", row, player, data | {"playing": False}, people)
    return [p.userid for p in (*playing, *others)]


class _Change:
    """The change of a board, and what is read once for all letters about it."""

    def __init__(self, letters: Letters, news: BoardNews, comment: Comment | None) -> None:
        self._letters = letters
        self._news = news
        self._row = news.row
        self._log = letters.store.boards.entries(news.row.number)
        self._comment = comment
        self._blockers = _blockers(letters.store, news.row, comment)
        self._news_of = news.by_player
        self._people = letters.people(dict.fromkeys(news.row.players))
        self._pages = Pages(letters.site, letters.store, letters.now)

    def tell_players(self) -> None:
        """A letter to each player who needs one."""
        for player in self._people.players:
            if not self._needs_none(player):
                self._tell(player)

    def tell_subscribers(self) -> None:
        """The board as spectators see it, to each subscriber."""
        row = self._row
        subscribers = [s.player for s in _subscribers(self._letters.store, row) if row.board.result or not s.end_only]
        people = self._letters.people(subscribers)
        for player in subscribers:
            wants, comments = people.preferences(player), self._comments_for(player)
            page = self._pages.page(row, self._log, None, self._news.since, wants, comments)
            _write_to_subscriber(self._letters, "copy", row, player, page, people)

    def _needs_none(self, player: Player) -> bool:
        """Whether the news are for somebody else, or he did all of it himself and has no need to read of that."""
        news = self._news
        if news.only and player.id != news.only.id:
            return True
        if not self._is_actor(player) or self._news_of[player.id].text:
            return False
        if self._people.preferences(player).wants_own and not news.quiet:
            return False
        return _all_by(self._row.seats_of(player), self._log[news.since :])

    def _tell(self, player: Player) -> None:
        """The letter to a player, or a place for the board in his next digest."""
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
        begins_thread = first and not self._news.only  # who alone is written to has had his first letter, as with a nag
        _write_to_player(self._letters, "board", row, player, data, self._people, begins_thread=begins_thread)

    def _is_actor(self, player: Player) -> bool:
        actor = self._news.actor
        return actor is not None and player.id == actor.id

    def _comments_for(self, player: Player) -> list[Comment]:
        """The comment, unless the reader has blocked whoever wrote it."""
        return [self._comment] if self._comment and player.id not in self._blockers else []

    def _is_urgent(self, seat: Seat) -> bool:
        """Whether a letter that waited for the next digest could leave less than a day until the board is lost."""
        lost = deadlines.forfeit_at(self._row.clocks[seat], self._row.settings)
        return lost is not None and lost - self._letters.now.timestamp() < 2 * deadlines.DAY


def _write_to_player(
    letters: Letters,
    kind: str,
    row: BoardRow,
    player: Player,
    data: Mapping[str, Any],
    people: People,
    *,
    begins_thread: bool = False,
) -> None:
    """A letter about a board to one of its players; he can answer it with a move."""
    thread = letters.message_id(row.number, player.id)
    signed = (signed_addresses.BOARD, row.number, row.seat_to_move(player), row.board.length)
    letters.write_to(
        people.readers(player),
        kind,
        board_subject(row, player),
        data,
        board=row.number,
        thread=thread,
        message_id=thread if begins_thread else "",
        reply_to=letters.site.signer.sign(*signed),
    )


def _write_to_subscriber(
    letters: Letters, kind: str, row: BoardRow, player: Player, data: Mapping[str, Any], people: People
) -> None:
    """A letter about a board to somebody who does not play on it; its headers say how to get no more of them."""
    letters.write_to(
        people.readers(player),
        kind,
        row.title,
        {**data, "reader": player.userid},
        board=row.number,
        thread=letters.message_id(row.number, player.id),
        unsubscribe=letters.site.signer.sign(signed_addresses.UNSUBSCRIBE, row.number, player.id),
    )


def _collect(letters: Letters, row: BoardRow, player: Player, comments: Sequence[Comment]) -> None:
    """Let a board, and perhaps a comment, wait for a player's next digest."""
    by, text = (comments[0].by, comments[0].text) if comments else ("", "")
    letters.store.readers.collect(player.id, row.number, by, text, letters.now)


def _subscribers(store: Store, row: BoardRow) -> list[Subscriber]:
    return [] if row.settings.private else store.readers.subscribers(row.number)


def _blockers(store: Store, row: BoardRow, comment: Comment | None) -> frozenset[int]:
    """The players who have blocked whoever wrote this."""
    if comment is None:
        return frozenset()
    writer = next((p for p in row.players if p.userid == comment.by), None) or store.players.find(comment.by)
    return store.readers.blockers_of(writer.id) if writer else frozenset()


def _all_by(seats: Sequence[Seat], entries: Sequence[Entry]) -> bool:
    """Whether these entries, one at least, are all of these seats."""
    return bool(entries) and all(e.seat in seats for e in entries)
