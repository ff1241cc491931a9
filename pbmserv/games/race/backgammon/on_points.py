"""Games of two players on the points of a board: how their turns are written, read, said, shown and touched."""

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from pbmserv.games.base import InTurn, Picture, Seat, View
from pbmserv.games.base.notation import keeps_short
from pbmserv.games.base.words import NUMBERS
from pbmserv.games.race.backgammon import sides
from pbmserv.games.race.backgammon.legs import SAID_SIGNS, joined, legs_of, said_turn, spoken_turn
from pbmserv.games.race.backgammon.places import ACROSS
from pbmserv.games.race.backgammon.situation import NAMES, Position

_FROM = re.compile(r"(?:an? |the )?(\w{1,5}) (?:from|von) (?:(?:the|my|der) )?(\w{1,12})(?: point)?")
_BETWEEN = re.compile(r",? and |, | und ")
_SAID = {word: str(at) for at, word in enumerate(NUMBERS, 1)}
_NOISE = " .,;!+"  #: signs around a turn
_DICE = re.compile("^[1-6]{2,3}: ?")  #: before it, in the table of moves


class OnPoints(InTurn[Position, str]):
    """A move is its canonical text: a whole turn, or a word."""

    names = NAMES
    position_type: ClassVar[type[Position]] = Position
    said_signs = SAID_SIGNS
    across: ClassVar[Sequence[int]] = ACROSS  #: the opponent's number of each place of a player

    def end(self, position: Position) -> str:
        return position.won

    def format(self, move: str) -> str:
        return move

    def normalise(self, text: str) -> str:
        """Sort the legs, count equal ones, and write each as `format` does: `6-off, 8-5` becomes `8/5+6/off`."""
        return _normal(text)

    def is_move(self, text: str) -> bool:
        return _is_form(self.info.pattern, text)

    def moves_in(self, words: Sequence[str]) -> list[str]:
        """Read the words of a line as one turn, such as `24/18 13/11`, if they are."""
        line = "+".join(words)
        return [line] if len(words) > 1 and self.is_move(self.normalise(line.partition("#")[0])) else list(words)

    def written(self, position: Position, seat: Seat, text: str) -> str:
        return text.replace("+", " ")

    def logged(self, position: Position, seat: Seat, text: str) -> str:
        written = self.written(position, seat, text)
        return f"{''.join(map(str, position.dice))}: {written}" if position.dice else written

    def spoken(self, written: str) -> str:
        dice, colon, turn = written.rpartition(": ")
        return f"{dice}{colon}{spoken_turn(turn)}" if "/" in turn else ""

    def said(self, position: Position, seat: Seat, words: Sequence[str]) -> Sequence[str]:
        """Without a word between two points, they are pairs: 24 18 13 11."""
        text = said_turn(words)
        return self.named(position, seat, self.normalise(text)) if self.is_move(self.normalise(text)) else ()

    def foreign(self, position: Position, text: str) -> Sequence[str]:
        """Read the numbers of dice, each with the point from where its man goes: four from the 7, three from the 6."""
        ways = [_FROM.fullmatch(part) for part in _BETWEEN.split(text.rstrip(_NOISE))]
        told = [(_SAID.get(way[2], way[2]), _SAID.get(way[1], way[1])) for way in ways if way]
        if len(told) < len(ways) or not all(word.isdecimal() for pair in told for word in pair):
            return super().foreign(position, text)
        legs = (f"{start}/{left}" if (left := int(start) - int(die)) > 0 else f"{start}/off" for start, die in told)
        return (self.normalise(" ".join(legs)),)

    def scene(self, view: View[Position]) -> Mapping[str, object]:
        return sides.scene(view, self.across, self.lines(view))

    def picture(self, view: View[Position]) -> Picture:
        return sides.picture(view, self.across, self.lines(view))

    def lines(self, view: View[Position]) -> tuple[str, ...]:
        """Return what stands below the board."""
        return tuple(sides.lines(view.position))

    def cells_of(self, text: str) -> tuple[str, ...]:
        """Return the places that a turn names, each leg by itself. The player who moves calls them so."""
        return tuple(sides.cell_name(place) for leg in legs_of(text) for place in leg.path)

    def marked_cells(self, text: str, mover: Seat, reader: Seat | None) -> tuple[str, ...]:
        places = (place for leg in legs_of(text) for place in leg.path)
        return tuple(sides.name_for(reader or 0, place, mover, self.across) for place in places)

    def left_cells(self, text: str, mover: Seat, reader: Seat | None) -> tuple[str, ...]:
        reached = {leg.path[-1] for leg in legs_of(text)}
        places = (place for leg in legs_of(text) for place in leg.path if place not in reached)
        return tuple(sides.name_for(reader or 0, place, mover, self.across) for place in places)

    def as_counted_by(self, reader: Seat, text: str, mover: Seat) -> str:
        """Return the turn with the reader's numbers of the points: the opponent's 24 is the own 1."""
        turn = text if reader == mover else joined(tuple(leg.facing(self.across) for leg in legs_of(text)))
        return "" if turn == text else turn.replace("+", " ")

    def caption(self, position: Position, move: str) -> str:
        """Return what follows the first place."""
        return move.partition("/")[2].replace("+", " ") or move


@keeps_short
def _normal(text: str) -> str:
    bare = _DICE.sub("", text.strip().lower(), count=1).strip(_NOISE)
    legs = legs_of(bare)
    return joined(legs) if legs else bare


@keeps_short
def _is_form(pattern: str, text: str) -> bool:
    return re.fullmatch(pattern, text) is not None
