"""The sockets of the SMTP and LMTP servers, on our event loop, and their orderly shutdown."""

import asyncio
import os
import resource
import socket
import ssl
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import structlog

from pbmserv.mail.smtp.endpoints import Endpoint, read_url
from pbmserv.mail.smtp.intake import LEAVING, Intake, SessionLimits, Submit
from pbmserv.mail.smtp.lmtp import Lmtp
from pbmserv.mail.smtp.session import Smtp

__all__ = ["ListenError", "Listener", "Lmtp", "SessionLimits", "Smtp", "Submit"]

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class ListenError(Exception):
    """We cannot listen on an address. The text names its URL and the reason."""


class Listener:
    """The SMTP and LMTP servers of one process. `accepts` returns whether a recipient's address is ours."""

    def __init__(
        self,
        urls: Sequence[str],
        submit: Submit,
        accepts: Callable[[str], bool],
        hostname: str,
        *,
        instance: str = "",
        report: Callable[[], str] = str,
        limits: SessionLimits | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """Raises ValueError if one of `urls` has an unknown form. Opens nothing before `start`."""
        self._endpoints = [read_url(url) for url in urls]
        asked = limits or SessionLimits()
        possible = asked.within(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        self._intake = Intake(submit, accepts, possible, instance, report)
        if possible != asked:
            log.warning("few_descriptors", connections=possible.connections, wanted=asked.connections)
        self._hostname = hostname
        self._tls = tls
        self._servers: list[asyncio.Server] = []
        self._files: list[_SocketFile] = []
        self._addresses: list[str] = []

    @property
    def addresses(self) -> list[str]:
        """The real addresses: names are resolved, and port 0 is replaced by the assigned port."""
        return list(self._addresses)

    @property
    def sessions(self) -> int:
        """The number of open sessions."""
        return len(self._intake.sessions)

    async def start(self) -> None:
        """Open all endpoints or none. Raises ListenError, which names the endpoint that failed and the reason."""
        for endpoint in self._endpoints:
            try:
                await self._open(endpoint)
            except OSError as error:
                self._close()
                raise ListenError(f"Cannot listen on {endpoint.url} (PBMSERV_LISTEN): {_reason(error)}") from error
        log.info("listening", addresses=self._addresses)

    async def drain(self, seconds: float = 30) -> None:
        """Accept nothing new, let transactions and commits finish, and end within `seconds`."""
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
        """Wait until there is no session and no commit any more, or until `deadline` by the loop's clock."""
        loop = asyncio.get_running_loop()
        while tasks := {session.task for session in self._intake.sessions} | self._intake.commits:
            if (left := deadline - loop.time()) <= 0:
                return
            await asyncio.wait(tasks, timeout=left)

    async def _open(self, endpoint: Endpoint) -> None:
        loop = asyncio.get_running_loop()
        spoken = Smtp if endpoint.scheme == "smtp" else Lmtp
        session = partial(spoken, self._intake, self._hostname, self._tls)
        if endpoint.path:
            file = _SocketFile(Path(endpoint.path))
            self._files.append(file)
            self._servers.append(await loop.create_unix_server(session, sock=file.socket))
            self._addresses.append(endpoint.url)
            return
        # By host and port, so that asyncio sets TCP_NODELAY; it does this only for sockets of protocol TCP.
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
        """Raises OSError if a server already answers there, or if the file is no socket."""
        self.path = path
        _remove_stale(path)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self.socket.bind(str(path))
            path.chmod(0o660)  # nobody can connect before listen(), so the mode is set in time
        except OSError:
            self.socket.close()
            raise
        self._inode = path.stat().st_ino

    def remove(self) -> None:
        """Remove the file, unless another process has replaced it."""
        if self.path.exists() and self.path.stat().st_ino == self._inode:
            self.path.unlink()


def _remove_stale(path: Path) -> None:
    """Remove the socket of a killed process. asyncio would also remove the socket of a running one."""
    if not path.is_socket():
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()


def _reason(error: OSError) -> str:
    """Return the system's reason for an error. asyncio's own text repeats the address."""
    return os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror or str(error)


def _url(scheme: str, host: str, port: int) -> str:
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"
