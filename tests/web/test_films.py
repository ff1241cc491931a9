"""Earlier plies: one replay makes all of them, and there are never too many in memory."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from pbmserv import games
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Start
from pbmserv.games.base.log import Entry
from pbmserv.model import BoardRow
from pbmserv.web.kept.films import Films
from tests.web.browser import browse, diagram, links, words
from tests.web.filled import play_on
from tests.world import World


def log_of(world: World, row: BoardRow) -> list[Entry]:
    return [line.entry for line in world.query(lambda s: s.boards.log(row.number))]


def test_a_film_has_what_stands_after_undo_and_resignation(world: World) -> None:
    number = world.board("alice", "bob", "carol", game="3io", options="-twostep")
    play_on(world, number, 2)
    start = world.row(number).board.start
    assert [b.ply for b in play.film(start, [])] == [0]
    board, log = play.begin(start), list[Entry]()
    for seat, text in ((0, "draw"), (0, "")):
        move = text or board.game.example(board.position, seat)
        change = play.play(board, seat, move)
        board = change.board
        log.append(change.entry)
    left = play.resign(board, 2)
    log.append(left.entry)
    boards = list(play.film(start, log))
    assert [b.ply for b in boards] == [0, 1, 2]
    assert boards[1].out == ()
    assert boards[2] == play.at(start, log, 2)
    assert boards[2].out == (2,)  # a player who left before the next move has left in this position


def test_moves_that_were_taken_back_are_in_no_film(world: World) -> None:
    number = world.board("alice", "bob")
    play_on(world, number, 2)
    world.mail("alice", f"tumble undo {number} alice alice-secret")
    world.mail("bob", f"tumble accept {number} bob bob-secret")
    assert world.row(number).board.ply == 0
    play_on(world, number, 1)
    with browse(world) as pages:
        assert words(pages.get(f"/boards/{number}")).count("Ply 1 of 1") == 1
        assert pages.get(f"/boards/{number}/2").status_code == 404
        row = world.row(number)
        game = row.game
        assert diagram(pages.get(f"/boards/{number}/1?display=h")) == world.site.renderer.diagram(
            game, game.view(row.board.position, None)
        )


def test_each_board_of_a_film_is_as_it_was_played() -> None:
    start = Start(games.find("chess"), {}, 2, "0" * 32)
    boards, log = [play.begin(start)], list[Entry]()
    for ply, text in enumerate(("f2f3", "e7e5", "g2g4", "d8h4")):
        change = play.play(boards[-1], ply % 2, text)
        boards.append(change.board)
        log.append(change.entry)
    film = list(play.film(start, log))
    assert film == boards  # a replay does not look for the legal moves of positions after which one was played
    assert all(board.start is start for board in film)
    assert film[-1].result


@pytest.mark.slow
def test_a_log_is_replayed_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    row = played(world, 6)
    log, films, count = log_of(world, row), Films(), 0
    film = play.film

    def counted(*args: object) -> object:
        nonlocal count
        count += 1
        return film(*args)  # type: ignore[arg-type]  # the arguments of the real one

    monkeypatch.setattr(play, "film", counted)
    with ThreadPoolExecutor(4) as threads:
        boards = list(threads.map(lambda ply: films.film(row, log)[ply], range(7)))
    assert [b.ply for b in boards] == list(range(7))
    assert count == 1


def test_a_new_move_is_added_to_the_film(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    row = played(world, 3)
    films, follow, count = Films(), play.follow, 0

    def counted(*args: object) -> object:
        nonlocal count
        count += 1
        return follow(*args)  # type: ignore[arg-type]  # the arguments of the real one

    before = films.film(row, log_of(world, row))
    assert before[3].ply == 3
    play_on(world, row.number, 2)
    after = world.row(row.number)
    monkeypatch.setattr(play, "follow", counted)
    boards = films.film(after, log_of(world, after))
    added = list(boards)
    assert count == 2
    assert added == list(play.film(after.board.start, log_of(world, after)))
    assert (len(before), films.kept) == (4, 6)


@pytest.mark.parametrize("verb", ["undo", "propose"])
def test_a_film_is_made_anew_if_more_than_moves_were_added(verb: str, world: World) -> None:
    row, films = played(world, 3), Films()
    films.film(row, log_of(world, row))
    world.mail("alice", f"tumble {verb} {row.number} alice alice-secret")
    world.mail("bob", f"tumble accept {row.number} bob bob-secret")
    after = world.row(row.number)
    assert after.board.length == row.board.length + 2
    boards = films.film(after, log_of(world, after))
    assert [board.ply for board in boards] == list(range(after.board.ply + 1))
    assert boards[-1].position == after.board.position


def test_another_log_of_the_same_board_has_its_own_film(world: World) -> None:
    row, films = played(world, 3), Films()
    log = log_of(world, row)
    films.film(row, log)
    restored = replace(row, board=play.replay(row.board.start, log[:2]))
    assert len(films.film(restored, log[:2])) == 3
    other = [*log[:2], play.play(restored.board, 0, "f1-g1").entry]
    assert other[2].text != log[2].text
    again = replace(row, board=play.replay(row.board.start, other), changed=row.changed + timedelta(1))
    assert films.film(again, other)[3].position == again.board.position


def test_the_films_that_were_not_looked_at_lately_go_first(world: World) -> None:
    rows = [played(world, 4) for _ in range(3)]
    films = Films(most=10)
    for row in (rows[0], rows[1], rows[0], rows[2]):
        films.film(row, log_of(world, row))[1]
        assert films.kept <= 10
    assert list(films._reels._values) == [rows[0].number, rows[2].number]


def test_a_board_that_is_too_long_shows_its_last_position_only(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbmserv.web.boards.MOST_ENTRIES", 3)
    row = played(world, 4)
    with browse(world) as pages:
        assert pages.get(f"/boards/{row.number}/4").status_code == 200
        page = pages.get(f"/boards/{row.number}/2")
        assert page.status_code == 404
        assert "Ask for its plies by mail." in page.text


def test_a_board_that_is_too_long_has_links_to_no_records_for_which_it_is_replayed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = world.board("alice", "bob", game="othello")
    play_on(world, number, 4)
    path = f"/boards/{number}/record"
    for most, status in ((4, 200), (3, 404)):
        monkeypatch.setattr("pbmserv.web.boards.MOST_ENTRIES", most)
        with browse(world) as pages:
            assert pages.get(f"{path}.sgf").status_code == status
            assert (f"{path}.sgf" in links(pages.get(f"/boards/{number}"))) == (status == 200)
            assert f"{path}.json" in links(pages.get(f"/boards/{number}"))


def played(world: World, plies: int) -> BoardRow:
    """Return a board after so many plies."""
    number = world.board("alice", "bob")
    play_on(world, number, plies)
    return world.row(number)
