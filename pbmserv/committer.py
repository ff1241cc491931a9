"""Between the listener's sessions and the pipeline: mails that wait together are committed together."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import structlog

from pbmserv.mail.envelope import TOO_LARGE, TRY_AGAIN, Incoming
from pbmserv.mail.inbound import TooLarge
from pbmserv.pipeline import Pipeline, Prepared

log = structlog.get_logger()


class Committer:
    """`submit` returns when the mail is on disk. While one batch commits, the next one gathers by itself."""

    def __init__(
        self, pipeline: Pipeline, *, batch: int = 64, threads: int = 2, committed: Callable[[], None] = lambda: None
    ) -> None:
        self._pipeline = pipeline
        self._batch = batch
        self._committed = committed  # called after each commit, on the loop: there may be letters to send
        self._readers = ThreadPoolExecutor(threads, thread_name_prefix="read")
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="commit")
        self._waiting: list[tuple[Prepared, asyncio.Future[str]]] = []
        self._committer: asyncio.Task[None] | None = None

    async def submit(self, incoming: Incoming) -> str:
        """The SMTP reply for one message: 250 only after its commit."""
        loop = asyncio.get_running_loop()
        try:
            prepared = await loop.run_in_executor(self._readers, self._pipeline.prepare, incoming)
        except TooLarge:
            return TOO_LARGE
        except Exception:
            log.exception("mail could not be prepared")
            return TRY_AGAIN
        reply: asyncio.Future[str] = loop.create_future()
        self._waiting.append((prepared, reply))
        if self._committer is None:
            self._committer = loop.create_task(self._commit())
        return await reply

    async def close(self) -> None:
        """Wait for the commits in hand."""
        if self._committer is not None:
            await self._committer
        self._readers.shutdown()
        self._writer.shutdown()

    async def _commit(self) -> None:
        """Commit batches until nobody waits."""
        loop = asyncio.get_running_loop()
        while self._waiting:
            batch, self._waiting = self._waiting[: self._batch], self._waiting[self._batch :]
            replies = await loop.run_in_executor(self._writer, self._pipeline.handle, [p for p, _ in batch])
            for (_, waiting), reply in zip(batch, replies, strict=True):
                if not waiting.done():
                    waiting.set_result(reply)
            self._committed()
        self._committer = None
