"""Between the listener's sessions and the pipeline: mails that wait together are committed together.

A mail goes from the loop to a thread that reads it, from there to one that commits it, and back to the loop together
with all others of its batch: the loop, which serves every session, is woken once for each commit.
"""

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import structlog

from pbmserv import metrics
from pbmserv.inbox.pipeline import Pipeline, Prepared
from pbmserv.mail.envelope import TOO_LARGE, TRY_AGAIN, Incoming
from pbmserv.mail.inbound import TooLarge

log = structlog.get_logger()


class Committer:
    """`submit` returns when the mail is on disk. While the writers are busy, the next batches gather."""

    def __init__(
        self,
        pipeline: Pipeline,
        *,
        batch: int = 16,
        writers: int = 1,
        threads: int = 2,
        committed: Callable[[], None] = lambda: None,
    ) -> None:
        """At most `batch` mails share a commit, and `writers` commits run at a time."""
        self._pipeline = pipeline
        self._batch = batch
        self._writers = writers
        self._committed = committed  # called after each commit, on the loop: there may be letters to send
        self._reader_threads = ThreadPoolExecutor(threads, thread_name_prefix="read")
        self._writer_threads = ThreadPoolExecutor(writers, thread_name_prefix="commit")
        self._waiting: deque[tuple[Prepared, asyncio.Future[str]]] = deque()
        self._busy = 0  # writers at work; each goes on until no mail waits
        self._lock = threading.Lock()  # of `_waiting` and `_busy`

    async def submit(self, incoming: Incoming) -> str:
        """The SMTP reply for one message: 250 only after its commit."""
        reply: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._reader_threads.submit(self._read, incoming, reply)
        return await reply

    async def close(self) -> None:
        """Wait for the commits in hand."""
        await asyncio.to_thread(self._reader_threads.shutdown)  # first: readers wake writers
        await asyncio.to_thread(self._writer_threads.shutdown)

    def _read(self, incoming: Incoming, reply: asyncio.Future[str]) -> None:
        """Prepare one mail and let it wait for its commit."""
        try:
            prepared = self._pipeline.prepare(incoming)
        except TooLarge:
            _answer([reply], [TOO_LARGE])
        except Exception:
            log.exception("mail could not be prepared")
            _answer([reply], [TRY_AGAIN])
        else:
            incoming.progress.did("read")
            self._wait(prepared, reply)

    def _wait(self, prepared: Prepared, reply: asyncio.Future[str]) -> None:
        """Let a mail wait for the next commit, and call a writer. If all are busy, one of them will see the mail."""
        with self._lock:
            self._waiting.append((prepared, reply))
            if self._busy == self._writers:
                return
            self._busy += 1
        self._writer_threads.submit(self._write)

    def _write(self) -> None:
        """Commit batches until no mail waits."""
        while batch := self._next_batch():
            mails = [prepared for prepared, _ in batch]
            _note(mails, "wait")
            replies = self._pipeline.handle(mails)
            _note(mails, "commit")
            metrics.committed(len(mails), mails[0].incoming.progress.stages["commit"] / 1000)
            _answer([reply for _, reply in batch], replies, self._committed)

    def _next_batch(self) -> Sequence[tuple[Prepared, asyncio.Future[str]]]:
        """The mails that have waited longest. If none waits, the writer that asks is not busy any more."""
        with self._lock:
            batch = [self._waiting.popleft() for _ in range(min(self._batch, len(self._waiting)))]
            if not batch:
                self._busy -= 1
            return batch


def _answer(
    waiting: Sequence[asyncio.Future[str]], replies: Sequence[str], then: Callable[[], None] = lambda: None
) -> None:
    """Give each session its reply, on the loop. A session that does not wait any more is left out."""

    def answer() -> None:
        for future, reply in zip(waiting, replies, strict=True):
            if not future.done():
                future.set_result(reply)
        then()

    waiting[0].get_loop().call_soon_threadsafe(answer)


def _note(mails: Sequence[Prepared], stage: str) -> None:
    for prepared in mails:
        prepared.incoming.progress.did(stage)
