"""What a move costs: one mail through the socket, from its first command to its 250.

    python -m benchmarks.move

Three servers run beside each other and are measured in turns, so that whatever else the machine does hits all alike:
the floor (see floor.py), pbmserv's listener alone, and pbmserv with all roles, whose sender writes the letters to
Maildirs meanwhile. Each session is kept; its mails are answers to board letters, played on boards of its own.
"""

import os
import random
import smtplib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from pbmserv import board as fold
from pbmserv import games
from pbmserv.mail import tokens
from pbmserv.mail.tokens import Signer

ADDRESS = "pbmserv@localhost"
ROUNDS, SESSIONS = 3, 8
MOVES = {1: 100, SESSIONS: 40}  # of each session in one round, by the number of sessions


@dataclass
class Server:
    """A server under measurement, and what was measured: seconds for each move, moves for each second, and the
    processor time that it took for them, which says most on a busy machine.
    """

    name: str
    process: subprocess.Popen[str]
    port: int
    signer: Signer
    boards: int = 0
    alone: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    rates: dict[int, list[float]] = field(default_factory=dict)


def floor(folder: Path) -> Server:
    """The floor."""
    process = _start([sys.executable, "-m", "benchmarks.floor", str(folder / "floor.db")], {})
    assert process.stdout
    return Server("floor: aiosmtpd, sqlite3, Jinja", process, int(process.stdout.readline()), Signer(ADDRESS, b"floor"))


def ours(folder: Path, name: str, roles: str) -> Server:
    """Pbmserv with these roles and two players."""
    (folder / roles).mkdir()
    settings = {
        "PBMSERV_DATABASE_URL": f"sqlite:///{folder / roles}/pbmserv.db",
        "PBMSERV_RELAY": f"maildir:{folder / roles}/letters",
        "PBMSERV_LISTEN": "smtp://127.0.0.1:0",
        "PBMSERV_ROLES": roles,
        "PBMSERV_TRUST_FROM": "1",
        "PBMSERV_CONFIRM_ADDRESSES": "0",
    }
    process = _start([sys.executable, "-m", "pbmserv", "serve"], settings)
    assert process.stdout
    port = int(process.stdout.readline().split()[3].rpartition(":")[2])
    server = Server(name, process, port, Signer(ADDRESS, (folder / roles / "pbmserv.key").read_bytes().strip()), 100)
    with _session(server) as smtp:
        for userid in ("ann", "bob"):
            _send(smtp, _mail(f"{userid}@example.org", f"signup {userid} {userid}-secret", "", ADDRESS), ADDRESS)
    return server


def _start(command: Sequence[str], settings: dict[str, str]) -> "subprocess.Popen[str]":
    environment = {**os.environ, **settings}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def new_mails(server: Server, count: int, seed: int) -> list[tuple[bytes, str]]:
    """Begin boards, and write the mails that play `count` moves on them, with their recipients."""
    mails: list[tuple[bytes, str]] = []
    with _session(server) as smtp:
        while len(mails) < count:
            server.boards += 1
            challenge = _mail("ann@example.org", "tumble challenge ann bob", f"{seed} {server.boards}", ADDRESS)
            _send(smtp, challenge, ADDRESS)
            mails += _game(server, random.Random(seed + server.boards))  # noqa: S311 - for moves
    return mails[:count]


def _game(server: Server, chance: random.Random) -> Iterator[tuple[bytes, str]]:
    """Up to 50 random legal moves on the newest board."""
    board = fold.begin(fold.Start(games.find("tumble"), {}, 2, "0" * 32))
    while board.to_move and board.ply < 50:
        (seat,) = board.to_move
        move = board.game.format(chance.choice(board.game.legal_moves(board.position, seat)))
        to = server.signer.sign(tokens.BOARD, server.boards, seat, board.length)
        sender = f"{('ann', 'bob')[seat]}@example.org"
        yield _mail(sender, f"Re: Tumble Board {server.boards}", f"{move}\r\n\r\nYour turn!\r\n", to), to
        board = fold.play(board, seat, move).board


def _mail(sender: str, subject: str, body: str, to: str) -> bytes:
    id_ = random.randbytes(12).hex()  # noqa: S311 - a Message-ID, not a secret
    head = f"From: {sender}\r\nTo: {to}\r\nSubject: {subject}\r\nMessage-ID: <{id_}@bench.example>\r\n"
    return f"{head}Date: Sun, 01 Mar 2026 12:00:00 +0000\r\n\r\n{body}".encode()


def _session(server: Server) -> smtplib.SMTP:
    return smtplib.SMTP("127.0.0.1", server.port, "bench.example", timeout=60)


def _send(smtp: smtplib.SMTP, data: bytes, to: str) -> None:
    assert smtp.sendmail("ann@example.org", [to], data) == {}


def timed(server: Server, mails: Sequence[tuple[bytes, str]]) -> list[float]:
    """Seconds for each of these mails in one session."""
    with _session(server) as smtp:
        smtp.ehlo()
        return [_seconds(lambda m=mail: _send(smtp, *m)) for mail in mails]  # type: ignore[misc]


def measure(server: Server, seed: int) -> None:
    """One round: a session alone, then several at once."""
    for sessions, moves in MOVES.items():
        work = [new_mails(server, moves, seed * 1000 + n) for n in range(sessions)]
        with ThreadPoolExecutor(sessions) as pool:
            began, used = time.perf_counter(), _processor_seconds(server)
            taken = list(pool.map(lambda mails: timed(server, mails), work))
            seconds = time.perf_counter() - began
        server.rates.setdefault(sessions, []).append(sessions * moves / seconds)
        server.processor.append((_processor_seconds(server) - used) / (sessions * moves))
        if sessions == 1:
            server.alone += taken[0]


def _processor_seconds(server: Server) -> float:
    """What the server has used so far, in user and system mode (Linux: proc(5), fields 14 and 15)."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _seconds(work: Callable[[], None]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def report(servers: Sequence[Server]) -> None:
    """The medians of the rounds, and each as a ratio to the floor."""
    table = Table("server", "p50 ms", "p99 ms", "CPU ms", "moves/s, 1 session", f"moves/s, {SESSIONS} sessions")
    first = _figures(servers[0])
    for server in servers:
        mine = _figures(server)
        cells = [f"{x:.1f} ({x / y:.2f})" for x, y in zip(mine, first, strict=True)]
        table.add_row(server.name, *cells)
    console = Console()
    console.print(table)
    console.print("In brackets: the ratio to the floor, measured at the same time on the same machine.")


def _figures(server: Server) -> tuple[float, ...]:
    times = sorted(server.alone)
    processor = sum(server.processor) / len(server.processor)
    many = [sorted(server.rates[n])[ROUNDS // 2] for n in (1, SESSIONS)]
    return times[len(times) // 2] * 1000, times[len(times) * 99 // 100] * 1000, processor * 1000, *many


def main() -> None:
    """Run all servers, measure them in turns, print."""
    with tempfile.TemporaryDirectory(prefix="pbmserv-bench-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        servers = [
            floor(folder),
            ours(folder, "pbmserv, listener", "listener"),
            ours(folder, "pbmserv, all roles", "listener,sender,clock"),
        ]
        try:
            for n in range(ROUNDS):
                for server in servers:
                    measure(server, n)
            report(servers)
        finally:
            for server in servers:
                server.process.terminate()
                server.process.communicate()


if __name__ == "__main__":
    main()
