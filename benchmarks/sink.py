"""The relay of the benchmarks: accepts every letter, as fast as Python can, and records when each arrived.

    python -m benchmarks.sink

It prints its port. Besides SMTP it has one more command for measuring. `TAKE n` waits until n letters have arrived, and
is then answered with one line of JSON: [recipient, seconds of the machine's monotonic clock] for each letter, in the
order in which they came. Then it counts from zero.
"""

import asyncio
import json
import time

_REPLIES = {
    b"EHLO": b"250-sink.example\r\n250-PIPELINING\r\n250-SIZE 10000000\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n",
    b"DATA": b"354 Go on\r\n",
    b"QUIT": b"221 Bye\r\n",
}
_END = b"\r\n.\r\n"


class Shelf:
    """The letters that came, and the connection that waits for them."""

    def __init__(self) -> None:
        self._letters: list[tuple[str, float]] = []
        self._waiting: tuple[int, asyncio.Transport] | None = None

    def add(self, recipient: bytes) -> None:
        """Record that a letter has come now."""
        self._letters.append((recipient.decode(), time.perf_counter()))
        self._answer()

    def take(self, count: int, transport: asyncio.Transport) -> None:
        """Report `count` letters on this connection as soon as they have come."""
        self._waiting = count, transport
        self._answer()

    def _answer(self) -> None:
        if self._waiting and len(self._letters) >= self._waiting[0]:
            self._waiting[1].write(json.dumps(self._letters).encode() + b"\n")
            self._letters, self._waiting = [], None


class Session(asyncio.Protocol):
    """One connection."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._buffer = b""
        self._recipients: list[bytes] = []
        self._in_data = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the banner."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(b"220 sink.example ESMTP\r\n")

    def data_received(self, data: bytes) -> None:
        """Answer every complete command and message."""
        self._buffer += data
        replies = b""
        while (end := _END if self._in_data else b"\r\n") in self._buffer:
            part, _, self._buffer = self._buffer.partition(end)
            replies += self._message() if self._in_data else self._command(part)
        if replies:
            self._transport.write(replies)

    def _message(self) -> bytes:
        for recipient in self._recipients:
            self._shelf.add(recipient)
        self._recipients, self._in_data = [], False
        return b"250 2.0.0 Taken\r\n"

    def _command(self, line: bytes) -> bytes:
        verb = line[:4].upper()
        if verb == b"TAKE":
            self._shelf.take(int(line[5:]), self._transport)
            return b""
        if verb == b"RCPT":
            self._recipients.append(line.partition(b"<")[2].partition(b">")[0])
        self._in_data = verb == b"DATA"
        return _REPLIES.get(verb, b"250 2.0.0 Ok\r\n")


async def main() -> None:
    """Serve on a free port until killed."""
    shelf = Shelf()
    server = await asyncio.get_running_loop().create_server(lambda: Session(shelf), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
