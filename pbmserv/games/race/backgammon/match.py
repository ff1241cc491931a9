"""From turn to turn, and in a match from game to game: dice and points."""

from dataclasses import replace
from functools import cache

from pbmserv.games.base import Note, Seat, Step
from pbmserv.games.race.backgammon import cube
from pbmserv.games.race.backgammon.legs import legs_of
from pbmserv.games.race.backgammon.places import OFF, Dice, Men, all_off, can_move, digits, numbers, win_factor
from pbmserv.games.race.backgammon.situation import CRAWFORD, NAMES, Position
from pbmserv.games.race.backgammon.throws import after
from pbmserv.rng import Rng

_SIDES = 6
_WINS = {1: "single", 2: "gammon", 3: "backgammon"}  #: reasons by how often the win counts


def first_game(kind: type[Position], goal: int, rng: Rng) -> Position:
    """Return the position at the beginning. `kind`: its men stand as the game begins. `goal`: of a match; 0: none."""
    return _opened(kind(goal=goal), rng)


def next_position(position: Position, move: str, rng: Rng) -> Step[Position]:
    """Return the position after a legal move, with the dice of who is to move then."""
    match move:
        case "roll":
            return _rolled(position, rng)
        case "double":
            return Step(cube.doubled(position))
        case "take":
            return _rolled(cube.taken(position), rng)
        case "drop":
            return _won(position, 1 - position.turn, 1, rng)
        case _:
            return _played(position, move, rng)


def settled(position: Position, men: tuple[Men, Men], rng: Rng) -> Step[Position]:
    """Return the position when a turn is over, before the opponent rolls or doubles.

    `men`: of who has moved and of the other. If the turn ends a game of a match, the next one begins.
    """
    seat, p = position.turn, position
    own, other = men
    stored = digits(own), digits(other)
    by_seat = stored if seat == 0 else stored[::-1]
    then = type(p)(by_seat, 1 - seat, (), p.goal, p.score, p.cube, p.owner, crawford=p.crawford)
    return _won(then, seat, win_factor(other), rng) if own[OFF] and all_off(own) else Step(then)


def _played(position: Position, move: str, rng: Rng) -> Step[Position]:
    step = settled(position, after(position.throw, legs_of(move)), rng)
    then = step.position
    return step if step.notes or then.won or cube.may_double(then) else _rolled(then, rng)


def _rolled(position: Position, rng: Rng) -> Step[Position]:
    """Roll for the player to move. Who can use none of the dice misses the turn."""
    notes: list[Note] = []
    missed: list[Seat] = []
    while True:
        seat, dice = position.turn, _roll(rng)
        if can_move(position.of(seat), position.of(1 - seat), dice):
            return Step(_with_dice(position, dice), (*notes, _rolls(seat, dice)), tuple(missed))
        notes.append(Note(f"{NAMES[seat]} rolls {numbers(dice)} and cannot move."))
        missed.append(seat)
        position = replace(position, turn=1 - seat)
        if cube.may_double(position):
            return Step(position, tuple(notes), tuple(missed))


@cache
def _rolls(seat: Seat, dice: Dice) -> Note:
    return Note(f"{NAMES[seat]} rolls {numbers(dice)}.")


def _with_dice(position: Position, dice: Dice) -> Position:  # `replace` takes three times as long
    p = position
    return type(p)(p.men, p.turn, dice, p.goal, p.score, p.cube, p.owner, p.doubled, p.crawford, p.won)


def _roll(rng: Rng) -> Dice:
    """Return two dice, the higher one first."""
    one, other = 1 + rng.randrange(_SIDES), 1 + rng.randrange(_SIDES)
    return (one, other) if one > other else (other, one)


def _opened(position: Position, rng: Rng) -> Position:
    """Each player rolls a die. The higher one begins, and plays both dice; equal dice are rolled again."""
    while True:
        white, black = (1 + rng.randrange(_SIDES) for _ in range(2))
        if white != black:
            break
    return replace(position, turn=0 if white > black else 1, dice=(max(white, black), min(white, black)))


def _won(position: Position, seat: Seat, times: int, rng: Rng) -> Step[Position]:
    """Return what follows when a seat has won a game that counts as often as this."""
    if not position.goal:
        return Step(replace(position, won=_WINS[times]))
    points = times * position.cube
    first, second = position.score
    score = (first + points, second) if seat == 0 else (first, second + points)
    told = [_told(seat, points, times)]
    if score[seat] >= position.goal:
        return Step(replace(position, score=score, doubled=False, won="match"), tuple(map(Note, told)))
    begun = _opened(type(position)(goal=position.goal, score=score, crawford=cube.crawford(position, score)), rng)
    told.append(f"The score is White {score[0]}, Black {score[1]}.")
    if begun.crawford == CRAWFORD:
        told.append("The next game is the Crawford game, without doubling.")
    told.append(f"{NAMES[begun.turn]} begins the next game with {begun.dice[0]} and {begun.dice[1]}.")
    return Step(begun, tuple(map(Note, told)))


def _told(seat: Seat, points: int, times: int) -> str:
    if times > 1:
        return f"{NAMES[seat]} wins {points} points with a {_WINS[times]}."
    return f"{NAMES[seat]} wins {points} points." if points > 1 else f"{NAMES[seat]} wins 1 point."
