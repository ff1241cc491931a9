"""Games like chess: all rows together, against another program, published numbers, and every check of conformance."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from itertools import cycle, product
from pathlib import Path
from typing import Any

import pytest

from pbmserv.conformance.checks import CHECKS
from pbmserv.conformance.walks import Setup, Walk, record
from pbmserv.errors import PlayerError
from pbmserv.games import find
from pbmserv.games.base.board import Start, begin, film, play
from pbmserv.games.base.grid import Grid
from pbmserv.games.base.log import Entry
from pbmserv.games.families.chesslike.chesslike_files import fen
from pbmserv.games.families.chesslike.chesslike_game import ChessLike, game_of
from pbmserv.games.families.chesslike.chesslike_rows import ROWS
from pbmserv.games.families.chesslike.ends import after
from pbmserv.games.families.chesslike.placing import DECLARED, Move, Position
from pbmserv.games.families.chesslike.row import Variant
from pbmserv.games.families.chesslike.row_rules import RowRules
from pbmserv.games.families.chesslike.writing import is_word
from tests.examples import SOAK, some_of
from tests.world import World

_POSITIONS = 8 if SOAK == 1 else 15 * SOAK**2  #: of each row; `make soak` looks at 6,000
_COUNTED = ("fivefold", "seventyfive", "late", "entered", "kings")  #: the other program leaves these to who asks
_OTHERWISE = {("minishogi", "repeated")}  #: there it lets Black lose, and we draw as in shogi
_ASKED = ("repeated", "perpetual", "chase", "quiet", "counted")  #: what it says then, where nobody has to claim it
_SPARED = 12 if "SOAK" not in os.environ else 1  #: `make soak` looks at every row
_ROWS = {row.key: row for row in ROWS}


class _Fairy:
    """The other program, in a process of its own."""

    def __init__(self) -> None:
        program = (sys.executable, "-u", str(Path(__file__).with_name("fairy.py")))
        self._process = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(
        self, variant: str, start: str, moves: list[str], *, ask: bool
    ) -> list[tuple[list[str], int | None, int | None]]:
        """Return what fairy.py says of the positions of a game."""
        return [(legal, *values) for legal, *values in self._told(variant=variant, start=start, moves=moves, ask=ask)]

    def written(self, variant: str, start: str, moves: list[str], notation: str) -> list[dict[str, str]]:
        """Return some legal moves of the positions of a game, and how players write them."""
        every = 6 if SOAK == 1 else 1
        asked = {"variant": variant, "start": start, "moves": moves, "notation": notation, "every": every}
        told: list[dict[str, str]] = self._told(**asked)
        return told

    def _told(self, **question: object) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        print(json.dumps(question), file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


@pytest.fixture(scope="module")
def fairy() -> Iterator[_Fairy]:
    pytest.importorskip("pyffish", reason="pyffish is not installed: pip install -e '.[oracle]'")
    process = _Fairy()
    yield process
    process.close()


def _theirs(rules: RowRules, move: Move) -> str:
    source, target = (Grid.name(rules.grid, square) for square in (move.source, move.target))
    sign = "+" if move.promotion and rules.row.falls_back else move.promotion
    return f"{move.drop.upper()}@{target}" if move.drop else f"{source}{target}{sign}"


def _chosen(rules: RowRules, position: Position, luck: random.Random) -> Move:
    """Return a move, more often a capture or a promotion on the spot, so that rare ends come."""
    moves = list(rules.legal(position))
    if rules.row.points and luck.random() < 0.95:  # a pass ends most games
        moves = [m for m in moves if m.source != m.target] or moves
    captures = [m for m in moves if rules.takes(position, m) or (rules.row.turns and m.promotion)]
    return luck.choice(captures if captures and luck.random() < 0.4 else moves)


@pytest.mark.slow
@pytest.mark.skipif(find_spec("pyffish") is None, reason="pyffish is not installed: pip install -e '.[oracle]'")
def test_moves_and_ends_are_those_of_another_program(fairy: _Fairy) -> None:
    luck = random.Random(os.environ.get("SEED", "1"))
    for row in ROWS:
        rules, count = RowRules(row), 0
        while count < _POSITIONS:
            positions, moves = _game(rules, luck, _POSITIONS - count)
            start = _start(rules, positions)
            answers = fairy.ask(row.fairy or row.key, start, moves, ask=bool(row.perpetual or row.counts))
            for ply, (position, (legal, value, asked)) in enumerate(zip(positions, answers, strict=True)):
                moved = (move for move in rules.legal(position) if move != DECLARED)
                own = legal if position.over else sorted(_theirs(rules, move) for move in moved)
                extra = [move for move in legal if row.drop_laws and move.startswith("P@") and move not in own]
                for move in extra:  # it lets a pawn from the hand mate, and then lets who is mated win
                    assert fairy.ask(row.fairy or row.key, start, [*moves[:ply], move], ask=False)[-1] == ([], 1, None)
                legal = [move for move in legal if move not in extra]
                if position.over not in _COUNTED and (row.key, position.over) not in _OTHERWISE:
                    theirs = asked if position.over in _ASKED else value
                    if position.over == "bare" and value is None:  # there the bare king moves once more
                        *_, (_, worth, _) = fairy.ask(row.fairy or row.key, start, [*moves[:ply], legal[0]], ask=False)
                        theirs = worth and -worth
                    assert (own, _worth(position)) == (legal, theirs), (row.key, position.over, moves[:ply])
            count += len(positions)


def _game(rules: RowRules, luck: random.Random, most: int) -> tuple[list[Position], list[str]]:
    """Return the positions and moves of a game at random."""
    position, moves = rules.start(), list[str]()
    while rules.row.lays and rules.sets_up(position):  # of these moves the other program knows nothing
        position = after(rules, position, luck.choice(list(rules.legal(position))))
    positions = [position]
    while not positions[-1].over and len(moves) < min(most, 160):
        move = _chosen(rules, positions[-1], luck)
        moves.append(_theirs(rules, move))
        positions.append(after(rules, positions[-1], move))
    return positions, moves


def _start(rules: RowRules, positions: list[Position]) -> str:
    return fen(rules, positions[0]) if rules.row.lays else ""


def _worth(position: Position) -> int | None:
    """Return what the game is worth to who is to move; None while it goes on."""
    if not position.over:
        return None
    return 0 if position.won < 0 else 1 if position.won == position.turn else -1


@pytest.mark.parametrize("key", ["crazyhouse", "hill"])
def test_a_film_has_the_boards_that_were_played_and_their_end(key: str) -> None:
    luck, game = random.Random("film"), find(key)
    start = Start(game, {}, 2, "0" * 32)
    boards, log = [begin(start)], list[Entry]()
    while not boards[-1].result and len(log) < 40:
        board, seat = boards[-1], min(boards[-1].to_move)
        change = play(board, seat, game.format(luck.choice(game.legal_moves(board.position, seat))))
        boards.append(change.board)
        log.append(change.entry)
    assert list(film(start, log)) == boards
    assert game.followed().info == game.info


@pytest.mark.parametrize("key", ["crazyhouse", "minishogi", "sittuyin"])
def test_a_man_comes_only_where_the_rules_let_it(key: str) -> None:
    luck, game = random.Random("drops"), game_of(_ROWS[key])
    rules, position = game.rules, game.rules.start()
    for _ in range(20):
        legal = {game.format(move): move for move in rules.legal(position)}
        for man, square in product({*"".join(position.hands), *"pk"} & {*rules.row.kinds}, range(rules.grid.size)):
            text = f"{man}*{rules.grid.name(square)}"
            assert list(game.named(position, position.turn, text)) == [legal[name] for name in legal if name == text]
        position = after(rules, position, luck.choice([*legal.values()]))
        if position.over:
            break


def _perft(rules: RowRules, position: Position, depth: int) -> int:
    if depth == 1:
        return sum(1 for _ in rules.legal(position))
    return sum(_perft(rules, rules.after(position, move), depth - 1) for move in rules.legal(position))


#: Published with Fairy-Stockfish.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "depth", "nodes"),
    [
        ("shatranj", 3, 4176),
        ("makruk", 3, 12012),
        ("minishogi", 3, 2512),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in (
                ("shogi", 3, 25470),
                ("losalamos", 4, 14332),
                ("capablanca", 3, 25228),
                ("janus", 3, 24747),
                ("xiangqi", 3, 79666),
            )
        ),
    ],
)
def test_published_numbers_of_positions(key: str, depth: int, nodes: int) -> None:
    rules = RowRules(_ROWS[key])
    assert _perft(rules, rules.start(), depth) == nodes


@pytest.mark.slow
@pytest.mark.parametrize(
    "rows",
    [
        (_ROWS["antichess"], _ROWS["gardner"], _ROWS["twolions"]),
        pytest.param(ROWS[1::_SPARED], marks=pytest.mark.slow),
    ],
    ids=["three", "more"],
)
def test_every_check_of_conformance(rows: tuple[Variant, ...]) -> None:
    for row in rows:
        playthrough = record(find(row.key), Walk(row.key, Setup((), 2), 1))
        for check in CHECKS:
            check(playthrough)


#: How both sides of Sittuyin put down their men.
#: White's king is taken, and its rook has not moved.
_KINGLESS = "e4 e5 d4 exd4 Qxd4 g5 Bxg5 Qxg5 Qxa7 Rxa7 Be2 Qxg2 a4 Qxh1 Na3 Qxg1 Nb5 Qxe1 Nxc7 Qxe2 Nxe8 Qxf2"
_SET_UP = "K@e2 K@d7 F@e1 F@e8 R@a1 R@h8 R@b1 R@g8 S@f3 S@c6 S@e3 S@d6 N@g3 N@b6 N@f2 N@c7"

#: Key, moves as players write them, the ending, who has won.
_ENDS = [
    ("hill", "e4 e5 Ke2 d5 Ke3 Nf6 exd5 Nxd5 Ke4", "goal", 0),
    ("threecheck", "e4 e5 Qh5 a6 Qxf7 Kxf7 Bc4 Kf6 d4 a5 Bg5", "checks", 0),
    ("atomic", "Nf3 a6 Ng5 a5 Nxf7", "blown", 0),
    ("crazyhouse", "e4 d5 exd5 Qxd5 Nc3 Qxg2 P@d7 Bxd7", "", None),
    ("antichess", "e3 b5 Bxb5", "", None),
    ("misere", "f3 e5 g4 Qh4", "mate", 0),
    ("kinglet", "e4 d5 exd5", "", None),
    ("threekings", "e4 b6 Bc4 a6 Bxf7 h6 Bxe8", "extinct", 0),
    ("twolions", "2c2b 2a2b 3d2c 2b2c 2d2c", "extinct", 0),
    ("twolions", "2d1c 3a3b 1c1b 2a3a 1b1a", "home", 0),
    ("janggi", "hehe heeh pass pass", "passed", 1),
    ("janggi", "hehe heeh Ped4 Ped7 pass", "faced", 1),
    ("janggi", "hehe heeh Pab4 pass Rxa7 pass Rxa10 pass pass", "passed", 0),
    ("shogi", " ".join(["4i4h 6a6b 4h4i 6b6a"] * 3), "repeated", None),
]


@pytest.mark.parametrize(("key", "moves", "over", "won"), _ENDS, ids=[case[0] for case in _ENDS])
def test_what_is_special_ends_the_game(key: str, moves: str, over: str, won: int | None) -> None:
    game = find(key)
    position = game.setup({}, 2, None)  # type: ignore[arg-type]  # nothing is drawn
    for text in moves.split():
        seat = position.turn
        position = game.apply(position, seat, game.parse(position, seat, text), None).position  # type: ignore[arg-type]
    assert (game.end(position), game.outcome(position) and game.winner(position)) == (over, won)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("key", "moves", "text", "why"),
    [
        ("antichess", "e3 b5", "a3", "you can capture, so you have to"),
        ("giveaway", _KINGLESS, "O-O", "you cannot castle there now"),
        ("berolina", "b1a3 g7e5 a3b1 e5f4 e2g4 f4f3", "g4h5", "g4 is empty"),
        ("crazyhouse", "e4 d5", "n@f3", "you have no knight in hand"),
        ("crazyhouse", "e4 d5 exd5 a6", "P@h8", "h8 is not empty"),
        ("racingkings", "", "Nc3", "a king would be in check"),
        ("hill", "e4 d5", "d5", "write the file from which the pawn comes, such as exd5"),
        ("hill", "", "e2e4q", "no man of yours can be promoted there"),
        ("atomic", "e4 d5 Ke2 d4 a3 d3", "cxd3", "your own king would be blown up"),
        ("capablanca", "", "Aa5", "no archbishop of yours can go to a5"),
        ("courier", "", "a1b1", "the rook on a1 does not reach b1"),
        ("janus", "", "j8j7", "the man on j8 is not yours"),
        ("shogi", "7g7f 3c3d", "8h4d+", "no man of yours can be promoted there"),
        ("shogi", "P76 P34", "Bx2b", "'Bx2b' could mean Bx2b+ or Bx2b="),
        ("shogi", "P76 P34", "2二角", "Bx2b+"),
        ("shogi", "P76 P34 Bx22+ Sx22", "B*2h", "2h is not empty"),
        ("sittuyin", "", "a4", "first put down the men in your hand"),
        ("sittuyin", "", "R@a2", "it comes no further than rank 1, counted from your side"),
        ("sittuyin", "K@e1", "N@d4", "it comes no further than rank 3, counted from your side"),
        ("sittuyin", _SET_UP, "a3a3f", "a pawn becomes another man only where the rules say so"),
        ("sittuyin", _SET_UP, "a3a4f", "no man of yours can be promoted there"),
        ("shogi", "", "declare", "your king, ten men and your points are not there yet"),
        ("minishogi", "", "P-6e", "is not a move in Minishogi"),
        ("janggi", "", "c4d4", "first say how your horses and elephants stand, from your left: heeh, hehe, eheh, ehhe"),
        ("janggi", "hehe heeh", "eheh", "your horses and elephants stand already"),
        ("janggi", "hehe heeh Ped4 Ped7", "Ke3", "the generals face each other: end that, or pass, and points decide"),
        ("janggi", "hehe heeh Pab4 pass Rxa7 pass Rxa10 pass Rxb10 pass Rxc10 pass Rxd10", "pass", "not pass in check"),
        ("xiangqi", "C2.5", "e3+6", "'E3+6' is not possible: no man of yours can go so"),
    ],
)
def test_why_a_move_is_not_possible(key: str, moves: str, text: str, why: str) -> None:
    game = find(key)
    position = game.setup({}, 2, None)  # type: ignore[arg-type]
    for written in moves.split():
        seat = position.turn
        position = game.apply(position, seat, game.parse(position, seat, written), None).position  # type: ignore[arg-type]
    with pytest.raises(PlayerError) as refused:
        game.parse(position, position.turn, text)
    assert why in refused.value.text


@pytest.mark.parametrize("key", ["gardner", "shogi"])
def test_many_signs_behind_nothing_cost_nothing(key: str) -> None:
    """A pattern that is tried from each of them runs into the time limit of tests."""
    assert not find(key).is_move(find(key).normalise("#" * 300_000 + "x"))


#: Key -> how its players write, as the other program calls it. In Berolina, pawns have a letter there.
_NOTATIONS = {
    row.key: "XIANGQI_WXF" if row.as_xiangqi else "SHOGI_HODGES" if row.falls_back else "SAN"
    for row in ROWS
    if row.key != "berolina"
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "most"),
    [
        (("xiangqi", "minishogi", "losalamos"), 8),
        *(pytest.param((key,), _POSITIONS, marks=pytest.mark.slow) for key in some_of([*_NOTATIONS], 3)),
    ],
    ids=["three", *some_of([*_NOTATIONS], 3)],
)
def test_moves_are_written_as_another_program_writes_them_and_read_back(
    fairy: _Fairy, keys: tuple[str, ...], most: int
) -> None:
    luck = random.Random(os.environ.get("SEED", "1"))
    for key in keys:
        game = find(key)
        assert isinstance(game, ChessLike)
        positions, moves = _game(game.rules, luck, most)
        theirs = fairy.written(game.rules.row.fairy or key, _start(game.rules, positions), moves, _NOTATIONS[key])
        compared = 0
        for position, texts in zip(positions, theirs, strict=True):
            for move in game.legal_moves(position, position.turn) if not position.over else ():
                text = game.written(position, position.turn, game.format(move))
                assert game.parse(position, position.turn, text) == move
                if game.rules.row.explodes:  # it writes no check there
                    text = text.rstrip("+#")
                if move != DECLARED and not is_word(game.rules, move) and (name := _theirs(game.rules, move)) in texts:
                    assert text == texts[name]
                    compared += 1
        assert compared >= len(positions)


@pytest.mark.parametrize(
    ("key", "moves", "text", "told"),
    [
        ("xiangqi", "", "h3e3", ("C2=5", "cannon 2 to 5")),
        ("xiangqi", "C2=5 H8+7", "h1g3", ("H2+3", "horse 2 forward 3")),
        ("xiangqi", "C2=5 H8+7 C5+4 P1+1 C8=5 P9+1", "e3f3", ("C-=4", "cannon rear to 4")),
        ("janggi", "", "hehe", ("hehe", "horse elephant horse elephant")),
        ("shogi", "", "7g7f", ("P-7f", "pawn 7f")),
        ("shogi", "P-7f P-3d", "8h2b+", ("Bx2b+", "bishop takes 2b, promoted")),
        ("shogi", "P-7f P-3d Bx2b= Sx2b", "b*5e", ("B*5e", "bishop dropped on 5e")),
        ("crazyhouse", "e4 d5 exd5 Qxd5", "p*d7", ("P@d7+", "pawn dropped on d7, check")),
        ("courier", "", "a1a2", ("Ra2", "rook a2")),
        ("capablanca", "f4 f5 Ci3 Ci6 Nh3 Nh6 Bf2 Bf7", "f1i1", ("O-O", "castling short")),
    ],
)
def test_what_players_read_and_hear_of_a_move(key: str, moves: str, text: str, told: tuple[str, str]) -> None:
    game = find(key)
    position = game.setup({}, 2, None)  # type: ignore[arg-type]
    for played, seat in zip(moves.split(), cycle((0, 1)), strict=False):
        position = game.apply(position, seat, game.parse(position, seat, played), None).position  # type: ignore[arg-type]
    written = game.written(position, position.turn, text)
    assert (written, game.spoken(written)) == told


def test_a_row_is_a_game() -> None:
    """As docs/adding-a-variant.md shows it."""
    setup = ROWS[0].setup.replace("q", "a").replace("Q", "A")
    row = Variant("wild", "Wild Chess", "Two amazons.", setup, credit="us.", men={"a": "amazon"}, becomes="arbn")
    game = game_of(row)
    position = game.setup({}, 2, None)  # type: ignore[arg-type]
    assert game.written(position, 0, "g1f3") == "Nf3"
    assert "Ad2" not in [game.written(position, 0, game.format(move)) for move in game.legal_moves(position, 0)]


_CHESS_LIKE = Variant(
    "never", "Never", "No perpetual check.", "k7/8/8/8/8/8/8/1Q5K", credit="us.", castles="", perpetual=3
)
_CANNONS = "3a2e1h/4k4/9/h1c6/3Cp4/R7P/4P4/2H1E4/4HK3/2EA1A3"


def test_xiangqi_is_written_as_in_books() -> None:
    game = find("xiangqi")
    position = game.setup({}, 2, None)  # type: ignore[arg-type]
    played = []
    texts = ["C2.5", "H8+7", "h2+3", "R9.8", "C5+4", "P1+1", "C8=5", "P9+1", "C+-2"]
    for text, seat in zip(texts, cycle((0, 1)), strict=False):
        move = game.parse(position, seat, text)
        played.append(game.format(move))
        position = game.apply(position, seat, move, None).position  # type: ignore[arg-type]
    assert played == ["h3e3", "h10g8", "h1g3", "i10h10", "e3e7", "a7a6", "b3e3", "i7i6", "e7e5"]


@pytest.mark.parametrize(
    ("row", "setup", "moves", "over", "won"),
    [
        (_CHESS_LIKE, "", "Qa2 Kb8 Qb2 Ka8", "perpetual", 1),
        (_CHESS_LIKE, "", "Qb2 Ka7 Qb1 Ka8", "repeated", -1),
        (_ROWS["xiangqi"], _CANNONS, "a5a4 a7b5 a4a5 b5a7", "chase", 1),
        (_ROWS["xiangqi"], _CANNONS.replace("h1c6", "h1r6"), "a5a4 a7b5 a4a5 b5a7", "repeated", -1),
    ],
    ids=["checks", "none", "chases", "is protected"],
)
def test_perpetual_check_and_chase_lose(row: Variant, setup: str, moves: str, over: str, won: int) -> None:
    game = game_of(replace(row, setup=setup or row.setup))
    position = game.rules.start()
    for text, seat in zip(moves.split() * 3, cycle((0, 1)), strict=False):
        if position.over:
            break
        position = after(game.rules, position, game.parse(position, seat, text))
    assert (position.over, position.won, game.claim(position)) == (over, won, "")


@pytest.mark.parametrize(
    ("moves", "claim"),
    [("e4" + " Nc6 Nf3 Nb8 Ng1" * 2, "threefold"), ("e4 a6 e5 d5" + " Nf3 Nc6 Ng1 Nb8" * 2, "")],
    ids=["not possible", "possible"],
)
def test_only_a_possible_capture_in_passing_makes_another_position(moves: str, claim: str) -> None:
    game = find("hill")
    position = game.setup({}, 2, None)  # type: ignore[arg-type]
    for text, seat in zip(moves.split(), cycle((0, 1)), strict=False):
        position = game.apply(position, seat, game.parse(position, seat, text), None).position  # type: ignore[arg-type]
    assert game.claim(position) == claim


@pytest.mark.parametrize(
    ("key", "setup", "text", "end"),
    [
        ("shatranj", "8/8/8/4k3/4P3/8/8/K7", "e5e4", ("kings", -1)),
        ("shatranj", "8/8/4k3/8/4P3/8/8/K7", "e6e7", ("bare", 0)),
        ("makruk", "8/8/8/4k3/8/8/8/K6N", "e5e6", ("", -1)),
        ("makruk", "8/8/8/4k3/4P3/8/8/K7", "e5e4", ("kings", -1)),
    ],
    ids=["both", "one", "counted", "both, counted"],
)
def test_kings_that_are_left(key: str, setup: str, text: str, end: tuple[str, int]) -> None:
    """In makruk moves are counted, and nobody can claim a draw before."""
    game = game_of(replace(_ROWS[key], setup=setup))
    first = Position(game.rules.row.board, turn=1, quiet=120 * game.rules.row.counts, counted=(60, 128))
    position = after(game.rules, first, game.parse(first, 1, text))
    assert (position.over, position.won, game.claim(position)) == (*end, "")


@pytest.mark.parametrize(
    ("setup", "texts"),
    [
        ("7k/8/8/3P4/8/P7/8/K7", "d5=F d5c4=F d5c6=F d5e4=F d5e6=F"),
        ("7k/8/3r4/3P4/8/P7/8/K7", "d5=F d5c4=F d5c6=F d5e4=F d5e6=F"),
        ("7k/8/2r5/3P4/8/P7/8/K7", "d5c4=F d5e4=F d5e6=F"),
        ("3k4/8/8/3P4/8/P7/8/K2R4", "d5=F"),
        ("7k/8/8/3P4/8/P7/8/K6F", ""),
        ("7k/8/8/8/3P4/P7/8/K7", ""),
        ("7k/8/8/8/8/P7/8/K7", "a3=F a3b2=F a3b4=F"),
    ],
    ids=[
        "on the spot",
        "straight ahead",
        "where it attacks nobody",
        "no check from behind",
        "has one",
        "too early",
        "last pawn",
    ],
)
def test_where_pawns_of_sittuyin_become_other_men(setup: str, texts: str) -> None:
    game = game_of(replace(_ROWS["sittuyin"], setup=setup, sets_up={}))
    position = game.rules.start()
    turned = {game.written(position, 0, game.format(m)): m for m in game.legal_moves(position, 0) if m.promotion}
    assert sorted(turned) == texts.split()
    for text, move in turned.items():
        then = after(game.rules, position, game.parse(position, 0, text))
        assert (then.board[move.target], then.board.count("P")) == ("F", position.board.count("P") - 1)
        assert not game.rules.takes(position, move)


def test_a_search_looks_at_captures_in_passing_where_men_come_again() -> None:
    game = find("crazyhouse")
    position = game.setup({}, 2, None)  # type: ignore[arg-type]
    for text in ("e4", "d5", "exd5", "Qxd5", "b4", "Qd4", "b5", "c5"):
        move = game.parse(position, position.turn, text)
        position = game.apply(position, position.turn, move, None).position  # type: ignore[arg-type]
    assert [game.format(move) for move in game.loud(position, 0)] == ["b5c6"]


@pytest.mark.slow
def test_a_man_comes_from_the_hand_by_mail(world: World) -> None:
    world.signup("alice", "bob")
    number = world.board("alice", "bob", game="crazyhouse")
    for userid, text in zip(("alice", "bob", "alice", "bob"), ("e4", "d5", "exd5", "Qxd5"), strict=True):
        letters = world.mail(f"{userid}@example.org", f"crazyhouse move {number} {userid} {userid}-secret {text}")
    to_alice = next(letter for letter in letters if "alice" in str(letter.message["To"]))
    assert "In the hand of White: pawn" in to_alice.text
    answer = world.reply(to_alice, "P@d7")
    assert "Check." in answer[0].text


def test_families_have_a_page_of_their_own(world: World) -> None:
    world.signup("alice")
    (listed,) = world.mail("alice@example.org", "games")
    assert "games chess" in listed.text
    assert "crazyhouse" not in listed.text.replace("Crazyhouse", "")
    (family,) = world.mail("alice@example.org", "help chess variants")
    again = world.mail("alice@example.org", "games crazyhouse")[0]
    assert family.text.splitlines()[:-1] == again.text.splitlines()[:-1]  # the last line has the time
    assert all((row.key in family.text) == (row.family == "chess") for row in ROWS)
    (refused,) = world.mail("alice@example.org", "games trippples")
    assert "There are no games like Trippples here." in refused.text


def _set_up(setup: str, hand: str) -> tuple[ChessLike, Position]:
    """Return shogi and this position, with men in the hand of Black."""
    game = find("shogi")
    assert isinstance(game, ChessLike)
    board = replace(game.rules.row, setup=setup).board
    return game, Position(board, hands=("".join(sorted(hand)), "")).with_key()


@pytest.mark.parametrize(
    ("setup", "hand", "text", "says"),
    [
        ("kn7/2R6/1p7/9/9/9/9/9/5K3", "p", "P*9b", "a pawn from the hand may not mate"),
        ("kn7/2R6/1p7/9/9/9/9/9/5K3", "l", "L'9b", "mate"),
        ("k8/9/9/9/9/9/P8/9/8K", "p", "P*9e", "no second pawn may come on this file"),
        ("k8/9/9/9/9/9/9/9/8K", "n", "N*12", "it could never move from there"),
        ("4k4/9/4P4/9/9/9/9/9/K8", "", "5c5b", "plain"),
        ("4k4/9/4P4/9/9/9/9/9/K8", "", "P-5b=", "plain"),
        ("4k4/9/4P4/9/9/9/9/9/K8", "", "P-5b+", "promoted"),
        ("9/4P4/9/9/9/9/9/k8/8K", "", "5b5a", "promoted"),
        ("9/4P4/9/9/9/9/9/k8/8K", "", "P-5a", "promoted"),
        ("9/4P4/9/9/9/9/9/k8/8K", "", "P-5a=", "the man has to be promoted there"),
        ("KRRBBGGGG/SSS6/9/9/9/9/9/9/k8", "", "declare", "are not there yet"),
        ("KRRBBGGGG/SSS6/9/9/9/9/9/9/k8", "p", "declare", "entered"),
    ],
    ids=[
        *("mating pawn", "mating lance", "two pawns", "stuck", "no plus", "equals", "plus", "forced", "without a sign"),
        *("impossible", "points", "entered"),
    ],
)
def test_laws_of_shogi(setup: str, hand: str, text: str, says: str) -> None:
    game, position = _set_up(setup, hand)
    assert says in _said(game, position, text)


def _said(game: ChessLike, position: Position, text: str) -> str:
    """Return why a move is refused, else how the game has ended, or whether a pawn was promoted."""
    try:
        position = after(game.rules, position, game.parse(position, 0, text))
    except PlayerError as refused:
        return refused.text
    return position.over or ("promoted" if "T" in position.board else "plain")


def test_the_worst_position_of_shogi_has_its_moves() -> None:
    """Which is known for having more moves than any other."""
    game, position = _set_up("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3", "rbgsnlp")
    assert len(game.legal_moves(position, 0)) == 593


def test_robots_of_shogi_look_at_captures_only_the_best_first() -> None:
    """In check all moves would be no end of them."""
    game, position = _set_up("k8/9/4r4/4S4/9/9/9/4p4/4R3K", "gp")
    assert [game.format(move) for move in game.loud(position, 0)] == ["5d5c+", "5d5c", "5i5h"]


@pytest.mark.slow
@pytest.mark.parametrize("text", ["7g7f", "7G-7F", "P-7f", "P76", "7776", "p7g-7f", "7g7f!"])
def test_moves_of_shogi_are_read_as_players_write_them(text: str) -> None:
    game = find("shogi")
    position = game.setup({}, 2, None)  # type: ignore[arg-type]
    assert game.format(game.parse(position, 0, text)) == "7g7f"
