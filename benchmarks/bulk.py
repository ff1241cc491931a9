"""Fill an SQLite database within minutes with as many boards as after years: copies of a few boards that were played.

SQL copies the stored rows of a sample with new numbers, times and players. So the copies have everything that the store
writes, and every board verifies: the seed is copied, too, so the random draws are the same.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.progress import track
from sqlalchemy.engine import Engine

from benchmarks import work
from pbmserv import games
from pbmserv.boards import entries
from pbmserv.commands import command_language
from pbmserv.db import engines, migrate, tables
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Start
from pbmserv.inbox.pipeline import Pipeline
from pbmserv.letters.site import Site
from pbmserv.letters.text.templates import Renderer
from pbmserv.mail.envelope import ACCEPTED, Incoming
from pbmserv.mail.signed_addresses import Signer
from pbmserv.model import Settings
from pbmserv.store import Store
from pbmserv.store.ratings import rating_level

DAYS = 1000  #: the days over which the starts of the boards are spread evenly
RUNNING = 20  #: the newest of this many boards has not ended
RARE = 1000  #: one of this many boards is of a rarely played game
LETTERS_DAYS, MAILS_DAYS = 30, 400  #: how many days letters, and personal data of mails, are kept
_HOURS_A_MOVE = 12
_FIRST = 101  # number of a board; from 0 it is its index
_CHUNKS = 50


@dataclass(frozen=True)
class Size:
    """The size of a database. The log of every board has `entries` entries."""

    boards: int
    players: int
    entries: int

    @property
    def oldest_running(self) -> int:
        """Return the index of the first board that has not ended. All boards behind it have not ended, either."""
        return self.boards - self.boards // RUNNING


@dataclass(frozen=True)
class Loaded:
    """A filled database. All running boards are alike: `move` is a legal move, and `to_move` is the seat."""

    size: Size
    to_move: int
    move: str
    letter_bytes: int

    def running(self, number: int) -> int:
        """Return the number of one of the running boards."""
        return _FIRST + self.size.oldest_running + number % (self.size.boards // RUNNING)

    def player(self, board: int) -> str:
        """Return the userid of the player who is to move on a running board."""
        return f"p{_players(board - _FIRST, self.size)[self.to_move]}"


def load(file: Path, size: Size, now: datetime) -> Loaded:
    """Make the database and fill it."""
    with _opened(file):
        pass
    with TemporaryDirectory(prefix="pbmserv-samples-") as folder:
        samples = Path(folder) / "samples.db"
        ended, (running, move, to_move) = _play_samples(samples, size.entries)
        with _loading(file, samples) as raw:
            _fill(raw, size, now, ended, running)
            before = _bytes(raw)
            _copy(raw, "outbox", size, _LETTERS)
            letters = _bytes(raw) - before
    with _opened(file) as engine, engine.begin() as connection:
        store = Store(connection)
        store.ratings.remake_scores()
        store.ratings.count_levels()
    return Loaded(size, to_move, move, letters)


# --- what is copied ------------------------------------------------------------------------------------------------


def _play_samples(file: Path, length: int) -> tuple[list[int], tuple[int, str, int]]:
    """Play the boards to copy, some finished and one running. Also take one mail and send two letters."""
    with _opened(file) as engine:
        signer = Signer(work.ADDRESS, b"samples")
        table = work.tables(engine, 1, signer)[0]
        ended = [_play(engine, key, length, resign=True)[0] for key in ("tumble", "threes", "trippples")]
        running = _play(engine, "tumble", length, resign=False)
        pipeline = Pipeline(engine, Site(signer, Renderer()), command_language(), bytes)
        (mail,) = table.mails(engine, 1)
        incoming = Incoming(mail.data, mail.sender, (mail.recipient,), "192.0.2.1")
        assert pipeline.handle([pipeline.prepare(incoming)]) == [ACCEPTED]
        return ended, running


def _play(engine: Engine, key: str, length: int, *, resign: bool) -> tuple[int, str, int]:
    """Begin a board and write so many entries, the last of them a resignation.

    Return its number, a next move, and the seat.
    """
    game, now = games.find(key), datetime.now(UTC)
    with engine.begin() as connection:
        store = Store(connection)
        players = [p for name in work.NAMES[: game.info.seats[0]] if (p := store.players.find(f"{name}0"))]
        board = play.begin(Start(game, {}, len(players), "5eed" * 8))
        row = entries.begin(store, board, players, Settings(), now)
        for n in range(length):
            seat = min(row.board.to_move)
            last = resign and n == length - 1
            change = play.resign(row.board, seat) if last else play.play(row.board, seat, _choose(row.board, n))
            row = entries.write(store, row, change, None, now)
        return row.number, "" if resign else _choose(row.board, length), min(row.board.to_move, default=0)


def _choose(board: Board, number: int) -> str:
    legal = board.game.legal_moves(board.position, min(board.to_move))
    return board.game.format(legal[number * 7 % len(legal)])


# --- how it is copied ----------------------------------------------------------------------------------------------


def _fill(raw: sqlite3.Connection, size: Size, now: datetime, ended: list[int], running: int) -> None:
    """Fill all tables except the letters, in the order in which they refer to each other."""
    raw.execute("CREATE TEMP TABLE copy (board INTEGER PRIMARY KEY, sample INTEGER, began INTEGER, p0, p1)")
    raw.execute("CREATE TEMP TABLE at (hour INTEGER PRIMARY KEY, text TEXT)")
    raw.executemany("INSERT INTO copy VALUES (?, ?, ?, ?, ?)", _copies(size, ended, running))
    raw.executemany("INSERT INTO at VALUES (?, ?)", _moments(now))
    beginning = _text(now - timedelta(days=DAYS))
    people = track(range(size.players), "players", transient=True)
    for statement, values in (
        ("player (id, userid, password_hash, created, robot)", ((n + 1, f"p{n}", "!", beginning, 0) for n in people)),
        ("address (player_id, address, folded, created, confirmed, bounces, leaving)", _addresses(size, beginning)),
        ("rating (game, player_id, mu, sigma, boards, won, drawn, lost, level)", _ratings(size)),
    ):
        marks = ", ".join("?" * (statement.count(",") + 1))
        raw.executemany(f"INSERT INTO {statement} VALUES ({marks})", values)
    turn = now.timestamp()
    _copy(raw, "mail", size, _MAILS | {"digest": f"printf('%015x%049x', {_MAIL} * {16**15 // _mails(size)}, 0)"})
    _copy(raw, "board", size, _BOARDS)
    _copy(raw, "seat", size, _SEATS | {"since": f"iif(s.due, {turn - 3600}, NULL)", "due": _DUE.format(turn)})
    _copy(raw, "entry", size, _ENTRIES)


def _copy(raw: sqlite3.Connection, table: str, size: Size, changed: dict[str, str]) -> None:
    """Copy the rows of the samples for every board. `changed` has the columns that are not copied: column -> SQL."""
    source = _SOURCES[table]
    columns = {c.name: f"s.{c.name}" for c in tables.metadata.tables[table].columns} | changed
    names, values = ", ".join(columns), ", ".join(columns.values())
    statement = f"INSERT INTO main.{table} ({names}) SELECT {values} {source} AND c.board BETWEEN ? AND ?"
    statement = statement.replace("{entries}", str(size.entries))
    step = -(-size.boards // _CHUNKS)
    for first in track(range(0, size.boards, step), f"{table}s", transient=True):
        raw.execute(statement, (first, first + step - 1))


#: Entry number `n` of board `c`: its mail, its hour, and that as text.
_MAIL = "(1 + c.board * {entries} + e.number - 1)"
_HOUR = f"min(c.began + {_HOURS_A_MOVE} * (e.number - 1), {DAYS * 24 - 1})"
_LAST = f"(SELECT text FROM at WHERE hour = min(c.began + {_HOURS_A_MOVE} * ({{entries}} - 1), {DAYS * 24 - 1}))"
_MOVES = f"FROM copy c JOIN samples.entry e ON e.board = c.sample JOIN at ON at.hour = {_HOUR}"
_DUE = "iif(s.due, {} + 2592000 + c.board % 1000, NULL)"

_SOURCES = {
    "mail": f"{_MOVES} JOIN (SELECT * FROM samples.mail LIMIT 1) s WHERE true",
    "board": "FROM copy c JOIN samples.board s ON s.number = c.sample WHERE true",
    "seat": "FROM copy c JOIN samples.seat s ON s.board = c.sample WHERE true",
    "entry": f"{_MOVES} JOIN samples.entry s ON s.board = e.board AND s.number = e.number WHERE true",
    "outbox": f"{_MOVES} JOIN samples.outbox s WHERE at.hour >= {(DAYS - LETTERS_DAYS) * 24}",
}

_MAILS = {
    "id": _MAIL,
    "received": "at.text",
    **{
        name: f"iif(at.hour < {(DAYS - MAILS_DAYS) * 24}, '', {value})"
        for name, value in {
            "sender": "'p' || iif(e.seat, c.p1, c.p0) || '@example.org'",
            "peer": "s.peer",
            "message_id": "s.message_id",
            "calls": "s.calls",
        }.items()
    },
}
_BOARDS = {
    "number": f"{_FIRST} + c.board",
    "created": "(SELECT text FROM at WHERE hour = c.began)",
    "changed": _LAST,
    "over": f"iif(s.over IS NULL, NULL, {_LAST})",
    "ending": "iif(s.over IS NULL, NULL, 1 + c.board)",
}
_SEATS = {"board": f"{_FIRST} + c.board", "player_id": "1 + iif(s.seat, c.p1, c.p0)"}
_ENTRIES = {"board": f"{_FIRST} + c.board", "mail_id": _MAIL, "at": "at.text"}
_LETTERS = {
    "id": "NULL",
    "mail_id": _MAIL,
    "board": f"{_FIRST} + c.board",
    "recipient": "'p' || iif(s.recipient LIKE 'ann%', c.p0, c.p1) || '@example.org'",
    **dict.fromkeys(("created", "due", "finished"), "at.text"),
    "status": "'sent'",
}


def _copies(size: Size, ended: list[int], running: int) -> Iterator[tuple[int, ...]]:
    """Yield for each board its index, its sample, the hour in which it began, and its players."""
    common, solitaire, rare = ended
    for n in track(range(size.boards), "boards", transient=True):
        over = rare if n % RARE == 0 else solitaire if n % 5 == 0 else common
        yield n, over if n < size.oldest_running else running, DAYS * 24 * n // size.boards, *_players(n, size)


def _players(board: int, size: Size) -> tuple[int, int]:
    """Return the two players of a board, counted from 0. In time, all players meet each other."""
    rival = 1 + board // size.players % (size.players - 1)
    return board % size.players, (board + rival) % size.players


def _moments(now: datetime) -> Iterator[tuple[int, str]]:
    """Yield every hour since the start."""
    return ((h, _text(now - timedelta(days=DAYS) + timedelta(hours=h))) for h in range(DAYS * 24))


def _addresses(size: Size, at: str) -> Iterable[tuple[int, str, str, str, str, int, int]]:
    return ((n + 1, place, place, at, at, 0, 0) for n in range(size.players) for place in [work.address(f"p{n}")])


def _ratings(size: Size) -> Iterable[tuple[str, int, float, float, int, int, int, int, int]]:
    points = ((n, 20 + n * 7919 % 10_007 / 1000) for n in range(size.players))
    return (("tumble", n + 1, mu, 2.0, 20, 10, 0, 10, rating_level(mu)) for n, mu in points)


def _mails(size: Size) -> int:
    return size.boards * size.entries


def _text(at: datetime) -> str:
    """Return a time as SQLite stores it."""
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")


# --- the files -----------------------------------------------------------------------------------------------------


@contextmanager
def _opened(file: Path) -> Iterator[Engine]:
    """Open a database. Make it if there is none."""
    engine = engines.connect(f"sqlite:///{file}")
    migrate.upgrade(engine)
    yield engine
    engine.dispose()


@contextmanager
def _loading(file: Path, samples: Path) -> Iterator[sqlite3.Connection]:
    """Open a database for fast loading: nothing is synced, and the indexes are made at the end."""
    with closing(sqlite3.connect(file, isolation_level=None)) as raw:
        for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -500000", "foreign_keys = OFF"):
            raw.execute(f"PRAGMA {pragma}")
        raw.execute("ATTACH ? AS samples", (str(samples),))
        indexes = raw.execute("SELECT name, sql FROM main.sqlite_master WHERE type = 'index' AND sql != ''").fetchall()
        raw.execute("BEGIN")
        for name, _ in indexes:
            raw.execute(f"DROP INDEX main.{name}")
        yield raw
        for _, statement in track(indexes, "indexes", transient=True):
            raw.execute(statement)
        raw.execute("COMMIT")


def _bytes(raw: sqlite3.Connection) -> int:
    (pages,), (size,) = (raw.execute(f"PRAGMA main.{name}").fetchone() for name in ("page_count", "page_size"))
    return int(pages * size)
