"""A proxy between the server and an IMAP server, which fails as a provider and the way to it fail."""

import re
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

#: What happens at a command: the connection is cut before the provider gets it, or before its answer comes back; the
#: provider says goodbye, or that it was asked too often; nothing is ever heard again.
CUT, CUT_AFTER, BYE, THROTTLED, SILENT = "cut", "cut after", "bye", "throttled", "silent"
FAULTS = (CUT, CUT_AFTER, BYE, THROTTLED, SILENT)


class Proxy:
    """Hands everything on, until a command has a fault."""

    def __init__(self, port: int) -> None:
        self._upstream = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        self._open: list[socket.socket] = []
        self._at: re.Pattern[bytes] | None = None
        self._fault = ""
        self._do: Callable[[], object] = lambda: None
        self.refuse = b""  #: a pattern of commands that are refused
        self.connections = 0
        self.failures = Counter[str]()  #: how often each fault has happened
        self.searches = 0
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def has_failed(self) -> bool:
        """Whether the fault has happened."""
        return self._at is None

    def fail(self, at: str, fault: str = "", do: Callable[[], object] = lambda: None) -> None:
        """Fail once, on a connection that begins now: at the first command with this pattern. `do`: called before."""
        self._fault, self._do, self._at = fault, do, re.compile(at.encode(), re.IGNORECASE)
        self.cut()

    def cut(self) -> None:
        """Cut all connections."""
        while self._open:
            with suppress(OSError):
                self._open.pop().shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End."""
        self.cut()
        self._listening.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.create_connection(("127.0.0.1", self._upstream))
                self._open += [client, server]
                self.connections += 1
                gone = threading.Event()
                threading.Thread(target=self._answers, args=(server, client, gone), daemon=True).start()
                threading.Thread(target=self._commands, args=(client, server, gone), daemon=True).start()

    def _answers(self, server: socket.socket, client: socket.socket, gone: threading.Event) -> None:
        with suppress(OSError), client, server:
            while (data := server.recv(65536)) and not gone.is_set():
                client.sendall(data)
            if gone.is_set():
                gone.wait(60)
            client.shutdown(socket.SHUT_RDWR)

    def _commands(self, client: socket.socket, server: socket.socket, gone: threading.Event) -> None:
        with suppress(OSError):
            while data := client.recv(65536):
                self.searches += data.count(b"UID SEARCH")
                if self._at and self._at.search(data):
                    fault, self._at = self._fault, None
                    self.failures[fault] += 1
                    self._do()
                    if fault and self._failed(fault, data, client, server, gone):
                        return
                    if fault == THROTTLED:
                        continue
                if self.refuse and re.search(self.refuse, data):
                    client.sendall(data.split(b" ", 1)[0] + b" NO [SERVERBUG] cannot\0be \x1b[1mread\r\n")
                    continue
                server.sendall(data)
            server.shutdown(socket.SHUT_RDWR)

    def _failed(
        self, fault: str, data: bytes, client: socket.socket, server: socket.socket, gone: threading.Event
    ) -> bool:
        """Do what a fault means. Returns whether the connection is over."""
        if fault == THROTTLED:
            client.sendall(data.split(b" ", 1)[0] + b" NO [THROTTLED] slow down\r\n")
            return False
        if fault == SILENT:
            gone.set()
            return True
        if fault == BYE:
            client.sendall(b"* BYE until later\r\n")
        if fault == CUT_AFTER:
            gone.set()
            server.sendall(data)
            server.recv(65536)
        client.shutdown(socket.SHUT_RDWR)
        server.shutdown(socket.SHUT_RDWR)
        return True


@contextmanager
def proxy(port: int) -> Iterator[Proxy]:
    """A context with a proxy before the IMAP server on this port."""
    between = Proxy(port)
    try:
        yield between
    finally:
        between.close()
