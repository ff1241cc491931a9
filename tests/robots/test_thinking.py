"""Robots find what is there to be found, play alike with the same luck, and know no more than their seat."""

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import pytest

from pbmserv.games import find
from pbmserv.games.base import AnyGame, View
from pbmserv.games.base.board import Board, Start, begin, play
from pbmserv.games.capture.chess import fen
from pbmserv.rng import NoChance, Rng
from pbmserv.robots.alphabeta import AlphaBeta
from pbmserv.robots.manners import Situation, answer
from pbmserv.robots.thinking import Problem, choose, key_of
from pbmserv.robots.tree import Nodes, Task


def after(key: str, moves: str, options: str = "", seed: str = "0" * 32) -> Board:
    game = find(key)
    named = dict.fromkeys(options.split(), "")
    board = begin(Start(game, game.usual_options(named), 2, seed))
    for move in moves.split():
        board = play(board, min(board.to_move), move).board
    return board


def chosen(board: Board, level: int, luck: str = "luck") -> str:
    seat = min(board.to_move)
    view = board.game.view(board.position, seat)
    past = frozenset({key_of(board.game, view.position)})
    problem = Problem(board.game, view, board.start.options, board.start.seats, past)
    return choose(problem, level, Rng(luck, board.ply)).text


@pytest.mark.parametrize(
    ("game", "moves", "best"),
    [
        ("chess", "f3 e5 g4", {"d8h4"}),  # mate in one
        ("chess", "e4 e5 Bc4 Nc6 Qh5 Nf6", {"h5f7"}),
        ("four", "d1 a1 e1 a2 f1 a3", {"c1", "g1"}),
        ("gomoku", "h8 a1 h9 a2 h10 a3 h11 a5", {"h7", "h12"}),
    ],
)
@pytest.mark.parametrize("level", [2, 3])
def test_a_win_in_one_is_found(game: str, moves: str, best: set[str], level: int) -> None:
    assert chosen(after(game, moves), level) in {find(game).normalise(text) for text in best} | best


def test_the_same_luck_gives_the_same_move() -> None:
    board = after("othello", "d3 c3")
    assert chosen(board, 2) == chosen(board, 2)


def true_view(game: AnyGame, board: Board, seat: int) -> View[object]:
    """What a robot that cheats would be given."""
    return View(seat, board.position)


def _shots(fleet: tuple[str, ...]) -> Board:
    """A board of Sea Battle where Red is to shoot, and Blue's ships lie so."""
    board = after("battleship", "random random")
    position = replace(board.position, fleets=(board.position.fleets[0], fleet), turn=0)
    return replace(board, position=position)


def test_a_robot_does_not_know_where_the_ships_are() -> None:
    """With the true fleet it would hit with each shot. Ours shoots alike whatever the true fleet is."""
    one = _shots(("a1-e1", "a2-d2", "a3-c3", "a4-c4", "a5-b5"))
    other = _shots(("f10-j10", "g9-j9", "h8-j8", "h7-j7", "i6-j6"))
    ours = {chosen(board, 2) for board in (one, other)}
    assert len(ours) == 1
    cheats = set()
    for board in (one, other):
        problem = Problem(board.game, true_view(board.game, board, 0), board.start.options, 2)
        cheats.add(choose(problem, 2, Rng("luck", board.ply)).text)
    assert len(cheats) == 2


def test_a_robot_does_not_know_the_dice_to_come() -> None:
    """The seed of the board decides the next dice, and no robot gets it."""
    for board in (after("backgammon", "", seed=f"{n:032x}") for n in range(5)):
        twin = replace(board, start=replace(board.start, seed="f" * 32))
        assert chosen(board, 1) == chosen(twin, 1)


@pytest.mark.parametrize("options", ["", "quick"])
def test_a_robot_does_not_know_hidden_tiles(options: str) -> None:
    """Two boards of 3io that one seat cannot tell apart: its robot plays alike on both."""
    board = after("3io", "", options)
    seat = min(board.to_move)
    game = board.game
    seen = game.view(board.position, seat).position
    assert chosen(board, 1) == chosen(replace(board, position=seen), 1)


def test_a_great_lead_is_no_forced_win() -> None:
    """A robot that is far ahead still searches as deep as its nodes allow."""
    ahead = fen.read("7k/8/8/8/8/8/8/KQRR4 w - - 0 1")
    search = AlphaBeta(Task(find("chess"), ahead, ahead.turn, 2), Nodes(2000), Rng("luck", 0))
    search.run()
    assert search.depth > 1


@pytest.mark.parametrize(("moves", "seen", "is_lost"), [("d1 a1 e1 a2 f1", 7, True), ("d1 d2", 2, False)])
def test_a_robot_looks_at_more_than_the_promising_moves_only_if_those_lose(
    moves: str, seen: int, is_lost: bool
) -> None:
    board = after("four", moves)
    narrow = type("Narrow", (type(board.game),), {"promising": 2})()
    wide, search = (
        AlphaBeta(Task(game, board.position, board.position.turn, 2), Nodes(500), Rng("luck", 0)).run()
        for game in (board.game, narrow)
    )
    assert len(search.values) == seen
    assert (search.is_proven, search.value < -0.9) == (is_lost, is_lost)
    assert search.depth > wide.depth or is_lost


@pytest.mark.slow
def test_a_win_is_seen_even_if_there_are_more_moves_than_nodes() -> None:
    board = after("gomoku", "h8 a1 i8 c1 j8 e1 k8 g1")
    values = set()
    for luck in range(8):
        position, seat = board.position, min(board.to_move)
        choice = choose(Problem(board.game, View(seat, position), board.start.options, 2), 1, Rng(f"{luck}", 0))
        if choice.text in ("g8", "l8"):
            values.add(choice.value)
    assert values <= {1.0}
    assert values


@pytest.mark.slow
@pytest.mark.parametrize(
    "men",
    ["8/8/8/3k4/8/8/8/Q6K", "4k3/5p2/8/8/8/8/8/Q3K3", pytest.param("8/8/8/3k4/8/8/8/R6K", marks=pytest.mark.slow)],
)
def test_the_weakest_level_mates_a_king_alone_or_with_a_pawn(men: str) -> None:
    game, position = find("chess"), fen.read(f"{men} w - - 0 1")
    past = set[Hashable]()
    while not game.outcome(position):
        past.add(key_of(game, position))
        problem = Problem(game, game.view(position, position.turn), {}, 2, frozenset(past))
        text = choose(problem, 1 if position.turn == 0 else 2, Rng("luck", len(past))).text
        move = game.parse(position, position.turn, text)
        position = game.apply(position, position.turn, move, NoChance()).position
    assert position.over == "mate"
    assert len(past) <= 100  # else it is a draw


def test_weak_levels_make_no_silly_mistakes() -> None:
    """A child is seldom mated at f7, and who knows the rules never, and leaves no queen to a pawn."""
    board = after("chess", "e4 e5 Bc4 Nc6 Qh5")

    def mated(level: int) -> int:
        """Return how often in ten times."""
        boards = [play(board, 1, chosen(board, level, f"{luck}")).board for luck in range(10)]
        texts = [map(then.game.format, then.game.legal_moves(then.position, 0)) for then in boards]
        return sum(
            "h5f7" in legal and bool(play(then, 0, "h5f7").board.result)
            for then, legal in zip(boards, texts, strict=True)
        )

    assert mated(1) <= 2
    assert mated(2) == 0
    attacked = after("chess", "e4 Nf6 Nc3 Nh5 Qxh5 e6 Bd3 Be7")
    assert all(chosen(attacked, 2, f"{luck}") != "h5h6" for luck in range(10))


@pytest.mark.parametrize(
    "men",
    [
        "rn5r/pb2kpb1/1ppq2pn/1P1P2N1/P4PPp/B3P3/5K1P/R4BQR",
        "1q1k3r/4n3/Np1p2P1/8/P7/1Pb2K1p/1p2R2P/3Q3R",
        "6r1/1q1kn1b1/N2p2P1/p7/8/1P2R2p/1p2K1QP/7R",
        "8/1p1qbkr1/2P2p1n/p4N1p/nr3pP1/1P2P2b/P2P1K2/R1B2BNR",
    ],
)
def test_level_2_leaves_no_queen_to_be_taken_for_nothing(men: str) -> None:
    """Black looks at each of his moves, though checks and captures after the first ones cost more than his nodes."""
    game, position = find("chess"), fen.read(f"{men} b - - 0 1")
    problem = Problem(game, View(1, position), {}, 2)
    texts = {choose(problem, 2, Rng(f"{luck}", 0)).text for luck in range(10)}
    assert not [text for text in texts if _leaves_queen(position, text)]


def _leaves_queen(position: Any, text: str) -> bool:
    """Return whether White can take the queen after a move that takes no queen, and Black cannot take back."""
    game = find("chess")
    move = game.parse(position, 1, text)
    then = game.apply(position, 1, move, NoChance()).position
    if position.board[move.target] == "Q":
        return False
    answers = [answer for answer in game.legal_moves(then, 0) if then.board[answer.target] == "q"]
    ends = [(answer.target, game.apply(then, 0, answer, NoChance()).position) for answer in answers]
    return any(square not in {back.target for back in game.legal_moves(end, 1)} for square, end in ends)


@pytest.mark.parametrize(
    ("game", "options", "first", "swaps"),
    [
        ("hex", "", "f6", True),
        ("hex", "", "a1", False),
        ("hex", "noswap", "f6", False),
        ("havannah", "", "h8", True),
        ("havannah", "", "a1", False),
    ],
)
def test_a_strong_first_move_is_taken_over(game: str, options: str, first: str, swaps: bool) -> None:
    board = after(game, first, options)
    situation = Situation(Problem(board.game, board.game.view(board.position, 1), board.start.options, 2), is_turn=True)
    assert (answer(situation, 1, Rng("luck", 1)) == "swap") == swaps


@pytest.mark.parametrize("game", ["hex", "havannah"])
def test_a_first_stone_cuts_the_pie_fairly(game: str) -> None:
    """Neither in the middle, where it would be taken over, nor at the edge; and not always the same."""
    board = after(game, "")
    problem = Problem(board.game, board.game.view(board.position, 0), board.start.options, 2)
    stones = {answer(Situation(problem, is_turn=True), 1, Rng(f"{luck}", 0)) for luck in range(9)}
    assert len(stones) > 2
    for stone in stones:
        then = play(board, 0, stone).board
        assert board.game.agreement(board.game.view(then.position, 1), Rng("luck", 1)) == ()
        assert stone != "a1"
