"""Go: games as SGF, written and read."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, takewhile

from pbmserv.games.base import PASS
from pbmserv.games.base.grid import Grid
from pbmserv.games.base.log import Kind
from pbmserv.games.base.sheet import Format, FormatError, Ply, Reading, Sheet, Written
from pbmserv.games.formats import trees
from pbmserv.games.formats.sgf import BLACK_FIRST, Dialect, Properties, point, stones
from pbmserv.games.formats.trees import Node, Tree, plain
from pbmserv.games.territory.go.lattice import SIZES, handicap_points, lattice, lattice_of, most_handicap
from pbmserv.games.territory.go.phases import NAMES, Position
from pbmserv.games.territory.go.stones import EMPTY, SIGNS, key_of

COUNT, RESUME = "count", "resume"
_SIGNS = {"X": "AB", "O": "AW"}
_RESULT = re.compile(r"([BW])(?:lack|hite)?\s*(?:\+|wins)\s*(?:by\s)?\s*(.*)", re.IGNORECASE | re.DOTALL)
_DRAWN = ("0", "draw", "jigo")
_VOID = "void"
_UNKNOWN = ("", "?")
_HOW = {r"r(?:es.*)?": Kind.RESIGN, r"t(?:ime.*)?": Kind.FORFEIT}  #: what stands behind the +, in small letters
_NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]*)?")
_KOMI, _WITH_HANDICAP = 7.5, 0.5
_MOST_KOMI = 150
_IN_STONES = {3.75: 7.5, 3.25: 6.5, 2.75: 5.5}  #: komi as Chinese stones, each of which is two points


def _root(sheet: Sheet) -> Properties:
    position: Position = sheet.first
    root: dict[str, Sequence[str]] = {"SZ": [str(lattice_of(position.points).size)], "RU": ["Chinese"]}
    root["KM"] = [f"{position.komi / 2:g}"]
    if position.handicap or sheet.board.start.origin:  # readers take black stones without a number for a handicap
        root |= {"HA": [str(position.handicap)], **_setup(position)}
    return root


def _setup(position: Position) -> Properties:
    grid = _grid(lattice_of(position.points).size)
    return stones(_SIGNS, zip(position.points, (point(grid, p) for p in range(grid.size)), strict=True))


def _move(ply: Ply) -> Properties:
    """Return a stone or a pass. SGF has no moves of the count."""
    lattice = lattice_of(ply.position.points)
    if ply.text == PASS:
        return {BLACK_FIRST[ply.seat]: [""]}
    if ply.text not in lattice.numbers:
        return {}
    return {BLACK_FIRST[ply.seat]: [point(_grid(lattice.size), lattice.numbers[ply.text])]}


def _grid(size: int) -> Grid:
    return Grid(size, size)


def _read(data: bytes) -> Iterator[Reading | FormatError]:
    for tree in trees.trees(data):
        if isinstance(tree, FormatError):
            yield tree
            continue
        try:
            yield _reading(tree)
        except FormatError as e:
            yield FormatError(f"Game {tree.number}: {e.text}")


def _reading(tree: Tree) -> Reading:
    root = _root_of(tree)
    if _text(root, "GM") not in ("", "1"):
        raise FormatError("it is no game of go: only those can be imported from SGF.")
    size = _size(root)
    options, origin, moves = _begin(root, size, _moves(tree))
    ranks, how = _result(_text(root, "RE"))
    comments = sum("C" in node for node in tree.nodes)
    counted = {"comment": comments, "variation": tree.variations}
    unread = ranks is None and how is Kind.ADJUDICATE and _text(root, "RE") not in _UNKNOWN
    return Reading(
        options,
        (_text(root, "PB"), _text(root, "PW")),
        tuple(_written(moves, origin.turn if origin else int("handicap" in options), size)),
        ranks,
        how,
        origin,
        _text(root, "DT"),
        (
            *(f"{count} {kind}{'s' * (count > 1)}" for kind, count in counted.items() if count),
            *[f"the result '{_text(root, 'RE')[:30]}', which cannot be read"] * unread,
        ),
    )


Moves = list[tuple[int, str, str]]  #: the number, the colour and the point of each move


def _root_of(tree: Tree) -> Node:
    """Return the first node with those after it that only set up stones, or say more of the game."""
    root: dict[str, list[str]] = {}
    for node in tree.nodes[: _before_moves(tree)]:
        for name, values in node.items():
            root[name] = [*root.get(name, ()), *values]
    return root


def _before_moves(tree: Tree) -> int:
    """Return how many nodes come before the first move; at least 1. Stones that are taken away belong to a game."""
    return 1 + sum(1 for _ in takewhile(lambda node: not {*BLACK_FIRST, "AE"} & node.keys(), tree.nodes[1:]))


def _text(node: Node, name: str) -> str:
    return plain(node.get(name, [""])[0])


def _handicap(root: Node) -> int | None:
    """Return the handicap that the file names, None if it names none. 1 is only the right to begin, so it is 0."""
    text = _text(root, "HA")
    if not re.fullmatch("[0-9]{1,3}", text, re.ASCII):
        return None
    return int(text) if int(text) > 1 else 0


def _size(root: Node) -> int:
    text = _text(root, "SZ") or str(SIZES[-1])
    size = next((size for size in SIZES if text in (str(size), f"{size}:{size}")), 0)
    if not size:
        raise FormatError(f"its board has the size '{text[:20]}'; odd sizes from 5 to 19 can be read.")
    return size


def _komi(root: Node, usual: float) -> float:
    """Return the komi. Some servers write hundredths, and some count Chinese stones."""
    text = _text(root, "KM")
    if text and not _NUMBER.fullmatch(text):
        raise FormatError(f"its komi '{text[:20]}' is no number of halves.")
    komi = float(text.replace(",", ".")) if text else usual
    if komi > _MOST_KOMI:
        komi /= 100
    komi = _IN_STONES.get(komi, komi) or 0.0  # no -0
    if not -_MOST_KOMI <= komi <= _MOST_KOMI or 2 * komi != round(2 * komi):
        raise FormatError(f"its komi '{text[:20]}' is no number of halves.")
    return komi


def _moves(tree: Tree) -> Moves:
    """Return the moves of the main line. Raises FormatError where stones are put down otherwise."""
    moves: Moves = []
    begun = _before_moves(tree)
    for number, node in enumerate(tree.nodes):
        if number >= begun and {"AB", "AW", "AE"} & node.keys():
            raise FormatError(f"after move {len(moves)}, stones are set up by hand.")
        colours = [colour for colour in BLACK_FIRST if colour in node]
        if len(colours) > 1:
            raise FormatError(f"after move {len(moves)}, both players move at once.")
        moves += [(len(moves) + 1, colour, _text(node, colour).lower()) for colour in colours]
    return moves


def _stones(root: Node, name: str, size: int) -> frozenset[int]:
    """Return the points of stones that are set up. A value can be a rectangle of two corners."""
    points = set[int]()
    for value in root.get(name, []):
        first, _, last = plain(value).lower().partition(":")
        corners = [_point(text, size) for text in (first, last or first)]
        if None in corners:
            raise FormatError(f"{name}[{value[:10]}] is no point of its board.")
        (row, column), (low, right) = (divmod(corner or 0, size) for corner in corners)
        points |= {r * size + c for r in range(low, row + 1) for c in range(column, right + 1)}
    return frozenset(points)


def _point(text: str, size: int) -> int | None:
    """Return the number of the point that two letters name; None if there is none."""
    if not re.fullmatch("[a-s]{2}", text, re.ASCII):
        return None
    column, row = (ord(letter) - 97 for letter in text)
    return (size - 1 - row) * size + column if max(column, row) < size else None


def _handicap_moves(moves: Moves, size: int, stones: int) -> tuple[frozenset[int], Moves]:
    """Return the handicap stones of a file that sets up none, and the moves after them.

    They are Black's first moves, perhaps with White's passes between, or were left out because White begins. If Black
    begins with fewer, there is no handicap. Raises FormatError.
    """
    for step in (1, 2):
        first, between = moves[: step * stones : step], moves[1 : step * stones - 1 : 2] if step > 1 else []
        points = {_point(where, size) for _, colour, where in first if colour == "B"} - {None}
        if len(points) == stones and all(c == "W" and _is_pass(where, size) for _, c, where in between):
            return frozenset(p for p in points if p is not None), moves[step * (stones - 1) + 1 :]
    if moves and moves[0][1] == "B":
        return frozenset(), moves
    if stones > most_handicap(size):
        raise FormatError(f"it has HA[{stones}], but does not say where these stones are.")
    return frozenset(handicap_points(size, stones)), moves


def _begin(root: Node, size: int, moves: Moves) -> tuple[Mapping[str, str], Position | None, Moves]:
    """Return the options of the board, its first position if options cannot express it, and the moves from there."""
    black, white = _stones(root, "AB", size), _stones(root, "AW", size)
    handicap = _handicap(root)
    if handicap and not black | white:
        black, moves = _handicap_moves(moves, size, handicap)
        handicap = len(black)
    if handicap is None:
        handicap = len(black) if not white and len(black) > 1 else 0
    usual = _WITH_HANDICAP if handicap else _KOMI
    komi, turn = _komi(root, usual), _turn(root, moves, black, white)
    options = ({"size": str(size)} if size != SIZES[-1] else {}) | ({"komi": f"{komi:g}"} if komi != usual else {})
    if not black | white and turn == 0 and not handicap:
        return options, None, moves
    is_fixed = handicap in range(2, most_handicap(size) + 1) and black == {*handicap_points(size, handicap)}
    if is_fixed and not white and turn == 1:
        return options | {"handicap": str(handicap)}, None, moves
    points = "".join(SIGNS[0] if p in black else SIGNS[1] if p in white else EMPTY for p in range(size * size))
    return options, Position(points, turn, round(2 * komi), handicap, seen=(key_of(points),)), moves


def _turn(root: Node, moves: Moves, black: frozenset[int], white: frozenset[int]) -> int:
    """Return who begins: whom the file names, and if stones were set up, who moves first in it."""
    colour = _text(root, "PL").upper()[:1]
    if moves and black | white:
        colour = moves[0][1]
    return BLACK_FIRST.index(colour) if colour and colour in BLACK_FIRST else int(bool(black) and not white)


def _written(moves: Moves, turn: int, size: int) -> Iterator[Written]:
    """Yield the moves as our rules want them. After two passes, who plays on wants no count."""
    passes = 0
    for number, colour, where in _without_idle_passes(moves, size):
        if passes == 2:
            yield from (Written(f"move {number}", text) for text in (COUNT, RESUME))
            passes = 0
        name = NAMES[BLACK_FIRST.index(colour)]
        if colour != BLACK_FIRST[turn]:
            raise FormatError(f"move {number} is {name}'s, but it is {NAMES[turn]}'s turn.")
        square = _point(where, size)
        text = PASS if _is_pass(where, size) else where if square is None else lattice(size).names[square]
        passes = passes + 1 if text == PASS else 0
        yield Written(f"move {number} ({name} {text[:10]})", text)
        turn = 1 - turn


def _without_idle_passes(moves: Moves, size: int) -> Iterator[tuple[int, str, str]]:
    """Yield the moves without passes that change nothing, but would end a board here.

    Some rules have a third pass at the end. In the middle, pairs are left out until two or three passes are there.
    """
    for idle, group in groupby(moves, key=lambda move: _is_pass(move[2], size)):
        run = list(group)
        if idle and run[-1] == moves[-1]:
            run = run[:2]
        yield from run[: 2 + len(run) % 2] if idle and len(run) > 1 else run


def _is_pass(where: str, size: int) -> bool:
    """Return whether a move is a pass: nothing, or, as in old files, a point beyond the board."""
    return where in ("", PASS) or (where == "tt" and size <= SIZES[-1])


def _result(text: str) -> tuple[tuple[int, int] | None, Kind]:
    """Return the ranks of Black and White, and how the game ended if no stones or points tell it.

    Of a result that is unknown or cannot be read, the ranks are None.
    """
    if text in _UNKNOWN:
        return None, Kind.ADJUDICATE
    if text.lower() == _VOID:
        return None, Kind.VOID
    if text.lower() in _DRAWN:
        return (1, 1), Kind.ADJUDICATE
    match = _RESULT.fullmatch(text)
    if not match:
        return None, Kind.ADJUDICATE
    how = (kind for form, kind in _HOW.items() if re.fullmatch(form, match[2].strip(" .").lower(), re.DOTALL))
    return ((1, 2) if match[1].upper() == "B" else (2, 1)), next(how, Kind.ADJUDICATE)


DIALECT = Dialect(1, _root, _setup, _move)
SGF = Format("sgf", DIALECT.format.media_type, DIALECT.written, _read)
