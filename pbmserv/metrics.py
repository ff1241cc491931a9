"""Metrics for Prometheus. Without the setting PBMSERV_METRICS every function here does nothing.

Labels contain only words of this program, such as the key of a game: no address, no userid, no text of players.
"""

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prometheus_client.core import Metric

#: A function that reads current values: name -> value.
Look = Callable[[], Mapping[str, float]]

_EVENT = "event "  #: before the fate of an event, when a process tells it to another
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_SIZES = (1, 2, 4, 8, 16, 32, 64)
#: The names that `Look` can return, with their descriptions.
GAUGES = {
    "outbox_letters": "Letters that wait, in hand or not",
    "outbox_oldest_seconds": "Age of the letter that waits longest",
    "relay_limited": "Whether the relay takes no letters now, because of a limit or for all alike",
    "webhook_events": "Events that wait for webhooks, in hand or not",
    "shelf_mails": "Mails on the shelf",
    "sessions_open": "SMTP and LMTP sessions of this process",
    "robots_oldest_seconds": "For how long the turn of a robot waits that waits longest",
    "engines_down": "Engines of others that choose moves for robots, and made a fault when they were asked last",
    "senders": "Processes that send letters: this one and its children",
    "database_up": "Whether the database answers",
    "mailbox_age_seconds": "Since the last success with the mailbox from which mails are fetched",
    "login_needed": "Whether somebody must log in by OAuth2 again: pbmserv mailbox login",
    "clock_age_seconds": "Since the last run of the clock, in whichever process",
}


class _Figures:
    """All metrics of this process."""

    def __init__(self, version: str, look: Look) -> None:
        from prometheus_client import CollectorRegistry, Counter, Histogram, Info, ProcessCollector

        of = self.registry = CollectorRegistry()
        ProcessCollector(registry=of)
        of.register(_Looker(look))
        Info("pbmserv_build", "The program", registry=of).info({"version": version})
        self.mails = Counter("pbmserv_mails", "Mails by what became of them", ["fate"], registry=of)
        self.stages = Histogram("pbmserv_mail_seconds", "Stages of a mail", ["stage"], buckets=_SECONDS, registry=of)
        self.moves = Counter("pbmserv_moves", "Moves that were committed", ["game"], registry=of)
        self.batches = Histogram("pbmserv_commit_mails", "Mails in a commit", buckets=_SIZES, registry=of)
        self.commits = Histogram("pbmserv_commit_seconds", "Time of a commit", buckets=_SECONDS, registry=of)
        self.letters = Counter("pbmserv_letters", "Letters by what the relay said", ["fate"], registry=of)
        self.events = Counter("pbmserv_events", "Events by what the webhook said", ["fate"], registry=of)
        self.hashes = Counter("pbmserv_passwords_hashed", "Argon2 hashes that were computed", registry=of)
        self.sweeps = Histogram("pbmserv_clock_seconds", "Runs of the clock", buckets=_SECONDS, registry=of)
        self.alarms = Counter("pbmserv_clock_alarms", "What the clock did", ["kind"], registry=of)


class _Looker:
    """A collector that reads its values when Prometheus asks."""

    def __init__(self, look: Look) -> None:
        self._look = look

    def collect(self) -> "Iterable[Metric]":
        """Yield a gauge for each value."""
        from prometheus_client.core import GaugeMetricFamily

        for name, value in self._look().items():
            yield GaugeMetricFamily(f"pbmserv_{name}", GAUGES[name], value=value)


class _Pending(threading.local):
    """The moves of this thread's current transaction."""

    def __init__(self) -> None:
        self.moves: list[str] = []


_pending = _Pending()
_on: _Figures | None = None
_tell: Callable[[str], None] | None = None  #: tells another process the fate of a letter


def serve(host: str, port: int, version: str, look: Look) -> Callable[[], None]:
    """Serve metrics in a thread, and return a function that ends it. Raises OSError, ImportError."""
    global _on
    from prometheus_client import start_http_server

    figures = _Figures(version, look)
    server, thread = start_http_server(port, host, figures.registry)
    _on = figures

    def end() -> None:
        global _on
        _on = None
        server.shutdown()
        server.server_close()
        thread.join()

    return end


def mail(fate: str, stages: Mapping[str, float]) -> None:
    """Count a mail that was answered; `stages`: milliseconds by name."""
    if _on:
        _on.mails.labels(fate).inc()
        for stage, spent in stages.items():
            _on.stages.labels(stage).observe(spent / 1000)


def committed(mails: int, seconds: float) -> None:
    """Count a commit and the number of mails in it."""
    if _on:
        _on.batches.observe(mails)
        _on.commits.observe(seconds)


def begun() -> None:
    """Note that this thread begins a transaction. Pending moves are dropped, because their transaction failed."""
    if _on:
        _pending.moves.clear()


def moved(game: str) -> None:
    """Note a move. It counts when its transaction is committed."""
    if _on:
        _pending.moves.append(game)


def settled() -> None:
    """Count the pending moves, because this thread's transaction is committed."""
    if _on:
        while _pending.moves:
            _on.moves.labels(_pending.moves.pop()).inc()


def letter(fate: str) -> None:
    """Count a letter: sent, deferred or refused."""
    if _on:
        _on.letters.labels(fate).inc()
    if _tell:
        _tell(fate)


def event(fate: str) -> None:
    """Count an event for a webhook: sent, deferred or refused."""
    if _on:
        _on.events.labels(fate).inc()
    if _tell:
        _tell(f"{_EVENT}{fate}")


def told(word: str) -> None:
    """Count what another process told."""
    (event if word.startswith(_EVENT) else letter)(word.removeprefix(_EVENT))


def tell_letters(tell: Callable[[str], None] | None) -> None:
    """Call this with the fate of each letter, because another process counts for us. None: nobody does."""
    global _tell
    _tell = tell


def hashed() -> None:
    """Count an Argon2 hash."""
    if _on:
        _on.hashes.inc()


def swept(seconds: float, reminders: int, forfeits: int) -> None:
    """Count a run of the clock."""
    if _on:
        _on.sweeps.observe(seconds)
        _on.alarms.labels("nag").inc(reminders)
        _on.alarms.labels("forfeit").inc(forfeits)
