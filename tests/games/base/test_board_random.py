"""Random logs with every kind of entry, on boards of every game: a replay always gives the same board."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from pbmserv.conformance.walks import SEED, Setup, setups
from pbmserv.errors import PlayerError
from pbmserv.games import GAMES
from pbmserv.games.base import AnyGame
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Start
from pbmserv.games.base.log import ADMIN, Entry, Kind, moved_since, standing
from tests.examples import SOAK
from tests.games.toy import Toy

EVERY_GAME = [*GAMES, Toy()]
QUIET = (Kind.PROPOSE, Kind.UNDO, Kind.ACCEPT, Kind.REJECT)
LEAVING = (Kind.RESIGN, Kind.FORFEIT, Kind.DECLINE)
ENDING = (Kind.VOID, Kind.ADJUDICATE, Kind.SUBSTITUTE)


class Boards(RuleBasedStateMachine):
    """A board on which everybody tries everything.

    `plies` keeps the position after each move that has not been taken back.
    """

    game: AnyGame

    @initialize(data=st.data(), seed=st.integers(0, 2**32), shared=st.booleans())
    def begin(self, data: st.DataObject, seed: int, shared: bool) -> None:
        setup: Setup = data.draw(st.sampled_from(setups(self.game)))
        self.start = Start(self.game, dict(setup.options), setup.seats, f"{seed:032x}", shared=shared)
        self.board = play.begin(self.start)
        self.log: list[Entry] = []
        self.plies: list[Any] = [self.board.position]
        self.past: list[tuple[Board, list[Any]]] = [(self.board, self.plies)]

    @rule(choice=st.integers(0, 10**6))
    def move(self, choice: int) -> None:
        if self.board.to_move:
            seat = sorted(self.board.to_move)[choice % len(self.board.to_move)]
            game = self.board.game
            legal = game.legal_moves(self.board.position, seat)
            self._follow(Entry(seat, Kind.MOVE, game.format(legal[choice % len(legal)])))

    @rule(seat=st.integers(0, 3), word=st.text("ab ü", min_size=1, max_size=3))
    def give_a_word(self, seat: int, word: str) -> None:
        """On a board without shared dice, or when the board is set up, this is refused."""
        self._follow(Entry(seat % self.start.seats, Kind.WORD, word))

    @rule(seat=st.integers(0, 3), kind=st.sampled_from(QUIET))
    def talk(self, seat: int, kind: Kind) -> None:
        self._follow(Entry(seat % self.start.seats, kind))

    @rule(seat=st.integers(0, 3))
    def undo_that_all_accept(self, seat: int) -> None:
        self._follow(Entry(seat % self.start.seats, Kind.UNDO))
        if self.board.offer and self.board.offer.kind is Kind.UNDO:
            for other in sorted(self.board.to_answer):
                self._follow(Entry(other, Kind.ACCEPT))

    @rule(seat=st.integers(0, 3), kind=st.sampled_from(LEAVING), really=st.integers(0, 4))
    def leave(self, seat: int, kind: Kind, really: int) -> None:
        """Let a seat leave one time in five, so that most boards last long."""
        if really == 0:
            self._follow(Entry(seat % self.start.seats, kind))

    @rule(
        ranks=st.lists(st.integers(1, 2), min_size=4, max_size=4),
        kind=st.sampled_from(ENDING),
        really=st.integers(0, 4),
    )
    def an_admin_ends_it(self, ranks: list[int], kind: Kind, really: int) -> None:
        if really == 0:
            words = " ".join(map(str, ranks[: self.start.seats])) if kind is Kind.ADJUDICATE else ""
            self._follow(Entry(ADMIN, kind, words))

    @rule(choice=st.integers(0, 10**6))
    def an_admin_goes_back(self, choice: int) -> None:
        """Go back to any entry of the log. Everything is then as it was, except that no offer is open."""
        length = choice % (len(self.log) + 1)
        self._follow(Entry(ADMIN, Kind.REVERT, str(length)))
        if self.log and self.log[-1].text == str(length) and self.log[-1].kind is Kind.REVERT:
            then, self.plies = self.past[length]
            assert self.board == replace(then, length=len(self.log), offer=None)
            self.past[-1] = (self.board, self.plies)

    @rule(choice=st.integers(0, 10**6))
    def an_admin_moves(self, choice: int) -> None:
        self._follow(Entry(ADMIN, Kind.ADMIN))
        self.move(choice)

    @invariant()
    def the_log_replays_to_the_board(self) -> None:
        assert play.replay(self.start, self.log) == self.board
        assert self.board.length == len(self.log)

    @invariant()
    def standing_moves_are_numbered(self) -> None:
        assert [e.ply for e in standing(self.log)] == list(range(1, self.board.ply + 1))

    @invariant()
    def every_ply_can_be_shown(self) -> None:
        assert play.at(self.start, self.log, self.board.ply).position == self.board.position == self.plies[-1]
        middle = self.board.ply // 2
        assert play.at(self.start, self.log, middle).position == self.plies[middle]

    @invariant()
    def a_board_that_waits_says_nothing_but_who_owes_a_word(self) -> None:
        owed = {seat for seat, word in enumerate(self.board.words) if not word} - set(self.board.out)
        if self.board.waits and not self.board.result:
            assert self.board.to_move == owed != set()
        assert self.board.waits or not owed

    @invariant()
    def an_offer_waits_for_somebody_who_plays(self) -> None:
        waiting = self.board.to_answer
        assert bool(waiting) == (self.board.offer is not None)
        assert not waiting & set(self.board.out)
        assert not (self.board.result and waiting)

    def _follow(self, entry: Entry) -> None:
        """Follow an entry and log it. If it is refused, board and log must not change."""
        before = self.board.game.dump(self.board.position)
        try:
            change = play.follow(self.board, entry, tuple(self.log))
        except PlayerError:
            assert self.board.game.dump(self.board.position) == before
            return
        changed = _changes_position(self.board, change.board) or entry.kind is Kind.REVERT
        assert moved_since([*self.log, change.entry], len(self.log)) == changed
        self.log.append(change.entry)
        self.board = change.board
        self.plies = [*self.plies[: self.board.ply], self.board.position]
        self.past.append((self.board, self.plies))


def _changes_position(before: Board, after: Board) -> bool:
    """Whether the boards differ in their ply or in who left, or one is set up, or it ended without an agreement."""
    ended = after.result is not None and after.result.reason != "agreed"
    return (before.ply, before.out, before.waits) != (after.ply, after.out, after.waits) or ended


def _play(game: AnyGame, examples: int, luck: int) -> None:
    run_state_machine_as_test(
        seed(luck)(type(f"BoardsOf{game.info.name}", (Boards,), {"game": game})),
        settings=settings(
            max_examples=examples,
            stateful_step_count=25,
            deadline=None,
            derandomize=False,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.slow
@pytest.mark.parametrize("game", EVERY_GAME[::4], ids=lambda g: g.info.key)
def test_random_logs(game: AnyGame) -> None:
    _play(game, 8, luck=0)


@pytest.mark.slow
@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda g: g.info.key)
def test_many_random_logs(game: AnyGame) -> None:
    _play(game, 5 * SOAK, luck=SEED)
