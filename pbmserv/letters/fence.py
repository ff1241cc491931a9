"""What players write to each other, made safe to pass on: no signed address, and no line of their own view of a board.

The fence around such a view does not depend on how a program quotes. The lines of all displays in all languages, and
the words of the picture, are looked for in the text, without spaces and signs of quotes, so it does not matter where
the text is broken. Rows of an older view of the same board are similar to those of the present one.
"""

import itertools
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import eq
from typing import NamedTuple

from pbmserv.games import NotInstalled
from pbmserv.games.base import AnyGame, Seat
from pbmserv.games.base.board import Board, view_of
from pbmserv.games.base.hidden import is_hidden_now
from pbmserv.letters.site import Site
from pbmserv.letters.text.aloud import spelt, unspelt
from pbmserv.letters.text.templates import SPOKEN, Renderer
from pbmserv.mail.reading.plain import INITIALS, plain_lines
from pbmserv.mail.signed_addresses import without_words
from pbmserv.model import BoardRow, Player

LEFT_OUT = "[left out]"

_APART = re.compile(r" {3,}|, ")  # between diagrams side by side, and between the words for one square
_LETTERS = re.compile(f"^{INITIALS}[>|]", re.M)
_SHORTEST = 6  # characters of a line that tells something by itself
_CELL = 2  # characters of a cell that stands on a line of its own
_CELLS = 5  # cells of a row that is no sentence
_WINDOW, _SIGNS = 7, 3  # characters of a picture's words, and how many of them are signs of pieces
_ALIKE = 0.6  # of the characters of a row: it is that of an older view
_SEPARATOR = re.compile(r"[\s,;]+")  # between moves
_MOST_MOVES = 50  # words of a line of moves; the last one has the rest
_NOISE = "-.,;:!?*>|()[]\"'"  # signs around them
_HIDDEN, _SIGN, _OTHER = "hidden", "sign", "other"  # kinds of words
_SIGNED_WORDS = re.compile(r"[a-z][0-9.]*\.[a-z2-7]{16}(?![a-z0-9])", re.I)


@dataclass(frozen=True)
class Comment:
    """A player's text to the others; `text` is a result of `passed_on`."""

    by: str
    text: str


def passed_on(text: str, site: Site, secrets: Iterable[str] = ()) -> str:
    """Remove signed addresses (others could play with them) and `secrets` from a player's text."""
    local = re.escape(site.address.partition("@")[0])
    text = re.sub(rf"{local}(?:\+|%2b)[^\s<>@%]*(?:(?:@|%40)[\w.-]*\w)?", LEFT_OUT, text, flags=re.I)
    text = without_words(text, f" {LEFT_OUT}")
    text = _SIGNED_WORDS.sub(lambda m: LEFT_OUT if site.signer.verify(m[0]) else m[0], text)
    for secret in secrets:
        text = text.replace(secret, LEFT_OUT)
    return text


class _Secrets(NamedTuple):
    """What only one seat sees: texts that tell it wherever they stand, and rows of diagrams by size and beginning.

    `lines`: rows of cells that are far apart, such as dice. They tell something if they are a whole line.
    `beside`: all lines of these diagrams and their parts. They go with lines that tell something, if they are beside.
    """

    texts: frozenset[str]
    lines: frozenset[str]
    rows: Mapping[int, Mapping[str, Sequence[str]]]
    beside: frozenset[str]


def without_secrets(text: str, site: Site, row: BoardRow, player: Player) -> str:
    """Return a player's text without lines of what only this player sees on a board that is not over."""
    board = row.board
    if board.result or not board.game.info.hidden or isinstance(board.game, NotInstalled):
        return text
    for seat in row.seats_of(player):
        if view_of(board, seat).position != view_of(board, None).position:
            text = _left_out(text, board, seat, _secrets(site.renderer, board, seat))
    return text


def _secrets(renderer: Renderer, board: Board, seat: Seat) -> _Secrets:
    texts, whole, beside, rows = set[str](), set[str](), set[str](), dict[int, dict[str, list[str]]]()
    for language in renderer.languages:
        for display in ("", *(d.name for d in board.game.info.displays), SPOKEN):
            own, others = (_lines(renderer.to(language), board, s, display) for s in (seat, None))
            beside.update(plain_lines("\n".join((*own, *_parts(own)))))
            told = _pieces(own).items() - _pieces(others).items()
            wide = set(_wide_rows(own)) - set(_wide_rows(others))
            whole |= wide
            texts |= {piece for piece in (*wide, *(piece for piece, _ in told)) if len(piece) >= _SHORTEST}
            for piece in (piece for piece, is_row in told if is_row):
                if piece not in (alike := rows.setdefault(len(piece), {}).setdefault(piece[:2], [])):
                    alike.append(piece)
    windows = set(_windows(board, seat)) - set(_windows(board, None))
    return _Secrets(frozenset(texts | windows), frozenset(whole), rows, frozenset(filter(None, beside)))


def _lines(renderer: Renderer, board: Board, seat: Seat | None, display: str) -> list[str]:
    """Return the lines of a display; of the board in words also those of readers whose squares are spelt."""
    lines = renderer.diagram(board.game, view_of(board, seat), display)
    return [*lines.split("\n"), *(map(unspelt, spelt(lines).split("\n")) if display == SPOKEN else ())]


def _parts(lines: Iterable[str]) -> list[str]:
    return [part.strip() for line in lines for part in _APART.split(line)]


def _pieces(lines: Iterable[str]) -> dict[str, bool]:
    """Return the parts of lines that name a place, without spaces, and whether each is a row of cells.

    Headings name none, and tell nothing: anybody may write such words.
    """
    parts = [part for part in _parts(lines) if any(map(str.isdigit, part))]
    return {plain_lines(part)[0]: _is_row(part) for part in parts}


def _wide_rows(lines: Iterable[str]) -> Iterator[str]:
    """Yield rows of short cells that are far apart, with the label at their beginning and without it."""
    for cells in (plain_lines("\n".join(_APART.split(line.strip()))) for line in lines):
        if len(cells) > 1 and max(map(len, cells)) < _SHORTEST:
            yield from (row for row in ("".join(cells), "".join(cells[1:])) if len(row) > _CELL)


def _is_row(part: str) -> bool:
    cells = part.split()
    return len(cells) > _CELLS and all(len(cell) <= _CELL for cell in cells)


def _windows(board: Board, seat: Seat | None) -> Iterator[str]:
    """Yield parts of the words of a picture as HTML shows them: the labels of the rows, and the signs of the pieces."""
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


def _left_out(text: str, board: Board, seat: Seat, secrets: _Secrets) -> str:
    """Return the text without all lines between the first and the last one that tells a secret."""
    lines, plain = text.split("\n"), plain_lines(unspelt(_LETTERS.sub("", text)))
    told = _told(plain, secrets.texts)
    kind, least = cache(lambda word: _kind(word, board, seat)), min(secrets.rows, default=0)

    def tells(at: int) -> bool:
        if plain[at] in secrets.lines or (len(plain[at]) >= least and _is_like_a_row(plain[at], secrets.rows)):
            return True
        words = lines[at].split(None, _MOST_MOVES)
        return bool(words) and kind(words[0]) != _OTHER and _are_hidden_moves(map(kind, words))

    start = next(filter(tells, range(told.start)), told.start)
    if start == len(lines):
        return text
    end = next(filter(tells, range(len(lines) - 1, max(start, told.stop - 1), -1)), max(start, told.stop - 1)) + 1
    while start and _is_beside(plain[start - 1], board.game, secrets):
        start -= 1
    while end < len(plain) and _is_beside(plain[end], board.game, secrets):
        end += 1
    kept = [*lines[:start], LEFT_OUT, *lines[end:]]
    return "\n".join(kept) if any(line.strip() for line in kept if line != LEFT_OUT) else ""


def _is_beside(line: str, game: AnyGame, secrets: _Secrets) -> bool:
    """Return whether a line beside one that tells something is of the same diagram, such as a label without a piece."""
    return 0 < len(line) <= _CELL or line in secrets.beside or game.cells_of(line) == (line,)


def _told(plain: Sequence[str], texts: frozenset[str]) -> range:
    """Return the lines from the first to the last one that have one of these texts, or a part of it.

    If no line has, this is the empty range at the end.
    """
    stream = "".join(plain)
    begins = {text: begin for text in texts if (begin := stream.find(text)) >= 0}
    if not begins:
        return range(len(plain), 0)
    starts = list(itertools.accumulate(map(len, plain), initial=0))
    end = max(stream.rfind(text) + len(text) for text in begins)
    return range(bisect_right(starts, min(begins.values())) - 1, bisect_right(starts, end - 1))


def _is_like_a_row(line: str, rows: Mapping[int, Mapping[str, Sequence[str]]]) -> bool:
    """Return whether a line begins or ends like a row of a diagram."""
    for size, of_size in rows.items():
        if size <= len(line) <= 3 * size:
            above, below = of_size.get(line[:2]), of_size.get(line[-size : 2 - size])
            if (above and _is_one(line[:size], above)) or (below and _is_one(line[-size:], below)):
                return True
    return False


def _is_one(end: str, rows: Sequence[str]) -> bool:
    """Return whether this is nearly one of these rows."""
    return any(sum(map(eq, end, row)) >= _ALIKE * len(row) for row in rows)


def _are_hidden_moves(kinds: Iterable[str]) -> bool:
    """Return whether words are only moves which others read in other words, such as placed ships.

    They can have numbers and signs around them, as in a list.
    """
    all_kinds = set(kinds)
    return _HIDDEN in all_kinds and _OTHER not in all_kinds


def _kind(word: str, board: Board, seat: Seat) -> str:
    """Return whether a word is of hidden moves, or only signs and numbers, or another word."""
    parts = filter(None, _SEPARATOR.split(word.strip(_NOISE)))
    game = board.game
    moves = [game.normalise(move) for move in game.moves_in(list(parts))]
    if moves and all(game.is_move(move) and is_hidden_now(board, seat, move) for move in moves):
        return _HIDDEN
    return _OTHER if any(map(str.isalpha, word)) else _SIGN
