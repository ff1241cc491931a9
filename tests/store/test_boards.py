"""The properties of a board's row."""

from dataclasses import replace

import pytest
import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.games.base.board import replay
from pbmserv.model import SeatClock, Settings, Vacation
from tests.boards.seasons.events import begun
from tests.world import World


def test_a_row_says_what_is_played_and_its_title(world: World) -> None:
    row = world.row(world.board("alice", "bob"))
    assert (row.game, row.key, row.title) == (row.board.game, "tumble", "Tumble Board 101")


def test_of_two_seats_the_one_that_is_to_move_speaks(world: World) -> None:
    row = world.row(world.board("alice", "alice"))
    alice = row.players[0]
    assert row.seats_of(alice) == (0, 1)
    assert row.seat_to_move(alice) == 0
    world.mail("alice", "tumble move 101 alice alice-secret b3-c3")
    assert world.row(101).seat_to_move(alice) == 1


def test_a_player_who_is_not_to_move_has_the_first_of_his_seats(world: World) -> None:
    row = world.row(world.board("alice", "bob"))
    assert [row.seat_to_move(player) for player in row.players] == [0, 1]


def test_a_private_board_is_for_its_players(world: World) -> None:
    row = world.row(world.board("alice", "bob"))
    carol = replace(row.players[0], id=99, userid="carol")
    private = replace(row, settings=replace(row.settings, private=True))
    assert [private.may_be_read_by(p) for p in (*row.players, carol, None)] == [True, True, False, False]
    assert all(row.may_be_read_by(p) for p in (carol, None))


def _play(world: World, game: str, options: str, *lines: str, players: str = "alice bob") -> int:
    """Begin a board and let its players send lines such as `alice move a1-a2`."""
    number = world.board(*players.split(), game=game, options=options)
    for line in lines:
        userid, verb, *words = line.split()
        world.mail(userid, f"{game} {verb} {number} {userid} {userid}-secret {' '.join(words)}")
    return number


@pytest.mark.parametrize(
    ("game", "options", "lines", "players"),
    [
        ("tumble", "-c", ["alice move h4-g5t", "alice undo"], "alice bob"),
        ("tumble", "-c --repetition=3", ["alice move h4-g5t", "bob propose"], "alice bob"),
        ("tumble", "-c", ["bob resign"], "alice bob"),
        ("threes", "", ["alice move w", "alice resign"], "alice"),
        ("backgammon", "--dice=shared", ["bob move word=sesame"], "alice bob"),
        ("3io", "", ["bob resign"], "alice bob carol"),
        ("battleship", "", ["bob move random", "alice move random"], "alice bob"),
    ],
    ids=["undo", "repetition", "over", "score", "words", "out", "hidden"],
)
def test_a_board_is_read_as_its_log_makes_it(
    world: World, game: str, options: str, lines: list[str], players: str
) -> None:
    number = _play(world, game, options, *lines, players=players)
    row, log = world.row(number), world.query(lambda s: s.boards.entries(number))
    assert len(log) == len(lines)
    assert replay(row.board.start, log) == row.board
    assert world.query(lambda s: s.boards.find_many([number])) == {number: row}
    assert [line.entry for line in world.query(lambda s: s.boards.log(number, 1))] == log[1:]
    assert world.query(lambda s: s.boards.ends_of_logs([(number, 1, 1)])) == {number: log[:1]}


@pytest.fixture
def three(world: World) -> World:
    """Boards 101 to 103 of alice and bob; the last one is over."""
    for _ in range(3):
        world.board("alice", "bob", options="-c --nagtime=none --forfeittime=10")
    world.mail("bob", "tumble resign 103 bob bob-secret")
    return world


def test_the_running_boards_of_a_player(three: World) -> None:
    alice, carol = three.player("alice").id, 99
    assert three.act(lambda s: s.boards.lock_running(alice)) == [101, 102]
    assert three.act(lambda s: s.boards.lock_running(carol)) == []
    assert three.query(lambda s: s.boards.find(104)) is None
    assert three.query(lambda s: s.boards.find_many([])) == {}


def test_ends_stand_in_an_order_without_gaps(three: World) -> None:
    for number in (102, 101):
        three.mail("bob", f"tumble resign {number} bob bob-secret")
    assert _endings(three) == {103: 1, 102: 2, 101: 3}
    three.act(lambda s: s.boards.reopen(102))
    assert _endings(three) == {103: 1, 102: None, 101: 2}
    assert _ranks(three, 102) == [(None, None), (None, None)]
    assert _ranks(three, 101) == [(1, None), (2, None)]
    row = replace(three.row(102), board=three.row(101).board)
    three.act(lambda s: s.boards.set_result(row))
    assert _ranks(three, 102) == [(1, None), (2, None)]
    assert _endings(three) == {103: 1, 102: 3, 101: 2}


def test_a_board_that_runs_has_no_result_to_write(three: World) -> None:
    row = three.row(101)
    with pytest.raises(ValueError, match="not over"):
        three.act(lambda s: s.boards.correct_result(row))


def _endings(world: World) -> dict[int, int | None]:
    b = tables.board.c
    with world.engine.connect() as connection:
        return {row.number: row.ending for row in connection.execute(sa.select(b.number, b.ending))}


def _ranks(world: World, number: int) -> list[tuple[int | None, float | None]]:
    c = tables.seat.c
    with world.engine.connect() as connection:
        rows = connection.execute(sa.select(c.rank, c.score).where(c.board == number).order_by(c.seat))
        return [(row.rank, row.score) for row in rows]


def test_clocks_of_one_player_are_changed_where_they_run(three: World) -> None:
    three.mail("alice", "tumble move 102 alice alice-secret h4-g5t")
    alice, now = three.player("alice"), three.now.timestamp()
    three.act(lambda s: s.players.set_vacation(alice.id, Vacation(now, now + 9)))
    given, row = list[tuple[float | None, float]](), three.row(101)

    def change(clock: SeatClock, settings: Settings, vacation: float | None, created: float) -> SeatClock:
        given.append((vacation, created))
        assert settings == row.settings
        return replace(clock, nags=5)

    three.act(lambda s: s.boards.change_clocks(change, now, alice.id))
    assert given == [(now + 9, row.created.timestamp())]
    assert [[clock.nags for clock in three.row(n).clocks] for n in (101, 102, 103)] == [[5, 0], [0, 0], [0, 0]]


@pytest.mark.parametrize(("game", "moved"), [(None, [60, 60]), (("tumble", 1), [60, 60]), (("chess", 1), [0, 0])])
def test_lost_time_is_left_out_of_running_boards(three: World, game: tuple[str, int] | None, moved: list[int]) -> None:
    """The time of board 101 stands still, so it is moved alone."""
    now = three.now.timestamp()
    paused = replace(three.row(101).clocks[0], paused=now + 500)
    three.act(lambda s: s.boards.set_clock(101, 0, paused))
    before = [three.row(n).clocks for n in (101, 102, 103)]
    alone = list[SeatClock]()

    def change(clock: SeatClock, settings: Settings, vacation: float | None, created: float) -> SeatClock:
        alone.append(clock)
        return replace(clock, since=(clock.since or 0) + 60, due=(clock.due or 0) + 60)

    rules = game and (game[0], three.row(101).game.info.rules if game[0] == "tumble" else 1)
    three.act(lambda s: s.boards.leave_out(change, now, 60, now + 60, rules))
    after = [three.row(n).clocks for n in (101, 102, 103)]
    assert alone == ([before[0][0]] if any(moved) else [])
    for old, new, seconds in zip(before[:2], after[:2], moved, strict=True):
        assert ((new[0].since or 0) - (old[0].since or 0), (new[0].due or 0) - (old[0].due or 0)) == (seconds, seconds)
        assert new[1] == old[1]
    assert after[2] == before[2]


def test_boards_that_allow_few_days_of_vacation(world: World) -> None:
    begun(world, "alice", "bob", "carol", form="swiss", settings=Settings(vacation=5.0))
    world.mail("alice", "tumble challenge alice bob")
    few = [world.row(number) for number in (101, 102)]
    told = world.query(lambda s: s.boards.with_few_vacations(world.player("alice").id))
    assert told == [(row.number, row.settings, row.created.timestamp()) for row in few]
    assert [n for n, _, _ in world.query(lambda s: s.boards.with_few_vacations(world.player("bob").id))] == [101]
    world.mail("bob", "tumble resign 101 bob bob-secret")
    assert world.query(lambda s: s.boards.with_few_vacations(world.player("bob").id)) == []
