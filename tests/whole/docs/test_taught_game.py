"""docs/adding-a-game.md teaches with a game of ours: its code is that game's, and the suite says what the page says."""

import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from pbmserv.conformance import checks, picture_checks
from pbmserv.conformance.test_info import LONGEST_NAME
from pbmserv.conformance.walks import Playthrough, Walk, record, setups
from pbmserv.games.base import Cell, Picture, Piece, Seat, Step, View
from pbmserv.games.base.picture import on_grid
from pbmserv.games.connection.four import FourInARow, Position
from pbmserv.rng import Rng
from tests.tools.tree import ROOT

PAGE = (ROOT / "docs/adding-a-game.md").read_text()
MODULE = (ROOT / "pbmserv/games/connection/four.py").read_text()


def test_the_code_on_the_page_is_the_code_of_the_game() -> None:
    shown = re.findall(r"```python\n(.*?)\n```", PAGE, re.DOTALL)
    assert len(shown) > 8
    assert [code for code in shown if bare(code) not in bare(MODULE)] == []


def bare(code: str) -> str:
    """Code without indentation and empty lines: on the page, methods stand alone."""
    return "\n".join(line.strip() for line in code.splitlines() if line.strip())


class MovesAfterTheEnd(FourInARow):
    def to_move(self, position: Position) -> frozenset[Seat]:
        return frozenset({position.turn})


class NarrowPattern(FourInARow):
    info = replace(FourInARow.info, pattern="[a-j][1-2]")


@dataclass(frozen=True)
class WithList(Position):
    line: Any = ()


class KeepsAList(FourInARow):
    def apply(self, position: Position, seat: Seat, move: str, rng: Rng) -> Step[Position]:
        after = super().apply(position, seat, move, rng).position
        return Step(WithList(after.squares, after.size, after.turn, after.won, [move]))


class Remembers(FourInARow):
    def apply(self, position: Position, seat: Seat, move: str, rng: Rng) -> Step[Position]:
        self.last = move
        return super().apply(position, seat, move, rng)


class OneSign(FourInARow):
    def picture(self, view: View[Position]) -> Picture:
        colours = {"R": "red", "Y": "yellow"}
        cells = [
            Cell(view.position.grid.name(s), pieces=(Piece(colours[man], "O"),) if man in colours else ())
            for s, man in enumerate(view.position.squares)
        ]
        return on_grid(view.position.grid, cells)


class EvaluatesTheSame(FourInARow):
    def evaluate(self, position: Position, seat: Seat) -> float:
        return super().evaluate(position, 0)


#: In the order of the table: the mistake, and the check that finds it.
MISTAKES: tuple[tuple[FourInARow, Callable[[Playthrough], None]], ...] = (
    (MovesAfterTheEnd(), checks.endings),
    (NarrowPattern(), checks.canonical_texts),
    (KeepsAList(), checks.positions),
    (Remembers(), checks.statelessness),
    (OneSign(), picture_checks.differences_in_the_picture),
    (EvaluatesTheSame(), checks.evaluations),
)
ANSWERS = [
    row.split("|")[2].strip().replace("`", "")
    for row in re.findall(r"\| mistake \| answer \|\n\|---\|---\|\n((?:\|.*\n)+)", PAGE)[0].splitlines()
]


def test_the_game_with_hidden_bids_passes_all_checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its module is that of the page. Two games: all three play to the end, and two of them leave."""
    files = dict(re.findall(r"```\w+ file=(prizes/\S+)\n(.*?)\n```", PAGE, re.DOTALL))
    assert files.keys() == {"prizes/__init__.py", "prizes/templates/help/prizes.txt"}
    (tmp_path / "prizes").mkdir()
    (tmp_path / "prizes/__init__.py").write_text(files["prizes/__init__.py"])
    monkeypatch.syspath_prepend(tmp_path)
    game = importlib.import_module("prizes").Prizes()
    (setup,) = setups(game)
    for leave in (frozenset[int](), frozenset({3, 8})):
        whole = record(game, Walk("prizes", setup, 1, leave))
        assert whole.boards[-1].result
        last = whole.boards[-1].position
        numbers = (" ".join(map(str, values)) for values in (last.prizes, last.points))
        named = zip(("Prizes", "Points"), numbers, strict=True)
        assert game.picture(game.view(last, None)).lines == tuple(f"{name}: {text}" for name, text in named)
        for check in checks.CHECKS:
            check(whole)


def test_the_table_of_limits_has_no_gap() -> None:
    assert f"| `name` | {LONGEST_NAME} characters |" in PAGE
    assert "{" not in PAGE.partition("## Limits")[2].partition("\n## ")[0]


def test_the_table_has_each_mistake() -> None:
    assert len(ANSWERS) == len(MISTAKES)


@pytest.mark.parametrize(("made", "answer"), list(zip(MISTAKES, ANSWERS, strict=False)), ids=ANSWERS)
def test_the_suite_answers_as_the_page_says(
    made: tuple[FourInARow, Callable[[Playthrough], None]], answer: str
) -> None:
    game, check = made
    with pytest.raises(AssertionError) as caught:
        check(played(game))
    assert answer in str(caught.value).replace("`", "")


def played(game: FourInARow) -> Playthrough:
    setup = next(s for s in setups(game) if not s.options)
    return record(game, Walk(game.info.key, setup, 1, frozenset()))
