"""The Python of docs/dice.md runs and gives right results."""

import json
import re
import subprocess
import sys
from hashlib import blake2b
from itertools import combinations
from pathlib import Path

import pytest

from pbmserv import games
from pbmserv.boards.records import record_of
from pbmserv.games.base.board import Board, Start, begin, play, resign
from pbmserv.games.race import three_io, trippples
from pbmserv.games.solitaire import threes, triple_town
from tests.examples import spread
from tests.tools.tree import ROOT
from tests.world import World

PAGE = ROOT / "docs" / "dice.md"
SCRIPTS = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)


@pytest.fixture
def finished(world: World, tmp_path: Path) -> Path:
    """A folder with the record of a finished game of Triple Town."""
    number = world.board("alice", game="town")
    world.mail("alice", f"town move {number} alice alice-secret store")
    for _ in range(2):  # the seed of the board decides which squares are empty
        board = world.row(number).board
        move = board.game.format(board.game.legal_moves(board.position, 0)[0])
        (letter,) = world.mail("alice", f"town move {number} alice alice-secret {move}")
        assert "Tile to play" in letter.text
    world.mail("alice", f"town resign {number} alice alice-secret")
    row, log = world.row(number), world.query(lambda s: s.boards.log(number))
    (tmp_path / "board.json").write_text(json.dumps(record_of(row, log)))
    return tmp_path


def run(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-c", script], cwd=folder, env=path, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_the_first_tile_follows_from_the_seed(world: World, finished: Path) -> None:
    begun = world.query(lambda s: s.boards.log(101))[0]
    done = run(SCRIPTS[0], finished)
    assert done.returncode == 0, done.stderr
    stored = json.loads((finished / "board.json").read_text())
    assert begun.entry.text == "store" == stored["log"][0]["text"]
    assert done.stdout.startswith("The first tile was ")
    tile = done.stdout.split()[-1]
    page = world.mail("alice", "town show 101#0")[0].text
    assert f"Tile to play: {tile} " in page


def test_another_seed_is_found_out(finished: Path) -> None:
    file = finished / "board.json"
    board = json.loads(file.read_text())
    file.write_text(json.dumps(board | {"seed": "0" * 32}))
    assert "not the seed that was promised" in run(SCRIPTS[0], finished).stderr


@pytest.mark.slow
def test_the_whole_board_is_replayed(finished: Path) -> None:
    done = run(SCRIPTS[1], finished)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Plies: 3 Result: resign")


def test_the_twenty_lines_are_about_twenty() -> None:
    assert len([line for line in SCRIPTS[0].splitlines() if line.strip()]) <= 20


class Row:
    """The numbers of one ply, calculated as the page says, without code of the program."""

    def __init__(self, seed: str, ply: int | str) -> None:
        self.start, self.i = f"{seed}/{ply}/", 0

    def choose(self, n: int) -> int:
        while n > 1:
            x = int.from_bytes(blake2b(f"{self.start}{self.i}".encode(), digest_size=8).digest(), "big")
            self.i += 1
            if x < 2**64 - 2**64 % n:
                return x % n
        return 0

    def weighted(self, weights: dict[str, int]) -> str:
        number = self.choose(sum(weights.values()))
        return [name for name, weight in weights.items() for _ in range(weight)][number]


SEEDS = [f"{n:032x}" for n in range(24)]
each_seed = pytest.mark.parametrize("seed", spread(SEEDS, 6))
TOWN_TILES = {"Gr": 61, "Bu": 15, "Tr": 2, "Hu": 1, "Cr": 2, "Bo": 3, "Be": 15, "NB": 1}


def begun(game: games.base.AnyGame, seed: str, seats: int, options: str = "") -> Board:
    return begin(Start(game, dict.fromkeys(options.split(), ""), seats, seed))


def test_every_game_of_chance_has_its_order_of_choices() -> None:
    titles = re.findall(r"(?m)^### (.*)$", PAGE.read_text().partition("## The order of the choices")[2])
    assert sorted(titles) == sorted(
        game.info.name for game in games.listed() if game.info.draws({o.name: "" for o in game.info.options})
    )


def traversal() -> list[str]:
    lines = re.findall(r"(?m)^    ((?:[A-F]\d ?)+)$", PAGE.read_text())
    return " ".join(lines).lower().split()


@each_seed
def test_the_order_in_triple_town(seed: str) -> None:
    """Two ninja bears and three bears in an open town; nothing matches and nothing is trapped."""
    land = dict.fromkeys(traversal(), "") | {"c3": "NB", "f6": "NB", "a5": "Be", "d4": "Be", "e4": "Be"}
    origin = triple_town.Position(tuple(land.values()), "Ca")
    step = play(begin(Start(triple_town.TripleTown(), {}, 1, seed, origin)), 0, "b2")
    row, land["b2"] = Row(seed, 1), "Ca"
    for ninja in ("c3", "f6"):
        blanks = [name for name, tile in land.items() if not tile]
        land[ninja], land[blanks[row.choose(len(blanks))]] = "", "NB"
    for bear in ("a5", "d4", "e4"):
        column, number = ord(bear[0]), int(bear[1])
        around = [(column, number + 1), (column + 1, number), (column, number - 1), (column - 1, number)]
        blanks = [name for c, n in around if land.get(name := f"{chr(c)}{n}") == ""]
        if blanks:
            land[bear], land[blanks[row.choose(len(blanks))]] = "", "Be"
    assert step.board.position.land == tuple(land.values())
    assert step.board.position.tile == row.weighted(TOWN_TILES)
    assert begun(triple_town.TripleTown(), seed, 1).position.tile == Row(seed, 0).weighted(TOWN_TILES)


def opening_of_threes(row: Row) -> tuple[list[int], dict[str, int]] | None:
    """Return the cards and the bag after one attempt. Squares are numbered from the lower left corner, row by row."""
    edges = {"w": (0, 1, 2, 3), "a": (15, 11, 7, 3), "s": (12, 13, 14, 15), "d": (12, 8, 4, 0)}
    cards, bag = [0] * 16, {"1": 4, "2": 4, "3": 4}
    for dealt in range(9):
        direction = "wasd"[row.choose(4)]
        cards = list(threes.shift(tuple(cards), direction)[0])
        if 16 - cards.count(0) < dealt:
            return None
        card = row.weighted(bag)
        bag[card] -= 1
        free = [square for square in edges[direction] if not cards[square]]
        cards[free[row.choose(len(free))]] = int(card)
    return cards, bag


@each_seed
def test_the_order_in_threes(seed: str) -> None:
    board, row, opened = begun(threes.Threes(), seed, 1), Row(seed, 0), None
    while opened is None:
        opened = opening_of_threes(row)
    cards, bag = opened
    assert board.position.cards == tuple(cards)
    coming = row.weighted(bag)
    assert board.position.coming == int(coming)
    bag[coming] -= 1
    for _ in range(2):  # the bag of twelve has two cards left
        move, row = board.game.example(board.position, 0), Row(seed, board.ply + 1)
        pushed, ends = threes.shift(board.position.cards, move)
        entry = ends[row.choose(len(ends))]
        after = play(board, 0, move).board
        assert after.position.cards[entry] == board.position.coming != pushed[entry]
        coming = row.weighted(bag)
        assert after.position.coming == int(coming)
        bag[coming] -= 1
        board = after


@each_seed
def test_a_plus_card_of_threes_is_one_of_21(seed: str) -> None:
    origin = threes.Position((96, 0, *[0] * 14), (1, 0, 0), 3)
    found = play(begin(Start(threes.Threes(), {}, 1, seed, origin)), 0, "d").board.position.coming
    row = Row(seed, 1)
    assert found == ((6, 12)[row.choose(2)] if row.choose(21) == 0 else 1)


@each_seed
def test_the_order_in_3io(seed: str) -> None:
    box = {"dust": 34, "planet": 6, "galaxy": 3, "probe": 24, "station": 4, "singularity": 2}
    names = list(box)
    drawn = play(begun(three_io.ThreeIO(), seed, 2), 0, "draw").board.position.hands[0][1]
    assert names[drawn] == Row(seed, 1).weighted(box)
    quick = begun(three_io.ThreeIO(), seed, 3, "quick")
    first = Row(seed, 0).weighted(box | {"dust": 33})
    assert names[quick.position.hands[0][1]] == first
    left = resign(quick, 0).board.position  # the tile that was drawn is in the box again
    assert names[left.hands[1][1]] == Row(seed, "1/resign0").weighted(box | {"dust": 33})


@each_seed
def test_the_order_in_trippples(seed: str) -> None:
    compass = ("8", "9", "6", "3", "2", "1", "4", "7")
    loose = ["".join(triple) for triple in combinations(compass, 3)]
    row, deck = Row(seed, 0), list(loose)
    for k in range(len(deck) - 1, 0, -1):
        j = row.choose(k + 1)
        deck[k], deck[j] = deck[j], deck[k]
    shuffled = begun(trippples.Trippples(), seed, 2).position.tiles
    assert [tile for tile in shuffled if tile.isdigit()] == deck
    board, left = begun(trippples.Trippples(), seed, 2, "p"), list(loose)
    for ply, square in enumerate(["b1", "c1", "d1", "e1"]):
        assert board.position.shown == left.pop(Row(seed, ply).choose(len(left)))
        board = play(board, ply % 2, square).board


@each_seed
def test_the_order_in_chess(seed: str) -> None:
    number = Row(seed, 0).choose(960)
    rest, light = divmod(number, 4)
    rest, dark = divmod(rest, 4)
    knights, queen = divmod(rest, 6)
    rank = dict.fromkeys("abcdefgh", "")
    rank["bdfh"[light]] = rank["aceg"[dark]] = "B"
    rank[[file for file, man in rank.items() if not man][queen]] = "Q"
    free = [file for file, man in rank.items() if not man]
    for file in list(combinations(free, 2))[knights]:
        rank[file] = "N"
    for file, man in zip([file for file, man in rank.items() if not man], "RKR", strict=True):
        rank[file] = man
    assert begun(games.find("chess"), seed, 2, "960").position.board[:8] == "".join(rank.values())


@each_seed
def test_the_order_in_backgammon(seed: str) -> None:
    def two(row: Row) -> tuple[int, int]:
        return 1 + row.choose(6), 1 + row.choose(6)

    opening = Row(seed, 0)
    white, black = next(dice for dice in iter(lambda: two(opening), None) if dice[0] != dice[1])
    board = begun(games.find("backgammon"), seed, 2)
    assert (board.position.turn, board.position.dice) == (int(black > white), tuple(sorted((white, black)))[::-1])
    then = play(board, board.position.turn, board.game.example(board.position, board.position.turn)).board
    assert then.position.dice == tuple(sorted(two(Row(seed, 1)), reverse=True))


@each_seed
def test_the_order_in_sea_battle(seed: str) -> None:
    board = play(begun(games.find("battleship"), seed, 2), 0, "a1-e1").board
    row, taken, wanted = Row(seed, 2), {f"{file}1" for file in "abcde"}, ["a1-e1"]
    for length in (4, 3, 3, 2):
        found = []
        for number in range(100):
            file, rank = number % 10, number // 10
            right = [f"{chr(97 + file + n)}{rank + 1}" for n in range(length) if file + n < 10]
            up = [f"{chr(97 + file)}{rank + n + 1}" for n in range(length) if rank + n < 10]
            found += [way for way in (right, up) if len(way) == length and not taken & set(way)]
        way = found[row.choose(len(found))]
        taken |= set(way)
        wanted.append(f"{way[0]}-{way[-1]}")
    assert play(board, 0, "random").board.position.fleets[0] == tuple(wanted)


@each_seed
def test_the_order_in_yacht(seed: str) -> None:
    """What is kept, thrown again, and then the dice of the next player."""
    board = begun(games.find("yacht"), seed, 3)
    row = Row(seed, 0)
    first = sorted(row.choose(6) + 1 for _ in range(5))
    assert board.position.dice == tuple(first)
    board, row = play(board, 0, str(first[0])).board, Row(seed, 1)
    assert board.position.dice == tuple(sorted((first[0], *(row.choose(6) + 1 for _ in range(4)))))
    board, row = play(board, 0, "choice").board, Row(seed, 2)
    assert board.position.dice == tuple(sorted(row.choose(6) + 1 for _ in range(5)))
