"""The first letter says how to get the rules. Letters speak of dice and seeds only if the game has chance."""

import re

import pytest

from pbmserv import games
from tests.commands.answers import only, to
from tests.examples import spread
from tests.letters.html import says_the_same, taps
from tests.world import Received, World

URL = "https://pbm.example.org"
_SEED = re.compile(r"seed|sha256|dice|Startwert|Würfel")


def begun(world: World, game: str) -> list[Received]:
    """Begin a board for alice, and bob who reads German; returns its first letters."""
    world.signup("alice", "bob")
    world.mail("bob", "set bob bob-secret language=de")
    players = "alice bob" if max(games.find(game).info.seats) > 1 else "alice"
    return world.mail("alice", f"{game} challenge {players}")


@pytest.mark.parametrize("game", spread([g.info.key for g in games.GAMES], 3))
def test_the_rules_are_a_link_if_there_are_pages(world: World, game: str) -> None:
    world.allow(web_url=URL)
    letters = begun(world, game)
    rules = f"{URL}/games/{game}/help"
    assert f"\nThe rules: {rules}\n" in to(letters, "alice").text
    for letter in letters:
        assert f'href="{rules}">{rules}</a>' in letter.html
        assert says_the_same(letter.html, letter.text)
    later = only([x for x in world.mail("alice", f"{game} propose 101 alice alice-secret") if x.to[:3] == "ali"])
    assert rules not in later.text


def test_without_pages_the_rules_come_by_mail(world: World) -> None:
    first, german = begun(world, "tumble")
    assert "\nTo get the rules, answer with the word help.\n" in first.text
    assert "\nUm die Regeln zu bekommen, antworte mit dem Wort hilfe.\n" in german.text
    (tap,) = [tap for tap in taps(first.html) if tap.text == "help"]
    answer = only(world.mail("alice", tap.subject, tap.body, to=tap.to))
    assert answer.subject == "Tumble help"
    assert answer.flat == only(world.mail("alice", "tumble help")).flat
    later = to(world.mail("alice", "tumble propose 101 alice alice-secret"), "alice")
    assert "help" not in [tap.text for tap in taps(later.html)]


@pytest.mark.parametrize("game", spread([g.info.key for g in games.GAMES], 3))
def test_only_games_with_chance_speak_of_seeds(world: World, game: str) -> None:
    chance = games.find(game).info.chance
    letters = begun(world, game)
    assert all(bool(_SEED.search(x.text)) is chance for x in letters)
    last = world.mail("alice", f"{game} resign 101 alice alice-secret")
    assert all(bool(_SEED.search(x.text)) is chance for x in last)
    assert not _SEED.search(only(world.mail("alice", f"{game} show 101")).text)


def test_the_last_letter_says_how_to_check_the_seed(world: World) -> None:
    begun(world, "3io")
    letters = world.mail("alice", "3io resign 101 alice alice-secret")
    seed = world.row(101).board.start.seed
    says = f"The seed of this board was {seed} Its sha256 is in the first letter. To check the dice, send: help dice"
    assert says in to(letters, "alice").flat
    german = "Sein sha256-Wert steht im ersten Brief. Um die Würfel nachzuprüfen, sende: help dice"
    assert f"Der Startwert dieser Partie war {seed} {german}" in to(letters, "bob").flat
    assert only(world.mail("alice", "help dice")).first_line == "CHECK THE DICE"
    assert only(world.mail("bob", "help dice")).first_line == "DIE WÜRFEL NACHPRÜFEN"


def test_where_there_are_pages_it_links_one(world: World) -> None:
    world.allow(web_url=URL)
    begun(world, "3io")
    world.signup("carol")
    world.mail("carol", "3io subscribe 101 carol carol-secret")
    for letter in world.mail("alice", "3io resign 101 alice alice-secret"):
        assert f"{URL}/help/dice" in letter.text
        assert f'href="{URL}/help/dice"' in letter.html
        assert max(map(len, letter.text.split("\n"))) <= 79
