"""Sends what waits in the outbox.

Delivery is at least once: a letter is recorded as sent after the relay has taken it, so a crash between the two sends
it again, with the same Message-ID. No letter is lost, and the letters to one recipient keep their order.
"""

import asyncio
import traceback
from collections import deque
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

import structlog

from pbmserv import metrics
from pbmserv.mail.envelope import Outgoing
from pbmserv.mail.smtp.delivery import Deferred, Refused, Relay, RelayDown
from pbmserv.server.outbox import Outbox

#: Seconds between two attempts with one letter: doubled each time.
FIRST_DELAY, LAST_DELAY = 60.0, 4 * 3600.0

#: Seconds between two attempts with a relay that is down: doubled each time.
FIRST_PAUSE, LAST_PAUSE = 1.0, 300.0

#: Seconds between two looks at a database that is away: doubled from one to the next.
LONGEST_WAIT = 5.0

#: Seconds from one claim to the next if it did not find its fill: a commit costs what several letters cost.
PACE = 0.025

#: Seconds until a letter that the relay has taken is recorded at the latest. After a crash, it would be sent again.
PATIENCE = 0.1

P = ParamSpec("P")
T = TypeVar("T")

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


def delay(attempts: int) -> float:
    """Seconds to wait after a failure if `attempts` failed before it: 1, 2, 4 … minutes, at most 4 hours."""
    return min(FIRST_DELAY * 2.0 ** min(attempts, 20), LAST_DELAY)


@dataclass
class Batch:
    """The letters of one claim, in one line for each recipient. None is begun after `deadline` (the loop's clock)."""

    lines: deque[deque[Outgoing]]
    deadline: float
    relay_down: bool = False

    def take(self) -> deque[Outgoing] | None:
        """The line whose turn it is; nobody else sends to this recipient until it is put back."""
        return self.lines.popleft() if self.lines else None


class Sender:
    """Moves letters from `outbox` to `relay`, at most `connections` at one time."""

    def __init__(
        self,
        outbox: Outbox,
        relay: Relay,
        *,
        connections: int = 1,
        batch: int = 100,
        poll_seconds: float = 0.1,
        lease_seconds: float = 120,
    ) -> None:
        """Claim `batch` letters at a time; no delivery takes longer than half of `lease_seconds`."""
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
        """Look into the outbox now, not only when the poll is due. To be called in the event loop's thread."""
        self._due.set()

    async def stop(self) -> None:
        """Finish the letters in hand, give the others back, and wait until `run` has returned."""
        self._stopping.set()
        self.wake()
        await self._ended.wait()

    async def run(self) -> None:
        """Send until `stop`, or until cancelled, which also cuts off the letters in hand."""
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
        """Record what was sent and lease what is due, in one transaction."""
        receipts = self._unrecorded()
        try:
            return await self._ask(self._outbox.claim, self._batch, self._lease, receipts) or []
        except asyncio.CancelledError:
            self._taken = receipts + self._taken  # nobody knows how far it got; to record them twice is harmless
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
            await self._relay.close()  # perhaps a letter was announced that does not come now

    async def _work(self, batch: Batch) -> None:
        """Send one letter of each line in turn, so that the next one is for somebody else and can be announced."""
        line = batch.take()
        while line:
            following = batch.take()
            await self._send_first(line, following[0] if following else None, batch)
            if line:
                batch.lines.append(line)
            line = following or batch.take()

    async def _send_first(self, line: deque[Outgoing], then: Outgoing | None, batch: Batch) -> None:
        """Send the first letter of a line. If that fails for now, the line is emptied: the others wait behind it."""
        if self._over(batch):
            await self._release(line, self._pause)
            line.clear()
            return
        try:
            receipt = await self._deliver(line[0], then)
        except Refused as refusal:
            await self._refuse(line.popleft(), str(refusal))
        except Deferred as trouble:
            self._note_trouble(trouble, batch)
            await self._defer(line, str(trouble))
            line.clear()
            return
        else:
            self._record(line.popleft(), receipt)
        self._pause = 0.0

    def _over(self, batch: Batch) -> bool:
        late = asyncio.get_running_loop().time() > batch.deadline
        return batch.relay_down or late or self._stopping.is_set()

    async def _deliver(self, letter: Outgoing, then: Outgoing | None) -> str:
        """The receipt for `letter`. Whatever goes wrong, it raises Refused or Deferred."""
        try:
            async with asyncio.timeout(self._lease / 2):
                return await self._relay.deliver(letter, then)
        except (Refused, Deferred):
            raise
        except TimeoutError:
            raise RelayDown(f"no answer within {self._lease / 2:.0f} seconds") from None
        except Exception as error:
            _log_bug(error)
            raise Deferred(f"internal error: {type(error).__name__}") from None

    def _note_trouble(self, trouble: Deferred, batch: Batch) -> None:
        """Spare a relay that is down; one that answers, if only "not this letter", is not."""
        if not isinstance(trouble, RelayDown):
            self._pause = 0.0
        elif not batch.relay_down:
            batch.relay_down = True
            self._pause = min(max(2 * self._pause, FIRST_PAUSE), LAST_PAUSE)
            log.warning("relay_down", error=str(trouble), pause=self._pause)

    async def _defer(self, line: deque[Outgoing], error: str) -> None:
        """Put off the first letter of `line`, which was tried, and the others behind it.

        It waits its own time even if the relay seems to be down: if it is the letter that brings the relay down, the
        others get through without it.
        """
        letter, *others = line
        seconds = delay(letter.attempts)
        metrics.letter("deferred")
        log.info("letter_deferred", id=letter.id, error=error, delay=seconds)
        await self._ask(self._outbox.defer_many, [letter.id], error, seconds)
        await self._release(others, seconds)

    async def _release(self, letters: Collection[Outgoing], seconds: float) -> None:
        if letters:
            await self._ask(self._outbox.release_many, [letter.id for letter in letters], seconds)

    async def _refuse(self, letter: Outgoing, error: str) -> None:
        metrics.letter("refused")
        log.warning("letter_refused", id=letter.id, error=error)
        await self._ask(self._outbox.refuse, letter.id, error)

    def _record(self, letter: Outgoing, receipt: str) -> None:
        """Let a letter be recorded with the next claim, or before that if the batch takes long."""
        metrics.letter("sent")
        log.info("letter_sent", id=letter.id, receipt=receipt)
        self._taken.append((letter.id, receipt))
        if self._alarm is None:
            self._alarm = asyncio.get_running_loop().call_later(PATIENCE, self._record_now)

    def _record_now(self) -> None:
        """Record what was sent while the next letter is sent."""
        if self._recording is None or self._recording.done():
            self._recording = asyncio.create_task(self._record_all())

    async def _record_all(self) -> None:
        while receipts := self._unrecorded():
            await self._ask(self._outbox.sent_many, receipts)

    def _unrecorded(self) -> list[tuple[int, str]]:
        """What was sent and is not recorded yet; the caller will record it."""
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None
        receipts, self._taken = self._taken, []
        return receipts

    async def _recorded(self) -> None:
        """Wait until every letter that the relay has taken is recorded."""
        self._record_now()
        if self._recording:
            await asyncio.wait({self._recording})  # which is not cancelled when we are

    async def _ask(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """What the outbox answers. While the database is away, ask again; None if it is away and we have to stop."""
        pause = self._poll
        while True:
            last = self._stopping.is_set()
            try:
                return await asyncio.to_thread(call, *args, **kwargs)
            except Exception as error:
                _log_bug(error)
            if last:
                return None
            await self._sleep(pause)
            pause = min(2 * pause, LONGEST_WAIT)

    async def _rest(self, batch: Batch, found: int, begun: float) -> None:
        if batch.relay_down:
            await self._sleep(self._pause)
        elif not found:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._due.wait(), self._poll)
        elif found < self._batch:
            await self._sleep(begun + PACE - asyncio.get_running_loop().time())

    async def _sleep(self, seconds: float) -> None:
        """Sleep, but not longer than until `stop`."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)


def _log_bug(error: Exception) -> None:
    """Log where `error` happened, without its own words: they may hold addresses or a password."""
    where = "".join(traceback.format_tb(error.__traceback__))
    log.error("sender_error", error=type(error).__name__, where=where)
