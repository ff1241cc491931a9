"""docs/redraw_dice.py draws all chance of finished boards again, with nothing but Python."""

import importlib.util
import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv import games
from pbmserv.conformance.walks import Setup, setups
from pbmserv.errors import PlayerError
from pbmserv.games.base import AnyGame
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Start, begin
from pbmserv.games.base.log import Entry, Kind
from pbmserv.rng import Rng, commitment
from tests.boards.test_records import attached
from tests.commands.answers import run
from tests.examples import SOAK, examples, spread
from tests.tools.tree import ROOT
from tests.world import World

SCRIPT = ROOT / "docs" / "redraw_dice.py"
_TABLES = [g for g in games.of_families() if g.info.page == "tables"]
#: Of the games of tables only the one with three dice is played.
DRAWING = [g for g in games.GAMES if g.info.draws({o.name: "" for o in g.info.options})] + _TABLES[-1:]
#: What the script keeps of a position in each game.
KEPT = {
    "town": ("land", "tile", "stored"),
    "threes": ("cards", "bag", "coming"),
    "3io": ("hands", "box", "turn"),
    "battleship": ("fleets",),
}
_EACH = 6 if SOAK > 1 else 1  #: boards of each game
SEATS = {"3io": ("alice", "bob", "carol"), "town": ("alice",), "threes": ("alice",)}
OPTIONS = {"chess": "-960", "trippples": "-p"}


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("redraw_dice", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


REDRAW = _script()


def redraw(found: Mapping[str, Any], folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "board.json").write_text(json.dumps(found))
    command = [sys.executable, "-I", str(SCRIPT), "board.json"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_script_knows_every_game_with_chance() -> None:
    assert set(REDRAW.GAMES) == {game.info.key for game in (*DRAWING, *_TABLES)}


@pytest.mark.slow
@pytest.mark.parametrize("dice", spread(["--dice=shared", ""], 2))
@pytest.mark.parametrize("game", DRAWING, ids=lambda g: g.info.key)
def test_a_board_of_the_server_is_drawn_again(world: World, tmp_path: Path, game: AnyGame, dice: str) -> None:
    key = game.info.key
    userids = SEATS.get(key, ("alice", "bob"))
    world.signup(*userids)
    run(world, "alice", f"{key} challenge {' '.join(userids)} {OPTIONS.get(key, '')} {dice}")
    for turn in range(8):
        board = world.row().board
        if not board.to_move:
            break
        userid = userids[min(board.to_move)]
        moves = _moves(board)
        move = "random" if "random" in moves else Rng("turns", turn).choice(moves)
        run(world, userid, f"{key} move 101 {userid} {userid}-secret {move}")
    for userid in userids:
        world.mail(userid, f"{key} resign 101 {userid} {userid}-secret")
    found = attached(run(world, "alice", f"{key} record 101")[0])
    done = redraw(found, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("All draws are those of the record.\n")
    assert ("the seed of all is" in done.stdout) == bool(dice)
    assert "ply " in done.stdout
    if dice:
        assert world.row().board.seed in done.stdout
        changed = [{**e, "text": e["text"] + "x"} if e["kind"] == "word" else e for e in found["log"]]
        other = redraw(found | {"log": changed}, tmp_path)
        assert other.stdout != done.stdout
    assert "not the seed that was promised" in redraw(found | {"seed": "0" * 32}, tmp_path).stderr


def _moves(board: Board) -> list[str]:
    seat = min(board.to_move)
    return [board.game.format(move) for move in board.game.legal_moves(board.position, seat)]


class Played:
    """A board that is played at random, with undos, admins who go back, and seats that leave."""

    def __init__(self, game: AnyGame, setup: Setup, luck: int, shared: bool) -> None:
        self.luck, self.count = luck, 0
        start = Start(game, dict(setup.options), setup.seats, f"{luck:032x}", shared=shared)
        self.board, self.log = begin(start), list[Entry]()

    def choose(self, n: int) -> int:
        self.count += 1
        return Rng(f"choices {self.luck}", self.count).randrange(n)

    def run(self, turns: int) -> None:
        for _ in range(turns):
            if not self.board.to_move:
                return
            happening = self.choose(40)
            seats = self.board.start.seats
            if happening == 0:
                self.follow(Entry(self.choose(seats), Kind.UNDO))
                while self.board.to_answer:
                    self.follow(Entry(min(self.board.to_answer), Kind.ACCEPT))
            elif happening == 1 and self.log:
                self.follow(Entry(-1, Kind.REVERT, str(self.choose(len(self.log)))))
            elif happening == 2 and len(self.board.out) < seats - 2:
                self.follow(Entry(self.choose(seats), (Kind.RESIGN, Kind.FORFEIT)[self.choose(2)]))
            else:
                self.move()

    def move(self) -> None:
        seats = sorted(self.board.to_move)
        seat = seats[self.choose(len(seats))]
        if self.board.waits:
            self.follow(Entry(seat, Kind.WORD, f"word {self.choose(9)} of {seat} ü"))
            return
        moves = self.board.game.legal_moves(self.board.position, seat)
        self.follow(Entry(seat, Kind.MOVE, self.board.game.format(moves[self.choose(len(moves))])))

    def follow(self, entry: Entry) -> None:
        try:
            change = play.follow(self.board, entry, self.log)
        except PlayerError:
            return
        self.board = change.board
        self.log.append(change.entry)

    def record(self) -> dict[str, Any]:
        start = self.board.start
        return {
            "game": start.game.info.key,
            "options": dict(start.options),
            "settings": {"dice": "shared" if start.shared else ""},
            "players": ["player"] * start.seats,
            "commitment": commitment(start.seed),
            "seed": start.seed,
            "origin": start.origin and json.loads(start.game.dump(start.origin)),
            "log": [
                asdict(e) | {"kind": e.kind.value, "notes": [n.text for n in e.notes if n.seats is None]}
                for e in self.log
            ],
        }


def check(played: Played) -> None:
    """The script finds what is in the position, and what the notes told."""
    board = played.board
    again = REDRAW.redrawn(played.record())
    if board.waits:
        assert again.waits
        return
    assert again.seed == board.seed
    position = json.loads(board.game.dump(board.position))
    for name in KEPT.get(board.game.info.key, ()):
        assert getattr(again.game, name) == position[name], (name, board.game.info.key)


@pytest.mark.slow
@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("game", DRAWING, ids=lambda g: g.info.key)
def test_random_boards_are_drawn_again(game: AnyGame, shared: bool) -> None:
    drawing = [setup for setup in setups(game) if game.info.draws(dict(setup.options))]
    for luck in range(_EACH):
        played = Played(game, drawing[luck * len(drawing) // _EACH], luck, shared)
        played.run(160)
        check(played)


@pytest.mark.slow
@given(data=st.data(), luck=st.integers(0, 2**32), shared=st.booleans())
@examples(8, 8)
def test_many_random_boards_are_drawn_again(data: st.DataObject, luck: int, shared: bool) -> None:
    game = data.draw(st.sampled_from(DRAWING))
    drawing = [setup for setup in setups(game) if game.info.draws(dict(setup.options))]
    played = Played(game, data.draw(st.sampled_from(drawing)), luck, shared)
    played.run(400)
    check(played)


@pytest.mark.slow
def test_a_fork_is_drawn_again() -> None:
    for game in DRAWING:
        drawing = [setup for setup in setups(game) if game.info.draws(dict(setup.options))]
        first = Played(game, drawing[0], 3, shared=False)
        first.run(12)
        start = first.board.start
        fork = Played(game, drawing[0], 4, shared=False)
        fork.board = begin(Start(game, start.options, start.seats, f"{4:032x}", first.board.position))
        fork.run(60)
        check(fork)


def test_a_first_move_that_was_taken_back_is_drawn_again() -> None:
    """A fork of 3io can begin with a move that draws nothing: a tile that was drawn before is placed."""
    game, setup = games.find("3io"), Setup((), 2)
    first = play.play(begin(Start(game, {}, 2, "0" * 32)), 0, "draw").board
    fork = Played(game, setup, 4, shared=False)
    fork.board = begin(Start(game, {}, 2, f"{4:032x}", first.position))
    fork.follow(Entry(0, Kind.MOVE, "1c3"))
    fork.follow(Entry(0, Kind.UNDO))
    fork.follow(Entry(1, Kind.ACCEPT))
    assert (fork.board.ply, fork.board.position) == (0, first.position)
    check(fork)


@pytest.mark.parametrize(("key", "seats"), [("backgammon", 2), ("threes", 1)])
def test_a_board_that_ended_before_it_was_set_up_draws_nothing(key: str, seats: int) -> None:
    played = Played(games.find(key), Setup((), seats), 5, shared=True)
    for seat in range(1, seats):
        played.follow(Entry(seat, Kind.WORD, "pear"))
    played.follow(Entry(0, Kind.RESIGN))
    assert played.board.result
    again = REDRAW.redrawn(played.record())
    assert (again.waits, again.found) == (True, [])
