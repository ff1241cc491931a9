"""Where mail comes in: the sockets of the SMTP and LMTP servers, on our own event loop, and their orderly end."""

import asyncio
import os
import socket
import ssl
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import structlog

from pbmserv.mail.smtp.intake import LEAVING, Intake, SessionLimits, Submit
from pbmserv.mail.smtp.session import Lmtp, Smtp

__all__ = ["ListenError", "Listener", "SessionLimits", "Submit"]

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class ListenError(Exception):
    """An address that cannot be listened on; the text names its URL and the reason."""


@dataclass(frozen=True)
class Endpoint:
    """Where to listen, as one URL says it: a path, or a host and a port."""

    url: str
    scheme: str
    host: str = ""
    port: int = 0
    path: str = ""

    @property
    def session(self) -> type[Smtp]:
        """The protocol that is spoken there."""
        return Smtp if self.scheme == "smtp" else Lmtp


def read_url(url: str) -> Endpoint:
    """The endpoint of `url`. Raises ValueError, with the forms that are possible, for everything else."""
    try:
        parts = urlsplit(url.strip())
        if parts.scheme == "lmtp+unix" and not parts.netloc and parts.path.startswith("/"):
            return Endpoint(url, parts.scheme, path=parts.path)
        if parts.scheme in ("smtp", "lmtp") and parts.hostname and parts.port is not None and parts.path in ("", "/"):
            return Endpoint(url, parts.scheme, parts.hostname, parts.port)
    except ValueError:
        pass  # urlsplit's own words name neither the URL nor the remedy
    raise ValueError(
        f"Cannot listen on '{url}': write smtp://host:port, lmtp://host:port or lmtp+unix:///path/of/the.sock"
    )


class Listener:
    """The SMTP and LMTP servers of one process. `accepts` tells whether a recipient's address is ours."""

    def __init__(
        self,
        urls: Sequence[str],
        submit: Submit,
        accepts: Callable[[str], bool],
        hostname: str,
        *,
        limits: SessionLimits | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """Raises ValueError if one of `urls` is none of ours; nothing is opened before `start`."""
        self._endpoints = [read_url(url) for url in urls]
        self._intake = Intake(submit, accepts, limits or SessionLimits())
        self._hostname = hostname
        self._tls = tls
        self._servers: list[asyncio.Server] = []
        self._files: list[_SocketFile] = []
        self._addresses: list[str] = []

    @property
    def addresses(self) -> list[str]:
        """What is really listened on: names resolved, port 0 replaced by the port that was given."""
        return list(self._addresses)

    @property
    def sessions(self) -> int:
        """How many are open."""
        return len(self._intake.sessions)

    async def start(self) -> None:
        """Open all endpoints, or none of them: then ListenError names the one that cannot be opened, and says why."""
        for endpoint in self._endpoints:
            try:
                await self._open(endpoint)
            except OSError as error:
                self._close()
                raise ListenError(f"Cannot listen on {endpoint.url}: {_reason(error)}") from error
        log.info("listening", addresses=self._addresses)

    async def drain(self, seconds: float = 30) -> None:
        """Take nothing new, let transactions and commits finish, and end within `seconds`."""
        self._close()
        self._intake.leaving = True
        for session in list(self._intake.sessions):
            if session.idle:
                session.hang_up(LEAVING)
        deadline = asyncio.get_running_loop().time() + seconds
        await self._settle(deadline - min(1.0, seconds / 2))
        for session in list(self._intake.sessions):
            session.hang_up(LEAVING)
        await self._settle(deadline)
        if self._intake.commits:
            log.warning("commits_unfinished", count=len(self._intake.commits))

    async def _settle(self, deadline: float) -> None:
        """Wait until no session and no commit is left, or until `deadline` by the loop's clock."""
        loop = asyncio.get_running_loop()
        while tasks := {session.task for session in self._intake.sessions} | self._intake.commits:
            if (left := deadline - loop.time()) <= 0:
                return
            await asyncio.wait(tasks, timeout=left)

    async def _open(self, endpoint: Endpoint) -> None:
        loop = asyncio.get_running_loop()
        session = partial(endpoint.session, self._intake, self._hostname, self._tls)
        if endpoint.path:
            file = _SocketFile(Path(endpoint.path))
            self._files.append(file)
            self._servers.append(await loop.create_unix_server(session, sock=file.socket))
            self._addresses.append(endpoint.url)
            return
        # By host and port, so that asyncio makes sockets of protocol TCP: on others it leaves TCP_NODELAY unset.
        server = await loop.create_server(session, endpoint.host, endpoint.port)
        self._servers.append(server)
        self._addresses += [_url(endpoint.scheme, *sock.getsockname()[:2]) for sock in server.sockets]

    def _close(self) -> None:
        for server in self._servers:
            server.close()
        for file in self._files:
            file.remove()
        self._servers, self._files, self._addresses = [], [], []


class _SocketFile:
    """A listening Unix socket, for its owner and group only."""

    def __init__(self, path: Path) -> None:
        """Raises OSError if somebody answers there already, or the file is no socket."""
        self.path = path
        _remove_stale(path)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self.socket.bind(str(path))
            path.chmod(0o660)  # nobody can connect before listen(), so no one slips in before the mode is set
        except OSError:
            self.socket.close()
            raise
        self._inode = path.stat().st_ino

    def remove(self) -> None:
        """Remove the file, unless another process has put its own there."""
        if self.path.exists() and self.path.stat().st_ino == self._inode:
            self.path.unlink()


def _remove_stale(path: Path) -> None:
    """Remove the socket of a process that was killed; asyncio would remove that of a living one, too."""
    if not path.is_socket():
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()


def _reason(error: OSError) -> str:
    """Why something failed, in the system's words: asyncio's repeat the address."""
    return os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror or str(error)


def _url(scheme: str, host: str, port: int) -> str:
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"
