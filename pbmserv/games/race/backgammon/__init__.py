"""Backgammon: two players race their men around the board, hit single men, and bear off. A match has a cube."""

from collections.abc import Iterable, Mapping, Sequence

from pbmserv.games.base import Info, Option, Options, Seat, Step, View, moves_of
from pbmserv.games.base.sheet import Format
from pbmserv.games.race.backgammon import sides
from pbmserv.games.race.backgammon.cube import DOUBLE, DROP, ROLL, TAKE, words
from pbmserv.games.race.backgammon.judgement.outlook import throws, turns
from pbmserv.games.race.backgammon.judgement.standing import cube_action, standing
from pbmserv.games.race.backgammon.legs import PATTERN, legs_of
from pbmserv.games.race.backgammon.match import first_game, next_position
from pbmserv.games.race.backgammon.on_points import OnPoints
from pbmserv.games.race.backgammon.refusals import obstacle
from pbmserv.games.race.backgammon.sgf import sgf
from pbmserv.games.race.backgammon.situation import Position
from pbmserv.games.race.backgammon.throws import meanings, orders, plays
from pbmserv.rng import Rng

_WORDS = (ROLL, DOUBLE, TAKE, DROP)
_SAME_AS_DROP = "pass"


class Backgammon(OnPoints):
    """Two players and dice that the server rolls. A move is its canonical text: a whole turn, or a word."""

    info = Info(
        key="backgammon",
        first=None,
        name="Backgammon",
        kind="race",
        summary="Bring all your men home and off the board before your opponent does.",
        seats=(2,),
        pattern=f"{'|'.join(_WORDS)}|{_SAME_AS_DROP}|{PATTERN}",
        endings={
            "single": "all men are off",
            "gammon": "a gammon",
            "backgammon": "a backgammon",
            "match": "the points of the match are complete",
        },
        credit="the rules of tournaments; the doubling cube came up about 1925.",
        options=(Option("match", "a match to so many points, with the doubling cube", values=("3", "5", "7")),),
        agreements=frozenset(),
        chance=True,
        nodes=(9, 42, 85, 300, 5000),  # the fewest are fewer than most throws have turns
        lowest_level=0,
    )
    formats: tuple[Format, ...] = (sgf(),)

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        return first_game(self.position_type, int(options.get("match", "0")), rng)

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[str]:
        return list(plays(position.throw)) if position.dice else words(position)

    def apply(self, position: Position, seat: Seat, move: str, rng: Rng) -> Step[Position]:
        return next_position(position, move, rng)

    def evaluate(self, position: Position, seat: Seat) -> float:
        return standing(position, seat)

    def turns(self, position: Position) -> Mapping[str, Position]:
        """Return the position after each legal turn, before the opponent does anything; none if there are no dice."""
        return turns(position) if position.dice else {}

    def throws(self, position: Position) -> Iterable[tuple[float, Sequence[Position]]]:
        """Yield for each throw of the player to move its probability, and the positions after its legal turns."""
        return throws(position)

    def agreement(self, view: View[Position], rng: Rng) -> Sequence[str]:
        """The stakes are for both to agree on: a robot doubles, takes and drops by what the match is worth."""
        return () if view.seat is None or view.position.dice else (cube_action(view.position, view.seat),)

    def winner(self, position: Position) -> Seat | None:
        return position.winner

    def scores(self, position: Position) -> tuple[int, ...] | None:
        return position.score if position.goal else None

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[str]:
        """Read the legs of a turn, whatever their order and the points on the way."""
        if position.dice:
            legs = legs_of(text)
            return meanings(position.throw, legs) if legs else ()
        word = DROP if text == _SAME_AS_DROP else text
        return [word] if word in moves_of(self, position, seat) else ()

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        legs = legs_of(text)
        if position.doubled:
            reason = "your opponent has doubled, so you have to take or to drop"
        elif not position.dice:
            reason = "you have to roll or to double first"
        elif legs:
            reason = obstacle(position.throw, legs)
        elif "/" in text:
            reason = "a turn moves at most four men"
        else:
            reason = _no_word(position, text)
        return f"'{text}' is not possible: {reason}."

    def agreeing(self, position: Position) -> str:
        return TAKE if position.doubled else ""

    def refusing(self, position: Position) -> str:
        return DROP if position.doubled else ""

    def touch_orders(self, position: Position, move: str) -> Iterable[tuple[str, ...]]:
        """Return the places from where and to where each die moves a man, whichever man moves first."""
        for steps in orders(position.throw, move) if position.dice else ():
            yield tuple(sides.cell_name(place) for step in steps for place in step)


def _no_word(position: Position, word: str) -> str:
    """Return why a word is no move when the dice are rolled."""
    if word != DOUBLE:
        return "the dice are rolled already" if word == ROLL else "your opponent has not doubled"
    if not position.goal:
        return "there is a doubling cube only in a match"
    return "the dice are rolled already, and a player doubles before that"
