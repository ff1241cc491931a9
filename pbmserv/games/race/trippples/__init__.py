"""Trippples: a race in which the tile under the opponent's marker says where one may go. Clauses R1-R30.

Two clauses leave open what a seat that leaves a game of doubles (R29) changes. Here it is so:

- R9: with options p and d, the seat after the one that placed the last tile moves first. That is seat 1 as long as all
  are there, and may be another one if a seat left while tiles were placed.
- R19: leaving does not begin a new count of positions. Those before count together with those after, because who has
  left is no part of a position; and the position that leaving itself brings about is not counted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from pbmserv.errors import PlayerError
from pbmserv.games.base import (
    FIVE_LEVELS,
    OWN,
    Display,
    Info,
    InTurn,
    Note,
    Option,
    Options,
    Outcome,
    Picture,
    Seat,
    Step,
    View,
    bits,
    moves_of,
)
from pbmserv.games.base.grid import COMPASS_NAMES
from pbmserv.games.base.pieces import changed_by
from pbmserv.games.base.values import changed
from pbmserv.games.race.trippples.moves import (
    Position,
    directions,
    free_move,
    freeze_fault,
    key,
    left_square,
    moved,
    next_seats,
    obstacle,
    open_squares,
    opponents,
    pass_on,
    remember,
    targets,
    with_end,
)
from pbmserv.games.race.trippples.picture import picture_of
from pbmserv.games.race.trippples.scene import scene_of
from pbmserv.games.race.trippples.tiles import ARROWS, DOWN, EMPTY, GRID, NEXT, SETS, compass, plan
from pbmserv.rng import Rng

_CLEARLY, _NEARER = 2, 0.015  #: steps by which a marker is nearer to its finish, and what that is worth
_FAR = 20  #: more steps than any way has
_TOGETHER = frozenset({"pw", "pe", "pi", "pd", "we", "wi", "wd"})  #: R28: the pairs of options that are allowed


@dataclass(frozen=True, slots=True)
class Move:
    """The square to place the shown tile on, or to move to; `freeze` calls a freeze (R16)."""

    square: int
    freeze: bool = False


class Trippples(InTurn[Position, Move]):
    """Two players or two teams of two; chance before the first move only; face-down tiles under one option."""

    info = Info(
        key="trippples",
        name="Trippples",
        kind="race",
        aliases=("tripples",),
        summary="Race across the board, but the tile under your opponent's marker says where you may go.",
        seats=(2, 4),
        pattern=r"[a-h][1-8]f?",
        endings={
            "finish": "a marker has reached its finish",
            "freeze": "the freeze was called",
            "indirect": "the other side could avoid its loss only by repeating the position",
            "frozen": "nobody can move",
            "repetition": "the same position stood for the third time",
        },
        nodes=(10, *FIVE_LEVELS[1:]),
        credit="Trippples by William T. Powers (Aladdin Industries, 1972).",
        options=(
            Option("p", "the players place the tiles, one at a time, before they move"),
            Option("w", "wild neutrals: a neutral tile may be entered and gives a free move at once"),
            Option("e", "easy win: starts and finishes one square diagonally inwards"),
            Option("i", "inside-out: the finishes are in the centre, the neutral tiles anywhere"),
            Option("h", "hidden arrows: the tiles lie face down until a marker lands on them"),
            Option("d", "doubles: four players in two teams, each starting in a corner"),
        ),
        displays=(
            Display("b", "the board alone"),
            Display("m", "the board, and below it the arrows that count and the moves they allow"),
        ),
        chance=True,
        hidden=True,
        repetition=OWN,
    )
    position_type = Position
    names_of_pieces = changed_by("freeze", "freezing", "frost", "einfrier", "friere")
    said_signs = dict.fromkeys(("freeze", "freezes", "freezing", "frost", "eingefroren"), "f")

    def check(self, options: Options, seats: int) -> None:
        given = [o.name for o in self.info.options if o.name in options]
        for one, other in combinations(given, 2):
            if one + other not in _TOGETHER:
                raise PlayerError(f"The options -{one} and -{other} do not go together.", "Leave out one of the two.")
        if "d" in options and seats != 4:
            raise PlayerError(f"Trippples with option -d is for 4 players, not for {seats}.")
        if "d" not in options and seats != 2:
            raise PlayerError(f"Trippples is for 2 players, not for {seats}.", "Four can play with option -d.")

    def seat_names(self, seats: int) -> tuple[str, ...]:
        return ("Square", "Circle") if seats == 2 else ("South-East", "North-West", "South-West", "North-East")

    def teams(self, seats: int) -> tuple[int, ...]:
        return tuple(seat % 2 for seat in range(seats))

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        letters = "".join(sorted(options))
        layout = plan(letters)
        tiles, loose = layout.board, layout.loose
        places = [square for square, tile in enumerate(tiles) if tile == EMPTY]
        if "p" in options:
            return _draw(Position(letters, tuple(tiles), layout.starts, pile=loose), rng)
        for square, tile in zip(places, rng.shuffled(loose), strict=True):
            tiles[square] = tile
        down = tuple(places) if "h" in options else ()
        return _begin(Position(letters, tuple(tiles), layout.starts, turn=seats - 1, down=down))[0]

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[Move]:
        if position.ending:
            return []
        if position.shown:
            return [Move(square) for square, tile in enumerate(position.tiles) if tile == EMPTY]
        squares = targets(position, seat)
        calls = [Move(s, freeze=True) for s in squares if not freeze_fault(position, seat, s)]
        return [*map(Move, squares), *calls]

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[Move]:
        """Ask only whether this one move is legal: to know where a freeze can be called takes long."""
        move = Move(GRID.square(text[:2]), freeze=text.endswith("f"))
        return [move] if _is_legal(position, seat, move) else []

    def format(self, move: Move) -> str:
        return GRID.name(move.square) + "f" * move.freeze

    def spoken(self, written: str) -> str:
        return written.removesuffix("f") + ", freeze" * written.endswith("f")

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        square, call = GRID.square(text[:2]), text.endswith("f")
        if position.shown:
            of_a_tile = "that square already has its tile"
            reason = "you can call a freeze only with a move of your marker" if call else of_a_tile
        else:
            reason = self._hindrance(position, seat, square) or freeze_fault(position, seat, square)
        call_fails = call and not position.shown and square in targets(position, seat)
        return f"'{text}' is not possible: {'the freeze call does not hold, because ' * call_fails}{reason}."

    def apply(self, position: Position, seat: Seat, move: Move, rng: Rng) -> Step[Position]:
        if position.shown:
            return self._place(position, seat, move.square, rng)
        after, notes = moved(position, seat, move.square), []
        revealed = move.square in position.down
        if revealed:
            down = tuple(square for square in position.down if square != move.square)
            after = changed(after, down=down, history=())
            notes.append(Note(f"{_name(move.square)} turns up: {_describe(position.tiles[move.square])}."))
        after, more, missed = self._follow(after, seat, move.freeze)
        return Step(after, (*notes, *more), missed, revealed)

    def end(self, position: Position) -> str:
        return position.ending

    def outcome(self, position: Position) -> Outcome | None:
        if not position.ending:
            return None
        teams = self.teams(len(position.markers))
        return Outcome(position.ending, tuple(1 + (position.winner not in (team, None)) for team in teams))

    def view(self, position: Position, seat: Seat | None) -> View[Position]:
        """Hide tiles that lie face down from everybody, players and spectators."""
        if position.down:
            tiles = tuple(DOWN if square in position.down else tile for square, tile in enumerate(position.tiles))
            position = changed(position, tiles=tiles)
        return View(seat, position)

    def retire(self, position: Position, seat: Seat, rng: Rng) -> Step[Position]:
        """Keep the marker, but skip its turns (R29)."""
        after = changed(position, out=(*position.out, seat))
        if position.turn != seat:
            return Step(after)
        if position.shown:
            return Step(changed(after, turn=next_seats(after, seat)[0]))
        after, missed = pass_on(after, seat)
        return Step(after, self._missing(after, missed), missed)

    def rejoin(self, position: Position, seat: Seat) -> Position:
        """The marker moves again, from where it stands."""
        return changed(position, out=tuple(other for other in position.out if other != seat))

    def scene(self, view: View[Position]) -> Mapping[str, object]:
        position = view.position
        moves = () if position.shown else moves_of(self, position, position.turn)
        names = self.seat_names(len(position.markers))
        return scene_of(position, names, [self.format(move) for move in moves])

    def position_key(self, position: Position) -> str:
        """Return what R19 counts as the same position. Once they are placed, the tiles stay where they are."""
        return self.dump(position) if position.shown else f"{key(position)} {position.down} {position.out}"

    def evaluate(self, position: Position, seat: Seat) -> float:
        """Return a lead for the side that is clearly nearer to the finish; so small that it is no reason for a draw.

        Nearly all positions are drawn: who sees further and plays on wins when the other one sees a loss too late.
        """
        own = min(_steps_left(position, s) for s in range(seat % 2, len(position.markers), 2))
        other = min(_steps_left(position, s) for s in opponents(position, seat))
        if abs(other - own) <= _CLEARLY:
            return 0.0
        return _NEARER if own < other else -_NEARER

    def picture(self, view: View[Position]) -> Picture:
        return picture_of(view.position, self.seat_names(len(view.position.markers)))

    def came_from(self, position: Position) -> tuple[str, ...]:
        return tuple(map(GRID.name, left_square(position)))

    def caption(self, position: Position, move: Move) -> str:
        return f"{_name(move.square)}{', freeze' * move.freeze}"

    def _place(self, position: Position, seat: Seat, square: int, rng: Rng) -> Step[Position]:
        """Place the shown tile and show the next one (R8). After the last tile, the markers move (R9)."""
        tiles = tuple(position.shown if s == square else tile for s, tile in enumerate(position.tiles))
        after = changed(position, tiles=tiles, shown="")
        if not after.pile:
            after, missed = _begin(after)
            return Step(after, self._missing(after, missed), missed)
        after = _draw(changed(after, turn=next_seats(after, seat)[0]), rng)
        name = self._seat_name(after, after.turn)
        return Step(after, (Note(f"The next tile, for {name} to place, is {_describe(after.shown)}."),))

    def _follow(self, after: Position, seat: Seat, freeze: bool) -> tuple[Position, tuple[Note, ...], tuple[Seat, ...]]:
        """Return what follows after a marker has moved (a win, a free move, the next turn), and the skipped seats."""
        square, team = after.markers[seat], seat % 2
        if square == plan(after.options).finishes[seat]:
            return with_end(after, "finish", team), (), ()
        if freeze:
            return with_end(after, "freeze", team), (), ()
        if waiting := free_move(after, seat):
            note = Note(f"{self._seat_name(after, seat)} has a free move from {_name(square)}.")
            return remember(waiting), (note,), ()
        after, missed = pass_on(after, seat)
        notes = self._missing(after, missed)
        return after if after.ending else remember(after), notes, missed

    def _hindrance(self, position: Position, seat: Seat, square: int) -> str:
        """Return why a seat cannot move to a square; "" if it can."""
        own = position.markers[seat]
        if square not in NEXT[own]:
            return f"your marker stands on {_name(own)}, and that square is not next to it"
        if reason := obstacle(position, seat, square):
            return reason
        way = NEXT[own].index(square)
        if way in directions(position, seat):
            return ""
        shown = [
            f"the tile under {self._seat_name(position, s)} ({_name(position.markers[s])}) shows "
            f"{compass(position.tiles[position.markers[s]])}"
            for s in opponents(position, seat)
        ]
        return f"{' and '.join(shown)}, not {COMPASS_NAMES[way]}"

    def _missing(self, after: Position, missed: Sequence[Seat]) -> tuple[Note, ...]:
        return tuple(Note(f"{self._seat_name(after, s)} cannot move and misses a turn.") for s in missed)

    def _seat_name(self, position: Position, seat: Seat) -> str:
        return self.seat_names(len(position.markers))[seat]


def _is_legal(position: Position, seat: Seat, move: Move) -> bool:
    if position.shown:
        return position.tiles[move.square] == EMPTY and not move.freeze
    if move.square not in targets(position, seat):
        return False
    return not move.freeze or not freeze_fault(position, seat, move.square)


def _steps_left(position: Position, seat: Seat) -> int:
    """Return how many steps a marker is away from its finish, over tiles that can be entered."""
    finish, front = (SETS[s] for s in (plan(position.options).finishes[seat], position.markers[seat]))
    left, steps = open_squares(position) | finish, 0
    while front and not front & finish:
        steps += 1
        front = bits.around(front, GRID.columns) & left
        left ^= front
    return steps if front else _FAR


def _draw(position: Position, rng: Rng) -> Position:
    """Show the next tile to place. It is drawn only now, so nobody can know it before."""
    i = rng.randrange(len(position.pile))
    return changed(position, shown=position.pile[i], pile=position.pile[:i] + position.pile[i + 1 :])


def _begin(position: Position) -> tuple[Position, tuple[Seat, ...]]:
    """Let the markers begin to move, the seat after `turn` first if it can. Also returns the skipped seats."""
    after, missed = pass_on(position, position.turn)
    return after if after.ending else remember(after), missed


def _describe(tile: str) -> str:
    """Return a tile as text for a note: "831 (N SE SW)"."""
    return f"{tile} ({compass(tile)})" if ARROWS[tile] else tile


def _name(square: int) -> str:
    return GRID.name(square).upper()
