"""How long a connection to the pages may wait for a request, and how long an answer may take."""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 20.0  #: until the head of a request is complete
ANSWER_SECONDS = 120.0  #: until an answer is made, and until the reader has taken it


class PatientProtocol(H11Protocol):
    """Ends connections on which nothing goes on. The library has a limit only between two requests.

    Otherwise as many half requests as there may be connections would keep everybody else out for ever.
    """

    _limit: asyncio.TimerHandle | None = None
    _waits = False  #: for a request

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the limit."""
        super().connection_lost(exc)
        self._set(None)

    def data_received(self, data: bytes) -> None:
        """Take a part of a request. Only its end ends the limit, so that single bytes gain no time."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Wait for the next request, which may be there already."""
        super().on_response_complete()
        self._look()

    def _look(self) -> None:
        waits = self.cycle is None or self.cycle.response_complete
        if waits != self._waits or self._limit is None:
            self._waits = waits
            self._set(REQUEST_SECONDS if waits else ANSWER_SECONDS)

    def _set(self, seconds: float | None) -> None:
        if self._limit:
            self._limit.cancel()
        self._limit = None if seconds is None else self.loop.call_later(seconds, self._end)

    def _end(self) -> None:
        if self._waits and self.transport.get_write_buffer_size():
            self._waits = False  # a slow reader still takes the last answer
            self._set(ANSWER_SECONDS)
        else:
            self.transport.abort()
