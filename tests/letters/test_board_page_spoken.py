"""Letters for screen readers and Braille displays: `mail=spoken`."""

import random
import re

import pytest

from pbmserv.games import GAMES, find, of_families
from pbmserv.games.base import AnyGame, Game
from pbmserv.games.base.board import Board, Start, begin, play, resign
from pbmserv.letters.text.aloud import SPOKEN_WIDTH
from pbmserv.letters.text.templates import SPOKEN, Renderer, template_of
from pbmserv.server.clock import Clock
from pbmserv.store import Store
from tests.examples import some_of
from tests.games.toy import Toy
from tests.letters.hearing import by_place, heard, stored
from tests.tools.tree import ROOT
from tests.world import RENDERER, Received, World

SETS = [
    ("tumble", 2, {}),
    ("tumble", 2, {"c": ""}),
    ("threes", 1, {}),
    ("town", 1, {}),
    ("town", 1, {"b": ""}),
    ("3io", 2, {}),
    ("3io", 4, {"quick": ""}),
    ("trippples", 2, {}),
    ("trippples", 2, {"p": "", "w": ""}),
    ("trippples", 2, {"h": ""}),
    ("trippples", 4, {"d": ""}),
    ("trippples", 2, {"i": ""}),
]


def set_spoken(world: World, userid: str, value: str = SPOKEN) -> None:
    with world.engine.begin() as connection:
        store = Store(connection)
        player = store.players.find(userid)
        assert player
        store.players.set_preference(player.id, "", "mail", value)


def described(board: Board, seat: int | None) -> str:
    return RENDERER.diagram(board.game, board.game.view(board.position, seat), SPOKEN)


def walk(game: AnyGame, seats: int, options: dict[str, str], seed: int, most: int) -> list[Board]:
    """Yield the boards of a random game. With more than two players one of them leaves."""
    numbers = random.Random(seed)
    boards = [begin(Start(game, options, seats, f"{seed:032x}"))]
    while (board := boards[-1]).to_move and len(boards) < most:
        seat = min(board.to_move)
        move = game.format(numbers.choice(game.legal_moves(board.position, seat)))
        leaves = seats > 2 and len(boards) == 20
        boards.append((resign(board, seat) if leaves else play(board, seat, move)).board)
    return boards


def first_move(world: World) -> tuple[str, str]:
    """Return who is to move on board 101, and their first legal move."""
    row = world.query(lambda s: s.boards.find(101))
    assert row
    seat = min(row.board.to_move)
    game = row.game
    return row.players[seat].userid, game.format(game.legal_moves(row.board.position, seat)[0])


@pytest.mark.parametrize(("key", "seats", "options"), SETS)
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_description_determines_the_position(key: str, seats: int, options: dict[str, str], seed: int) -> None:
    """The first forty positions of a game, and others of a whole game."""
    game = find(key)
    boards = walk(game, seats, options, seed, 40 if seed == 1 else 5000)
    for board in boards if seed == 1 else some_of(boards, 4):
        for reader in (None, 0):
            assert heard(key, described(board, reader)) == stored(key, game.view(board.position, reader).position)


@pytest.mark.parametrize(("key", "seats", "options"), SETS)
def test_a_description_is_words_on_short_lines(key: str, seats: int, options: dict[str, str]) -> None:
    for board in walk(find(key), seats, options, 3, 100)[::9]:
        for line in described(board, 0).split("\n"):
            assert 0 < len(line) <= SPOKEN_WIDTH
            assert line.isascii()
            assert not set(line) & set("|+_/\\*#=<>")
            assert "--" not in line


@pytest.mark.slow
@pytest.mark.parametrize(("key", "seats", "options"), SETS)
def test_the_changes_lead_from_one_description_to_the_next(key: str, seats: int, options: dict[str, str]) -> None:
    game = find(key)
    boards = walk(game, seats, options, 4, 60)
    for before, after in zip(boards, boards[3:], strict=False):
        views = [game.view(board.position, 0) for board in (before, after)]
        facts = _labelled(described(before, 0)) | _labelled(RENDERER.changes(game, *views))
        wanted = _labelled(described(after, 0))
        assert {k: v for k, v in facts.items() if k in wanted} == wanted
        assert {v for k, v in facts.items() if k not in wanted and len(k) == 2} <= {"now empty"}


def test_every_game_has_a_description_or_a_picture() -> None:
    described = {f.stem for f in (ROOT / "templates" / "spoken").iterdir()} - {"any-board"}
    assert described <= {template_of(game) for game in (*GAMES, *of_families())}
    assert described >= {template_of(game) for game in GAMES if type(game).picture is Game.picture}


def test_a_game_without_one_is_drawn() -> None:
    toy = Toy()
    first = str(ROOT / "tests" / "conformance" / "templates")
    board = begin(Start(toy, {}, toy.info.seats[0], "0" * 32))
    view = toy.view(board.position, 0)
    assert Renderer(first).diagram(toy, view, SPOKEN) == Renderer(first).diagram(toy, view)


@pytest.fixture
def letters(world: World) -> list[Received]:
    """Return the letters about alice's second move on a tumble board.

    Alice gets the board in words, Bob as a diagram.
    """
    world.signup("alice", "bob")
    set_spoken(world, "alice")
    (first, _) = world.mail("alice", "tumble challenge alice bob -c")
    world.reply(first, "h4-g5t")
    return world.mail("bob", "tumble move 101 bob bob-secret a5-b4t", "Your move.\n\nGood luck!")


def test_a_listener_gets_text_alone(letters: list[Received]) -> None:
    alice, bob = (letter.message for letter in sorted(letters, key=lambda x: x.to))
    assert alice.get_content_type() == "text/plain"
    assert bob.get_content_type() == "multipart/alternative"


def test_a_letter_for_ears(letters: list[Received]) -> None:
    (alice,) = [x.text for x in letters if x.to == "alice@example.org"]
    before, _, board = alice.partition("\n\nThe whole board:\n")
    assert before == (
        "Ply 2, bob: a5 to c3, tumble.\nYour move, alice.\n\nMove by Sunday, 22 March, 12:00 UTC.\n\n"
        "Tumbling Down board 101 (-c, rated, reminder after 7 days, time limit 21 days)\n\n"
        "What has changed since you last looked:\n"
        "1 white: b4 c3\na5: now empty\n\n"
        "bob writes:\n    Your move.\n\n    Good luck!\n\n"
        "Black: alice\nWhite: bob\nPly 1, alice: h4 to f6, tumble\nPly 2, bob: a5 to c3, tumble"
    )
    assert board.startswith("Every stack from the bottom up\na8: 4 white\n3 white: b8 a7\n")
    assert "+--" not in alice


def test_a_listener_who_asks_hears(world: World) -> None:
    """Answers that show a board describe it in words, too: `showas`, and errors."""
    world.board("alice", game="threes")
    set_spoken(world, "alice")
    shown = world.mail("alice", "threes showas alice alice-secret 101")[0].text
    wrong = world.mail("alice", "threes move 101 alice alice-secret x")[0].text
    for text in (shown, wrong):
        assert "Row 4: " in text
        assert "+-" not in text
    assert "Player: alice\n" in shown


def test_a_solitaire_is_told_in_tens(world: World) -> None:
    world.board("alice", game="threes")
    set_spoken(world, "alice")
    for _ in range(12):
        (letter,) = world.mail("alice", f"threes move 101 alice alice-secret {first_move(world)[1]}")
    plies = [line for line in letter.text.replace("\n  ", " ").split("\n") if line.startswith("Plies")]
    assert [line.partition(":")[0] for line in plies] == ["Plies 1 to 10", "Plies 11 to 12"]
    assert set(plies[0].partition(": ")[2].split(", ")) <= {"up", "down", "left", "right"}
    assert len(plies[0].split()) == 14


@pytest.mark.slow
def test_a_missed_turn_is_told(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbmserv.commands.starting.secrets.token_hex", lambda size: "5eed" * (size // 2))
    world.signup("alice", "bob")
    set_spoken(world, "alice")
    world.mail("alice", "trippples challenge alice bob")
    for _ in range(40):
        userid, move = first_move(world)
        letters = world.mail(userid, f"trippples move 101 {userid} {userid}-secret {move}")
        text = next(x.text for x in letters if x.to == "alice@example.org")
        if re.search(r"^ ?\d+ .* -( |$)", next(x.text for x in letters if x.to == "bob@example.org"), re.MULTILINE):
            assert " misses a turn" in text.replace("\n  ", " ")
            return
    raise AssertionError("nobody missed a turn")


def test_the_digest_of_a_listener(world: World) -> None:
    world.board("alice", "bob", options="-c")
    set_spoken(world, "bob")
    with world.engine.begin() as connection:
        store = Store(connection)
        bob = store.players.find("bob")
        assert bob
        store.players.set_preference(bob.id, "", "digest", "daily")
    world.mail("alice", "tumble move 101 alice alice-secret h4-g5t")
    world.now = world.now.replace(day=3)
    Clock(world.engine, world.site, lambda: world.now, gap=float("inf")).sweep()
    digest = next(x for x in world.letters() if x.subject == "Digest")
    assert digest.message.get_content_type() == "text/plain"
    assert "\nTumbling Down board 101 " in digest.text
    assert "Ply 1, alice: h4 to f6, tumble\n" in digest.text
    assert "====" not in digest.text


def test_text_alone_is_drawn(world: World) -> None:
    world.signup("alice")
    set_spoken(world, "alice", "text")
    (letter,) = world.mail("alice", "threes challenge alice")
    assert letter.message.get_content_type() == "text/plain"
    assert "+------+" in letter.text


def test_a_listener_sets_it_himself_and_hears_boards_he_subscribed_to(world: World) -> None:
    world.board("alice", "bob", options="-c")
    world.signup("carol")
    world.mail("carol", "set carol carol-secret mail=spoken")
    world.mail("carol", "tumble subscribe 101 carol carol-secret")
    letters = world.mail("alice", "tumble move 101 alice alice-secret h4-g5t")
    copy = next(x for x in letters if x.to == "carol@example.org")
    assert copy.message.get_content_type() == "text/plain"
    assert copy.first_line == "Ply 1, alice: h4 to f6, tumble."
    assert "\n1 black: f6, g5 " in copy.text
    assert "+--" not in copy.text


def _labelled(text: str) -> dict[str, str]:
    lines = text.replace("\n  ", " ").split("\n")
    return dict(by_place(line.split(": ", 1) for line in lines if ": " in line))


def test_a_move_that_was_taken_back_is_no_obstacle(world: World) -> None:
    """The last move that this reader saw was taken back: the words about changes must not look for it."""
    number = world.board("alice", "bob", options="-c")
    set_spoken(world, "bob")
    world.mail("alice", f"tumble move {number} alice alice-secret h4-g5t")
    world.mail("bob", f"tumble move {number} bob bob-secret a5-a4")
    world.mail("bob", f"tumble undo {number} bob bob-secret")
    letters = world.mail("alice", f"tumble accept {number} alice alice-secret")
    (letter,) = (x for x in letters if x.to == "bob@example.org")
    assert "Your move, bob." in letter.flat
    assert "since you last looked:\na5: 2 white\na4: 1 white\n" in letter.text


def test_squares_are_spelt_and_moves_listed_in_words_for_who_wants_it(world: World) -> None:
    world.board("alice", "bob", game="chess")
    world.mail("alice", "set alice alice-secret mail=spoken spelling=words")
    world.mail("bob", "set bob bob-secret mail=spoken language=de")
    letters = world.mail("alice", "chess move 101 alice alice-secret e2e4")
    mine, his = (next(x for x in letters if x.to == f"{who}@example.org") for who in ("alice", "bob"))
    assert mine.first_line == "Ply 1, alice: pawn echo 4."
    assert "White: king echo 1, queen delta 1, rooks alfa 1 hotel 1," in mine.flat
    assert his.first_line == "Zug 1, alice: Bauer e4."
    assert "Weiß: König e1, Dame d1, Türme a1 h1, Läufer c1 f1, Springer b1 g1. Bauern a2 " in his.flat
    (moves,) = world.reply(his, "moves")
    assert "\nSpringer a6 c6 f6 h6\n" in moves.text
    assert all(len(line) <= 79 for letter in (mine, moves) for line in letter.text.split("\n"))
