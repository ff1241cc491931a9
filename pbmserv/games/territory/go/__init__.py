"""Go on 19x19 points or fewer: area is counted, and positional superko forbids what was there before.

These are the rules of Chinese tournaments as far as a server can apply them: suicide is forbidden, stones and
surrounded points count alike, and White gets a point for each handicap stone.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from pbmserv.errors import MoveError, NotAMove, PlayerError
from pbmserv.games.base import OWN, PASS, Info, InTurn, Numbers, Option, Options, Outcome, Picture, Seat, Step, View
from pbmserv.games.base.evaluation import Choice
from pbmserv.games.base.in_turn import leader, ranks_of
from pbmserv.games.base.sheet import Format
from pbmserv.games.territory.go import area, influence, phases, thinking
from pbmserv.games.territory.go.lattice import SIZES, handicap_points, lattice, lattice_of, most_handicap
from pbmserv.games.territory.go.named_points import points_said
from pbmserv.games.territory.go.phases import MOST_NAMED, NAMES, Count, Position
from pbmserv.games.territory.go.picture import LETTERS, lines_of, picture_of, rows_of, stones_of
from pbmserv.games.territory.go.sgf import COUNT, RESUME, SGF
from pbmserv.games.territory.go.short_words import SHORT_WORDS
from pbmserv.games.territory.go.stones import EMPTY, SIGNS, allowed, key_of, placed
from pbmserv.games.territory.go.thinking.forecast import agreed
from pbmserv.rng import Rng

*_SMALLER, _USUAL = SIZES
_OTHERS = tuple(map(str, _SMALLER))
_KOMI, _WITH_HANDICAP = "7.5", "0.5"
POINT = "[a-hj-t](?:1[0-9]|[1-9])"
_STONE = re.compile(POINT)
_NAMING = re.compile(rf"(dead|alive)-?({POINT})")
_NAMINGS = re.compile(rf"(dead|alive)((?:-{POINT}){{2,}})")
_WITH_DASH = re.compile("[a-hj-t]-(?:1[0-9]|[1-9])")
_SGF_POINT, _SGF_PASS = re.compile("[a-t]{2}"), "tt"
_WITH_I = re.compile(r"(?:dead-?|alive-?)?i-?[0-9]{1,2}")

_DEAD = re.compile(
    r"(?:(?:the|my|your) )?(?:(?:black|white) )?(?:(?:stones?|group) )?(?:(?:on|at) )?([a-hj-t]\d{1,2})"
    r"(?: and (?:its |his |her )?(?:friends|neighbours|companions))? (?:is|are) (?:all )?dead(?:,? i'm afraid)?|"
    r"dead:? (?:(?:the|my|your) )?(?:(?:black|white) )?(?:(?:stones?|group) )?(?:(?:on|at) )?([a-hj-t]\d{1,2})"
)  #: said at the count


class Go(InTurn[Position, str]):
    """Two players, no chance, nothing hidden. A move is its canonical text."""

    info = Info(
        key="go",
        first=None,
        name="Go",
        kind="territory",
        aliases=("weiqi", "baduk"),
        summary="Surround more of the board than your opponent does.",
        seats=(2,),
        pattern=rf"{POINT}|{PASS}|{COUNT}|{RESUME}|(?:dead|alive)-?{POINT}",
        endings={"count": "by count", "stands": "by count of the board as it stands"},
        repetition=OWN,  # superko: such a move is not legal
        nodes=(1, 200, 4_000, 25_000, 120_000),  # stones put down in games to the end: 2 to 1,150 such games on 9x9
        lowest_level=0,
        credit="a game of China, more than two thousand years old.",
        options=(
            Option("size", "points of a side, an odd number from 5, if not 19", values=_OTHERS, usual=str(_USUAL)),
            Option("komi", "points that White gets, if not 7.5", numbers=Numbers(-150, 150, 0.5)),
            Option("handicap", "stones that Black has at the beginning, 2 to 9", numbers=Numbers(2, 9)),
        ),
    )
    names: ClassVar[tuple[str, ...]] = NAMES
    position_type = Position
    formats: ClassVar[tuple[Format, ...]] = (SGF,)

    def check(self, options: Options, seats: int) -> None:
        super().check(options, seats)
        size, stones = int(options.get("size", _USUAL)), int(options.get("handicap", 0))
        if stones > (most := most_handicap(size)):
            advice = f"Write at most -handicap={most}, or name a larger -size." if most else "Leave out -handicap."
            raise PlayerError(f"A board of {size} points has room for {most} handicap stones.", advice)

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        size, stones = int(options.get("size", _USUAL)), int(options.get("handicap", 0))
        komi = float(options.get("komi", _WITH_HANDICAP if stones else _KOMI))
        black = handicap_points(size, stones) if stones else ()
        points = "".join(SIGNS[0] if point in black else EMPTY for point in range(size * size))
        return Position(points, 1 if stones else 0, round(2 * komi), stones, seen=(key_of(points),))

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[str]:
        return _legal(position)

    def format(self, move: str) -> str:
        return move

    def written(self, position: Position, seat: Seat, text: str) -> str:
        return text.upper() if _STONE.fullmatch(text) else text

    def words(self, text: str) -> list[str]:
        """Split `dead-c3-q16` into `dead-c3` and `dead-q16`."""
        several = _NAMINGS.fullmatch(self.normalise(text))
        return [f"{several[1]}-{name}" for name in several[2].split("-")[1:]] if several else [text]

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[str]:
        """A group can be named by each of its stones."""
        if self.why_not(position, seat, text):
            return ()
        naming = _NAMING.fullmatch(text)
        return (_naming(position, naming[1], naming[2]) if naming else text,)

    def normalise(self, text: str) -> str:
        """Read `D-7`, too."""
        normal = super().normalise(text)
        return normal.replace("-", "") if _WITH_DASH.fullmatch(normal) else normal

    def foreign(self, position: Position, text: str) -> Sequence[str]:
        """In SGF a point is two letters, I is one of them, rows are counted from the top, and `tt` is to pass.

        Players say star points and points near a corner in words, too.
        """
        lattice = lattice_of(position.points)
        if position.count and (dead := _DEAD.fullmatch(text)):
            return (f"dead-{dead[1] or dead[2]}",)
        if not _SGF_POINT.fullmatch(text) or text in SHORT_WORDS:
            return () if position.count else points_said(text, lattice)
        column, row = (ord(letter) - ord("a") for letter in text)
        is_there = max(column, row) < lattice.size
        point = (lattice.size - 1 - row) * lattice.size + column
        return (lattice.names[point],) if is_there else (PASS,) if text == _SGF_PASS else ()

    def not_a_move(self, position: Position, seat: Seat, text: str) -> MoveError:
        if _WITH_I.fullmatch(self.normalise(text)):
            return NotAMove("There is no column I on a board for Go: J is next to H.", self._advice(position, seat))
        return super().not_a_move(position, seat, text)

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        """Return why a move is not possible; "" if it is."""
        if position.count:
            why = _why_not_counting(position, position.count, text)
        elif text == PASS:
            why = ""
        elif text in (COUNT, RESUME) or _NAMING.fullmatch(text):
            why = "the count begins when both players have passed, one after the other"
        else:
            why = _why_not_here(position, seat, text)
        return f"'{text}' is not possible: {why}." if why else ""

    def example(self, position: Position, seat: Seat) -> str:
        """Return a point near a corner if there is one, and `count` in the count."""
        if position.count:
            return COUNT
        lattice = lattice_of(position.points)
        names = (lattice.names[point] for point in _good_examples(lattice.size))
        return next((name for name in names if not _why_not_here(position, seat, name)), PASS)

    def apply(self, position: Position, seat: Seat, move: str, rng: Rng) -> Step[Position]:
        if move == PASS:
            return phases.with_pass(position)
        numbers = lattice_of(position.points).numbers
        if position.count is None:
            return phases.with_stone(position, numbers[move])
        if move == COUNT:
            return phases.with_offer(position, position.count)
        if move == RESUME:
            return phases.played_on(position, position.count)
        verb, _, name = move.partition("-")
        return phases.with_group(position, position.count, numbers[name], dead=verb == "dead")

    def position_key(self, position: Position) -> str:
        """Return the stones, and how far the passes and the count have come: superko lets no position come back."""
        return f"{position.points}{position.passed}{position.resumed}{position.count}"

    def evaluate(self, position: Position, seat: Seat) -> float:
        return influence.evaluate(position, seat)

    def in_points(self, value: float) -> float:
        return influence.in_points(value)

    def choice(self, position: Position, seat: Seat, nodes: int, rng: Rng) -> Choice:
        return thinking.choice(position, seat, nodes, rng)

    def agreement(self, view: View[Position], rng: Rng) -> Sequence[str]:
        return () if view.seat is None else agreed(view.position, view.seat, rng)

    def agreeing(self, position: Position) -> str:
        """A count is agreed to with the move `count`: that of the other player, or that of the board as it stands."""
        return "count" if position.count and not position.count.named else ""

    def end(self, position: Position) -> str:
        return ("stands" if position.resumed else "count") if position.is_over else ""

    def outcome(self, position: Position) -> Outcome | None:
        if not position.is_over:
            return None
        black, white = position.halves
        return Outcome(self.end(position), ranks_of(leader(black, white)), (black / 2, white / 2))

    def scene(self, view: View[Position]) -> Mapping[str, Any]:
        lattice = lattice_of(view.position.points)
        return {
            "letters": [name[0].upper() for name in lattice.names[: lattice.size]],
            "rows": rows_of(view.position),
            "stones": stones_of(view.position),
            "lines": list(lines_of(view.position, view.seat, LETTERS)),
        }

    def picture(self, view: View[Position]) -> Picture:
        return picture_of(view.position, view.seat)


def _legal(position: Position) -> tuple[str, ...]:
    names = lattice_of(position.points).names
    if position.count is None:
        points = allowed(position.points, position.seen[-1], position.turn, position.seen)
        return (*(names[point] for point in points), PASS)
    return (*_namings(position, position.count), COUNT, *[RESUME] * (position.count.offered is not None))


def _namings(position: Position, count: Count) -> Iterator[str]:
    """Yield a move for each group: one that names it dead or, if it is dead, alive."""
    names, dead = lattice_of(position.points).names, set(count.dead)
    if count.named < MOST_NAMED:
        for point, group in area.groups(position.points).items():
            if point == group[0]:
                yield f"{'alive' if point in dead else 'dead'}-{names[point]}"


def _naming(position: Position, verb: str, name: str) -> str:
    """Return the canonical text of a move that names a group: by its first stone."""
    lattice = lattice_of(position.points)
    return f"{verb}-{lattice.names[area.groups(position.points)[lattice.numbers[name]][0]]}"


def _why_not_here(position: Position, seat: Seat, name: str) -> str:
    """Return why a seat cannot put a stone on a point."""
    lattice = lattice_of(position.points)
    point = lattice.numbers.get(name)
    if point is None:
        return f"this board has {lattice.size} points on each side"
    if position.points[point] != EMPTY:
        return f"{name} is occupied"
    after = placed(position.points, position.seen[-1], seat, point)
    if after is None:
        return "your stones there would have no liberty (suicide)"
    if after.key in position.seen:
        return "the board would look as it did before (ko): play somewhere else first"
    return ""


def _why_not_counting(position: Position, count: Count, text: str) -> str:
    if text == COUNT:
        return ""
    if text == RESUME:
        return "you have not said yet, with count, how you see it" if count.offered is None else ""
    naming = _NAMING.fullmatch(text)
    if not naming:
        return "both players have passed: send count, or first name dead stones"
    point = lattice_of(position.points).numbers.get(naming[2])
    if point is None or position.points[point] == EMPTY:
        return f"no stone is on {naming[2]}"
    if naming[1] == "dead" and point in count.dead:
        return f"the stones on {naming[2]} are dead already"
    if naming[1] == "alive" and point not in count.dead:
        return f"the stones on {naming[2]} are alive already"
    return f"you have named {MOST_NAMED} groups in this turn: now send count" if count.named >= MOST_NAMED else ""


@lru_cache(maxsize=len(SIZES))
def _good_examples(size: int) -> tuple[int, ...]:
    """Return all points, the star points first and then those on the third and fourth line."""
    stars = lattice(size).stars

    def rank(point: int) -> tuple[bool, float]:
        row, column = divmod(point, size)
        line = min(row, column, size - 1 - row, size - 1 - column)
        return point not in stars, abs(line - 2.5)

    return tuple(sorted(range(size * size), key=rank))
