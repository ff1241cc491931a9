"""Composes letters: who reads what, in which template, and how it hangs in its thread."""

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pbmserv.boards import deadlines
from pbmserv.boards.news import BoardNews, News
from pbmserv.games.base import Seat
from pbmserv.games.base.log import Entry, seen_by
from pbmserv.letters import readers
from pbmserv.letters.board_page import Pages, board_subject, wanted_display, wanted_language
from pbmserv.letters.comments import Comment
from pbmserv.letters.draft import Draft
from pbmserv.letters.readers import People, Reader
from pbmserv.letters.site import Site
from pbmserv.mail import signed_addresses
from pbmserv.mail.inbound import Mail
from pbmserv.mail.outbound import Letter
from pbmserv.store import BoardRow, Player, Store
from pbmserv.store.readers import Subscriber

AWAY = timedelta(days=7)  #: how long board letters offer a vacation to whose mailer said that he is away


@dataclass(frozen=True)
class Cause:
    """The mail that letters answer: its row, who sent it, and what its own letter must carry."""

    mail_id: int | None
    sender: str = ""
    message_id: str = ""
    references: tuple[str, ...] = ()

    @classmethod
    def of(cls, mail_id: int, mail: Mail) -> "Cause":
        """The cause that an incoming mail is."""
        return cls(mail_id, mail.sender, mail.message_id, tuple(mail.references.split()))


class Letters:
    """Composes letters inside one transaction and keeps them until `rows` is queued with it."""

    def __init__(self, site: Site, store: Store, cause: Cause, now: datetime) -> None:
        self._site = site
        self._store = store
        self._cause = cause
        self._now = now
        self.pages = Pages(site, store, now)
        self.rows: list[dict[str, Any]] = []

    def write(
        self,
        kind: str,
        recipients: Sequence[str],
        subject: str,
        data: Mapping[str, Any],
        *,
        reply_to: str = "",
        attachments: tuple[tuple[str, bytes], ...] = (),
        language: str | None = None,
    ) -> None:
        """One letter of this kind (the name of its template) to each recipient, without HTML if he wants it so.

        Without a `language`, it is in that of the player whose address it is.
        """
        self._write(
            kind,
            readers.at(self._store, recipients, language, self._now - AWAY),
            subject,
            data,
            reply_to=reply_to,
            attachments=attachments,
        )

    def _write(
        self,
        kind: str,
        to: Sequence[Reader],
        subject: str,
        data: Mapping[str, Any],
        *,
        board: int | None = None,
        thread: str = "",
        message_id: str = "",
        **fields: Any,
    ) -> None:
        """As `write`; `thread`: see `_threaded`; `fields` of the letters; `answers` of the data are for the HTML."""
        data = {"address": self._site.address, **data}
        words: dict[str, str] = {}
        for reader in to:
            renderer = self._site.renderer.to(reader.language)
            if reader.language not in words:
                words[reader.language] = renderer.text(f"mail/{kind}.txt", data)
            own_id = message_id or self._message_id(secrets.randbits(60))
            letter = Letter(
                recipient=reader.address,
                subject=renderer.say(subject),
                text="\n\n".join((words[reader.language], *self._notes(kind, reader))),
                message_id=own_id,
                date=self._now,
                **fields,
                **self._threaded(reader.address, own_id, thread),
            )
            self._queue(kind, Draft(letter, reader.language, reader.rich, data.get("answers", ())), board)

    def _threaded(self, recipient: str, message_id: str, thread: str) -> dict[str, Any]:
        """The headers that put a letter into its thread.

        It hangs there as RFC 5322 §3.6.4 says: an answer refers to what the mail that it answers referred to, and to
        that mail. If `thread`, the Message-ID of a board's first letter, is not among them, it stands first: the
        letters of a board stay together even if somebody sends his move in a mail that answers none.
        """
        mine = recipient.casefold() == self._cause.sender.casefold()
        asked = self._cause.message_id if mine else ""
        known = self._cause.references if mine else ()
        known = (*known, asked) if thread in known else (thread, *known, asked)
        return {
            "references": tuple(dict.fromkeys(r for r in known if r not in ("", message_id))),
            "in_reply_to": asked or (thread if thread != message_id else ""),
            "automatic": "auto-replied" if mine else "auto-generated",
        }

    def render(self, template: str, reader: Player, **data: Any) -> str:
        """The text of a template of templates/mail, in the language of a player."""
        renderer = self._site.renderer.to(self.language(reader))
        return renderer.text(f"mail/{template}.txt", {"address": self._site.address, **data})

    def language(self, player: Player) -> str:
        """The language in which a player wants his letters."""
        return wanted_language(self._store.players.preferences([player.id]), player.id)

    def board(self, news: BoardNews, comment: Comment | None = None) -> None:
        """The board letter to each of its players and subscribers, or to the only one that the news are for.

        The actor reads what happened since, the others what happened after their own last entry. The comment is his.
        """
        row, actor = news.row, news.actor
        log = self._store.boards.entries(row.number)
        deaf = self._deaf(row, comment)
        by_player = news.by_player
        people = self._people(dict.fromkeys(row.players))
        for player in people.players:
            read, settings = by_player.get(player.id), people.settings(player)
            acted, own = actor is not None and player.id == actor.id, news.quiet or settings.get("own") == "off"
            knows = acted and own and read and not read.text and _only_by(row.seats_of(player), log[news.since :])
            if knows or (news.only and player.id != news.only.id):
                continue
            seat = row.seat_to_move(player)
            heard = None if acted or player.id in deaf else comment
            if settings.get("digest") == "daily" and not read and not self._is_urgent(row, seat):
                self._store.readers.collect(player.id, row.number, *_parts(heard), self._now)
                continue
            display = wanted_display(people.preferences, player.id, row.key)
            read = read or News("", seen_by(log, seat))
            language = people.language(player)
            data = self.pages.page(row, log, seat, read.since, display, [heard] if heard else [], language)
            self._board_letter(row, player, data, read.text, people, again=news.only is not None)
        if not news.only:
            self._copies(row, log, news.since, comment, deaf)

    def _board_letter(
        self, row: BoardRow, player: Player, page: dict[str, Any], news: str, people: People, *, again: bool
    ) -> None:
        """A page of a board to one of its players. `again`: he has had one before, as with a nag."""
        first = row.board.length == 0
        data = page | {"news": self._site.renderer.to(people.language(player)).say(news), "first": first}
        self._to_player("board", row, player, data, people, first=first and not again)

    def chat(self, row: BoardRow, comment: Comment) -> list[str]:
        """What a player says goes to the others and to the subscribers; their userids.

        Those who have blocked him get nothing, and he is not told.
        """
        deaf = self._deaf(row, comment)
        playing = [p for p in dict.fromkeys(row.players) if p.userid != comment.by]
        others = [s.player for s in self._subscribers(row) if not s.end_only]
        people = self._people((*playing, *others))
        data = {"comment": comment, "number": row.number, "game": row.game.info.name}
        for player in [p for p in playing if p.id not in deaf]:
            if people.settings(player).get("digest") == "daily":
                self._store.readers.collect(player.id, row.number, *_parts(comment), self._now)
            else:
                self._to_player("chat", row, player, data | {"playing": True}, people)
        for player in [p for p in others if p.id not in deaf]:
            self._to_subscriber("chat", row, player, data | {"playing": False}, people)
        return [p.userid for p in (*playing, *others)]

    def _to_player(
        self, kind: str, row: BoardRow, player: Player, data: Mapping[str, Any], people: People, first: bool = False
    ) -> None:
        """A letter about a board to one of its players; he can answer it with a move."""
        thread = self._message_id(row.number, player.id)
        self._write(
            kind,
            people.readers(player),
            board_subject(row, player),
            data,
            board=row.number,
            thread=thread,
            message_id=thread if first else "",
            reply_to=self.pages.reply_to(row, row.seat_to_move(player)),
        )

    def _to_subscriber(self, kind: str, row: BoardRow, player: Player, data: Mapping[str, Any], people: People) -> None:
        """A letter about a board to somebody who does not play on it; its headers say how to get no more of them."""
        self._write(
            kind,
            people.readers(player),
            row.title,
            {**data, "reader": player.userid},
            board=row.number,
            thread=self._message_id(row.number, player.id),
            unsubscribe=self._site.signer.sign(signed_addresses.UNSUBSCRIBE, row.number, player.id),
        )

    def _copies(
        self, row: BoardRow, log: Sequence[Entry], since: int, comment: Comment | None, deaf: frozenset[int]
    ) -> None:
        """The board as spectators see it, to each subscriber."""
        key = row.key
        subscribers = [s.player for s in self._subscribers(row) if row.board.result or not s.end_only]
        people = self._people(subscribers)
        for player in subscribers:
            display = wanted_display(people.preferences, player.id, key)
            heard = [comment] if comment and player.id not in deaf else []
            page = self.pages.page(row, log, None, since, display, heard, people.language(player))
            self._to_subscriber("copy", row, player, page, people)

    def _subscribers(self, row: BoardRow) -> list[Subscriber]:
        return [] if row.settings.private else self._store.readers.subscribers(row.number)

    def _deaf(self, row: BoardRow, comment: Comment | None) -> frozenset[int]:
        """The players who have blocked whoever wrote this."""
        if comment is None:
            return frozenset()
        writer = next((p for p in row.players if p.userid == comment.by), None) or self._store.players.find(comment.by)
        return self._store.readers.blockers_of(writer.id) if writer else frozenset()

    def addresses(self, player: Player) -> list[str]:
        """Where letters to a player go."""
        return self._store.addresses.for_letters(player.id, also=self._cause.sender)

    def _people(self, players: Iterable[Player]) -> People:
        """What letters to these players need, as of now."""
        return People(self._store, players, self._cause.sender, self._now - AWAY)

    def _notes(self, kind: str, reader: Reader) -> Iterator[str]:
        """Blocks at the end of a letter: that an address of the reader's is suspended, or away."""
        for doubt in reader.doubts:
            if doubt.suspended or kind == "board":
                confirm = self._site.signer.sign(signed_addresses.CONFIRM, doubt.id)
                data = {"doubt": doubt, "since": doubt.suspended or doubt.away, "confirm": confirm}
                yield self._site.renderer.to(reader.language).text("mail/doubt.txt", data)

    def _is_urgent(self, row: BoardRow, seat: Seat) -> bool:
        """Whether a letter that waited for the next digest could leave less than a day until the board is lost."""
        lost = deadlines.forfeit_at(row.clocks[seat], row.settings)
        return lost is not None and lost - self._now.timestamp() < 2 * deadlines.DAY

    def _message_id(self, *numbers: int) -> str:
        return f"<{self._site.signer.signed(signed_addresses.MESSAGE, *numbers)}@{self._site.signer.domain}>"

    def _queue(self, kind: str, draft: Draft, board: int | None) -> None:
        self.rows.append(
            {
                "mail_id": self._cause.mail_id,
                "board": board,
                "kind": kind,
                "recipient": draft.letter.recipient,
                "data": draft.pack(),
                "created": self._now,
            }
        )


def _parts(comment: Comment | None) -> tuple[str, str]:
    return (comment.by, comment.text) if comment else ("", "")


def _only_by(seats: Sequence[Seat], entries: Sequence[Entry]) -> bool:
    """Whether these entries, one at least, are all of these seats."""
    return bool(entries) and all(e.seat in seats for e in entries)
