"""Games of dice at one table: turns of two to eight players, their points, and what the table looks like (ADR 116)."""

import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import tanh
from typing import ClassVar, TypeVar

from pbmserv.games.base import Cell, InTurn, Outcome, Picture, Piece, Seat, Step, Tray, View, moves_of
from pbmserv.games.base.in_turn import HasTurn
from pbmserv.games.base.notation import keeps_short
from pbmserv.games.base.values import changed
from pbmserv.games.families.dice.dice_help import help_facts
from pbmserv.games.families.dice.dice_row import Dice, DiceRow
from pbmserv.rng import Rng

T = TypeVar("T", bound=HasTurn)  #: a position
_COLOURS = ("blue", "red", "green", "purple", "orange", "brown", "yellow", "grey")  #: of the seats


@dataclass(frozen=True)
class Table:
    """`sheets`: by seat, the points in each box, OPEN if it is empty; a game without boxes has one.

    `dice`: what was thrown last; `kept`: those that were not thrown then; `left`: throws that are left; `pot`: points
    at stake; `goal`: the points that end the game; `gone`: who has left, in order; `last`: who ends the game when the
    turn comes there again; -1: nobody.
    """

    sheets: tuple[tuple[int, ...], ...]
    dice: Dice = ()
    kept: Dice = ()
    left: int = 0
    pot: int = 0
    turn: Seat = 0
    gone: tuple[Seat, ...] = ()
    last: Seat = -1
    rounds: int = 0
    goal: int = 0
    over: str = ""


OPEN = -1
_SAME = {
    **dict.fromkeys(("hold", "halten"), "bank"),
    **dict.fromkeys(("würfeln", "throw", "rollall", "rerollall", "allagain", "keepnothing", "keepnone"), "roll"),
    **dict.fromkeys(("rolleverything", "rerolleverything", "throweverything", "rerollallofthem"), "roll"),
    **dict.fromkeys(("allewürfeln", "allenochmal", "allesnochmal"), "roll"),
    **dict.fromkeys(("liar", "lüge", "lügner", "bluff", "challenge", "ichallenge", "call", "icall"), "doubt"),
}
_FILLERS = re.compile(
    r"\b(?:keep|take|aside|and|then|score|write|behalte|nimm|schreibe|und|dann|(?:roll|würfeln)(?= (?:for|to|go)\b))\s?"
)
_SIGNS = re.compile(r",|(?<=\d)[.!;]+(?!\S)")  #: between dice, and behind the last one
_BLANKS = re.compile(
    r"(?<![^\s/][1-6])(?<=[1-6]) (?=[1-6](?![^\s/]))|(?<=[1-6]) (?=(?:roll|würfeln|bank|halten)\b)|(?<=\bto) (?=\d)"
    r"|(?<=\bfor) |(?<=\bgo) "
)
_BETWEEN = re.compile(r"[\s/]+")
_UNTIL = re.compile(r"^(?:roll|würfeln)?(?:until|till|bis|to)(?=\d)|^(?:keep|behalte)(?=[1-6])")
#: Dice that are thrown again, and those of a box that are kept, which scores nothing.
_NO_MOVES = re.compile("(?:roll|würfeln|throw) [1-6]|(?:keep|behalte) (?!alle?$)[a-zü]")
_WAY = re.compile("(?<=[1-6])[a-zü]+$")  #: what is done with the other dice
_BOXES = "einsen=ones,zweien=twos,dreien=threes,vieren=fours,fünfen=fives,sechsen=sixes,haus=house"
_IN_GERMAN = dict(pair.split("=") for pair in _BOXES.split(","))
_BOX = re.compile(f"(?:{'|'.join(_IN_GERMAN)})$")
_FACES = re.compile("([1-6]{1,6})(?:roll|bank)?")  #: a move with the dice that it keeps


class OfDice(InTurn[T, str]):
    """A move is its canonical text."""

    row: ClassVar[DiceRow]
    kind: ClassVar[str]  #: of the help page

    @abstractmethod
    def obstacle(self, position: T, text: str) -> str:
        """Return why a move is not possible."""

    def normalise(self, text: str) -> str:
        return _normal(text)

    def words(self, text: str) -> list[str]:
        """Split `66/666/sixes` into moves."""
        return [word for word in text.split("/") if word] or [text]

    def format(self, move: str) -> str:
        return move

    def named(self, position: T, seat: Seat, text: str) -> Sequence[str]:
        return [text] if self.is_legal(position, seat, text) else []

    def is_legal(self, position: T, seat: Seat, text: str) -> bool:
        """Return whether a move is legal. A game that knows it without the list of all moves overrides this."""
        return text in moves_of(self, position, seat)

    def why_not(self, position: T, seat: Seat, text: str) -> str:
        return f"'{text}' is not possible: {self.obstacle(position, text)}."

    @abstractmethod
    def picture(self, view: View[T]) -> Picture: ...

    @abstractmethod
    def players(self, view: View[T]) -> Sequence[Sequence[tuple[str, str]]]:
        """Return what is told of each seat to who hears the board: words, each with its number or its dice."""

    def scene(self, view: View[T]) -> Mapping[str, object]:
        """`rows`: the texts of the picture; `players`: as above; `below`: sentences, some with dice."""
        picture = self.picture(view)
        dice = [(tray.says, told(map(_text, tray.cells))) for tray in picture.beside if not tray.only_drawn]
        rows = [[_text(cell) for cell in row] for row in picture.rows]
        return {"rows": rows, "players": self.players(view), "below": [*dice, *((line, "") for line in picture.lines)]}

    def help_facts(self) -> Mapping[str, object]:
        return help_facts(self, self.row, self.kind)


class AtTable(OfDice[Table]):
    """Everybody sees all dice, and has points."""

    position_type = Table
    swing: ClassVar[float] = 60.0  #: a lead that is clear, in points

    @abstractmethod
    def begun(self, step: Step[Table], rng: Rng) -> Step[Table]:
        """Begin the turn of the seat that is to move."""

    @abstractmethod
    def can_play(self, position: Table, seat: Seat) -> bool:
        """Return whether a seat that has not left has another turn."""

    def points(self, sheet: Sequence[int]) -> int:
        """Return the points of a seat."""
        return sum(box for box in sheet if box != OPEN)

    def players(self, view: View[Table]) -> Sequence[Sequence[tuple[str, str]]]:
        rows = [[_text(cell) for cell in row] for row in self.picture(view).rows[1:]]
        return [[(row[0], text) for row in rows if (text := row[n])] for n in range(1, len(rows[0]))]

    def written(self, position: Table, seat: Seat, text: str) -> str:
        """In words: `keep 6 6`, `keep 1 5 roll`, `roll until 300`, `go for sixes`."""
        if match := _FACES.fullmatch(text):
            return f"keep {told(match[1])} {text[len(match[1]) :]}".rstrip()
        return re.sub(r"^to(?=\d)", "roll until ", text).replace("go-", "go for ")

    def logged(self, position: Table, seat: Seat, text: str) -> str:
        """In short: `66`, `15roll`, `to300`, `go-sixes`, because what has happened is told beside it in words."""
        return text

    def spoken(self, written: str) -> str:
        return ""

    def merit(self, position: Table, seat: Seat) -> int:
        """Return what counts for ranks; more is better."""
        return self.points(position.sheets[seat])

    def laid(self, seats: int, boxes: int, rng: Rng) -> Table:
        """Return the first turn."""
        return self.begun(Step(Table(((OPEN if boxes > 1 else 0,) * boxes,) * seats)), rng).position

    def passed(self, step: Step[Table], rng: Rng) -> Step[Table]:
        """Give the turn to the next seat that can play. If there is none, the board is over."""
        position, seats = step.position, len(step.position.sheets)
        bare: dict[str, object] = {"dice": (), "kept": (), "left": 0, "pot": 0}
        for seat in ((position.turn + n) % seats for n in range(1, seats + 1)):
            if seat == position.last:
                break
            if seat not in position.gone and self.can_play(position, seat):
                rounds = position.rounds + (seat <= position.turn)
                then = changed(position, turn=seat, rounds=rounds, **bare)
                return self.begun(Step(then, step.notes, step.missed), rng)
        return Step(changed(position, over="done", **bare), step.notes, step.missed)

    def moves_in(self, words: Sequence[str]) -> list[str]:
        """Read `keep 6 6 roll / 6 / for sixes`: dice one by one are one move, with commas, too."""
        line = " ".join(_SIGNS.sub(" ", " ".join(words).lower()).split())
        line = re.sub(r"\b(?:until|bis) (?=\d)", "to ", line)
        if _NO_MOVES.match(line):  # `roll 4 4` keeps these dice if two moves are read, and `keep threes` is a box
            return [line]
        return _BETWEEN.split(_BLANKS.sub("", _FILLERS.sub("", line)).strip(" /"))

    def end(self, position: Table) -> str:
        return position.over

    def scores(self, position: Table) -> tuple[int, ...]:
        return tuple(map(self.points, position.sheets))

    def outcome(self, position: Table) -> Outcome | None:
        if not position.over:
            return None
        gone = {seat: (-1, n) for n, seat in enumerate(position.gone)}
        merits = [gone.get(seat, (0, self.merit(position, seat))) for seat in range(len(position.sheets))]
        ranks = tuple(1 + sum(other > own for other in merits) for own in merits)
        return Outcome(position.over, ranks, self.scores(position))

    def retire(self, position: Table, seat: Seat, rng: Rng) -> Step[Table]:
        step = Step(replace(position, gone=(*position.gone, seat)))
        return self.passed(step, rng) if seat == position.turn else step

    def rejoin(self, position: Table, seat: Seat) -> Table:
        """The substitute has the points of who left. In games with boxes it fills all of them, however late."""
        return replace(position, gone=tuple(other for other in position.gone if other != seat))

    def evaluate(self, position: Table, seat: Seat) -> float:
        merits = [self.merit(position, s) for s in range(len(position.sheets))]
        return tanh((merits[seat] - max(m for s, m in enumerate(merits) if s != seat)) / self.swing)

    def cells_of(self, text: str) -> tuple[str, ...]:
        """Name dice by their faces: 6a is the first six."""
        faces = match[1] if (match := _FACES.fullmatch(text)) else ""
        return tuple(name_of(faces, n) for n in range(len(faces)))

    def drawn(self, position: Table, rows: Iterable[tuple[Cell, Sequence[str]]], says: str) -> Picture:
        """Return a table with a column for each seat. `rows`: the cell at the left, and the texts of the seats."""
        seats = range(len(position.sheets))
        top = (Cell(ground="plain"), *(player(seat, seat == position.turn and not position.over) for seat in seats))
        body = [(first, *(Cell(pieces=(Piece(sign=t),) if t else ()) for t in texts)) for first, texts in rows]
        dice = tuple(die(f, name_of(position.dice, n)) for n, f in enumerate(position.dice))
        gone = ", ".join(f"Player {seat + 1}" for seat in position.gone)
        return Picture(
            (top, *body),
            beside=(Tray(says, dice),) if dice else (),
            lines=(f"Gone: {gone}",) if gone else (),
            widths=(200, *[100] * len(seats)),
            heights=(100, *[62] * len(body)),
        )


@keeps_short
def _normal(text: str) -> str:
    plain = _UNTIL.sub(_short, "".join(text.lower().split()).rstrip("!.,;"))
    plain = _WAY.sub(lambda way: _SAME.get(way[0], way[0]), plain)
    plain = _BOX.sub(lambda box: _IN_GERMAN[box[0]], re.sub("^zieleauf", "go-", plain))
    return _SAME.get(plain, plain)


def _short(words: re.Match[str]) -> str:
    """Return what stands in a move for words before its number."""
    return "" if words[0] in ("keep", "behalte") else "to"


def _text(cell: Cell | None) -> str:
    return (cell.text or "".join(piece.in_ascii for piece in cell.pieces)) if cell else ""


def name_of(dice: Sequence[object], n: int) -> str:
    """Return the name of a die among others: its face, and a letter if there are several."""
    return f"{dice[n]}{'abcdef'[list(dice[:n]).count(dice[n])]}"


def die(face: int, name: str = "") -> Cell:
    """Return a die."""
    return Cell(name, pieces=(Piece("white", "⚀⚁⚂⚃⚄⚅"[face - 1], letter=f"[{face}]", art=f"die-{face}"),))


def player(seat: Seat, is_turn: bool = False) -> Cell:
    """Return the sign of a seat."""
    return Cell(ground="wood" if is_turn else "plain", pieces=(Piece(_COLOURS[seat], f"P{seat + 1}"),))


def thrown(count: int, rng: Rng) -> Dice:
    """Throw dice."""
    return tuple(sorted([1 + rng.randrange(6) for _ in range(count)]))


def told(dice: Iterable[object]) -> str:
    """Return dice as text."""
    return " ".join(map(str, dice))
