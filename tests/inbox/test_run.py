"""`multiple`: one command on each line. After the first error the rest is not run; earlier lines count."""

from tests.commands.answers import ply, status
from tests.world import World


def test_lines_run_in_order_until_signoff(world: World) -> None:
    world.signup("alice", "bob")
    lines = "tumble challenge alice bob\n\ntumble move 101 alice alice-secret c1-c2\n"
    letters = world.mail("alice", "multiple", lines + "signoff\ntumble resign 101 alice alice-secret")
    assert [(x.to, x.subject) for x in letters] == [
        ("alice@example.org", "Tumble Board 101 alice"),
        ("bob@example.org", "Tumble Board 101 bob"),
        ("alice@example.org", "Multiple"),
    ]
    assert letters[2].text.startswith(
        "> tumble challenge alice bob\nBoard 101 has begun.\n\n> tumble move 101 alice PASSWORD c1-c2\nPlayed: c1-c2\n"
    )
    assert "resign" not in letters[2].text
    assert ply(world) == 1


def test_no_subject_is_multiple(world: World) -> None:
    world.signup("alice")
    (answer,) = world.mail("alice", "", "games\nlist\n-- \nAlice, Springfield\n")
    assert answer.subject == "Multiple"
    assert "Springfield" not in answer.text
    assert status(world) == "done"


def test_the_first_failure_stops_the_rest_and_earlier_lines_stand(world: World) -> None:
    number = world.board("alice", "bob")
    good = f"tumble move {number} alice alice-secret c1-c2"
    letters = world.mail("alice", "multiple", f"{good}\ntumble move {number} alice alice-secret c1-c4\n{good}\nlist")
    assert status(world) == "error"
    assert ply(world, number) == 1
    answer = letters[-1]
    assert f"> tumble move {number} alice PASSWORD c1-c4\nIt is not your turn on this board." in answer.text
    assert f"> tumble move {number} alice PASSWORD c1-c2\nNot run." in answer.text
    assert "> list\nNot run.\n" in answer.text
    assert {x.subject for x in letters[:-1]} == {"Tumble Board 101 alice", "Tumble Board 101 bob"}


def test_one_letter_for_a_board_however_many_lines_changed_it(world: World) -> None:
    number = world.board("alice", "bob")
    moves = [f"tumble move {number} alice alice-secret c1-c2", f"tumble move {number} bob bob-secret f8-f7"]
    letters = world.mail("alice", "multiple", "\n".join(moves))
    assert [x.subject for x in letters] == ["Tumble Board 101 alice", "Tumble Board 101 bob", "Multiple"]
    assert letters[0].first_line == "Your move, alice."


def test_ten_lines_at_most(world: World) -> None:
    world.signup("alice")
    (answer,) = world.mail("alice", "multiple", "\n".join(["games"] * 500))
    assert answer.text.count("> games\nThe games of this server:") == 10
    assert "A mail can have at most 10 commands." in answer.flat
    (one,) = world.mail("alice", "games")
    assert len(answer.text) < 11 * len(one.text)


def test_a_reply_to_a_board_letter_may_be_multiple(world: World) -> None:
    world.signup("alice")
    letter = world.mail("alice", "tumble challenge alice alice")[0]
    letters = world.reply(letter, "tumble move 101 alice alice-secret c1-c2\ngames", subject="multiple")
    assert letters[-1].subject == "Multiple"
    assert ply(world) == 1


def test_a_body_without_a_command_is_answered_shortly(world: World) -> None:
    world.signup("alice")
    (answer,) = world.mail("alice", "", "Dear all, how are you?")
    assert answer.text.startswith("Your mail contains no command, so nothing was done.")
