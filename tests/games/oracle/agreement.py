"""Plays random games with our rules and with OpenSpiel side by side, and compares them at each ply."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbmserv.games.base import AnyGame, Options, Outcome, Seat
from pbmserv.rng import Rng
from tests.examples import SOAK
from tests.games.oracle.engine import Oracle, OracleDied, State

_MOST_DEATHS = 5  #: in one comparison; more of them, and there is nothing to compare with
_TRIED = 20  #: moves among which `into_ends` looks for an end

Actions = tuple[str, ...]


@dataclass(frozen=True)
class Difference:
    """What the two say differently about a position: `what` is seat, moves, position, end or result."""

    what: str
    ours: Any
    theirs: Any
    position: Any = field(repr=False)
    before: Sequence[Any] = field(default=(), repr=False)  #: the positions of the game before this one


Explain = Callable[[Difference], bool]


@dataclass(frozen=True)
class Rival:
    """How to read a game of OpenSpiel.

    `known` has the differences that are meant, by name. After one in the moves, the game goes on with what both allow;
    after any other, the next game begins.
    """

    name: str
    actions: Callable[[Any, Seat, Any], Actions]  #: its actions for a move of ours in a position
    parameters: Mapping[str, Any] = field(default_factory=dict)
    drawing: Callable[[Any], str] | None = None  #: how it draws a position of ours; None: drawings are not compared
    board: Callable[[str], str] = str  #: leaves of its drawing what `drawing` draws
    deep: int = 1  #: the most actions of one move
    passes: str = ""  #: what it demands of a player who has no move, where our rules skip the turn
    swapped: bool = False  #: whether its player 0 is our seat 1
    known: Mapping[str, Explain] = field(default_factory=dict)


@dataclass
class Report:
    """What was compared: plies and games, how often each known difference was met, and how OpenSpiel ended early."""

    plies: int = 0
    games: int = 0
    explained: Counter[str] = field(default_factory=Counter)
    deaths: list[str] = field(default_factory=list)
    endings: Counter[str] = field(default_factory=Counter)  #: of our outcomes


#: Chooses one of the legal moves, such as a move that leads into an end.
Choose = Callable[[Any, Sequence[Any], Rng], Any]


def at_random(position: Any, moves: Sequence[Any], rng: Rng) -> Any:
    """Choose any move."""
    return rng.choice(moves)


def into_ends(game: AnyGame) -> Choose:
    """Return what chooses a move that ends the game, if it finds one among a few, and any move otherwise."""

    def choose(position: Any, moves: Sequence[Any], rng: Rng) -> Any:
        (seat,) = game.to_move(position)
        some = rng.shuffled(moves)[:_TRIED]
        return next((m for m in some if game.outcome(game.apply(position, seat, m, rng).position)), some[0])

    return choose


class Disagreement(AssertionError):
    """Our rules and OpenSpiel differ, and the test does not say why."""


def compare(
    game: AnyGame, rival: Rival, plies: int, options: Options | None = None, choose: Choose = at_random
) -> Report:
    """Play random games for at least this number of plies, and many more with `make soak`. Raises Disagreement.

    If OpenSpiel crashes, this is noted in the report, and the next game begins with a new process of it.
    """
    report, plies = Report(), plies * SOAK
    while report.plies < plies:
        assert len(report.deaths) < _MOST_DEATHS, "OpenSpiel crashes all the time:\n" + "\n".join(report.deaths)
        with Oracle() as oracle:
            try:
                while report.plies < plies:
                    _Match(game, rival, oracle, report, choose).play(options or {})
            except OracleDied as death:
                report.deaths.append(str(death))
    return report


class _Match:
    """One game of the two."""

    def __init__(self, game: AnyGame, rival: Rival, oracle: Oracle, report: Report, choose: Choose) -> None:
        self.game, self.rival, self.oracle, self.report, self.choose = game, rival, oracle, report, choose
        report.games += 1
        self.texts: list[str] = []
        self.before: list[Any] = []

    def play(self, options: Options) -> None:
        """Play to the end, or to a known difference after which the two cannot go on."""
        position = self.game.setup(options, 2, Rng("oracle", self.report.games))
        state = self.oracle.new(self.rival.name, self.rival.parameters)
        while self._agree(position, state) and not state.over:
            (seat,) = self.game.to_move(position)
            moves = self._common(position, seat)
            rng = Rng(f"oracle {self.report.games}", len(self.texts) + 1)
            move = self.choose(position, list(moves), rng)
            self.texts.append(self.game.format(move))
            self.before.append(position)
            position = self.game.apply(position, seat, move, rng).position
            state = self.oracle.apply(moves[move])
            while self.rival.passes and not state.over and self.oracle.legal() == [(self.rival.passes,)]:
                state = self.oracle.apply((self.rival.passes,))
            self.report.plies += 1

    def _agree(self, position: Any, state: State) -> bool:
        """Compare all but the moves. Return whether the game can go on."""
        outcome = self.game.outcome(position)
        if outcome:
            self.report.endings[outcome.reason] += 1
        pairs: list[tuple[str, Any, Any]] = [("end", outcome is not None, state.over)]
        if outcome and state.over:
            signs = tuple(_sign(x) for x in state.returns)
            pairs.append(("result", _values(outcome), signs[::-1] if self.rival.swapped else signs))
        elif not state.over and state.player is not None:
            player = 1 - state.player if self.rival.swapped else state.player
            pairs.append(("seat", set(self.game.to_move(position)), {player}))
        if self.rival.drawing:
            pairs.append(("position", self.rival.drawing(position), self.rival.board(state.drawing)))
        return all(self._same(what, ours, theirs, position) for what, ours, theirs in pairs)

    def _common(self, position: Any, seat: Seat) -> dict[Any, Actions]:
        """Compare the moves. Return those that both allow, with the actions of OpenSpiel."""
        ours = {move: self.rival.actions(position, seat, move) for move in self.game.legal_moves(position, seat)}
        theirs = set(self.oracle.legal(self.rival.deep))
        self._same("moves", set(ours.values()), theirs, position)
        return {move: actions for move, actions in ours.items() if actions in theirs}

    def _same(self, what: str, ours: Any, theirs: Any, position: Any) -> bool:
        if ours == theirs:
            return True
        difference = Difference(what, ours, theirs, position, self.before)
        for name, explains in self.rival.known.items():
            if explains(difference):
                self.report.explained[name] += 1
                return False
        raise Disagreement(f"{_told(difference)}\nafter: {' '.join(self.texts)}\n{position}")


def _told(difference: Difference) -> str:
    ours, theirs = difference.ours, difference.theirs
    if difference.what == "moves":
        return f"moves: only ours {sorted(ours - theirs)}, only theirs {sorted(theirs - ours)}"
    return f"{difference.what}: ours\n{ours}\ntheirs\n{theirs}"


def _values(outcome: Outcome) -> tuple[int, ...]:
    """Return 1 for the winner, -1 for the loser, 0 for a draw."""
    if not outcome.winners:
        return (0,) * len(outcome.ranks)
    return tuple(1 if seat in outcome.winners else -1 for seat in range(len(outcome.ranks)))


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
