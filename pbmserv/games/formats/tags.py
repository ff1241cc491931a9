"""Writes games as tags and moves: the export format of PGN (Portable Game Notation, 1994) and of PDN (3.0).

They differ only in which tags they have, and in how moves are written.
"""

import re
from collections.abc import Iterable, Sequence
from textwrap import fill

from pbmserv.games.base.sheet import Sheet
from pbmserv.games.base.values import Seat

_WIDTH = 79
_LONGEST = 250  #: characters of a tag's value
_TERMINATIONS = {
    "forfeit": "time forfeit",
    "adjudicated": "adjudication",
    "length": "adjudication",
    "declined": "abandoned",
    "voided": "abandoned",
    "idle": "time forfeit",
}
Scores = tuple[str, str, str]  #: how a result is written: White wins, a draw, Black wins
CHESS_SCORES: Scores = ("1-0", "1/2-1/2", "0-1")
UNKNOWN = "*"


def roster(sheet: Sheet, scores: Scores = CHESS_SCORES, white: Seat | None = None) -> list[tuple[str, str]]:
    """Return the seven tags that every game has, then how it was played and how it ended.

    `white`: the seat that is White in these tags, if no seat or another one has this name.
    """
    facts, result = sheet.facts, sheet.board.result
    white = sheet.board.seat_names.index("White") if white is None else white
    termination = _TERMINATIONS.get(result.reason, "normal") if result else "unterminated"
    return [
        ("Event", sheet.title),
        ("Site", facts.site),
        ("Date", facts.begun.replace("-", ".")),
        ("Round", "-"),
        ("White", facts.players[white]),
        ("Black", facts.players[1 - white]),
        ("Result", score(sheet, scores, white)),
        ("Mode", "EM"),  # by electronic mail
        ("Termination", termination),
        *([("EndDate", facts.ended.replace("-", "."))] if facts.ended else []),
    ]


def score(sheet: Sheet, scores: Scores = CHESS_SCORES, white: Seat | None = None) -> str:
    """Return the result in the order White, Black; `*` if the board has none. `white`: as of `roster`."""
    if sheet.result is None:
        return UNKNOWN
    winners = sheet.result.winners
    if not winners:
        return scores[1]
    is_white = sheet.board.seat_names[winners[0]] == "White" if white is None else winners[0] == white
    return scores[0] if is_white else scores[2]


def written(
    sheet: Sheet, tags: Iterable[tuple[str, str]], moves: Sequence[str], result: str, names: Sequence[str] = ()
) -> str:
    """Return the whole game: tags, numbered moves, and the end in words before the result.

    `names`: of the seats in these words, if not their own.
    """
    lines = [f'[{name} "{_value(value)}"]' for name, value in tags]
    ending = sheet.ending(names)
    comment = [f"{{{ending}}}"] if ending else []
    text = " ".join([*_numbered(sheet, moves), *comment, result])
    body = fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, "", body, ""])


def _numbered(sheet: Sheet, moves: Sequence[str]) -> Iterable[str]:
    """Put a number before each move of the seat that begins, and before the first move."""
    number = 1
    for i, (ply, move) in enumerate(zip(sheet.plies, moves, strict=True)):
        if ply.seat == 0:
            yield f"{number}."
        elif i == 0:
            yield f"{number}..."
        yield move
        if ply.comment:
            yield f"{{{ply.comment}}}"
        number += ply.seat


def _value(text: str) -> str:
    """Return a value as it stands between quotes."""
    printable = re.sub(r"[^\x20-\x7e\xa0-\U0010ffff]", " ", text)[:_LONGEST]
    return printable.replace("\\", "\\\\").replace('"', '\\"')
