"""`set attach=record`: turn letters with the board as files, so that a program answers one letter with one mail."""

import json
from datetime import timedelta
from typing import Any

import pytest

from pbmserv import games
from pbmserv.games.base.board import view_of
from pbmserv.games.base.sheet import formats_of
from pbmserv.server.clock import Clock
from tests.examples import SOAK, spread
from tests.web.filled import begin, play_on
from tests.world import Received, World

KEYS = [game.info.key for game in games.listed()]


def files(letter: Received) -> dict[str, str]:
    """Return the attached files of a letter by name."""
    found = {}
    for part in letter.message.iter_attachments():
        content = part.get_content()
        found[str(part.get_filename())] = content.decode() if isinstance(content, bytes) else content
    return found


def record(letter: Received) -> dict[str, Any]:
    """Return the record in a turn letter."""
    (text,) = (text for name, text in files(letter).items() if name.endswith(".json"))
    found: dict[str, Any] = json.loads(text)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("key", spread(KEYS, 3))
def test_the_file_is_what_the_player_may_know(world: World, key: str) -> None:
    """Each legal move can be sent as it stands there; nothing hidden is in it, and no seed."""
    names = ["alice", "bob"][: max(n for n in games.find(key).info.seats if n <= 2)]
    world.signup("alice", "bob")
    world.mail("alice", "set alice alice-secret attach=record")
    world.mail("bob", "set bob bob-secret attach=record")
    number, seen = begin(world, *names, game=key), 0
    for _ in range(2 if SOAK == 1 else 4):
        row = world.row(number)
        seat = min(row.board.to_move)
        mover = row.players[seat].userid
        move = row.game.example(row.board.position, seat)
        for letter in world.mail(mover, f"{key} move {number} {mover} {mover}-secret {move}"):
            now = world.row(number)
            reader = letter.to.partition("@")[0]
            seats = [s for s in now.board.to_move if now.players[s].userid == reader]
            if not seats:
                assert not files(letter)
                continue
            found, seat, seen = record(letter), seats[0], seen + 1
            view = view_of(now.board, found["turn"]["seat"]).position
            assert found["turn"]["seat"] == seat
            assert found["seed"] is None
            assert found["turn"]["position"] == json.loads(now.game.dump(view))
            assert set(found["turn"]["legal"]) == {now.game.format(m) for m in now.game.legal_moves(view, seat)}
            assert len(found["log"]) == now.board.length
            assert not any(now.board.start.seed in text for text in files(letter).values())
            forms = set() if now.game.info.hidden else {form.name for form in formats_of(now.game)}
            assert {name.rpartition(".")[2] for name in files(letter)} == forms | {"json"}
    assert seen


def test_without_the_setting_there_are_no_files(world: World) -> None:
    number = world.board("alice", "bob", options="-c")
    for letter in world.mail("alice", f"tumble move {number} alice alice-secret h4-g5t"):
        assert not files(letter)


def test_a_program_answers_the_letter_with_a_move_of_the_file(world: World) -> None:
    number = world.board("alice", "bob", game="four")
    world.mail("bob", "set bob bob-secret attach=record")
    [letter] = [x for x in world.mail("alice", f"four move {number} alice alice-secret d") if x.to.startswith("bob")]
    world.reply(letter, record(letter)["turn"]["legal"][0])
    assert world.row(number).board.ply == 2


@pytest.mark.slow
def test_an_answer_to_an_old_letter_brings_no_second_file(world: World) -> None:
    """Else a program would answer both letters, and get one more for each turn."""
    number = world.board("alice", "bob", game="chess")
    world.mail("bob", "set bob bob-secret attach=record")
    moved = world.mail("alice", f"chess move {number} alice alice-secret e2e4")
    proposed = world.mail("alice", f"chess propose {number} alice alice-secret")
    [first, second] = [x for x in (*moved, *proposed) if x.to.startswith("bob") and files(x)]
    world.reply(first, "e7e5")
    [third] = [x for x in world.mail("alice", f"chess move {number} alice alice-secret d2d4") if files(x)]
    [repeated] = world.reply(second, "d7d5")
    assert repeated.first_line == third.first_line
    assert not files(repeated)


def test_a_reminder_has_the_files(world: World) -> None:
    number = world.board("alice", "bob", game="four")
    world.mail("bob", "set bob bob-secret attach=record")
    world.mail("alice", f"four move {number} alice alice-secret d")
    world.now += timedelta(days=7, minutes=1)
    Clock(world.engine, world.site, lambda: world.now, gap=1e9).sweep()
    [reminder] = world.letters()
    world.reply(reminder, record(reminder)["turn"]["legal"][0])
    assert world.row(number).board.ply == 2


def test_a_long_log_has_only_its_end(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbmserv.letters.waiting.turn_files.MOST_ENTRIES", 5)
    world.signup("alice", "bob")
    world.mail("bob", "set bob bob-secret attach=record")
    number = begin(world, "alice", "bob", game="othello")
    play_on(world, number, 6)
    row = world.row(number)
    move = row.game.example(row.board.position, 0)
    letters = world.mail("alice", f"othello move {number} alice alice-secret {move}")
    [letter] = [x for x in letters if x.to.startswith("bob")]
    assert [line["number"] for line in record(letter)["log"]] == [3, 4, 5, 6, 7]
    assert list(files(letter)) == [f"board-{number}.json"]
