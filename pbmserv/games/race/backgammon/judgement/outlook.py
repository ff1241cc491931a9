"""What can come next, for the searches of robots: all throws, and all that can be made of them."""

from collections.abc import Iterator, Mapping, Sequence

from pbmserv.games.race.backgammon.cube import DOUBLE, doubled, may_double
from pbmserv.games.race.backgammon.judgement.standing import cube_action
from pbmserv.games.race.backgammon.legs import legs_of
from pbmserv.games.race.backgammon.match import settled
from pbmserv.games.race.backgammon.places import Men, all_off
from pbmserv.games.race.backgammon.situation import Position
from pbmserv.games.race.backgammon.throws import Throw, after, plays, results
from pbmserv.rng import Rng

_THROWS = [((high, low), (1 if high == low else 2) / 36) for high in range(1, 7) for low in range(1, high + 1)]


def turns(position: Position) -> Mapping[str, Position]:
    """Return the position after each legal turn, before the opponent does anything.

    If some end a game, only after those: nothing is better.
    """
    throw = position.throw
    men = {text: after(throw, legs_of(text)) for text in plays(throw)}
    ends = [text for text, (own, _) in men.items() if all_off(own)]
    return {text: _settled(position, men[text]) for text in ends or men}


def throws(position: Position) -> Iterator[tuple[float, Sequence[Position]]]:
    """Yield each throw of the player to move, as its probability and what it can lead to.

    That is all if they double, or if they have thrown, because another game has begun.
    """
    if position.dice:
        yield 1.0, [position]
        return
    if may_double(position) and cube_action(position, position.turn) == DOUBLE:
        yield 1.0, [doubled(position)]
        return
    own, other = position.of(position.turn), position.of(1 - position.turn)
    for dice, weight in _THROWS:
        yield weight, [_settled(position, men) for men in results(Throw(own, other, dice))]


def _settled(position: Position, men: tuple[Men, Men]) -> Position:
    """Return the position after a turn. If that begins another game of a match, its dice are any."""
    return settled(position, men, Rng("", 0)).position
