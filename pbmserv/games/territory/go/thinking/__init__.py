"""How robots think about Go: a fast board, games played to their end on it, and a tree of moves above them."""

from pbmserv.games.base import PASS, Seat
from pbmserv.games.base.evaluation import Choice
from pbmserv.games.territory.go.influence import of_points
from pbmserv.games.territory.go.lattice import lattice_of
from pbmserv.games.territory.go.phases import Position
from pbmserv.games.territory.go.sgf import COUNT
from pbmserv.games.territory.go.stones import allowed
from pbmserv.games.territory.go.thinking.field import NOWHERE, Field
from pbmserv.games.territory.go.thinking.playout import Dice, Playout
from pbmserv.games.territory.go.thinking.shapes import Shapes
from pbmserv.games.territory.go.thinking.tree import Tree
from pbmserv.rng import Rng

_HOPELESS = 0.05  #: part of the games that are won, at most, on a board that nobody would play on
_TRIES = 9  #: at a move that superko allows, which games to the end do not know
_BEGINNING = 0.5  #: part of the board that has stones before anybody would resign


def choice(position: Position, seat: Seat, nodes: int, rng: Rng) -> Choice:
    """Return the best move of a seat, after about so many stones were put down in games to the end.

    With one stone it is the first one of such a game: its player sees what the last move put in atari, and plays near.
    """
    points, names = position.points, lattice_of(position.points).names
    if position.count:
        return Choice(COUNT, 0.0, 0)
    field = Field(points)
    last = _last(position, field)
    legal = {field.ground.points[point] for point in allowed(points, position.seen[-1], seat, position.seen)}
    if nodes == 1:
        playout = Playout(field, Dice(rng), Shapes(field.ground.size), {})
        point = next((p for p in (playout.next(seat, last) for _ in range(_TRIES)) if p in legal), NOWHERE)
        return Choice(names[field.ground.numbers[point]] if point else PASS, 0.0, 1)
    tree = Tree(field, seat, last, position.komi / 2 + position.handicap, rng)
    # When they play on, two passes end the board with all that is dead, so a pass is left to the forecast.
    thought = tree.think(legal if position.resumed else legal | {NOWHERE}, nodes)
    text, *others = (names[field.ground.numbers[p]] if p else PASS for p in (thought.point, *thought.others))
    is_late = (field.stones[0] | field.stones[1]).bit_count() > _BEGINNING * len(points)
    is_lost = is_late and thought.wins < _HOPELESS
    return Choice(text, of_points(thought.lead), thought.stones, is_lost, tuple(others))


def _last(position: Position, field: Field) -> int:
    """Return where the opponent has just put a stone; NOWHERE after a pass, or if the stone took others."""
    keys = lattice_of(position.points).keys[1 - position.turn]
    change = position.seen[-1] ^ position.seen[-2] if len(position.seen) > 1 and not position.passed else 0
    return field.ground.points[keys.index(change)] if change in keys else NOWHERE
