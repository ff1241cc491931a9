"""Moves, agreements and leaving. A replay of the log always gives the same board."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pbmserv import games
from pbmserv.errors import MoveError, NotAMove, PlayerError
from pbmserv.games.base import Note, Outcome, Seat, Step
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Start
from pbmserv.games.base.log import ADMIN, Entry, Kind, standing
from pbmserv.games.base.values import changed
from pbmserv.rng import Rng
from tests.games.base.logged import SEED, TOY, TUMBLE, Logged, entries, result
from tests.games.toy import Position, Toy

# Beginning and playing


def test_a_board_begins_with_the_options() -> None:
    assert Logged(options={"c": ""}).board.position != Logged().board.position
    assert Logged().board == Board(Logged().start, TUMBLE.setup({}, 2, Rng(SEED, 0)))


def test_a_board_cannot_begin_with_the_wrong_number_of_seats() -> None:
    with pytest.raises(PlayerError, match="Tumbling Down is for 2 players, not for 3"):
        Logged(seats=3)


def test_a_move_is_logged_in_canonical_text() -> None:
    logged = Logged()
    board = logged.moves("C4D5M", "F5E4")
    assert entries(logged) == [(0, Kind.MOVE, "c4-d5", 1), (1, Kind.MOVE, "f5-e4", 2)]
    assert (board.ply, board.length, set(board.to_move)) == (2, 2, {0})


def test_a_refused_move_changes_nothing() -> None:
    board = Logged().board
    before = TUMBLE.dump(board.position)
    for seat, text, error in [(1, "f5e4", "not your turn"), (0, "junk", "not a move"), (0, "a1a3", "not possible")]:
        with pytest.raises(MoveError, match=error):
            play.play(board, seat, text)
    assert TUMBLE.dump(board.position) == before


def test_the_same_seed_gives_the_same_chance() -> None:
    texts = ("roll", "roll", "peek", "roll")
    assert Logged(TOY).moves(*texts) == Logged(TOY).moves(*texts)
    other = play.begin(Start(TOY, {}, 2, "f" * 32))
    assert other.position != Logged(TOY).board.position


def test_only_moves_that_draw_or_reveal_are_fixed() -> None:
    logged = Logged(TOY)
    logged.moves("1", "roll", "peek", "2")
    assert [e.fixed for e in logged.log] == [False, True, True, False]


def test_notes_and_missed_seats_are_logged() -> None:
    logged = Logged(TOY, seats=3)
    logged.moves("2", "2", "2", "1")
    last = logged.log[-1]
    assert (last.missed, [n.text for n in last.notes]) == ((1,), ["Took 1."])
    assert logged.board.to_move == {2}


def test_a_finished_board_takes_nothing_more() -> None:
    logged = Logged(TOY)
    board = logged.moves("2", "2", "2", "1", "2", "2", "1")
    assert result(board).reason == "empty"
    assert board.to_move == frozenset()
    with pytest.raises(PlayerError, match="This board is over"):
        play.play(board, 0, "1")
    with pytest.raises(PlayerError, match="This board is over"):
        play.preview(board, 0, "1")
    for kind in (Kind.PROPOSE, Kind.UNDO, Kind.ACCEPT, Kind.REJECT, Kind.RESIGN, Kind.FORFEIT, Kind.DECLINE):
        logged.refuses(0, kind, "This board is over")


# Preview


def test_a_preview_shows_what_the_move_would_do() -> None:
    logged = Logged()
    tried = play.preview(logged.board, 0, "e1e8t")
    played = logged.moves("e1e8t")
    assert tried == replace(played, length=0)


def test_a_preview_shows_an_end() -> None:
    logged = Logged(TOY, seats=1)
    board = logged.moves("2", "2", "2", "2", "2", "1")
    tried = play.preview(board, 0, "1")
    assert tried is not None
    assert (result(tried).reason, tried.to_move) == ("empty", frozenset())


@pytest.mark.parametrize("text", ["roll", "peek"])
def test_a_preview_neither_draws_nor_reveals(text: str) -> None:
    assert play.preview(Logged(TOY).board, 0, text) is None


def test_a_preview_refuses_what_a_move_refuses() -> None:
    board = Logged(TOY).board
    with pytest.raises(MoveError, match="not your turn"):
        play.preview(board, 1, "1")
    with pytest.raises(NotAMove):
        play.preview(board, 0, "3")


def test_a_preview_withdraws_an_offer_as_the_move_would() -> None:
    logged = Logged()
    tried = play.preview(logged.does(1, Kind.PROPOSE), 0, "c4d5")
    assert tried is not None
    assert tried.offer is None


# Leaving


@pytest.mark.parametrize("kind", [Kind.RESIGN, Kind.FORFEIT])
@pytest.mark.parametrize(("seat", "ranks"), [(0, (2, 1)), (1, (1, 2))])
def test_two_seats_one_leaves(kind: Kind, seat: Seat, ranks: tuple[int, ...]) -> None:
    logged = Logged()
    logged.moves("c4d5")
    board = logged.does(seat, kind)
    assert result(board) == Outcome(kind.value, ranks)
    assert (set(board.to_move), board.out) == (set(), (seat,))


def test_a_board_is_handed_over_when_one_of_three_has_left() -> None:
    logged = Logged(TOY, seats=3)
    with pytest.raises(PlayerError, match="only when one seat is empty"):
        play.hand_over(logged.board)
    left = logged.does(1, Kind.RESIGN)
    assert play.rejoined(left).out == ()
    change = play.hand_over(left)
    assert result(change.board) == Outcome("substitute", (1, 2, 1), (0, 0, 0))
    assert play.replay(left.start, [*logged.log, change.entry]) == change.board
    with pytest.raises(PlayerError, match="This board is over"):
        play.hand_over(change.board)


def test_of_two_who_have_left_none_has_a_substitute() -> None:
    logged = Logged(TOY, seats=4)
    logged.does(1, Kind.RESIGN)
    with pytest.raises(PlayerError, match="only when one seat is empty"):
        play.rejoined(logged.does(2, Kind.RESIGN))


def test_where_leaving_ends_the_board_the_seat_is_still_in_the_position() -> None:
    logged = Logged()
    logged.moves("c4d5")
    board = logged.does(0, Kind.RESIGN)
    assert play.rejoined(board) == board.position


def test_a_solitaire_that_is_given_up_keeps_its_score() -> None:
    logged = Logged(TOY, seats=1)
    logged.moves("2")
    assert result(logged.does(0, Kind.RESIGN)) == Outcome("resign", (1,), (2,))


def test_the_others_play_on() -> None:
    logged = Logged(TOY, seats=4)
    logged.moves("2", "1")
    board = logged.does(2, Kind.RESIGN)
    assert (board.result, set(board.to_move), board.out, board.ply) == (None, {3}, (2,), 2)
    board = logged.moves("1", "1", "1")
    assert board.to_move == {3}
    logged.refuses(2, Kind.RESIGN, "You have left this board")
    logged.refuses(2, Kind.PROPOSE, "You have left this board")
    logged.refuses(2, Kind.UNDO, "You have left this board")
    logged.refuses(2, Kind.DECLINE, "You have left this board")


def test_the_last_who_stays_wins_and_the_first_who_left_is_last() -> None:
    logged = Logged(TOY, seats=4)
    logged.does(1, Kind.FORFEIT)
    logged.does(3, Kind.RESIGN)
    board = logged.does(0, Kind.RESIGN)
    assert result(board) == Outcome("resign", (2, 4, 1, 3), (0, 0, 0, 0))


@pytest.mark.parametrize(
    ("left", "ranks"),
    [
        ([1, (0, 2)], (2, 4, 2, 1)),
        ([(0, 1), 3], (3, 3, 1, 2)),
        ([(0, 1), (2, 3)], (3, 3, 2, 1)),  # one of the last two has ended the board
        ([0, (1, 2)], (4, 2, 2, 1)),
    ],
)
def test_who_leaves_together_shares_the_place(left: list[Seat | tuple[Seat, ...]], ranks: tuple[int, ...]) -> None:
    logged = Logged(TOY, seats=4)
    for seats in left:
        first, *others = (seats,) if isinstance(seats, int) else seats
        logged.does(first, Kind.FORFEIT)
        for seat in others:
            if not logged.board.result:
                logged.add(play.resign(logged.board, seat, Kind.FORFEIT, together=True))
    assert result(logged.board).ranks == ranks


class Ordered(Toy):
    """A toy whose own ranks say who left first."""

    def outcome(self, position: Position) -> Outcome | None:
        found = super().outcome(position)
        out = position.out
        return found and replace(found, ranks=tuple(4 - out.index(s) if s in out else 1 for s in range(4)))


def test_who_leaves_together_shares_the_place_also_where_the_game_knows_who_left_first() -> None:
    logged = Logged(Ordered(), seats=4)
    logged.add(play.resign(logged.board, 0, Kind.FORFEIT))
    logged.add(play.resign(logged.board, 2, Kind.FORFEIT, together=True))
    while not logged.board.result:
        logged.moves("1")
    assert (result(logged.board).reason, result(logged.board).ranks) == ("empty", (3, 1, 3, 1))


def test_nobody_leaves_together_with_nobody() -> None:
    logged = Logged(TOY, seats=4)
    logged.add(play.resign(logged.board, 1, Kind.FORFEIT, together=True))
    assert entries(logged) == [(1, Kind.FORFEIT, "", 0)]


class Partners(Toy):
    """A game with teams: seats 0 and 2 play against 1 and 3."""

    def teams(self, seats: int) -> tuple[int, ...]:
        return tuple(seat % 2 for seat in range(seats))


def test_a_team_plays_on_while_one_of_it_is_left() -> None:
    logged = Logged(Partners(), seats=4)
    assert logged.does(0, Kind.RESIGN).result is None
    assert logged.does(1, Kind.RESIGN).result is None
    assert result(logged.does(2, Kind.RESIGN)).ranks == (2, 1, 2, 1)


def test_teams_whose_last_players_leave_together_share_the_place() -> None:
    class Pairs(Toy):
        info = replace(Toy.info, seats=(6,))

        def teams(self, seats: int) -> tuple[int, ...]:
            return (0, 1, 2, 0, 1, 2)

    logged = Logged(Pairs(), seats=6)
    for seat, together in [(0, False), (1, True), (2, True), (3, False), (4, True)]:
        logged.add(play.resign(logged.board, seat, Kind.FORFEIT, together=together))
    assert result(logged.board).ranks == (2, 2, 1, 2, 2, 1)


def test_leaving_withdraws_an_offer() -> None:
    logged = Logged(TOY, seats=3)
    logged.does(0, Kind.PROPOSE)
    assert logged.does(2, Kind.RESIGN).offer is None


def test_leaving_between_two_plies_has_its_own_chance() -> None:
    """Leaving draws numbers of its own, so that they do not change or reveal those of the next move."""
    logged = Logged(TOY, seats=3)
    alone = play.play(logged.board, 0, "roll").entry
    logged.does(2, Kind.RESIGN)
    assert play.play(logged.board, 0, "roll").entry == alone
    assert logged.log[0].fixed


# Declining


def test_an_invited_seat_declines_and_nobody_wins() -> None:
    logged = Logged()
    logged.moves("c4d5")
    board = logged.does(1, Kind.DECLINE)
    assert (result(board), result(board).winners, board.out) == (Outcome("declined", (1, 1)), (), ())


def test_who_has_moved_cannot_decline() -> None:
    logged = Logged()
    logged.moves("c4d5")
    logged.refuses(0, Kind.DECLINE, "You have already moved on this board")


def test_a_move_that_was_taken_back_counts_as_moved() -> None:
    logged = Logged()
    logged.moves("c4d5")
    logged.does(0, Kind.UNDO)
    logged.does(1, Kind.ACCEPT)
    logged.refuses(0, Kind.DECLINE, "You have already moved on this board")


# Draws


@pytest.mark.parametrize("proposer", [0, 1])
def test_a_draw_needs_everybody(proposer: Seat) -> None:
    logged = Logged(TOY, seats=3)
    logged.moves("1")
    assert logged.does(proposer, Kind.PROPOSE).to_answer == {0, 1, 2} - {proposer}
    logged.refuses(proposer, Kind.ACCEPT, "You have agreed to this proposal already")
    assert logged.does(1 - proposer, Kind.ACCEPT).to_answer == {2}
    logged.refuses(1 - proposer, Kind.ACCEPT, "You have agreed to this proposal already")
    board = logged.does(2, Kind.ACCEPT)
    assert result(board) == Outcome("agreed", (1, 1, 1), (1, 0, 0))
    assert (board.offer, board.to_answer, board.ply) == (None, frozenset(), 1)


def test_seats_that_left_are_not_asked() -> None:
    logged = Logged(TOY, seats=3)
    logged.does(1, Kind.RESIGN)
    assert logged.does(0, Kind.PROPOSE).to_answer == {2}
    assert result(logged.does(2, Kind.ACCEPT)).reason == "agreed"


@pytest.mark.parametrize("kind", [Kind.PROPOSE, Kind.UNDO])
@pytest.mark.parametrize("rejecter", [0, 1])
def test_an_offer_is_rejected_or_withdrawn(kind: Kind, rejecter: Seat) -> None:
    logged = Logged()
    position = logged.moves("c4d5").position
    logged.does(0, kind)
    board = logged.does(rejecter, Kind.REJECT)
    assert (board.offer, board.position, board.ply, board.length) == (None, position, 1, 3)


@pytest.mark.parametrize("kind", [Kind.ACCEPT, Kind.REJECT])
@pytest.mark.parametrize("seat", [0, 1])
def test_there_is_nothing_to_answer(kind: Kind, seat: Seat) -> None:
    logged = Logged()
    logged.refuses(seat, kind, "There is no open proposal")
    logged.does(seat, Kind.PROPOSE)
    logged.does(1 - seat, Kind.REJECT)
    logged.refuses(seat, kind, "There is no open proposal")


@pytest.mark.parametrize("second", [Kind.PROPOSE, Kind.UNDO])
@pytest.mark.parametrize("seat", [0, 1])
def test_one_proposal_at_a_time(second: Kind, seat: Seat) -> None:
    logged = Logged()
    logged.moves("c4d5", "f5e4")
    logged.does(0, Kind.PROPOSE)
    logged.refuses(seat, second, "A proposal is already open")


@pytest.mark.parametrize("kind", [Kind.PROPOSE, Kind.UNDO])
def test_any_move_withdraws_an_offer(kind: Kind) -> None:
    logged = Logged()
    logged.moves("c4d5")
    logged.does(0, kind)
    assert logged.moves("f5e4").offer is None


@pytest.mark.parametrize(("kind", "what"), [(Kind.PROPOSE, "draw"), (Kind.UNDO, "undo")])
def test_a_solitaire_has_nobody_to_agree_with(kind: Kind, what: str) -> None:
    logged = Logged(TOY, seats=1)
    logged.moves("1")
    logged.refuses(0, kind, f"Toy has no {what} by agreement")


class Stubborn(Toy):
    """A game without agreements."""

    info = replace(Toy.info, agreements=frozenset())


@pytest.mark.parametrize(("kind", "what"), [(Kind.PROPOSE, "draw"), (Kind.UNDO, "undo")])
def test_a_game_may_have_no_agreements(kind: Kind, what: str) -> None:
    Logged(Stubborn()).refuses(0, kind, f"Toy has no {what} by agreement")


# Undo


def test_an_undo_leads_to_before_the_own_last_move() -> None:
    logged = Logged()
    then = logged.moves("c4d5", "f5e4").position
    logged.moves("d5c4", "e4f5")
    offered = logged.does(0, Kind.UNDO)
    assert offered.offer is not None
    assert (offered.offer.to_ply, offered.ply, set(offered.to_answer)) == (2, 4, {1})
    board = logged.does(1, Kind.ACCEPT)
    assert (board.position, board.ply, set(board.to_move), board.length) == (then, 2, {0}, 6)


def test_the_opponent_may_ask_for_his_move_too() -> None:
    logged = Logged()
    then = logged.moves("c4d5").position
    logged.moves("f5e4", "d5c4")
    logged.does(1, Kind.UNDO)
    board = logged.does(0, Kind.ACCEPT)
    assert (board.position, board.ply, set(board.to_move)) == (then, 1, {1})


def test_who_has_no_move_cannot_take_one_back() -> None:
    logged = Logged()
    logged.refuses(0, Kind.UNDO, "You have no move on this board")
    logged.moves("c4d5")
    logged.refuses(1, Kind.UNDO, "You have no move on this board")
    logged.does(0, Kind.UNDO)
    logged.does(1, Kind.ACCEPT)
    logged.refuses(0, Kind.UNDO, "You have no move on this board")


def test_the_same_move_again_after_an_undo() -> None:
    """The log then has two equal entries. Only the later one counts."""
    logged = Logged()
    first = logged.moves("c4d5")
    logged.does(0, Kind.UNDO)
    logged.does(1, Kind.ACCEPT)
    again = logged.moves("c4d5")
    assert logged.log[0] == logged.log[3]
    assert (again.position, again.ply) == (first.position, 1)
    assert standing(logged.log) == [logged.log[3]]
    logged.moves("f5e4")
    logged.does(0, Kind.UNDO)
    assert logged.does(1, Kind.ACCEPT).position == play.begin(logged.start).position
    assert standing(logged.log) == []


def test_undo_after_undo_goes_further_back() -> None:
    logged = Logged()
    logged.moves("c4d5", "f5e4", "d5c4", "e4f5")
    for _ in range(2):
        logged.does(1, Kind.UNDO)
        logged.does(0, Kind.ACCEPT)
    assert [(e.text, e.ply) for e in standing(logged.log)] == [("c4-d5", 1)]
    assert logged.board.to_move == {1}


@pytest.mark.parametrize("fixed", ["roll", "peek"])
def test_no_undo_goes_past_chance_or_what_was_revealed(fixed: str) -> None:
    logged = Logged(TOY)
    logged.moves(fixed)
    logged.refuses(0, Kind.UNDO, "dice, cards or hidden things were seen")
    logged.moves("1")
    logged.does(1, Kind.UNDO)
    logged.does(0, Kind.ACCEPT)
    logged.moves("2")
    logged.refuses(0, Kind.UNDO, "dice, cards or hidden things were seen")
    logged.moves("1", "1")
    logged.does(0, Kind.UNDO)
    assert logged.does(1, Kind.ACCEPT).ply == 2


def test_no_undo_goes_past_a_seat_that_left() -> None:
    logged = Logged(TOY, seats=3)
    logged.moves("1")
    logged.does(2, Kind.RESIGN)
    logged.refuses(0, Kind.UNDO, "dice, cards or hidden things were seen")


def test_who_left_before_the_undone_move_stays_away() -> None:
    logged = Logged(TOY, seats=4)
    logged.moves("1", "1")
    then = logged.does(2, Kind.RESIGN)
    logged.moves("1")
    logged.does(3, Kind.UNDO)
    logged.does(0, Kind.ACCEPT)
    board = logged.does(1, Kind.ACCEPT)
    assert (board.position, board.out, set(board.to_move)) == (then.position, (2,), {3})


# The log


def test_at_follows_the_standing_moves_only() -> None:
    logged = Logged()
    seen = [logged.board.position, logged.moves("c4d5").position]
    logged.moves("f5e4", "d5c4")
    logged.does(1, Kind.UNDO)
    logged.does(0, Kind.ACCEPT)
    seen += [logged.moves(text).position for text in ("f5f4", "d5c4", "f4f5")]
    assert [play.at(logged.start, logged.log, ply).position for ply in range(5)] == seen
    assert [play.at(logged.start, logged.log, ply).ply for ply in range(5)] == [0, 1, 2, 3, 4]


def test_at_knows_who_had_left() -> None:
    logged = Logged(TOY, seats=4)
    logged.moves("1")
    logged.does(3, Kind.RESIGN)
    logged.moves("1")
    logged.does(0, Kind.RESIGN)
    assert [play.at(logged.start, logged.log, ply).out for ply in range(3)] == [(), (3,), (3, 0)]
    assert play.at(logged.start, logged.log, 2).position == logged.board.position


@pytest.mark.parametrize("ply", [-1, 2, 99])
def test_at_a_ply_that_is_not_there(ply: int) -> None:
    logged = Logged()
    logged.moves("c4d5", "f5e4")
    logged.does(1, Kind.UNDO)
    logged.does(0, Kind.ACCEPT)
    with pytest.raises(PlayerError, match=f"There is no ply {ply} on this board: its last ply is 1") as caught:
        play.at(logged.start, logged.log, ply)
    assert caught.value.hint == "Send #0 to #1"


def test_replay_believes_only_seats_kinds_and_texts() -> None:
    """A replay computes plies, notes and marks again, so false ones in a log have no effect."""
    logged = Logged(TOY, seats=3)
    logged.moves("roll", "1")
    logged.does(2, Kind.PROPOSE)
    logged.does(0, Kind.ACCEPT)
    forged: Any = {"ply": 9, "fixed": False, "missed": (2,), "notes": ()}
    assert play.replay(logged.start, [replace(e, **forged) for e in logged.log]) == logged.board


def test_a_log_that_cannot_be_replayed_is_refused() -> None:
    logged = Logged()
    logged.moves("c4d5", "f5e4")
    with pytest.raises(MoveError):
        play.replay(logged.start, logged.log[1:])


@pytest.mark.parametrize(
    "moves",
    ["f2f3 e7e5 g2g4 d8h4 a2a3", "g1f3 g8f6 f3g1 f6g8 " * 4 + "e2e4"],
    ids=["mate", "fivefold"],
)
def test_a_log_that_goes_on_after_its_end_is_refused(moves: str) -> None:
    """Also where a replay looks for no mate, since a move follows."""
    start = Start(games.find("chess"), {}, 2, SEED)
    log = [Entry(at % 2, Kind.MOVE, text) for at, text in enumerate(moves.split())]
    assert play.replay(start, log[:-1]).result
    with pytest.raises(PlayerError):
        play.replay(start, log)


def test_a_board_can_be_shown_without_its_position() -> None:
    assert "stacks" not in repr(Logged().board)


def test_an_admin_may_go_back_as_often_as_he_likes() -> None:
    start, log = Start(TUMBLE, {}, 2, SEED), list[Entry]()
    board = play.begin(start)
    for _ in range(50):
        log.append((change := play.play(board, 0, "b3-c3")).entry)
        log.append((change := play.revert(change.board, log, len(log) - 1)).entry)
        board = change.board
    assert standing(log) == []
    assert play.replay(start, log) == board
    again = play.revert(board, log, 99)
    assert standing([*log, again.entry]) == [log[98]]
    assert again.board.position == play.at(start, [*log, again.entry], 1).position


# Words for shared dice, and what the server and admins do


def shared(seats: int = 2) -> Board:
    """A board of the toy that waits for a word of each seat."""
    return play.begin(Start(TOY, {}, seats, SEED, shared=True))


def test_a_board_waits_for_the_words_of_all_and_its_dice_depend_on_them() -> None:
    board = shared()
    assert (board.waits, board.words, set(board.to_move)) == (True, ("", ""), {0, 1})
    first = play.play(board, 1, "word=sesame")
    assert (first.board.waits, first.board.words, set(first.board.to_move)) == (True, ("", "sesame"), {0})
    assert (first.entry.seat, first.entry.kind, first.entry.text, first.entry.fixed) == (1, Kind.WORD, "sesame", False)
    with pytest.raises(MoveError, match="not your turn"):
        play.give_word(first.board, 1, "again")
    ready = play.give_word(first.board, 0, "open")
    assert (ready.board.waits, ready.board.words, ready.entry.fixed) == (False, ("open", "sesame"), True)
    assert ready.board.seed != play.give_word(first.board, 0, "close").board.seed
    with pytest.raises(PlayerError, match="waits for no words") as refused:
        play.give_word(ready.board, 0, "open")
    assert refused.value.hint == "To see it, send: show"


def test_who_leaves_before_the_words_are_there_leaves_the_first_position() -> None:
    board = play.give_word(shared(3), 0, "one").board
    left = play.resign(board, 1).board
    assert (left.waits, set(left.to_move), left.out) == (True, {2}, (1,))
    ready = play.give_word(left, 2, "three")
    assert not ready.board.waits
    assert 1 not in ready.board.to_move
    alone = TOY.retire(TOY.setup({}, 3, Rng(ready.board.seed, 0)), 1, Rng(ready.board.seed, 1, "resign1"))
    assert ready.board.position == alone.position
    assert ready.entry.missed == tuple(alone.missed)
    assert ready.entry.notes == tuple(alone.notes)


@pytest.mark.parametrize(
    ("end", "kind", "reason"), [(play.void, Kind.VOID, "voided"), (play.end_idle, Kind.IDLE, "idle")]
)
def test_nobody_wins_a_board_that_is_void_or_idle(end: Callable[[Board], play.Change], kind: Kind, reason: str) -> None:
    logged = Logged()
    logged.moves("c4d5")
    logged.does(1, Kind.PROPOSE)
    board = logged.add(end(logged.board))
    assert (result(board), board.offer) == (Outcome(reason, (1, 1)), None)
    assert entries(logged)[-1] == (ADMIN, kind, "", 1)
    with pytest.raises(PlayerError):
        end(board)


def test_what_a_seat_can_do_besides_moving() -> None:
    logged = Logged()
    assert play.verbs(logged.board, 1, logged.log) == ["propose", "resign", "decline"]
    logged.moves("c4d5")
    assert play.verbs(logged.board, 0, logged.log) == ["propose", "undo", "resign"]
    logged.does(0, Kind.UNDO)
    assert play.verbs(logged.board, 0, logged.log) == ["reject", "resign"]
    assert play.verbs(logged.board, 1, logged.log) == ["accept", "reject", "resign", "decline"]


def test_an_open_proposal_has_to_be_answered_first() -> None:
    logged = Logged()
    logged.does(0, Kind.PROPOSE)
    with pytest.raises(PlayerError) as refused:
        play.propose(logged.board, 1)
    assert (refused.value.text, refused.value.hint) == (
        "A proposal is already open on this board.",
        "Answer it first: accept or reject",
    )


def test_a_move_that_was_taken_back_does_not_count_for_a_repetition() -> None:
    logged = Logged(repetition=3)
    before = logged.board.seen
    logged.moves("c4d5")
    assert logged.board.seen != before
    logged.does(0, Kind.UNDO)
    assert logged.does(1, Kind.ACCEPT).seen == before


class Noted(Toy):
    """A toy that tells what becomes of the stones of who leaves."""

    def retire(self, position: Position, seat: Seat, rng: Rng) -> Step[Position]:
        return Step(super().retire(position, seat, rng).position, (Note(f"Seat {seat} leaves its stones."),))


@pytest.mark.parametrize("before", [True, False])
def test_the_notes_of_who_leaves_are_logged(before: bool) -> None:
    game = Noted()
    if before:
        board = play.resign(play.begin(Start(game, {}, 3, SEED, shared=True)), 2).board
        entry = play.give_word(play.give_word(board, 0, "one").board, 1, "two").entry
    else:
        entry = play.resign(play.begin(Start(game, {}, 3, SEED)), 2).entry
    assert (entry.fixed, [note.text for note in entry.notes]) == (True, ["Seat 2 leaves its stones."])


def test_what_is_made_at_once_has_all_fields_and_no_others() -> None:
    change = play.play(
        play.begin(Start(TOY, {}, 2, SEED)), 0, TOY.format(TOY.legal_moves(TOY.setup({}, 2, Rng("", 0)), 0)[0])
    )
    values: tuple[Any, ...] = (change, change.board, change.entry, change.board.rounds)
    for made in values:
        assert vars(made) == vars(replace(made))


def test_a_position_is_changed_as_dataclasses_do_it() -> None:
    position = games.find("renju").setup({}, 2, Rng("", 0))
    for values in ({}, {"turn": 1}, {"passes": 1, "points": "."}):
        assert changed(position, **values) == replace(position, **values)
