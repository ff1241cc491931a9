"""3io: explorers fuse the dust of space into galaxies, and leave a tile when it is worth most. Clauses I1-I30.

The tiles, and all numbers of the game, are in tiles.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import tanh
from typing import ClassVar

from pbmserv.errors import PlayerError
from pbmserv.games.base import Info, InTurn, Note, Option, Options, Outcome, Picture, Seat, Step, View, moves_of
from pbmserv.games.base.grid import replaced
from pbmserv.games.base.pieces import changed_by
from pbmserv.games.base.values import changed
from pbmserv.games.race.three_io.picture import in_hand, picture_of, with_numbers
from pbmserv.games.race.three_io.prospects import prospects
from pbmserv.games.race.three_io.tiles import (
    DUST,
    FEATURES,
    GRID,
    KINDS,
    Sectors,
    Tile,
    added,
    box_after_fuse,
    cell,
    crew_count,
    fuse_points,
    fuse_texts,
    fused,
    fusing,
    multiplier_at,
    one,
    tile_at,
)
from pbmserv.rng import Rng

CREW = 3  #: I1: meeples of each player


@dataclass(frozen=True, slots=True)
class Draw:
    """Choose to expand, and draw the second tile (I11)."""


@dataclass(frozen=True, slots=True)
class Play:
    """Put the kept (1) or the drawn (2) tile on a square, with a crew member or without (I12, I13)."""

    tile: int
    square: int
    crew: bool


@dataclass(frozen=True, slots=True)
class Score:
    """Take a crew member off a square and earn its points (I15)."""

    square: int


Move = Draw | Play | Score


@dataclass(frozen=True)
class Position:
    """`hands`: per seat the kinds it holds, the kept one first; `box`: how many of each kind; `out`: who left."""

    sectors: Sectors
    hands: tuple[tuple[int, ...], ...]
    box: tuple[int, ...]
    scores: tuple[int, ...]
    turn: Seat = 0
    quick: bool = False
    out: tuple[Seat, ...] = ()


class ThreeIO(InTurn[Position, Move]):
    """Two to four players; chance draws the tiles, nothing is hidden."""

    info = Info(
        key="3io",
        name="3io",
        kind="race",
        aliases=("threeio",),
        summary="Fuse three tiles into a greater one, and call your crew back when it pays.",
        seats=(2, 3, 4),
        pattern=r"draw|s[a-f][1-6]|[12][a-f][1-6]\+?",
        endings={"full": "the board is full"},
        credit="3io by Daniel Solis, 2012; the numbers of tiles, points and multipliers are this server's.",
        options=(
            Option(
                "quick", "your second tile is drawn before your turn; new boards have this unless they have -twostep"
            ),
            Option("twostep", "you choose between expanding and scoring first, then draw: often two mails a turn"),
        ),
        chance=True,
        nodes=(8, 18, 5000),  # with 60, a robot plays as well as with 600: to see each move once is nearly all
    )
    position_type = Position
    names_of_pieces = changed_by("crew", "meeple", "mannschaft", "besatzung")
    said_signs: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("tile", "plättchen", "with", "mit"), ""),
        **dict.fromkeys(("plus", "crew"), "+"),
        **dict.fromkeys(("score", "werten"), "s"),
        "ziehen": "draw",
    }

    def check(self, options: Options, seats: int) -> None:
        super().check(options, seats)
        if {"quick", "twostep"} <= set(options):
            raise PlayerError("-quick and -twostep do not go together.", "Choose one of them, or none for -quick.")

    def usual_options(self, named: Options) -> Options:
        """A turn is one mail with -quick. Boards without options began before it was usual, and have two steps."""
        return named if "twostep" in named else {"quick": "", **named}

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        position = Position(
            sectors=(None,) * GRID.size,
            hands=((DUST,),) * seats,
            box=added(tuple(kind.tiles for kind in KINDS), DUST, -seats),
            scores=(0,) * seats,
            quick="quick" in options,
        )
        return _with_draw(position, rng) if position.quick else position

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[Move]:
        return [move for move in _MOVES.values() if not _obstacle(position, seat, move)]

    def apply(self, position: Position, seat: Seat, move: Move, rng: Rng) -> Step[Position]:
        match move:
            case Draw():
                after = _with_draw(position, rng)
                return Step(after, (Note(f"Drew {_drawn(after)}."),))
            case Play():
                return _next_turn(_fuse(_play(position, move), move.square), rng)
            case Score():
                return _next_turn(_score(position, move.square), rng)

    def end(self, position: Position) -> str:
        return "full" if all(position.sectors) else ""

    def outcome(self, position: Position) -> Outcome | None:
        if not self.end(position):
            return None
        merits = [_merit(position, seat) for seat in range(len(position.scores))]
        return Outcome("full", tuple(1 + sum(other > own for other in merits) for own in merits), position.scores)

    def format(self, move: Move) -> str:
        match move:
            case Draw():
                return "draw"
            case Play():
                return f"{move.tile}{GRID.name(move.square)}{'+' * move.crew}"
            case Score():
                return f"s{GRID.name(move.square)}"

    def spoken(self, written: str) -> str:
        kind, square = written[0], written[1:].removesuffix("+")
        if not kind.isdigit():
            return "" if written == "draw" else f"score {square}"
        return f"tile {kind} to {square}" + ", with crew" * written.endswith("+")

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[Move]:
        return () if _obstacle(position, seat, _MOVES[text]) else (_MOVES[text],)

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        return f"'{text}' is not possible: {_obstacle(position, seat, _MOVES[text])}."

    def example(self, position: Position, seat: Seat) -> str:
        """Return `draw`, or the first move with crew if there is one, because newcomers forget the plus."""
        moves = moves_of(self, position, seat)
        return self.format(max(moves, key=lambda move: isinstance(move, Play) and move.crew))

    def scores(self, position: Position) -> tuple[int, ...]:
        return position.scores

    def retire(self, position: Position, seat: Seat, rng: Rng) -> Step[Position]:
        """Crew and kept tile stay out of play (I28, I30); a tile drawn in an unfinished turn returns to the box."""
        after = changed(position, out=(*position.out, seat))
        return _next_turn(Step(_put_back(after)), rng) if seat == position.turn else Step(after)

    def rejoin(self, position: Position, seat: Seat) -> Position:
        """The substitute has the crew and the kept tile of who left."""
        return changed(position, out=tuple(other for other in position.out if other != seat))

    def scene(self, view: View[Position]) -> Mapping[str, object]:
        position = view.position
        cells = [cell(tile) for tile in position.sectors]
        return {
            "ranks": [{"number": row + 1, "cells": cells[row * 6 : row * 6 + 6]} for row in reversed(range(6))],
            "sectors": [_in_words(s, tile) for s in _READING_ORDER if (tile := position.sectors[s])],
            "below": [f"{GRID.name(s).upper()}: {c.full}" for s, c in enumerate(cells) if c.full != c.crew],
            "players": [
                {
                    "turn": seat in self.to_move(position),
                    "score": position.scores[seat],
                    "crew": _crew(position, seat),
                    "hand": in_hand(hand),
                    "out": seat in position.out,
                }
                for seat, hand in enumerate(position.hands)
            ],
            "box": _in_box(position),
        }

    def evaluate(self, position: Position, seat: Seat) -> float:
        """The points, and what crew and the tile in hand may still earn, compared with the best of the others."""
        merits = prospects(position.scores, position.hands, position.sectors, CREW)
        best = max(merit for s, merit in enumerate(merits) if s != seat)
        return tanh((merits[seat] - best) / 120)  # who has 100 more now often loses them again

    def picture(self, view: View[Position]) -> Picture:
        position = view.position
        hands = [
            (f"Player {seat + 1}: crew left {_crew(position, seat)}, hand: {with_numbers(hand)}", hand)
            for seat, hand in enumerate(position.hands)
            if seat not in position.out
        ]
        gone = [f"Player {seat + 1} has left" for seat in sorted(position.out)]
        lines = [f"Points by player: {', '.join(map(str, position.scores))}", *gone]
        return picture_of(position.sectors, hands, lines, (f"Box: {_in_box(position)}",))

    def caption(self, position: Position, move: Move) -> str:
        match move:
            case Draw():
                return "draw"
            case Score():
                return "score"
            case Play(tile, _, crew):
                return f"{_held(position, tile)}{' + crew' * crew}"


_READING_ORDER = tuple(s for row in reversed(range(6)) for s in range(row * 6, row * 6 + 6))


def _in_box(position: Position) -> str:
    return ", ".join(f"{kind.dark.name} {n}" for n, kind in zip(position.box, KINDS, strict=True))


def _crew(position: Position, seat: Seat) -> int:
    """Return how many of a seat's crew are left."""
    return CREW - crew_count(position.sectors, seat)


def _held(position: Position, tile: int) -> str:
    """Return the name of a tile in hand, with its number if the two tiles are equal: `dust`, `dust (2)`."""
    hand = position.hands[position.turn]
    name = KINDS[hand[tile - 1]].dark.name
    return f"{name} ({tile})" if len(set(hand)) < len(hand) else name


def _in_words(square: int, tile: Tile) -> Mapping[str, object]:
    """Describe a sector in words, for `mail=spoken`. `crew`: the numbers of the players."""
    return {
        "square": GRID.name(square),
        "feature": FEATURES[tile.feature],
        "crew": [seat + 1 for seat in tile.crew],
        "tokens": tile.tokens,
    }


def _all_moves() -> Sequence[Move]:
    squares = range(GRID.size)
    plays = [Play(tile, square, crew) for tile in (1, 2) for square in squares for crew in (False, True)]
    return [Draw(), *plays, *(Score(square) for square in squares)]


_MOVES = {ThreeIO().format(move): move for move in _all_moves()}  # every possible move, by its text


def _obstacle(position: Position, seat: Seat, move: Move) -> str:
    """Return why a move is not possible now; "" if it is possible."""
    match move:
        case Draw():
            return _obstacle_to_draw(position, seat)
        case Play():
            return _obstacle_to_play(position, seat, move)
        case Score():
            return _obstacle_to_score(position, seat, move.square)


def _obstacle_to_draw(position: Position, seat: Seat) -> str:
    if position.quick:
        return "with -quick your second tile is drawn for you"
    return "you have already drawn, so play one of your tiles" if _holds_two(position, seat) else ""


def _obstacle_to_play(position: Position, seat: Seat, move: Play) -> str:
    if not _holds_two(position, seat):
        return "draw your second tile first"
    if position.sectors[move.square]:
        return f"{GRID.name(move.square)} is occupied"
    if move.crew and crew_count(position.sectors, seat) == CREW:
        return "all your crew are on the board"
    return ""


def _obstacle_to_score(position: Position, seat: Seat, square: int) -> str:
    if _holds_two(position, seat) and not position.quick:
        return "you have drawn, so you have to play a tile"
    tile = position.sectors[square]
    return "" if tile and seat in tile.crew else f"you have no crew on {GRID.name(square)}"


def _holds_two(position: Position, seat: Seat) -> bool:
    return len(position.hands[seat]) == 2


def _with_draw(position: Position, rng: Rng) -> Position:
    """Give the seat to move a second tile. Each tile in the box is equally likely (I11)."""
    kind = rng.weighted(position.box)
    hand = (*position.hands[position.turn], kind)
    return changed(position, hands=replaced(position.hands, position.turn, hand), box=added(position.box, kind, -1))


def _put_back(position: Position) -> Position:
    """Put the tile that the seat to move has drawn, if any, back into the box."""
    kept, *drawn = position.hands[position.turn]
    if not drawn:
        return position
    hands = replaced(position.hands, position.turn, (kept,))
    return changed(position, hands=hands, box=added(position.box, drawn[0], 1))


def _play(position: Position, move: Play) -> Position:
    """Put a tile on the board, dark side up and not yet fused. The other tile is kept (I12, I13)."""
    turn = position.turn
    hand = position.hands[turn]
    tile = Tile(2 * hand[move.tile - 1], (turn,) * move.crew)
    return changed(
        position,
        sectors=replaced(position.sectors, move.square, tile),
        hands=replaced(position.hands, turn, (hand[2 - move.tile],)),
    )


def _fuse(position: Position, square: int) -> Step[Position]:
    """Carry out the chain of fuses that the tile on `square` starts (I24)."""
    notes: list[Note] = []
    while group := fusing(position.sectors, square):
        step = _fuse_once(position, group)
        position = step.position
        notes += step.notes
    return Step(position, tuple(notes))


def _fuse_once(position: Position, group: list[int]) -> Step[Position]:
    """Replace the tiles on the squares of `group` by one tile on its first square."""
    tiles = [tile_at(position.sectors, square) for square in group]
    old, new = tiles[0].feature, fused(tiles)
    sectors = (new if s == group[0] else None if s in group else tile for s, tile in enumerate(position.sectors))
    after = changed(
        position,
        sectors=tuple(sectors),
        box=box_after_fuse(position.box, old, len(group)),
        scores=added(position.scores, position.turn, fuse_points(old)),
    )
    texts = fuse_texts(old, len(group), GRID.name(group[0]))
    return Step(after, tuple(Note(text) for text in texts))


def _score(position: Position, square: int) -> Step[Position]:
    """Take a crew member of the seat to move off a tile (I15). With -quick the drawn tile goes back (I29)."""
    tile = tile_at(position.sectors, square)
    crew = list(tile.crew)
    crew.remove(position.turn)
    base, factor = FEATURES[tile.feature].points + tile.tokens, multiplier_at(position.sectors, square)
    after = changed(
        _put_back(position),
        sectors=replaced(position.sectors, square, Tile(tile.feature, tuple(crew))),
        scores=added(position.scores, position.turn, base * factor),
    )
    return Step(after, (Note(f"Earned {base} x {factor} = {base * factor} on {GRID.name(square)}."),))


def _next_turn(step: Step[Position], rng: Rng) -> Step[Position]:
    """Pass the turn to the next seat that has not left, unless the board is full (I9, I26, I28)."""
    position = step.position
    if all(position.sectors):
        return step
    seats = len(position.hands)
    others = ((position.turn + n) % seats for n in range(1, seats))
    position = changed(position, turn=next(seat for seat in others if seat not in position.out))
    if not position.quick:
        return Step(position, step.notes)
    position = _with_draw(position, rng)
    return Step(position, (*step.notes, Note(f"Player {position.turn + 1} drew {_drawn(position)}.")))


def _drawn(position: Position) -> str:
    """Return the tile that the seat to move has drawn, in words."""
    return one(KINDS[position.hands[position.turn][1]].dark.name)


def _merit(position: Position, seat: Seat) -> tuple[bool, int]:
    """Return the key for ranks: points. Seats that left come after all others, the first to leave last (I27, I30)."""
    if seat in position.out:
        return False, position.out.index(seat)
    return True, position.scores[seat]
