"""The doubling cube of a match: who may double, who answers, and what that does.

Before the roll, the player to move may double. The opponent takes, and has the cube from then on, or drops, and loses
the game at its stake so far. There is no doubling in the Crawford game.
"""

from collections.abc import Sequence
from dataclasses import replace

from pbmserv.games.race.backgammon.situation import AFTER_CRAWFORD, CRAWFORD, NOBODY, Position

ROLL, DOUBLE, TAKE, DROP = "roll", "double", "take", "drop"


def words(position: Position) -> Sequence[str]:
    """Return what the player to move can say while there are no dice."""
    return [TAKE, DROP] if position.doubled else [ROLL, DOUBLE]


def may_double(position: Position) -> bool:
    """Return whether `turn` can double before the dice are rolled: there is a cube, and another point would help."""
    is_free = position.goal > 0 and position.crawford != CRAWFORD and position.owner in (NOBODY, position.turn)
    return is_free and position.score[position.turn] + position.cube < position.goal


def doubled(position: Position) -> Position:
    """Return the position in which the opponent has to answer a double."""
    return replace(position, turn=1 - position.turn, doubled=True)


def taken(position: Position) -> Position:
    """Return the position after a double is taken: who took it has the cube, and the other one rolls."""
    return replace(position, cube=2 * position.cube, owner=position.turn, doubled=False, turn=1 - position.turn)


def crawford(position: Position, score: tuple[int, int]) -> int:
    """Return whether the next game is the Crawford game: the first one when somebody lacks one point."""
    if position.crawford == CRAWFORD:
        return AFTER_CRAWFORD
    return CRAWFORD if max(score) == position.goal - 1 and not position.crawford else position.crawford
