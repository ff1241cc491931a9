"""Mails made to cost time or memory.

As a program it reads each of them in a process of its own under hard limits.
"""

import os
import resource
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from pbmserv.mail.inbound import TooLarge, read

SECONDS, MEGABYTES = 1, 64  # the limits for one message
KILO = 1024
FROM = b"From: alice@example.org\n"


def fill(piece: str | bytes, size: int) -> bytes:
    data = piece.encode() if isinstance(piece, str) else piece
    return data * (size // len(data))


def _text(piece: str | bytes, kind: str = "text/plain") -> bytes:
    return FROM + f"Content-Type: {kind}; charset=utf-8\n\n".encode() + fill(piece, 64 * KILO - 100)


def _header(name: str, piece: str) -> bytes:
    return FROM + f"{name}: ".encode() + fill(piece, 4 * KILO - 100) + b"\n\nh4-f6\n"


def _part(content_type: str) -> bytes:
    return b"--b\nContent-Type: " + content_type.encode() + b"\n\nx\n"


def _nested(count: int) -> bytes:
    return FROM + b"".join(b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n" % (n, n) for n in range(count))


MULTIPART = FROM + b"Content-Type: multipart/mixed; boundary=b\n\n"
QUOTES = (
    ">",
    ">\n",
    "> ",
    "x\n>\n",
    "On ",
    "On On wrote:\n",
    "wrote:\n",
    "1 Jan 2024 12:00 <a@b> wrote:\n\n",
    ":\n",
    "a@",
    "On 1/1/24 12:00, <a@b> wrot:\n",
    "1 2024:\n>\n",
    "---- On x\nx\n",
    "<a@b\n>",
    "1 jan 2024 ",
    "12:00 <a@b>\n",
    "Date:\nTo:\n",
)
BLOCKS = (
    "From: x\n",
    "From:\nTo:\n",
    "From:\n>",
    "--\n>\n",
    "-- \n",
    "_" * 20 + "\n",
    "- ",
    "x \n",
    "> x \n>> x \n",
    "12:00 ",
)
MARKUP = (
    "<!--", "<a ", "<a /", "<a =", "<a b=", "<a\n", "<", "</", "<!", "<![", "<?", "&", "&#9", "<a b='> ", "<a b='>\"",
    "<a b=c>", "<div>", "<div></b>", "<blockquote>x", "<pre>\n", "<hr>", "<style>", "<script></", "<p>", "<!-->",
    " <a b=\"x>\" c='", "<a b='> ",
)  # fmt: skip
WORDS = (
    "=?",
    "=?a?q?",
    "=?utf-8?q?a?=",
    "=?utf-8?q?=CC=81?=",
    "(",
    ")",
    "<",
    ",",
    '"',
    "\\",
    "a@b,",
    "Re: ",
    "[a]",
    "\n ",
)
PARAMETERS = (";", '";', "a;b=", "x*0=1;", "x*=1;x*0=2;", 'x="', "x*=utf-7''%00;")

BOMBS = {
    **{f"text {piece!r}": _text(piece) for piece in QUOTES + BLOCKS},
    **{f"flowed {piece!r}": _text(piece, "text/plain; format=flowed") for piece in QUOTES + BLOCKS},
    **{f"html {piece!r}": _text(piece, "text/html") for piece in MARKUP},
    **{f"{name} {piece!r}": _header(name, piece) for piece in WORDS for name in ("From", "Subject", "Message-ID")},
    **{f"references {piece!r}": _header("References", piece) for piece in ("<a@b>", "<", "<a")},
    **{f"parameters {piece!r}": _header("Content-Type", f"text/plain; {piece}") for piece in PARAMETERS},
    **{
        f"parts {piece!r}": MULTIPART + _part("multipart/x; " + piece * (3900 // len(piece))) * 50
        for piece in PARAMETERS
    },
    **{
        f"long html {piece!r}": FROM + b"Content-Type: text/html\n\n" + fill(piece, 250 * KILO)
        for piece in (*MARKUP, "<style ", "<script>x", "</style", "&amp;")
    },
    **{
        f"long {name} {piece!r}": FROM + f"{name}: ".encode() + fill(piece, 60 * KILO) + b"\n\nh4-f6\n"
        for piece in WORDS
        for name in ("References", "To")
    },
    "results": FROM + (b"Authentication-Results: mx; " + fill("dmarc=pass (", 3900) + b"\n") * 15 + b"\nx",
    "accents": _text("\u0301\u0327"),
    "accents in a subject": _header("Subject", "\u0301\u0327"),
    "digits": _text("&#" + "9" * 60_000, "text/html"),
    "deep tags": _text(b"<b>" * 10_000 + b"</i>" * 8_000, "text/html"),
    "deep parts": _nested(3_000),
    "many parts": MULTIPART + b"--b\n\nx\n" * 30_000,
    "many dashes": MULTIPART + b"--\n" * 80_000,
    "many headers": b"a: b\n" * 50_000,
    "long header": b"Subject: " + b"=?utf-8?q?a?= " * 18_000 + b"\n\n",
    "no line end": b"x" * 256 * KILO,
    "empty lines": FROM + b"\n" * 255 * KILO,
    "base64": FROM + b"Content-Transfer-Encoding: base64\n\n" + b"=" * 250 * KILO,
    "quoted-printable": FROM + b"Content-Transfer-Encoding: quoted-printable\n\n" + b"= " * 120 * KILO,
    "escapes": FROM + b"Content-Type: text/plain; charset=iso-2022-jp\n\n" + b"\x1b$B" * 20 * KILO,
    "too long": FROM + b"\n" + b"x" * 100_000 * KILO,
}


def main() -> int:
    """Print the names of the mails that exceed the limits.

    There are many, so each process is a fork: it starts quickly.
    """
    hurt = [name for name, data in BOMBS.items() if hurts(partial(_is_read, data))]
    sys.stdout.write("\n".join(hurt))
    return len(hurt) > 0


def hurts(harmless: Callable[[], bool]) -> bool:
    """Try a function in a fork. Return whether it exceeds the limits, raises, or returns that it did harm."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] != 0
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    most = used + MEGABYTES * KILO * KILO
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))  # a fork counts its time from zero
    try:
        os._exit(not harmless())
    except TooLarge:
        os._exit(0)
    except BaseException:
        os._exit(1)


def _is_read(data: bytes) -> bool:
    read(data, is_ours=lambda left: False, authserv="mx")
    return True


if __name__ == "__main__":
    sys.exit(main())
