"""Organisers announce tournaments, open and close entries, and cancel: by mail."""

import pytest

from pbmserv.model import Phase
from tests.boards.seasons.events import tournament
from tests.commands.answers import fail, only, run, to
from tests.commands.tournaments.cups import LEAGUE, allowed, announced
from tests.world import World


def _players(world: World) -> None:
    allowed(world, "alice", "bob", "carol")


@pytest.fixture
def players(world: World) -> World:
    world.once(_players)
    return world


def test_all_who_get_broadcasts_read_of_a_new_tournament(players: World) -> None:
    players.signup("dave")
    letters = announced(players, f"{LEAGUE} --name=Spring_League --every=month --forfeittime=10")
    assert {x.to for x in letters} == {f"{u}@example.org" for u in ("alice", "bob", "carol")}
    assert {x.subject for x in letters} == {"Tournament 1: Spring League"}
    bob = to(letters, "bob")
    assert "A new tournament: Spring League. The game is Hex" in bob.flat
    assert "alice organises it." in bob.text
    assert "A new season begins once a month" in bob.text
    assert "time limit 10 days, at most 14 days of vacation" in bob.flat
    assert "The second one ends the season for you: if fewer than half" in bob.flat
    assert str(bob.message["X-PBM-Kind"]).startswith("tournaments.")
    assert "The announcement goes to 2 addresses" in to(letters, "alice").text


def test_an_announcement_is_answered_with_one_word(players: World) -> None:
    letter = to(announced(players), "bob")
    answer = only(players.reply(letter, "Join!"))
    assert "bob, you take part in tournament 1: Hex league. It begins on" in answer.flat
    assert "You take part in tournament 1 already." in only(players.reply(letter, "join")).text
    left = only(players.reply(answer, "leave"))
    assert "You have left tournament 1. Your entry is withdrawn." in left.text
    assert "you take part" in only(players.reply(left, "join")).text


def test_only_the_reader_can_answer_an_announcement(players: World) -> None:
    letter = to(announced(players), "bob")
    error = only(players.reply(letter, "join", sender="carol@example.org"))
    assert "This works only from one of your own addresses." in error.text
    assert "tournament join 1 bob PASSWORD" in error.text
    assert "Answer with one of the words join, leave or show." in only(players.reply(letter, "perhaps")).text


def test_who_stops_broadcasts_gets_no_more_announcements(players: World) -> None:
    letter = to(announced(players), "bob")
    stop = str(letter.message["List-Unsubscribe"]).strip("<>").removeprefix("mailto:").partition("?")[0]
    assert "You get no more broadcasts." in only(players.mail("bob", "stop", to=stop)).text
    assert {x.to for x in announced(players)} == {"alice@example.org", "carol@example.org"}


def test_german_readers_get_it_in_german(players: World) -> None:
    players.mail("bob", "set bob bob-secret language=de")
    letters = announced(players)
    assert "Ein neues Turnier: Hex league. Gespielt wird Hex." in to(letters, "bob").flat
    assert to(letters, "bob").subject == "Turnier 1: Hex league"
    assert "A new tournament" in to(letters, "carol").text


def test_others_cannot_announce_one(players: World) -> None:
    error = fail(players, "bob", LEAGUE.replace("alice", "bob"))
    assert "You cannot announce tournaments on this server." in error.text


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("", "A tournament needs a form."),
        ("--form=cup", "Available: league, groups, swiss, match, ladder"),
        ("--form=league", "A tournament needs the day on which it begins."),
        ("--form=league --start=tomorrow", "Write for example: --start=2026-03-15"),
        ("--form=league --start=2026-02-01", "must be in the future"),
        ("--form=league --start=9999-12-31", "between the years 1000 and 2999"),
        ("--form=league --start=0001-01-01", "between the years 1000 and 2999"),
        ("--form=league --start=2026-03-10 --size=40", "players in a division, from 5 to 11"),
        ("--form=ladder --start=2026-03-10 --size=4", "A tournament of the form ladder has no size."),
        ("--form=ladder --start=2026-03-10 --every=week", "A ladder has no seasons"),
        ("--form=league --start=2026-03-10 --every=day", "Write one of: week, month, quarter, year"),
        ("--form=league --start=2026-03-10 --rounds=5", "Only the form swiss has a number of rounds."),
        ("--form=league --start=2026-03-10 --robots=maybe", "Write: --robots=yes"),
        ("--form=league --start=2026-03-10 --vacation=often", "a number of days from 0 to 60"),
        ("--form=match --start=2026-03-10", "Write for example: --teams=North,South"),
        ("--form=match --start=2026-03-10 --teams=one", "A match has two teams"),
        ("--form=league --start=2026-03-10 --teams=a,b", "Only a match has teams."),
        ("--form=league --start=2026-03-10 --forfeittime=none", "need a time limit"),
        (
            "--form=league --start=2026-03-10 --forfeittime=0.2 --robots=yes",
            "no board with less than 0.25 days",
        ),
        ("--form=league --start=2026-03-10 --private", "There is no option '--private'"),
        ("--form=league --start=2026-03-10 -size=99", "size"),
    ],
)
def test_errors_say_what_to_write(players: World, options: str, says: str) -> None:
    error = fail(players, "alice", f"hex tournament alice alice-secret new {options}")
    assert says in error.flat


def test_a_game_for_one_has_no_tournaments(players: World) -> None:
    error = fail(players, "alice", LEAGUE.replace("hex", "threes"))
    assert "Threes cannot be played by two" in error.text


def test_three_in_a_day_are_enough(players: World) -> None:
    for _ in range(3):
        announced(players)
    assert "You can announce 3 tournaments a day." in only(announced(players)).text


def test_entries_are_closed_and_opened_and_it_is_cancelled(players: World) -> None:
    announced(players)
    line = "hex tournament alice alice-secret"
    assert "takes no more entries" in only(run(players, "alice", f"{line} close 1")).text
    assert "takes no entries" in fail(players, "bob", "tournament join 1 bob bob-secret").text
    assert "can enter tournament 1 again" in only(run(players, "alice", f"{line} open 1")).text
    run(players, "bob", "tournament join 1 bob bob-secret")
    assert "Tournament 1 is cancelled." in only(run(players, "alice", f"{line} cancel 1")).text
    assert tournament(players).phase is Phase.CANCELLED
    assert "was cancelled" in fail(players, "alice", f"{line} open 1").text


def test_only_the_own_tournaments_can_be_changed(players: World) -> None:
    announced(players)
    bob = players.player("bob").id
    players.act(lambda s: s.players.set_preference(bob, "", "organiser", "yes"))
    assert "announced by somebody else" in fail(players, "bob", "hex tournament bob bob-secret cancel 1").text
    assert "There is no tournament 7." in fail(players, "bob", "hex tournament bob bob-secret cancel 7").text
    assert "The number of the tournament is missing." in fail(players, "bob", "hex tournament bob bob-secret open").text
    assert "says new, open, close or cancel" in fail(players, "bob", "hex tournament bob bob-secret start 1").text
    assert "gets its number from the server" in fail(players, "alice", LEAGUE.replace("new", "new 3")).text


def test_a_setting_of_players_makes_nobody_an_organiser(players: World) -> None:
    assert "Available: mail" in fail(players, "bob", "set bob bob-secret organiser=yes").text


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ("league", "if fewer than half of your boards are over then, all of them count for nobody"),
        ("groups", "if fewer than half of your boards of that round are over then, all of them count for nobody"),
        ("ladder", "ends the season for you: you lose the boards that are left."),
        ("swiss", "ends the season for you: you lose the boards that are left."),
    ],
)
def test_the_announcement_says_what_two_forfeits_mean(players: World, form: str, says: str) -> None:
    assert says in to(announced(players, LEAGUE.replace("league", form)), "bob").flat
