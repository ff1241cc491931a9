"""Between the listener's sessions and the pipeline: mails that wait together are committed together."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import structlog

from pbmserv import metrics
from pbmserv.mail.envelope import TOO_LARGE, TRY_AGAIN, Incoming
from pbmserv.mail.inbound import TooLarge
from pbmserv.pipeline import Pipeline, Prepared

log = structlog.get_logger()


class Committer:
    """`submit` returns when the mail is on disk. While the writers are busy, the next batches gather by themselves."""

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
        self._busy: set[asyncio.Task[None]] = set()

    async def submit(self, incoming: Incoming) -> str:
        """The SMTP reply for one message: 250 only after its commit."""
        loop = asyncio.get_running_loop()
        try:
            prepared = await loop.run_in_executor(self._reader_threads, self._pipeline.prepare, incoming)
        except TooLarge:
            return TOO_LARGE
        except Exception:
            log.exception("mail could not be prepared")
            return TRY_AGAIN
        incoming.story.did("read")
        reply: asyncio.Future[str] = loop.create_future()
        self._waiting.append((prepared, reply))
        if len(self._busy) < self._writers:
            self._busy.add(loop.create_task(self._write()))
        return await reply

    async def close(self) -> None:
        """Wait for the commits in hand."""
        await asyncio.gather(*self._busy)
        self._reader_threads.shutdown()
        self._writer_threads.shutdown()

    async def _write(self) -> None:
        """Commit batches until nobody waits."""
        loop, this = asyncio.get_running_loop(), asyncio.current_task()
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(self._batch, len(self._waiting)))]
            mails = [prepared for prepared, _ in batch]
            _note(mails, "wait")
            replies = await loop.run_in_executor(self._writer_threads, self._pipeline.handle, mails)
            _note(mails, "commit")
            metrics.committed(len(mails), mails[0].incoming.story.stages["commit"] / 1000)
            for (_, waiting), reply in zip(batch, replies, strict=True):
                if not waiting.done():
                    waiting.set_result(reply)
            self._committed()
        self._busy = {writer for writer in self._busy if writer is not this}  # now: a callback would come too late


def _note(mails: Sequence[Prepared], stage: str) -> None:
    for prepared in mails:
        prepared.incoming.story.did(stage)
