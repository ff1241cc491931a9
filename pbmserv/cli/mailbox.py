"""Reads the Maildirs into which the server puts letters when no relay is set."""

import mailbox
from email.message import Message
from pathlib import Path
from typing import cast

from pbmserv.mail.smtp.relay import folder_name


class Mailbox:
    """The Maildir of one recipient, below the folder that the relay setting names."""

    def __init__(self, relay: str, address: str) -> None:
        self.known = relay.startswith("maildir:")
        self._folder = Path(relay.removeprefix("maildir:")) / folder_name(address)

    def keys(self) -> set[str]:
        """The letters there are."""
        return set(self._box().keys()) if self.known and self._is_made else set()

    def letters(self, keys: set[str]) -> list[Message]:
        """These letters, oldest first: the relay names its files by the number of the letter."""
        return [self._box()[key] for key in sorted(keys)]

    def newest_to_answer(self) -> Message | None:
        """The letter that came last among those with an address for the answer: letters of boards, confirmations."""
        newest_first = (self._box()[key] for key in sorted(self.keys(), reverse=True))
        return next((letter for letter in newest_first if letter["Reply-To"]), None)

    def answers(self, message_id: str, before: set[str]) -> bool:
        """Whether a letter that answers this message has come."""
        return any(letter["In-Reply-To"] == message_id for letter in self.letters(self.keys() - before))

    @property
    def _is_made(self) -> bool:
        """Whether the relay has made the folder with all that belongs into it."""
        return all((self._folder / name).is_dir() for name in ("tmp", "new", "cur"))

    def _box(self) -> mailbox.Maildir:
        return mailbox.Maildir(self._folder, create=False)


def text_of(letter: Message) -> str:
    """The plain text of a letter."""
    for part in letter.walk():
        if part.get_content_type() == "text/plain":
            return cast(bytes, part.get_payload(decode=True)).decode(part.get_content_charset() or "utf-8")
    return ""
