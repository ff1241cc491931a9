"""Writes letters: readers, template, language and thread."""

import secrets
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from types import MappingProxyType
from typing import Any, TypedDict, Unpack

from pbmserv.boards.past import Budget, Replays
from pbmserv.letters.pictures.touch import NO_TOUCHES
from pbmserv.letters.site import Site
from pbmserv.letters.text.blocks import Block, Words, unpictured
from pbmserv.letters.text.templates import ENGLISH
from pbmserv.letters.text.wording import Habits, day
from pbmserv.letters.waiting.board_draft import BoardDraft
from pbmserv.letters.waiting.draft import Draft
from pbmserv.mail import signed_addresses
from pbmserv.mail.inbound import Mail
from pbmserv.mail.outbound import NOWHERE, Attachment, Letter
from pbmserv.model import Player
from pbmserv.model.letters import Event, Form, LetterKind, NewLetter
from pbmserv.model.preferences import Preferences
from pbmserv.model.rows import SuspectAddress
from pbmserv.store import Store

_LISTS = ("digest", "broadcasts")  #: kinds of letters that are a list's, also if they can be answered


@dataclass(frozen=True)
class Reader:
    """One address for a letter. `suspects`: the reader's addresses that are suspended or away."""

    address: str
    language: str = ENGLISH
    rich: bool = True  #: the reader wants HTML, too
    suspects: Sequence[SuspectAddress] = ()


def readers_at(store: Store, addresses: Sequence[str], language: str | None, away: datetime) -> list[Reader]:
    """Return the readers at these addresses.

    Without a `language`, each has the language of the player with the address.

    An address counts as away if an out-of-office notice came at the time `away` or later.
    """
    text_only = store.readers.text_only(addresses)
    languages = store.readers.languages(addresses) if language is None else dict[str, str]()
    suspects = defaultdict[str, list[SuspectAddress]](list)
    for suspect in store.addresses.suspect(addresses, away):
        suspects[suspect.reader].append(suspect)
    folded = ((address, address.casefold()) for address in addresses)
    return [Reader(a, language or languages.get(f, ENGLISH), f not in text_only, suspects[f]) for a, f in folded]


def habits_of(store: Store, players: Iterable[Player]) -> dict[str, Habits]:
    """Return what players have set about time on boards, by userid. A robot has no days off and no vacation."""
    people = set(players)
    preferences = store.players.preferences({p.id for p in people if not p.robot})
    habits = {id_: Habits(p.weekends, p.wants_auto_vacation) for id_, p in preferences.items()}
    return {p.userid: habits.get(p.id, Habits()) for p in players}


class People:
    """The preferences and addresses of some players, read once for all of them."""

    def __init__(self, store: Store, players: Iterable[Player]) -> None:
        self.players = list(players)
        ids = sorted({p.id for p in self.players})
        self._preferences = store.players.preferences(ids)
        self._addresses = store.addresses.confirmed_of(ids)

    @staticmethod
    def ask(store: Store, ids: Iterable[int]) -> None:
        """Ask for the data of players. This is for `Store.ask_ahead`."""
        numbers = sorted(ids)
        store.players.preferences(numbers)
        store.addresses.confirmed_of(numbers)

    def preferences(self, player: Player) -> Preferences:
        """Return a player's preferences."""
        return self._preferences[player.id]

    def may_comment(self, player: Player) -> bool:
        """Return whether words of this player may reach others: only after an address is confirmed.

        Closed accounts have no address any more. Players who are not known here are allowed, because they were checked
        before.
        """
        return player.password_hash is None or player.id not in self._addresses or len(self._addresses[player.id]) > 0

    def used_addresses(self, player: Player, also: str) -> list[str]:
        """Return the addresses to which a player's letters go. Suspended ones are left out, except `also`."""
        also = also.casefold()
        return [a.address for a in self._addresses[player.id] if not a.suspended or a.folded == also]

    def reader(self, player: Player, address: str, away: datetime) -> Reader:
        """Return the player as the reader of a letter to this address. `away`: see `readers_at`."""
        wants, own = self._preferences[player.id], self._addresses[player.id]
        suspects = [a for a in own if a.suspended or (a.away and a.away >= away)]
        return Reader(address, wants.language, wants.wants_html, suspects)


MOST_REFERENCES = 12  #: the most references of a letter: the first and the latest ones
#: How long a letter waits that needs no answer, if a robot moves next: it rests for ten seconds, and thinks for ten.
RESTS = timedelta(seconds=30)
AWAY = timedelta(days=7)  #: how long board letters offer a vacation after an out-of-office notice


@dataclass(frozen=True)
class Cause:
    """The mail that letters answer: its row, its sender, and the references for the letter to its sender."""

    mail_id: int | None
    sender: str = ""
    message_id: str = ""
    references: tuple[str, ...] = ()

    @classmethod
    def of(cls, mail_id: int | None, mail: Mail) -> "Cause":
        """Make the cause from an incoming mail."""
        return cls(mail_id, mail.sender, mail.message_id, tuple(mail.references.split()))


class AnswerHeaders(TypedDict, total=False):
    """What an answer can have besides its text: see `Letters.write`."""

    reply_to: str
    attachments: tuple[Attachment, ...]
    language: str | None


class Headers(TypedDict, total=False):
    """What a letter can have besides its text.

    `thread`: the Message-IDs of the first letter about the same thing and of the latest ones; `message_id`: its own;
    without it, a new one. `kind_of_list`: the word by which readers can filter such letters; `stop`: where to write to
    get no more of them, or `stops`, by address. `reply_to`: where an answer goes, or `replies`, by address.
    """

    thread: Sequence[str]
    message_id: str
    kind_of_list: str
    stop: str
    stops: Mapping[str, str]
    reply_to: str
    replies: Mapping[str, str]
    attachments: tuple[Attachment, ...]


class _Threaded(TypedDict):
    references: tuple[str, ...]
    in_reply_to: str
    automatic: str


class _Stopped(TypedDict, total=False):
    unsubscribe: str
    one_click: str


class Letters:
    """Writes letters inside one transaction and collects them in `rows`, which the caller queues.

    `budget` and `replays` are those of the mail that they are about.
    """

    def __init__(self, site: Site, store: Store, cause: Cause, now: datetime) -> None:
        self.site = site
        self.store = store
        self.now = now
        self._cause = cause
        self.rows: list[NewLetter] = []
        self.budget = Budget()
        self.replays = Replays(store, self.budget)

    def write(
        self,
        kind: str,
        recipients: Sequence[str],
        subject: str,
        data: Mapping[str, object],
        *,
        reply_to: str = "",
        attachments: tuple[Attachment, ...] = (),
        language: str | None = None,
        counted: str = "",
        kind_of_list: str = "",
        stops: Mapping[str, str] = MappingProxyType({}),
        replies: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Write one letter of this kind (the name of its template) to each recipient, with HTML if the reader wants it.

        Without a `language`, the letter is in the language of the player who owns the address. `counted`: the kind in
        its row, if it is another one. `kind_of_list`, `stops` and `replies`: see `Headers`.
        """
        to = readers_at(self.store, recipients, language, self.now - AWAY)
        self.write_to(
            to,
            kind,
            subject,
            data,
            counted=counted,
            reply_to=reply_to,
            attachments=attachments,
            kind_of_list=kind_of_list,
            stops=stops,
            replies=replies,
        )

    def write_to(
        self,
        to: Sequence[Reader],
        kind: str,
        subject: str,
        data: Mapping[str, object],
        counted: str = "",
        **headers: Unpack[Headers],
    ) -> None:
        """Write one letter to each reader. `counted`: see `write`; `headers`: see `Headers`."""
        for draft in self.drafts(to, kind, subject, data, **headers):
            self._queue(counted or kind, None, draft.letter.recipient, Form.WORDS, draft.pack())

    def drafts(
        self, to: Sequence[Reader], kind: str, subject: str, data: Mapping[str, Any], **headers: Unpack[Headers]
    ) -> Iterator[Draft]:
        """Yield the letter to each reader; for what it can have besides its text, see `Headers`.

        `answers` and `touches` in the data become links in the HTML, `page_url` where there is no room for them.
        """
        data = {"address": self.site.address, **data}
        words = cache(lambda language: self.site.renderer.to(language).blocks(f"mail/{kind}.txt", data))
        is_answered = "number" in data or data.get("answers") or headers.get("reply_to") or headers.get("replies")
        for reader in to:
            ending = [self._last_line(data, reader)] if is_answered else []
            blocks = (*words(reader.language), *self._warnings(kind, reader), *ending)
            letter = self._letter(reader, subject, headers)
            answers, touched, page = data.get("answers", ()), data.get("touches", NO_TOUCHES), data.get("page_url", "")
            shown = blocks if reader.rich else unpictured(blocks)
            yield Draft(letter, shown, reader.language, reader.rich, answers, touched, page)

    def _letter(self, reader: Reader, subject: str, headers: Headers) -> Letter:
        """Return a letter to a reader without its text."""
        kind_of_list = headers.get("kind_of_list", "")
        label = self.site.signer.list_id(kind_of_list) if kind_of_list else ""
        answered_at = headers.get("replies", {}).get(reader.address, headers.get("reply_to", ""))
        own_id = headers.get("message_id") or self.site.signer.message_id(secrets.randbits(60))
        return Letter(
            recipient=reader.address,
            subject=self.site.renderer.to(reader.language).say(subject),
            text="",
            message_id=own_id,
            date=self.now,
            kind=label,
            list_id=label if kind_of_list in _LISTS or not answered_at else "",
            **self._stopped(headers.get("stops", {}).get(reader.address, headers.get("stop", ""))),
            reply_to=answered_at,
            attachments=headers.get("attachments", ()),
            **self._threaded(reader.address, [earlier for earlier in headers.get("thread", ()) if earlier != own_id]),
        )

    def write_board(
        self, kind: str, addresses: Sequence[str], draft: BoardDraft, *, joins: str = "", rests: bool = False
    ) -> None:
        """Write a letter about a board to each of these addresses of its reader. Its words are made when it is sent.

        `rests`: it waits for a moment, because a robot of this server moves next. `joins`: it tells what a letter tells
        that rests, which is then not sent; this is the receipt of the log now, in place of that of the other letter.
        """
        cause = self._cause
        for address in addresses:
            is_asker = self._asked_by(address)
            made = replace(draft, asked=cause.message_id, references=cause.references) if is_asker else draft
            if joins:
                made = self._joined(address, made, joins)
            due = self.now + RESTS if rests else None
            self._queue(kind, draft.board, address, Form.VIEW, made.pack(), due)

    def _joined(self, address: str, draft: BoardDraft, receipt: str) -> BoardDraft:
        """Return a letter with what the letters tell that rest; two comments stay in two letters."""
        for row in self.store.letters.resting(draft.board, address):
            earlier = BoardDraft.unpack(self.site.signer.with_signatures(row.data))
            has_room = not (earlier.comment and draft.comment) and earlier.length <= draft.length
            if has_room and self.store.letters.join(row.id, self.now):
                draft = replace(draft.after(earlier), receipt=receipt if earlier.receipt else draft.receipt)
        return draft

    def queue_event(self, player: Player, event: Event | None) -> None:
        """Queue an event for the webhook of a player, if there is one. The caller knows that there is a webhook."""
        if event and self.site.policy.webhooks:
            cause, where = self._cause.mail_id, f"webhook:{player.userid}"
            letter = NewLetter(cause, event.board, event.kind, where, Form.EVENT, event.data, self.now, player.id)
            self.rows.append(letter)

    def render(self, template: str, reader: Player, **data: object) -> Words:
        """Render a template of templates/mail in the language of a player."""
        renderer = self.site.renderer.to(self.language(reader))
        return renderer.blocks(f"mail/{template}.txt", {"address": self.site.address, **data})

    def language(self, player: Player) -> str:
        """Return the language for a player's letters."""
        return self.store.players.preferences([player.id])[player.id].language

    def addresses(self, player: Player) -> list[str]:
        """Return the addresses for letters to a player."""
        return self.store.addresses.for_letters(player.id, also=self._cause.sender)

    def people(self, players: Iterable[Player]) -> People:
        """Read the data that decides on letters to these players."""
        return People(self.store, players)

    def used_addresses(self, people: People, player: Player) -> list[str]:
        """Return the addresses for board letters to a player."""
        return people.used_addresses(player, also=self._cause.sender)

    def _threaded(self, recipient: str, thread: Sequence[str]) -> _Threaded:
        """Return the headers that put a letter into its thread.

        An answer refers to the mail that it answers, and to all that this mail referred to (RFC 5322 §3.6.4). If that
        mail does not answer the latest letter of the thread, the thread is named as well. So the letters of a board
        stay together, each below the one before it, even if a player moves in a new mail or answers an old letter.
        """
        is_asker = self._asked_by(recipient)
        asked = self._cause.message_id if is_asker else ""
        known = list(self._cause.references) if is_asker else []
        if thread and thread[0] not in known:
            known.insert(0, thread[0])
        if thread and thread[-1] not in known:
            known += thread[1:]
        known = [r for r in dict.fromkeys([*known, asked]) if r]
        return {
            "references": tuple(known if len(known) <= MOST_REFERENCES else known[:1] + known[1 - MOST_REFERENCES :]),
            "in_reply_to": asked or (thread[-1] if thread else ""),
            "automatic": "auto-replied" if is_asker else "auto-generated",
        }

    def _stopped(self, address: str) -> _Stopped:
        """Return the headers with which a reader gets no more such letters: by a mail to this address, or a click."""
        return {"unsubscribe": address, "one_click": self.site.one_click(address)} if address else {}

    def _warnings(self, kind: str, reader: Reader) -> Iterator[Block]:
        """Return blocks for the end of a letter, about addresses of the reader that are suspended or away."""
        for suspect in reader.suspects:
            if suspect.suspended or kind == LetterKind.BOARD:
                to, title = self.site.reached_at(self.site.signer.sign(signed_addresses.CONFIRM, suspect.id), "")
                data = {"doubt": suspect, "since": suspect.suspended or suspect.away, "confirm": to, "title": title}
                yield from self.site.renderer.to(reader.language).blocks("mail/doubt.txt", data)

    def _last_line(self, data: Mapping[str, Any], reader: Reader) -> Block:
        """Return a line that ends no other letter. Mail programs fold what ends as an earlier letter did."""
        say, number, ply = self.site.renderer.to(reader.language).say, data.get("number"), data.get("ply")
        when = f"{say(day(self.now))}, {self.now:%H:%M:%S %Z}"
        about = f"{say(f'Board {number} after ply {ply - 1}')}: " if ply else ""
        return Block("fine", (f"{about}{when}",))

    def _asked_by(self, recipient: str) -> bool:
        """Return whether this address sent the mail that the letters answer."""
        return recipient.casefold() == self._cause.sender.casefold()

    def _queue(
        self, kind: str, board: int | None, recipient: str, form: Form, packed: bytes, due: datetime | None = None
    ) -> None:
        if recipient.endswith(f"@{NOWHERE}"):
            return
        data = self.site.signer.without_signatures(packed)
        self.rows.append(NewLetter(self._cause.mail_id, board, kind, recipient, form, data, self.now, due=due))
