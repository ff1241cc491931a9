"""How well what programs add is told from what people write: both errors are counted, as the ADR tells them."""

import itertools
import tomllib
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

import pytest

from pbmserv.mail.inbound import read
from tests.mail.reading.client_mails import ADDRESS, LANGUAGES, LETTER, marked, named

FOLDER = Path(__file__).parent
ADDITIONS = tomllib.loads((FOLDER / "additions.toml").read_text("utf-8"))
COMMENTS = tomllib.loads((FOLDER / "comments.toml").read_text("utf-8"))
MOVE = "h4-g5t"
MOST_LEFT = 0.03  # of the mails with additions: so many may be read with another comment than was written
BLOCK = f"From: PBM Server <{ADDRESS}>\nSent: 1 Jan 2024 12:00\nTo: Alice\nSubject: Tumble Board 101"
QUOTES = [
    "",
    f"\n\n{'_' * 32}\n{BLOCK}\n\n{LETTER}",
    *(f"\n\n{named(x.gmail)}\n\n{marked(LETTER)}" for x in LANGUAGES.values()),
    *(f"\n\n{named(x.thunderbird)}\n{marked(LETTER)}" for x in LANGUAGES.values()),
]


class Case(NamedTuple):
    """What was written, and the mail that a program made of it."""

    written: str
    data: bytes


def texts(block: str) -> list[str]:
    """Return the texts of a block of a file."""
    return [text.replace("\n.\n", "\n\n") for text in block.strip("\n").split("\n\n")]


def plain(text: str) -> bytes:
    """Return a mail of plain text."""
    return f"From: alice@example.org\nContent-Type: text/plain; charset=utf-8\n\n{text}\n".encode()


def page(text: str, more: str = "") -> bytes:
    """Return a mail of HTML, as a program makes it of lines."""
    rows = "".join(f"<div>{escape(line) or '<br>'}</div>" for line in text.split("\n"))
    return f"From: alice@example.org\nContent-Type: text/html; charset=utf-8\n\n{rows}{more}".encode()


def cases() -> Iterator[Case]:
    """Return mails with each addition: comments and quotes of many languages, one addition or two, HTML."""
    comments, quotes = itertools.cycle(["", *texts(COMMENTS["above"])]), itertools.cycle(QUOTES)
    adverts = [text for block in ADDITIONS["adverts"].values() for text in texts(block)]
    notices = [text for block in ADDITIONS["notices"].values() for text in texts(block)]
    singles = [(text,) for text in (*adverts, *notices, *texts(ADDITIONS["signs"]["pictures"]), "\ufffc")]
    both = zip(adverts[::3], itertools.cycle(notices), strict=False)
    for n, added in enumerate((*singles, *both)):
        own = f"{MOVE}\n\n{next(comments)}".strip()
        yield Case(own, plain("\n\n".join((own, *added)) + next(quotes)))
        if n % 5 == 0:
            yield Case(own, page("\n".join((own, *added))))
    for line, gap in itertools.product(texts(ADDITIONS["signs"]["attributions"]), ("\n", "\n\n")):
        own = f"{MOVE}\n\n{next(comments)}".strip()
        yield Case(own, plain(f"{own}\n\n{line}{gap}{marked(LETTER)}"))
    for signature in texts(ADDITIONS["signs"]["signatures"]):
        own = f"{MOVE}\n\n{next(comments)}".strip()
        yield Case(own, page(own, signature))


def lines(text: str) -> Sequence[str]:
    """Return the lines that are not empty."""
    return [line for line in text.split("\n") if line]


@pytest.mark.slow
def test_hardly_an_addition_is_taken_for_a_comment() -> None:
    every = list(cases())
    left = [c for c in every if lines(read(c.data, is_ours=lambda left: False).body) != lines(c.written)]
    assert len(every) > 500
    assert len(left) <= MOST_LEFT * len(every), [case.data.decode() for case in left]


@pytest.mark.slow
@pytest.mark.parametrize("above", ["", "\nThanks, that was fun.\n", "\nThanks, that was fun."])
def test_no_comment_is_taken_for_an_addition(above: str) -> None:
    written = [f"{MOVE}{above}\n{text}" for text in texts(COMMENTS["written"])]
    mails = [(text, plain(text + quote)) for text in written for quote in QUOTES[:4]]
    lost = [text for text, data in mails if read(data, is_ours=lambda left: False).body != text]
    assert len(written) > 200
    assert lost == []
