"""Headers and bodies are read in the charsets that mailers use. Every other name is refused, if the bytes need one.

Cleaning keeps what a person wrote. Folding turns all spellings of a command word into one.
"""

import unicodedata
from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv.mail.inbound import Mail, Standing, read
from pbmserv.mail.reading.encoding import clean, clean_line, fold

WORDS = {
    "utf-8": "große Züge ✓",
    "iso-8859-1": "große Züge",
    "ISO-8859-2": "żółw",
    "iso-8859-15": "œuvre €",
    "windows-1251": "ход",
    "koi8-r": "ход",
    "iso-8859-7": "κίνηση",
    "gb2312": "好棋",
    "gbk": "好棋",
    "gb18030": "好棋",
    "big5": "好棋",
    "hz-gb-2312": "好棋",
    "ISO-2022-JP": "いい手です",
    "shift_jis": "いい手です",
    "euc-jp": "いい手です",
    "euc-kr": "좋은 수",
    "ks_c_5601-1987": "좋은 수",
    "iso-2022-kr": "좋은 수",
    "utf-16": "große Züge ✓",
    "utf-16-le": "ход",
}
# What programs write, and Python's name.
NAMES = {
    "cp-1252": "cp1252",
    "ISO-8859-1:1987": "latin_1",
    "latin-9": "iso8859_15",
    "latin2": "iso8859_2",
    "ibm437": "cp437",
    "IBM850": "cp850",
    "cp65001": "utf_8",
    "utf8mb4": "utf_8",
}
# What people wrote, with the charset that their program did not name.
UNNAMED = {
    "gb2312": "好棋！我没有想到这一步。",
    "hz": "好棋！我没有想到这一步。",
    "big5": "這步棋下得真好，明天再見",
    "euc_kr": "좋은 수입니다! 내일 봐요",
    "euc_jp": "いい手ですね。また明日。",
    "shift_jis": "いい手ですね。また明日。",
    "koi8_r": "Хороший ход! До завтра",
    "cp1251": "Хороший ход! До завтра",
    "cp1250": "Dziękuję, życzę powodzenia",
    "iso8859_7": "Καλή κίνηση! Δεν το είδα.",
    "cp1255": "מהלך יפה! לא ראיתי את זה",
    "cp1252": "Schöner Zug, à demain – ¿qué?",
}
NO_CHARSETS = ("utf-7", "cp037", "rot13", "zip", "hex", "idna", "punycode", "unicode_escape", "x-martian", "a" * 300)
PASSWORDS = ("s–cret1", "“secret”", "ｓｅｃｒｅｔ", "²secret", "p'ass`word")


def _mail(charset: str, text: bytes, subject: str = "list") -> Mail:
    head = f"From: alice@example.org\nSubject: {subject}\nContent-Type: text/plain; charset={charset}\n\n"
    return read(head.encode() + text, is_ours=lambda left: False)


@pytest.mark.parametrize("charset", WORDS)
def test_words_are_read(charset: str) -> None:
    data = WORDS[charset].encode(charset)
    mail = _mail(charset, data, f"say =?{charset}?B?{b64encode(data).decode()}?=")
    assert (mail.subject, mail.body) == (f"say {WORDS[charset]}", WORDS[charset])


@pytest.mark.parametrize("charset", NAMES)
def test_other_spellings_of_a_name_are_read(charset: str) -> None:
    assert _mail(charset, "größe".encode(NAMES[charset])).body == "größe"


@pytest.mark.parametrize("charset", ["iso-8859-1", "windows-1251", "shift_jis", "x-martian", "utf-16"])
def test_utf_8_is_read_whatever_it_is_called(charset: str) -> None:
    data = "Grüße – よろしく".encode()
    mail = _mail(charset, data, f"=?{charset}?B?{b64encode(data).decode()}?=")
    assert mail.subject == mail.body == data.decode()


@pytest.mark.parametrize("charset", ["us-ascii", "", "unknown-8bit", "iso-8859-1", '"Windows-1252"', "utf-8"])
def test_western_bytes_are_read_whatever_they_are_called(charset: str) -> None:
    for text in ("5 €", "¡Buena jugada!"):
        assert _mail(charset, text.encode("cp1252")).body == text


@pytest.mark.parametrize("codec", UNNAMED)
def test_words_are_read_in_a_charset_that_nobody_named(codec: str) -> None:
    head = f"From: alice@example.org\nSubject: {UNNAMED[codec]}\n"
    for more in ("", "Content-Type: text/plain; charset=us-ascii\n"):
        data = f"{head}{more}\nh4-f6\n\n{UNNAMED[codec]}".encode(codec)
        mail = read(data, is_ours=lambda left: False)
        assert (mail.subject, mail.body) == (UNNAMED[codec], f"h4-f6\n\n{UNNAMED[codec]}")


@pytest.mark.parametrize("charset", NO_CHARSETS)
def test_other_names_are_refused(charset: str) -> None:
    mail = _mail(charset, b"h4-f6 \xe9")
    assert mail.standing is Standing.REFUSED
    assert "Please use UTF-8." in mail.problem
    assert len(mail.problem) < 130


@pytest.mark.parametrize("charset", ["x-user-defined", "x-martian", "rot13", '"latin-42"', "utf-16"])
def test_bytes_of_ascii_are_read_whatever_they_are_called(charset: str) -> None:
    mail = _mail(charset, b"h4-f6", f"=?{charset}?Q?list?=")
    assert (mail.subject, mail.body) == ("list", "h4-f6")


@pytest.mark.parametrize("charset", ["utf-7", "x-martian"])
def test_bytes_of_ascii_that_mean_something_else_are_not(charset: str) -> None:
    assert _mail(charset, b"h4-f6 \x0e$h~{").standing is Standing.REFUSED


JAPANESE = b"\x1b$B-!-j$h$m$7$/\x1b(B h4"


@pytest.mark.parametrize("charset", ["iso-2022-jp", "us-ascii", "", "utf-8", "iso-2022-jp-ms", "cp50221", "x-martian"])
def test_signs_of_nec_in_japanese(charset: str) -> None:
    assert _mail(charset, JAPANESE).body == "①㈱よろしく h4"


@pytest.mark.parametrize(
    ("charset", "data", "text"),
    [
        ("iso-2022-jp", b"\x1b$B-!\x1b(I1:\x1b(B h4", "①ｱｺ h4"),
        ("", b"\x1b(I1:\x1b(B", "ｱｺ"),
        ("", b"\x1b$)C\x0e>H\x0f h4", "안 h4"),
        ("euc-jp", b"\xad\xa1\xa4\xe8", "①よ"),
    ],
)
def test_other_signs_of_the_east(charset: str, data: bytes, text: str) -> None:
    assert _mail(charset, data).body == text


@pytest.mark.parametrize("charset", ["", "; charset=us-ascii", "; charset=utf-8", "; charset=x-martian"])
@pytest.mark.parametrize(
    ("meta", "codec"),
    [
        ("<meta charset=windows-1251>", "cp1251"),
        ("<META http-equiv=x content='text/html; charset=\"KOI8-R\"'>", "koi8_r"),
        ("<?xml version='1.0' encoding='windows-1251'?>", "cp1251"),
        ("<meta charset=rot13>", "utf-8"),
        ("<meta charset=iso-8859-1>", "utf-8"),  # a program converted the text, and not this name of its charset
    ],
)
def test_html_names_its_charset(meta: str, codec: str, charset: str) -> None:
    head = f"From: alice@example.org\nSubject: list\nContent-Type: text/html{charset}\n\n<html>{meta}</head><p>"
    assert read(head.encode() + "Привет".encode(codec), is_ours=lambda left: False).body == "Привет"


@pytest.mark.parametrize("charset", ["utf-7", "x-martian"])
def test_other_names_are_refused_in_a_subject(charset: str) -> None:
    assert _mail("utf-8", b"", f"=?{charset}?Q?list=E9?=").standing is Standing.REFUSED


def test_bytes_that_are_wrong_do_not_lose_the_rest() -> None:
    assert _mail("utf-8", "h4-f6\n\nü 5".encode() + b" \x80").body == "h4-f6\n\nü 5 \ufffd"


def test_an_unreadable_name_is_no_reason_to_refuse() -> None:
    mail = read(b"From: =?x-martian?Q?Ren=E9?= <alice@example.org>\n\nlist", is_ours=lambda left: False)
    assert (mail.standing, mail.name, mail.body) == (Standing.NORMAL, "", "list")


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
    """If all text is plain, a shorter code path is used."""
    assert clean(f"{plain}好") == f"{clean(plain)}好"
    assert fold(f"{plain}好") == f"{fold(plain)}好"
