"""The suite finds mistakes in real games that are wrong all over, so that every part agrees with every other part."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbmserv.conformance import picture_checks as checks
from pbmserv.conformance import test_info as info_tests
from pbmserv.conformance import test_pictures as page_tests
from pbmserv.conformance.walks import Walk, record, setups
from pbmserv.games.base import AnyGame, Cell, Options, Picture, Seat, View
from pbmserv.games.capture.chess import Chess
from pbmserv.games.capture.draughts import Draughts
from pbmserv.games.territory.amazons import Amazons
from pbmserv.letters.text.templates import Renderer
from pbmserv.rng import Rng

OTHERS = str.maketrans("♔♕♖♗♘♙♚♛♜♝♞♟", "♚♛♜♝♞♟♔♕♖♗♘♙")
OTHER_COLOUR = {"white": "black", "black": "white"}


def repainted(cell: Cell) -> Cell:
    men = (
        replace(p, colour=OTHER_COLOUR[p.colour], sign=p.sign.translate(OTHERS), letter=p.letter.swapcase())
        for p in cell.pieces
    )
    return replace(cell, pieces=tuple(men))


class SwappedColours(Chess):
    """White's men are painted black, and Black's white."""

    __module__ = Chess.__module__

    def picture(self, view: View[Any]) -> Picture:
        picture = super().picture(view)
        return replace(picture, rows=tuple(tuple(cell and repainted(cell) for cell in row) for row in picture.rows))


class SwappedNames(Chess):
    __module__ = Chess.__module__

    def seat_names(self, seats: int) -> tuple[str, ...]:
        return ("Black", "White")


class BlackBegins(SwappedColours):
    """Names and men agree, but not with the help page."""

    __module__ = Chess.__module__

    def seat_names(self, seats: int) -> tuple[str, ...]:
        return ("Black", "White")


class SecondSeatBegins(Chess):
    info = replace(Chess.info, first=1)


class DrawnAtOnce(Chess):
    info = replace(Chess.info, repetition=1)


class StrongestFirst(Chess):
    info = replace(Chess.info, nodes=(5000, 600, 60))


class NearForThreeOfFive(Chess):
    info = replace(Chess.info, near=(0.2, 0.1, 0.0))


class LevelsFromTwo(Chess):
    info = replace(Chess.info, lowest_level=2)


class EverybodyCanWin(Chess):
    """Its laws know nothing of this, and two kings alone still end the board."""

    def can_win(self, position: Any, seat: Seat) -> bool:  # type: ignore[misc]
        return True


class FlippedRows(Amazons):
    """The picture is upside down, and the numbers beside it are not."""

    __module__ = Amazons.__module__

    def picture(self, view: View[Any]) -> Picture:
        picture = super().picture(view)
        return replace(picture, rows=picture.rows[::-1])


class FlippedColumns(Amazons):
    __module__ = Amazons.__module__

    def picture(self, view: View[Any]) -> Picture:
        picture = super().picture(view)
        return replace(picture, rows=tuple(row[::-1] for row in picture.rows))


class FlippedLabels(Amazons):
    __module__ = Amazons.__module__

    def picture(self, view: View[Any]) -> Picture:
        picture = super().picture(view)
        return replace(picture, ranks=picture.ranks[::-1])


class WrongNumbers(Draughts):
    """The numbers in the squares are those of the other side."""

    __module__ = Draughts.__module__

    def picture(self, view: View[Any]) -> Picture:
        picture, many = super().picture(view), len(view.position.board)
        numbered = (tuple(c and replace(c, text=str(many + 1 - int(c.text)) if c.text else "") for c in row)
                    for row in picture.rows)  # fmt: skip
        return replace(picture, rows=tuple(numbered))


class FewerSpellings(Amazons):
    __module__ = Amazons.__module__
    info = replace(Amazons.info, pattern="[a-j][0-9]+-[a-j][0-9]+/[a-j][0-9]+")


class SmallBoard(Amazons):
    """The opening is not the one of the worked turn."""

    __module__ = Amazons.__module__

    def setup(self, options: Options, seats: int, rng: Rng) -> Any:
        return super().setup({"size": "6"}, seats, rng)


class ExampleOfTheOther(Amazons):
    __module__ = Amazons.__module__

    def example(self, position: Any, seat: Seat) -> str:
        return super().example(replace(position, turn=1 - seat), 1 - seat)


def checked(check: Callable[[Any], None]) -> Callable[[AnyGame], None]:
    return lambda game: check(record(game, Walk(game.info.key, setups(game)[0], 1)))


@pytest.mark.parametrize(
    ("game", "test", "message"),
    [
        (SwappedColours, checked(checks.colours_in_the_picture), "Seat 0 is White, but its move '.*' brings men of"),
        (SwappedNames, checked(checks.colours_in_the_picture), "Seat 0 is Black, but its move '.*' brings men of"),
        (BlackBegins, page_tests.test_the_help_page_says_who_begins, "says 'White begins', but ..Black.. is to move"),
        (SecondSeatBegins, info_tests.test_who_moves_first, "`info.first` is 1, but {0} is to move"),
        (DrawnAtOnce, info_tests.test_repetition, "`info.repetition` cannot be 1"),
        (StrongestFirst, info_tests.test_levels_of_robots, "Each level in `info.nodes` needs more"),
        (LevelsFromTwo, info_tests.test_levels_of_robots, "Levels begin with 1, or with 0 for beginners"),
        (NearForThreeOfFive, info_tests.test_levels_of_robots, "`info.near` needs one entry for each of 5 levels"),
        (EverybodyCanWin, info_tests.test_nothing_final_is_overridden, r"\['`Chess.can_win`'\] cannot be overridden"),
        (FlippedRows, checked(checks.places_in_the_diagram), "Are rows or columns in another order"),
        (FlippedColumns, checked(checks.places_in_the_diagram), "Are rows or columns in another order"),
        (FlippedLabels, checked(checks.places_in_the_diagram), "Are rows or columns in another order"),
        (WrongNumbers, checked(checks.places_in_the_diagram), "Are rows or columns in another order"),
        (FewerSpellings, page_tests.test_the_moves_on_the_help_page, "'d1d7g7', but `info.pattern` does not match"),
        (SmallBoard, page_tests.test_the_moves_on_the_help_page, "'d1-d7/g7' is not possible"),
        (ExampleOfTheOther, page_tests.test_the_moves_on_the_help_page, "is not possible"),
    ],
)
def test_a_faulty_game_fails(game: type[AnyGame], test: Callable[[AnyGame], None], message: str) -> None:
    test(next(base for base in (Chess, Draughts, Amazons) if issubclass(game, base))())
    with pytest.raises(Exception, match=re.escape(message) if "{" in message else message):
        test(game())


def test_a_translation_without_the_moves_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page_tests.test_the_help_page_in_other_languages(Amazons())
    page = tmp_path / "de" / "help" / "amazons.txt"
    page.parent.mkdir(parents=True)
    page.write_text("AMAZONS\n\nEin Zug: d1-d7/g7\n")
    faulty = Renderer(str(tmp_path))
    monkeypatch.setattr(page_tests, "renderer", lambda: faulty)
    with pytest.raises(AssertionError, match=r"in the language de does not have these moves: \['d1d7g7'\]"):
        page_tests.test_the_help_page_in_other_languages(Amazons())
