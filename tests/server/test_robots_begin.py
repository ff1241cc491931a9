"""How boards with robots begin: who has which colour, when they count, and what a seek offers meanwhile."""

import pytest

from pbmserv.boards.ratings import rating_formula
from pbmserv.store import Store
from tests.commands.answers import fail
from tests.server.test_robot_player import add
from tests.world import World


def colours(world: World) -> list[str]:
    """Return who moves first, board by board."""
    return [world.row(number).players[0].userid for number in world.query(lambda s: s.board_lists.numbers())]


@pytest.mark.parametrize("named", ["robot", "robert"])
@pytest.mark.parametrize("order", ["alice {}", "{} alice"])
def test_colours_alternate_however_the_robot_is_named(world: World, named: str, order: str) -> None:
    world.signup("alice", "bob")
    add(world, "robert", "four", boards=9)
    for _ in range(4):
        world.mail("alice", f"four challenge {order.format(named)}")
    first = order.format("robert").split()[0]
    other = {"alice": "robert", "robert": "alice"}[first]
    assert colours(world) == [first, other, first, other]
    world.mail("bob", "four challenge bob robert")  # each player has colours of their own
    assert colours(world)[-1] == "bob"


def test_a_board_that_does_not_count_changes_no_colours(world: World) -> None:
    """Else who declines each board on which the robot moves first would always have the first move."""
    world.signup("alice")
    add(world, "robert", "four", boards=9)
    for number in range(101, 105):
        world.mail("alice", "four challenge alice robert")
        if number > 101:
            world.mail("alice", f"four decline {number} alice alice-secret")
    assert colours(world) == ["alice", "robert", "robert", "robert"]


@pytest.mark.slow
def test_a_lot_decides_only_who_begins_the_first_board(world: World) -> None:
    world.signup("alice")
    add(world, "robert", "four", boards=9)
    for _ in range(5):
        world.mail("alice", "four challenge alice robert --random")
    first, second = colours(world)[:2]
    assert {first, second} == {"alice", "robert"}
    assert colours(world) == [first, second, first, second, first]


def test_unrated_boards_begin_as_they_are_named(world: World) -> None:
    world.signup("alice")
    add(world, "robert", "four", boards=9)
    for _ in range(3):
        world.mail("alice", "four challenge alice robert --unrated")
    assert colours(world) == ["alice"] * 3


def test_a_rematch_swaps_colours_and_the_next_challenge_goes_on_from_there(world: World) -> None:
    world.signup("alice")
    add(world, "robert", "four", boards=9)
    world.mail("alice", "four challenge alice robert")
    world.mail("alice", "four resign 101 alice alice-secret")
    world.mail("alice", "four rematch 101 alice alice-secret")
    world.mail("alice", "four challenge alice robert")
    assert colours(world) == ["alice", "robert", "alice"]


def test_robots_never_count_against_each_other(world: World) -> None:
    world.signup("alice")
    for robot in ("robert", "rita"):
        add(world, robot, "3io")
    world.mail("alice", "3io challenge alice robert rita")
    assert not world.row(101).settings.rated
    world.mail("alice", "3io challenge alice robert")
    assert world.row(102).settings.rated


@pytest.mark.parametrize(("game", "repetition"), [("tumble", 5), ("chess", 0), ("go", 0)])
def test_a_position_that_comes_back_five_times_is_a_draw(world: World, game: str, repetition: int) -> None:
    """Chess and Go have rules of their own for that."""
    world.signup("alice", "bob")
    add(world, "robert", game)
    world.mail("alice", f"{game} challenge alice robert")
    world.mail("alice", f"{game} challenge alice bob")
    assert [world.row(n).settings.repetition for n in (101, 102)] == [repetition, 0]


@pytest.mark.parametrize("limit", ["forfeittime", "totaltime", "bank"])
def test_a_robot_has_time_to_rest(world: World, limit: str) -> None:
    """It rests before each of its moves, so anybody could win on time from it, and rated."""
    world.signup("alice")
    add(world, "robert", "four")
    letter = fail(world, "alice", f"four challenge alice robert --nagtime=none --{limit}=0.2")
    assert "A robot takes no board with less than 0.25 days of time." in letter.flat
    world.mail("alice", f"four challenge alice robert --nagtime=none --{limit}=0.25")
    assert world.row().settings.rated


def test_the_letter_of_a_seek_offers_a_robot_meanwhile(world: World) -> None:
    world.signup("alice", "bob")
    (alone,) = world.mail("alice", "four seek alice alice-secret")
    assert "robot" not in alone.text
    add(world, "robert", "four")
    add(world, "rita", "othello")
    (letter,) = world.mail("bob", "othello seek bob bob-secret")
    assert "To play against a robot meanwhile, answer this letter with: play othello" in letter.flat
    world.reply(letter, "play othello")
    assert [p.userid for p in world.row().players] == ["bob", "rita"]
    assert len(world.query(lambda s: s.challenges.open_seeks("othello", 9))) == 1  # the robot has not joined it
    world.mail("bob", "set bob bob-secret language=de")
    (german,) = world.mail("bob", "four seek bob bob-secret")
    assert "gegen einen Roboter" in german.text


@pytest.mark.both
def test_a_robot_for_a_solitaire_is_nobodys_opponent(world: World) -> None:
    world.signup("alice")
    add(world, "robert", "threes")
    (answer,) = world.mail("alice", "threes challenge alice robot")
    assert "Threes is for 1 player" in answer.flat
    (letter,) = world.mail("zoe@example.org", "signup zoe zoe-secret")
    assert "robot" not in letter.text


@pytest.mark.slow
def test_the_nearest_rating_is_chosen(world: World) -> None:
    """Whoever has won much gets the stronger robot, whoever has lost much the weaker one."""
    world.signup("strong", "weak")
    for robot in ("easy", "hard"):
        add(world, robot, "four", boards=9)
    for winner, loser in (("strong", "easy"), ("hard", "weak")):
        for _ in range(5):
            _count(world, winner, loser)
    chosen = {}
    for player in ("strong", "weak"):
        world.mail(player, f"four challenge {player} robot")
        chosen[player] = world.row(max(world.query(lambda s: s.board_lists.numbers()))).players
    assert {p.userid for p in chosen["strong"]} == {"strong", "hard"}
    assert {p.userid for p in chosen["weak"]} == {"weak", "easy"}


@pytest.mark.slow
@pytest.mark.parametrize(("game", "levels"), [("chess", (5, 2, 1)), ("go", (4, 1, 0))])
def test_before_the_first_board_the_level_or_the_engine_tells_how_strong_a_robot_is(
    world: World, game: str, levels: tuple[int, ...]
) -> None:
    world.signup("alice")
    for robot, level in zip(("hard", "knows", "child"), levels, strict=True):
        add(world, robot, game, level)
    world.signup("fish")
    fish = world.player("fish")
    world.act(lambda store: store.robots.add(fish.id, game, 2, 3, "stockfish", 2000))
    for _ in range(4):
        world.mail("alice", f"{game} challenge alice robot")
    numbers = world.query(lambda s: s.board_lists.numbers())
    assert [{p.userid for p in world.row(n).players} - {"alice"} for n in numbers] == [{"knows"}] * 3 + [{"child"}]


def test_each_word_robot_stands_for_another_robot(world: World) -> None:
    world.signup("alice")
    for robot in ("easy", "hard"):
        add(world, robot, "3io", boards=9)
    world.mail("alice", "3io challenge alice robot robot")
    assert {p.userid for p in world.row().players} == {"alice", "easy", "hard"}
    world.mail("alice", "3io challenge alice robot easy")
    assert {p.userid for p in world.row(102).players} == {"alice", "easy", "hard"}
    (answer,) = world.mail("alice", "3io challenge alice robot robot robot")
    assert "No other robot plays 3io here." in answer.flat


def _count(world: World, winner: str, loser: str) -> None:
    """Change the ratings of two players as a won board does."""
    players = [world.player(winner), world.player(loser)]

    def change(store: Store) -> None:
        old = [store.ratings.find("four", p.id) for p in players]
        new = rating_formula.rate([r or rating_formula.UNRATED for r in old], (0, 1), (1, 2))
        for player, before, after in zip(players, old, new, strict=True):
            store.ratings.set("four", player.id, after, before)

    world.act(change)
