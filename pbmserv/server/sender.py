"""Sends the letters that wait in the outbox.

Each letter is delivered at least once. It is recorded as sent after the relay has accepted it, so after a crash between
the two it is sent again, with the same Message-ID. No letter is lost, and letters to one recipient stay in order.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

import structlog

from pbmserv import metrics
from pbmserv.db.trouble import TROUBLE
from pbmserv.mail.envelope import Outgoing
from pbmserv.mail.smtp.delivery import Deferred, NoLogin, Refused, RefusesAlike, Relay, RelayDown, RelayLimit
from pbmserv.server.outbox import Outbox

#: Seconds between two attempts with one letter: doubled each time.
FIRST_DELAY, LAST_DELAY = 60.0, 4 * 3600.0

#: Seconds between two attempts with a relay that is down: doubled each time.
FIRST_PAUSE, LAST_PAUSE = 1.0, 300.0

#: Seconds between two attempts with a relay that has reached a limit: doubled each time.
FIRST_LIMIT_PAUSE, LAST_LIMIT_PAUSE = 5.0, 900.0

#: The longest pause if it refuses letters alike: perhaps only these addresses are dead, and others are not.
LAST_ALIKE_PAUSE = 60.0

#: Seconds between two attempts to reach a database that is down: doubled each time.
LONGEST_WAIT = 5.0

#: Seconds until the next claim if a claim did not fill its batch, because a commit costs as much as several letters.
PACE = 0.025

#: The most seconds until an accepted letter is recorded. After a crash in this time it would be sent again.
PATIENCE = 0.1

P = ParamSpec("P")
T = TypeVar("T")

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


def delay(attempts: int) -> float:
    """Seconds to wait after a failure if `attempts` failed before it: 1, 2, 4 … minutes, at most 4 hours."""
    return min(FIRST_DELAY * 2.0 ** min(attempts, 20), LAST_DELAY)


def _kind(trouble: RelayDown) -> tuple[str, float, float]:
    """Return how the log calls a trouble of the relay, and the first and the longest pause after it, in seconds."""
    match trouble:
        case RelayLimit():
            return "relay_limit", FIRST_LIMIT_PAUSE, LAST_LIMIT_PAUSE
        case RefusesAlike():
            return "relay_refuses_alike", FIRST_LIMIT_PAUSE, LAST_ALIKE_PAUSE
    return "relay_down", FIRST_PAUSE, LAST_PAUSE


@dataclass
class Batch:
    """The letters of one claim, a queue for each recipient. None starts after `deadline` (the loop's clock)."""

    lines: deque[deque[Outgoing]]
    deadline: float
    relay_down: bool = False

    def take(self) -> deque[Outgoing] | None:
        """Take the next queue. Nobody else sends to this recipient until it is put back."""
        return self.lines.popleft() if self.lines else None


class Sender:
    """Sends letters from `outbox` to `relay`, at most `connections` at the same time."""

    def __init__(
        self,
        outbox: Outbox,
        relay: Relay,
        *,
        connections: int = 1,
        batch: int = 100,
        poll_seconds: float = 0.1,
        lease_seconds: float = 120,
        count: Callable[[str], None] = metrics.letter,
        announces: bool = True,
    ) -> None:
        """`batch`: letters in a claim. A delivery may take at most half of `lease_seconds`. `count` gets fates.

        `announces`: the relay can be told of the next letter, which waits for this one meanwhile.
        """
        self._count = count
        self._announces = announces
        self._outbox = outbox
        self._relay = relay
        self._connections = connections
        self._batch = batch
        self._poll = poll_seconds
        self._lease = lease_seconds
        self._pause = 0.0
        self._due = asyncio.Event()
        self._stopping = asyncio.Event()
        self._ended = asyncio.Event()
        self._ended.set()
        self._recording: asyncio.Task[None] | None = None
        self._taken: list[tuple[int, str]] = []
        self._alarm: asyncio.TimerHandle | None = None

    def wake(self) -> None:
        """Check the outbox now, not only at the next poll. Call this in the event loop's thread."""
        self._due.set()

    async def stop(self) -> None:
        """Finish the current letters, release the others, and wait until `run` has returned."""
        self._stopping.set()
        self.wake()
        await self._ended.wait()

    async def run(self) -> None:
        """Send until `stop`. If cancelled, current letters are interrupted, too."""
        self._ended.clear()
        try:
            while not self._stopping.is_set():
                self._due.clear()
                begun = asyncio.get_running_loop().time()
                letters = await self._claim()
                batch = self._sorted(letters)
                await self._send(batch)
                await self._rest(batch, len(letters), begun)
        finally:
            self._stopping.set()
            try:
                await self._recorded()
                await self._relay.close()
            finally:
                self._ended.set()

    async def _claim(self) -> list[Outgoing]:
        """Record sent letters and lease due ones, in one transaction."""
        receipts = self._unrecorded()
        try:
            return await self._ask(self._outbox.claim, self._batch, self._lease, receipts) or []
        except asyncio.CancelledError:
            self._taken = receipts + self._taken  # it may have been committed; recording them twice does no harm
            raise

    def _sorted(self, letters: list[Outgoing]) -> Batch:
        lines: dict[str, deque[Outgoing]] = {}
        for letter in letters:
            lines.setdefault(letter.recipient, deque()).append(letter)
        return Batch(deque(lines.values()), asyncio.get_running_loop().time() + self._lease / 2)

    async def _send(self, batch: Batch) -> None:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(self._connections, len(batch.lines))):
                group.create_task(self._work(batch))
        if self._over(batch):
            await self._relay.close()  # an announced letter may not follow now

    async def _work(self, batch: Batch) -> None:
        """Send one letter of each queue in turn, so that the next one has another recipient and can be announced."""
        line = batch.take()
        while line:
            following = batch.take() if self._announces else None
            await self._send_first(line, following[0] if following else None, batch)
            if line:
                batch.lines.append(line)
            line = following or batch.take()

    async def _send_first(self, line: deque[Outgoing], then: Outgoing | None, batch: Batch) -> None:
        """Send the first letter of a queue. If it fails for now, empty the queue: the others must wait."""
        if self._over(batch):
            await self._release(line, self._pause)
            line.clear()
            return
        try:
            receipt = await self._deliver(line[0], then)
        except Refused as refusal:
            if not await self._refuse(line[0], str(refusal)):
                await self._wait(line, RefusesAlike(str(refusal)), batch)
                return
            line.popleft()
        except Deferred as trouble:
            await self._wait(line, trouble, batch)
            return
        else:
            self._record(line.popleft(), receipt)
        self._pause = 0.0

    async def _wait(self, line: deque[Outgoing], trouble: Deferred, batch: Batch) -> None:
        """Try a queue later, after a failure that is not for good."""
        self._note_trouble(trouble, batch)
        if isinstance(trouble, NoLogin):  # no letter is to blame, so none is given up for it
            await self._release(line, self._pause)
        else:
            await self._defer(line, str(trouble))
        line.clear()

    def _over(self, batch: Batch) -> bool:
        late = asyncio.get_running_loop().time() > batch.deadline
        return batch.relay_down or late or self._stopping.is_set()

    async def _deliver(self, letter: Outgoing, then: Outgoing | None) -> str:
        """Deliver `letter` and return its receipt. Every error becomes Refused or Deferred."""
        try:
            async with asyncio.timeout(self._lease / 2):
                return await self._relay.deliver(letter, then)
        except (Refused, Deferred):
            raise
        except TimeoutError:
            raise RelayDown(f"no answer within {self._lease / 2:.0f} seconds") from None
        except Exception as error:
            TROUBLE.log(log, "sender_error", error)
            raise Deferred(f"internal error: {type(error).__name__}") from None

    def _note_trouble(self, trouble: Deferred, batch: Batch) -> None:
        """Pause for a relay that is down. A relay that answers, even with a refusal, is not down."""
        if not isinstance(trouble, RelayDown):
            self._pause = 0.0
        elif not batch.relay_down:
            batch.relay_down = True
            event, first, last = _kind(trouble)
            self._pause = min(max(2 * self._pause, first), last)
            log.warning(event, error=str(trouble), pause=self._pause)

    async def _defer(self, line: deque[Outgoing], error: str) -> None:
        """Defer the first letter of a queue, which was tried, and release the others.

        The letter has its own delay even if the relay seems to be down: if this letter brings the relay down, the
        others get through without it.
        """
        letter, *others = line
        seconds = delay(letter.attempts)
        self._count("deferred")
        log.info("letter_deferred", id=letter.id, error=error, delay=seconds)
        await self._ask(self._outbox.defer_many, [letter.id], error, seconds)
        await self._release(others, seconds)

    async def _release(self, letters: Collection[Outgoing], seconds: float) -> None:
        if letters:
            await self._ask(self._outbox.release_many, [letter.id for letter in letters], seconds)

    async def _refuse(self, letter: Outgoing, error: str) -> bool:
        """Record that the relay refuses a letter for good. Returns False if it seems to refuse all letters."""
        is_for_good = await self._ask(self._outbox.refuse, letter.id, error) is not False
        if is_for_good:
            self._count("refused")
            log.warning("letter_refused", id=letter.id, error=error)
        return is_for_good

    def _record(self, letter: Outgoing, receipt: str) -> None:
        """Record a letter with the next claim, or earlier if the batch takes long."""
        self._count("sent")
        log.info("letter_sent", id=letter.id, receipt=receipt)
        self._taken.append((letter.id, receipt))
        if self._alarm is None:
            self._alarm = asyncio.get_running_loop().call_later(PATIENCE, self._record_now)

    def _record_now(self) -> None:
        """Record sent letters while the next letter is being sent."""
        if self._recording is None or self._recording.done():
            self._recording = asyncio.create_task(self._record_all())

    async def _record_all(self) -> None:
        while receipts := self._unrecorded():
            await self._ask(self._outbox.sent_many, receipts)

    def _unrecorded(self) -> list[tuple[int, str]]:
        """Return the sent letters that are not recorded yet. The caller records them."""
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None
        receipts, self._taken = self._taken, []
        return receipts

    async def _recorded(self) -> None:
        """Wait until every accepted letter is recorded."""
        self._record_now()
        if self._recording:
            await asyncio.wait({self._recording})  # this task goes on when we are cancelled

    async def _ask(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """Call the outbox, return its result. Retries while the database is down; None if we must stop meanwhile."""
        pause = self._poll
        while True:
            last = self._stopping.is_set()
            try:
                return await asyncio.to_thread(call, *args, **kwargs)
            except Exception as error:
                TROUBLE.log(log, "sender_error", error)
            if last:
                return None
            await self._sleep(pause)
            pause = min(2 * pause, LONGEST_WAIT)

    async def _rest(self, batch: Batch, count: int, begun: float) -> None:
        if batch.relay_down:
            await self._sleep(self._pause)
        elif not count:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._due.wait(), self._poll)
        elif count < self._batch:
            await self._sleep(begun + PACE - asyncio.get_running_loop().time())

    async def _sleep(self, seconds: float) -> None:
        """Sleep, but not longer than until `stop`."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)
