"""The fold: moves, agreements and leaving, as a log that always leads to the same board."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from pbmserv.errors import MoveError, NotAMove, PlayerError
from pbmserv.games import find
from pbmserv.games.base import AnyGame, Outcome, Seat
from pbmserv.games.base import board as fold
from pbmserv.games.base.board import Board, Change, Entry, Kind, Start
from pbmserv.rng import Rng
from tests.games.toy import Toy

TUMBLE = find("tumble")
TOY = Toy()
SEED = "000102030405060708090a0b0c0d0e0f"


@dataclass
class Play:
    """A board and its log, changed entry by entry. After each one the log has to replay to the board."""

    game: AnyGame = TUMBLE
    seats: int = 2
    options: dict[str, str] = field(default_factory=dict)
    log: list[Entry] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.start = Start(self.game, self.options, self.seats, SEED)
        self.board = fold.begin(self.start)

    def add(self, change: Change) -> Board:
        self.log.append(change.entry)
        self.board = change.board
        assert self.board.length == len(self.log)
        assert fold.replay(self.start, self.log) == self.board
        return self.board

    def moves(self, *texts: str) -> Board:
        for text in texts:
            self.add(fold.play(self.board, min(self.board.to_move), text))
        return self.board

    def does(self, seat: Seat, kind: Kind) -> Board:
        return self.add(fold.follow(self.board, Entry(seat, kind), self.log))

    def refuses(self, seat: Seat, kind: Kind, why: str) -> None:
        with pytest.raises(PlayerError, match=why):
            fold.follow(self.board, Entry(seat, kind), self.log)


def result(board: Board) -> Outcome:
    assert board.result is not None
    return board.result


def entries(play: Play) -> Sequence[tuple[Seat, Kind, str, int]]:
    return [(e.seat, e.kind, e.text, e.ply) for e in play.log]


# Beginning and playing


def test_a_board_begins_with_the_options() -> None:
    assert Play(options={"c": ""}).board.position != Play().board.position
    assert Play().board == Board(Play().start, TUMBLE.setup({}, 2, Rng(SEED, 0)))


def test_a_board_cannot_begin_with_the_wrong_number_of_seats() -> None:
    with pytest.raises(PlayerError, match="Tumbling Down is for 2 players, not for 3"):
        Play(seats=3)


def test_a_move_is_logged_in_canonical_text() -> None:
    play = Play()
    board = play.moves("C4D5M", "F5E4")
    assert entries(play) == [(0, Kind.MOVE, "c4-d5", 1), (1, Kind.MOVE, "f5-e4", 2)]
    assert (board.ply, board.length, set(board.to_move)) == (2, 2, {0})


def test_a_refused_move_changes_nothing() -> None:
    board = Play().board
    before = TUMBLE.dump(board.position)
    for seat, text, error in [(1, "f5e4", "not your turn"), (0, "junk", "not a move"), (0, "a1a3", "not possible")]:
        with pytest.raises(MoveError, match=error):
            fold.play(board, seat, text)
    assert TUMBLE.dump(board.position) == before


def test_the_same_seed_gives_the_same_chance() -> None:
    texts = ("roll", "roll", "peek", "roll")
    assert Play(TOY).moves(*texts) == Play(TOY).moves(*texts)
    other = fold.begin(Start(TOY, {}, 2, "f" * 32))
    assert other.position != Play(TOY).board.position


def test_only_moves_that_draw_or_reveal_are_fixed() -> None:
    play = Play(TOY)
    play.moves("1", "roll", "peek", "2")
    assert [e.fixed for e in play.log] == [False, True, True, False]


def test_notes_and_missed_seats_are_logged() -> None:
    play = Play(TOY, seats=3)
    play.moves("2", "2", "2", "1")
    last = play.log[-1]
    assert (last.missed, [n.text for n in last.notes]) == ((1,), ["Took 1."])
    assert play.board.to_move == {2}


def test_a_finished_board_takes_nothing_more() -> None:
    play = Play(TOY)
    board = play.moves("2", "2", "2", "1", "2", "2", "1")
    assert result(board).reason == "empty"
    assert board.to_move == frozenset()
    with pytest.raises(PlayerError, match="This board is over"):
        fold.play(board, 0, "1")
    with pytest.raises(PlayerError, match="This board is over"):
        fold.preview(board, 0, "1")
    for kind in (Kind.PROPOSE, Kind.UNDO, Kind.ACCEPT, Kind.REJECT, Kind.RESIGN, Kind.FORFEIT, Kind.DECLINE):
        play.refuses(0, kind, "This board is over")


# Preview


def test_a_preview_shows_what_the_move_would_do() -> None:
    play = Play()
    tried = fold.preview(play.board, 0, "e1e8t")
    played = play.moves("e1e8t")
    assert tried == replace(played, length=0)


def test_a_preview_shows_an_end() -> None:
    play = Play(TOY, seats=1)
    board = play.moves("2", "2", "2", "2", "2", "1")
    tried = fold.preview(board, 0, "1")
    assert tried is not None
    assert (result(tried).reason, tried.to_move) == ("empty", frozenset())


@pytest.mark.parametrize("text", ["roll", "peek"])
def test_a_preview_neither_draws_nor_reveals(text: str) -> None:
    assert fold.preview(Play(TOY).board, 0, text) is None


def test_a_preview_refuses_what_a_move_refuses() -> None:
    board = Play(TOY).board
    with pytest.raises(MoveError, match="not your turn"):
        fold.preview(board, 1, "1")
    with pytest.raises(NotAMove):
        fold.preview(board, 0, "3")


def test_a_preview_withdraws_an_offer_as_the_move_would() -> None:
    play = Play()
    tried = fold.preview(play.does(1, Kind.PROPOSE), 0, "c4d5")
    assert tried is not None
    assert tried.offer is None


# Leaving


@pytest.mark.parametrize("kind", [Kind.RESIGN, Kind.FORFEIT])
@pytest.mark.parametrize(("seat", "ranks"), [(0, (2, 1)), (1, (1, 2))])
def test_two_seats_one_leaves(kind: Kind, seat: Seat, ranks: tuple[int, ...]) -> None:
    play = Play()
    play.moves("c4d5")
    board = play.does(seat, kind)
    assert result(board) == Outcome(kind.value, ranks)
    assert (set(board.to_move), board.out) == (set(), (seat,))


def test_a_solitaire_that_is_given_up_keeps_its_score() -> None:
    play = Play(TOY, seats=1)
    play.moves("2")
    assert result(play.does(0, Kind.RESIGN)) == Outcome("resign", (1,), (2,))


def test_the_others_play_on() -> None:
    play = Play(TOY, seats=4)
    play.moves("2", "1")
    board = play.does(2, Kind.RESIGN)
    assert (board.result, set(board.to_move), board.out, board.ply) == (None, {3}, (2,), 2)
    board = play.moves("1", "1", "1")
    assert board.to_move == {3}
    play.refuses(2, Kind.RESIGN, "You have left this board")
    play.refuses(2, Kind.PROPOSE, "You have left this board")
    play.refuses(2, Kind.UNDO, "You have left this board")
    play.refuses(2, Kind.DECLINE, "You have left this board")


def test_the_last_who_stays_wins_and_the_first_who_left_is_last() -> None:
    play = Play(TOY, seats=4)
    play.does(1, Kind.FORFEIT)
    play.does(3, Kind.RESIGN)
    board = play.does(0, Kind.RESIGN)
    assert result(board) == Outcome("resign", (2, 4, 1, 3), (0, 0, 0, 0))


class Partners(Toy):
    """Seats 0 and 2 against 1 and 3."""

    def teams(self, seats: int) -> tuple[int, ...]:
        return tuple(seat % 2 for seat in range(seats))


def test_a_team_plays_on_while_one_of_it_is_left() -> None:
    play = Play(Partners(), seats=4)
    assert play.does(0, Kind.RESIGN).result is None
    assert play.does(1, Kind.RESIGN).result is None
    assert result(play.does(2, Kind.RESIGN)).ranks == (2, 1, 2, 1)


def test_leaving_withdraws_an_offer() -> None:
    play = Play(TOY, seats=3)
    play.does(0, Kind.PROPOSE)
    assert play.does(2, Kind.RESIGN).offer is None


def test_leaving_between_two_plies_has_its_own_chance() -> None:
    """The draw of the leaving seat must not foretell the next move's."""
    play = Play(TOY, seats=3)
    alone = fold.play(play.board, 0, "roll").entry
    play.does(2, Kind.RESIGN)
    assert fold.play(play.board, 0, "roll").entry == alone
    assert play.log[0].fixed


# Declining


def test_an_invited_seat_declines_and_nobody_wins() -> None:
    play = Play()
    play.moves("c4d5")
    board = play.does(1, Kind.DECLINE)
    assert (result(board), result(board).winners, board.out) == (Outcome("declined", (1, 1)), (), ())


def test_who_has_moved_cannot_decline() -> None:
    play = Play()
    play.moves("c4d5")
    play.refuses(0, Kind.DECLINE, "You have moved on this board")


def test_a_move_that_was_taken_back_counts_as_moved() -> None:
    play = Play()
    play.moves("c4d5")
    play.does(0, Kind.UNDO)
    play.does(1, Kind.ACCEPT)
    play.refuses(0, Kind.DECLINE, "You have moved on this board")


# Draws


@pytest.mark.parametrize("proposer", [0, 1])
def test_a_draw_needs_everybody(proposer: Seat) -> None:
    play = Play(TOY, seats=3)
    play.moves("1")
    assert play.does(proposer, Kind.PROPOSE).to_answer == {0, 1, 2} - {proposer}
    play.refuses(proposer, Kind.ACCEPT, "You have agreed to this proposal already")
    assert play.does(1 - proposer, Kind.ACCEPT).to_answer == {2}
    play.refuses(1 - proposer, Kind.ACCEPT, "You have agreed to this proposal already")
    board = play.does(2, Kind.ACCEPT)
    assert result(board) == Outcome("agreed", (1, 1, 1), (1, 0, 0))
    assert (board.offer, board.to_answer, board.ply) == (None, frozenset(), 1)


def test_seats_that_left_are_not_asked() -> None:
    play = Play(TOY, seats=3)
    play.does(1, Kind.RESIGN)
    assert play.does(0, Kind.PROPOSE).to_answer == {2}
    assert result(play.does(2, Kind.ACCEPT)).reason == "agreed"


@pytest.mark.parametrize("kind", [Kind.PROPOSE, Kind.UNDO])
@pytest.mark.parametrize("rejecter", [0, 1])
def test_an_offer_is_rejected_or_withdrawn(kind: Kind, rejecter: Seat) -> None:
    play = Play()
    position = play.moves("c4d5").position
    play.does(0, kind)
    board = play.does(rejecter, Kind.REJECT)
    assert (board.offer, board.position, board.ply, board.length) == (None, position, 1, 3)


@pytest.mark.parametrize("kind", [Kind.ACCEPT, Kind.REJECT])
@pytest.mark.parametrize("seat", [0, 1])
def test_there_is_nothing_to_answer(kind: Kind, seat: Seat) -> None:
    play = Play()
    play.refuses(seat, kind, "There is no open proposal")
    play.does(seat, Kind.PROPOSE)
    play.does(1 - seat, Kind.REJECT)
    play.refuses(seat, kind, "There is no open proposal")


@pytest.mark.parametrize("second", [Kind.PROPOSE, Kind.UNDO])
@pytest.mark.parametrize("seat", [0, 1])
def test_one_proposal_at_a_time(second: Kind, seat: Seat) -> None:
    play = Play()
    play.moves("c4d5", "f5e4")
    play.does(0, Kind.PROPOSE)
    play.refuses(seat, second, "A proposal is already open")


@pytest.mark.parametrize("kind", [Kind.PROPOSE, Kind.UNDO])
def test_any_move_withdraws_an_offer(kind: Kind) -> None:
    play = Play()
    play.moves("c4d5")
    play.does(0, kind)
    assert play.moves("f5e4").offer is None


@pytest.mark.parametrize(("kind", "what"), [(Kind.PROPOSE, "draw"), (Kind.UNDO, "undo")])
def test_a_solitaire_has_nobody_to_agree_with(kind: Kind, what: str) -> None:
    play = Play(TOY, seats=1)
    play.moves("1")
    play.refuses(0, kind, f"Toy has no {what} by agreement")


class Stubborn(Toy):
    """No agreements at all."""

    info = replace(Toy.info, agreements=frozenset())


@pytest.mark.parametrize(("kind", "what"), [(Kind.PROPOSE, "draw"), (Kind.UNDO, "undo")])
def test_a_game_may_have_no_agreements(kind: Kind, what: str) -> None:
    Play(Stubborn()).refuses(0, kind, f"Toy has no {what} by agreement")


# Undo


def test_an_undo_leads_to_before_the_own_last_move() -> None:
    play = Play()
    then = play.moves("c4d5", "f5e4").position
    play.moves("d5c4", "e4f5")
    offered = play.does(0, Kind.UNDO)
    assert offered.offer is not None
    assert (offered.offer.to_ply, offered.ply, set(offered.to_answer)) == (2, 4, {1})
    board = play.does(1, Kind.ACCEPT)
    assert (board.position, board.ply, set(board.to_move), board.length) == (then, 2, {0}, 6)


def test_the_opponent_may_ask_for_his_move_too() -> None:
    play = Play()
    then = play.moves("c4d5").position
    play.moves("f5e4", "d5c4")
    play.does(1, Kind.UNDO)
    board = play.does(0, Kind.ACCEPT)
    assert (board.position, board.ply, set(board.to_move)) == (then, 1, {1})


def test_who_has_no_move_cannot_take_one_back() -> None:
    play = Play()
    play.refuses(0, Kind.UNDO, "You have no move on this board")
    play.moves("c4d5")
    play.refuses(1, Kind.UNDO, "You have no move on this board")
    play.does(0, Kind.UNDO)
    play.does(1, Kind.ACCEPT)
    play.refuses(0, Kind.UNDO, "You have no move on this board")


def test_the_same_move_again_after_an_undo() -> None:
    """The log then holds equal entries, and only the later one stands."""
    play = Play()
    first = play.moves("c4d5")
    play.does(0, Kind.UNDO)
    play.does(1, Kind.ACCEPT)
    again = play.moves("c4d5")
    assert play.log[0] == play.log[3]
    assert (again.position, again.ply) == (first.position, 1)
    assert fold.standing(play.log) == [play.log[3]]
    play.moves("f5e4")
    play.does(0, Kind.UNDO)
    assert play.does(1, Kind.ACCEPT).position == fold.begin(play.start).position
    assert fold.standing(play.log) == []


def test_undo_after_undo_goes_further_back() -> None:
    play = Play()
    play.moves("c4d5", "f5e4", "d5c4", "e4f5")
    for _ in range(2):
        play.does(1, Kind.UNDO)
        play.does(0, Kind.ACCEPT)
    assert [(e.text, e.ply) for e in fold.standing(play.log)] == [("c4-d5", 1)]
    assert play.board.to_move == {1}


@pytest.mark.parametrize("fixed", ["roll", "peek"])
def test_no_undo_goes_past_chance_or_what_was_revealed(fixed: str) -> None:
    play = Play(TOY)
    play.moves(fixed)
    play.refuses(0, Kind.UNDO, "chance or hidden things came to light")
    play.moves("1")
    play.does(1, Kind.UNDO)
    play.does(0, Kind.ACCEPT)
    play.moves("2")
    play.refuses(0, Kind.UNDO, "chance or hidden things came to light")
    play.moves("1", "1")
    play.does(0, Kind.UNDO)
    assert play.does(1, Kind.ACCEPT).ply == 2


def test_no_undo_goes_past_a_seat_that_left() -> None:
    play = Play(TOY, seats=3)
    play.moves("1")
    play.does(2, Kind.RESIGN)
    play.refuses(0, Kind.UNDO, "chance or hidden things came to light")


def test_who_left_before_the_undone_move_stays_away() -> None:
    play = Play(TOY, seats=4)
    play.moves("1", "1")
    then = play.does(2, Kind.RESIGN)
    play.moves("1")
    play.does(3, Kind.UNDO)
    play.does(0, Kind.ACCEPT)
    board = play.does(1, Kind.ACCEPT)
    assert (board.position, board.out, set(board.to_move)) == (then.position, (2,), {3})


# The log


def test_standing_moves_are_numbered_without_gaps() -> None:
    play = Play()
    play.moves("c4d5", "f5e4")
    play.does(0, Kind.PROPOSE)
    play.does(1, Kind.REJECT)
    play.does(1, Kind.UNDO)
    play.does(0, Kind.ACCEPT)
    play.moves("f5f4", "d5c4")
    assert [(e.ply, e.text) for e in fold.standing(play.log)] == [(1, "c4-d5"), (2, "f5-f4"), (3, "d5-c4")]


def test_at_follows_the_standing_moves_only() -> None:
    play = Play()
    seen = [play.board.position, play.moves("c4d5").position]
    play.moves("f5e4", "d5c4")
    play.does(1, Kind.UNDO)
    play.does(0, Kind.ACCEPT)
    seen += [play.moves(text).position for text in ("f5f4", "d5c4", "f4f5")]
    assert [fold.at(play.start, play.log, ply).position for ply in range(5)] == seen
    assert [fold.at(play.start, play.log, ply).ply for ply in range(5)] == [0, 1, 2, 3, 4]


def test_at_knows_who_had_left() -> None:
    play = Play(TOY, seats=4)
    play.moves("1")
    play.does(3, Kind.RESIGN)
    play.moves("1")
    play.does(0, Kind.RESIGN)
    assert [fold.at(play.start, play.log, ply).out for ply in range(3)] == [(), (3,), (3, 0)]
    assert fold.at(play.start, play.log, 2).position == play.board.position


@pytest.mark.parametrize("ply", [-1, 2, 99])
def test_at_a_ply_that_is_not_there(ply: int) -> None:
    play = Play()
    play.moves("c4d5", "f5e4")
    play.does(1, Kind.UNDO)
    play.does(0, Kind.ACCEPT)
    with pytest.raises(PlayerError, match=f"There is no ply {ply} on this board: it has 1") as caught:
        fold.at(play.start, play.log, ply)
    assert caught.value.hint == "Send #0 to #1"


def test_moved_since() -> None:
    play = Play()
    play.moves("c4d5", "f5e4")
    play.does(0, Kind.PROPOSE)
    play.does(1, Kind.REJECT)
    play.does(1, Kind.UNDO)
    assert [fold.moved_since(play.log, n) for n in range(6)] == [True, True, False, False, False, False]
    play.does(0, Kind.ACCEPT)
    assert [fold.moved_since(play.log, n) for n in range(7)] == [True] * 6 + [False]


def test_moved_since_sees_the_same_move_played_again() -> None:
    """An undo and another move of the same ply leave the ply as it was: the position may be another one."""
    play = Play()
    play.moves("c4d5")
    play.does(0, Kind.UNDO)
    play.does(1, Kind.ACCEPT)
    play.moves("c4c5")
    assert fold.moved_since(play.log, 1)


@pytest.mark.parametrize("kind", [Kind.RESIGN, Kind.FORFEIT, Kind.DECLINE])
def test_moved_since_sees_somebody_leave(kind: Kind) -> None:
    play = Play(TOY, seats=3)
    play.does(1, kind)
    assert fold.moved_since(play.log, 0)
    assert not fold.moved_since(play.log, 1)


def test_replay_believes_only_seats_kinds_and_texts() -> None:
    """Plies, notes and marks of a tampered log are made anew."""
    play = Play(TOY, seats=3)
    play.moves("roll", "1")
    play.does(2, Kind.PROPOSE)
    play.does(0, Kind.ACCEPT)
    forged: Any = {"ply": 9, "fixed": False, "missed": (2,), "notes": ()}
    assert fold.replay(play.start, [replace(e, **forged) for e in play.log]) == play.board


def test_a_log_that_cannot_be_replayed_is_refused() -> None:
    play = Play()
    play.moves("c4d5", "f5e4")
    with pytest.raises(MoveError):
        fold.replay(play.start, play.log[1:])


def test_a_board_can_be_shown_without_its_position() -> None:
    assert "stacks" not in repr(Play().board)


def test_an_admin_may_go_back_as_often_as_he_likes() -> None:
    start, log = Start(TUMBLE, {}, 2, SEED), list[Entry]()
    board = fold.begin(start)
    for _ in range(50):
        log.append((change := fold.play(board, 0, "b3-c3")).entry)
        log.append((change := fold.revert(change.board, log, len(log) - 1)).entry)
        board = change.board
    assert fold.standing(log) == []
    assert fold.replay(start, log) == board
    again = fold.revert(board, log, 99)
    assert fold.standing([*log, again.entry]) == [log[98]]
    assert again.board.position == fold.at(start, [*log, again.entry], 1).position
