"""Board letters wait as views of the log. Whenever they are made, they say what they would have said at once."""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from pbmserv.boards.absences.absent_games import leave_out
from pbmserv.db import tables
from pbmserv.letters.text.templates import Renderer
from pbmserv.letters.waiting.finisher import Finisher, marks_of
from pbmserv.mail.envelope import Incoming
from pbmserv.model.letters import Form
from pbmserv.server.outbox import StoredOutbox
from pbmserv.store import Store
from tests.tools.command_line import admin
from tests.world import ADDRESS, World

GAMES = [
    ("tumble", "-c", 2),
    ("town", "", 1),
    ("threes", "", 1),
    ("3io", "", 2),
    ("trippples", "", 2),
]


def rows(world: World) -> list[Any]:
    with world.engine.connect() as connection:
        return list(connection.execute(sa.select(tables.outbox).order_by(tables.outbox.c.id)))


def made(world: World, found: Sequence[Any], finisher: Finisher | None = None) -> dict[int, bytes | Exception]:
    with world.engine.connect() as connection:
        return (finisher or Finisher(world.site)).finish(Store(connection), found)


def move(world: World, number: int, chance: random.Random) -> None:
    """Play a random legal move."""
    row = world.row(number)
    seat = min(row.board.to_move)
    legal = sorted(row.game.format(m) for m in row.game.legal_moves(row.board.position, seat))
    userid = row.players[seat].userid
    world.mail(userid, f"{row.key} move {number} {userid} {userid}-secret {chance.choice(legal)}")


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options", "seats"), GAMES, ids=[game for game, _, _ in GAMES])
def test_a_letter_that_waited_is_the_letter_of_its_moment(world: World, game: str, options: str, seats: int) -> None:
    """Boards that have moved on are shown as of then: after moves, proposals, undone moves, and the end."""
    chance, at_once = random.Random(5), dict[int, bytes | Exception]()
    userids = ("alice", "bob")[:seats]
    number = world.board(*userids, game=game, options=options)
    world.mail("bob", f"set bob bob-secret mail=spoken {game}=spoken")
    agreements = ["propose", "reject", "move", "undo", "accept", "move"] if seats > 1 else []
    words = ["move"] * 6 + agreements + ["resign"]
    for word in words:
        if word == "move":
            move(world, number, chance)
        else:
            userid = userids[1] if word in ("reject", "accept") else userids[0]
            world.mail(userid, f"{game} {word} {number} {userid} {userid}-secret", "A comment.")
        at_once |= made(world, [row for row in rows(world) if row.id not in at_once])
    assert not [bug for bug in at_once.values() if isinstance(bug, Exception)]
    assert sum(row.form == Form.VIEW for row in rows(world)) > len(words)
    assert made(world, rows(world)) == at_once  # all in one batch, by a sender that was not there before
    again = Finisher(world.site)
    assert {id_: text for row in reversed(rows(world)) for id_, text in made(world, [row], again).items()} == at_once


def test_times_to_come_are_those_of_the_move(world: World) -> None:
    """Until when to move, and who is on vacation: fixed with the move, whatever has happened when it is sent."""
    number = world.board("alice", "bob")
    world.mail("bob", "vacation bob bob-secret until 2026-03-10")
    move(world, number, random.Random(1))
    found = [row for row in rows(world) if row.board == number]
    before = made(world, found)
    text = message_from_bytes(_bytes(before[found[-1].id]), policy=policy.default).get_body(("plain",))
    assert text
    assert "Move by Wednesday, 1 April, 00:00 UTC." in text.get_content()
    world.mail("bob", "vacation bob bob-secret off")
    world.mail("alice", "vacation alice alice-secret 3")
    now, week = world.now.timestamp(), 7 * 86_400
    world.act(lambda s: leave_out(s, now, week))
    world.now += timedelta(days=400)
    assert made(world, found) == before
    world.mail("bob", "set bob bob-secret timezone=Asia/Tokyo")
    after = made(world, found)
    assert sum(after[row.id] != before[row.id] for row in found) == 2  # both of his are made for his zone now


@pytest.mark.slow
def test_an_admin_went_back_in_between(world: World) -> None:
    number, chance = world.board("alice", "bob"), random.Random(1)
    for _ in range(4):
        move(world, number, chance)
    before = made(world, rows(world))
    assert admin(world, "boards", "undo", str(number), "--ply", "2", "--why", "a test", "--yes").exit_code == 0
    move(world, number, chance)
    after = made(world, rows(world))
    assert after.items() > before.items()
    assert not [bug for bug in after.values() if isinstance(bug, Exception)]


def test_a_row_is_small_and_has_no_words_of_the_page(world: World) -> None:
    number = world.board("alice", "bob")
    world.letters()
    move(world, number, random.Random(1))
    (row,) = [r for r in rows(world) if r.recipient == "bob@example.org"][-1:]
    assert len(row.data) < 300
    assert b"turn" not in row.data


def test_readers_get_the_language_and_format_that_they_want_when_it_is_sent(world: World) -> None:
    number = world.board("alice", "bob")
    move(world, number, random.Random(1))
    (row,) = [r for r in rows(world) if r.recipient == "bob@example.org"][-1:]
    first = message_from_bytes(_bytes(made(world, [row])[row.id]), policy=policy.default)
    world.mail("bob", "set bob bob-secret language=de mail=text")
    then = message_from_bytes(_bytes(made(world, [row])[row.id]), policy=policy.default)
    assert then.get_content_type() == "text/plain"
    assert "am Zug" in then.get_content()
    for header in ("Message-ID", "Date", "References", "In-Reply-To", "Reply-To"):
        assert then[header] == first[header]


@pytest.mark.slow
def test_a_broken_template_holds_back_its_letters_and_nothing_else(world: World, tmp_path: Path) -> None:
    number = world.board("alice", "bob")
    world.mail("bob", "set bob bob-secret language=de")
    outbox = StoredOutbox(world.engine, world.site, lambda: world.now)
    outbox.sent_many([(letter.id, "taken") for letter in outbox.claim(100, 60)])
    whole = world.site.renderer
    (tmp_path / "de/mail").mkdir(parents=True)
    (tmp_path / "de/mail/board.txt").write_text("{{ nothing.here }}")
    world.use(Renderer(str(tmp_path)))
    for userid in ("alice", "bob"):
        row = world.row(number)
        legal = row.game.legal_moves(row.board.position, min(row.board.to_move))
        text = f"tumble move {number} {userid} {userid}-secret {min(map(row.game.format, legal))}"
        data = f"From: {userid}@example.org\nSubject: {text}\n\n".encode()
        world.pipeline.handle([world.pipeline.prepare(Incoming(data, "x@example.org", (ADDRESS,), world.peer))])
    assert world.row(number).board.length == 2  # the moves stand
    outbox = StoredOutbox(world.engine, world.site, lambda: world.now)
    taken = outbox.claim(100, 60)
    outbox.sent_many([(letter.id, "taken") for letter in taken])
    assert [letter.recipient for letter in taken] == ["alice@example.org"] * 2
    waiting = world.query(lambda s: s.letters.unmade())
    assert [(r.recipient, r.status, r.attempts) for r in rows(world) if r.id in waiting] == [
        ("bob@example.org", "queued", 0)
    ] * 2
    assert outbox.claim(100, 60) == []
    assert admin(world, "status", "--json").exit_code == 1
    world.use(whole)
    world.now += timedelta(minutes=5)
    mended = StoredOutbox(world.engine, world.site, lambda: world.now)
    assert [(x.id, x.recipient) for x in mended.claim(100, 60)] == [(n, "bob@example.org") for n in waiting]


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that can be opened but not read")
@pytest.mark.slow
def test_a_template_that_cannot_be_read_holds_back_its_letters_and_nothing_else(world: World, tmp_path: Path) -> None:
    """The error of the machine looks like one of the database, but the other letters must not wait for it."""
    world.board("alice", "bob")
    world.mail("bob", "set bob bob-secret language=de")
    (tmp_path / "de/mail").mkdir(parents=True)
    (tmp_path / "de/mail/board.txt").symlink_to("/proc/self/mem")
    world.site = replace(world.site, renderer=Renderer(str(tmp_path)))
    outbox = StoredOutbox(world.engine, world.site, lambda: world.now)
    assert "alice@example.org" in [letter.recipient for letter in outbox.claim(100, 60)]
    (waiting,) = world.query(lambda s: s.letters.unmade())
    assert [row.recipient for row in rows(world) if row.id == waiting] == ["bob@example.org"]


def test_the_others_still_hear_from_a_player_who_has_left(world: World) -> None:
    number = world.board("alice", "bob")
    world.mail("alice", f"tumble chat {number} alice alice-secret", "Good luck!")
    written = rows(world)
    before = made(world, written)
    world.mail("alice", "signoff alice alice-secret")
    left = [row for row in rows(world) if row.recipient == "bob@example.org"]
    after = made(world, left)
    assert {r.id for r in written if r.recipient == "bob@example.org"} < after.keys()
    assert all(after[r.id] == before[r.id] for r in written if r.recipient == "bob@example.org")


def test_letters_of_the_same_length_have_message_ids_of_their_own(world: World) -> None:
    """Each letter is found by its Message-ID, and no other letter with it."""
    number = world.board("alice", "bob")
    for text in ("one", "two"):
        world.mail("alice", f"tumble chat {number} alice alice-secret", text)
    world.mail("alice", "help")
    found = rows(world)
    letters = made(world, found)
    ids = {row.id: message_from_bytes(_bytes(letters[row.id]))["Message-ID"] for row in found}
    assert len(set(ids.values())) == len(found)
    for id_, message_id in ids.items():
        marks = marks_of(str(message_id), world.site.signer)
        with world.engine.connect() as connection:
            assert Store(connection).audit.letters_with(marks) == [id_]


@pytest.mark.sqlite
@pytest.mark.slow
def test_a_batch_and_a_long_board_take_as_many_statements_as_one_letter(world: World) -> None:
    world.allow(unanswered_boards=100)
    for _ in range(8):
        world.board("alice", "bob", game="hex")
    world.play(each=12)
    found = [row for row in rows(world) if row.form == Form.VIEW]
    assert _statements(world, found[:1]) == _statements(world, found[:16]) == _statements(world, found[-1:])


def _statements(world: World, found: Sequence[Any]) -> int:
    count = 0

    def see(*_: object) -> None:
        nonlocal count
        count += 1

    with world.engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        driver.set_trace_callback(see)
        Finisher(world.site).finish(Store(connection), found)
        driver.set_trace_callback(None)
    return count


def _bytes(message: bytes | Exception) -> bytes:
    assert isinstance(message, bytes)
    return message
