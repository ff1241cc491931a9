"""Measure where the processor time of a command goes: pbmserv with a stopwatch at the border of every stage.

    python -m benchmarks.stages times.json serve --roles listener,clock

It is the same program, wrapped. When it ends, it writes the seconds of each stage since SIGUSR1. The time of a thread
counts for the innermost stage. Time outside of all stages is the listener's: sessions, event loop, thread pools.
One border costs about a microsecond, and a command crosses some fifty. So the sum is a little larger than without them.
"""

import importlib
import inspect
import json
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from pbmserv.cli.main import run
from pbmserv.db.queries import Queries
from pbmserv.store import Store

#: The borders: module, then the name of a function in it, perhaps of a class. A function is named where it is called.
BORDERS = {
    "parse": ("pbmserv.mail.inbound:read", "pbmserv.inbox.lines.parse:Parser.request"),
    "auth": (
        "pbmserv.inbox.authentication.password_checks:PasswordChecker.check",
        "pbmserv.mail.signed_addresses:Signer.read",
    ),
    "run": ("pbmserv.inbox.pipeline:Pipeline._one", "pbmserv.inbox.pipeline:Pipeline.answer"),
    "letters": ("pbmserv.inbox.calls:write_news",),
    "store": ("pbmserv.db.engines:transact",),
}


class Stopwatch:
    """A counter of seconds of processor time by stage. Each thread is in one stage at a time."""

    def __init__(self) -> None:
        self._seconds: Counter[str] = Counter()
        self._here = threading.local()
        self._lock = threading.Lock()
        self._began = 0.0

    def start(self, *_: Any) -> None:
        """Count from zero."""
        self._began = time.process_time()
        self._seconds.clear()

    def wrap(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function wrapped: its time counts for this stage, except the time it spends in other stages."""

        @wraps(function)
        def timed(*args: Any, **kwargs: Any) -> Any:
            outside = self._enter(stage)
            try:
                return function(*args, **kwargs)
            finally:
                self._enter(outside)

        return timed

    def seconds(self) -> dict[str, float]:
        """Return the seconds by stage. Time outside of all stages is the listener's."""
        found = {stage: self._seconds[stage] for stage in BORDERS}
        return {"listener": time.process_time() - self._began - sum(found.values()), **found}

    def _enter(self, stage: str) -> str:
        """Go on in another stage, and return the stage before."""
        now, here = time.thread_time(), self._here
        outside = getattr(here, "stage", "")
        if outside:
            with self._lock:
                self._seconds[outside] += now - here.since
        here.stage, here.since = stage, now
        return outside


def install(stopwatch: Stopwatch) -> None:
    """Put the stopwatch at all borders and around every query.

    Raise AttributeError if a border does not exist any more.
    """
    for stage, places in BORDERS.items():
        for place in places:
            module, _, name = place.partition(":")
            *owners, name = name.split(".")
            owner: Any = importlib.import_module(module)
            for step in owners:
                owner = getattr(owner, step)
            setattr(owner, name, stopwatch.wrap(stage, getattr(owner, name)))
    for owner in (Store, *Queries.__subclasses__()):
        for name, query in inspect.getmembers(owner, inspect.isfunction):
            if not name.startswith("_"):
                setattr(owner, name, stopwatch.wrap("store", query))


def main(file: str) -> None:
    """Run the command line with the stopwatch."""
    stopwatch = Stopwatch()
    install(stopwatch)
    signal.signal(signal.SIGUSR1, stopwatch.start)
    try:
        run()
    finally:
        Path(file).write_text(json.dumps(stopwatch.seconds()))


if __name__ == "__main__":
    main(sys.argv.pop(1))
