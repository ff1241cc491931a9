"""Options of the challenge: plain switches, values, and numbers in a range."""

import pytest

from pbmserv import games
from pbmserv.commands import command_language
from pbmserv.errors import PlayerError
from pbmserv.games.base import Numbers, Option
from pbmserv.inbox.lines.parse import Parser

KOMI = Option("komi", "points for White", numbers=Numbers(-50, 50, 0.5))


@pytest.mark.parametrize(
    ("written", "stored"),
    [("7.5", "7.5"), ("7,5", "7.5"), ("07.50", "7.5"), ("7", "7"), ("7.0", "7"), ("-3.5", "-3.5"), ("-0", "0")],
)
def test_a_number_has_one_spelling_on_the_board(written: str, stored: str) -> None:
    assert KOMI.read(written) == stored


@pytest.mark.parametrize("wrong", ["", "7.3", "50.5", "-51", "x", "1e1", "nan", "inf", "7.5.5", "٧", "9" * 5000, "+7"])
def test_other_numbers_are_refused_with_what_is_possible(wrong: str) -> None:
    with pytest.raises(PlayerError) as caught:
        KOMI.read(wrong)
    assert caught.value.text == "The option '-komi' needs a number from -50 to 50 in steps of 0.5."
    assert caught.value.hint == "Write for example: -komi=0"


def test_numbers_keep_all_their_digits() -> None:
    large = Option("large", "a number", numbers=Numbers(0, 999999, 0.5))
    assert large.read("123456.5") == "123456.5"
    assert large.samples == ("0", "999999", "499999.5")
    with pytest.raises(PlayerError, match=r"from 0 to 1234567 in steps of 0\.5"):
        Option("large", "a number", numbers=Numbers(0, 1234567, 0.5)).read("x")


def test_the_steps_begin_at_the_least_number() -> None:
    odd = Numbers(3, 9, 2)
    assert [odd.read(str(number)) for number in range(2, 11)] == ["", "3", "", "5", "", "7", "", "9", ""]


def test_samples_are_the_ends_and_a_number_between() -> None:
    assert KOMI.samples == ("-50", "50", "0")
    assert Option("handicap", "stones", numbers=Numbers(2, 9)).samples == ("2", "9", "5")
    assert Option("one", "only", numbers=Numbers(4, 4)).samples == ("4",)
    assert Option("size", "points", values=("9", "13")).samples == ("9", "13")
    assert Option("c", "a switch").samples == ("",)


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        (Option("c", "a switch"), "3", "The option '-c' is written like this: -c"),
        (Option("size", "x", values=("9", "13")), "10", "The option '-size' is written like this: -size=9, -size=13"),
        (Option("size", "x", values=("9", "13")), "", "The option '-size' is written like this: -size=9, -size=13"),
    ],
)
def test_switches_and_values(option: Option, value: str, told: str) -> None:
    assert option.read(option.samples[0]) == option.samples[0]
    with pytest.raises(PlayerError) as caught:
        option.read(value)
    assert caught.value.text == told


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("hex challenge alice bob -size=11", {}),
        ("hex challenge alice bob -size=011", {}),
        ("hex challenge alice bob -size=13", {"size": "13"}),
        ("hex challenge alice bob -noswap", {"noswap": ""}),
        ("hex challenge alice bob -size=9 -size=11", {}),
        ("hex challenge alice bob -size=11 -size=9", {"size": "9"}),
        ("go challenge alice bob -size=19", {}),
        ("gomoku challenge alice bob -size=15", {}),
        ("four challenge alice bob -size=7x6", {}),
        ("amazons challenge alice bob -size=10", {}),
        ("dots challenge alice bob -size=5", {}),
        ("go challenge alice bob -size=9 -size=19", {}),
    ],
)
def test_the_usual_value_is_no_option(line: str, options: dict[str, str]) -> None:
    """Boards with it are the same as those without."""
    assert Parser(command_language(), games.names()).call(line).options == options
