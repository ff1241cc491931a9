"""Records and forks by mail, and records that are imported again."""

import json
from typing import Any

import pytest

from pbmserv import games
from pbmserv.admin.imports import RecordRefused, restore
from pbmserv.boards.records import record_of
from pbmserv.games.base.sheet import Format
from pbmserv.store import Store
from tests.commands.answers import only
from tests.world import Received, World


def attached(letter: Received) -> dict[str, Any]:
    """The parsed JSON file that is attached to a letter."""
    (part,) = letter.message.iter_attachments()
    assert part.get_content_type() == "application/json"
    assert part.get_filename() == f"board-{letter.subject.split()[-1]}.json"
    content = part.get_content()
    record: dict[str, Any] = json.loads(content)
    return record


def record(world: World, number: int = 101, with_secrets: bool = False) -> dict[str, Any]:
    """A board's record, as you get it when you parse the file."""
    row, lines = world.row(number), world.query(lambda s: s.boards.log(number))
    found: dict[str, Any] = json.loads(json.dumps(record_of(row, lines, with_secrets)))
    return found


def read_back(world: World, found: dict[str, Any], rated: bool = False) -> int:
    """Restore a board from its record; returns the number of the new board."""
    with world.engine.begin() as connection:
        return restore(Store(connection), json.dumps(found).encode(), world.now, rated).number


def play_to_the_end(world: World) -> None:
    """Play a whole game of Triple Town on board 103 and fill it square by square."""
    world.mail("alice", "town challenge alice -b")
    while not (board := world.row(103).board).result:
        texts = [board.game.format(m) for m in board.game.legal_moves(board.position, 0)]
        world.mail("alice", f"town move 103 alice alice-secret {' '.join(texts)}")


@pytest.fixture
def finished(world: World) -> World:
    """Board 101: a finished game of 3io, with chance, an offer that was not accepted, and resignations."""
    world.once(_finish)
    return world


def _finish(world: World) -> None:
    world.board("alice", "bob", "carol", game="3io", options="-quick")
    world.mail("alice", "3io move 101 alice alice-secret 1a1+")
    world.mail("bob", "3io propose 101 bob bob-secret")
    world.mail("bob", "3io move 101 bob bob-secret 2b2")
    world.mail("carol", "3io resign 101 carol carol-secret")
    world.mail("alice", "3io resign 101 alice alice-secret")
    world.letters()


def test_a_record_holds_the_seed_only_once_over(world: World) -> None:
    world.board("alice", "bob")
    running = attached(only(world.mail("carol@example.org", "tumble record 101")))
    assert running["seed"] is None
    assert running["players"] == ["alice", "bob"]
    world.mail("alice", "tumble resign 101 alice alice-secret")
    over = attached(only(world.mail("alice", "tumble record 101")))
    assert over["commitment"] == running["commitment"]
    assert over["result"] == {"reason": "resign", "ranks": [2, 1], "scores": []}


def test_other_programs_get_a_file_and_its_text(world: World) -> None:
    world.board("alice", "bob", game="chess")
    for player, move in zip(("alice", "bob") * 2, ("f3", "e5", "g4", "Qh4"), strict=True):
        world.mail(player, f"chess move 101 {player} {player}-secret {move}")
    letter = only(world.mail("carol@example.org", "chess record 101 --format=PGN"))
    (part,) = letter.message.iter_attachments()
    assert (part.get_content_type(), part.get_filename()) == ("application/vnd.chess-pgn", "board-101.pgn")
    text = part.get_content().decode()
    assert '[Site "games.example"]\n' in text
    assert text.endswith("\n\n1. f3 e5 2. g4 Qh4# {Black wins: checkmate} 0-1\n")
    assert letter.text == f"The record of board 101 is attached in the format PGN.\n\n{text}"


@pytest.mark.parametrize(
    ("game", "line", "text", "hint"),
    [
        ("tumble", "--format=pgn", "Tumbling Down has no records in the format 'pgn'.", "Send: tumble record 101"),
        ("chess", "--format=sgf", "Chess has no records in the format 'sgf'.", "chess record 101 --format=pgn"),
    ],
)
def test_a_game_has_some_formats(world: World, game: str, line: str, text: str, hint: str) -> None:
    world.board("alice", "bob", game=game)
    error = only(world.mail("alice", f"{game} record 101 {line}"))
    assert text in error.flat
    assert hint in error.flat


def test_other_programs_get_hidden_things_only_at_the_end(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """None of our games with hidden things has a format, but a game of another package can."""
    told = Format("moves", "text/plain", lambda sheet: f"{sheet.title}: {len(sheet.plies)}\n")
    monkeypatch.setattr(games.find("trippples"), "formats", (told,), raising=False)
    world.board("alice", "bob", game="trippples", options="-h")
    error = only(world.mail("alice", "trippples record 101 --format=moves"))
    assert "other programs get its record only when the board is over" in error.flat
    world.mail("alice", "trippples resign 101 alice alice-secret")
    letter = only(world.mail("carol@example.org", "trippples record 101 --format=moves"))
    assert letter.text.endswith("\n\nTrippples, board 101: 0\n")


def test_the_record_of_a_running_board_tells_nothing_hidden(world: World) -> None:
    world.board("alice", "bob", game="trippples", options="-h")
    text = json.dumps(attached(only(world.mail("alice", "trippples record 101"))))
    position = world.row(101).board.position
    hidden = [position.tiles[square] for square in position.down]
    assert len(hidden) > 50
    assert not any(f'"{tile}"' in text for tile in hidden)


@pytest.mark.slow
def test_a_finished_board_is_read_back(finished: World) -> None:
    found = record(finished)
    number = read_back(finished, found)
    assert number == 102
    again = record(finished, 102)
    same = set(found) - {"board", "settings", "beginning"}
    for entry in (*found["log"], *again["log"]):
        assert len(entry.pop("receipt")) == 64
    assert {k: again[k] for k in same} == {k: found[k] for k in same}
    assert again["settings"]["rated"] is False
    finished.verify()


def test_players_that_are_not_here_get_closed_accounts(finished: World) -> None:
    found = record(finished)
    found["players"] = ["zoe", "yan", "xia"]
    read_back(finished, found)
    zoe = finished.player("zoe")
    assert zoe.password_hash is None
    error = only(finished.mail("alice", "tumble challenge alice zoe")).text
    assert "The account zoe is closed." in error


def test_ratings_follow_a_record_only_on_demand(finished: World) -> None:
    before = finished.query(lambda s: s.ratings.find("3io", 1))
    read_back(finished, record(finished))
    assert finished.query(lambda s: s.ratings.find("3io", 1)) == before
    read_back(finished, record(finished), rated=True)
    finished.verify()


def test_a_running_board_goes_on_with_new_clocks(world: World) -> None:
    world.board("alice", "bob", game="3io", options="-twostep")
    world.mail("alice", "3io move 101 alice alice-secret draw 1c3")
    found = record(world, with_secrets=True)
    world.now = world.now.replace(year=2030)
    number = read_back(world, found)
    row = world.row(number)
    assert row.clocks[1].since == world.now.timestamp()
    world.letters()
    assert len(world.mail("bob", f"3io move {number} bob bob-secret draw 1a1")) == 2
    world.verify()


def test_a_record_keeps_bank_and_days_off_but_not_the_zone(world: World) -> None:
    world.signup("alice", "bob")
    world.mail("alice", "set alice alice-secret weekends=wed vacation=auto timezone=Asia/Tokyo")
    world.mail("alice", "tumble challenge alice bob --bank=10 --increment=1.5")
    found = attached(world.mail("bob", "tumble record 101")[0])
    assert (found["days_off"], found["auto_vacation"]) == (["wed", ""], [True, False])
    assert (found["settings"]["bank"], found["settings"]["increment"], found["settings"]["cap"]) == (10, 1.5, 15)
    assert "Tokyo" not in json.dumps(found)
    world.mail("alice", "set alice alice-secret weekends=off")
    row = world.row(read_back(world, found))
    assert [str(clock.rest) for clock in row.clocks] == ["wed Asia/Tokyo", ""]
    assert row.clocks[0].bank == pytest.approx(10 * 86400, abs=60)


@pytest.mark.parametrize("days", [["sat"], ["sat", "noday"], ["fri,sat,sun", ""]])
def test_a_record_with_days_that_are_none_is_refused(world: World, days: list[str]) -> None:
    world.board("alice", "bob")
    with pytest.raises(RecordRefused, match="days_off: a text for each player"):
        read_back(world, record(world) | {"days_off": days})


@pytest.mark.parametrize("times", [[{"used": 0, "bank": 5}] * 2, [{"used": 0, "bank": None}]])
def test_a_record_with_times_of_another_board_is_refused(world: World, times: list[dict[str, Any]]) -> None:
    world.board("alice", "bob")
    with pytest.raises(RecordRefused, match="times: for each player, a bank is needed if the board has banks"):
        read_back(world, record(world) | {"times": times})


def change_text(found: dict[str, Any]) -> None:
    found["log"][0]["text"] = "1A1+"


def change_note(found: dict[str, Any]) -> None:
    found["log"][0]["notes"] = ["Player 2 drew a singularity."]


def change_result(found: dict[str, Any]) -> None:
    found["result"]["ranks"] = [1, 1, 1]


def change_seed(found: dict[str, Any]) -> None:
    found["seed"] = "0" * 32


def lose_seed(found: dict[str, Any]) -> None:
    found["seed"] = None


def change_game(found: dict[str, Any]) -> None:
    found["game"] = "rummy"


def change_rules(found: dict[str, Any]) -> None:
    found["rules"] = 99


def gap(found: dict[str, Any]) -> None:
    del found["log"][0]


def unknown_seat(found: dict[str, Any]) -> None:
    found["log"][-1]["seat"] = 7


def illegal(found: dict[str, Any]) -> None:
    found["log"][1]["seat"] = 2
    found["log"][2]["seat"] = 2


def extra(found: dict[str, Any]) -> None:
    found["comment"] = "x"


def cut_short(found: dict[str, Any]) -> None:
    del found["log"][-1]


def bad_origin(found: dict[str, Any]) -> None:
    found["origin"] = {"sectors": 1}


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (change_text, "The replay differs at entry 1"),
        (change_note, "The replay differs at entry 1"),
        (change_result, "The replay ends otherwise: resign."),
        (change_seed, "The sha256 of the seed is not the one"),
        (lose_seed, "The record has no seed"),
        (change_game, "There is no game 'rummy' here."),
        (change_rules, "The record follows version 99 of the rules"),
        (gap, "The log is broken at entry 2."),
        (unknown_seat, "The log is broken at entry 5."),
        (illegal, "The replay stops at entry 3: It is not your turn"),
        (extra, "This is no record: comment:"),
        (cut_short, "The replay ends otherwise: the board is still running."),
        (bad_origin, "The position it begins with cannot be read."),
    ],
)
def test_a_record_whose_replay_differs_is_refused(finished: World, spoil: Any, why: str) -> None:
    found = record(finished)
    spoil(found)
    before = finished.dump()
    with pytest.raises(RecordRefused) as refused:
        read_back(finished, found)
    assert why in str(refused.value)
    assert finished.dump() == before


def test_a_record_keeps_the_rules_with_which_its_board_began(world: World) -> None:
    world.board("alice", "bob", game="chess")
    world.mail("bob", "chess resign 101 bob bob-secret")
    number = read_back(world, record(world) | {"rules": 1, "beginning": None})
    assert world.row(number).board.game.info.rules == 1


@pytest.mark.parametrize(
    ("name", "days"),
    [("bank", 1e300), ("bank", 0.0), ("forfeit", -1.0), ("total", float("nan")), ("cap", float("inf"))],
)
def test_a_record_whose_time_is_no_time_is_refused(world: World, name: str, days: float) -> None:
    """With such a limit nobody could be told until when to move."""
    world.board("alice", "bob")
    found = record(world)
    found["settings"][name] = days
    with pytest.raises(RecordRefused, match="This is no record: settings"):
        read_back(world, found)


def test_a_running_board_needs_its_players(world: World) -> None:
    world.board("alice", "bob")
    found = record(world)
    found["players"] = ["alice", "nobody"]
    with pytest.raises(RecordRefused, match="There is no player nobody"):
        read_back(world, found)


@pytest.mark.slow
def test_a_board_with_a_substitute_is_read_back(world: World) -> None:
    world.board("alice", "bob", game="backgammon")
    world.signup("carol")
    world.mail("bob", "backgammon resign 101 bob bob-secret")
    world.mail("alice", "backgammon substitute 101 alice alice-secret")
    world.mail("carol", "backgammon join 1 carol carol-secret")
    world.mail("carol", "backgammon resign 102 carol carol-secret")
    row = world.row(102)
    record = record_of(row, world.query(lambda s: s.boards.log(102)))
    assert record["continues"] == {"board": 101, "seat": 1, "ply": 0, "userid": "bob", "how": "resign"}
    read = world.act(lambda s: restore(s, json.dumps(record).encode(), world.now))
    assert (read.board.position, read.continues) == (row.board.position, None)
    world.verify()


@pytest.mark.slow
def test_a_fork_goes_on_from_a_ply(world: World) -> None:
    world.board("alice", "bob", options="-c")
    world.signup("carol")
    world.mail("alice", "tumble move 101 alice alice-secret d1-d2")
    world.letters()
    letters = world.mail("alice", "tumble fork 101#1 alice carol --nagtime=2")
    assert [x.first_line for x in letters] == ["It is carol's turn, alice.", "Your move, carol."]
    assert all("This board goes on from board 101 after ply 1." in x.text for x in letters)
    assert "(-c, unrated, reminder after 2 days" in letters[0].text
    old, new = world.row(101).board, world.row(102).board
    assert new.position == old.position
    assert new.start.seed != old.start.seed
    assert len(world.mail("carol", "tumble move 102 carol carol-secret e8-e7")) == 2
    world.verify()
    assert record(world, 102)["origin"] is not None
    assert read_back(world, record(world, 102)) == 103
    world.verify()


def test_a_fork_with_chance_has_a_new_one(finished: World) -> None:
    letters = finished.mail("alice", "3io fork 101#1 carol bob alice --random")
    assert len(letters) == 3
    finished.verify()
    assert read_back(finished, record(finished, 102, with_secrets=True)) == 103


def test_the_beginning_of_a_fork_is_not_recorded_where_things_are_hidden(world: World) -> None:
    world.board("alice", "bob", game="trippples", options="-h")
    world.mail("alice", "trippples resign 101 alice alice-secret")
    world.mail("alice", "trippples fork 101#0 alice bob")
    assert record(world, 102)["origin"] is None
    assert record(world, 102, with_secrets=True)["origin"] is not None


@pytest.mark.parametrize(
    ("line", "text", "hint"),
    [
        ("3io fork 101#9 alice bob carol", "There is no ply 9", "Send #0 to #2"),
        ("3io fork 101 alice bob carol", "At that ply a player had already left the board.", "Name an earlier ply."),
        ("town fork 103 alice", "The board was already over", "town fork 103#"),
        ("3io fork 101#1 alice bob", "Board 101 has 3 seats, and you named 2 players.", "3io fork"),
        ("3io fork 101#1 alice bob alice", "One player cannot have two seats on this board.", "each player once"),
        ("3io fork 101#1 alice bob xerxes", "Userid number 3 in your line", "write their mail address"),
        ("3io fork 102 alice bob", "Board 102 is still running, and a copy could reveal", "3io preview 102"),
    ],
)
def test_errors_name_the_cause_and_the_way_out(finished: World, line: str, text: str, hint: str) -> None:
    finished.mail("alice", "3io challenge alice bob")
    if "town" in line:
        play_to_the_end(finished)
    before = finished.dump()
    error = only(finished.mail("alice", line))
    assert text in error.flat
    assert hint in error.flat
    assert finished.dump() == before
