"""Sea Battle: hidden fleets, and shots at squares that the shooter cannot see. The game of pencil and squared paper.

Both players place their ships at the same time, then they shoot in turn. Nothing of a fleet is seen but what shots
tell: whether a shot hits, and the kind of a ship that sinks.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from pbmserv.games.base import Info, InTurn, Note, Option, Options, Picture, Played, Seat, Step, View
from pbmserv.games.base.grid import replaced
from pbmserv.games.race.battleship.fleets import (
    GRID,
    NAMES,
    SHIPS,
    SQUARE,
    Fleet,
    between,
    completed,
    ends_of,
    free_ways,
    ship_on,
    square_of,
    squares_of,
)
from pbmserv.games.race.battleship.guessing import guessed
from pbmserv.games.race.battleship.picture import picture_of, scene_of, whose
from pbmserv.games.race.battleship.waters import HIT, MISS, SANK, UNKNOWN, Position
from pbmserv.rng import Rng

RANDOM = "random"  #: chance places all ships that are not placed yet
AGAIN = "again"  #: all ships are taken off, and placing begins again
_SEPARATORS = str.maketrans("+/", "  ")


class SeaBattle(InTurn[Position, str]):
    """Two players, hidden fleets. A move is its canonical text: a placed ship, `random`, `again`, or a square."""

    info = Info(
        key="battleship",
        first=None,
        name="Sea Battle",
        kind="race",
        aliases=("seabattle", "ships"),
        summary="Hide your fleet, and find and sink your opponent's.",
        seats=(2,),
        pattern=f"{RANDOM}|{AGAIN}|{SQUARE}(?:-?{SQUARE})?",
        endings={"fleet": "the whole fleet is sunk"},
        credit="a game of pencil and paper, played since about 1900.",
        options=(Option("salvo", "each turn has as many shots as you have ships, answered together"),),
        agreements=frozenset({"draw"}),
        chance=True,
        hidden=True,
        nodes=(30, 200, 5000),  # one guess and a part of the squares, two guesses, fifty: luck leaves no more steps
    )
    names = ("Red", "Blue")
    said_signs: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("zufall", "zufällig", "hasard", "azar", "caso", "losowo", "slump"), RANDOM),
        **dict.fromkeys((*(ship.name for ship in SHIPS), "fire", "shot", "feuer", "schuss", "tir", "disparo"), ""),
    }
    position_type = Position

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        return Position(salvo="salvo" in options)

    def to_move(self, position: Position) -> frozenset[Seat]:
        if not position.shooting:
            return frozenset(seat for seat, placed in enumerate(position.placed) if placed < len(SHIPS))
        return super().to_move(position)

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[str]:
        if position.shooting:
            sea = position.seas[1 - seat]
            return [NAMES[s] for s in range(GRID.size) if sea[s] == UNKNOWN and s not in position.called]
        fleet = position.fleets[seat]
        return [*free_ways(fleet), RANDOM, *([AGAIN] if fleet else [])]

    def format(self, move: str) -> str:
        return move

    def words(self, text: str) -> list[str]:
        """Split a word such as `a1-a5/c1-c4/…` into the ships, or `b2/c3` into the shots.

        If all are ships, long ships come first.
        """
        moves = text.translate(_SEPARATORS).split()
        if len(moves) < 2:
            return [text]
        return sorted(moves, key=_length, reverse=True) if all(map(_length, moves)) else moves

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[str]:
        """A ship can be written from either end, with a hyphen or without."""
        if _obstacle(position, seat, text):
            return ()
        ends = ends_of(text)
        return (_written(between(*ends)) if ends else text,)

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        return f"'{text}' is not possible: {_obstacle(position, seat, text)}."

    def apply(self, position: Position, seat: Seat, move: str, rng: Rng) -> Step[Position]:
        if position.shooting:
            return _shot(position, (*position.called, GRID.square(move)))
        fleet = position.fleets[seat]
        fleet = completed(fleet, rng) if move == RANDOM else () if move == AGAIN else (*fleet, move)
        fleets = replaced(position.fleets, seat, fleet)
        return Step(replace(position, fleets=fleets, placed=replaced(position.placed, seat, len(fleet))))

    def end(self, position: Position) -> str:
        return "fleet" if any(len(sunk) == len(SHIPS) for sunk in position.sunk) else ""

    def winner(self, position: Position) -> Seat | None:
        return int(len(position.sunk[0]) == len(SHIPS))

    def evaluate(self, position: Position, seat: Seat) -> float:
        """Return whose shots have told more."""
        hits = [_hits(position.seas[1 - s], position.sunk[1 - s]) for s in (seat, 1 - seat)]
        return (hits[0] - hits[1]) / 30

    def agreement(self, view: View[Position], rng: Rng) -> Sequence[str]:
        """Where ships lie is neither right nor wrong: robots place them at random, and reviews say nothing of it."""
        return () if view.position.shooting else (RANDOM,)

    def determinize(self, view: View[Position], rng: Rng) -> Position:
        """Draw a fleet for the enemy that agrees with all shots."""
        seat, position = view.seat or 0, view.position
        enemy = 1 - seat
        if position.fleets[enemy] or not position.placed[enemy]:
            return position
        if not position.shooting:
            fleet = completed((), rng)[: position.placed[enemy]]
        else:
            fleet = guessed(position.seas[enemy], position.sunk[enemy], rng)
        return replace(position, fleets=replaced(position.fleets, enemy, fleet))

    def view(self, position: Position, seat: Seat | None) -> View[Position]:
        """Hide the fleets of the others until one fleet is sunk."""
        if self.end(position):
            return View(seat, position)
        fleets = tuple(fleet if owner == seat else () for owner, fleet in enumerate(position.fleets))
        return View(seat, replace(position, fleets=fleets))

    def public_text(self, move: Played[Position], reader: Seat | None) -> str:
        """Tell others that ships were placed, but not where."""
        return "ship" if ends_of(move.text) else "fleet" if move.text == RANDOM else move.text

    def scene(self, view: View[Position]) -> Mapping[str, object]:
        return scene_of(view.seat, view.position)

    def picture(self, view: View[Position]) -> Picture:
        return picture_of(view.seat, view.position)

    marks_each = True

    def marked_cells(self, text: str, mover: Seat, reader: Seat | None) -> tuple[str, ...]:
        """Mark the last shot in the sea that it hit."""
        return (f"{whose(reader, 1 - mover)}{text}",) if square_of(text) is not None else ()


def _hits(sea: str, sunk: Sequence[int]) -> float:
    return sea.count(HIT) + sea.count(SANK) + len(sunk)


def _length(text: str) -> int:
    """Return how long a placed ship is; 0 for any other text."""
    ends = ends_of(text.lower())
    return len(between(*ends)) if ends and None not in map(square_of, ends) else 0


def _written(squares: Sequence[int]) -> str:
    return f"{NAMES[squares[0]]}-{NAMES[squares[-1]]}"


def _obstacle(position: Position, seat: Seat, text: str) -> str:
    """Return why a move is not possible now; "" if it is possible."""
    ends = ends_of(text)
    if text in (RANDOM, AGAIN):
        return _obstacle_to_words(position, seat, text)
    for name in ends or (text,):
        if square_of(name) is None:
            return f"there is no square {name} on the board"
    if position.shooting:
        return "all ships are placed, and a shot is one square" if ends else _obstacle_to_shot(position, seat, text)
    return _obstacle_to_ship(position.fleets[seat], between(*ends) if ends else ())


def _obstacle_to_words(position: Position, seat: Seat, word: str) -> str:
    if position.shooting:
        return "all ships are placed"
    return "you have placed no ship yet" if word == AGAIN and not position.fleets[seat] else ""


def _obstacle_to_shot(position: Position, seat: Seat, name: str) -> str:
    square = GRID.square(name)
    shot = position.seas[1 - seat][square] != UNKNOWN or square in position.called
    return f"you have shot at {name} already" if shot else ""


def _obstacle_to_ship(fleet: Fleet, squares: Sequence[int]) -> str:
    """Return why the next ship cannot lie on these squares. () means that they are not in line."""
    ship = SHIPS[len(fleet)]
    if not squares:
        return f"your {ship.name} has {ship.length} squares in a row or column, so name the first and the last"
    if len(squares) != ship.length:
        return f"that is {len(squares)} long, and your {ship.name}, which comes next, is {ship.length} long"
    for square in squares:
        if (other := ship_on(fleet, square)) is not None:
            return f"your {SHIPS[other].name} lies on {NAMES[square]}"
    return ""


def _shot(position: Position, called: tuple[int, ...]) -> Step[Position]:
    """Answer the shots of this turn when all of them are called."""
    if len(called) < position.shots:
        return Step(replace(position, called=called))
    target, notes = 1 - position.turn, list[Note]()
    fleet, sea, sunk = position.fleets[target], position.seas[target], position.sunk[target]
    for square in called:
        sea, sunk, text = _answered(fleet, sea, sunk, square)
        notes.append(Note(f"Shot at {NAMES[square]}: {text}" if position.salvo else text))
    seas, all_sunk = replaced(position.seas, target, sea), replaced(position.sunk, target, sunk)
    return Step(replace(position, seas=seas, sunk=all_sunk, turn=target, called=()), tuple(notes), revealed=True)


def _answered(fleet: Sequence[str], sea: str, sunk: tuple[int, ...], square: int) -> tuple[str, tuple[int, ...], str]:
    """Return what a sea and its sunk ships are after one shot, and what is said of it."""
    hit = ship_on(fleet, square)
    if hit is None:
        return _told(sea, square, MISS), sunk, "Miss."
    if any(sea[s] == UNKNOWN for s in squares_of(fleet[hit]) if s != square):
        return _told(sea, square, HIT), sunk, "Hit."
    return _told(sea, square, SANK), (*sunk, hit), f"Hit, and the {SHIPS[hit].name} sinks."


def _told(sea: str, square: int, sign: str) -> str:
    return sea[:square] + sign + sea[square + 1 :]
