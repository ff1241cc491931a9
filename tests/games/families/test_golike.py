"""Capture go and team go: what wins, whose turn it is, and every check of conformance."""

from itertools import cycle

import pytest

from pbmserv.conformance.checks import CHECKS
from pbmserv.conformance.walks import Setup, Walk, record
from pbmserv.errors import PlayerError
from pbmserv.games import find
from pbmserv.games.base import Outcome
from pbmserv.games.families.golike.capture_go import CaptureGo, Race
from pbmserv.games.families.golike.team_go import TeamGo
from pbmserv.games.territory.go.phases import Position as GoPosition
from pbmserv.games.territory.go.stones import key_of
from pbmserv.rng import NoChance

_GAME = find("capturego")
assert isinstance(_GAME, CaptureGo)

#: Options, moves of Black and White in turn, the outcome.
_ENDS = [
    ({}, "a2 a1 b1", Outcome("taken", (1, 2))),
    ({"captures": "2"}, "a2 a1 b1", None),
    ({"captures": "2"}, "a3 a1 b2 a2 c1 j9 b1", Outcome("taken", (1, 2))),
]


@pytest.mark.parametrize(("options", "moves", "outcome"), _ENDS, ids=range(len(_ENDS)))
def test_who_takes_enough_stones_wins(options: dict[str, str], moves: str, outcome: Outcome | None) -> None:
    position: GoPosition = _GAME.setup(options, 2, NoChance())
    for text, seat in zip(moves.split(), cycle((0, 1)), strict=False):
        position = _GAME.apply(position, seat, _GAME.parse(position, seat, text), NoChance()).position
    assert _GAME.outcome(position) == (outcome and Outcome(outcome.reason, outcome.ranks, ()))


def _with(points: str, turn: int = 0) -> Race:
    """Return a position of 5x5 points. `points`: the rows from the south."""
    board = points.replace(" ", "")
    return Race(board, turn, seen=(key_of(board),))


def test_who_has_no_move_loses() -> None:
    """Black fills an eye that is not the last one; White has only points without a liberty."""
    before = _with("XX.X. XXXXX XXXXX XXXXX XXXX.")
    step = _GAME.apply(before, 0, _GAME.parse(before, 0, "c1"), NoChance())
    assert _GAME.outcome(step.position) == Outcome("nomove", (1, 2))


@pytest.mark.parametrize(
    ("text", "why"),
    [("pass", "nobody passes here"), ("a1", "no liberty (suicide)"), ("a2", "a2 is occupied"), ("f1", "5 points")],
)
def test_why_a_move_is_not_possible(text: str, why: str) -> None:
    position = _with(".X... X.... ..... ..... .....", turn=1)
    with pytest.raises(PlayerError) as refused:
        _GAME.parse(position, 1, text)
    assert why in refused.value.text


@pytest.mark.slow
def test_every_check_of_conformance() -> None:
    playthrough = record(_GAME, Walk("capturego", Setup((("captures", "3"), ("size", "5")), 2), 1))
    for check in CHECKS:
        check(playthrough)


_TEAM = TeamGo()


def _team(moves: str, position: GoPosition | None = None) -> GoPosition:
    """Return what moves lead to, each sent by the seat whose turn it is."""
    now: GoPosition = position or _TEAM.setup({"size": "5", "komi": "0.5"}, 4, NoChance())
    for text in moves.split():
        (seat,) = _TEAM.to_move(now)
        now = _TEAM.apply(now, seat, _TEAM.parse(now, seat, text), NoChance()).position
    return now


def test_partners_move_in_turn_and_share_the_result() -> None:
    turns = [min(_TEAM.to_move(_team(" ".join(["c3", "c2", "d3", "b2", "b3"][:n])))) for n in range(6)]
    assert turns == [0, 1, 2, 3, 0, 1]
    over = _team("c3 c2 d3 b2 b3 pass pass dead-c2 count count")
    assert _TEAM.outcome(over) == Outcome("count", (1, 2, 1, 2), (25.0, 0.5, 25.0, 0.5))


def test_the_partner_of_a_player_who_left_plays_alone() -> None:
    left = _TEAM.retire(_team("c3"), 1, NoChance()).position
    assert [min(_TEAM.to_move(_team(moves, left))) for moves in ("", "a1", "a1 a2", "a1 a2 a3", "a1 a2 a3 a4")] == [
        *(3, 2, 3, 0, 3)
    ]
    back = _TEAM.rejoin(left, 1)
    assert [min(_TEAM.to_move(_team(moves, back))) for moves in ("", "a1 a2")] == [3, 1]


@pytest.mark.slow
def test_every_check_of_conformance_with_seats_that_leave() -> None:
    for leave in (frozenset[int](), frozenset({4, 30})):
        playthrough = record(find("teamgo"), Walk("teamgo", Setup((("size", "5"),), 4), 1, leave))
        for check in CHECKS:
            check(playthrough)
