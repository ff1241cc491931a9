"""Stands between the listener's sessions and the pipeline: mails that wait at the same time are committed together.

A mail goes from the event loop to a thread that reads it, then to a thread that commits it, and back to the loop
together with its whole batch. So the loop, which serves all sessions, wakes up once for each commit. A mail that only
asks takes a detour to a thread that answers it. This may take long, and the readers do not wait for it.
"""

import asyncio
import json
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import time

import structlog

from pbmserv import metrics
from pbmserv.db.trouble import TROUBLE, driver_message
from pbmserv.inbox.pipeline import Pipeline, Prepared, trouble_of
from pbmserv.mail.envelope import TOO_LARGE, TRY_AGAIN, Incoming
from pbmserv.mail.inbound import TooLarge

log = structlog.get_logger()


class LastCommits:
    """Whether the last commits succeeded. This is kept in memory, because nothing can be stored on a full disk."""

    def __init__(self) -> None:
        self._committed: float | None = None
        self._failed: float | None = None
        self._failures = 0  # since the last commit
        self._trouble = ""

    def succeeded(self) -> None:
        """Note that a batch is on disk."""
        self._committed, self._failures, self._trouble = time(), 0, ""

    def failed(self, trouble: str) -> None:
        """Note that a batch, or a mail before its commit, got 451."""
        self._failed, self._failures, self._trouble = time(), self._failures + 1, trouble

    def __str__(self) -> str:
        """Return JSON on one line. Times in seconds since 1970, or null; `trouble` in the words of the driver."""
        fields = {"committed": self._committed, "failed": self._failed, "failures": self._failures}
        return json.dumps(fields | {"trouble": self._trouble})


class Committer:
    """`submit` returns when the mail is on disk. While the writers are busy, the next batches collect."""

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
        self._committed = committed  # called in the loop after each commit, because there may be letters to send
        self._reader_threads = ThreadPoolExecutor(threads, thread_name_prefix="read")
        # One, because Python runs one thread at a time: a second one would only take more time from the writer.
        self._answer_threads = ThreadPoolExecutor(1, thread_name_prefix="answer")
        self._writer_threads = ThreadPoolExecutor(writers, thread_name_prefix="commit")
        self._waiting: deque[tuple[Prepared, asyncio.Future[str]]] = deque()
        self.last = LastCommits()
        self._busy = 0  # the number of active writers; each works until no mail waits
        self._lock = threading.Lock()  # protects `_waiting` and `_busy`

    async def submit(self, incoming: Incoming) -> str:
        """Return the SMTP reply for one message: 250 only after its commit."""
        reply: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._reader_threads.submit(self._read, incoming, reply)
        return await reply

    async def close(self) -> None:
        """Wait for the current commits."""
        await asyncio.to_thread(self._reader_threads.shutdown)  # readers first, because they wake the others
        await asyncio.to_thread(self._answer_threads.shutdown)
        await asyncio.to_thread(self._writer_threads.shutdown)

    def _read(self, incoming: Incoming, reply: asyncio.Future[str]) -> None:
        """Read one mail. If it only asks, it is answered next, else it waits for its commit."""
        prepared = self._prepared("read", incoming, reply, lambda: self._pipeline.prepare(incoming))
        if prepared and prepared.only_asks:
            self._answer_threads.submit(self._answer, prepared, reply)
        elif prepared:
            self._wait(prepared, reply)

    def _answer(self, mail: Prepared, reply: asyncio.Future[str]) -> None:
        """Answer one mail that only asks, and let it wait for its commit."""
        answered = self._prepared("answer", mail.incoming, reply, lambda: self._pipeline.answer(mail))
        if answered:
            self._wait(answered, reply)

    def _prepared(
        self, stage: str, incoming: Incoming, reply: asyncio.Future[str], work: Callable[[], Prepared]
    ) -> Prepared | None:
        """Do one stage of a mail before its transaction. If it fails, answer the session and return None."""
        try:
            prepared = work()
        except TooLarge:
            _reply([reply], [TOO_LARGE])
        except Exception as error:
            self.last.failed(trouble_of(error))
            TROUBLE.log(log, "mail could not be prepared", error, **driver_message(error))
            _reply([reply], [TRY_AGAIN])
        else:
            incoming.progress.did(stage)
            return prepared
        return None

    def _wait(self, prepared: Prepared, reply: asyncio.Future[str]) -> None:
        """Queue a mail for the next commit, and start a writer. If all are busy, one of them will take the mail."""
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
            if trouble := next((m.incoming.progress.trouble for m in mails if m.incoming.progress.trouble), ""):
                self.last.failed(trouble)
            else:
                self.last.succeeded()
            _note(mails, "commit")
            metrics.committed(len(mails), mails[0].incoming.progress.stages["commit"] / 1000)
            _reply([reply for _, reply in batch], replies, self._committed)

    def _next_batch(self) -> Sequence[tuple[Prepared, asyncio.Future[str]]]:
        """Return the mails that have waited longest. If none waits, the calling writer ends."""
        with self._lock:
            batch = [self._waiting.popleft()] if self._waiting else []
            while (
                batch and self._waiting and len(batch) < self._batch and self._go_together(batch[0], self._waiting[0])
            ):
                batch.append(self._waiting.popleft())
            if not batch:
                self._busy -= 1
            return batch

    def _go_together(self, *mails: tuple[Prepared, object]) -> bool:
        """Return whether mails may share a transaction.

        Among several writers, only answers to board letters do. Their boards can be locked in the order of their
        numbers. Two batches of other mails could wait for each other, for example for counts of strangers' letters.
        """
        return self._writers == 1 or all(prepared.board is not None for prepared, _ in mails)


def _reply(
    waiting: Sequence[asyncio.Future[str]], replies: Sequence[str], then: Callable[[], None] = lambda: None
) -> None:
    """Give each session its reply, in the loop. Skips sessions that no longer wait."""

    def tell() -> None:
        for future, reply in zip(waiting, replies, strict=True):
            if not future.done():
                future.set_result(reply)
        then()

    waiting[0].get_loop().call_soon_threadsafe(tell)


def _note(mails: Sequence[Prepared], stage: str) -> None:
    for prepared in mails:
        prepared.incoming.progress.did(stage)
