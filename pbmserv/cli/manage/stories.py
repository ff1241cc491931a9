"""The stories that `trace` and `mail show` tell: a mail from the socket to the relay, each step with its time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pbmserv.cli.terminal.console import at, console, print_json
from pbmserv.store import Store

#: What the status of a mail means; its problem follows.
_MAIL = {
    "done": "done",
    "error": "not done",
    "silent": "recorded, and not answered",
    "refused": "could not be read",
    "shelved": "on the shelf for a bug of ours",
    "dropped": "given up by an admin",
}
#: What the status of a letter means; its receipt follows.
_LETTER = {
    "sent": "accepted by the relay",
    "refused": "refused for good",
    "bounced": "came back",
    "held": "held back",
    "dropped": "dropped by an admin",
}


@dataclass(frozen=True)
class Story:
    """One thing that happened and what it caused: a mail, a letter that no mail caused, or what an admin did."""

    at: datetime
    mail: dict[str, Any] | None = None
    entries: list[dict[str, Any]] = field(default_factory=list)
    letters: list[dict[str, Any]] = field(default_factory=list)
    digests: list[dict[str, Any]] = field(default_factory=list)  #: who will read of it in the next digest
    event: dict[str, Any] | None = None


def stories_of_mails(store: Store, ids: Sequence[int]) -> list[Story]:
    """A story for each of these mails."""
    entries, letters = _plain(store.audit.entries_of_mails(ids)), _plain(store.audit.letters_of_mails(ids))
    stories = []
    for mail in store.mails.by_ids(ids):
        mine = [e for e in entries if e["mail_id"] == mail.id]
        digests = _plain(store.audit.digests_of([e["board"] for e in mine], mail.received)) if mine else []
        caused = [x for x in letters if x["mail_id"] == mail.id]
        stories.append(Story(mail.received, dict(mail._mapping), mine, caused, digests))
    return stories


def stories_of_letters(rows: Iterable[Any]) -> list[Story]:
    """A story for each of these letters, which no mail caused."""
    return [Story(x["created"], letters=[x]) for x in _plain(rows)]


def stories_of_events(rows: Iterable[Any]) -> list[Story]:
    """A story for each of these events."""
    return [Story(e["at"], event=e) for e in _plain(rows)]


def print_stories(stories: Iterable[Story], as_json: bool) -> None:
    """Tell them in the order in which they happened."""
    ordered = sorted(stories, key=lambda s: s.at)
    if as_json:
        print_json([{name: value for name, value in vars(s).items() if value} for s in ordered])
        return
    console.print("\n\n".join("\n".join(_lines(s)) for s in ordered), markup=False)


def _lines(story: Story) -> list[str]:
    if story.event:
        e = story.event
        return [f"{at(e['at'])} UTC  {e['who']} (admin): {e['what']}", f"  why: {e['why'] or 'no reason given'}"]
    head = _mail_lines(story.mail) if story.mail else [f"{at(story.at)} UTC  by the clock or by an admin"]
    moved = [f"  board {e['board']}, entry {e['number']}: {_deed(e)}" for e in story.entries]
    collected = [f"  board {d['board']}: kept for the next digest of {d['userid']}" for d in story.digests]
    return [*head, *moved, *(line for x in story.letters for line in _letter_lines(x)), *collected]


def _mail_lines(mail: dict[str, Any]) -> list[str]:
    peer = f" through {mail['peer']}" if mail["peer"] else ""
    lines = [f"{at(mail['received'])} UTC  mail {mail['id']} from {mail['sender'] or 'nobody'}{peer}"]
    lines += [f"  Message-ID {mail['message_id']}"] if mail["message_id"] else []
    lines += ["  received: on disk, and its sender was told 250"]
    lines += [f"  call: {call}" for call in mail["calls"].splitlines()]
    lines.append(f"  {_MAIL[mail['status']]}{': ' if mail['problem'] else ''}{mail['problem']}")
    if mail["status"] == "shelved":
        lines.append(f"  to run it again: pbmserv mail retry {mail['id']}")
    return lines


def _deed(entry: dict[str, Any]) -> str:
    return f"{entry['userid']} {entry['kind']} {entry['text']}".rstrip() + f", ply {entry['ply']}"


def _letter_lines(letter: dict[str, Any]) -> list[str]:
    """A letter's way to the relay."""
    tries = f"{letter['attempts']} failed attempt{'s' * (letter['attempts'] != 1)}, " if letter["attempts"] else ""
    if letter["status"] == "queued":
        state = f"waits, {tries}next {'lease ends' if letter['leased'] else 'attempt'} {at(letter['due'])}"
    else:
        state = f"{_LETTER[letter['status']]} {tries}{at(letter['finished'])}".rstrip()
    lines = [f"  letter {letter['id']} ({letter['kind']}) to {letter['recipient']}:", f"    {state}"]
    return lines + ([f"    {letter['receipt']}"] if letter["receipt"] else [])


def _plain(rows: Iterable[Any]) -> list[dict[str, Any]]:
    return [dict(row._mapping) for row in rows]
