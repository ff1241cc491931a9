"""Letters about tournaments: one for each beginning with all boards, the end of a season, warnings, removals."""

from collections.abc import Callable
from typing import Any

import pytest

from pbmserv.boards.seasons.cross_tables import table
from pbmserv.letters import tournament_letters
from pbmserv.letters.letters import Cause, Letters
from pbmserv.letters.text.table_lines import MOST_COLUMNS
from pbmserv.model import EntrantRow, NewPairing, PairingRow, Settings, TournamentRow
from pbmserv.store import Store
from tests.boards.seasons.events import begun, tournament
from tests.commands.answers import only, to
from tests.letters.html import taps
from tests.world import Received, World

Write = Callable[[Letters, TournamentRow, EntrantRow], None]


def written(world: World, write: Write, *userids: str) -> list[Received]:
    """Write letters to these players of the only tournament, as the clock does."""
    found = tournament(world)

    def do(store: Store) -> None:
        letters = Letters(world.site, store, Cause(None), world.now)
        for entrant in store.tournaments.entrants(1, max(found.season, 1)):
            if entrant.player.userid in userids:
                write(letters, found, entrant)
        store.letters.queue(letters.rows)

    world.act(do)
    return world.letters()


def start(letters: Letters, found: TournamentRow, entrant: EntrantRow) -> None:
    pairings = letters.store.tournaments.pairings_of(1, found.season, entrant.player.id)
    tournament_letters.round_begun(letters, found, entrant, pairings)


def end(letters: Letters, found: TournamentRow, entrant: EntrantRow) -> None:
    lines = table(letters.store, found, found.season, 1).lines
    tournament_letters.season_over(letters, found, entrant, lines)


@pytest.fixture
def cup(world: World) -> World:
    """Alice meets bob, carol and dave in a league."""
    begun(world, "alice", "bob", "carol", "dave")
    return world


def test_one_letter_has_all_boards_that_begin(cup: World) -> None:
    letter = only(written(cup, start, "alice"))
    assert letter.subject == "Tournament 1: The cup"
    assert letter.first_line == "Season 1 of The cup begins, alice. You play in division 1."
    assert ">101: moves</a>" in letter.html
    for number, other in ((101, "bob"), (102, "carol"), (103, "dave")):
        assert f"   {number}  {other:20}  you\n" in letter.text
    assert "101: c1-c5t\n102: c1-c5t\n103: c1-c5t\n" in letter.text
    assert max(len(line) for line in letter.text.split("\n")[2:6]) <= MOST_COLUMNS
    assert to(cup.reply(letter, "101: moves"), "alice").subject == letter.subject
    assert letter.text.count("      A        B        C") == 2  # one diagram, because the boards look alike
    assert "A board that you lose on time or decline is a forfeit." in letter.flat


@pytest.mark.parametrize(
    ("language", "secret", "seed", "words"),
    [
        ("en", "The sha256 of the server's secret for board 101 is", "seed of", "101: word=seven green pears"),
        ("de", "Der sha256 des Geheimnisses des Servers für die Partie 101 ist", "Startwert", "101: wort=sieben"),
    ],
)
def test_the_letter_asks_for_words_for_shared_dice(
    world: World, language: str, secret: str, seed: str, words: str
) -> None:
    begun(world, "alice", "bob", "carol", game="backgammon", settings=Settings(dice="shared"))
    world.mail("alice", f"set alice alice-secret language={language}")
    letter = only(written(world, start, "alice"))
    assert secret in letter.flat
    assert words in letter.flat
    assert seed not in letter.flat
    assert "first move\n" not in letter.text.partition("101")[0]
    world.reply(letter, "101: go\n102: word=seven green pears")
    assert len(world.row(101).board.words[0]) == 64
    assert world.row(102).board.words[0] == "seven green pears"


def test_the_letter_is_answered_with_a_line_for_each_board(cup: World) -> None:
    letter = only(written(cup, start, "alice"))
    letters = cup.reply(letter, "101: c1-c5t\n103: c1-c5t")
    assert {x.to for x in letters} == {f"{u}@example.org" for u in ("alice", "bob", "dave")}
    assert to(letters, "bob").first_line == "Your move, bob."
    assert [cup.row(n).board.ply for n in (101, 102, 103)] == [1, 0, 1]


def test_who_begins_many_boards_is_told_how_to_get_fewer_letters(world: World) -> None:
    begun(world, "alice", "bob", "carol", "dave", "erin")
    letter = only(written(world, start, "alice"))
    assert "you miss the receipt, and the board as you left it" in letter.flat
    assert "\nset alice PASSWORD own=off\nset alice PASSWORD digest=daily\n" in letter.text
    world.mail("alice", "set alice alice-secret own=off")
    assert "own=off" not in only(written(world, start, "alice")).text


def test_who_is_not_to_move_reads_who_is(cup: World) -> None:
    letter = only(written(cup, start, "bob"))
    assert "   101  alice                 not you\n" in letter.text
    assert "On the other boards you get a letter when it is your turn." in letter.text
    assert "To move" not in letter.text


@pytest.mark.slow
def test_a_program_that_wants_files_gets_turn_letters(cup: World) -> None:
    cup.mail("alice", "set alice alice-secret attach=record robot=yes")
    letters = written(cup, start, "alice")
    assert [x.subject for x in letters] == [f"Tumble Board {n} alice" for n in (101, 102, 103)]
    assert all(len(list(x.message.iter_attachments())) for x in letters)


def test_the_letter_is_in_german(cup: World) -> None:
    cup.mail("alice", "set alice alice-secret language=de")
    letter = only(written(cup, start, "alice"))
    assert letter.subject == "Turnier 1: The cup"
    assert letter.first_line == "Die Saison 1 von The cup beginnt, alice. Du spielst in Abteilung 1."


def test_a_ladder_begins_with_a_letter_that_is_answered_with_a_challenge(world: World) -> None:
    begun(world, "alice", "bob", form="ladder")
    letter = only(written(world, lambda x, t, e: tournament_letters.round_begun(x, t, e, []), "bob"))
    assert "You stand on rung 2." in letter.text
    assert "You can challenge: alice" in only(world.reply(letter, "challenge")).text
    top = only(written(world, lambda x, t, e: tournament_letters.round_begun(x, t, e, []), "alice"))
    assert "others challenge you" in top.text
    assert "answer this letter with challenge" not in top.flat
    assert [tap.text for tap in taps(top.html)] == ["show"]
    assert "You can challenge" not in only(world.reply(top, "challenge")).text


def test_the_end_tells_places_and_who_has_won(cup: World) -> None:
    cup.mail("bob", "tumble resign 101 bob bob-secret")
    letters = written(cup, end, "alice", "bob")
    assert "You have won. Congratulations!" in to(letters, "alice").text
    assert [tap.text for tap in taps(to(letters, "alice").html)] == ["show"]
    table = "  1 alice       1             0\n  2 bob         0             0\n"
    assert table in to(letters, "bob").text
    assert "place 2 in division 1" in to(letters, "bob").flat


@pytest.mark.both
def test_the_second_season_shows_the_table_of_the_first(cup: World) -> None:
    def again(store: Store) -> None:
        store.tournaments.enter_many(
            1, 2, [{"player_id": e.player.id, "entered": -1, "division": 1} for e in store.tournaments.entrants(1, 1)]
        )
        store.tournaments.change(1, season=2)

    cup.act(again)
    alice, bob = cup.player("alice").id, cup.player("bob").id
    cup.act(lambda s: s.tournaments.pair(1, 2, [NewPairing(1, 1, bob, alice)], cup.now))
    letter = only(written(cup, start, "bob"))
    assert "Season 2 of The cup begins, bob." in letter.text
    assert "Division 1 after season 1\n\n    player    pts direct    S-B\n  1 alice " in letter.text


@pytest.mark.slow
@pytest.mark.both
@pytest.mark.parametrize(
    ("write", "says"),
    [
        (
            lambda x, t, e: tournament_letters.warned(x, t, e, x.store.tournaments.pairing_of(101)),
            "forfeited board 101",
        ),
        (lambda x, t, e: tournament_letters.removed(x, t, e, True), "all of them count for nobody"),
        (lambda x, t, e: tournament_letters.removed(x, t, e, False), "you have lost those that were left"),
        (lambda x, t, e: tournament_letters.cancelled(x, t, e), "tournament 1 is cancelled"),
        (lambda x, t, e: tournament_letters.not_begun(x, t, e), "too few players had entered"),
    ],
)
def test_what_concerns_one_player(cup: World, write: Any, says: str) -> None:
    letter = only(written(cup, write, "alice"))
    assert says in letter.flat
    assert "Tournament 1: The cup (Tumbling Down)" in only(cup.reply(letter, "show")).text
    cup.mail("alice", "set alice alice-secret language=de")
    german = only(written(cup, write, "alice"))
    assert german.subject == "Turnier 1: The cup"
    assert says not in german.flat


def test_the_warning_names_the_boards_that_run(cup: World) -> None:
    letter = only(written(cup, lambda x, t, e: tournament_letters.warned(x, t, e, _pairing(x)), "alice"))
    assert "Your boards that run: 101, 102, 103" in letter.text


@pytest.mark.both
def test_the_organiser_reads_who_won(cup: World) -> None:
    cup.allow(operator="operator@games.example")
    for place, e in enumerate(cup.query(lambda s: s.tournaments.entrants(1, 1)), start=1):
        cup.act(lambda s, e=e, place=place: s.tournaments.change_entrant(e.id, place=place))  # type: ignore[misc]
    letter = only(written(cup, lambda x, t, e: tournament_letters.won(x, t, 1), "alice"))
    assert letter.to == "operator@games.example"
    assert letter.first_line == "The cup is over. alice has won."
    cup.allow(operator="")
    assert written(cup, lambda x, t, e: tournament_letters.won(x, t, 1), "alice") == []


def _pairing(letters: Letters) -> PairingRow:
    found = letters.store.tournaments.pairing_of(101)
    assert found is not None
    return found
