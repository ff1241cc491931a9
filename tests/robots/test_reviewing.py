"""Reviews as pure functions: what a judge has answered becomes accuracy, a curve, moments and words."""

import shutil
from collections import Counter

import pytest

from pbmserv import games
from pbmserv.games.base.board import Start, begin, play
from pbmserv.rng import Rng
from pbmserv.robots.engines import Engines, EngineSettings
from pbmserv.robots.reviewing.accuracy import accuracy, share, wins_in
from pbmserv.robots.reviewing.judging import EngineJudge, Judged, OwnSearch, judge_of, judged
from pbmserv.robots.reviewing.review import PlayedGame, Review, next_step
from pbmserv.robots.reviewing.verdict_words import Fall, why

FOOLS_MATE = "f3 e5 g4 Qh4"


def played(key: str, moves: str) -> PlayedGame:
    """Play these moves, which may be written as players write them."""
    game = games.find(key)
    board = begin(Start(game, game.usual_options({}), 2, "a seed"))
    film, texts = [board.position], []
    for text in moves.split():
        change = play(board, min(board.to_move), text)
        board = change.board
        film.append(board.position)
        texts.append((change.entry.seat, change.entry.text))
    return PlayedGame(game, board.start.options, 2, tuple(film), tuple(texts))


def reviewed(game: PlayedGame, judge: OwnSearch) -> Review:
    """Ask the judge until the review is done. Each answer is written as the database has it."""
    verdicts = list[Judged]()
    while not isinstance(step := next_step(game, verdicts, judge.name), Review):
        verdicts.append(Judged._make([*judged(step, judge)]))
    return step


def test_a_move_that_lets_itself_be_mated() -> None:
    game = played("chess", FOOLS_MATE)
    judge = judge_of(game.game, Rng("judge", 0), Engines({}))
    judge._level = 2
    review = reviewed(game, judge)
    moment = review.moments[-1]
    assert (moment.ply, moment.seat, moment.played) == (2, 0, "g2g4")
    assert (moment.why, moment.reply) == ("This allowed mate in 1.", ("Qh4#",))
    assert review.curve[-1] == 0
    white, black = review.accuracy
    assert white is not None
    assert black is not None
    assert white < 60 < 90 < black
    assert Review.of(review._asdict()) == review
    assert Review.of({**review._asdict(), "moments": [[*moment[:8]]]}).moments == (moment._replace(others=()),)


def test_where_ships_lie_is_no_moment() -> None:
    game = played("battleship", "a1-e1 random random")
    verdicts = [judged(game.question(ply), judge_of(game.game, Rng("judge", 0), Engines({}))) for ply in range(3)]
    assert [(verdict.best, verdict.value) for verdict in verdicts] == [("random", None)] * 3


def test_who_misses_two_ways_to_win_reads_of_both_and_a_longer_way_is_as_good() -> None:
    game = played("four", "d g c g e g a g")
    judge = judge_of(game.game, Rng("judge", 0), Engines({}))
    judge._level = 2
    moment = reviewed(game, judge).moments[-1]
    assert (moment.played, moment.better, moment.others) == ("a1", "b1", ("f1", "g4"))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("stockfish") is None and shutil.which("/usr/games/stockfish") is None, reason="none")
def test_an_engine_of_the_operator_judges() -> None:
    command = shutil.which("stockfish") or "/usr/games/stockfish"
    engines = Engines({"fish": EngineSettings(command, "uci", nodes=2000)})
    try:
        game = played("chess", FOOLS_MATE)
        judge = judge_of(game.game, Rng("judge", 0), engines)
        assert isinstance(judge, EngineJudge)
        review = reviewed(game, judge)
        assert review.judge == "the engine fish"
        assert review.moments[-1].why == "This allowed mate in 1."
    finally:
        engines.close()


@pytest.mark.parametrize(("loss", "least", "most"), [(0.0, 99.9, 100), (0.05, 79, 81), (0.2, 39, 41), (1.0, 0, 0)])
def test_accuracy_is_that_of_the_page_of_lichess(loss: float, least: float, most: float) -> None:
    assert least <= accuracy(loss) <= most


def test_values_as_chances_and_wins() -> None:
    assert (share(0.0), share(1.0001), share(-1.0), share(30, top=120)) == (0.5, 1.0, 0.0, 0.25)
    assert [wins_in(value) for value in (1.0, 0.9998, 0.9996, 0.98, -1.0)] == [1, 2, 3, 0, 0]


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"allowed": 2}, "This allowed mate in 2."),
        ({"missed": 1}, "This missed mate in 1."),
        ({"lost": {"knight": 1}}, "This lost the knight."),
        ({"lost": {"knight": 1}, "taken": {"bishop": 1}}, "This let the win slip."),
        ({"lost": {"rook": 1, "pawn": 2}, "taken": {"pawn": 1}}, "This lost the rook and a pawn."),
        ({"lost": {"queen": 1}, "taken": {"rook": 1}}, "This gave the queen for the rook."),
        ({"missed_men": {"pawn": 2}}, "This missed a chance to win 2 pawns."),
        ({"points": 9.4}, "This cost about 9 points."),
        ({"before": 0.5, "after": 0.1}, "After this the game was nearly lost."),
    ],
)
def test_words_follow_from_facts(facts: dict[str, object], words: str) -> None:
    men = {name: Counter(facts.pop(name, {})) for name in ("lost", "taken", "missed_men")}  # type: ignore[call-overload]
    usual = {"opponent": "Black", "before": 0.8, "after": 0.5, "missed": 0, "allowed": 0, "points": None}
    assert why(Fall(games.find("chess"), **{**usual, **facts}, **men)) == words  # type: ignore[arg-type]
