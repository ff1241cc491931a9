"""Three hundred shapes of mails that strangers can send, each as dear as its kind gets: repeated, mixed and filled.

`python -m benchmarks.strangers` measures what each costs with everything that follows from it.
"""

from base64 import encodebytes
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pbmserv import games
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
_MANY = b"Subject: multiple\n\n"
_HTML = FROM + b"Content-Type: text/html; charset=utf-8\n\n"
_TOPICS = ("commands", "tutorial", "ratings", "options", "dice", "receipts", "robots", "tournaments", "webhooks", "all")
_MIXED = (
    "help commands", "tumble show 101 101 101 101 101", "tumble record 101", "tumble standings", "list", "games",
    "tumble preview new", "who alice", "tumble history alice", "tumble help",
)  # fmt: skip
_TYPOS = ("hlep", "lits", "gmaes", "staandings", "tumbel", "sekks", "recrod", "hisotry", "preveiw", "challegne")
#: Pages as long as they may be: many elements, deep ones, and text that must be looked at.
_PAGES = {
    "deep div": "<div>" * 4_900 + "x" + "</div>" * 4_900,
    "deep blockquote": "<blockquote>" * 4_900 + "x" + "</blockquote>" * 4_900,
    "deep table": "<table><tr><td>" * 1_600 + "x" + "</td></tr></table>" * 1_600,
    "tags that nothing closes": "".join(f"<x{n}>" for n in range(4_900)) + "".join(f"</y{n}>" for n in range(4_900)),
    "entities": "&#233;&nbsp;&eacute;&CounterClockwiseContourIntegral;" * 4_000,
    "CSS": "<style>" + "a{b:c}\n" * 20_000 + "</style><p>x",
    "styles": "".join(f"<p style='margin:{n};border-left:1px solid #ccc'>x{n}</p>" for n in range(4_000)),
    "classes": "".join(f"<p class='a{n} gmail{n}' id=i{n}>x</p>" for n in range(4_300)),
    "classes of one tag": ("<p class='" + "a b c d " * 100 + "'>x") * 250,
    "signatures": "".join(f"<p class='signature a{n}'>I</p>&gt;<br>" for n in range(2_400)),
    "nothing but a signature": "<p class=signature>" + "".join(f"<p class='a{n}'>-</p>" for n in range(4_300)),
    "links": "".join(f"<a href='mailto:a{n}@b.example?subject=x&body={n}'>x</a><br>" for n in range(3_000)),
    "preformatted": "<pre>" + "> x\n" * 4_900 + "</pre>",
    "attributions": "<div>On Mon, 1 Jan 2024 at 12:00 A &lt;a@b&gt; wrote:<br></div>" * 1_500,
    "quotes": "<div class=gmail_attr>On x, a wrote:<br></div><blockquote class=gmail_quote>x</blockquote>y" * 900,
}
#: Lines that may be quotes, headers, moves or sentences; the first line is no move.
_ANSWERS = {
    "dates": "Mon, 1 Jan 2024 12:00:00 +0000\n" * 1_900,
    "attributions in a line": "On Mon, 1 Jan 2024 at 12:00, A B <a@b.example> wrote:\n\nx\n" * 1_100,
    "attributions in two lines": "On Mon, 1 Jan 2024 at 12:00, A B\n<a@b.example> wrote:\n\nx\n" * 1_100,
    "attributions in German": "Am 01.01.2024 um 12:00 schrieb A <a@b.example>:\n" * 1_200,
    "headers in German": "Von: a\nAn: b\nBetreff: c\nDatum: d\n\n" * 1_000,
    "headers far from each other": "From: a\nx\nx\nx\nx\nx\nx\nx\nTo: b\n" * 550,
    "headers in no language": "Xa: a\nXb: b\nXc: 12:00\n\n" * 1_200,
    "lines between quotes": "> On x wrote:\n> > y\nz\n" * 1_600,
    "bars": "\u2502 x y z\n| x\n\xbb y\n" * 1_600,
    "full-width signs": "\u767a\u8a00\uff1a\u898b\n\uff1e\u3042\n" * 2_400,
    "marks on letters": "a\u0301\u0327\u0316" * 8_000,
    "footers": "This mail has a virus and is confidential, check it\n" * 1_200,
    "footers in paragraphs": "This message was checked by us, http://a.example\n\nSent from my phone\n\n" * 850,
    "footers between quotes": "> x\nThis mail was scanned for the virus by nobody\n" * 1_200,
    "moves": "c1-c2\n" * 4_900,
    "moves in a line": "c1-c2 " * 10_000,
    "denials": "not d4 never e4 I will not play f5 or c1-c2 " * 50,
    "sentences": "I think c1-c2 or f6-f5 are good moves, but not h4-g5t here. " * 900,
    "a letter of ours": "Your move, alice.\n  +--------+--------+\n 8|        |W1      |\n" * 700,
}
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
    yield from _mixed_commands()
    yield from _senders()
    yield from _encodings()
    for name, page in _PAGES.items():
        yield Shape(f"page of {name}", _HTML + page.encode(), answer=True)
    for name, text in _ANSWERS.items():
        yield Shape(f"answer of {name}", FROM + f"\nhello\n{text}".encode(), answer=True)


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
    chinese = "\u597d\u68cb\u8c22\u8c22".encode("gb2312")
    for raw in (chinese, chinese + b"\n", b"~{:CFe~}\n", b"~{:CFe", bytes(range(128, 256))):
        data = FROM + b"Subject: " + chinese * 400 + b"\n\nhello\n" + raw * min(60 * KILO // len(raw), 4_900)
        yield Shape(f"no charset: {raw[:9]!r}", data, answer=True)
    subjects = b"".join(b"Subject: %d\xd0\xbb\n" % n for n in range(3_500))
    yield Shape("subjects without a charset", FROM + subjects + b"\nx\n")
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
    doubts = "".join(f"no {text} {text} {text}. " * 3 + "\n" for text in ("c1-c2", "f6-f5", "c2-c1", "f5-f6") * 8)
    yield Shape("a move and doubts", FROM + f"Subject: Re: x\n\nc1-c2\n{doubts}".encode(), answer=True)
    yield Shape(
        "an answer of unknown words", FROM + b"Subject: Re: x\n\nziggy zaggy bimbam bambum zogzog\n", answer=True
    )
    signups = "".join(f"signup x{n} x-secret-{n}\n" for n in range(_TEN))
    yield Shape("10 signups", FROM + b"Subject: multiple\n\n" + signups.encode())
    wrong = "".join(f"vacation alice wrong-{n}\n" for n in range(_TEN))
    yield Shape("10 wrong passwords", FROM + b"Subject: multiple\n\n" + wrong.encode())
    wrong = "".join(f"tumble challenge alice bob --as=alice:wrong-{n}\n" for n in range(_TEN))
    yield Shape("10 wrong passwords in --as", FROM + b"Subject: multiple\n\n" + wrong.encode())
    one = b"signup x%d x-secret-0\n"
    chain = b"".join(b"change password x x-secret-%d x-secret-%d\n" % (n, n + 1) for n in range(9))
    yield Shape("a new password nine times", FROM + _MANY + one.replace(b"%d", b"") + chain)
    mixed = b"vacation alice wrong\n" + one % 1 + one % 2
    yield Shape("a wrong password and two signups", FROM + _MANY + mixed)
    yield Shape("two signups and a wrong password", FROM + _MANY + one % 3 + one % 4 + b"vacation alice wrong\n")


def _mixed_commands() -> Iterator[Shape]:
    keys = [game.info.key for game in games.listed()]
    for line in ("{} help", "{} standings all", "{} preview new", "{} history alice", "{} stats"):
        for first in (0, _TEN):
            lines = [line.format(key) for key in keys[first : first + _TEN]]
            yield _several(f"{line} of ten games from the {first}th", lines)
    yield _several("ten topics", [f"help {topic}" for topic in _TOPICS])
    yield _several("ten questions", _MIXED)
    yield _several("ten typing errors", _TYPOS)
    yield _several("ten forgotten passwords", [f"forgot player{n}" for n in range(_TEN)])
    yield _several("ten times of a board", [f"tumble show 101#{n}" for n in range(_TEN)])
    yield _several("records in all forms", [f"tumble record 101 --format={x}" for x in ("sgf", "pgn", "pdn", "json")])


def _several(name: str, lines: Iterable[str]) -> Shape:
    return Shape(name, FROM + _MANY + "\n".join(lines).encode())


def _senders() -> Iterator[Shape]:
    for name, value in (
        ("a long local part", "a" * 3_900 + "@example.org"),
        ("a long quoted local part", '"' + 'a\\"' * 1_300 + '"@example.org'),
        ("many labels", "a@" + "\xfc." * 1_200 + "example"),
        ("many labels in ASCII", "a@" + "xn--a." * 600 + "example"),
        ("comments", "(a)" * 1_200 + " a@example.org"),
        ("a group", "x: " + "a@b.example, " * 290 + ";"),
    ):
        yield Shape(f"From with {name}", f"From: {value}\n\nhelp\n".encode())
    many = b",\n ".join(b"u%d@example.org" % n for n in range(3_000))
    yield Shape("3,000 addresses in To", FROM + b"To: " + many[: 58 * KILO] + b"\n\nhelp\n")
    yield Shape("14 x To", FROM + (b"To: " + b"u@example.org, " * 250 + b"\n") * 14 + b"\nhelp\n")
    yield Shape("5,800 headers", FROM + b"".join(b"X-%d: y\n" % n for n in range(5_800)) + b"\nhelp\n")
    yield Shape("270 encoded words", FROM + b"Subject: " + b"=?utf-8?q?a?= " * 270 + b"\n\nhelp\n")


def _encodings() -> Iterator[Shape]:
    for kind in (b"mixed", b"alternative"):
        deep = b"".join(b"Content-Type: multipart/%s; boundary=b%d\n\n--b%d\n" % (kind, n, n) for n in range(9))
        body = b"Content-Type: text/html\n\n" + b"<p>x</p>" * 4_000
        yield Shape(f"nested multipart/{kind.decode()}", FROM + deep + body)
    file = b"--b\nContent-Disposition: attachment; filename*0=a; filename*1=b\nContent-Transfer-Encoding: base64\n\n"
    yield Shape("49 files", MULTIPART + (file + encodebytes(b"x" * 3_400)) * 49)
    part = b"--b\nContent-Type: text/plain; charset=%s\n\n" + bytes(range(128, 256)).replace(b"%", b"") * 9 + b"\n"
    kinds = (b"utf-8", b"koi8-r", b"gb18030", b"utf-7", b"utf-16", b"big5", b"x-none") * 7
    yield Shape("49 parts in seven charsets", MULTIPART + b"".join(part % kind for kind in kinds), answer=True)
    encoded = FROM + b"Content-Transfer-Encoding: base64\n"
    yield Shape("base64 of bytes that it does not have", encoded + b"\n" + b"\xff\xfeQQ==" * 30_000)
    yield Shape("base64 of text", encoded + b"\n" + encodebytes("\xe9 > x\n".encode() * 4_900), answer=True)
    page = b"<p class=x>&eacute;</p>" * 4_900
    yield Shape("base64 of HTML", encoded + b"Content-Type: text/html\n\n" + encodebytes(page), answer=True)
    for charset in ("utf-16", "utf-7"):
        text = ("On x wrote:\n" * 2_500).encode(charset)
        yield Shape(
            f"text in {charset}", FROM + f"Content-Type: text/plain; charset={charset}\n\n".encode() + text, True
        )
    soft = FROM + b"Content-Transfer-Encoding: quoted-printable\n\n" + b"=E9=\n" * 40_000
    yield Shape("quoted-printable", soft)
    yield Shape("one line", FROM + b"\n" + b"x" * 60_000)
