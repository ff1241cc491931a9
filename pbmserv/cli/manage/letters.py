"""`pbmserv letters`: the outbox. Lists letters, shows the relay's answers, holds letters back and sends them again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from email import message_from_bytes, policy
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pbmserv.cli.mailing.send import text_of
from pbmserv.cli.manage.history.trace import print_stories, stories_of_letters
from pbmserv.cli.terminal.acting import Why, Yes, change
from pbmserv.cli.terminal.console import AdminCommands, AsJson, Limit, console, fail, listing, load_config, print_json
from pbmserv.cli.terminal.database import finishing, reading
from pbmserv.cli.terminal.exits import Exit
from pbmserv.cli.terminal.when import Since, since
from pbmserv.mail.envelope import LetterStatus

if TYPE_CHECKING:
    from pbmserv.admin.desk import Desk

app = AdminCommands()

Number = Annotated[int, typer.Argument(metavar="LETTER", help="the letter's number")]
Numbers = Annotated[list[int] | None, typer.Argument(metavar="[LETTER]...", help="the letters' numbers")]
Domain = Annotated[list[str] | None, typer.Option(help="all to addresses of this domain; may be repeated")]
_MINUTES = (5, 10, 20, 40, 80, 160, 320, 640, 1280)  #: the columns of `queue`, as those of Postfix's qshape
_AGES = (*map(str, _MINUTES), f"{_MINUTES[-1]}+")
_MOST_RESENT = 100_000  #: letters that are sent again at once
_HEADERS = ("From", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "Reply-To")


@app.command("list")
def list_(
    status: Annotated[LetterStatus | None, typer.Option(help="queued, sent, refused, bounced, held or dropped")] = None,
    to: Annotated[list[str] | None, typer.Option(metavar="ADDRESS", help="may be repeated")] = None,
    board: Annotated[int | None, typer.Option(help="only letters about this board")] = None,
    begin: Since = "",
    limit: Limit = 50,
    as_json: AsJson = False,
) -> None:
    """List letters, the newest first.

    For example: pbmserv letters list --status queued --since today
    """
    with reading() as store:
        letters = store.letters.search(
            status=status or "", recipients=to or (), board=board, since=since(begin), limit=limit
        )
    titles = {"id": "letter", "created": "written (UTC)", "kind": "kind", "recipient": "to", "status": "status"}
    listing([dict(x._mapping) for x in letters], titles | {"receipt": "the relay said"}, as_json)


@app.command()
def show(number: Number, as_json: AsJson = False) -> None:
    """Show a letter as its reader gets it, and what the relay answered.

    For example: pbmserv letters show 1
    """
    with reading() as store:
        letter, rows = store.letters.find(number), store.letters.by_ids([number])
        stories = stories_of_letters(store, rows)
        if letter is None:
            raise fail(f"There is no letter {number}.\nTo see them: pbmserv letters list", Exit.MISSING)
        message = message_from_bytes(finishing(load_config())(store, letter), policy=policy.default)
    if as_json:
        headers = {name: str(value) for name, value in message.items()}
        print_json({**rows[0]._mapping, "headers": headers, "text": text_of(message)})
        return
    print_stories(stories, as_json)
    console.print()
    for name in _HEADERS:
        if message[name]:
            console.print(f"{name}: {message[name]}", markup=False)
    console.print(f"\n{text_of(message)}", markup=False)


@app.command()
def resend(
    numbers: Numbers = None,
    status: Annotated[LetterStatus | None, typer.Option(help="all with this status, such as refused")] = None,
    begin: Since = "",
    domain: Domain = None,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Send letters again, also those that were held, refused or dropped: by their numbers, or all that fit.

    If a letter is older than five days, the server tries it ten times. Without numbers, you are told how many letters
    it is, and asked: pbmserv letters resend --status refused --since 2d --domain example.org --yes

    For example: pbmserv letters resend 1 --why "her mailbox was full"
    """
    from pbmserv.admin import letters

    if bool(numbers) == bool(status):
        raise fail("Name letters by their numbers, or all with one status: --status refused", Exit.USAGE)
    chosen = numbers or _matching(status or "", begin, domain or ())
    asks = "" if numbers else f"Send {len(chosen)} {'letter' if len(chosen) == 1 else 'letters'} again?"

    def resend_all(desk: Desk) -> None:
        for number in dict.fromkeys(chosen):
            letters.resend(desk, number)

    change(why, resend_all, asks=asks, yes=yes)
    several = f"Letters {', '.join(map(str, chosen))} wait" if numbers else f"{len(chosen)} letters wait"
    console.print(f"Letter {chosen[0]} waits for the sender." if len(chosen) == 1 else f"{several} for the sender.")


def _matching(status: str, begin: str, domains: Collection[str]) -> list[int]:
    """Return the numbers of the letters that fit, the oldest first. Exits with 66 if there is none."""
    names = {domain.casefold().lstrip("@") for domain in domains}
    with reading() as store:
        letters = store.letters.search(status=status, since=since(begin), limit=_MOST_RESENT)
    fit = [x.id for x in letters if not x.webhook and (not names or x.recipient.rpartition("@")[2].casefold() in names)]
    if not fit:
        raise fail("No letter fits.\nTo see them: pbmserv letters list", Exit.MISSING)
    return fit[::-1]


@app.command()
def queue(
    status: Annotated[Literal["queued", "held"], typer.Option(help="queued or held")] = "queued",
    as_json: AsJson = False,
) -> None:
    """Count the letters that wait, by domain and by how many minutes they have waited: up to 5, up to 10, …, and more.

    A domain whose letters stand on the right has trouble, or the relay has with it. See: pbmserv letters hold

    For example: pbmserv letters queue
    """
    from pbmserv.letters.text.times import utc_now

    with reading() as store:
        letters, now = store.letters.ages(LetterStatus(status)), utc_now()
    shape: dict[str, Counter[str]] = {}
    for recipient, created in letters:
        domain = recipient.rpartition("@")[2].lower()
        shape.setdefault(domain, Counter())[_age((now - created).total_seconds() / 60)] += 1
    if not as_json:  # who reads JSON would take it for a domain
        shape = {"TOTAL": sum(shape.values(), Counter[str]()), **shape}
    rows = [
        {"domain": domain, "total": counts.total()} | {age: counts[age] for age in _AGES}
        for domain, counts in sorted(shape.items(), key=lambda item: -item[1].total())
    ]
    listing(rows, {key: key for key in ("domain", "total", *_AGES)}, as_json)


def _age(minutes: float) -> str:
    """Return the column for a letter of this age."""
    return next((str(most) for most in _MINUTES if minutes <= most), _AGES[-1])


@app.command()
def hold(numbers: Numbers = None, domain: Domain = None, why: Why = "") -> None:
    """Hold back letters that have not been sent: by their numbers, or all that wait for a domain.

    Those that are written later go out. To send the held ones: pbmserv letters release

    For example: pbmserv letters hold --domain example.net --why "it takes no mail today"
    """
    from pbmserv.admin import letters

    count = _each(numbers, domain, why, letters.hold, letters.hold_to)
    console.print(f"Letters held back: {count}. To send them: pbmserv letters release", markup=False)


@app.command()
def release(numbers: Numbers = None, domain: Domain = None, why: Why = "") -> None:
    """Send letters that are held back: by their numbers, or all to a domain.

    For example: pbmserv letters release --domain example.net --why "it works again"
    """
    from pbmserv.admin import letters

    count = _each(numbers, domain, why, letters.release, letters.release_to)
    console.print(f"Letters that wait for the sender again: {count}")


def _each(
    numbers: list[int] | None,
    domains: list[str] | None,
    why: str,
    one: Callable[[Desk, int], None],
    all_to: Callable[[Desk, str], int],
) -> int:
    """Do something to letters by their numbers, or to all of these domains. Return to how many."""
    if bool(numbers) == bool(domains):
        raise fail("Name letters by their numbers, or a domain: --domain example.org", Exit.USAGE)

    def do(desk: Desk) -> int:
        for number in (chosen := dict.fromkeys(numbers or ())):
            one(desk, number)
        return len(chosen) + sum(all_to(desk, domain.lstrip("@").lower()) for domain in domains or ())

    return change(why, do)


@app.command()
def drop(number: Number, why: Why = "", yes: Yes = False) -> None:
    """Drop a letter that has not been sent. It is never sent.

    For example: pbmserv letters drop 1 --why "written to a wrong address" --yes
    """
    from pbmserv.admin import letters

    change(why, lambda desk: letters.drop(desk, number), asks=f"Never send letter {number}?", yes=yes)
    console.print(f"Letter {number} is dropped.")
