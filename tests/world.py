"""A whole pbmserv on a real database, without sockets: mails go into the pipeline as bytes, letters come out."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage, Message
from email.parser import BytesHeaderParser
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar, cast
from zlib import crc32

import sqlalchemy as sa
from hypothesis import settings

from pbmserv import games
from pbmserv.admin.audit import Audit
from pbmserv.commands import command_language
from pbmserv.conformance.picture_checks import renderer
from pbmserv.db import engines, migrate, tables
from pbmserv.games.base.log import standing
from pbmserv.inbox.authentication.password_checks import Attempts, Rates
from pbmserv.inbox.pipeline import Pipeline, Prepared
from pbmserv.letters.policy import Policy
from pbmserv.letters.site import Site
from pbmserv.letters.text.templates import Renderer
from pbmserv.letters.waiting.finisher import Finisher
from pbmserv.mail.envelope import ACCEPTED, Incoming
from pbmserv.mail.seal import Seal
from pbmserv.mail.signed_addresses import Signer
from pbmserv.model import BoardRow, Player
from pbmserv.model.passwords import Passwords
from pbmserv.store import Store
from pbmserv.webhooks.events import WebhookEvents
from tests.examples import LONG, SOAK
from tests.tools.seeds import seeds_from

KEY = b"the key of the tests"
ADDRESS = "pbmserv@games.example"
RENDERER = renderer()
_PASSWORDS = Passwords()
_EMPTY: dict[str, bytes] = {}
_STATEMENTS: dict[Any, Any] = {}  # compiled once for all worlds
_DIALECTS: dict[str, sa.Dialect] = {}  # of all worlds, by kind of database: compiled statements belong to a dialect
_MADE: set[tuple[object, ...]] = set()  # letters that were made without being read, each without its numbers
_SPARED = 8  #: one of so many letters that nobody reads is made if its words are new, each other one if its kind is
_LETTERS, _BOARDS = tables.outbox, tables.board
_WRITTEN = (  # the letters behind one, each with its game; made once, because each mail asks for it
    sa.select(_LETTERS, _BOARDS.c.game, _BOARDS.c.options)
    .select_from(_LETTERS.outerjoin(_BOARDS, _LETTERS.c.board == _BOARDS.c.number))
    .where(_LETTERS.c.id > sa.bindparam("read"))
    .order_by(_LETTERS.c.id)
)
_NUMBER = re.compile(rb"[0-9a-f]{16,}|[1-9][0-9]*")
_GAMES = {game.info.key for game in games.all_games()}  # without those that a test installs
_USUAL = 5  # header fields of a mail without special ones
#: From, To, Subject and a body that EmailMessage would neither fold nor encode.
_SIMPLE = re.compile(
    r"(?:[a-z0-9.+_-]{1,40}@[a-z0-9.-]{1,30}\n){2}"
    r"(?!.*=\?)(?=.{1,60}\n)[!-~]+(?: [!-~]+)*\n"
    r"(?:[ -~]{0,78}\n)*[ -~]{0,78}"
)
_REFERENCE = re.compile(r"&#([0-9]{4,}|[2-9][0-9]{2}|1[3-9][0-9]|12[89]);")
_TEXT = ('Content-Type: text/plain; charset="utf-8"', "Content-Transfer-Encoding: 7bit", "MIME-Version: 1.0", "")
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Received:
    """A letter as its reader gets it. If it is not read, `make test` does not make it, which is half of a mail's work.

    The same row of the outbox gives the same bytes each time (letters/waiting/finisher.py). The long tests make one of
    each kind, and one in eight of those whose words are new; `make soak` makes all.
    """

    to: str
    _make: Callable[[], bytes] = field(repr=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Received) and (self.to, self.data) == (other.to, other.data)

    def __hash__(self) -> int:
        return hash((self.to, self.data))

    @cached_property
    def data(self) -> bytes:
        """Return its bytes."""
        return self._make()

    @cached_property
    def message(self) -> EmailMessage:
        """Return the whole message. It is parsed at the first use."""
        return message_from_bytes(self.data, policy=policy.default)

    @cached_property
    def _head(self) -> Message:
        """Return its headers, for which the body need not be parsed: that takes ten times as long."""
        return BytesHeaderParser(policy=policy.default).parsebytes(self.data.partition(b"\r\n\r\n")[0])

    @property
    def subject(self) -> str:
        """The Subject."""
        return str(self._head["Subject"])

    @cached_property
    def text(self) -> str:
        """The plain text."""
        return self._part("plain")

    @property
    def html(self) -> str:
        """The HTML, with characters in place of the numbers of those that are not ASCII."""
        return _REFERENCE.sub(lambda found: chr(int(found[1])), self._part("html"))

    def _part(self, kind: str) -> str:
        """Return a part, read with the old policy of the package `email`, which is several times as fast."""
        part = next(p for p in message_from_bytes(self.data).walk() if p.get_content_type() == f"text/{kind}")
        words = part.get_payload(decode=True)
        assert isinstance(words, bytes)
        return words.decode(part.get_content_charset("ascii")).replace("\r\n", "\n")

    @property
    def reply_to(self) -> str:
        """Return the address to which an answer goes."""
        return str(self._head["Reply-To"] or self._head["From"])

    @property
    def flat(self) -> str:
        """Return the text on one line, without its line breaks."""
        return " ".join(self.text.split())

    @property
    def first_line(self) -> str:
        """Return the line that a mailer shows as the preview."""
        return self.text.split("\n", 1)[0]


@dataclass(frozen=True)
class Kept:
    """The state of a server after something was played on it. `result` is what the play function returned."""

    database: bytes
    now: datetime
    count: int
    read: int
    result: object


_KEPT: dict[tuple[object, ...], Kept] = {}  #: the kept states, by what was played


class World:
    """One server on an SQLite database in a folder, or on any migrated database. `now` is its clock."""

    def __init__(
        self, where: Path | str, *, trust_from: bool = True, confirm_addresses: bool = False, rates: Rates | None = None
    ) -> None:
        self.url = where if isinstance(where, str) else sqlite(where)
        engine = engines.connect(self.url)
        engine.dialect = _DIALECTS.setdefault(engine.dialect.name, engine.dialect)
        self.engine = engine.execution_options(compiled_cache=_STATEMENTS)
        # PostgreSQL has this setting in tests, too. tests/promises/durable tests with safe settings.
        if engines.has_one_writer(self.engine):
            sa.event.listen(self.engine, "connect", lambda c, _: c.execute("PRAGMA synchronous = OFF"))
        self.now = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
        signer = Signer(ADDRESS, KEY)
        self.site = Site(
            signer,
            RENDERER,
            _PASSWORDS,
            Policy(
                trust_from=trust_from,
                confirm_addresses=confirm_addresses,
                answers_a_day=1_000_000,  # in a test, all mails of a player may come on the same day
                answer_mb_a_day=100_000,
                unproved_answers_a_day=1_000_000,
                unproved_answer_kb_a_day=100_000_000,
            ),
            WebhookEvents(),
        )
        self.seal = Seal(KEY)
        self._limits = Attempts(rates, lambda: self.now.timestamp())
        self.plain = False  #: whether the test replaces no part of the program
        self.away = float("inf")  #: tests let days go by in one step, without running the clock in between
        self.use(RENDERER)
        self.peer = "192.0.2.1"  #: where mails come from; "": from our own MTA
        self.count = 0
        self._read = 0
        self._lazy = SOAK == 1  # whether letters are made when they are read
        self._beside: list[World] = []
        self._past: tuple[object, ...] = ()  #: what was played on it by `once`, and with which settings

    def again(self) -> "World":
        """Return the same server a second time, as a process beside this one."""
        policy = self.site.policy
        there = World(self.url, trust_from=policy.trust_from, confirm_addresses=policy.confirm_addresses)
        there.now, there.count, there._read = self.now, self.count, self._read
        self._beside.append(there)
        return there

    def close(self) -> None:
        """Close the connections, and those of the servers beside it. Python 3.13 warns of any that is left open."""
        for world in (self, *self._beside):
            world.engine.dispose()

    def use(self, renderer: Renderer) -> None:
        """Use these templates from now on."""
        self.site = replace(self.site, renderer=renderer)
        self.pipeline = Pipeline(
            self.engine, self.site, command_language(), self.seal.close, lambda: self.now, self._limits, self.away
        )

    def allow(self, **settings: Any) -> None:
        """Use these settings of `Policy` from now on, such as higher limits if a test is not about them."""
        policy = replace(self.site.policy, **settings)
        self.site = replace(self.site, policy=policy)
        self.use(self.site.renderer)

    def once(self, play: Callable[..., T], *words: str) -> T:
        """Bring a new server into the state after `play(self, *words)`, and return the result of `play`.

        On SQLite it is played once in each process. Later tests with the same beginning get a copy of the database.
        """
        past = (*self._past, self.now, self.peer, self.site.policy, play, *words)
        if not engines.has_one_writer(self.engine):
            return play(self, *words)
        if (kept := _KEPT.get(past)) is None:
            lazy, self._lazy = self._lazy, False  # another server cannot make them
            with seeds_from(play.__qualname__):
                result = play(self, *words)
            self._lazy = lazy
            self.engine.dispose()  # the last connection to close moves all data into the one file
            kept = _KEPT[past] = Kept(self.file.read_bytes(), self.now, self.count, self._read, result)
        else:
            self.engine.dispose()
            self.file.write_bytes(kept.database)
            self.now, self.count, self._read = kept.now, kept.count, kept.read
        self._past = past
        return cast("T", kept.result)

    def _is_untouched(self) -> bool:
        """Return whether nobody has written to its SQLite database since it was made."""
        if not engines.has_one_writer(self.engine):
            return False
        return not self.file.with_name("pbmserv.db-wal").exists() and self.file.read_bytes() == _EMPTY["empty"]

    @property
    def file(self) -> Path:
        """Return the file of its SQLite database."""
        return Path(self.url.removeprefix("sqlite:///"))

    # --- mails in ----------------------------------------------------------------------------------------------------

    def mail(self, sender: str, subject: str, body: str = "", *, to: str = ADDRESS, **headers: str) -> list[Received]:
        """Send one mail and return the letters in the order of writing. A userid stands for the player's address."""
        self.count += 1
        fields = {
            "From": sender if "@" in sender else f"{sender}@example.org",
            "To": to,
            "Subject": subject,
            "Date": "Sun, 01 Mar 2026 12:00:00 +0000",
            "Message-ID": f"<{self.count}@client.example>",
        }
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.bytes(written(fields | more, body), to)

    def bytes(self, data: bytes, to: str = ADDRESS, mail_from: str = "x@example.org") -> list[Received]:
        """Send a mail given as bytes."""
        reply = self.pipeline.handle([self.prepare(Incoming(data, mail_from, (to,), self.peer))])
        assert reply == [ACCEPTED]
        self.now += timedelta(seconds=1)
        return self.letters()

    def prepare(self, incoming: Incoming) -> Prepared:
        """Do what happens to a mail before its transaction."""
        return self.pipeline.answer(self.pipeline.prepare(incoming))

    def reply(self, letter: Received, body: str, sender: str = "", subject: str = "") -> list[Received]:
        """Answer a letter as a mail program does, with the letter quoted below."""
        quoted = "\n".join(f"> {line}" for line in letter.text.splitlines())
        text = f"{body}\n\nOn 1 Mar 2026, PBM Server wrote:\n{quoted}\n"
        return self.mail(sender or letter.to, subject or f"Re: {letter.subject}", text, to=letter.reply_to)

    def signup(self, *userids: str) -> None:
        """Open accounts with a confirmed address. The password of alice is `alice-secret`."""
        with self.engine.begin() as connection:
            store = Store(connection)
            for userid in userids:
                player = store.players.add(userid, _hash(f"{userid}-secret"), self.now)
                store.addresses.add(player.id, f"{userid}@example.org", self.now, confirmed=True)

    def board(self, *userids: str, game: str = "tumble", options: str = "") -> int:
        """Open accounts, begin a board, and return its number.

        If nothing has happened on the server before and the test replaces nothing, `once` gives it that board.
        """
        if self.plain and game in _GAMES and self.site.renderer is RENDERER and self._is_untouched():
            return self.once(_first_board, game, options, *userids)
        return self.begin(userids, game, options)

    def begin(self, userids: Sequence[str], game: str, options: str) -> int:
        """Do the same in any state of the server."""
        known = self.query(lambda s: s.players.userids())
        self.signup(*(u for u in dict.fromkeys(userids) if u not in known))
        self.mail(userids[0], f"{game} challenge {' '.join(userids)} {options}")
        return max(self.query(lambda s: s.board_lists.numbers()), default=0)

    def play(self, number: int = 101, each: int = 2) -> None:
        """Let all players of a board move until each has done so a few times: then the board counts for ratings."""
        while True:
            row, log = self.row(number), self.query(lambda s: s.boards.entries(number))
            moved = Counter(e.seat for e in standing(log))
            if row.board.result or all(moved[seat] >= each for seat in range(len(row.players))):
                return
            seat = min(row.board.to_move)
            who, move = row.players[seat].userid, row.game.example(row.board.position, seat)
            self.mail(who, f"{row.key} move {number} {who} {who}-secret {move}")

    # --- what came of it ---------------------------------------------------------------------------------------------

    def letters(self) -> list[Received]:
        """Return the letters that were written since the last call."""
        with self.engine.connect() as connection:
            rows = list(connection.execute(_WRITTEN, {"read": self._read}))
        self._read = max([self._read, *(r.id for r in rows)])
        finisher = Finisher(self.site)
        finished = cache(lambda: self.query(lambda store: finisher.finish(store, rows)))
        letters = [Received(r.recipient, partial(_made, finished, r.id)) for r in rows]
        return [letter for letter, row in zip(letters, rows, strict=True) if not self._is_made_now(row) or letter.data]

    def _is_made_now(self, row: Any) -> bool:
        """Return whether a letter is made though nobody may read it."""
        if self._lazy and settings.get_current_profile_name() != LONG:
            return False
        if not self._lazy:
            return True
        kind, words = (row.kind, row.form, row.game, str(row.options)), _NUMBER.sub(b"1", row.data)
        like = kind if crc32(words) % _SPARED else (*kind, words)
        is_new = like not in _MADE
        _MADE.add(like)
        return is_new

    def query(self, ask: Callable[[Store], T]) -> T:
        """Return the result of a query of the store."""
        with self.engine.connect() as connection:
            return ask(Store(connection))

    def act(self, do: Callable[[Store], T]) -> T:
        """Change something in the store and commit it, as the clock does."""
        with self.engine.begin() as connection:
            return do(Store(connection))

    def player(self, userid: str) -> Player:
        """Return a player, who may have left."""
        player = self.query(lambda s: s.players.find(userid))
        assert player is not None
        return player

    def row(self, number: int = 101) -> BoardRow:
        """Return the row of a board, which must exist."""
        row = self.query(lambda s: s.boards.find(number))
        assert row is not None
        return row

    def verify(self) -> None:
        """Check that all stored data are consistent."""
        assert self.differences() == []

    def differences(self) -> list[str]:
        """Return descriptions of all stored data that are not consistent."""
        audit = Audit(self.engine, self.now, self.site.policy.letters_days)
        parts = (audit.boards, audit.entries, audit.mails, audit.letters, audit.ratings, audit.tournaments)
        return [sentence for part in parts for step in part() for sentence in step.differences]

    def dump(self) -> str:
        """Return the database as text, without mails, letters, counters and what waits for a yes to a letter.

        So it says whether anything changed.
        """
        beside = ("mail", "outbox", "counter", "offered")
        with self.engine.connect() as connection:
            names = (t.name for t in tables.metadata.sorted_tables if t.name not in beside)
            rows = (row for name in names for row in connection.exec_driver_sql(f"SELECT * FROM {name}"))
            return "\n".join(map(str, rows))


def _first_board(world: World, game: str, options: str, *userids: str) -> int:
    return world.begin(userids, game, options)


def written(fields: Mapping[str, str], body: str) -> bytes:
    """Return a mail as EmailMessage writes it, without its help if it is as simple as most: it takes a millisecond."""
    sender, to, subject, *_ = fields.values()
    if len(fields) == _USUAL and _SIMPLE.fullmatch(f"{sender}\n{to}\n{subject}\n{body}"):
        lines = [*(f"{name}: {value}" for name, value in fields.items()), *_TEXT, *(body.splitlines() or [""])]
        return "".join(f"{line}\r\n" for line in lines).encode()
    message = EmailMessage()
    for name, value in fields.items():
        message[name] = value
    message.set_content(body)
    return message.as_bytes(policy=policy.SMTP)


def _made(finished: Callable[[], Mapping[int, bytes | Exception]], row: int) -> bytes:
    """Return the message of a row of the outbox. Raises the exception if it could not be made."""
    made = finished()[row]
    if isinstance(made, Exception):
        raise made
    return made


@lru_cache
def _hash(password: str) -> str:
    """Return a real hash, made once in each test process, because hashing would take most of the time."""
    return _PASSWORDS.hash(password)


def sqlite(folder: Path) -> str:
    """Return the URL of the database in a folder.

    Make it if there is none. The migrations run once in a test process.
    """
    file = folder / "pbmserv.db"
    if file.exists():
        return f"sqlite:///{file}"
    if "empty" not in _EMPTY:
        engine = engines.connect(f"sqlite:///{file}")
        migrate.upgrade(engine)
        with engine.connect() as connection:
            connection.exec_driver_sql("COMMIT")
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.exec_driver_sql("BEGIN")
        engine.dispose()
        _EMPTY["empty"] = file.read_bytes()
    file.touch(0o600)  # the engine makes its files with these rights
    file.write_bytes(_EMPTY["empty"])
    return f"sqlite:///{file}"
