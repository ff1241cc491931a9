"""Queues, submitted moves and previews, by mail."""

from datetime import timedelta

import pytest

from pbmserv.boards import queued_moves
from pbmserv.server.clock import Clock
from pbmserv.store import Store
from tests.commands.answers import moves, only, to
from tests.world import World


@pytest.fixture
def playing(world: World) -> World:
    """Alice and bob play on tumble board 101, alice is to move. Carol has an account."""
    world.once(_begin)
    return world


def _begin(world: World) -> None:
    world.board("alice", "bob")
    world.signup("carol")
    world.letters()


# --- queue ------------------------------------------------------------------------------------------------------------


def test_a_queued_move_is_played_when_its_turn_comes(playing: World) -> None:
    answer = only(playing.mail("bob", "tumble queue 101 bob bob-secret f5f6 e6-e7"))
    assert "Queued on board 101 for bob: f5f6 e6-e7" in answer.text
    letters = playing.mail("alice", "tumble move 101 alice alice-secret a1-a2")
    assert moves(playing) == ["a1-a2", "f5-f6"]
    assert to(letters, "alice").first_line == "Your move, alice."
    assert "Played from your queue: f5-f6." in to(letters, "bob").text
    playing.mail("alice", "tumble move 101 alice alice-secret a1-b2")
    assert moves(playing) == ["a1-a2", "f5-f6", "a1-b2", "e6-e7"]
    playing.verify()


def test_queue_plays_at_once_in_turn_and_keeps_the_rest(playing: World) -> None:
    letters = playing.mail("alice", "tumble queue 101 alice alice-secret a1-a2 a1-b2")
    assert "Kept for your next turn: a1-b2" in to(letters, "alice").text
    playing.mail("bob", "tumble move 101 bob bob-secret f5-f6")
    assert moves(playing) == ["a1-a2", "f5-f6", "a1-b2"]


def test_two_queues_answer_each_other(playing: World) -> None:
    playing.mail("bob", "tumble queue 101 bob bob-secret f5-f6 f6-f7 e6-e7")
    letters = playing.mail("alice", "tumble queue 101 alice alice-secret a1-a2 a1-b2 b2-c3 c3-d4")
    assert moves(playing) == ["a1-a2", "f5-f6", "a1-b2", "f6-f7", "b2-c3", "e6-e7", "c3-d4"]
    assert len(letters) == 2
    assert to(letters, "bob").first_line == "Your move, bob."
    assert "Played from your queue: f5-f6.\nPlayed from your queue: f6-f7." in to(letters, "bob").text
    playing.verify()


def test_a_conditional_move_waits_for_its_answer_in_any_spelling(playing: World) -> None:
    playing.mail("bob", "tumble queue 101 bob bob-secret A1A2M:f5-f6 b2b3:f6-f7")
    playing.mail("alice", "tumble move 101 alice alice-secret a1-a2")
    assert moves(playing) == ["a1-a2", "f5-f6"]
    letters = playing.mail("alice", "tumble move 101 alice alice-secret c1-c2")
    assert moves(playing) == ["a1-a2", "f5-f6", "c1-c2"]
    bob = to(letters, "bob").flat
    assert "Your queued moves were cancelled (b2b3:f6-f7): alice played c1-c2, not 'b2b3'" in bob
    assert to(letters, "bob").first_line == "Your move, bob."
    assert "Nothing is queued" in only(playing.mail("bob", "tumble queue 101 bob bob-secret")).text


def test_a_resignation_waits_for_a_move_of_the_opponent(playing: World) -> None:
    answer = only(playing.mail("bob", "tumble queue 101 bob bob-secret a1a2:f5f6 a1b2:Resign"))
    assert "Queued on board 101 for bob: a1a2:f5f6 a1b2:resign" in answer.text
    assert "After their:resign you resign as soon as they have played their move" in answer.flat
    playing.mail("alice", "tumble move 101 alice alice-secret a1-a2")
    letters = playing.mail("alice", "tumble move 101 alice alice-secret a1-b2")
    assert "You resigned, as your queue said: a1b2:resign." in to(letters, "bob").flat
    assert to(letters, "alice").first_line == "Board 101 is over: alice wins (by resignation)."
    assert playing.query(lambda s: s.waiting_moves.queues(101)) == {}
    playing.verify()


def test_after_another_move_or_an_undo_nobody_resigns(playing: World) -> None:
    playing.mail("bob", "tumble queue 101 bob bob-secret a1a2:resign")
    letters = playing.mail("alice", "tumble move 101 alice alice-secret c1-c2")
    assert "were cancelled (a1a2:resign): alice played c1-c2, not 'a1a2'" in to(letters, "bob").flat
    playing.mail("bob", "tumble move 101 bob bob-secret f5-f6")
    playing.mail("alice", "tumble queue 101 alice alice-secret a1-a2 e6e7:resign")
    playing.mail("alice", "tumble undo 101 alice alice-secret")
    letters = playing.mail("bob", "tumble accept 101 bob bob-secret")
    assert "(e6e7:resign): moves were taken back" in to(letters, "alice").flat
    playing.mail("alice", "tumble move 101 alice alice-secret a1-a2")
    playing.mail("bob", "tumble move 101 bob bob-secret e6-e7")
    assert playing.row().board.result is None


def test_queue_resigns_at_once_if_the_move_was_played_already(playing: World) -> None:
    playing.mail("alice", "tumble move 101 alice alice-secret a1-a2")
    letters = playing.mail("bob", "tumble queue 101 bob bob-secret a1a2:resign")
    assert to(letters, "alice").first_line == "Board 101 is over: alice wins (by resignation)."


def test_of_three_players_one_resigns_by_queue_and_the_others_play_on(world: World) -> None:
    world.board("alice", "bob", "carol", game="3io")
    row = world.row()
    first = row.game.example(row.board.position, 0)
    world.mail("bob", f"3io queue 101 bob bob-secret {first}:resign")
    world.mail("alice", f"3io move 101 alice alice-secret {first}")
    after = world.row().board
    assert after.out == (1,)
    assert after.result is None
    assert after.to_move == {2}
    world.verify()


def test_a_queued_move_that_fails_does_no_harm_to_the_mail(playing: World) -> None:
    playing.mail("bob", "tumble queue 101 bob bob-secret a2-a3 f5-f6")
    letters = playing.mail("alice", "tumble move 101 alice alice-secret a1-a2")
    assert moves(playing) == ["a1-a2"]
    bob = to(letters, "bob").flat
    assert "(a2-a3 f5-f6): 'a2-a3' is not possible: the top man on a2 is not yours." in bob
    assert "queue" not in to(letters, "alice").text
    playing.verify()


def test_a_bug_of_ours_ends_a_queue_and_harms_no_mail(playing: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(*arguments: object) -> None:
        raise ZeroDivisionError

    playing.mail("bob", "tumble queue 101 bob bob-secret f5-f6 e6-e7")
    with monkeypatch.context() as patch:
        patch.setattr(queued_moves, "chosen", stumble)
        letters = playing.mail("alice", "tumble move 101 alice alice-secret a1-a2")
    assert moves(playing) == ["a1-a2"]
    assert "queued moves were cancelled (f5-f6 e6-e7): something went wrong on our side" in to(letters, "bob").flat
    playing.verify()


def test_an_answer_that_was_never_possible_is_none(playing: World) -> None:
    playing.mail("bob", "tumble queue 101 bob bob-secret a3a4:f5-f6")
    letters = playing.mail("alice", "tumble move 101 alice alice-secret a1-a2")
    assert "(a3a4:f5-f6): alice played a1-a2, not 'a3a4'" in to(letters, "bob").flat


def test_nothing_is_kept_for_who_plays_no_more(world: World) -> None:
    world.board("alice", "bob", "carol", game="3io")
    world.mail("carol", "3io resign 101 carol carol-secret")
    assert "You have left this board." in only(world.mail("carol", "3io queue 101 carol carol-secret draw")).flat
    world.mail("bob", "3io resign 101 bob bob-secret")
    error = only(world.mail("alice", "3io queue 101 alice alice-secret draw")).flat
    assert "This board is over. To see how it ended, send: 3io show 101" in error


def test_an_undo_clears_queues(playing: World) -> None:
    playing.mail("alice", "tumble queue 101 alice alice-secret a1-a2 a1-b2")
    playing.mail("alice", "tumble undo 101 alice alice-secret")
    letters = playing.mail("bob", "tumble accept 101 bob bob-secret")
    assert "(a1-b2): moves were taken back" in to(letters, "alice").flat
    assert "Nothing is queued" in only(playing.mail("alice", "tumble queue 101 alice alice-secret")).text


def test_a_move_that_was_taken_back_is_no_answer(playing: World) -> None:
    for userid, move in (("alice", "a1-a2"), ("bob", "f5-f6"), ("alice", "a1-b2")):
        playing.mail(userid, f"tumble move 101 {userid} {userid}-secret {move}")
    playing.mail("bob", "tumble undo 101 bob bob-secret")
    playing.mail("alice", "tumble accept 101 alice alice-secret")
    error = only(playing.mail("bob", "tumble queue 101 bob bob-secret a1b2:f5-f6"))
    assert "alice played a1-a2, not 'a1b2'" in error.flat
    playing.mail("bob", "tumble queue 101 bob bob-secret a1a2:e6-e7")
    assert moves(playing) == ["a1-a2", "e6-e7"]
    playing.verify()


def test_lines_of_one_mail_meet_the_queue_between_them(playing: World) -> None:
    playing.mail("bob", "tumble queue 101 bob bob-secret f5-f6 e6-e7")
    letters = playing.mail(
        "alice", "multiple", "tumble move 101 alice alice-secret a1-a2\ntumble move 101 alice alice-secret a1-b2\n"
    )
    assert moves(playing) == ["a1-a2", "f5-f6", "a1-b2", "e6-e7"]
    assert "Played from your queue: f5-f6.\nPlayed from your queue: e6-e7." in to(letters, "bob").text


def test_who_has_own_letters_off_hears_of_the_answer_of_a_queue(playing: World) -> None:
    with playing.engine.begin() as connection:
        Store(connection).players.set_preference(1, "", "own", "off")
    assert [x.to for x in playing.mail("alice", "tumble move 101 alice alice-secret a1-a2")] == ["bob@example.org"]
    playing.mail("alice", "tumble queue 101 alice alice-secret a1-b2")
    playing.mail("bob", "tumble queue 101 bob bob-secret f5-f6 e6-e7")
    letters = playing.mail("alice", "tumble move 101 alice alice-secret c1-c2")
    assert moves(playing) == ["a1-a2", "f5-f6", "a1-b2", "e6-e7", "c1-c2"]
    assert [x.to for x in letters] == ["bob@example.org"]


def test_a_turn_of_two_moves_is_queued_whole(world: World) -> None:
    world.board("alice", "bob", game="3io", options="-twostep")
    world.mail("bob", "3io queue 101 bob bob-secret draw 1a1")
    world.mail("alice", "3io move 101 alice alice-secret draw 1c3")
    assert moves(world) == ["draw", "1c3", "draw", "1a1"]


def test_a_forfeit_makes_way_for_a_queue(world: World) -> None:
    world.board("alice", "bob", "carol", game="3io", options="-twostep --forfeittime=1 --nagtime=none")
    world.mail("bob", "3io queue 101 bob bob-secret draw 1a1")
    world.now += timedelta(days=1)
    Clock(world.engine, world.site, lambda: world.now).sweep()
    assert moves(world) == ["draw", "1a1"]
    assert "Played from your queue: draw." in to(world.letters(), "bob").text
    world.verify()


def test_only_the_owner_sees_his_queue(playing: World) -> None:
    playing.mail("bob", "tumble queue 101 bob bob-secret f5-f6")
    assert "Queued: f5-f6" in only(playing.mail("bob", "tumble showas bob bob-secret 101")).text
    for line in ("tumble show 101", "tumble showas alice alice-secret 101", "tumble showas carol carol-secret 101"):
        assert "f5-f6" not in only(playing.mail("carol", line)).text


@pytest.mark.parametrize(
    ("line", "text", "hint"),
    [
        ("tumble queue 101 bob bob-secret nonsense", "is not a move in Tumbling Down.", "tumble help"),
        ("tumble queue 101 bob bob-secret a1a2:what", "'what' is not a move in Tumbling Down.", "tumble help"),
        ("tumble queue 101 bob bob-secret :f5f6", "is not a move in Tumbling Down.", "tumble help"),
        ("tumble queue 101 bob bob-secret " + "f5f6 " * 21, "A queue can have at most 20 moves", "PASSWORD clear"),
        ("tumble queue 101 bob bob-secret resign", "write their move before it: THEIR:resign", "tumble resign 101 bob"),
        ("tumble queue 101 bob bob-secret f5f6 :resign", "is not a move in Tumbling Down.", "tumble help"),
        ("tumble queue 101 bob bob-secret what:resign", "'what' is not a move in Tumbling Down.", "tumble help"),
        ("tumble queue 101 bob bob-secret resign:resign", "That word is not a move in Tumbling Down.", "tumble help"),
        ("tumble queue 101 bob bob-secret a1a2:resign f5f6", "After a1a2:resign nothing can follow.", "the last word"),
        ("tumble queue 101 carol carol-secret f5f6", "carol does not play on board 101", "tumble show"),
        ("tumble queue 101 alice alice-secret a7-a8", "a7 is empty", "Send a move such as"),
        ("tumble queue 101 alice alice-secret f5f6:a1a2", "Nobody has answered with 'f5f6'", "queue 101 alice"),
        ("tumble submit 101 bob bob-secret f5f6", "It is not your turn", "Wait for the letter"),
        ("tumble submit 101 alice alice-secret a1a2 c1c2", "It is not your turn", "Wait for the letter"),
        (
            "tumble confirm 101 alice alice-secret",
            "You have not submitted a move on board 101.",
            "submit 101 alice PASSWORD",
        ),
        ("tumble preview nine a1a2", "Name the number of a board, or the word new.", "tumble preview new"),
        ("tumble preview 101 -c a1a2", "Board 101 already has its options.", "tumble preview new -c"),
        ("tumble preview 101#5 a1a2", "There is no ply 5", "Send #0 to #0"),
        ("tumble preview 999 a1a2", "There is no board '999'.", "send: list"),
        ("threes preview 101 a1a2", "Board 101 is a Tumbling Down board.", "Send: tumble preview 101 a1a2"),
        ("tumble preview 101 a7a8", "a7 is empty", "Send a move such as"),
    ],
)
def test_errors_name_the_cause_and_the_way_out(playing: World, line: str, text: str, hint: str) -> None:
    before = playing.dump()
    error = only(playing.mail(line.split()[3] if "-secret" in line else "carol", line))
    assert text in error.flat
    assert hint in error.flat
    assert "-secret" not in error.text
    assert playing.dump() == before


# --- submit and confirm -----------------------------------------------------------------------------------------------


def test_what_was_submitted_is_shown_to_its_owner_and_played_when_confirmed(playing: World) -> None:
    answer = only(playing.mail("alice", "tumble submit 101 alice alice-secret c1-c5t"))
    assert answer.to == "alice@example.org"
    assert "Nothing was played" in answer.text
    assert "tumble confirm 101 alice PASSWORD" in answer.text
    assert moves(playing) == []
    assert len(playing.mail("alice", "tumble confirm 101 alice alice-secret")) == 2
    assert moves(playing) == ["c1-c5t"]
    assert "not submitted a move" in only(playing.mail("alice", "tumble confirm 101 alice alice-secret")).text


def test_what_was_submitted_lapses_when_anything_happens(playing: World) -> None:
    playing.mail("alice", "tumble submit 101 alice alice-secret a1-a2")
    playing.mail("bob", "tumble propose 101 bob bob-secret")
    error = only(playing.mail("alice", "tumble confirm 101 alice alice-secret")).text
    assert "Something has happened on this board" in error
    assert moves(playing) == []


def test_submit_stops_before_chance_and_confirm_does_not(world: World) -> None:
    world.board("alice", "bob", game="3io", options="-twostep")
    answer = only(world.mail("alice", "3io submit 101 alice alice-secret draw 1c3"))
    assert "Not tried: draw. It needs dice, cards or hidden things" in answer.flat
    world.mail("alice", "3io confirm 101 alice alice-secret")
    assert moves(world) == ["draw", "1c3"]


# --- preview ----------------------------------------------------------------------------------------------------------


def test_preview_tries_the_moves_of_both_and_stores_nothing(playing: World) -> None:
    before = playing.dump()
    answer = only(playing.mail("carol", "tumble preview 101 a1a2 f5f6"))
    assert "Tried: a1-a2 f5-f6" in answer.text
    assert "To move: alice." in answer.text
    assert playing.dump() == before


def test_preview_starts_from_an_earlier_ply(playing: World) -> None:
    playing.mail("alice", "tumble move 101 alice alice-secret a1-a2")
    answer = only(playing.mail("carol", "tumble preview 101#0 c1-c5t"))
    assert "Tumble Board 101 after ply 0, tried on a copy" in answer.text


def test_nobody_moves_on_a_board_that_is_over(playing: World) -> None:
    playing.mail("alice", "tumble resign 101 alice alice-secret")
    assert "This board is over." in only(playing.mail("carol", "tumble preview 101 a1a2")).flat


def test_preview_of_a_new_board_takes_options(playing: World) -> None:
    corners = only(playing.mail("carol", "tumble preview new -c")).text
    standard = only(playing.mail("carol", "tumble preview new")).text
    assert corners != standard
    assert "To move: Black." in standard
    assert "To move: South-East." in only(playing.mail("carol", "trippples preview new -d")).text


def test_preview_never_goes_past_chance(world: World) -> None:
    world.board("alice", game="threes")
    for line in ("threes preview 101 wasd", "threes preview new wasd"):
        answer = only(world.mail("alice", line)).text
        assert "Not tried:" in answer or "is not possible" in answer


def test_preview_of_a_face_down_tile_shows_nothing(world: World) -> None:
    world.board("alice", "bob", game="trippples", options="-h")
    board = world.row(101).board
    move = board.game.example(board.position, 0)
    before = only(world.mail("alice", "trippples show 101")).text
    answer = only(world.mail("alice", f"trippples preview 101 {move}")).text
    assert f"Not tried: {move}" in answer
    first_line = "     A   B"
    diagram = answer[answer.index(first_line) : answer.rindex(first_line)]
    assert diagram in before


def test_a_private_board_is_tried_by_its_players_only(world: World) -> None:
    world.board("alice", "bob", options="--private")
    world.signup("carol")
    world.letters()
    assert "Board 101 is private." in only(world.mail("carol", "tumble preview 101 a1a2")).text
    assert "Board 101 is private." in only(world.mail("carol", "tumble preview 101 a1a2 --as=carol:carol-secret")).text
    assert "Tried: a1-a2" in only(world.mail("bob", "tumble preview 101 a1a2 --as=bob:bob-secret")).text
