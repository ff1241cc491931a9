"""Pieces of slow mails: texts that the regular expressions which read mails from strangers look for.

As a program it prints the mails that take most processor time: `python -m tests.promises.hostile.pieces`.
"""

import pkgutil
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as sre  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any

import pbmserv.inbox
import pbmserv.mail
from pbmserv import games
from pbmserv.commands import command_language
from pbmserv.games.base import board as play
from pbmserv.inbox.context import MAY_TELL_MORE
from pbmserv.inbox.lines.first_line import read_first_line
from pbmserv.inbox.lines.offers import move_in
from pbmserv.inbox.lines.parse import Parser
from pbmserv.inbox.replies.to_digest import lines_of
from pbmserv.letters.fence import passed_on
from pbmserv.letters.site import Site
from pbmserv.mail import bounce_reports, inbound, signed_addresses
from pbmserv.mail.inbound import TooLarge
from pbmserv.mail.reading import mime
from pbmserv.mail.signed_addresses import Signer

KILO = 1024
FROM = b"From: alice@example.org\n"
#: One of each class of characters: letters, digits, blanks, signs, marks, scripts, controls, and code points that are
#: no characters.
CLASSES = (
    *"aZ_9 \t\n\r\x0b\x0c\x00\x1b\x7f!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~\xa0\xad\xe9\u0301\u2019\u2028\u200b\u3042\u4e00"
    "\uac00\u05d0\u0627\U0001f600\ufffd",
    *("a ", "a\n", "\n ", " \n", "a@", "a@b ", "a@b\n", "<a@b>", "a:", "a:\n", ">\n", "> \n", "x\n>\n", "<b>", "</b>"),
    *("<a b='", "&#9;", "&amp", "=?", "=?a?q?b?=", "=\n", "=e9", "--", "--\n", "1 2024:\n>\n", "a-", "a1-b2 ", "1. "),
)
_LARGE = 16 * KILO
_MOST = 3  # how many characters of a set, and branches of a choice, are used


def literals() -> list[str]:
    """Return the texts that the expressions of the reading packages look for, each once."""
    found = {piece for pattern in expressions() for piece in _pieces(pattern) if piece}
    return sorted(found | set(CLASSES))


def expressions() -> Iterator[str]:
    """Return the source of every compiled expression in pbmserv.mail and pbmserv.inbox."""
    for module in _modules(pbmserv.mail, pbmserv.inbox):
        for value in vars(module).values():
            yield from (_source(x) for x in _flat(value) if isinstance(x, re.Pattern))


def _modules(*packages: ModuleType) -> Iterator[ModuleType]:
    for package in packages:
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            yield import_module(info.name)


def _flat(value: object) -> Iterator[object]:
    if isinstance(value, tuple | list):
        for item in value:
            yield from _flat(item)
    else:
        yield value


def _source(pattern: "re.Pattern[Any]") -> str:
    source = pattern.pattern
    return source.decode("latin-1") if isinstance(source, bytes) else str(source)


def _pieces(pattern: str) -> Iterator[str]:
    """Yield beginnings of texts that an expression matches: as a whole, and by each part that can stand alone."""
    tree = sre.parse(pattern)
    yield from _texts(tree)
    for start in range(len(tree)):
        yield from _texts(tree[start:])
        yield from _texts(tree[: start + 1])


def _texts(tree: Iterable[Any]) -> list[str]:
    """Return a few texts that the nodes match: some as short as possible, and a longer one."""
    found = [""]
    for code, value in tree:
        found = [x + y for x in found[:_MOST] for y in _matches(code, value)[:_MOST]][: 2 * _MOST]
    return found


def _matches(code: Any, value: Any) -> list[str]:
    match code:
        case codes.LITERAL:
            return [chr(value)]
        case codes.NOT_LITERAL | codes.ANY:
            return ["a"]
        case codes.IN:
            return _members(value) or ["a"]
        case codes.MAX_REPEAT | codes.MIN_REPEAT | codes.POSSESSIVE_REPEAT:
            least, _, tree = value
            return [x * max(least, 1) for x in _texts(tree)] + ([""] if least == 0 else [])
        case codes.BRANCH:
            return [x for tree in value[1] for x in _texts(tree)[:1]]
        case codes.SUBPATTERN:
            return _texts(value[-1])
        case codes.ATOMIC_GROUP:
            return _texts(value)
    return [""]  # lookahead, lookbehind, and positions such as ^


def _members(items: Iterable[Any]) -> list[str]:
    found = []
    for code, value in items:
        if code is codes.LITERAL:
            found.append(chr(value))
        elif code is codes.RANGE:
            found.append(chr(value[0]))
        elif code is codes.CATEGORY:
            found.append({codes.CATEGORY_DIGIT: "1", codes.CATEGORY_SPACE: " "}.get(value, "a"))
    return found


def fill(piece: str, size: int, lines: int = mime.MOST_LINES) -> bytes:
    """Repeat the piece up to so many bytes, with no more lines than are read."""
    data = piece.encode("utf-8", "surrogatepass")
    count = size // len(data)
    return data * min(count, lines // piece.count("\n") if "\n" in piece else count)


def padded(piece: str, size: int) -> bytes:
    """Repeat the piece, made so long that the lines that are read fill all bytes that are read."""
    return fill(piece.replace("\n", "x" * 10 + "\n"), size)


def _text(kind: str, size: int) -> Callable[[str], bytes]:
    return lambda piece: FROM + f"Content-Type: {kind}\n\n".encode() + fill(piece, size)


def _header(name: str, size: int) -> Callable[[str], bytes]:
    def make(piece: str) -> bytes:
        value = fill(piece.replace("\n", "\n "), size)
        first = b"" if name == "From" else FROM
        return first + f"{name}: ".encode() + value + b"\n\nh4-f6\n"

    return make


def _headers(*names: str) -> Callable[[str], bytes]:
    """Fill the block of headers with headers of these names in turn, each as long as one may be."""
    return lambda piece: (
        (FROM if "From" not in names else b"")
        + b"".join(f"{name}: ".encode() + fill(piece.replace("\n", "\n "), 3900) + b"\n" for name in names)[: 60 * KILO]
        + b"\n\nh4-f6\n"
    )


def _padded(piece: str) -> bytes:
    return FROM + b"\n" + padded(piece, 60 * KILO)


#: Headers whose values are looked at.
READ = [
    "From",
    "Subject",
    "Message-ID",
    "Date",
    "References",
    "In-Reply-To",
    "Content-Type",
    "Content-Disposition",
    "Auto-Submitted",
    "Precedence",
    "Return-Path",
    "Authentication-Results",
    "X-Apple-Action",
    "Content-Transfer-Encoding",
]

#: Places where a stranger can put a piece, with as many bytes as are read there.
PLACES: Mapping[str, Callable[[str], bytes]] = {
    "text": _text("text/plain; charset=utf-8", 60 * KILO),
    "padded": _padded,
    "flowed": _text("text/plain; charset=utf-8; format=flowed", 60 * KILO),
    "long text": _text("text/plain; charset=utf-8", 250 * KILO),
    "html": _text("text/html; charset=utf-8", 60 * KILO),
    "long html": _text("text/html; charset=utf-8", 250 * KILO),
    "base64": lambda piece: FROM + b"Content-Transfer-Encoding: base64\n\n" + fill(piece, 250 * KILO),
    "quoted-printable": lambda p: FROM + b"Content-Transfer-Encoding: quoted-printable\n\n" + fill(p, 60 * KILO),
    "parts": lambda piece: FROM + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" + fill(piece, 250 * KILO),
    "headers": lambda piece: fill(piece, 60 * KILO) + b"\n\nx\n",
    "results": lambda piece: (
        FROM + (b"Authentication-Results: mx; " + fill(piece.replace("\n", " "), 3900) + b"\n") * 15 + b"\nx"
    ),
    **{
        name: _header(name, 3900)
        for name in ("From", "Subject", "Message-ID", "Content-Type", "Content-Disposition", "Auto-Submitted", "Date")
    },
    **{f"long {name}": _header(name, 60 * KILO) for name in ("References", "To", "X-Other")},
    **{f"many {name}": _headers(*[name] * 15) for name in READ},
    "mixed": _headers(*READ),
}

_SITE = Site(Signer("pbmserv@games.example", b"the key of the tests"))
_LANGUAGE = command_language()
_PARSER = Parser(_LANGUAGE, games.names())
_BOARD = play.begin(play.Start(games.names()["tumble"], {}, 2, "0" * 32))
_TOKEN = _SITE.signer.read(_SITE.signer.sign(signed_addresses.BOARD, 101, 0, 0))


def cost(data: bytes) -> float:
    """Return the seconds of processor time for a mail, read as a command and as a reply, before any database query."""
    start = time.thread_time()
    try:
        mail = inbound.read(data, is_ours=lambda left: False, authserv="mx")
    except TooLarge:
        return time.thread_time() - start
    _PARSER.request(mail, None)
    reply = _PARSER.request(mail, _TOKEN)
    read_first_line(reply.first_line, _LANGUAGE, _BOARD, 0)
    move_in(mail.body, _LANGUAGE, _BOARD, 0)
    lines_of(mail.body)
    MAY_TELL_MORE.search(passed_on(mail.body, _SITE, ["secret-word"]))
    return time.thread_time() - start


def cost_of_report(data: bytes) -> float:
    """Return the seconds of processor time for a report that came back to the sender of a letter."""
    start = time.thread_time()
    bounce_reports.judge(data)
    return time.thread_time() - start


def report(piece: str) -> bytes:
    """Return a report that begins with known words and ends with this text."""
    return b"From: mailer-daemon@example.org\nSubject: failure notice\n\nHi. This is the qmail-send program\n" + fill(
        piece, 250 * KILO, 10**9
    )


def costs(
    pieces: Iterable[str], places: Iterable[str] = (*PLACES, "report"), *, part: int = 1
) -> Iterator[tuple[float, str, str]]:
    """Yield seconds, place and piece of every mail. `part`: of large mails, how many times less is taken."""
    for piece in pieces:
        for place in places:
            is_report = place == "report"
            data = report(piece) if is_report else PLACES[place](piece)
            half = len(data) // 2 // (part if len(data) > _LARGE else 1)
            spent = (cost_of_report if is_report else cost)(data[:half] + data[-half:])
            yield spent, place, piece


def main() -> None:
    """Print the mails that take most."""
    pieces = literals()
    found = sorted(costs(pieces), reverse=True)
    sys.stdout.write(f"{len(found)} mails of {len(pieces)} pieces from {len(set(expressions()))} expressions\n")
    for spent, place, piece in found[:40]:
        sys.stdout.write(f"{spent * 1000:8.1f} ms  {place:16}  {piece!r}\n")


if __name__ == "__main__":
    main()
