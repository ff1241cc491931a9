"""Keeps what is hidden on a board out of what its players write: no line of a player's own view reaches the others.

This does not depend on how a program quotes. The lines of all displays in all languages, and the words of the picture,
are looked for in the text, without spaces and signs of quotes, so it does not matter where the text is broken. Rows of
an older view of the same board are similar to those of the present one.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pbmserv.games import NotInstalled
from pbmserv.games.base import AnyGame, Seat
from pbmserv.games.base.board import Board, view_of
from pbmserv.letters.site import Site
from pbmserv.letters.text.templates import SPOKEN, Renderer
from pbmserv.mail.reading.own_letter import plain_lines
from pbmserv.store import BoardRow, Player

LEFT_OUT = "[left out]"

_APART = re.compile(r" {3,}|, ")  # between diagrams side by side, and between the words for one square
_SHORTEST = 6  # characters of a line that tells something by itself
_CELL = 2  # characters of a cell that stands on a line of its own
_CELLS = 5  # cells of a row that is no sentence
_WINDOW, _SIGNS = 7, 3  # characters of a picture's words, and how many of them are signs of men
_ALIKE = 0.6  # of the characters of a row: it is that of an older view
_SEPARATOR = re.compile(r"[\s,;]+")


class _Secrets(NamedTuple):
    """What only one seat sees: texts that tell it wherever they stand, and rows of diagrams, by their beginning."""

    texts: frozenset[str]
    rows: dict[str, list[str]]


def without_secrets(text: str, site: Site, row: BoardRow, player: Player) -> str:
    """Return a player's text without lines of what only this player sees on a board that is not over."""
    board = row.board
    if board.result or not board.game.info.hidden or isinstance(board.game, NotInstalled):
        return text
    for seat in row.seats_of(player):
        if view_of(board, seat).position != view_of(board, None).position:
            text = _left_out(text, board.game, _secrets(site.renderer, board, seat))
    return text


def _secrets(renderer: Renderer, board: Board, seat: Seat) -> _Secrets:
    texts, rows = set[str](), dict[str, list[str]]()
    for language in renderer.languages:
        for display in ("", *(d.name for d in board.game.info.displays), SPOKEN):
            mine, others = (_pieces(renderer.to(language), board, s, display) for s in (seat, None))
            texts |= {piece for piece in mine.keys() - others.keys() if len(piece) >= _SHORTEST}
            for piece, is_row in mine.items():
                if is_row and piece not in rows.setdefault(piece[:2], []):
                    rows[piece[:2]].append(piece)
    windows = set(_windows(board, seat)) - set(_windows(board, None))
    return _Secrets(frozenset(texts | windows), rows)


def _pieces(renderer: Renderer, board: Board, seat: Seat | None, display: str) -> dict[str, bool]:
    """Return the parts of the lines that a seat reads, without spaces, and whether each is a row of cells."""
    drawn = renderer.diagram(board.game, view_of(board, seat), display)
    parts = [part for line in drawn.split("\n") for part in _APART.split(line) if part.strip()]
    plain = plain_lines("\n".join(parts))
    return {words: _is_row(part) for part, words in zip(parts, plain, strict=True) if words}


def _is_row(part: str) -> bool:
    cells = part.split()
    return len(cells) > _CELLS and all(len(cell) <= _CELL for cell in cells)


def _windows(board: Board, seat: Seat | None) -> Iterator[str]:
    """Yield parts of the words of a picture as HTML shows them: the labels of the rows, and the signs of the men."""
    picture = board.game.picture(view_of(board, seat))
    if picture is None:
        return
    words, is_sign = "", list[bool]()
    for label, cells in zip(picture.ranks or ("",) * len(picture.rows), picture.rows, strict=False):
        signs = "".join(piece.sign for cell in cells if cell for piece in reversed(cell.pieces))
        words, is_sign = words + label + signs, [*is_sign, *[False] * len(label), *[True] * len(signs)]
    (plain,) = plain_lines(words)
    for at in range(len(plain) - _WINDOW + 1 if len(plain) == len(words) else 0):
        if sum(is_sign[at : at + _WINDOW]) >= _SIGNS:
            yield plain[at : at + _WINDOW]


def _left_out(text: str, game: AnyGame, secrets: _Secrets) -> str:
    """Return the text without all lines between the first and the last one that tells a secret."""
    lines = text.split("\n")
    plain = plain_lines(text)
    telling = sorted(
        {*_lines_with(plain, secrets.texts), *_rows_alike(plain, secrets.rows), *_hidden_moves(lines, game)}
    )
    if not telling:
        return text
    start, end = telling[0], telling[-1] + 1
    while start and 0 < len(plain[start - 1]) <= _CELL:  # the labels of rows without a man
        start -= 1
    while end < len(plain) and 0 < len(plain[end]) <= _CELL:
        end += 1
    kept = [*lines[:start], LEFT_OUT, *lines[end:]]
    return "\n".join(kept) if any(line.strip() for line in kept if line != LEFT_OUT) else ""


def _lines_with(plain: Sequence[str], texts: frozenset[str]) -> Iterator[int]:
    """Yield the numbers of the lines that have one of these texts, or a part of it."""
    stream, of_line = "".join(plain), list[int]()
    for at, line in enumerate(plain):
        of_line += [at] * len(line)
    for text in texts:
        start = stream.find(text)
        while start >= 0:
            yield of_line[start]
            yield of_line[start + len(text) - 1]
            start = stream.find(text, start + len(text))


def _rows_alike(plain: Sequence[str], rows: dict[str, list[str]]) -> Iterator[int]:
    """Yield the numbers of the lines that begin or end like a row of a diagram."""
    sizes = {len(row) for found in rows.values() for row in found}
    for at, line in enumerate(plain):
        for size in sizes:
            ends = (line[:size], line[-size:]) if size <= len(line) <= 3 * size else ()
            if any(_alike(end, row) for end in ends for row in rows.get(end[:2], ()) if len(row) == size):
                yield at
                break


def _alike(one: str, other: str) -> bool:
    return sum(a == b for a, b in zip(one, other, strict=True)) >= _ALIKE * len(other)


def _hidden_moves(lines: Sequence[str], game: AnyGame) -> Iterator[int]:
    """Yield the numbers of the lines that are only moves which others read in other words, such as placed ships."""
    for at, line in enumerate(lines):
        moves = [game.normalise(word) for word in _SEPARATOR.split(line.strip())] if len(line) < 200 else []
        if moves and all(game.is_move(move) and game.public_text(move) != move for move in moves):
            yield at
