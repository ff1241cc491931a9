"""`signoff` and `delete`: what is deleted and what is kept."""

import pytest
import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.model import Rating
from tests.world import World


def _id(world: World, userid: str) -> int:
    return world.player(userid).id


def _rating(world: World, userid: str) -> Rating | None:
    id_ = _id(world, userid)
    return world.query(lambda s: s.ratings.find("tumble", id_))


def _rows(world: World, table: sa.Table) -> int:
    with world.engine.connect() as connection:
        return int(connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())


@pytest.mark.parametrize("verb", ["signoff", "delete"])
def test_before_the_first_move_a_board_is_declined(world: World, verb: str) -> None:
    number = world.board("alice", "bob", options="-c")
    letters = world.mail("bob", f"{verb} bob bob-secret", "Farewell, all!")
    assert {(x.to, x.subject) for x in letters} == {
        ("bob@example.org", "Goodbye"),
        ("alice@example.org", f"Tumble Board {number} alice"),
    }
    [to_alice] = [x for x in letters if x.to.startswith("alice")]
    assert "no result (the board was declined)" in to_alice.text
    assert "Farewell, all!" in to_alice.text
    assert _rating(world, "alice") is None
    world.verify()


def test_after_the_first_move_a_board_is_resigned_and_rated(world: World) -> None:
    number = world.board("alice", "bob", options="-c")
    world.mail("alice", f"tumble move {number} alice alice-secret h4-g5t")
    world.mail("bob", f"tumble move {number} bob bob-secret a5-b4t")
    world.play(number)
    letters = world.mail("alice", "signoff alice alice-secret")
    [to_bob] = [x for x in letters if x.to.startswith("bob")]
    assert "bob wins (by resignation)" in to_bob.text
    rating = _rating(world, "bob")
    assert rating is not None
    assert rating.won == 1
    world.verify()


def test_nothing_of_the_person_remains(world: World) -> None:
    world.board("alice", "bob", options="-c")
    world.mail("alice", "set alice alice-secret mail=text block=bob")
    world.mail("alice", "tumble set alice alice-secret u")
    world.mail("alice", "vacation alice alice-secret 3")
    world.mail("alice", "forgot alice")
    world.mail("alice", "signoff alice alice-secret")
    player = world.player("alice")
    assert player.password_hash is None
    assert world.query(lambda s: s.addresses.of(player.id)) == []
    for table in (tables.preference, tables.block, tables.vacation, tables.token, tables.counter):
        assert _rows(world, table) == 0
    with world.engine.connect() as connection:
        closed = connection.scalar(sa.select(tables.player.c.closed).where(tables.player.c.id == player.id))
    assert closed is not None


def test_seeks_subscriptions_and_kept_moves_go_too(world: World) -> None:
    number = world.board("alice", "bob", options="-c")
    world.signup("carol")
    ids = {u: _id(world, u) for u in ("alice", "bob", "carol")}
    seek = {"game": "tumble", "options": {}, "settings": {}, "seats": 3, "random": False, "created": world.now}
    with world.engine.begin() as connection:
        connection.execute(sa.insert(tables.seek), [{**seek, "number": 1}, {**seek, "number": 2}])
        connection.execute(
            sa.insert(tables.seeker),
            [
                {"seek": 1, "place": 0, "player_id": ids["alice"]},
                {"seek": 2, "place": 0, "player_id": ids["carol"]},
                {"seek": 2, "place": 1, "player_id": ids["alice"]},
            ],
        )
        connection.execute(
            sa.insert(tables.subscription), {"board": number, "player_id": ids["alice"], "end_only": False}
        )
        for seat in (0, 1):
            queued = {"board": number, "seat": seat, "number": 1, "theirs": "", "mine": "h4-g5t"}
            connection.execute(sa.insert(tables.queued), queued)
            connection.execute(
                sa.insert(tables.submitted), {"board": number, "seat": seat, "length": 0, "moves": "h4-g5t"}
            )
    world.mail("alice", "signoff alice alice-secret")
    with world.engine.connect() as connection:
        still_open = list(connection.scalars(sa.select(tables.seek.c.number).where(tables.seek.c.closed.is_(None))))
        seekers = [(r.seek, r.player_id) for r in connection.execute(sa.select(tables.seeker))]
        seats = [set(connection.scalars(sa.select(t.c.seat))) for t in (tables.queued, tables.submitted)]
    assert still_open == [2]
    assert seekers == [(2, ids["carol"])]
    assert seats == [set(), {1}]  # the queues of a board that is over are empty
    assert _rows(world, tables.subscription) == 0


def test_the_userid_stays_reserved_and_the_boards_stay_readable(world: World) -> None:
    number = world.board("alice", "bob", options="-c")
    world.mail("alice", "signoff alice alice-secret")
    [taken] = world.mail("mallory", "signup alice other-secret")
    assert "The userid alice is taken." in taken.text
    [board] = world.mail("bob", f"tumble show {number}")
    assert "alice" in board.text
    [boards] = world.mail("bob", "tumble games alice all")
    assert str(number) in boards.text
    [shown] = world.mail("bob", "tumble show alice all")
    assert f"Tumble Board {number}" in shown.text
    [gone] = world.mail("bob", "tumble challenge bob alice")
    assert "The account alice is closed." in gone.text


def test_a_closed_account_cannot_be_used_any_more(world: World) -> None:
    world.signup("alice", "bob")
    world.mail("alice", "signoff alice alice-secret")
    [letter] = world.mail("bob", "set alice alice-secret")
    assert "The account alice is closed." in letter.text


def test_a_board_of_three_is_left_to_the_others(world: World) -> None:
    number = world.board("alice", "bob", "carol", game="3io")
    row = world.row(number)
    [seat] = row.board.to_move
    first = row.players[seat].userid
    world.mail(first, f"3io move {number} {first} {first}-secret {row.game.example(row.board.position, seat)}")
    world.mail(first, f"signoff {first} {first}-secret")
    after = world.row(number).board
    assert after.out == (seat,)
    assert after.result is None
    world.verify()


def test_somebody_who_plays_himself_leaves_with_both_seats(world: World) -> None:
    number = world.board("alice", "alice")
    world.mail("alice", "signoff alice alice-secret")
    assert world.row(number).board.result is not None
    world.verify()


def test_the_verb_is_never_shortened_and_needs_the_password(world: World) -> None:
    world.board("alice", "bob", options="-c")
    before = world.dump()
    for line in (
        "signof alice alice-secret",
        "delet alice alice-secret",
        "signoff alice wrong-secret",
        "signoff alice",
    ):
        [letter] = world.mail("alice", line)
        assert letter.subject == "Error"
        assert "Goodbye" not in letter.text
    assert world.dump() == before
