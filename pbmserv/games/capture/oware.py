"""Oware, by the Abapa rules: seeds are sown around twelve houses, and twos and threes on the other side are captured.

Houses are numbered in the order of sowing: 0-5 are South's from left to right, 6-11 North's from right to left. Moves
call them a-l. North can also say a-f for their own six, as in the literature of the game.
"""

import re
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from math import tanh

from pbmserv.games.base import FIVE_LEVELS, OWN, Cell, Info, InTurn, Options, Picture, Piece, Seat, Step, View, moves_of
from pbmserv.games.base.in_turn import leader
from pbmserv.games.base.words import NUMBERS
from pbmserv.rng import Rng

NAMES = "abcdefghijkl"
SEEDS = 48
_EACH = 6  #: houses of a player
_SEEDS = {word: at for at, word in enumerate(NUMBERS, 1)} | {"single": 1}
_SEEDS_SAID = re.compile(  #: a house, said by what is in it
    r"(?:(?:(?:i (?:play|sow|take|empty)|ich (?:nehme|spiele|säe)) )?(?:(?:the|my|das|die|mein|meine) )?"
    r"(?:house|pit|hole|one|loch|haus|mulde) (?:with|of|mit) )?"
    rf"(?:(?:the|my|with|die|den|les|las|mit) )?(\d{{1,2}}|{'|'.join(_SEEDS)}) "
    r"(?:seeds?|stones?|beans?|samen|steinen?|bohnen|graines|semillas)"
)
_HOUSE_SAID = re.compile(  #: without a word for seeds: the house with 3
    r"(?:(?:i )?(?:play|sow|take|empty|use|ich (?:nehme|spiele|säe)|je (?:joue|prends)) )?"
    r"(?:the|my|das|die|mein|meine|la|ma|el) (?:house|pit|hole|one|loch|haus|mulde|case|maison|casa|hoyo) "
    rf"(?:that has|which has|with|of|mit|avec|de|con) (?:the |den |les )?(\d{{1,2}}|{'|'.join(_SEEDS)})"
    r"(?: (?:in it|in there|inside|drin))?(?:,? (?:please|bitte))?"
)
_MANY_SAID = re.compile(
    r"(?:i (?:play|sow|take) )?(?:the|my) ([89]|1\d|eight|nine|ten|eleven|twelve)"
)  #: more than there are houses
_NUMBER_SAID = re.compile(  #: or by its number
    r"(?:(?:the|my) )?(?:([1-6])(?:st|nd|rd|th)|(first|second|third|fourth|fifth|sixth)) (?:pit|house|hole)"
    r"(?: from the left)?"
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
OF_SOUTH = "On the board this is a letter of South's, so nothing was done."  #: told to North, who may count so
_MOST_CAPTURED = 3  #: seeds in a house that can be captured; the least are two
_MOST_DRAWN = 12  #: seeds of a house for which there is a drawing; their number stands beside them
HIGH = 140  #: how high a house is drawn, in percent of its width: its letter and its number stand beside the pit
_TIMES = 3  #: a position that stands so often ends the game
_KEY = 6  #: bytes; a game of 5,000 moves without a capture has two equal keys by chance once in twenty million games


@dataclass(frozen=True, slots=True)
class Position:
    """A position of Oware. `houses`: the seeds in each; `stores`: captured seeds by seat.

    `history`: keys of the positions since the last capture. `ended`: the ending, "" while the game goes on. At the end
    each player has been given the seeds in their own houses.
    """

    houses: tuple[int, ...]
    stores: tuple[int, int] = (0, 0)
    turn: Seat = 0
    history: tuple[str, ...] = ()
    ended: str = ""


def seeds_said(text: str) -> int:
    """Return how many seeds are in a house that a text names by them, such as `the 8 seeds`; 0 if it does not."""
    ways = (_SEEDS_SAID, _HOUSE_SAID, _MANY_SAID)
    match = next(filter(None, (way.fullmatch(text) for way in ways)), None)
    return (_SEEDS.get(match[1]) or int(match[1])) if match else 0


def number_said(text: str) -> str:
    """Return the number that a text names a house by, such as `third pit from the left`; any other text as it is."""
    match = _NUMBER_SAID.fullmatch(text)
    return match[1] or str(1 + _ORDINALS.index(match[2])) if match else text


class Oware(InTurn[Position, int]):
    """Two players, no chance, nothing hidden. A move is the number of a house."""

    info = Info(
        key="oware",
        name="Oware",
        kind="capture",
        aliases=("awari",),
        summary="Sow seeds around the board, and capture more than half of them.",
        seats=(2,),
        pattern="[a-l]",
        endings={
            "half": "more than half of the seeds are captured",
            "nomove": "there is no allowed move left",
            "repetition": "the same position stood for the third time",
        },
        nodes=(4, *FIVE_LEVELS[1:]),
        credit="Oware of the Akan in West Africa, Abapa rules.",
        repetition=OWN,
    )
    names = ("South", "North")
    position_type = Position
    said_signs = dict.fromkeys(("house", "pit", "haus", "mulde", "feld"), "")

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        houses = (SEEDS // len(NAMES),) * len(NAMES)
        return Position(houses, history=(_key(houses, 0),))

    def position_key(self, position: Position) -> str:
        return f"{_written(position.houses, position.turn)} {position.stores}"

    def load(self, text: str | bytes) -> Position:
        """Return the position that `dump` wrote. Until 1.0 its history had whole positions in place of their keys."""
        position = super().load(text)
        if " " not in "".join(position.history[:1]):
            return position
        return replace(position, history=tuple(map(_hashed, position.history)))

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[int]:
        return allowed(position.houses, seat)

    def format(self, move: int) -> str:
        return NAMES[move]

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[int]:
        """North can use the letters of South, too: each counts their own houses from the left."""
        return [house for house in moves_of(self, position, seat) if text in (NAMES[house], NAMES[house % _EACH])]

    def asks_back(self, position: Position, seat: Seat, text: str, line: str = "") -> str:
        """Return that a letter is South's on the board: its writer may have mixed up the sides."""
        return OF_SOUTH if seat == 1 and text in NAMES[:_EACH] else ""

    def foreign(self, position: Position, text: str) -> Sequence[str]:
        """Return the house that a number from 1 to 6 means where houses have numbers: from the left of who moves.

        On the board, North's own left is on the right, so North may count from either end.
        """
        own = [NAMES[house] for house in _own(position.turn)]
        if seeds := seeds_said(text):
            return [name for name in own if position.houses[NAMES.index(name)] == seeds]
        text = number_said(text)
        if not (len(text) == 1 and text in "123456"):
            return ()
        return [own[at] for at in (int(text) - 1, -int(text))[: 1 + position.turn]]

    def cells_of(self, text: str) -> tuple[str, ...]:
        return (text,) * self.is_move(text)

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        house = NAMES.index(text)
        if seat == 1 and house < _EACH:
            house += _EACH
        if house not in _own(seat):
            return f"'{text}' is not possible: the houses A to F are yours."
        if not position.houses[house]:
            return f"'{text}' is not possible: there are no seeds in house {NAMES[house].upper()}."
        return f"'{text}' is not possible: your opponent has no seeds, and this move would give none."

    def apply(self, position: Position, seat: Seat, move: int, rng: Rng) -> Step[Position]:
        sown, last = sow(position.houses, move)
        captured = captures(sown, last, seat)
        houses = tuple(0 if house in captured else seeds for house, seeds in enumerate(sown))
        stores = _with(position.stores, seat, sum(sown[house] for house in captured))
        other = 1 - seat
        now = _key(houses, other)
        history = (now,) if captured else (*position.history, now)
        return Step(_with_end(Position(houses, stores, other, history)))

    def end(self, position: Position) -> str:
        return position.ended

    def winner(self, position: Position) -> Seat | None:
        return leader(*position.stores)

    def scores(self, position: Position) -> tuple[int, ...]:
        return position.stores

    def evaluate(self, position: Position, seat: Seat) -> float:
        """Captured seeds count most; seeds on the own side, and houses with one or two, a little."""
        own, other = (_safety(position, side) for side in (seat, 1 - seat))
        return tanh((own - other) / 12)

    def loud(self, position: Position, seat: Seat) -> Sequence[int]:
        """Moves that capture: the last seed makes two or three of the seeds in a house of the opponent."""
        houses, theirs, all_houses = position.houses, _own(1 - seat), len(NAMES)
        promising = (
            house
            for house in self.legal_moves(position, seat)
            if houses[house] >= all_houses  # a lap, on which the house itself is left out
            or ((last := (house + houses[house]) % all_houses) in theirs and houses[last] in (1, 2))
        )
        return [house for house in promising if captures(*sow(houses, house), seat)]

    def picture(self, view: View[Position]) -> Picture:
        position = view.position
        cells = [pit(name, seeds) for name, seeds in zip(NAMES, position.houses, strict=True)]
        rows = (tuple(reversed(cells[_EACH:])), tuple(cells[:_EACH]))
        lines = (captured(position.stores),)
        return Picture(rows, ranks=("N", "S"), lines=lines, top=(1,), heights=(HIGH, HIGH))

    def scene(self, view: View[Position]) -> Mapping[str, object]:
        """Return for each side its houses from its own left, with their seeds."""
        seeds = tuple(zip(NAMES, view.position.houses, strict=True))
        halves = (seeds[:_EACH], seeds[_EACH:])
        sides = [{"name": name, "houses": houses} for name, houses in zip(self.names, halves, strict=True)]
        return {"sides": sides, "lines": (captured(view.position.stores),)}


def captured(stores: tuple[int, int]) -> str:
    """Return the line that says how many seeds each player has captured."""
    return f"Captured: South {stores[0]}, North {stores[1]}"


def _safety(position: Position, seat: Seat) -> float:
    houses = [position.houses[house] for house in _own(seat)]
    return position.stores[seat] + 0.1 * sum(houses) - 0.3 * sum(seeds in (1, 2) for seeds in houses)


def pit(name: str, seeds: int, text: str = "", ground: str = "wood") -> Cell:
    """Return a pit with seeds, and with its name or another text in a corner."""
    pieces = (Piece("brown", str(seeds), art=f"seeds-{min(seeds, _MOST_DRAWN)}"),) if seeds else ()
    return Cell(name, ground, pieces, text=text or name.upper(), in_corner=True, art="pit")


def _own(seat: Seat) -> range:
    return range(seat * _EACH, seat * _EACH + _EACH)


def _with(stores: tuple[int, int], seat: Seat, seeds: int) -> tuple[int, int]:
    return (stores[0] + seeds, stores[1]) if seat == 0 else (stores[0], stores[1] + seeds)


def _written(houses: Sequence[int], turn: Seat) -> str:
    return f"{turn} {' '.join(map(str, houses))}"


def _hashed(written: str) -> str:
    return urlsafe_b64encode(blake2b(written.encode(), digest_size=_KEY).digest()).decode()


def _key(houses: Sequence[int], turn: Seat) -> str:
    return _hashed(_written(houses, turn))


def sow(houses: Sequence[int], house: int) -> tuple[list[int], int]:
    """Return the houses after sowing from one, which is left out on each lap, and the house of the last seed."""
    after, place = list(houses), house
    left, after[house] = after[house], 0
    while left:
        place = (place + 1) % len(NAMES)
        if place != house:
            after[place] += 1
            left -= 1
    return after, place


def captures(houses: Sequence[int], last: int, seat: Seat) -> list[int]:
    """Return the houses that are captured after sowing: none if that would take all seeds of the opponent."""
    captured = []
    while last in _own(1 - seat) and 1 < houses[last] <= _MOST_CAPTURED:
        captured.append(last)
        last -= 1
    takes_all = sum(houses[house] for house in _own(1 - seat)) == sum(houses[house] for house in captured)
    return [] if takes_all else captured


def allowed(houses: Sequence[int], seat: Seat) -> list[int]:
    """Return the houses from which a seat may sow. An opponent without seeds must get some, if that is possible."""
    own, other = [house for house in _own(seat) if houses[house]], _own(1 - seat)
    if any(houses[house] for house in other):
        return own
    return [house for house in own if any(sow(houses, house)[0][there] for there in other)]


def _with_end(position: Position) -> Position:
    """Return the position, with its ending if it is one: then each player gets the seeds in their own houses."""
    stores = position.stores
    if max(stores) > SEEDS // 2:
        reason = "half"
    elif not allowed(position.houses, position.turn):
        reason = "nomove"
    elif position.history.count(position.history[-1]) == _TIMES:
        reason = "repetition"
    else:
        return position
    for seat in (0, 1):
        stores = _with(stores, seat, sum(position.houses[house] for house in _own(seat)))
    return Position((0,) * len(NAMES), stores, position.turn, (), reason)
