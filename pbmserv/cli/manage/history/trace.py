"""`pbmserv trace`: what happened to a mail, from the socket to the relay, each step with its time."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from pbmserv.cli.terminal.console import AsJson, at, console, fail, load_config, print_json
from pbmserv.cli.terminal.database import key_of, player_of, reading
from pbmserv.cli.terminal.exits import Exit
from pbmserv.cli.terminal.when import Since, since
from pbmserv.mail.envelope import LetterStatus, MailStatus

if TYPE_CHECKING:
    from pbmserv.model import Player
    from pbmserv.model.rows import Json, Plain
    from pbmserv.store import Store

_USUAL = timedelta(days=7)
_ALWAYS = timedelta(days=36500)
_MOST = 10_000  #: events in one answer
_NOTHING = """Nothing was found for this time.
A mail that the server did not accept leaves no record here. The server's log, and the mail
system that sent it, say which reply it got. See also: pbmserv mail list --from ADDRESS"""
#: The meaning of each mail status. After it comes the mail's problem.
_MAIL = {
    MailStatus.DONE: "done",
    MailStatus.ERROR: "not done",
    MailStatus.SILENT: "recorded, and not answered",
    MailStatus.REFUSED: "could not be read",
    MailStatus.SHELVED: "on the shelf because of a bug",
    MailStatus.DROPPED: "dropped by an admin",
}
#: The meaning of each letter status. After it comes the letter's receipt.
_LETTER = {
    LetterStatus.SENT: "accepted by the relay",
    LetterStatus.REFUSED: "refused for good",
    LetterStatus.BOUNCED: "came back",
    LetterStatus.HELD: "held back",
    LetterStatus.DROPPED: "dropped",
}


@dataclass(frozen=True)
class Story:
    """One event and its consequences: a mail, a letter without a mail, or an action of an admin."""

    at: datetime
    mail: dict[str, object] | None = None
    entries: list[dict[str, object]] = field(default_factory=list)
    letters: list[dict[str, object]] = field(default_factory=list)
    digests: list[dict[str, object]] = field(default_factory=list)  #: the players whose next digest will mention it
    event: Json | None = None
    cause: str = ""  #: of a letter without the story of its mail: who or what made the server write it


def trace(
    player: Annotated[
        str, typer.Option(metavar="USERID", help="this player's mails and letters, and what admins did")
    ] = "",
    board: Annotated[int | None, typer.Option(help="all changes of a board, and its letters")] = None,
    mail: Annotated[int | None, typer.Option(help="one mail, by its number or the reference in an apology")] = None,
    letter: Annotated[int | None, typer.Option(help="one letter, and the mail that caused it")] = None,
    message_id: Annotated[str, typer.Option(help="the mail or the letter with this Message-ID")] = "",
    begin: Since = "",
    as_json: AsJson = False,
) -> None:
    """Show what happened to each mail: received or refused, its entries, its letters, and the relay's answers.

    Give one of --player, --board, --mail, --letter and --message-id. Without --since you get the last 7 days of a
    player, and everything for the others.

    For example: pbmserv trace --player alice --since tuesday
    """
    if sum(map(bool, (player, board, mail, letter, message_id))) != 1:
        raise fail("Give exactly one of --player, --board, --mail, --letter and --message-id.", Exit.USAGE)
    moment = since(begin, _USUAL if player else _ALWAYS)
    with reading() as store:
        if player:
            stories = _of_player(store, player_of(store, player), moment)
        elif board:
            stories = _of_board(store, board, moment)
        elif letter:
            stories = _of_letter(store, letter)
        elif mail:
            stories = _of_mails(store, [mail])
        else:
            stories = _of_message(store, message_id)
    _print(stories, as_json)


def _print(stories: Sequence[Story], as_json: bool) -> None:
    """Print the stories. Exits with 66 if there are none."""
    if stories or as_json:
        print_stories(stories, as_json)
    else:
        console.print(_NOTHING, markup=False)
    if not stories:
        raise typer.Exit(Exit.MISSING)


def _of_player(store: Store, player: Player, begin: datetime) -> list[Story]:
    """Find the player's mails and letters, and what admins did to the player and the player's boards."""
    sent = store.audit.mails_of_player(player.id, player.userid, begin)
    answered = store.audit.mails_with_letters_to(player.id, begin)
    mails = stories_of_mails(store, sorted({*sent, *answered}))
    letters = stories_of_letters(store, store.audit.letters_without_mail(begin, player_id=player.id))
    from pbmserv.model.boards import BoardState

    boards = store.board_lists.search(player_ids=[player.id], state=BoardState.ALL, limit=_MOST)
    about = {f"player {player.userid}", *(f"board {b.number}" for b in boards)}
    return _with_events(store, [*mails, *letters], about, begin)


def _of_board(store: Store, number: int, begin: datetime) -> list[Story]:
    letters = stories_of_letters(store, store.audit.letters_without_mail(begin, board=number))
    mails = stories_of_mails(store, store.audit.mails_of_board(number, begin))
    return _with_events(store, [*mails, *letters], {f"board {number}"}, begin)


def _of_letter(store: Store, number: int) -> list[Story]:
    letter = store.letters.find(number)
    if letter is None:
        return []
    if letter.mail_id is None:
        return _with_events(store, stories_of_letters(store, store.letters.by_ids([number])))
    return _of_mails(store, [letter.mail_id])


def _of_message(store: Store, message_id: str) -> list[Story]:
    """Find the mails that came in with this Message-ID. If there are none, find the letters sent with it."""
    from pbmserv.letters.waiting.finisher import marks_of
    from pbmserv.mail.signed_addresses import Signer

    if mails := store.audit.mails_with_message_id(message_id):
        return _of_mails(store, mails)
    config = load_config()
    marks = marks_of(message_id, Signer(config.address, key_of(config)))
    return [story for number in store.audit.letters_with(marks) for story in _of_letter(store, number)]


def _of_mails(store: Store, numbers: Sequence[int]) -> list[Story]:
    return _with_events(store, stories_of_mails(store, numbers))


def _with_events(
    store: Store, stories: list[Story], about: Collection[str] = (), begin: datetime | None = None
) -> list[Story]:
    """Add what admins did to the mails and letters of these stories, and to the things in `about`."""
    named = {*about, *(f"letter {x['id']}" for s in stories for x in s.letters)}
    named |= {f"mail {s.mail['id']}" for s in stories if s.mail}
    told = [e for e in store.operations.events(since=begin, limit=_MOST) if e.what.partition(": ")[0] in named]
    return [*stories, *(Story(e["at"], event=e) for e in _plain(told))]


def stories_of_mails(store: Store, ids: Sequence[int]) -> list[Story]:
    """Make a story of each of these mails."""
    entries, letters = _plain(store.audit.entries_of_mails(ids)), _plain(store.audit.letters_of_mails(ids))
    stories = []
    for mail in store.mails.by_ids(ids):
        here = [e for e in entries if e["mail_id"] == mail.id]
        digests = _plain(store.audit.digests_of([e["board"] for e in here], mail.received)) if here else []
        caused = [x for x in letters if x["mail_id"] == mail.id]
        stories.append(Story(mail.received, dict(mail._mapping), here, caused, digests))
    return stories


def stories_of_letters(store: Store, rows: Iterable[Plain]) -> list[Story]:
    """Make a story of each of these letters, without that of the mail that caused it."""
    return [Story(x["created"], letters=[x], cause=_cause(store, x)) for x in _plain(rows)]


def _cause(store: Store, letter: Json) -> str:
    """What made the server write a letter: a mail, an admin at the same moment, or the server itself."""
    if letter["mail_id"] is not None:
        return f"by mail {letter['mail_id']}"
    events = store.operations.events(since=letter["created"], limit=_MOST)
    doers = [f"by {e.who}: {e.what}" for e in events if e.at == letter["created"]]
    return doers[0] if doers else "by the server itself: its clock or its sender"


def print_stories(stories: Iterable[Story], as_json: bool) -> None:
    """Print the stories in the order of their times."""
    ordered = sorted(stories, key=lambda s: s.at)
    if as_json:
        print_json([{name: value for name, value in vars(s).items() if value} for s in ordered])
        return
    console.print("\n\n".join("\n".join(_lines(s)) for s in ordered), markup=False)


def _lines(story: Story) -> list[str]:
    if story.event:
        e = story.event
        return [f"{at(e['at'])} UTC  {e['who']} (admin): {e['what']}", f"  why: {e['why'] or 'no reason given'}"]
    head = _mail_lines(story.mail) if story.mail else [f"{at(story.at)} UTC  {story.cause}"]
    moved = [f"  board {e['board']}, entry {e['number']}: {_deed(e)}" for e in story.entries]
    collected = [f"  board {d['board']}: kept for the next digest of {d['userid']}" for d in story.digests]
    return [*head, *moved, *(line for x in story.letters for line in _letter_lines(x)), *collected]


def _mail_lines(mail: Json) -> list[str]:
    peer = f" through {mail['peer']}" if mail["peer"] else ""
    lines = [f"{at(mail['received'])} UTC  mail {mail['id']} from {mail['sender'] or 'nobody'}{peer}"]
    lines += [f"  Message-ID {mail['message_id']}"] if mail["message_id"] else []
    lines += ["  received: stored on disk and accepted with 250"]
    lines += [f"  call: {call}" for call in mail["calls"].splitlines()]
    lines.append(f"  {_MAIL[mail['status']]}{': ' if mail['problem'] else ''}{mail['problem']}")
    if mail["status"] == MailStatus.SHELVED:
        lines.append(f"  to handle it again: pbmserv mail retry {mail['id']}")
    return lines


def _deed(entry: dict[str, object]) -> str:
    return f"{entry['userid']} {entry['kind']} {entry['text']}".rstrip() + f", ply {entry['ply']}"


def _letter_lines(letter: Json) -> list[str]:
    """Return the lines about a letter and the relay's answers."""
    tries = ""
    if letter["attempts"]:
        tries = f"{letter['attempts']} failed {'attempt' if letter['attempts'] == 1 else 'attempts'}, "
    if letter["status"] == LetterStatus.QUEUED:
        state = f"waits, {tries}next {'lease ends' if letter['leased'] else 'attempt'} {at(letter['due'])}"
    else:
        state = f"{_LETTER[letter['status']]} {tries}{at(letter['finished'])}".rstrip()
    lines = [f"  letter {letter['id']} ({letter['kind']}) to {letter['recipient']}:", f"    {state}"]
    return lines + ([f"    {letter['receipt']}"] if letter["receipt"] else [])


def _plain(rows: Iterable[Plain]) -> list[Json]:
    return [dict(row._mapping) for row in rows]
