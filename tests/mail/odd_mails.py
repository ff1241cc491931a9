"""Mails that nobody would write: any headers, pieces that parsers branch on, and fixtures that were damaged."""

import random
from collections.abc import Iterator
from pathlib import Path

from hypothesis import strategies as st

MAILS = [path.read_bytes() for path in sorted((Path(__file__).parent / "fixtures").glob("*.eml"))]
HEADERS = (
    "From Subject To Date Message-ID References In-Reply-To Content-Type Content-Transfer-Encoding Content-Disposition "
    "Authentication-Results Auto-Submitted Precedence Return-Path List-Id"
)
# Pieces to which parsers react. A random choice of bytes would never produce them.
PIECES = (
    "=?utf-8?Q? =?utf-8?B? ?= =?iso-2022-jp?B? multipart/mixed multipart/alternative multipart/signed text/plain "
    "text/html message/rfc822 ; boundary=b boundary*0=b boundary*=b x*=1; x*0=2; charset=utf-8 charset=x -- "
    "format=flowed delsp=yes --b --b-- base64 quoted-printable attachment filename= name=winmail.dat < > <> @ , : "
    '( ) [ ] " \\ > >> '
    "<div> </div> <blockquote> <pre> <!-- --> <![if <a &#99999999999; &amp; wrote: From: Sent: To: Subject: 2024 12:00 "
    "a@b.example <a@b> -----BEGIN PGP SIGNED MESSAGE----- -----Original dmarc=pass mx; header.from=b "
    "\x00 \x1b$B \u202e \u0301 é \x80"
)


def pieces(*texts: str) -> st.SearchStrategy[str]:
    """Return texts made of the words of `texts`, spaces and line ends, in any order."""
    return st.lists(st.sampled_from([*" ".join(texts).split(" "), " ", "\n", "\n\n", "\n ", "\t"])).map("".join)


def mutants(count: int, seed: int) -> Iterator[bytes]:
    """Return fixtures with bytes that are changed, cut out, doubled, or copied from another fixture."""
    chance = random.Random(seed)
    for _ in range(count):
        data, other = bytearray(chance.choice(MAILS)), chance.choice(MAILS)
        for _ in range(chance.randint(1, 6)):
            at, size = chance.randrange(len(data) + 1), chance.randint(0, 60)
            start = chance.randrange(len(other))
            new = (b"", chance.randbytes(1), bytes(data[at : at + size]) * 3, other[start : start + size])
            data[at : at + chance.randint(0, size)] = chance.choice(new)
        yield bytes(data)
