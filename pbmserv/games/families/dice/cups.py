"""Dice below cups: bids that grow until somebody doubts the last one; who was wrong loses a die or a life."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb, tanh
from typing import ClassVar

from pbmserv.games.base import Cell, Note, Options, Outcome, Picture, Piece, Seat, Step, Tray, View
from pbmserv.games.base.evaluation import Choice
from pbmserv.games.base.grid import replaced
from pbmserv.games.base.values import changed
from pbmserv.games.base.words import NUMBERS
from pbmserv.games.families.dice.at_table import OfDice, die, player, thrown, told
from pbmserv.games.families.dice.dice_row import CupRow, Dice
from pbmserv.rng import Rng

DOUBT, ROLL, AUTO = "doubt", "roll", "auto"
_NUMBERS = NUMBERS[:6]
_SAID = re.compile(rf"(?:i?bid)?([1-9][0-9]?|{'|'.join(_NUMBERS)})x?(?:({'|'.join(_NUMBERS)})(?:e?s)?|(?<!\d)([1-6])s)")
_SHOWN = 3  #: by how many dice more than the last one the bids go on that lists name
#: Throws of two dice, the lowest first: the higher die is the tens, doubles beat these, and 21 beats all.
PAIRS = (31, 32, 41, 42, 43, 51, 52, 53, 54, 61, 62, 63, 64, 65, 11, 22, 33, 44, 55, 66, 21)
_FEW, _SOME = 60, 600  #: nodes of levels 1 and 2


@dataclass(frozen=True)
class Cups:
    """`cups`: by seat, the dice below the cup, () if a view hides them; `lives`: by seat, those that are left.

    `bid`: ten times how many, and the face; or a throw of two dice; 0: there is none; `bidder`: who made it.
    `fallen`: who is out, in order. `rolled`: whether the seat to move has thrown two dice.
    """

    cups: tuple[Dice, ...]
    lives: tuple[int, ...]
    turn: Seat = 0
    bid: int = 0
    bidder: Seat = -1
    fallen: tuple[Seat, ...] = ()
    rolled: bool = False
    wild: bool = False


class BelowCups(OfDice[Cups]):
    """All dice of the table count: `3x5` bids three fives."""

    position_type = Cups
    row: ClassVar[CupRow]
    kind = "cups"

    def setup(self, options: Options, seats: int, rng: Rng) -> Cups:
        return self._covered(Cups(((),) * seats, (self.row.lives,) * seats, wild="wild" in options), rng)

    def dice_of(self, position: Cups, seat: Seat) -> int:
        """Return how many dice a seat has below its cup."""
        return position.lives[seat]

    def _covered(self, position: Cups, rng: Rng) -> Cups:
        """Begin a round: throw the dice."""
        then = changed(position, bid=0, bidder=-1, rolled=self.row.pairs)
        return changed(then, cups=tuple(thrown(self.dice_of(then, s), rng) for s in range(len(then.cups))))

    def legal_moves(self, position: Cups, seat: Seat) -> Sequence[str]:
        bids = (10 * n + face for n in range(1, sum(position.lives) + 1) for face in range(1, 7))
        return [*[DOUBT] * bool(position.bid), *(f"{bid // 10}x{bid % 10}" for bid in bids if bid > position.bid)]

    def apply(self, position: Cups, seat: Seat, move: str, rng: Rng) -> Step[Cups]:
        if move == DOUBT:
            return self._doubted(position, rng)
        bid = int(move.replace("x", ""))
        return Step(changed(position, bid=bid, bidder=seat, rolled=False, turn=_next(position, seat)))

    def _doubted(self, position: Cups, rng: Rng) -> Step[Cups]:
        """Lift the cups. Who was wrong loses a life, and begins the next round."""
        is_true, what = self.judged(position)
        loser = position.turn if is_true else position.bidder
        cups = [f"Player {s + 1} had {told(cup)}." for s, cup in enumerate(position.cups) if cup]
        lost = f"Player {loser + 1} loses a life." if self.row.pairs else f"Player {loser + 1} loses a die."
        notes = (*cups, *what, lost)
        lives = replaced(position.lives, loser, position.lives[loser] - 1)
        then = replace(position, lives=lives, turn=loser, fallen=(*position.fallen, *[loser] * (not lives[loser])))
        return Step(self._next_round(then, rng), tuple(map(Note, notes)), revealed=True)

    def _next_round(self, position: Cups, rng: Rng) -> Cups:
        turn = position.turn if position.lives[position.turn] else _next(position, position.turn)
        return position if self.end(position) else self._covered(replace(position, turn=turn), rng)

    def judged(self, position: Cups) -> tuple[bool, Sequence[str]]:
        """Return whether the bid is true, and what is told of the dice."""
        number, face = divmod(position.bid, 10)
        count = sum(_fitting(cup, face, wild=position.wild) for cup in position.cups)
        return count >= number, [f"The bid was {number} x {face}, and there are {count}."]

    def normalise(self, text: str) -> str:
        return _written(super().normalise(text))

    def obstacle(self, position: Cups, text: str) -> str:
        if text == DOUBT:
            return "nobody has made a bid yet"
        if int(text.partition("x")[0]) > sum(position.lives):
            return f"there are only {sum(position.lives)} dice"
        return f"the last bid is {position.bid // 10}x{position.bid % 10}, and yours must be higher"

    def end(self, position: Cups) -> str:
        return "alone" if sum(map(bool, position.lives)) < 2 else ""

    def scores(self, position: Cups) -> tuple[int, ...]:
        return position.lives

    def outcome(self, position: Cups) -> Outcome | None:
        ranks = tuple(
            len(position.lives) - position.fallen.index(s) if not n else 1 for s, n in enumerate(position.lives)
        )
        return Outcome("alone", ranks, position.lives) if self.end(position) else None

    def retire(self, position: Cups, seat: Seat, rng: Rng) -> Step[Cups]:
        """The dice of who leaves are gone, so the others begin a new round."""
        if not position.lives[seat]:
            return Step(position)
        then = replace(position, lives=replaced(position.lives, seat, 0), fallen=(*position.fallen, seat))
        return Step(self._next_round(then, rng), (Note("All dice are thrown anew."),), revealed=True)

    def view(self, position: Cups, seat: Seat | None) -> View[Cups]:
        """Hide the dice of the others until the board is over."""
        if self.end(position):
            return View(seat, position)
        return View(
            seat, replace(position, cups=tuple(cup if s == seat else () for s, cup in enumerate(position.cups)))
        )

    def determinize(self, view: View[Cups], rng: Rng) -> Cups:
        position = view.position
        counts = [0 if cup else self.dice_of(position, s) for s, cup in enumerate(position.cups)]
        return replace(position, cups=tuple(c or thrown(n, rng) for c, n in zip(position.cups, counts, strict=True)))

    def evaluate(self, position: Cups, seat: Seat) -> float:
        return tanh((position.lives[seat] - max(n for s, n in enumerate(position.lives) if s != seat)) / 3)

    def choice(self, position: Cups, seat: Seat, nodes: int, rng: Rng) -> Choice | None:
        """Compare the chance that the last bid is wrong with that of the best next one; level 1 forgets its dice."""
        chances = [(self._chance(position, seat, move, nodes), move) for move in self._bids(position, seat)]
        safe = [(chance, move) for chance, move in chances if chance >= _SAFE and not position.bid]
        best, text = safe[-1] if safe else max(chances, default=(0.0, DOUBT))
        last = f"{position.bid // 10}x{position.bid % 10}"
        if position.bid and 1 - self._chance(position, seat, last, nodes) > best:
            text = DOUBT
        return Choice(text, self.evaluate(position, seat), 1)

    def _chance(self, position: Cups, seat: Seat, bid: str, nodes: int) -> float:
        """Return how likely a bid is true, as a seat knows it."""
        number, face = map(int, bid.split("x"))
        own = position.cups[seat] if nodes > _FEW else ()
        others, part = sum(position.lives) - len(own), 1 / 3 if position.wild and face > 1 else 1 / 6
        least = max(0, number - _fitting(own, face, wild=position.wild))
        return sum(comb(others, k) * part**k * (1 - part) ** (others - k) for k in range(least, others + 1))

    def repeats(self, position: Cups, move: str) -> bool:
        """Lists name only bids that are not far from the last one."""
        number = int(move.partition("x")[0]) if "x" in move else 0
        least = position.bid // 10 or max(1, sum(position.lives) // 6)
        return bool(number) and not least <= number <= least + _SHOWN

    def example(self, position: Cups, seat: Seat) -> str:
        return next(iter(self._bids(position, seat)), DOUBT)

    def _bids(self, position: Cups, seat: Seat) -> list[str]:
        """Return the bids that are not far from the last one."""
        return [move for move in self.legal_moves(position, seat) if "x" in move and not self.repeats(position, move)]

    def cells_of(self, text: str) -> tuple[str, ...]:
        return (f"{text[-1]}s",) if "x" in text and self.is_move(text) else ()

    def spoken(self, written: str) -> str:
        return ""

    def caption(self, position: Cups, move: str) -> str:
        return move.replace("x", " x ")

    def picture(self, view: View[Cups]) -> Picture:
        position = view.position
        rows = [(player(s, s == position.turn), *self.shown(position, s)) for s in range(len(position.lives))]
        faces = Tray("Bids", tuple(die(n, f"{n}s") for n in range(1, 7)), only_drawn=True)
        return Picture(tuple(rows), beside=() if self.row.pairs else (faces,), lines=self.lines(position))

    def shown(self, position: Cups, seat: Seat) -> Sequence[Cell]:
        """Return the cells of a seat: its dice, hidden or not, and empty ones for those that it has lost."""
        cup, lives = position.cups[seat], position.lives[seat]
        dice = [die(face) for face in cup] or [Cell(pieces=(_HIDDEN,))] * lives
        return [*dice, *[Cell(ground="dark")] * (self.row.lives - len(dice))]

    def players(self, view: View[Cups]) -> Sequence[Sequence[tuple[str, str]]]:
        left = "lives" if self.row.pairs else "dice"
        pairs = zip(view.position.lives, view.position.cups, strict=True)
        return [[(left, str(lives)), *([("below the cup", told(cup))] if cup else [])] for lives, cup in pairs]

    def lines(self, position: Cups) -> tuple[str, ...]:
        """Return what stands below: the last bid."""
        number, face = divmod(position.bid, 10)
        return (f"Player {position.bidder + 1} bids {number} x {face}.",) if position.bid else ()


class Pairs(BelowCups):
    """Two dice below one cup that goes round: `roll`, and then say what is below it, or something higher."""

    kind = "pairs"

    def dice_of(self, position: Cups, seat: Seat) -> int:
        return 2 * (seat == (position.turn if position.rolled else position.bidder))

    def legal_moves(self, position: Cups, seat: Seat) -> Sequence[str]:
        if position.rolled:
            return [str(pair) for pair in PAIRS if not position.bid or _place(pair) > _place(position.bid)]
        return [DOUBT, *[ROLL] * (position.bid != PAIRS[-1])]

    def apply(self, position: Cups, seat: Seat, move: str, rng: Rng) -> Step[Cups]:
        if move != ROLL:
            return super().apply(position, seat, move, rng)
        dice = thrown(2, rng)
        then = replace(position, cups=replaced(((),) * len(position.cups), seat, dice), rolled=True)
        return Step(then, revealed=True)  # the board shows them: a note for one reader could be quoted to the others

    def judged(self, position: Cups) -> tuple[bool, Sequence[str]]:
        return _place(_pair(position.cups[position.bidder])) >= _place(position.bid), [f"The bid was {position.bid}."]

    def obstacle(self, position: Cups, text: str) -> str:
        if text in (DOUBT, ROLL):
            return (
                "you have thrown, so say what is below your cup" if position.rolled else "nothing is higher, so doubt"
            )
        if not position.rolled:
            return "first roll, or doubt the last player"
        return f"it must be higher than {position.bid}" if int(text) in PAIRS else "the higher die comes first"

    def choice(self, position: Cups, seat: Seat, nodes: int, rng: Rng) -> Choice | None:
        """Say the truth if it is high enough, else little more than the last; doubt what is seldom. Level 1 errs."""
        legal = self.legal_moves(position, seat)
        if position.rolled:
            true = str(_pair(position.cups[seat]))
            text = true if true in legal else rng.choice(legal[: 3 if nodes > _FEW else None])
        else:
            higher = sum(1 if pair % 11 == 0 else 2 for pair in PAIRS[_place(position.bid) :]) / 36
            doubts = higher < _SELDOM if nodes > _FEW else rng.randrange(2) == 0
            text = DOUBT if doubts or ROLL not in legal else ROLL
        return Choice(text, self.evaluate(position, seat), 1)

    def repeats(self, position: Cups, move: str) -> bool:
        return False

    def example(self, position: Cups, seat: Seat) -> str:
        return self.legal_moves(position, seat)[0 if position.rolled else -1]

    def cells_of(self, text: str) -> tuple[str, ...]:
        return ()

    def shown(self, position: Cups, seat: Seat) -> Sequence[Cell]:
        """Return the lives of a seat, and the dice below its cup."""
        lives = [Cell(pieces=(_LIFE,))] * position.lives[seat]
        cup = [die(face) for face in position.cups[seat][::-1]] or [Cell(pieces=(_HIDDEN,))] * self.dice_of(
            position, seat
        )
        return [*lives, *[Cell()] * (self.row.lives - len(lives)), *cup, *[Cell()] * (2 - len(cup))]

    def lines(self, position: Cups) -> tuple[str, ...]:
        return (f"Player {position.bidder + 1} says {position.bid}.",) if position.bid else ()


_HIDDEN, _LIFE = Piece("grey", "?"), Piece("red", "O")
_SAFE = 0.6  #: how likely a first bid is to be true
_SELDOM = 0.45  #: from which part of throws on a bid is believed


def _next(position: Cups, seat: Seat) -> Seat:
    seats = len(position.lives)
    return next((s % seats for s in range(seat + 1, seat + seats) if position.lives[s % seats]), seat)


def _fitting(cup: Dice, face: int, *, wild: bool) -> int:
    return cup.count(face) + (cup.count(1) if wild and face != 1 else 0)


def _pair(dice: Dice) -> int:
    return 10 * max(dice) + min(dice)


def _place(pair: int) -> int:
    return PAIRS.index(pair)


def _written(text: str) -> str:
    """Return `3x5` for 3fives, threefives, 3*5 and the like."""
    if match := _SAID.fullmatch(text):
        text = f"{_number(match[1])}x{_number(match[2] or match[3])}"
    return text.replace("*", "x")


def _number(word: str) -> str:
    return str(_NUMBERS.index(word) + 1) if word in _NUMBERS else word
