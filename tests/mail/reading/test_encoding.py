"""Cleaning keeps what a person wrote; folding makes one command word of all its spellings."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv.mail.reading.encoding import clean, clean_line, fold

PASSWORDS = ("s–cret1", "“secret”", "ｓｅｃｒｅｔ", "²secret", "p'ass`word")


@pytest.mark.parametrize("dash", "‐‑‒–—―−－﹣")
def test_every_dash_is_a_hyphen_in_a_command(dash: str) -> None:
    assert fold(f"h4{dash}f6") == "h4-f6"


@pytest.mark.parametrize(
    ("written", "folded"), [("‘a’", "'a'"), ("“a”", '"a"'), ("«a»", '"a"'), ("a′", "a'"), ("ｈ４", "h4")]
)
def test_quotes_and_wide_letters_are_folded(written: str, folded: str) -> None:
    assert fold(written) == folded


@pytest.mark.parametrize("password", PASSWORDS)
def test_cleaning_leaves_a_password_alone(password: str) -> None:
    assert clean_line(password) == password
    assert fold(password) != password


def test_a_password_is_composed() -> None:
    assert clean_line("se\u0301cret") == "sécret"


@pytest.mark.parametrize("space", "\t\xa0\u2003\u202f\u3000\u2028\r\n")
def test_every_space_separates_words(space: str) -> None:
    assert clean_line(f"{space}tumble{space}{space}move{space}") == "tumble move"


@pytest.mark.parametrize("char", "\0\x07\x1b\x7f\x9b\xad\u200b\u200d\u200e\u202e\u2066\ufeff\U000e0041\ud800")
def test_what_shows_nothing_is_dropped(char: str) -> None:
    assert clean(f"{char}tum{char}ble{char}") == "tumble"


def test_line_ends_become_lf() -> None:
    assert clean("a\r\nb\rc\u2028d\x85e\n\nf") == "a\nb\nc\nd\ne\n\nf"


@given(st.text())
def test_clean_text_stays_as_it_is(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert not any(unicodedata.category(char) in ("Cc", "Cs") and char != "\n" for char in once)


@given(st.text(st.characters(categories=("L", "N", "P", "S"))))
def test_folding_twice_changes_nothing(word: str) -> None:
    assert fold(fold(word)) == fold(word)


def test_accents_on_a_letter_have_an_end() -> None:
    assert len(clean("a" + "\u0301" * 1000)) == 30  # one of them is in the letter
    assert clean("a" + "\u0301" * 9) == "á" + "\u0301" * 8


@given(st.text(st.characters(max_codepoint=127)))
def test_plain_text_beside_other_text_is_cleaned_and_folded_as_it_is_alone(plain: str) -> None:
    """Alone it takes a shorter way."""
    assert clean(f"{plain}好") == f"{clean(plain)}好"
    assert fold(f"{plain}好") == f"{fold(plain)}好"
