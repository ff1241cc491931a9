"""A real server that takes letters by SMTP or LMTP and misbehaves as its script says. It has a port of its own."""

import asyncio
import ssl
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Self

#: Words of a script that are no replies: never reply; close the connection without a reply; to DATA: say 354 first.
HANG = "hang"
DISCONNECT = "disconnect"
CUT = "cut"

TAKEN = "250 2.0.0 Taken"


@dataclass(frozen=True)
class Letter:
    """A message that has come to its last byte. `data` is without the doubled dots of SMTP."""

    mail_from: str
    recipient: str
    data: bytes
    reply: str


class Postman(list[Letter]):
    """The letters of a sink, each brought on as soon as it has come."""

    def __init__(self, bring: Callable[[Letter], object]) -> None:
        super().__init__()
        self._bring = bring

    def append(self, letter: Letter) -> None:
        """Keep a letter and bring it on."""
        super().append(letter)
        self._bring(letter)


class Sink:
    """A server that listens while the `async with` block runs.

    `script` has the replies to messages, one after the other; after these, each reply is TAKEN. `replies` has the
    reply to a verb instead of a success. "CONNECT" stands for the banner, "AUTH" for the login of any user.
    """

    usual = ("SIZE 1000000", "8BITMIME", "SMTPUTF8")  #: the default extensions of a sink

    def __init__(
        self,
        script: Sequence[str] = (),
        *,
        replies: dict[str, str] | None = None,
        extensions: Sequence[str] | None = None,
        tls: ssl.SSLContext | None = None,
        implicit: bool = False,
        logins: str = "PLAIN",
    ) -> None:
        """`implicit`: TLS begins with the connection. `logins`: the mechanisms of AUTH, offered only over TLS."""
        self._script = list(script)
        self.replies = replies or {}
        self._extensions = self.usual if extensions is None else extensions
        self._tls = tls
        self._implicit = tls if implicit else None
        self._logins = logins
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []
        self.letters: list[Letter] = []
        self.commands: list[str] = []
        self.port = 0

    @property
    def taken(self) -> list[Letter]:
        """Return the letters that got a 250."""
        return [letter for letter in self.letters if letter.reply == TAKEN]

    @property
    def connections(self) -> int:
        """Return how many connections were made in all."""
        return len(self._writers)

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port, ssl=self._implicit)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def break_at(self, stage: str = "", reply: str = "") -> None:
        """Give this reply at one stage of every letter. "final" is the end of the next letter.

        Without a stage, recover.
        """
        self._script = [reply] if stage == "final" else []
        self.replies = {stage: reply} if stage and stage != "final" else {}
        if stage in ("CONNECT", "EHLO"):
            self.hang_up()

    def hang_up(self) -> None:
        """Close all connections, as a server does with those that are idle."""
        for writer in self._writers:
            writer.close()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._tasks.add(task)
        self._writers.append(writer)
        try:
            await self._serve(reader, writer)
        except (ConnectionError, asyncio.CancelledError, ssl.SSLError):
            pass
        finally:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        mail_from: str | None = None
        recipient = ""
        await self._say(writer, self.replies.get("CONNECT", "220 sink.example"))
        while line := (await reader.readline()).decode().strip():
            self.commands.append(line)
            verb = line.split()[0].upper()
            await self._ask_for_password(line, reader, writer)
            reply = self.replies.get(verb, self._usual(verb, writer))
            early = (verb == "RCPT" and mail_from is None) or (verb == "DATA" and not recipient)
            if early and verb not in self.replies:
                reply = "503 5.5.1 Something is missing before"
            await self._say(writer, reply)
            if verb in ("MAIL", "RSET"):
                mail_from, recipient = _path(line) if verb == "MAIL" and reply.startswith("2") else None, ""
            elif verb == "RCPT":
                recipient = _path(line) if reply.startswith("2") else ""
            elif reply.startswith("354"):
                data = await _message(reader)
                answer = self._script.pop(0) if self._script else TAKEN
                self.letters.append(Letter(mail_from or "", recipient, data, answer))
                mail_from, recipient = None, ""
                await self._say(writer, answer)
            elif verb == "STARTTLS" and self._tls:
                await writer.start_tls(self._tls)
            elif verb == "QUIT":
                return

    async def _ask_for_password(self, line: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if line.upper().startswith("AUTH XOAUTH2") and "AUTH" in self.replies:
            await self._say(writer, "334 eyJzdGF0dXMiOiI0MDAifQ==")  # what is wrong; then an empty line must come
            self.commands.append((await reader.readline()).decode().strip())
        if line.upper().startswith("AUTH LOGIN"):
            await self._say(writer, "334 UGFzc3dvcmQ6")
            self.commands.append((await reader.readline()).decode().strip())

    def _usual(self, verb: str, writer: asyncio.StreamWriter) -> str:
        if verb in ("EHLO", "LHLO"):
            secure = writer.get_extra_info("sslcontext") is not None
            more = [f"AUTH {self._logins}"] if secure else ["STARTTLS"] if self._tls else []
            words = ["sink.example", *self._extensions, *more]
            return "\r\n".join([f"250-{word}" for word in words[:-1]] + [f"250 {words[-1]}"])
        return {"DATA": "354 Go on", "QUIT": "221 Bye", "STARTTLS": "220 Go on", "AUTH": "235 Welcome"}.get(
            verb, "250 Ok"
        )

    async def _say(self, writer: asyncio.StreamWriter, reply: str) -> None:
        if reply == HANG:
            await asyncio.sleep(3600)
        if reply == DISCONNECT:
            raise ConnectionError
        if reply == CUT:
            await self._say(writer, "354 Go on")
            raise ConnectionError
        writer.write(reply.encode("utf-8", "surrogateescape") + b"\r\n")
        await writer.drain()


async def _message(reader: asyncio.StreamReader) -> bytes:
    lines: list[bytes] = []
    while (line := await reader.readline()) != b".\r\n":
        if not line:
            raise ConnectionError
        lines.append(line.removeprefix(b"."))
    return b"".join(lines)


def _path(line: str) -> str:
    return line.partition("<")[2].partition(">")[0]


@contextmanager
def in_thread(sink: Sink) -> Iterator[Sink]:
    """Run the sink in an event loop of its own, for tests that wait for servers in other processes."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    asyncio.run_coroutine_threadsafe(sink.__aenter__(), loop).result()
    try:
        yield sink
    finally:
        asyncio.run_coroutine_threadsafe(sink.__aexit__(None, None, None), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
