"""The properties of a board's row."""

from dataclasses import replace

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
