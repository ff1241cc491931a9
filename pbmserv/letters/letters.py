"""How a letter is written: to whom, in which template and language, and how it hangs in its thread."""

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pbmserv.letters.draft import Draft
from pbmserv.letters.preferences import read_preferences
from pbmserv.letters.readers import People, Reader, readers_at
from pbmserv.letters.site import Site
from pbmserv.mail import signed_addresses
from pbmserv.mail.inbound import Mail
from pbmserv.mail.outbound import Letter
from pbmserv.store import Player, Store

AWAY = timedelta(days=7)  #: for so long board letters offer a vacation after a mailer said that its user is away


@dataclass(frozen=True)
class Cause:
    """The mail that letters answer: its row, who sent it, and what the letter to its sender refers to."""

    mail_id: int | None
    sender: str = ""
    message_id: str = ""
    references: tuple[str, ...] = ()

    @classmethod
    def of(cls, mail_id: int, mail: Mail) -> "Cause":
        """The cause of the letters that an incoming mail brings about."""
        return cls(mail_id, mail.sender, mail.message_id, tuple(mail.references.split()))


class Letters:
    """Writes letters inside one transaction and keeps them until `rows` is queued with it."""

    def __init__(self, site: Site, store: Store, cause: Cause, now: datetime) -> None:
        self.site = site
        self.store = store
        self.now = now
        self._cause = cause
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
        to = readers_at(self.store, recipients, language, self.now - AWAY)
        self.write_to(to, kind, subject, data, reply_to=reply_to, attachments=attachments)

    def write_to(
        self,
        to: Sequence[Reader],
        kind: str,
        subject: str,
        data: Mapping[str, Any],
        *,
        board: int | None = None,
        thread: str = "",
        message_id: str = "",
        **fields: Any,
    ) -> None:
        """As `write`, to readers. `answers` of the data become links in the HTML; `fields` are those of `Letter`.

        `board`: the number of the board that it is about; `thread`: the Message-ID of the letter that began its
        thread; `message_id`: its own, if it is not to be a new one.
        """
        data = {"address": self.site.address, **data}
        words: dict[str, str] = {}
        for reader in to:
            renderer = self.site.renderer.to(reader.language)
            if reader.language not in words:
                words[reader.language] = renderer.text(f"mail/{kind}.txt", data)
            own_id = message_id or self.message_id(secrets.randbits(60))
            letter = Letter(
                recipient=reader.address,
                subject=renderer.say(subject),
                text="\n\n".join((words[reader.language], *self._warnings(kind, reader))),
                message_id=own_id,
                date=self.now,
                **fields,
                **self._threaded(reader.address, own_id, thread),
            )
            self._queue(kind, Draft(letter, reader.language, reader.rich, data.get("answers", ())), board)

    def render(self, template: str, reader: Player, **data: Any) -> str:
        """The text of a template of templates/mail, in the language of a player."""
        renderer = self.site.renderer.to(self.language(reader))
        return renderer.text(f"mail/{template}.txt", {"address": self.site.address, **data})

    def language(self, player: Player) -> str:
        """The language in which a player wants his letters."""
        return read_preferences(self.store, [player.id])[player.id].language

    def addresses(self, player: Player) -> list[str]:
        """Where letters to a player go."""
        return self.store.addresses.for_letters(player.id, also=self._cause.sender)

    def people(self, players: Iterable[Player]) -> People:
        """What letters to these players need, as of now."""
        return People(self.store, players, self._cause.sender, self.now - AWAY)

    def message_id(self, *numbers: int) -> str:
        """The Message-ID that is made of these numbers; the same numbers give the same one."""
        return f"<{self.site.signer.signed(signed_addresses.MESSAGE, *numbers)}@{self.site.signer.domain}>"

    def _threaded(self, recipient: str, message_id: str, thread: str) -> dict[str, Any]:
        """The headers that put a letter into its thread.

        As RFC 5322 §3.6.4 says, an answer refers to the mail that it answers and to all that this mail referred to. If
        `thread`, the Message-ID of a board's first letter, is not among these, it is put first. So the letters of a
        board stay together even if somebody sends his move in a new mail.
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

    def _warnings(self, kind: str, reader: Reader) -> Iterator[str]:
        """Blocks at the end of a letter: that an address of the reader's is suspended, or away."""
        for suspect in reader.suspects:
            if suspect.suspended or kind == "board":
                confirm = self.site.signer.sign(signed_addresses.CONFIRM, suspect.id)
                data = {"doubt": suspect, "since": suspect.suspended or suspect.away, "confirm": confirm}
                yield self.site.renderer.to(reader.language).text("mail/doubt.txt", data)

    def _queue(self, kind: str, draft: Draft, board: int | None) -> None:
        self.rows.append(
            {
                "mail_id": self._cause.mail_id,
                "board": board,
                "kind": kind,
                "recipient": draft.letter.recipient,
                "data": draft.pack(),
                "created": self.now,
            }
        )
