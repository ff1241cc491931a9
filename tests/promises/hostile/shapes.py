"""Two hundred shapes of mails that strangers can send, each as dear as its kind gets: repeated, mixed and filled.

`python -m benchmarks.strangers` measures what each costs with everything that follows from it.
"""

from collections.abc import Iterator
from typing import NamedTuple

from pbmserv.commands import COMMANDS
from pbmserv.inbox.command import fill_example
from tests.promises.hostile.pieces import FROM, KILO, PLACES, READ, fill, padded
from tests.promises.hostile.reader_bombs import BLOCKS, BOMBS, MARKUP, MULTIPART, PARAMETERS, QUOTES

_TEN = 10  # commands that one mail can have
_MARKS = ('<div class="gmail_quote">', '<div class="gmail_quote"><blockquote>x', '<p class="a b c d e f" id="g">x</p>')
_ATTRIBUTES = ('<a b="c" ', "<a b=c d=\"e\" f='g' h>", '<td style="a:b" class="x">', "<a " + "b=c " * 200 + ">")
_QUESTIONS = (
    "list", "list all", "help", "help all", "help commands", "help tumble", "tumble help", "tumble show alice",
    "forgot alice",
    "tumble show 101 101 101 101 101", "tumble record 101", "tumble preview new h4-g5", "tumble stats", "games",
    "tumble standings", "tumble list", "seeks", "who alic", "tumble nonsense", "nonsense", "tumble show 101#0",
    "tournament list", "tumble show 999",
)  # fmt: skip
_LINES = tuple(fill_example(c, None).replace("PASSWORD", "wrong-secret") for c in COMMANDS)
_WORDS = (
    "a" * 80 + " ",
    "a ",
    "-c=1 ",
    "--as=a:b ",
    "101 ",
    "c1-c2 ",
    "é" * 30 + " ",
    "\u0301\u0327",
    "=?utf-8?q?a?= ",
    "１ ",
)


class Shape(NamedTuple):
    """A mail: to the service address, or as an `answer` to a letter of alice's board."""

    name: str
    data: bytes
    answer: bool = False


def shapes() -> Iterator[Shape]:
    """Yield all shapes."""
    yield from _headers()
    yield from _texts()
    yield from _parts()
    yield from _commands()


def _headers() -> Iterator[Shape]:
    for piece in ("<=", "(", "=?utf-8?q?a?=", "a@b,"):
        for name in READ:
            yield Shape(f"15 x {name} of {piece}", PLACES[f"many {name}"](piece))
        yield Shape(f"all headers of {piece}", PLACES["mixed"](piece))
    yield Shape("Received", FROM + b"Received:\n" * 6_000 + b"\nhelp\n")
    yield Shape("long References", PLACES["long References"]("<a@b>"))


def _texts() -> Iterator[Shape]:
    for piece in QUOTES + BLOCKS:
        yield Shape(f"text of {piece!r}", FROM + b"Subject: Re: x\n\n" + padded(piece, 60 * KILO), answer=True)
        yield Shape(f"lines of {piece!r}", FROM + b"Subject: Re: x\n\nhello\n" + fill(piece, 60 * KILO), answer=True)
    for piece in (*MARKUP, *_MARKS, *_ATTRIBUTES):
        yield Shape(
            f"220 kB of {piece[:30]!r}", FROM + b"Content-Type: text/html\n\n" + fill(piece, 220 * KILO, 10**6), True
        )
    for piece in (*_MARKS, "<div>", "<p>x", "<hr>", "<br>"):
        body = fill(piece, 9_000 * len(piece), 10**6)
        yield Shape(f"9,000 tags of {piece[:30]!r}", FROM + b"Content-Type: text/html\n\n" + body, answer=True)


def _parts() -> Iterator[Shape]:
    names = (
        "many parts",
        "deep parts",
        "many dashes",
        "accents",
        "escapes",
        "empty lines",
        "deep tags",
        "base64",
        "results",
    )
    for name in names:
        yield Shape(name, BOMBS[name])
    for piece in PARAMETERS:
        yield Shape(f"50 parts with {piece!r}", BOMBS[f"parts {piece!r}"])
    for charset in ("iso-2022-jp", "hz", "gb18030", "big5", "euc-kr", "koi8-r"):
        head = FROM + f"Content-Type: text/plain; charset={charset}\n\n".encode()
        yield Shape(f"charset {charset}", head + bytes(range(1, 256)) * 240)
    part = b"--b\nContent-Type: text/plain; charset=iso-2022-jp\n\n" + b"\x1b$B" * 1_000 + b"\n"
    yield Shape("50 parts in escapes", MULTIPART + part * 49)


def _commands() -> Iterator[Shape]:
    for line in (*_QUESTIONS, *_LINES):
        yield Shape(f"10 x {line[:60]}", FROM + b"Subject: multiple\n\n" + f"{line}\n".encode() * _TEN)
    for line in ("list", "help", "tumble show 101"):
        yield Shape(f"500 x {line}", FROM + b"Subject: multiple\n\n" + f"{line}\n".encode() * 500)
        yield Shape(f"{line} {line} … in one line", FROM + b"\n" + f"{line} ".encode() * 5_000)
    for word in _WORDS:
        yield Shape(f"a line of {word[:9]!r}", FROM + b"\ntumble move 101 " + fill(word, 60 * KILO))
        yield Shape(f"an answer of {word[:9]!r}", FROM + b"Subject: Re: x\n\n" + fill(word, 2_400), answer=True)
    signups = "".join(f"signup x{n} x-secret-{n}\n" for n in range(_TEN))
    yield Shape("10 signups", FROM + b"Subject: multiple\n\n" + signups.encode())
    wrong = "".join(f"vacation alice wrong-{n}\n" for n in range(_TEN))
    yield Shape("10 wrong passwords", FROM + b"Subject: multiple\n\n" + wrong.encode())
    wrong = "".join(f"tumble challenge alice bob --as=alice:wrong-{n}\n" for n in range(_TEN))
    yield Shape("10 wrong passwords in --as", FROM + b"Subject: multiple\n\n" + wrong.encode())
