"""An audit on the screen: what differs as it is found, a count for each part, a bar where it takes long."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from rich.progress import Progress, TaskID

from pbmserv.admin.audit import Audit, AuditStep
from pbmserv.cli.terminal.console import console, errors

_MANY = 50  #: rows from which on a part has a bar


class AuditPart(NamedTuple):
    """One part of an audit: what is done once it is over, the table whose rows it counts, and its steps."""

    done: str
    table: str
    steps: Callable[[Audit], Iterable[AuditStep]]


PARTS = (
    AuditPart("boards replayed", "board", Audit.boards),
    AuditPart("entries matched", "entry", Audit.entries),
    AuditPart("mails matched", "mail", Audit.mails),
    AuditPart("letters matched", "outbox", Audit.letters),
    AuditPart("finished boards rated again", "board", Audit.ratings),
)


def look_through(audit: Audit, parts: Sequence[AuditPart]) -> int:
    """Print what these parts find; how much differs."""
    bad = 0
    for part in parts:
        steps = showing(part.done.capitalize(), audit.count(part.table), part.steps(audit))
        bad += report(part.done, steps)
    return bad


def report(done: str, steps: Iterable[AuditStep]) -> int:
    """Print what differs as it is found, and how much of it there is, which is returned."""
    looked_at, bad = 0, 0
    for step in steps:
        looked_at, bad = looked_at + step.looked_at, bad + len(step.found)
        for sentence in step.found:
            console.print(sentence, style="red", markup=False)
    console.print(f"{looked_at} {done}, {bad} differences")
    return bad


def showing(title: str, count: int, steps: Iterable[AuditStep]) -> Iterator[AuditStep]:
    """The steps, with a bar that says how many of so many rows they have looked at."""
    with Progress(console=errors, transient=True, disable=count < _MANY) as progress:
        yield from _advancing(progress, progress.add_task(title, total=count), steps)


def _advancing(progress: Progress, task: TaskID, steps: Iterable[AuditStep]) -> Iterator[AuditStep]:
    for step in steps:
        progress.advance(task, step.looked_at)
        yield step
