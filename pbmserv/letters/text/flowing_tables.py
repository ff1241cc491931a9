"""Tables of a letter's text that can be too wide for a telephone. HTML tells each row in a line that flows."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

_CELL = re.compile(r"\S+(?: \S+)*")
_FEWEST = 2  #: cells of a line that shows where columns are

Row = list[tuple[str, str]]  #: for each cell what its column is called ("": nothing says so), and what it says


def rows_of(lines: Sequence[str]) -> list[Row]:
    """Return the rows of a table; a line across its columns is a row of one cell. []: it has no columns."""
    spans = [[cell.span() for cell in _CELL.finditer(line)] for line in lines]
    starts = list(_starts([span for row in spans if len(row) >= _FEWEST for span in row]))
    if len(starts) < _FEWEST:
        return []
    return _named(_joined([_cells(line, row, starts) for line, row in zip(lines, spans, strict=True)]))


def _starts(spans: Sequence[tuple[int, int]]) -> Iterator[int]:
    """Yield where columns begin: behind two characters that are blank in all rows."""
    end = -2
    for start, stop in sorted(spans):
        if start >= end + 2:
            yield start
        end = max(end, stop)


def _cells(line: str, spans: Sequence[tuple[int, int]], starts: Sequence[int]) -> list[str]:
    if len(spans) == 1 and any(spans[0][0] < start < spans[0][1] for start in starts):
        return [line.strip()]
    return [line[start:stop].strip() for start, stop in pairwise([*starts, None])]


def _joined(rows: Sequence[list[str]]) -> list[list[str]]:
    """Return rows in which each cell that goes on in the next line is one text."""
    joined = list[list[str]]()
    for row in rows:
        if joined and not row[0] and len(row) == len(joined[-1]):
            joined[-1] = [" ".join(filter(None, parts)) for parts in zip(joined[-1], row, strict=True)]
        else:
            joined.append(row)
    return joined


def _named(rows: Sequence[list[str]]) -> list[Row]:
    """Return the rows without empty cells, and with the names of the columns, if the first row has these."""
    has_names = not any(character.isdigit() for cell in rows[0] for character in cell)
    names = rows[0] if has_names else [""] * len(rows[0])
    return [_filled(names, row) for row in rows[has_names:]]


def _filled(names: Sequence[str], row: Sequence[str]) -> Row:
    filled = [(name, cell) for name, cell in zip(names, row, strict=False) if cell]
    return filled if len(filled) > 1 else [("", cell) for _, cell in filled]
