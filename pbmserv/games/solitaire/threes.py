"""Threes: push all cards one space, merge what fits, and make room for the next one. Clauses H1-H18 of the rules.

A card is its value, 0 an empty square. Draws per move: the line (H7), the plus test and value (H10, H11), the bag (H8).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise
from typing import ClassVar

from pbmserv.games.base import (
    Cell,
    Game,
    Info,
    Note,
    Options,
    Outcome,
    Picture,
    Piece,
    Seat,
    Step,
    Tray,
    View,
    moves_of,
)
from pbmserv.games.base.grid import Grid, replaced
from pbmserv.games.base.picture import on_grid
from pbmserv.rng import Rng

GRID = Grid(4, 4)
FULL_BAG = (4, 4, 4)  #: H8: how many 1s, 2s and 3s
UNKNOWN_PLUS = 0  #: in a view, the value of an announced plus card
_OPENING_CARDS = 9
_PLUS_FROM = 48  # H10: the high card that brings plus cards into play ...
_PLUS_ODDS = 21  # ... with a chance of one in this number
_DIRECTIONS = {"w": "up", "a": "left", "s": "down", "d": "right"}
_MOVES = tuple(_DIRECTIONS)

_ARROWS = {"a": 6, "w": 0, "s": 4, "d": 2}  # as indices into COMPASS, in the order of a picture

# The lines of each direction, from the wall pushed against to the far end; rows from the top, columns from the left.
_ROWS = tuple((first, first + 1, first + 2, first + 3) for first in (12, 8, 4, 0))
_COLUMNS = tuple((first, first - 4, first - 8, first - 12) for first in (12, 13, 14, 15))
_LINES = {"w": _COLUMNS, "a": _ROWS, "s": [line[::-1] for line in _COLUMNS], "d": [line[::-1] for line in _ROWS]}

Cards = tuple[int, ...]
Bag = tuple[int, int, int]  #: how many 1s, 2s and 3s are left; their order is not decided yet


@dataclass(frozen=True, slots=True)
class Position:
    """`cards`: one for each of the 16 squares; `coming`: the next card, already decided (H9)."""

    cards: Cards
    bag: Bag
    coming: int


class Threes(Game[Position, str]):
    """A solitaire; a move is one of the letters w, a, s, d."""

    info = Info(
        key="threes",
        name="Threes",
        kind="solitaire",
        summary="Push cards together and double them before the board is full.",
        seats=(1,),
        pattern="|".join((*_MOVES, *_DIRECTIONS.values())),
        endings={"stuck": "no card can move any more"},
        credit="Threes, after the game by Asher Vollmer, Greg Wohlwend and Jimmy Hinson (Sirvo).",
        agreements=frozenset(),
        chance=True,
        hidden=True,
    )
    position_type = Position
    said_signs: ClassVar[Mapping[str, str]] = {
        "oben": "w",
        "unten": "s",
        "links": "a",
        "rechts": "d",
        "hoch": "w",
        "runter": "s",
    }

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        opening = None
        while opening is None:
            opening = _open(rng)
        cards, bag = opening
        coming, bag = _decide(max(cards), bag, rng)
        return Position(cards, bag, coming)

    def to_move(self, position: Position) -> frozenset[Seat]:
        return frozenset({0} if moves_of(self, position, 0) else ())

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[str]:
        return [move for move in _MOVES if shift(position.cards, move)[1]]

    def apply(self, position: Position, seat: Seat, move: str, rng: Rng) -> Step[Position]:
        cards, ends = shift(position.cards, move)
        entry = rng.choice(ends)
        cards = replaced(cards, entry, position.coming)
        coming, bag = _decide(max(cards), position.bag, rng)
        notes = (
            Note(f"A {position.coming} came in on {_line_name(entry, move)}."),
            Note(f"The next card is a {'plus card' if _is_plus(coming) else coming}."),
        )
        return Step(Position(cards, bag, coming), notes, revealed=_is_plus(position.coming))

    def outcome(self, position: Position) -> Outcome | None:
        if moves_of(self, position, 0):
            return None
        return Outcome("stuck", ranks=(1,), scores=self.scores(position))

    def format(self, move: str) -> str:
        return move

    def spoken(self, written: str) -> str:
        return _DIRECTIONS[written]

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[str]:
        return [move for move in moves_of(self, position, seat) if text in (move, _DIRECTIONS[move])]

    def words(self, text: str) -> list[str]:
        """Split `aawd` into four moves. The words `up`, `left`, `down` and `right` are one move each."""
        word = self.normalise(text)
        return list(word) if re.fullmatch("[wasd]+", word) else [text]

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        return f"'{text}' is not possible: nothing would move {_DIRECTIONS.get(text, text)}."

    def view(self, position: Position, seat: Seat | None) -> View[Position]:
        """Hide the value of a plus card until it is on the board (H12)."""
        if _is_plus(position.coming):
            position = replace(position, coming=UNKNOWN_PLUS)
        return View(seat, position)

    def scores(self, position: Position) -> tuple[int]:
        return (sum(map(points_of, position.cards)),)

    def scene(self, view: View[Position]) -> Mapping[str, object]:
        cards = view.position.cards
        return {
            "ranks": [{"number": 1 + row[0] // 4, "cards": [cards[square] for square in row]} for row in _ROWS],
            "coming": announced(view.position.coming),
            "score": self.scores(view.position)[0],
        }

    def evaluate(self, position: Position, seat: Seat) -> float:
        """Room, cards that fit together, and lines in which cards grow towards one end."""
        cards = position.cards
        lines = [tuple(cards[square] for square in line) for way in "wa" for line in _LINES[way]]
        return sum(map(_order, lines)) - (0 if self.to_move(position) else _LOST)

    def determinize(self, view: View[Position], rng: Rng) -> Position:
        position = view.position
        if position.coming != UNKNOWN_PLUS:
            return position
        return replace(position, coming=rng.choice(plus_values(max(position.cards))))

    def picture(self, view: View[Position]) -> Picture:
        coming = announced(view.position.coming)
        next_card = Tray(f"Next card: {'plus' if coming == '+' else coming}", (_cell(coming),))
        legal = moves_of(self, view.position, 0)
        arrows = tuple(_arrow(move, move in legal) for move in _ARROWS)
        push = Tray("Push", arrows, holds=tuple(_DIRECTIONS[move] for move in _ARROWS if move in legal))
        cards = enumerate(view.position.cards)
        cells = [replace(_cell(str(card)) if card else Cell(), name=GRID.name(square)) for square, card in cards]
        return on_grid(
            GRID, cells, (f"Score: {self.scores(view.position)[0]}",), beside=(next_card, *[push] * bool(legal))
        )

    def cells_of(self, text: str) -> tuple[str, ...]:
        """Return the arrow that a player touches to push. No move names a square."""
        return (text,)

    def marked_cells(self, text: str, mover: Seat, reader: Seat | None) -> tuple[str, ...]:
        """Mark no arrow: that of the last push would look like a hint for the next one."""
        return ()

    def noted_cells(self, text: str, notes: Sequence[str]) -> tuple[str, ...]:
        """Mark the card that came in, at the far end of its line."""
        ends = (line[-1] for line in _LINES[text])
        return tuple(
            GRID.name(end) for end in ends for note in notes if note.rstrip(".").endswith(_line_name(end, text))
        )

    def caption(self, position: Position, move: str) -> str:
        return _DIRECTIONS[move]


_LOST = 20_000  #: for robots: a board on which nothing moves


@lru_cache(maxsize=1 << 16)
def _order(line: Cards) -> float:
    """Return how good a line is for robots: after the weights that players of 2048 have found to work."""
    ranks = [(card // 3).bit_length() + 2 if card >= 3 else card for card in line]
    pairs = [(a, b) for a, b in pairwise(line) if a and b]
    merges = sum((a == b >= 3) + ({a, b} == {1, 2}) for a, b in pairs)
    up = sum(max(a**4 - b**4, 0) for a, b in pairwise(ranks))
    down = sum(max(b**4 - a**4, 0) for a, b in pairwise(ranks))
    heavy: float = sum(rank**3.5 for rank in ranks)
    return 270 * line.count(0) + 700 * merges - 0.5 * min(up, down) - 1.1 * heavy / 3


def shift(cards: Cards, move: str) -> tuple[Cards, list[int]]:
    """Return the cards after a push, and the far ends of the lines that moved, in the order of the choice in H7."""
    after = list(cards)
    ends = []
    for a, b, c, d in _LINES[move]:
        pushed = push((cards[a], cards[b], cards[c], cards[d]))
        if pushed is not None:
            after[a], after[b], after[c], after[d] = pushed
            ends.append(d)
    return tuple(after), ends


@lru_cache(maxsize=1 << 16)  # room for every line of cards up to 12288; a move pushes 16 lines, mostly known ones
def push(line: Cards) -> Cards | None:
    """Return the line after a push towards its first square; None if it does not move (H4)."""
    for i in range(3):
        if _fits(line[i], line[i + 1]) and any(line[i + 1 :]):
            return (*line[:i], line[i] + line[i + 1], *line[i + 2 :], 0)
    return None


def plus_values(high: int) -> list[int]:
    """Return the possible values of a plus card when the high card is `high` (H11): 6, 12, ... up to `high` / 8."""
    return [6 << n for n in range((high // _PLUS_FROM).bit_length())]


def points_of(card: int) -> int:
    """Return the points of a card: 3 to the power of its rank; 0 for the cards 1 and 2 (H2, H16)."""
    return int(3 ** (card // 3).bit_length()) if card >= 3 else 0


def announced(coming: int) -> str:
    """Return what the player sees of the next card (H12)."""
    return "+" if _is_plus(coming) else str(coming)


@cache
def _cell(card: str) -> Cell:
    """Return a square with a card, which has the colour that it has in the original game."""
    colour = {"1": "blue", "2": "red", "+": "yellow"}.get(card, "white")
    return Cell(pieces=(Piece(colour, card, art="card"),))


@cache
def _arrow(move: str, is_legal: bool) -> Cell:
    """Return the cell that is touched to push; a grey one without an arrow if nothing would move."""
    return Cell(move, arrows=(_ARROWS[move],), text=move) if is_legal else Cell(move, "grey")


def _is_plus(coming: int) -> bool:
    return coming not in (1, 2, 3)


def _fits(near: int, far: int) -> bool:
    """Return whether `far` can move onto `near`: an empty square, or a card with which it merges (H4, H5)."""
    return not near or (near == far >= 3) or {near, far} == {1, 2}


def _open(rng: Rng) -> tuple[Cards, Bag] | None:
    """Try to make an opening; None if a shift merged cards, so that it has to start again (H13)."""
    cards: Cards = (0,) * GRID.size
    bag: Bag = FULL_BAG
    for dealt in range(_OPENING_CARDS):
        move = rng.choice(_MOVES)
        cards, _ = shift(cards, move)
        if GRID.size - cards.count(0) < dealt:
            return None
        card, bag = _draw(bag, rng)
        edge = [line[-1] for line in _LINES[move]]
        cards = replaced(cards, rng.choice([square for square in edge if not cards[square]]), card)
    return cards, bag


def _decide(high: int, bag: Bag, rng: Rng) -> tuple[int, Bag]:
    """Decide the next card, and return it with the bag after it (H10, H11)."""
    if high >= _PLUS_FROM and rng.randrange(_PLUS_ODDS) == 0:
        return rng.choice(plus_values(high)), bag
    return _draw(bag, rng)


def _draw(bag: Bag, rng: Rng) -> tuple[int, Bag]:
    """Draw a basic card, from a new bag if this one is empty (H8)."""
    ones, twos, threes = bag = bag if any(bag) else FULL_BAG
    card = 1 + rng.weighted(bag)
    return card, (ones - (card == 1), twos - (card == 2), threes - (card == 3))


def _line_name(square: int, move: str) -> str:
    """Return the name of the line of `square` in the direction of a move, with its number in the diagram."""
    name = GRID.name(square).upper()
    return f"row {name[1:]}" if move in "ad" else f"column {name[0]}"
