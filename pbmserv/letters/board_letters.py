"""Which letters the change of a board brings about: who gets one, at once or in a digest, and what else it says."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cached_property

from pbmserv.boards.clocks import deadlines
from pbmserv.boards.news import BoardNews, News
from pbmserv.boards.past import TooMuch
from pbmserv.games import NotInstalled
from pbmserv.games.base import Seat
from pbmserv.games.base.hidden import hides_moves, only_hidden
from pbmserv.games.base.log import Entry, Kind, has_note, is_only_a_word, moved_since, seen_by
from pbmserv.letters.board_page import BesideTheLog
from pbmserv.letters.fence import Comment
from pbmserv.letters.letters import Letters, People
from pbmserv.letters.waiting.board_draft import BoardDraft, another_message_id
from pbmserv.model import BoardRow, Player
from pbmserv.model.letters import LetterKind, Subscriber
from pbmserv.model.preferences import Preferences
from pbmserv.store import Store


def ask_of(letters: Letters, news: BoardNews, writer: Player | None = None) -> People:
    """Return the players of a changed board, and ask ahead what else every change asks, see `Store.ask_ahead`.

    `writer`: who may have written a comment.
    """
    store, row, log, players = letters.store, news.row, letters.replays.log(news.row), dict.fromkeys(news.row.players)

    def ask() -> None:
        letters.people(players)
        if writer:
            store.readers.blockers_of(writer.id)
        log.ask()
        if not news.only:
            _subscribers(store, row)

    store.ask_ahead(ask)
    return letters.people(players)


def write_news(letters: Letters, news: BoardNews, comment: Comment | None = None, people: People | None = None) -> None:
    """Write the board letter to each player and subscriber, or to the only player whom the news is for.

    The actor reads what happened since their mail came in, the others what happened after their own last entry. The
    comment is for everybody but the actor. `people`: the players, if they were asked for it.
    """
    change = _Change(letters, news, comment, people or ask_of(letters, news))
    change.tell_players()
    if not news.only:
        change.tell_subscribers()


def write_chat(letters: Letters, row: BoardRow, comment: Comment, *, is_reaction: bool = False) -> list[str]:
    """Send a player's chat to the other players and the subscribers, and return their userids.

    Players who have blocked the writer get nothing. The writer does not learn about it. A reaction goes to those who
    want reactions.
    """
    blockers = _blockers(letters.store, row, comment)
    playing = [p for p in dict.fromkeys(row.players) if p.userid != comment.by]
    others = [s.player for s in _subscribers(letters.store, row) if not s.end_only]
    people = letters.people((*playing, *others))
    if is_reaction:
        playing, others = ([p for p in who if people.preferences(p).wants_reactions] for who in (playing, others))
    for player in [p for p in (*playing, *others) if p.id not in blockers]:
        if people.preferences(player).has_webhook:
            letters.queue_event(player, letters.site.events.of_message(comment.by, comment.text, row))
        if player in playing and people.preferences(player).wants_digest:
            _collect(letters, row, player, comment)
            continue
        seat, length = row.seat_to_move(player) if player in playing else None, row.board.length
        draft = BoardDraft(
            row.number, player.id, length, had=length, seat=seat, again=another_message_id(), comment=comment
        )
        letters.write_board(LetterKind.CHAT, letters.used_addresses(people, player), draft)
    return [p.userid for p in (*playing, *others)]


class _Change:
    """The change of a board, and what is read once for all letters about it."""

    def __init__(self, letters: Letters, news: BoardNews, comment: Comment | None, people: People) -> None:
        self._letters = letters
        self._news = news
        self._row = news.row
        self._log = letters.replays.log(news.row)
        self._news_of = news.by_player
        self._people = people
        self._comment = comment if news.actor and self._people.may_comment(news.actor) else None
        self._blockers = _blockers(letters.store, news.row, self._comment)
        auto = [p.id for p in self._people.players if self._people.preferences(p).wants_auto_vacation and not p.robot]
        self._beside = BesideTheLog.of(letters.store, news.row, letters.now, auto)

    @cached_property
    def _entries(self) -> Sequence[Entry]:
        """The new entries of the log."""
        return self._log[self._news.since :]

    def tell_players(self) -> None:
        """Write a letter to each player who needs one."""
        for player in self._people.players:
            if not self._needs_none(player):
                self._tell(player)
            if self._people.preferences(player).has_webhook:
                self._tell_webhook(player)

    def tell_subscribers(self) -> None:
        """Write to each subscriber, with the board as spectators see it."""
        row, since = self._row, self._news.since
        subscribers = [s.player for s in _subscribers(self._letters.store, row) if row.board.result or not s.end_only]
        people = self._letters.people(subscribers)
        for player in subscribers:
            draft = self._draft(player, had=since, since=since, comment=self._comment_for(player))
            self._letters.write_board("copy", self._letters.used_addresses(people, player), draft)

    def _needs_none(self, player: Player) -> bool:
        """Return whether a player needs no letter: the news are for others, or the player did all of it."""
        news = self._news
        if (news.only and player.id != news.only.id) or (news.without and player.id == news.without.id):
            return True
        if not self._is_actor(player):
            return self._sees_nothing_new(player)
        if self._news_of[player.id].text or self._was_set_up() or self._is_next(player):
            return False
        if self._people.preferences(player).wants_own and not news.quiet:
            return False
        return self._all_by(player)

    def _is_next(self, player: Player) -> bool:
        """Whether a player is to move after own moves, or the board is over. Nobody can turn off such letters."""
        board, seats = self._row.board, self._row.seats_of(player)
        is_told = board.result is not None or not board.to_move.isdisjoint(seats)
        return is_told and moved_since(self._log, self._news.since)

    def _sees_nothing_new(self, player: Player) -> bool:
        """Whether others did only what a player need not know yet: words, hidden moves, or a part of a turn.

        The player's turn neither begins nor ends by it. The last of the words is news, because it sets the board up.
        """
        row, board, seats = self._row, self._row.board, self._row.seats_of(player)
        if board.result or self._comment or player.id in self._news_of:
            return False
        entries = self._entries
        if entries and all(map(is_only_a_word, entries)):
            return True
        if self._is_within_a_turn(seats):
            return True
        if not hides_moves(row.game) or board.to_move <= set(seats):
            return False
        return (
            only_hidden(board, self._log, self._news.since, seats)
            and not has_note(entries, seats)
            and self._waits_as_before(seats)
        )

    def _is_within_a_turn(self, seats: Collection[Seat]) -> bool:
        """Whether the turn of somebody else has begun and goes on, in a game that tells whole turns."""
        movers = {entry.seat for entry in self._entries}
        is_one = self._row.game.info.steps and movers == self._row.board.to_move and movers.isdisjoint(seats)
        return is_one and all(entry.kind is Kind.MOVE and not entry.missed for entry in self._entries)

    def _waits_as_before(self, seats: Collection[Seat]) -> bool:
        """Whether each of these seats was to move before the change and still is, or at neither time."""
        try:
            before = self._letters.replays.after(self._row, self._news.since)
        except TooMuch:
            return False
        return not (before.to_move ^ self._row.board.to_move) & set(seats)

    def _was_set_up(self) -> bool:
        """Whether the last word has set the board up, so that everybody wants to see its first position."""
        return any(e.kind is Kind.WORD and e.fixed for e in self._entries)

    def _all_by(self, player: Player) -> bool:
        """Whether this player has done all of it."""
        return _all_by(self._row.seats_of(player), self._entries)

    def _tell(self, player: Player) -> None:
        """Write the letter to a player, or put the board into the next digest."""
        row, seat = self._row, self._row.seat_to_move(player)
        wants, news = self._people.preferences(player), self._news_of.get(player.id)
        comment = None if self._is_actor(player) else self._comment_for(player)
        if wants.wants_digest and not news and not self._is_urgent(seat):
            _collect(self._letters, row, player, comment)
            return
        news = news or News("", seen_by(self._log, seat))
        draft = self._draft(player, had=self._had(player, wants), since=news.since, comment=comment)
        if self._news.only:  # this player already has the letter for this length; for example, this is a reminder
            draft = replace(draft, had=row.board.length, again=another_message_id())
        alone = self._is_actor(player) and self._all_by(player)
        draft = replace(draft, seat=seat, news=news.text, alone=alone, receipt=self._receipt_for(player))
        to = self._letters.used_addresses(self._people, player)
        joins = row.receipt if self._robots and not self._news.only else ""
        self._letters.write_board(LetterKind.BOARD, to, draft, joins=joins, rests=self._rests(player))

    @cached_property
    def _robots(self) -> frozenset[Seat]:
        """The seats of robots of this server: to other robots letters are sent."""
        people = self._people
        return frozenset(s for s, p in enumerate(self._row.players) if p.robot and not people.used_addresses(p, ""))

    def _rests(self, player: Player) -> bool:
        """Return whether a robot of this server does something next, and the player only reads meanwhile."""
        board = self._row.board
        is_theirs = bool(board.to_move) and board.to_move <= self._robots
        return is_theirs and not (board.offer or self._news.only)

    def _tell_webhook(self, player: Player) -> None:
        """Write the events for a player's webhook. It is told at once, and also of turns after own moves."""
        news, is_actor = self._news, self._is_actor(player)
        if (news.only and player.id != news.only.id) or (not is_actor and self._sees_nothing_new(player)):
            return
        letters, events = self._letters, self._letters.site.events
        if not is_actor and (comment := self._comment_for(player)):
            letters.queue_event(player, events.of_message(comment.by, comment.text, self._row))
        seen = news.since if is_actor else seen_by(self._log, self._row.seat_to_move(player))
        letters.queue_event(player, events.of_board(self._row, player, self._log, seen))

    def _draft(self, player: Player, *, had: int, since: int, comment: Comment | None) -> BoardDraft:
        """Return the letter to a reader, as far as it is the same for players and subscribers."""
        row = self._row
        absent, beside = isinstance(row.game, NotInstalled), self._beside
        return BoardDraft(
            row.number, player.id, row.board.length, had=had, since=since, absent=absent, comment=comment, beside=beside
        )

    def _receipt_for(self, player: Player) -> str:
        """Return the receipt of the log if it has a new entry of the player, now has all words, or is over; else ""."""
        row, seats = self._row, self._row.seats_of(player)
        is_own = any(entry.seat in seats for entry in self._entries)
        return row.receipt if is_own or self._was_set_up() or (row.board.result and row.board.length) else ""

    def _had(self, player: Player, wants: Preferences) -> int:
        """Return the length of the log in the latest letter that a player got before this change."""
        length, seats = self._news.since, self._row.seats_of(player)
        stayed = 0 < length < len(self._log) and self._log[length].seat in seats
        while length and not wants.wants_own and self._log[length - 1].seat in seats:
            if stayed and self._log[length - 1].kind is Kind.MOVE:
                break  # own letters are off, but that of a turn that goes on came
            length, stayed = length - 1, True
        return length

    def _is_actor(self, player: Player) -> bool:
        actor = self._news.actor
        return actor is not None and player.id == actor.id

    def _comment_for(self, player: Player) -> Comment | None:
        """Return the comment, unless the reader has blocked its writer."""
        return self._comment if player.id not in self._blockers else None

    def _is_urgent(self, seat: Seat) -> bool:
        """Return whether the board could be lost less than a day after the next digest."""
        lost = deadlines.forfeit_at(self._row.clocks[seat], self._row.settings)
        return lost is not None and lost - self._letters.now.timestamp() < 2 * deadlines.DAY


def _collect(letters: Letters, row: BoardRow, player: Player, comment: Comment | None) -> None:
    """Keep a board, and perhaps a comment, for a player's next digest."""
    by, text = (comment.by, comment.text) if comment else ("", "")
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
