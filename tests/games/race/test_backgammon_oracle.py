"""Backgammon beside OpenSpiel: every turn that the dice allow, the position after it, and what a win counts."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import pytest

from pbmserv.games.base import Note
from pbmserv.games.race.backgammon import Backgammon
from pbmserv.games.race.backgammon.legs import Leg, legs_of
from pbmserv.games.race.backgammon.places import BAR, OFF, Dice
from pbmserv.games.race.backgammon.situation import Position
from pbmserv.games.race.backgammon.throws import meanings
from pbmserv.rng import Rng
from tests.games.oracle.engine import Oracle, State, with_oracle

GAME = Backgammon()
#: Its games end as a draw after some turns; ours do not.
PARAMETERS = {"scoring_type": "full_scoring", "max_player_turns": 100_000}
DOUBLE = 2  #: actions of a double: each has two men
VERY_LONG = 200  #: plies of a game
WORTH = {"single": 1, "gammon": 2, "backgammon": 3}
ROLLED = re.compile(r"rolls (\d) and (\d)(?P<skipped> and cannot move)?")
Choose = Callable[[Sequence[str], Rng], str]


def at_random(turns: Sequence[str], rng: Rng) -> str:
    return rng.choice(turns)


def home(turns: Sequence[str], rng: Rng) -> str:
    """Bear off, and bring men home: games end soon, and often with men of the loser far behind."""
    some = rng.shuffled(turns)
    return max(some, key=lambda text: text.count("off") + sum(leg.path[0] > 6 for leg in legs_of(text)))


def hitting(turns: Sequence[str], rng: Rng) -> str:
    """Hit as much as possible: men on the bar make turns with few choices or none."""
    return max(rng.shuffled(turns), key=lambda text: text.count("*"))


def chance(oracle: Oracle, dice: Dice, starts: str = "") -> State:
    """Give OpenSpiel our dice."""
    for (text,) in oracle.legal():
        found = re.search(r"roll: (\d)(\d)", text)
        if found and starts in text and sorted(map(int, found.groups())) == sorted(dice):
            return oracle.apply((text,))
    raise AssertionError(f"OpenSpiel does not expect the dice {dice} {starts}: {oracle.legal()}")


def theirs(position: Position, oracle: Oracle) -> Mapping[str, tuple[str, ...]]:
    """Return its turns, each by the text that we give it, with the actions that make it.

    An action moves one or two men: `702 - 24/23/18*`, or `0 - 1/Off Pass` if the other die cannot be used.
    """
    found = dict[str, tuple[str, ...]]()
    for actions in oracle.legal(DOUBLE):
        said = " ".join(action.partition(" - ")[2] or action for action in actions).lower()
        legs = [leg for word in said.split() if word != "pass" for leg in legs_of(word)]
        (text,) = exact(position, legs)
        found[text] = actions
    return found


def exact(position: Position, legs: Sequence[Leg]) -> list[str]:
    """Return our turns that hit where OpenSpiel says so, and nowhere else. It names all points on the way."""
    stars = frozenset().union(*(leg.stars for leg in legs))
    found = meanings(position.throw, legs)
    return [text for text in found if frozenset().union(*(leg.stars for leg in legs_of(text))) == stars]


def board_of(drawing: str) -> tuple[list[tuple[str, int]], str, str]:
    """Return the points in its drawing, from the x's 1 on, the line of the bar, and that of the men off."""
    lines = drawing.split("\n")
    rows = [line.replace("|", "") for line in lines[1:12]]
    upper = [column("".join(row[12 - point] for row in rows[:5])) for point in range(1, 13)]
    lower = [column("".join(row[point - 13] for row in rows[6:])) for point in range(13, BAR)]
    rest = {line.partition(":")[0]: line for line in lines if ":" in line}
    return upper + lower, "".join(sorted(rest["Bar"])), rest["Scores, X"]


def column(text: str) -> tuple[str, int]:
    """Read the men on a point from the top. More than five are told by a number."""
    men = text.strip(". ")
    number, sign = "".join(filter(str.isdigit, men)), "".join(filter(str.isalpha, men))
    return (sign[0], int(number) if number else len(men)) if men else (".", 0)


def drawn(position: Position) -> tuple[list[tuple[str, int]], str, str]:
    """Return the same of our position. White is x."""
    white, black = position.of(0), position.of(1)
    points = [
        ("x", white[n]) if white[n] else ("o", black[BAR - n]) if black[BAR - n] else (".", 0) for n in range(1, BAR)
    ]
    bar = f"Bar:{' ' * any((white[BAR], black[BAR]))}{'x' * white[BAR]}{'o' * black[BAR]}"
    return points, "".join(sorted(bar)), f"Scores, X: {white[OFF]}, O: {black[OFF]}"


class Match:
    """Games of the two side by side."""

    def __init__(self, oracle: Oracle, choose: Choose) -> None:
        self.oracle, self.choose = oracle, choose
        self.plies = self.games = self.skipped = 0
        self.endings = Counter[str]()

    def play(self) -> None:
        """Play a game to its end, or until it is very long."""
        self.games += 1
        position = GAME.setup({}, 2, Rng("oracle", self.games))
        self.oracle.new("backgammon", PARAMETERS)
        state = chance(self.oracle, position.dice, f"{'XO'[position.turn]} starts")
        ply = 0
        while not position.won and ply < VERY_LONG:
            assert state.player == position.turn
            known = theirs(position, self.oracle)
            turns = GAME.legal_moves(position, position.turn)
            assert set(known) == set(turns), position
            ply += 1
            rng = Rng(f"oracle {self.games}", ply)
            text = self.choose(turns, rng)
            step = GAME.apply(position, position.turn, text, rng)
            state = self.oracle.apply(known[text])
            position = step.position
            assert board_of(state.drawing) == drawn(position), text
            state = self.roll(step.notes, state)
            self.plies += 1
        if position.won:
            self.end(position, state)

    def roll(self, notes: Iterable[Note], state: State) -> State:
        """Give OpenSpiel the dice in our notes. Who cannot use them passes there."""
        for rolled in filter(None, (ROLLED.search(note.text) for note in notes)):
            state = chance(self.oracle, (int(rolled[1]), int(rolled[2])))
            while rolled["skipped"] and len(legal := self.oracle.legal()) == 1 and "Pass" in legal[0][0]:
                self.skipped += 1
                state = self.oracle.apply(legal[0])
        return state

    def end(self, position: Position, state: State) -> None:
        outcome = GAME.outcome(position)
        assert outcome
        assert state.over
        points = WORTH[outcome.reason]
        assert state.returns == ((points, -points) if outcome.winners == (0,) else (-points, points))
        self.endings[outcome.reason] += 1


@with_oracle
@pytest.mark.slow
@pytest.mark.parametrize(("choose", "plies"), [(at_random, 250), (home, 120), (hitting, 60)])
def test_openspiel_agrees(choose: Choose, plies: int) -> None:
    with Oracle() as oracle:
        match = Match(oracle, choose)
        while match.plies < plies:
            match.play()
    assert choose is hitting or match.endings["single"]
    assert choose is not at_random or match.endings["gammon"] + match.endings["backgammon"]
    assert choose is hitting or match.skipped


def test_its_drawings_are_read() -> None:
    upper = ["o...x.|x....o"] * 3 + ["o...1.|......", "7...1.|......"]
    rows = [*upper, "      |      ", *["......|......"] * 4, "......|.....x"]
    edge = "+------|------+"
    drawing = "\n".join([edge, *(f"|{row}|" for row in rows), edge, "Bar: x", "Scores, X: 0, O: 0"])
    points, bar, scores = board_of(drawing)
    assert {n: point for n, point in enumerate(points, 1) if point[1]} == {
        1: ("o", 3),
        6: ("x", 3),
        8: ("x", 11),
        12: ("o", 7),
        24: ("x", 1),
    }
    assert (bar, scores) == (" :Barx", "Scores, X: 0, O: 0")
