"""The charsets that mailers use are read in headers and bodies; every other name is refused."""

from base64 import b64encode

import pytest

from pbmserv.mail.inbound import Mail, Standing, read

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
}
NO_CHARSETS = ("utf-7", "utf-16", "rot13", "zip", "hex", "idna", "punycode", "unicode_escape", "x-none", "é", "a" * 300)


def _mail(charset: str, text: bytes, subject: str = "list") -> Mail:
    head = f"From: alice@example.org\nSubject: {subject}\nContent-Type: text/plain; charset={charset}\n\n"
    return read(head.encode() + text, is_ours=lambda left: False)


@pytest.mark.parametrize("charset", WORDS)
def test_words_are_read(charset: str) -> None:
    data = WORDS[charset].encode(charset)
    mail = _mail(charset, data, f"say =?{charset}?B?{b64encode(data).decode()}?=")
    assert (mail.subject, mail.body) == (f"say {WORDS[charset]}", WORDS[charset])


@pytest.mark.parametrize("charset", ["us-ascii", "", "unknown-8bit", "iso-8859-1", '"Windows-1252"'])
def test_western_bytes_are_read_whatever_they_are_called(charset: str) -> None:
    assert _mail(charset, "5 €".encode("cp1252")).body == "5 €"


@pytest.mark.parametrize("charset", NO_CHARSETS)
def test_other_names_are_refused(charset: str) -> None:
    mail = _mail(charset, b"h4-f6")
    assert mail.standing is Standing.REFUSED
    assert "Please use UTF-8." in mail.problem
    assert len(mail.problem) < 130


@pytest.mark.parametrize("charset", ["utf-7", "x-none", "utf-16"])
def test_other_names_are_refused_in_a_subject(charset: str) -> None:
    assert _mail("utf-8", b"", f"=?{charset}?Q?list?=").standing is Standing.REFUSED


def test_bytes_that_are_wrong_do_not_lose_the_rest() -> None:
    assert _mail("utf-8", b"h4-f6\n\n5 \x80").body == "h4-f6\n\n5 \ufffd"


def test_an_unreadable_name_is_no_reason_to_refuse() -> None:
    mail = read(b"From: =?x-none?Q?Alice?= <alice@example.org>\n\nlist", is_ours=lambda left: False)
    assert (mail.standing, mail.name, mail.body) == (Standing.NORMAL, "", "list")
