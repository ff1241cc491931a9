"""Show an audit on the screen: differences as they are found, a count for each part, and a progress bar."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from rich.progress import Progress, TaskID

from pbmserv.admin.audit import Audit, AuditStep
from pbmserv.cli.terminal.console import console, errors
from pbmserv.model.rows import Json

_MANY = 50  #: from this number of rows on, a part has a progress bar


class AuditPart(NamedTuple):
    """One part of an audit: its result text, the table whose rows it counts, and its steps."""

    done: str
    table: str
    steps: Callable[[Audit], Iterable[AuditStep]]


PARTS = (
    AuditPart("boards replayed", "board", Audit.boards),
    AuditPart("entries checked", "entry", Audit.entries),
    AuditPart("mails checked", "mail", Audit.mails),
    AuditPart("letters checked", "outbox", Audit.letters),
    AuditPart("finished boards rated again", "board", Audit.ratings),
    AuditPart("pairings recounted", "pairing", Audit.tournaments),
)


def look_through(audit: Audit, parts: Sequence[AuditPart]) -> int:
    """Print what these parts find, and return the number of differences."""
    bad = 0
    for part in parts:
        count = audit.count(part.table) if part.table else 1
        steps = showing(part.done.capitalize(), count, part.steps(audit))
        bad += report(part.done, steps)
    return bad


def in_data(audit: Audit, parts: Sequence[AuditPart]) -> list[Json]:
    """Return what these parts find: what was checked, how many, the differences, boards whose game is not installed."""
    parts_done = []
    for part in parts:
        steps = list(part.steps(audit))
        waiting = Counter(step.waits for step in steps if step.waits)
        looked_at, differences = sum(s.looked_at for s in steps), [text for s in steps for text in s.differences]
        parts_done.append(
            {"done": part.done, "count": looked_at, "differences": differences, "not_installed": dict(waiting)}
        )
    return parts_done


def report(done: str, steps: Iterable[AuditStep]) -> int:
    """Print differences as they are found and then their number, and return it."""
    looked_at, bad, waiting = 0, 0, Counter[str]()
    for step in steps:
        looked_at, bad = looked_at + step.looked_at, bad + len(step.differences)
        waiting.update([step.waits] if step.waits else [])
        for sentence in step.differences:
            console.print(sentence, style="red", markup=False)
    console.print(f"{looked_at} {done}, {bad} differences")
    for game, boards in waiting.items():
        console.print(f"{boards} boards could not be replayed: {game} is not installed", style="yellow", markup=False)
    return bad


def showing(title: str, count: int, steps: Iterable[AuditStep]) -> Iterator[AuditStep]:
    """Yield the steps, and show a bar with the number of rows done."""
    with Progress(console=errors, transient=True, disable=count < _MANY) as progress:
        yield from _advancing(progress, progress.add_task(title, total=count), steps)


def _advancing(progress: Progress, task: TaskID, steps: Iterable[AuditStep]) -> Iterator[AuditStep]:
    for step in steps:
        progress.advance(task, step.looked_at)
        yield step
