"""How well the corpus is read: the figures do not get worse, and each case that is not read exactly is listed."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from pbmserv.mail.inbound import Standing, read
from tests.mail.reading.client_mails import Language
from tests.mail.reading.corpus.languages import ALL
from tests.mail.reading.corpus.programs import ABOVE_ONLY, FIXED, LOCAL, Program, Typed

MOVE = "h4-g5t"
A_MOVE = re.compile(r"[a-h]\d-[a-h]\d[a-z]*")
COMMENT = "Well played! I did not see that coming, and I had spent the whole evening on the other side of the board."
TWO = f"{COMMENT}\n\nSee you on Friday 12. Sent from my desk: no hurry, he wrote."
LAYOUTS = {
    "above": Typed(MOVE),
    "above, no empty line": Typed(MOVE, tight=True),
    "with a comment": Typed(f"{MOVE}\n\n{TWO}"),
    "with a comment, no empty line": Typed(f"{MOVE}\n{COMMENT}", tight=True),
    "signed": Typed(f"{MOVE}\n\n{COMMENT}", signature="Alice\nhttps://example.org/"),
    "below": Typed(below=MOVE),
    "comment below": Typed(below=f"{MOVE}\n\n{TWO}"),
    "between": Typed(MOVE, middle=COMMENT),
}


@dataclass(frozen=True)
class Case:
    """One reply: the program, the language and the layout."""

    program: Program
    name: str
    language: Language
    layout: str

    def __str__(self) -> str:
        return f"{self.program.__name__}, {self.name}, {self.layout}"

    @property
    def typed(self) -> Typed:
        """Return what was typed."""
        return LAYOUTS[self.layout]

    @property
    def wanted(self) -> str:
        """Return the words in their order in the mail."""
        return "\n\n".join(filter(None, (self.typed.above, self.typed.middle, self.typed.below)))


def cases() -> Iterator[Case]:
    """Return all cases: every language with the programs that speak it, in the layouts of each program."""
    for program in (*LOCAL, *FIXED):
        names = list(ALL) if program in LOCAL else ["English"]
        for name in names:
            for layout in LAYOUTS:
                if not (program in ABOVE_ONLY and layout in ("below", "comment below", "between")):
                    yield Case(program, name, ALL[name], layout)


def flat(text: str) -> list[str]:
    """Return the text with each paragraph on one line, because mail programs wrap lines."""
    return [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]


def result(case: Case) -> str:
    """Return the result of a case: exact, comment, wrong or refused."""
    mail = read(case.program(case.typed, case.language), is_ours=lambda left: False)
    if mail.standing is not Standing.NORMAL:
        return "refused"
    if flat(mail.body) == flat(case.wanted):
        return "exact"
    first, _, _ = mail.body.partition("\n")
    return "comment" if first.strip() == MOVE else "wrong" if A_MOVE.fullmatch(first.strip()) else "refused"


@pytest.fixture(scope="module")
def results() -> dict[str, str]:
    """Return the result of each case."""
    return {str(case): result(case) for case in cases()}


@pytest.mark.slow
def test_the_corpus_is_as_large_as_it_says(results: dict[str, str]) -> None:
    assert len(ALL) >= 26
    assert len(LOCAL) + len(FIXED) >= 25
    assert len(results) >= 783


def test_the_figures_hold(results: dict[str, str]) -> None:
    found = Counter(results.values())
    not_exact = [f"{kind}: {name}" for name, kind in results.items() if kind != "exact"]
    assert found["wrong"] == found["refused"] == 0, not_exact
    assert found["exact"] >= len(results) * 770 / 783, not_exact
