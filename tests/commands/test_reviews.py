"""`review`: what decided a finished board. Robots judge it, one position at a time, when they have no move to make."""

import re
import threading
from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest
import sqlalchemy as sa

from pbmserv.admin.people.fairness import fairness
from pbmserv.db import tables
from pbmserv.model import NewPairing, Phase, Settings, TournamentPlan
from pbmserv.robots import levels
from pbmserv.robots.engines import Engines
from pbmserv.server.chores.reviewer import WAIT, Reviewer
from pbmserv.server.robot_player import LEASE, Robots
from pbmserv.store import Store
from tests.commands.answers import fail, only, to
from tests.letters.html import taps
from tests.web.browser import browse
from tests.world import Received, World

BLUNDER = ["e4", "e5", "Qh5", "Nc6", "Qxe5+", "Nxe5"]  #: White's queen takes a pawn that a knight protects


@pytest.fixture(autouse=True)
def judge(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the judge be a robot of the level below, which sees that a queen is lost, and takes no time."""
    monkeypatch.setattr(levels, "strongest", lambda game: levels.levels(game)[-2].number)


def played(world: World, moves: Sequence[str] = BLUNDER) -> list[Received]:
    """Play a board of chess that White resigns. Returns its last letters."""
    number = world.begin(("alice", "bob"), "chess", "")
    for n, move in enumerate(moves):
        who = ("alice", "bob")[n % 2]
        world.mail(who, f"chess move {number} {who} {who}-secret {move}")
    return world.mail("alice", f"chess resign {number} alice alice-secret")


def work(world: World) -> list[Received]:
    """Let the robots do what they have to do, and return the letters that came of it."""
    robots = Robots(world.engine, world.site, world.pipeline, lambda: world.now, engines=Engines({}))
    while robots.play():
        pass
    return world.letters()


def asked(world: World, who: str = "alice", number: int = 101) -> str:
    """Ask for a review, and return the answer on one line."""
    return only(world.mail(who, f"chess review {number}")).flat


@pytest.mark.slow
@pytest.mark.both
def test_the_letter_names_the_blunder_and_the_review_is_kept(world: World) -> None:
    last = world.once(played)
    tap = next(tap for tap in taps(to(last, "alice").html) if tap.text == "review")
    answer = only(world.mail("alice", tap.subject, tap.body, to=tap.to))
    assert "The review of board 101 is asked for. It comes as a letter when it is done" in answer.flat
    assert "101 is asked for" in asked(world, "bob")
    assert world.query(lambda s: s.reviews.is_asked())
    letter = to(work(world), "alice")
    assert letter.subject == "Review of board 101"
    assert re.search(
        "alice [(]White[)]: accuracy [0-9]+ percent\nbob [(]Black[)]: accuracy [0-9]+ percent", letter.text
    )
    assert "Ply 5: alice (White) played Qxe5+" in letter.text
    assert "This gave the queen for a pawn. The chance to win fell from" in letter.flat
    assert "After Qxe5+: Nxe5" in letter.text
    assert "played Qxe5+" in asked(world, "bob")
    assert "played Qxe5+" in asked(world, "bob")  # what is kept costs nothing
    assert "This gave the queen for a pawn. Better:" in only(world.mail("bob", "chess record 101 --format=pgn")).flat


def same_position(world: World) -> None:
    """Begin another board, which goes the same way for a move."""
    world.begin(("alice", "bob"), "chess", "")
    world.mail("alice", "chess move 102 alice alice-secret e4")


def of_a_tournament(world: World) -> None:
    """Let board 101 count for a season that is running."""
    plan = TournamentPlan("chess", "Cup", "swiss", {}, Settings(), world.now, size=2)
    first, second = (p.id for p in world.row().players)

    def pair(store: Store) -> None:
        number = store.tournaments.add(plan, None, world.now).number
        store.tournaments.change(number, phase=Phase.PLAYING, season=1)
        store.tournaments.pair(number, 1, [NewPairing(1, 1, first, second)], world.now)
        store.tournaments.begun(store.tournaments.pairings(number, 1)[0].id, 101)
        store._connection.execute(sa.update(tables.board).where(tables.board.c.number == 101).values(tournament=number))

    world.act(pair)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("prepare", "why", "end"),
    [
        (same_position, "Board 102 stands as board 101 did.", "chess resign 102 alice alice-secret"),
        (of_a_tournament, "Board 101 belongs to a tournament that is not over.", ""),
    ],
)
def test_a_review_that_would_help_in_a_game_waits(
    world: World, prepare: Callable[[World], None], why: str, end: str
) -> None:
    world.once(played)
    prepare(world)
    assert why in asked(world)
    assert work(world) == []
    if end:
        world.mail("alice", end)
    else:
        world.act(lambda store: store.tournaments.change(1, phase=Phase.OVER))
    assert work(world) == []
    world.now += timedelta(seconds=WAIT)
    assert only(work(world)).subject == "Review of board 101"


@pytest.mark.parametrize(
    ("sender", "line", "why"),
    [
        ("carol", "chess review 101", "carol does not play on board 101. Its players are: alice and bob."),
        ("alice", "chess review 102", "Board 102 is not over yet."),
        ("alice", "chess review 103", "Board 103 was not played"),
        ("alice", "chess review 104", "You have asked for a review today already. You can do it again after"),
    ],
)
def test_who_can_ask_for_which_boards_and_how_often(world: World, sender: str, line: str, why: str) -> None:
    world.once(played)
    world.signup("carol")
    for _ in range(2):
        world.begin(("bob", "alice"), "chess", "")
    world.mail("alice", "chess decline 103 alice alice-secret")
    played(world, BLUNDER[:2])
    if "104" in line:
        asked(world)
    assert why in fail(world, sender, line).flat


@pytest.mark.slow
def test_a_killed_process_loses_nothing(world: World) -> None:
    """Whatever a step does not store is done again by another process, and what it stored is kept."""
    world.once(played)
    asked(world)
    first, second = (
        Reviewer(world.engine, world.site, lambda: world.now, threading.Lock(), Engines({}), LEASE) for _ in range(2)
    )
    assert first.step()
    taken = first._take()  # and now it is killed
    assert taken is not None
    assert len(taken.verdicts) == 1
    assert not second.step()
    world.now += timedelta(seconds=LEASE)
    while second.step():
        pass
    assert only(world.letters()).subject == "Review of board 101"
    assert not world.query(lambda s: s.reviews.is_asked())


@pytest.mark.both
def test_a_review_of_a_board_that_has_gone_on_is_dropped(world: World) -> None:
    world.once(played)
    world.act(lambda store: store.reviews.ask(101, 3, (0,), world.now))
    assert work(world) == []
    assert world.query(lambda s: s.reviews.find(101)) is None


@pytest.mark.slow
def test_it_stands_on_the_pages_of_the_board(world: World) -> None:
    world.allow(web_url="https://games.example")
    last = played(world)
    own = re.search("/my/[a-z0-9.]+", to(last, "alice").text)
    asked(world)
    world.mail("alice", "set alice alice-secret language=de")
    work(world)
    with browse(world) as client:
        page = client.get("/boards/101/3").text
        assert '<h2 id="review">What decided the game</h2>' in page
        assert "This gave the queen for a pawn. The chance to win fell from" in page
        assert page.count("<svg") >= 3  # the board, the curve, and at least one moment
        assert "This gave the queen for a pawn. Better:" in client.get("/boards/101/record.pgn").text.replace("\n", " ")
        assert own
        german = client.get(own[0]).text
        assert "Was die Partie entschieden hat" in german
        assert "Das gab die Dame für einen Bauern." in german


@pytest.mark.slow
@pytest.mark.both
def test_an_operator_compares_players_with_the_judge(world: World) -> None:
    world.once(played)
    asked(world)
    assert world.query(lambda s: fairness(s, None)) == []
    work(world)
    alice, bob = world.query(lambda s: fairness(s, None))
    assert (alice["userid"], alice["board"], alice["engines"]) == ("alice", 101, "forbidden")
    assert alice["accuracy"] < bob["accuracy"]
    assert world.query(lambda s: fairness(s, s.players.find("bob"))) == [bob]
