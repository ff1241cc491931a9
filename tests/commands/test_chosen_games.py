"""PBMSERV_GAMES: only boards of chosen games begin. Boards of the others go on, and nothing about them is lost."""

import re

import pytest

from pbmserv.boards.entries import rebuild_ratings
from pbmserv.games import listed
from tests.web.browser import browse
from tests.world import World

NO_MORE = "No new boards of Othello begin on this server."


@pytest.fixture
def chosen(world: World) -> World:
    """A server with boards of othello, 101 running and 102 finished, and an open seek. Then others were chosen."""
    world.once(_begin)
    world.allow(games=("gomoku", "four"))
    return world


def _begin(world: World) -> None:
    world.signup("alice", "bob", "carol")
    for _ in range(2):
        world.board("alice", "bob", game="othello")
    world.mail("alice", "othello move 102 alice alice-secret d3")
    world.mail("bob", "othello move 102 bob bob-secret c3")
    world.play(102)
    world.mail("bob", "othello resign 102 bob bob-secret")
    world.mail("alice", "othello seek alice alice-secret")
    world.mail("alice", "gomoku seek alice alice-secret")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sender", "line"),
    [
        ("alice", "othello challenge alice bob"),
        ("alice", "reversi challenge alice bob"),
        ("alice", "othello challenge alice erik@example.org"),
        ("alice", "othello seek alice alice-secret"),
        ("bob", "othello join 1 bob bob-secret"),
        ("bob", "othello rematch 102 bob bob-secret"),
        ("bob", "othello fork 102#0 alice bob"),
    ],
)
def test_no_board_of_another_game_begins(chosen: World, sender: str, line: str) -> None:
    before = chosen.row(102)
    (answer,) = chosen.mail(sender, line)
    assert NO_MORE in answer.flat
    assert "You can begin one of: gomoku, four" in answer.flat
    assert chosen.query(lambda s: s.boards.find(103, lock=False)) is None
    assert chosen.row(102) == before


def test_an_invitation_to_it_cannot_be_accepted(chosen: World) -> None:
    chosen.allow(games=())
    letters = chosen.mail("alice", "othello challenge alice dora@example.org --as=alice:alice-secret")
    invitation = next(x for x in letters if x.to == "dora@example.org")
    chosen.allow(games=("gomoku", "four"))
    (answer,) = chosen.reply(invitation, "accept dora", "dora@example.org")
    assert NO_MORE in answer.flat
    assert chosen.query(lambda s: s.players.find("dora")) is None


def test_the_answer_speaks_german(chosen: World) -> None:
    chosen.mail("alice", "set alice alice-secret language=de")
    (answer,) = chosen.mail("alice", "othello challenge alice bob")
    assert "Auf diesem Server beginnen keine neuen Partien Othello." in answer.flat


def test_a_board_goes_on_to_its_end(chosen: World) -> None:
    chosen.mail("alice", "othello move 101 alice alice-secret d3")
    assert chosen.row(101).board.ply == 1
    assert "OTHELLO" in chosen.mail("alice", "othello help")[0].text
    chosen.mail("bob", "othello move 101 bob bob-secret c3")
    chosen.play()
    chosen.mail("bob", "othello resign 101 bob bob-secret")
    assert chosen.row(101).board.result
    assert "2 rated players" in chosen.mail("alice", "othello standings")[0].text
    assert "102" in chosen.mail("alice", "othello history")[0].text
    assert chosen.act(rebuild_ratings) == 2
    chosen.verify()


def test_lists_name_chosen_games_and_running_boards(chosen: World) -> None:
    (letter,) = chosen.mail("alice", "games")
    assert set(re.findall(r"^  (\w+)  +\w", letter.text, re.MULTILINE)) == {"four", "gomoku"}
    (boards,) = chosen.mail("alice", "list")
    assert re.findall(r"^ +\d+  (\w+)", boards.text, re.MULTILINE) == ["othello", "gomoku"]  # a board, and a seek
    assert "101" in chosen.mail("alice", "list othello")[0].text
    (withdrawn,) = chosen.mail("alice", "othello withdraw 1 alice alice-secret")
    assert "Seek 1 is withdrawn" in withdrawn.text


@pytest.mark.parametrize("line", ["help", "help tutorial", "help move", "help challenge", "help options"])
def test_examples_are_of_chosen_games(chosen: World, line: str) -> None:
    (letter,) = chosen.mail("carol", line)
    others = {g.info.key for g in listed()} - {"gomoku", "four"}
    assert not set(re.findall(r"^ +(\w+) ", letter.text, re.MULTILINE)) & others
    assert "gomoku" in letter.text.lower()


@pytest.mark.parametrize("line", ["help commands", "help games", "help ratings", "set carol carol-secret"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_no_sentence_names_another_game(chosen: World, line: str, language: str) -> None:
    chosen.mail("carol", f"set carol carol-secret language={language}")
    (letter,) = chosen.mail("carol", line)
    assert "tumble" not in letter.text


def test_the_first_letter_of_a_player_is_about_a_chosen_game(chosen: World) -> None:
    (welcome,) = chosen.mail("erik", "signup erik erik-secret")
    assert "gomoku challenge erik" in welcome.text
    assert "tumble" not in welcome.text


def test_a_server_for_one_player_says_so(world: World) -> None:
    world.allow(games=("threes",))
    (welcome,) = world.mail("erik", "signup erik erik-secret")
    assert "threes challenge erik\n" in welcome.text
    assert "seek" not in world.mail("erik", "games")[0].text
    (tutorial,) = world.mail("erik", "help tutorial")
    assert "To begin a board, send: threes challenge alice " in tutorial.flat
    for letter in (welcome, tutorial):
        assert not re.search("another player with|friend|moves first|FIND SOMEBODY", letter.flat)
    assert "To begin a board, send a mail to" in welcome.flat


def test_a_server_for_one_player_says_so_in_german(world: World) -> None:
    world.allow(games=("threes",))
    world.mail("erik", "signup erik erik-secret")
    world.mail("erik", "set erik erik-secret language=de")
    (tutorial,) = world.mail("erik", "help tutorial")
    assert "Um eine Partie zu beginnen, sende: threes challenge alice " in tutorial.flat
    assert "Freund" not in tutorial.flat
    assert "zieht zuerst" not in tutorial.flat


def test_a_server_for_several_players_says_how_to_begin_with_another(chosen: World) -> None:
    (welcome,) = chosen.mail("erik", "signup erik erik-secret")
    assert "To begin a board with another player, send a mail to" in welcome.flat
    assert "The player who is named first moves first." in welcome.flat
    assert "You can challenge a friend" in chosen.mail("erik", "help tutorial")[0].flat


def test_the_list_of_games_has_german_names(chosen: World) -> None:
    chosen.allow(games=("chess", "four", "battleship"))
    chosen.mail("alice", "set alice alice-secret language=de")
    (games,) = chosen.mail("alice", "games")
    (options,) = chosen.mail("alice", "help options")
    assert re.search(r"^  chess +Schach: ", games.text, re.MULTILINE)
    assert re.search(r"^  battleship +Schiffe versenken: ", games.text, re.MULTILINE)
    assert re.search(r"^Schach$", options.text, re.MULTILINE)


def test_the_web_lists_chosen_games_and_keeps_all_pages(chosen: World) -> None:
    with browse(chosen) as client:
        home = client.get("/").text
        assert 'href="/games/gomoku"' in home
        assert 'href="/games/chess"' not in home
        assert "gomoku join 2" in home
        assert "othello join" not in home
        for path in ("/games/othello", "/games/othello/help", "/games/othello/standings", "/boards/101", "/boards/102"):
            assert client.get(path).status_code == 200
        assert "/games/othello/help" not in client.get("/help").text
