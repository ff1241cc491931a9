"""`substitute`: somebody else takes the seat of a player who has left, if all others agree."""

from datetime import timedelta

import pytest
import sqlalchemy as sa

from pbmserv.boards import entries
from pbmserv.db import tables
from pbmserv.model import LeftSeat
from pbmserv.server.clock import Clock
from tests.commands.answers import fail, only, run, to
from tests.letters.html import taps
from tests.world import Received, World


@pytest.fixture
def left(world: World) -> list[Received]:
    """The last letters of board 101: after one move of each, bob has resigned. Carol and dave have accounts."""
    return world.once(_leave)


def _leave(world: World) -> list[Received]:
    world.board("alice", "bob", options="--forfeittime=30")
    world.signup("carol", "dave")
    for userid, move in (("alice", "a1-a2"), ("bob", "f5-f6")):
        world.mail(userid, f"tumble move 101 {userid} {userid}-secret {move}")
    world.letters()
    return world.mail("bob", "tumble resign 101 bob bob-secret")


def three(world: World, options: str = "") -> list[Received]:
    """Let carol resign on a board of 3io with alice and bob; dave and eve have accounts. Returns the letters."""
    world.board("alice", "bob", "carol", game="3io", options=options)
    world.signup("dave", "eve")
    for seat, userid in enumerate(("alice", "bob", "carol")):
        row = world.row()
        world.mail(userid, f"3io move 101 {userid} {userid}-secret {row.game.example(row.board.position, seat)}")
    world.play()
    world.letters()
    return world.mail("carol", "3io resign 101 carol carol-secret")


def seated(world: World, number: int) -> list[str]:
    return [p.userid for p in world.row(number).players]


def numbers(world: World) -> list[int]:
    return sorted(world.query(lambda s: s.board_lists.numbers()))


def ratings(world: World) -> dict[str, float]:
    with world.engine.connect() as connection:
        query = sa.select(tables.player.c.userid, tables.rating.c.mu).join(tables.rating)
        return {r.userid: r.mu for r in connection.execute(query)}


# --- two players -----------------------------------------------------------------------------------------------------


def test_the_letter_about_the_end_offers_it_to_who_has_stayed(left: list[Received]) -> None:
    assert "takes the place of bob." in to(left, "alice").flat
    assert "To ask somebody: substitute USERID" in to(left, "alice").flat
    assert [tap.text for tap in taps(to(left, "alice").html)] == ["rematch", "review", "substitute"]
    assert "substitute" not in to(left, "bob").text


def test_who_is_named_plays_on_after_accepting(world: World, left: list[Received]) -> None:
    before = ratings(world)
    letters = run(world, "alice", "tumble substitute 101 alice alice-secret carol")
    assert "You ask carol to take the seat of bob on board 101." in to(letters, "alice").flat
    asked = to(letters, "carol")
    assert asked.first_line == "alice asks you, carol, to take the seat of bob on Tumbling Down board 101."
    assert [tap.text for tap in taps(asked.html)] == ["accept", "reject"]
    letters = world.reply(asked, "accept")
    assert to(letters, "alice").first_line == "Your move, alice."
    told = "This board goes on from board 101 after ply 2. carol plays in place of bob, who resigned."
    assert told in to(letters, "carol").flat
    old, new = world.row(101), world.row(102)
    assert seated(world, 102) == ["alice", "carol"]
    assert new.continues == LeftSeat(101, 1, 2, "bob", "resign")
    assert new.board.position == old.board.position
    assert new.board.start.seed != old.board.start.seed
    assert (new.settings.rated, new.settings.forfeit) == (False, 30)
    (shown,) = world.mail("alice", "tumble show 101")
    assert "This board goes on with a substitute, on board 102." in shown.flat
    assert new.clocks[1].used == 0.0
    assert ratings(world) == before
    world.mail("alice", "tumble move 102 alice alice-secret a2-a3")
    world.mail("carol", "tumble resign 102 carol carol-secret")
    assert ratings(world) == before
    world.verify()


@pytest.mark.parametrize(
    "line", ["substitute carol", "Substitute: Carol.", "ersatz *carol*", "find a substitute carol"]
)
def test_an_answer_can_name_somebody(world: World, left: list[Received], line: str) -> None:
    letters = world.reply(to(left, "alice"), line)
    assert "You ask carol to take the seat of bob on board 101." in to(letters, "alice").flat


@pytest.mark.parametrize("line", ["substitute carol please", "substitut"])
def test_an_answer_that_is_not_understood_is_told_the_word(world: World, left: list[Received], line: str) -> None:
    assert "rematch, review, substitute" in only(world.reply(to(left, "alice"), line)).flat
    assert not world.query(lambda s: s.challenges.seek_for(101))


@pytest.mark.slow
def test_a_word_of_who_asks_goes_with_the_question(world: World) -> None:
    three(world)
    world.mail("bob", "set bob bob-secret block=alice")
    letters = run(world, "alice", "3io substitute 101 alice alice-secret dave", "Would you like to?")
    assert "alice writes:\n    Would you like to?" in to(letters, "dave").text
    assert "Would you like to?" not in to(letters, "bob").text


def test_a_seek_for_the_seat_is_the_other_way(world: World, left: list[Received]) -> None:
    answer = only(world.reply(to(left, "alice"), "substitute"))
    assert "Others join with: tumble join 1 USERID PASSWORD" in answer.flat
    listed = only(world.mail("dave", "list")).flat
    assert "1 tumble: alice, for the seat of bob on board 101, 1 place left, unrated" in listed
    letters = run(world, "carol", "tumble join 1 carol carol-secret")
    assert to(letters, "carol").first_line == "It is alice's turn, carol."
    assert seated(world, 102) == ["alice", "carol"]
    assert "Open seeks" not in only(world.mail("dave", "list")).text
    world.verify()


def test_a_robot_agrees_at_once(world: World, left: list[Received]) -> None:
    world.act(lambda s: s.robots.add(s.players.add("robbie", "", world.now).id, "tumble", 1, 3))
    letters = run(world, "alice", "tumble substitute 101 alice alice-secret robot")
    assert only(letters).first_line == "Your move, alice."
    assert seated(world, 102) == ["alice", "robbie"]
    world.verify()


def test_a_robot_means_one_that_does_not_play_there(world: World) -> None:
    world.signup("alice")
    world.act(lambda s: s.robots.add(s.players.add("robbie", "", world.now).id, "tumble", 1, 3))
    world.act(lambda s: s.robots.add(s.players.add("rocky", "", world.now).id, "tumble", 2, 3))
    run(world, "alice", "tumble challenge alice robbie --forfeittime=1 --nagtime=none")
    world.mail("alice", "tumble move 101 alice alice-secret a1-a2")
    world.now += timedelta(days=1)
    Clock(world.engine, world.site, lambda: world.now, gap=1e9).sweep()
    run(world, "alice", "tumble substitute 101 alice alice-secret robot")
    assert seated(world, 102) == ["alice", "rocky"]


@pytest.mark.slow
def test_who_is_asked_can_say_no(world: World, left: list[Received]) -> None:
    letters = run(world, "alice", "tumble substitute 101 alice alice-secret carol")
    letters = world.reply(to(letters, "carol"), "reject")
    assert "There is no substitute for bob on board 101: carol does not agree" in to(letters, "alice").flat
    error = only(world.mail("carol", "tumble substitute 101 carol carol-secret accept"))
    assert "Nobody waits for your answer" in error.flat
    run(world, "alice", "tumble substitute 101 alice alice-secret dave")
    run(world, "dave", "tumble substitute 101 dave dave-secret accept")
    assert seated(world, 102) == ["alice", "dave"]


def test_the_letter_does_not_work_twice_and_not_for_others(world: World, left: list[Received]) -> None:
    asked = to(run(world, "alice", "tumble substitute 101 alice alice-secret carol"), "carol")
    stranger = only(world.reply(asked, "accept", sender="mallory@example.net"))
    assert "This works only from one of your own addresses." in stranger.flat
    unclear = only(world.reply(asked, "why not"))
    assert "Answer with one of the words accept or reject." in unclear.flat
    world.reply(asked, "accept")
    again = only(world.reply(asked, "accept"))
    assert "Nobody waits for your answer about a substitute on board 101." in again.flat
    assert numbers(world) == [101, 102]


def test_the_request_can_be_withdrawn(world: World, left: list[Received]) -> None:
    run(world, "alice", "tumble substitute 101 alice alice-secret carol")
    letters = run(world, "alice", "tumble withdraw 1 alice alice-secret")
    assert "The request for a substitute on board 101 is over." in to(letters, "alice").flat
    assert "alice does not agree, or has withdrawn" in to(letters, "carol").flat


def test_after_a_week_the_seat_is_not_free_any_more(world: World, left: list[Received]) -> None:
    run(world, "alice", "tumble substitute 101 alice alice-secret")
    world.now += timedelta(days=7, minutes=1)
    error = fail(world, "carol", "tumble join 1 carol carol-secret")
    assert "bob left board 101 more than seven days ago, so the seat is not free any more." in error.flat
    Clock(world.engine, world.site, lambda: world.now, gap=1e9).sweep()
    letters = world.letters()
    assert "for the seat of bob on board 101 has expired: such a seat is free for 7 days" in to(letters, "alice").flat
    assert "more than seven days ago" in fail(world, "alice", "tumble substitute 101 alice alice-secret carol").flat


def test_a_week_begins_when_the_seat_is_left(world: World, left: list[Received]) -> None:
    world.now += timedelta(days=6)
    run(world, "alice", "tumble substitute 101 alice alice-secret")
    world.now += timedelta(days=2)
    Clock(world.engine, world.site, lambda: world.now, gap=1e9).sweep()
    assert world.query(lambda s: s.challenges.open_seeks()) == []


def test_time_without_the_server_does_not_count(world: World, left: list[Received]) -> None:
    def sweep() -> None:
        Clock(world.engine, world.site, lambda: world.now).sweep()

    sweep()
    world.now += timedelta(days=10)
    sweep()
    run(world, "alice", "tumble substitute 101 alice alice-secret carol")
    run(world, "carol", "tumble substitute 101 carol carol-secret accept")
    assert numbers(world) == [101, 102]


@pytest.mark.slow
@pytest.mark.parametrize("line", ["signoff bob bob-secret", ""])
def test_a_closed_account_or_a_forfeit_leaves_a_seat(world: World, line: str) -> None:
    world.board("alice", "bob", options="--forfeittime=1 --nagtime=none")
    world.signup("carol")
    world.mail("alice", "tumble move 101 alice alice-secret a1-a2")
    world.mail("bob", "tumble move 101 bob bob-secret f5-f6")
    world.mail("alice", "tumble move 101 alice alice-secret a2-a3")
    world.letters()
    if line:
        letters = world.mail("bob", line)
    else:
        world.now += timedelta(days=1)
        Clock(world.engine, world.site, lambda: world.now, gap=1e9).sweep()
        letters = world.letters()
    assert "takes the place of bob." in to(letters, "alice").flat
    run(world, "alice", "tumble substitute 101 alice alice-secret carol")
    letters = run(world, "carol", "tumble substitute 101 carol carol-secret accept")
    assert to(letters, "carol").first_line == "Your move, carol."
    why = "resigned" if line else "ran out of time"
    assert f"carol plays in place of bob, who {why}." in to(letters, "alice").flat
    world.verify()


@pytest.mark.parametrize(
    ("sender", "line", "text"),
    [
        ("alice", "substitute 101 alice alice-secret alice", "alice has a seat on board 101 already."),
        ("alice", "substitute 101 alice alice-secret bob", "bob has left board 101."),
        ("alice", "substitute 101 alice alice-secret nobody", "nobody"),
        ("alice", "substitute 101 alice alice-secret reject", "Nobody waits for your answer"),
        ("bob", "substitute 101 bob bob-secret carol", "You have left board 101, so the others decide"),
        ("carol", "substitute 101 carol carol-secret dave", "carol does not play on board 101."),
        ("carol", "substitute 101 carol carol-secret accept", "Nobody waits for your answer"),
        ("alice", "substitute 101 alice alice-secret frank", "The account frank is closed."),
    ],
)
def test_errors(world: World, left: list[Received], sender: str, line: str, text: str) -> None:
    world.signup("frank")
    world.mail("frank", "signoff frank frank-secret")
    assert text in fail(world, sender, f"tumble {line}").flat


@pytest.mark.slow
def test_only_one_request_and_one_board(world: World, left: list[Received]) -> None:
    run(world, "alice", "tumble substitute 101 alice alice-secret")
    error = fail(world, "alice", "tumble substitute 101 alice alice-secret carol")
    assert "There is a request for a substitute on board 101 already: seek 1 of alice." in error.flat
    assert "so this seat is for somebody else" in fail(world, "bob", "tumble join 1 bob bob-secret").flat
    run(world, "carol", "tumble join 1 carol carol-secret")
    error = fail(world, "alice", "tumble substitute 101 alice alice-secret dave")
    assert "Board 102 goes on from board 101 with a substitute already." in error.flat


def test_a_named_seek_is_for_nobody_else(world: World, left: list[Received]) -> None:
    run(world, "alice", "tumble substitute 101 alice alice-secret carol")
    assert "Open seeks" not in only(world.mail("dave", "list")).text
    assert "Seek 1 is for somebody else." in fail(world, "dave", "tumble join 1 dave dave-secret").flat


def test_nobody_asks_without_end(world: World, left: list[Received]) -> None:
    world.allow(challenges_a_day=2)
    for number in (1, 2):
        run(world, "alice", "tumble substitute 101 alice alice-secret")
        run(world, "alice", f"tumble withdraw {number} alice alice-secret")
    error = fail(world, "alice", "tumble substitute 101 alice alice-secret")
    assert "You can ask for 2 substitutes a day." in error.flat


def test_who_has_blocked_somebody_is_not_asked(world: World, left: list[Received]) -> None:
    world.mail("carol", "set carol carol-secret block=alice")
    error = fail(world, "alice", "tumble substitute 101 alice alice-secret carol")
    assert "carol does not accept challenges in Tumbling Down." in error.flat


def test_boards_that_nobody_left_have_no_free_seat(world: World) -> None:
    world.board("alice", "bob")
    world.signup("carol")
    assert "Nobody has left board 101" in fail(world, "alice", "tumble substitute 101 alice alice-secret carol").flat
    world.mail("bob", "tumble decline 101 bob bob-secret")
    error = fail(world, "alice", "tumble substitute 101 alice alice-secret carol")
    assert "did not end because somebody left it" in error.flat
    world.board("alice", "alice")
    world.mail("alice", "tumble resign 102 alice alice-secret")
    assert "one player has several seats" in fail(world, "alice", "tumble substitute 102 alice alice-secret carol").flat


def test_what_was_hidden_has_been_seen(world: World) -> None:
    world.board("alice", "bob", game="battleship")
    world.signup("carol")
    world.mail("alice", "battleship move 101 alice alice-secret random")
    letters = world.mail("bob", "battleship resign 101 bob bob-secret")
    assert "substitute" not in to(letters, "alice").text
    error = fail(world, "alice", "battleship substitute 101 alice alice-secret carol")
    assert "Board 101 hides things, which everybody sees at its end." in error.flat


def test_dice_of_the_new_board_do_not_follow_from_the_seed_that_was_told(world: World) -> None:
    world.board("alice", "bob", game="backgammon")
    world.signup("carol")
    letters = world.mail("bob", "backgammon resign 101 bob bob-secret")
    assert world.row().board.start.seed in to(letters, "alice").text
    run(world, "alice", "backgammon substitute 101 alice alice-secret carol")
    letters = run(world, "carol", "backgammon substitute 101 carol carol-secret accept")
    seed = world.row(102).board.start.seed
    assert seed != world.row(101).board.start.seed
    assert not any(seed in x.text for x in letters)


# --- more players ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_of_three_players_both_others_must_agree(world: World) -> None:
    letters = three(world)
    assert "takes the place of carol." in to(letters, "bob").flat
    assert "resign, answer" not in to(letters, "carol").flat
    letters = run(world, "alice", "3io substitute 101 alice alice-secret dave")
    assert "Still to agree: bob, dave." in to(letters, "alice").flat
    assert to(letters, "bob").first_line.startswith("alice asks dave to take the seat of carol on 3io board 101.")
    waiting = only(world.reply(to(letters, "dave"), "accept"))
    assert waiting.flat.startswith("dave takes the seat of carol on board 101 as soon as all others agree.")
    assert "Still to agree: bob." in waiting.flat
    row = world.row()
    letters = world.reply(to(letters, "bob"), "accept")
    old, new = world.row(101), world.row(102)
    assert old.board.result is not None
    assert (old.board.result.reason, old.board.result.ranks) == ("substitute", (1, 1, 2))
    assert [p.userid for p in new.players] == ["alice", "bob", "dave"]
    assert new.board.position == row.game.rejoin(row.board.position, 2)
    assert new.board.out == ()
    assert [x.subject for x in letters if x.to == "bob@example.org"] == ["3io Board 102 bob"]
    assert {x.subject for x in letters if x.to == "carol@example.org"} == {"3io Board 101 carol"}
    rated = ratings(world)
    assert rated["carol"] < rated["alice"]
    assert "dave" not in rated
    world.verify()
    world.act(entries.rebuild_ratings)
    assert ratings(world) == rated


@pytest.mark.slow
def test_the_substitute_gets_turns_again(world: World) -> None:
    three(world)
    run(world, "alice", "3io substitute 101 alice alice-secret dave")
    run(world, "dave", "3io substitute 101 dave dave-secret accept")
    run(world, "bob", "3io substitute 101 bob bob-secret accept")
    for userid in ("alice", "bob", "dave"):
        row = world.row(102)
        (seat,) = row.board.to_move
        assert row.players[seat].userid == userid
        run(world, userid, f"3io move 102 {userid} {userid}-secret {row.game.example(row.board.position, seat)}")
    world.verify()


@pytest.mark.slow
def test_both_who_stayed_can_seek_and_the_first_who_joins_waits_for_them(world: World) -> None:
    letters = three(world)
    world.reply(to(letters, "alice"), "substitute")
    run(world, "dave", "3io join 1 dave dave-secret")
    error = fail(world, "eve", "3io join 1 eve eve-secret")
    assert "dave takes that seat, as soon as all others on board 101 have agreed." in error.flat
    world.reply(to(letters, "bob"), "substitute")
    assert seated(world, 102) == ["alice", "bob", "dave"]


def test_one_who_stayed_can_refuse(world: World) -> None:
    three(world)
    run(world, "alice", "3io substitute 101 alice alice-secret dave")
    letters = run(world, "bob", "3io substitute 101 bob bob-secret reject")
    assert {x.to for x in letters if "bob does not agree" in x.flat} == {"alice@example.org", "dave@example.org"}
    assert world.row().board.result is None


def test_if_a_second_player_leaves_there_is_no_substitute(world: World) -> None:
    world.board("alice", "bob", "carol", "dave", game="3io")
    world.signup("eve")
    world.mail("carol", "3io resign 101 carol carol-secret")
    run(world, "alice", "3io substitute 101 alice alice-secret eve")
    world.mail("dave", "3io resign 101 dave dave-secret")
    error = fail(world, "eve", "3io substitute 101 eve eve-secret accept")
    assert "Several players have left board 101" in error.flat
