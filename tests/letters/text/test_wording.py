"""Numbers and times as sentences say them."""

from datetime import timedelta

import pytest

from pbmserv.letters.text.wording import number_word, time_words


@pytest.mark.parametrize(
    ("number", "word"),
    [
        (0, "no"),
        (5, "five"),
        (12, "twelve"),
        (13, "13"),
        (30, "thirty"),
        (50, "fifty"),
        (99, "99"),
        (1000, "a thousand"),
    ],
)
def test_a_number_is_one_word_or_digits(number: int, word: str) -> None:
    assert number_word(number) == word


@pytest.mark.parametrize(
    ("time", "words"),
    [
        (timedelta(hours=1), "an hour"),
        (timedelta(hours=36), "36 hours"),
        (timedelta(days=1), "a day"),
        (timedelta(days=7), "seven days"),
        (timedelta(days=30), "thirty days"),
    ],
)
def test_a_time_is_whole_hours_or_days(time: timedelta, words: str) -> None:
    assert time_words(time) == words
