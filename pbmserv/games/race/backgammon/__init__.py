"""Backgammon: two players race their men around the board, hit single men, and bear off. A match has a cube."""

from collections.abc import Iterable, Mapping, Sequence

from pbmserv.games.base import Info, InTurn, Option, Options, Picture, Seat, Step, View, moves_of
from pbmserv.games.race.backgammon import sides
from pbmserv.games.race.backgammon.cube import DOUBLE, DROP, ROLL, TAKE, words
from pbmserv.games.race.backgammon.judgement.outlook import throws, turns
from pbmserv.games.race.backgammon.judgement.standing import cube_action, standing
from pbmserv.games.race.backgammon.legs import PATTERN, SAID_SIGNS, joined, legs_of, said_turn, spoken_turn
from pbmserv.games.race.backgammon.match import first_game, next_position
from pbmserv.games.race.backgammon.refusals import obstacle
from pbmserv.games.race.backgammon.sgf import SGF
from pbmserv.games.race.backgammon.situation import NAMES, Position
from pbmserv.games.race.backgammon.throws import meanings, orders, plays
from pbmserv.rng import Rng

_WORDS = (ROLL, DOUBLE, TAKE, DROP)
_SAME_AS_DROP = "pass"
_NOISE = " .,;!+"  #: signs around a turn


class Backgammon(InTurn[Position, str]):
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
        nodes=(60, 150, 5000),
    )
    names = NAMES
    position_type = Position
    formats = (SGF,)
    said_signs = SAID_SIGNS

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        return first_game(int(options.get("match", "0")), rng)

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

    def end(self, position: Position) -> str:
        return position.won

    def winner(self, position: Position) -> Seat | None:
        return position.winner

    def scores(self, position: Position) -> tuple[int, ...] | None:
        return position.score if position.goal else None

    def format(self, move: str) -> str:
        return move

    def normalise(self, text: str) -> str:
        """Sort the legs, count equal ones, and write each as `format` does: `6-off, 8-5` becomes `8/5+6/off`."""
        bare = text.strip().lower().strip(_NOISE)
        legs = legs_of(bare)
        return joined(legs) if legs else bare

    def moves_in(self, words: Sequence[str]) -> list[str]:
        """Read the words of a line as one turn, such as `24/18 13/11`, if they are."""
        line = "+".join(words)
        return [line] if len(words) > 1 and self.is_move(self.normalise(line.partition("#")[0])) else list(words)

    def written(self, position: Position, seat: Seat, text: str) -> str:
        return text.replace("+", " ")

    def spoken(self, written: str) -> str:
        return spoken_turn(written) if "/" in written else ""

    def said(self, position: Position, seat: Seat, words: Sequence[str]) -> Sequence[str]:
        """Without a word between two points, they are pairs: 24 18 13 11."""
        text = said_turn(words)
        return self.named(position, seat, self.normalise(text)) if self.is_move(self.normalise(text)) else ()

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

    def scene(self, view: View[Position]) -> Mapping[str, object]:
        return sides.scene(view)

    def picture(self, view: View[Position]) -> Picture:
        return sides.picture(view)

    def agreeing(self, position: Position) -> str:
        return TAKE if position.doubled else ""

    def refusing(self, position: Position) -> str:
        return DROP if position.doubled else ""

    def cells_of(self, text: str) -> tuple[str, ...]:
        """Return the places that a turn names, each leg by itself. The player who moves calls them so."""
        return tuple(sides.cell_name(place) for leg in legs_of(text) for place in leg.path)

    def touch_orders(self, position: Position, move: str) -> Iterable[tuple[str, ...]]:
        """Return the places from where and to where each die moves a man, whichever man moves first."""
        for steps in orders(position.throw, move) if position.dice else ():
            yield tuple(sides.cell_name(place) for step in steps for place in step)

    def marked_cells(self, text: str, mover: Seat, reader: Seat | None) -> tuple[str, ...]:
        places = (place for leg in legs_of(text) for place in leg.path)
        return tuple(sides.name_for(reader or 0, place, mover) for place in places)

    def left_cells(self, text: str, mover: Seat, reader: Seat | None) -> tuple[str, ...]:
        reached = {leg.path[-1] for leg in legs_of(text)}
        places = (place for leg in legs_of(text) for place in leg.path if place not in reached)
        return tuple(sides.name_for(reader or 0, place, mover) for place in places)

    def as_counted_by(self, reader: Seat, text: str, mover: Seat) -> str:
        """Return the turn with the reader's numbers of the points: the opponent's 24 is the own 1."""
        return "" if reader == mover else joined(tuple(leg.facing for leg in legs_of(text))).replace("+", " ")

    def caption(self, position: Position, move: str) -> str:
        """Return what follows the first place."""
        return move.partition("/")[2].replace("+", " ") or move


def _no_word(position: Position, word: str) -> str:
    """Return why a word is no move when the dice are rolled."""
    if word != DOUBLE:
        return "the dice are rolled already" if word == ROLL else "your opponent has not doubled"
    if not position.goal:
        return "there is a doubling cube only in a match"
    return "the dice are rolled already, and a player doubles before that"
