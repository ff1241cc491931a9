"""Receipts: a chain over the log of each board, which tells nothing hidden."""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import blake2b, sha256
from typing import Any

import pytest
import sqlalchemy as sa

from pbmserv.admin.imports import RecordRefused, restore
from pbmserv.boards.records import record_of
from pbmserv.db import migrate, tables
from pbmserv.games.base.board import begin
from pbmserv.model import LogLine, receipts
from pbmserv.server.clock import Clock
from pbmserv.store import Store
from tests.tools.command_line import admin
from tests.world import Received, World

Record = dict[str, Any]


def lines_of(world: World, number: int = 101) -> list[LogLine]:
    return world.query(lambda s: s.boards.log(number))


def record(world: World, number: int = 101, with_secrets: bool = False) -> Record:
    found: Record = json.loads(json.dumps(record_of(world.row(number), lines_of(world, number), with_secrets)))
    return found


def hashed(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def written(plain: object) -> str:
    return json.dumps(plain, sort_keys=True, separators=(",", ":"))


def chain(world: World, number: int) -> Iterator[str]:
    """Yield the receipts of a board as docs/receipts.md defines them, without code of the program."""
    row = world.row(number)
    yield (before := hashed(row.beginning))
    for line in lines_of(world, number):
        e, key = line.entry, row.board.start.seed.encode()
        salt = blake2b(f"receipt {line.number}".encode(), key=key, digest_size=16).hexdigest()
        parts = [before, number, line.number, e.seat, e.kind.value, hashed(salt + e.text), e.ply, line.at.isoformat()]
        yield (before := hashed(written(parts)))


def receipt_in(letter: Received) -> str:
    """Return the receipt that a letter tells; "" if it tells none."""
    _, told, rest = letter.text.partition("Receipt ")
    return rest.partition(":\n")[2].split()[0] if told else ""


@pytest.fixture
def played(world: World) -> World:
    """Boards of all kinds of beginnings, with all kinds of entries."""
    world.once(_play)
    return world


def _play(world: World) -> None:
    world.board("alice", "bob", options="-c --nagtime=2")
    world.signup("carol")
    for line in ("alice move 101 h4-g5t", "bob move 101 a5-b4t", "bob undo 101", "alice accept 101", "bob propose 101"):
        userid, verb, number, *words = line.split()
        world.mail(userid, f"tumble {verb} {number} {userid} {userid}-secret {' '.join(words)}")
    world.mail("alice", "tumble fork 101#1 alice bob")
    world.board("alice", "bob", game="battleship")
    world.mail("alice", "battleship move 103 alice alice-secret a1-e1")
    world.mail("bob", "battleship move 103 bob bob-secret random")
    world.mail("bob", "tumble resign 101 bob bob-secret")
    world.mail("bob", "tumble rematch 101 bob bob-secret")
    world.mail("alice", "tumble substitute 101 alice alice-secret carol")
    world.mail("carol", "tumble join 1 carol carol-secret")
    world.mail("alice", "town challenge alice")
    world.mail("alice", "town move 106 alice alice-secret store")


BOARDS = range(101, 107)


def demand_chains(world: World) -> None:
    for number in BOARDS:
        first, *others = chain(world, number)
        assert [line.receipt for line in lines_of(world, number)] == others
        assert world.row(number).receipt == (others or [first])[-1]
    world.verify()


@pytest.mark.slow
@pytest.mark.both
def test_the_chain_is_the_one_of_the_page(played: World) -> None:
    demand_chains(played)
    assert played.row(102).board.start.origin is not None
    assert len({played.row(number).receipt for number in BOARDS}) == len(BOARDS)
    assert "receipts that were made later than they began" not in admin(played, "boards", "verify").stdout


@pytest.mark.slow
@pytest.mark.both
def test_the_migration_gives_old_boards_chains_that_say_when_they_were_made(
    played: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It reads in parts: a part ends between two boards, and within one."""
    before = {number: json.loads(played.row(number).beginning) for number in BOARDS}
    ran, execute = list[int](), sa.Connection.execute

    def counted(self: sa.Connection, statement: Any, parameters: Any = None, **options: Any) -> Any:
        small = statement.limit(3) if isinstance(statement, sa.Select) and statement._limit_clause is not None else None
        if small is not None:
            ran.append(1)
        return execute(self, statement if small is None else small, parameters, **options)

    migrate.downgrade(played.engine, "0012")
    with monkeypatch.context() as patch:
        patch.setattr(sa.Connection, "execute", counted)
        migrate.upgrade(played.engine)
    assert len(ran) > 8
    demand_chains(played)
    for number, beginning in before.items():
        made = json.loads(played.row(number).beginning)
        assert datetime.now(UTC) - datetime.fromisoformat(made.pop("sealed")) < timedelta(minutes=5)
        assert made == beginning
    assert (
        f"{len(BOARDS)} boards have receipts that were made later than they began"
        in admin(played, "boards", "verify").stdout
    )


#: What somebody could change in the database, and what is said of board 103 then.
TAMPERED = [
    ("UPDATE entry SET text = 'a1-e2' WHERE board = 103 AND number = 1", "entry 1: it does not fit its receipt"),
    ("UPDATE entry SET seat = 1 - seat WHERE board = 103 AND number = 2", "entry 2: it does not fit its receipt"),
    ("UPDATE entry SET at = '2026-03-01 12:00:00' WHERE board = 103 AND number = 2", "entry 2: it does not fit"),
    ("UPDATE entry SET ply = 9 WHERE board = 103 AND number = 1", "entry 1: it does not fit its receipt"),
    ("UPDATE entry SET kind = 'undo' WHERE board = 103 AND number = 1", "entry 1: it does not fit its receipt"),
    ("UPDATE entry SET receipt = '' WHERE board = 103 AND number = 1", "entry 1: it has no receipt"),
    ("DELETE FROM entry WHERE board = 103 AND number = 1", "entry 2: it does not fit its receipt"),
    ("DELETE FROM entry WHERE board = 103 AND number = 2", "its receipt is not that of the last entry"),
    ("UPDATE board SET receipt = '' WHERE number = 103", "its receipt is not that of the last entry"),
    ("UPDATE board SET seed = '00' WHERE number = 103", "its seed is not what was fixed when it began"),
    ("UPDATE board SET rules = 99 WHERE number = 103", "its rules is not what was fixed when it began"),
    ('UPDATE board SET options = \'{"x": ""}\' WHERE number = 103', "its options is not what was fixed"),
    ("UPDATE board SET settings = '{}' WHERE number = 103", "its settings is not what was fixed"),
    ("UPDATE board SET created = '2020-01-01 12:00:00' WHERE number = 103", "its time is not what was fixed"),
    ("UPDATE board SET origin = '1' WHERE number = 103", "its first position is not what was fixed"),
    ("UPDATE board SET origin = 'x' WHERE number = 103", "what was fixed when it began cannot be read"),
    ("UPDATE board SET beginning = '' WHERE number = 103", "what was fixed when it began cannot be read"),
    ("UPDATE board SET beginning = '[]' WHERE number = 103", "what was fixed when it began cannot be read"),
    (
        "UPDATE board SET beginning = replace(beginning, 'bob', 'eve') WHERE number = 103",
        "entry 1: it does not fit",
    ),
]


@pytest.mark.both
def test_what_is_changed_in_the_database_is_found(played: World) -> None:
    for statement, found in TAMPERED:
        with played.engine.connect() as connection:
            connection.execute(sa.text(statement.replace(":", "\\:")))
            wrong = Store(connection).audit.wrong_receipts(101, 110)
            connection.rollback()
        assert {d.number for d in wrong} == {103}, statement
        told = [f"entry {d.entry}: {d.why}" if d.entry else d.why for d in wrong]
        assert any(text.startswith(found) for text in told), (statement, told)


def test_entries_that_were_swapped_are_found(played: World) -> None:
    e = tables.entry.c
    with played.engine.begin() as connection:
        for old, new in ((1, 99), (2, 1), (99, 2)):
            here = sa.update(tables.entry).where(e.board == 103, e.number == old)
            connection.execute(here.values(number=new))
    found = played.query(lambda s: s.audit.wrong_receipts(103, 103))
    assert [(d.number, d.entry) for d in found] == [(103, 1), (103, 2), (103, 0)]


def test_long_logs_are_read_in_parts(played: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbmserv.store.audit._ENTRIES", 2)
    assert played.row(101).board.length == 6
    played.verify()


def test_the_player_who_moves_gets_the_receipt(world: World) -> None:
    world.board("alice", "bob", options="-c")
    mine, theirs = world.mail("alice", "tumble move 101 alice alice-secret h4-g5t")
    assert receipt_in(mine) == world.row().receipt
    assert receipt_in(theirs) == ""
    letters = world.mail("bob", "tumble move 101 bob bob-secret a5-b4t")
    assert [receipt_in(x) for x in letters if x.to.startswith("bob")] == [world.row().receipt]
    world.mail("alice", "set alice alice-secret own=off")
    assert len(world.mail("alice", "tumble propose 101 alice alice-secret")) == 1
    letters = world.mail("bob", "tumble resign 101 bob bob-secret")
    assert [receipt_in(x) for x in letters] == [world.row().receipt] * 2
    assert all("send: help receipts" in x.flat for x in letters)


def test_a_player_whose_queued_move_is_played_gets_it_too(world: World) -> None:
    world.board("alice", "bob", options="-c")
    world.mail("bob", "tumble queue 101 bob bob-secret h4-g5t:a5-b4t")
    letters = world.mail("alice", "tumble move 101 alice alice-secret h4-g5t")
    assert world.row().board.length == 2
    assert [receipt_in(x) for x in letters] == [world.row().receipt] * 2


def test_who_does_nothing_gets_none(world: World) -> None:
    (oldest,) = [x for x in begun(world) if x.to.startswith("bob")]
    world.mail("alice", "tumble move 101 alice alice-secret h4-g5t")
    (letter,) = world.reply(oldest, "propose")
    assert "nothing was done" in letter.text
    assert receipt_in(letter) == ""


def begun(world: World) -> list[Received]:
    world.signup("alice", "bob")
    return world.mail("alice", "tumble challenge alice bob -c")


def test_a_letter_tells_the_receipt_of_what_it_shows(world: World) -> None:
    """It is the one of its length, also if the letter is made when more has happened."""
    world.board("alice", "bob", options="-c")
    (sent,) = [x for x in world.mail("alice", "tumble move 101 alice alice-secret h4-g5t") if "alice" in x.to]
    first = world.row().receipt
    world.mail("bob", "tumble move 101 bob bob-secret a5-b4t")
    world._read = 0
    again = [x for x in world.letters() if x.subject == sent.subject and receipt_in(x) == first]
    assert [x.text for x in again] == [sent.text]


def test_a_digest_tells_the_receipts_of_boards_on_which_its_reader_played(world: World) -> None:
    world.board("alice", "bob", options="-c")
    world.mail("alice", "set alice alice-secret digest=daily")
    world.mail("alice", "tumble move 101 alice alice-secret h4-g5t")
    world.mail("bob", "tumble move 101 bob bob-secret a5-b4t")
    world.board("bob", "alice")
    world.mail("bob", "tumble move 102 bob bob-secret h4-g5")
    world.now += timedelta(days=1)
    Clock(world.engine, world.site, lambda: world.now, gap=1e9).sweep()
    (digest,) = [x for x in world.letters() if x.subject == "Digest"]
    assert f"Receipt 2 of board 101: {world.row().receipt}" in digest.flat
    assert "of board 102:" not in digest.flat


class TestHidden:
    """What is hidden cannot be guessed from receipts, although there are few ways to place a ship."""

    def test_a_running_board_seals_them(self, world: World) -> None:
        world.board("alice", "bob", game="battleship")
        world.mail("alice", "battleship move 101 alice alice-secret a1-e1")
        world.mail("bob", "battleship move 101 bob bob-secret random")
        found, seed = record(world), world.row().board.start.seed
        first, second = found["log"]
        assert ("salt" in first, "seal" in first) == (False, True)
        assert seed not in json.dumps(found)
        known = {"", found["commitment"], found["salt"] or "", first["receipt"], second.get("salt", "")}
        ways = [f"{f}{r}-{chr(ord(f) + 4)}{r}" for f in "abcdef" for r in range(1, 11)]
        tried = {receipts.seal(salt, text) for salt in known for text in ways}
        assert first["seal"] not in tried
        assert first["seal"] == receipts.seal(receipts.salt(seed, 1), "a1-e1")
        world.mail("alice", "battleship resign 101 alice alice-secret")
        over = record(world)
        assert over["seed"] == seed
        assert over["log"][0]["receipt"] == first["receipt"]

    def test_two_boards_with_the_same_entries_have_other_seals(self, world: World) -> None:
        for number in (101, 102):
            world.board("alice", "bob", game="battleship")
            world.mail("alice", f"battleship move {number} alice alice-secret a1-e1")
        assert record(world, 101)["log"][0]["seal"] != record(world, 102)["log"][0]["seal"]

    def test_the_first_position_of_a_fork_is_sealed(self, world: World) -> None:
        world.board("alice", "bob", game="trippples", options="-h")
        world.mail("alice", "trippples resign 101 alice alice-secret")
        world.mail("alice", "trippples fork 101#0 alice bob")
        found = record(world, 102)
        assert (found["origin"], found["salt"]) == (None, None)
        assert len(found["beginning"]["origin"]) == 64
        world.verify()


class TestImport:
    """The new board has receipts of its own, and those of the record must fit."""

    def read_back(self, world: World, found: Record) -> int:
        text = json.dumps(found).encode()
        return world.act(lambda s: restore(s, text, world.now)).number

    def test_a_record_is_read_back(self, played: World) -> None:
        for number in BOARDS:
            new = self.read_back(played, record(played, number, with_secrets=True))
            assert record(played, new)["beginning"]["game"] == record(played, number)["beginning"]["game"]
        played.verify()

    def test_a_record_without_receipts_is_read_back(self, played: World) -> None:
        found = record(played)
        for part in (found, *found["log"]):
            for name in ("beginning", "salt", "seal", "receipt"):
                part.pop(name, None)
        self.read_back(played, found)
        played.verify()

    @pytest.mark.parametrize("when", ["at the import", "before, by --repair", "never"])
    def test_what_was_played_elsewhere_has_receipts_from_the_import_on(self, played: World, when: str) -> None:
        """No letter tells a receipt of the new board from before, so its beginning says when they were made."""
        if when != "at the import":
            spoil(played, BEGUN_BY_AN_OLDER_PROGRAM)
        if when == "before, by --repair":
            played.act(lambda s: s.audit.seal(played.now))
        found = record(played, 103, with_secrets=True)
        played.now += timedelta(hours=1)
        new = self.read_back(played, found)
        assert record(played, new)["beginning"]["sealed"] == played.now.isoformat()
        assert [line.receipt for line in lines_of(played, new)] == list(chain(played, new))[1:]
        if when == "never":
            played.act(lambda s: s.audit.seal(played.now))
        played.verify()

    def test_another_first_position_is_refused(self, played: World) -> None:
        found, start = record(played, 102, with_secrets=True), played.row(101).board.start
        assert found["origin"]
        for origin in (None, json.loads(start.game.dump(begin(start).position))):
            with pytest.raises(RecordRefused, match="The first position of the record is not the one in its beginning"):
                self.read_back(played, found | {"origin": origin})

    def test_no_part_of_a_text_is_taken_for_salt(self, world: World) -> None:
        world.board("alice", "bob", options="-c")
        world.mail("alice", "tumble move 101 alice alice-secret h4-g5t")
        found = record(world)
        (entry,) = found["log"]
        entry["salt"], entry["text"] = entry["salt"] + entry["text"][:2], entry["text"][2:]
        with pytest.raises(RecordRefused, match=r"log\.0\.salt"):
            self.read_back(world, found)

    @pytest.mark.parametrize(
        ("spoil", "why"),
        [
            (lambda r: r["log"][2].update(at="2026-03-01T12:00:00+00:00"), "Entry 3 does not fit its receipt"),
            (lambda r: r["log"][-1].update(receipt="x"), "Entry 6 does not fit its receipt"),
            (lambda r: r["beginning"]["players"].reverse(), "Entry 1 does not fit its receipt"),
            (lambda r: r["beginning"].pop("options"), "The options of the record is not the one in its beginning"),
            (lambda r: r["settings"].update(rated=False), "The settings of the record is not the one in its beginning"),
            (lambda r: r.update(created="2020-01-01T12:00:00Z"), "The time of the record is not the one in its begin"),
        ],
    )
    def test_a_record_with_wrong_receipts_is_refused(self, played: World, spoil: Any, why: str) -> None:
        found = record(played)
        spoil(found)
        before = played.dump()
        with pytest.raises(RecordRefused, match=why):
            self.read_back(played, found)
        assert played.dump() == before


BEGUN_BY_AN_OLDER_PROGRAM = (
    "UPDATE entry SET receipt = '' WHERE board = 103",
    "UPDATE board SET beginning = '', receipt = '' WHERE number = 103",
)


def spoil(world: World, statements: Sequence[str]) -> None:
    with world.engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


@pytest.mark.both
@pytest.mark.parametrize(
    ("statements", "why"),
    [
        (BEGUN_BY_AN_OLDER_PROGRAM, "what was fixed when it began cannot be read, it is empty"),
        (["UPDATE entry SET receipt = '' WHERE board = 103 AND number = 1"], "entry 1: it has no receipt"),
    ],
)
@pytest.mark.slow
def test_the_receipts_that_an_older_program_did_not_write_are_made_by_repair(
    played: World, statements: Sequence[str], why: str
) -> None:
    spoil(played, statements)
    done = admin(played, "boards", "record", "103")
    assert (done.exit_code, json.loads(done.stdout)["beginning"] is None) == (0, len(statements) == 2)
    found = admin(played, "boards", "verify")
    assert found.exit_code == 1
    assert f"{why}: pbmserv boards verify --repair" in found.stdout
    assert "none lacked them" in admin(played, "boards", "verify", "102", "--repair", "--why", "another").stderr
    done = admin(played, "boards", "verify", "--repair", "--why", "an old server ran on")
    assert done.exit_code == 0, done.output
    assert "boards that have receipts now: 103" in done.stderr
    assert "1 boards have receipts that were made later than they began" in done.stdout
    assert "sealed" in json.loads(admin(played, "boards", "record", "103").stdout)["beginning"]
    assert admin(played, "events", "list").stdout.count("board 103: receipts made") == 1
    assert "none lacked them" in admin(played, "boards", "verify", "--repair", "--why", "again").stderr
    demand_chains(played)


def test_the_beginning_names_the_seat_that_a_substitute_takes_over_and_when_it_was_sealed() -> None:
    at = datetime(2026, 3, 1, 12, tzinfo=UTC)
    left = (101, 1, 5, "bob", "resign")

    def beginning(**more: Any) -> Record:
        known = {"options": {"c": ""}, "players": ["carol"], "settings": {"rated": True, "nag": None}, "created": at}
        given = {"game": "tumble", "rules": 1, **known, "seed": "s", "origin": None, "continues": None, **more}
        found: Record = json.loads(receipts.beginning(**given))
        return found

    usual = {
        "game": "tumble",
        "rules": 1,
        "options": {"c": ""},
        "players": ["carol"],
        "settings": {"rated": True},
        "created": "2026-03-01T12:00:00+00:00",
        "commitment": hashed("s"),
        "origin": None,
        "continues": None,
    }
    seat = {"board": 101, "seat": 1, "ply": 5, "userid": "bob", "how": "resign"}
    assert beginning() == usual
    assert beginning(continues=left, sealed=at) == usual | {"continues": seat, "sealed": "2026-03-01T12:00:00+00:00"}
    with pytest.raises(ValueError, match="shorter"):
        beginning(continues=left[:4])
