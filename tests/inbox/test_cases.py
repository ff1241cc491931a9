"""Answers to board letters in the forms that many programs write, and what each does (`cases/expected.toml`).

A file begins with lines `X-…` about itself: the game, and what comes before. They are no part of the mail.
"""

import re
import textwrap
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pbmserv.mail import signed_addresses
from pbmserv.mail.signed_addresses import Signer, offered_move
from tests.world import ADDRESS, KEY, Received, World

CASES = Path(__file__).with_name("cases")
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads((CASES / "expected.toml").read_text("utf-8"))
_PLACE = re.compile(r"\{\{([A-Z0-9_]+)(?:\|(.*?))?\}\}")
ALICE = "alice@example.com"


@dataclass(frozen=True)
class Case:
    """A mail, and what it is about."""

    name: str
    about: dict[str, str]  #: the lines `X-…`
    data: bytes

    @classmethod
    def read(cls, name: str) -> "Case":
        """Read a file of this folder."""
        data = (CASES / f"{name}.eml").read_bytes()
        end = data.index(b"From: ")
        lines = [line.split(": ", 1) for line in data[:end].decode().splitlines()]
        return cls(name, dict(lines), data[end:])


def _begin(world: World, game: str, before: str) -> tuple[Received, ...]:
    """Begin a board, and prepare it. Returns the letter that alice answers."""
    world.signup("alice", "bob")
    alice = world.player("alice")
    world.act(lambda s: s.addresses.replace(alice.id, ()))
    world.act(lambda s: s.addresses.add(alice.id, ALICE, world.now, confirmed=True))
    if before.startswith("set alice"):
        world.mail(ALICE, before.replace("PASSWORD", "alice-secret"))
    letters = world.mail(ALICE, f"{game} challenge alice bob")
    if before == "opponent has offered a draw":
        letters = world.reply(next(x for x in letters if x.to.startswith("bob")), "propose")
    return tuple(x for x in letters if x.to == ALICE)


def filled(data: bytes, letter: Received, unique: str) -> bytes:
    """Return a mail with the words of the letter that it answers."""
    words = {
        "REPLY_TO": letter.reply_to,
        "SUBJECT": letter.subject,
        "LETTER_ID": str(letter.message["Message-ID"]),
        "LETTER": letter.text,
        "UNIQUE": unique,
    }

    def fill(place: re.Match[str]) -> str:
        if place[1] == "LETTER_HTML":  # a spoken letter has none
            return letter.html.partition("<body>")[2].partition("</body>")[0]
        if place[1] == "LETTER_COMB76":
            return "\n".join(comb(f"> {line}", 76) for line in letter.text.splitlines())
        return textwrap.indent(words[place[1]], place[2] or "", lambda _: True)

    return _PLACE.sub(fill, data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def comb(line: str, width: int) -> str:
    """Break a line at a width, as some programs do with lines that they quote: its rest has no sign."""
    return "\n".join(textwrap.wrap(line, width, drop_whitespace=False, replace_whitespace=False) or [""])


def _params() -> list[Any]:
    red = pytest.mark.xfail(strict=True, reason="not so yet")
    cases = sorted(file.stem for file in CASES.glob("*.eml"))
    assert cases == sorted(EXPECTED)
    return [pytest.param(name, marks=[red] if EXPECTED[name].get("red") else []) for name in cases]


@pytest.mark.slow
@pytest.mark.sqlite
@pytest.mark.parametrize("name", _params())
def test_an_answer_does_what_its_sender_meant(world: World, name: str) -> None:
    case, expected = Case.read(name), EXPECTED[name]
    letter = world.once(_begin, case.about["X-Game"], case.about.get("X-Prep", ""))[-1]
    before, signer = world.row().board, Signer(ADDRESS, KEY)
    data = filled(case.data, letter, name).replace(b"\n", b"\r\n")
    letters = world.bytes(data, to=letter.reply_to, mail_from=ALICE)
    to_bob = [x for x in letters if x.to.startswith("bob")]
    answers = [x for x in letters if x.to == ALICE]
    log = [e.text for e in world.query(lambda s: s.boards.entries(101))][before.length :]
    token = signer.read(answers[0].reply_to) if answers else None
    offered = token is not None and token.purpose == signed_addresses.OFFER
    outcome = "played" if log else "offered" if offered else "nothing"
    move, shown = expected.get("move", "c1-c5t"), "\n".join(x.text for x in (*answers, *to_bob))

    assert outcome in expected.get("outcome", ["played"]), shown
    if outcome == "played":
        assert log == [move]
        assert world.row().board.result is None
        assert comment_in(to_bob[0]) == expected.get("comment", "Good game so far")
    else:
        assert (world.row().board, to_bob) == (before, [])
    if outcome == "offered" and token:
        assert offered_move(token.numbers[-1]) == move
    if outcome != "played" and "says" in expected:
        assert expected["says"] in answers[0].flat
    assert expected.get("unsaid", "\0") not in shown


def comment_in(letter: Received) -> str:
    """Return what a letter says that alice writes, without its indent; "" if it has no comment."""
    _, title, below = letter.text.partition("alice writes:\n")
    lines = [] if not title else below.splitlines()
    end = next((at for at, line in enumerate(lines) if line and not line.startswith("    ")), len(lines))
    return textwrap.dedent("\n".join(lines[:end])).strip("\n")
