"""`--dice=shared`: a word of each player goes into the dice, before anything is drawn."""

import json
import re
from datetime import timedelta
from hashlib import sha256

import pytest
import sqlalchemy as sa

from pbmserv.admin import rulings
from pbmserv.admin.desk import Admin, act
from pbmserv.admin.imports import restore
from pbmserv.boards.records import replayed
from pbmserv.db import tables
from pbmserv.errors import PlayerError
from pbmserv.games.base.log import Entry
from pbmserv.rng import Rng, shared_seed
from pbmserv.server.clock import Clock
from tests.boards.test_records import record
from tests.commands.answers import fail, run, status, to
from tests.web.browser import browse
from tests.world import World

SHARED = "--dice=shared"


@pytest.fixture
def players(world: World) -> World:
    world.signup("alice", "bob")
    return world


def begin(world: World, line: str = "backgammon challenge alice bob") -> None:
    run(world, "alice", f"{line} {SHARED}")


def give(world: World, userid: str, words: str = "go", game: str = "backgammon", number: int = 101) -> None:
    run(world, userid, f"{game} move {number} {userid} {userid}-secret {words}")


def test_the_board_is_set_up_when_all_have_given_a_word(players: World) -> None:
    letters = run(players, "alice", f"backgammon challenge alice bob {SHARED}")
    secret = players.row().board.start.seed
    for reader in ("alice", "bob"):
        letter = to(letters, reader)
        assert f"Board 101 needs a word from you, {reader}." in letter.flat
        assert "answer this letter with go on the first line" in letter.flat
        assert sha256(secret.encode()).hexdigest() in letter.flat
        assert secret not in letter.text
        assert "dice of all players" in letter.flat
    waiting = players.reply(to(letters, "bob"), "word=seven green pears")
    assert [x.to for x in waiting] == ["bob@example.org"]
    assert "Board 101 waits for a word of alice, bob." in waiting[0].flat
    both = players.reply(to(letters, "alice"), "go")
    (mine,) = {e.text for e in log(players) if e.seat == 0}
    for reader in ("alice", "bob"):
        letter = to(both, reader)
        assert "These words went into its dice:" in letter.flat
        assert f"alice: {mine}" in letter.flat
        assert f"Receipt 2 of board 101: {players.row().receipt}" in letter.flat
        assert "bob: seven green pears" in letter.flat
        assert secret not in letter.text
    board = players.row().board
    assert not board.waits
    assert board.seed == shared_seed(secret, (mine, "seven green pears"))
    assert board.position == board.game.setup({}, 2, Rng(board.seed, 0))
    players.verify()


def log(world: World, number: int = 101) -> list[Entry]:
    return [line.entry for line in world.query(lambda s: s.boards.log(number))]


def test_the_default_word_is_the_hash_of_the_message_id(players: World) -> None:
    begin(players)
    line = "backgammon move 101 alice alice-secret go"
    players.mail("alice", line)
    word = own_word(players.count)
    players.mail("alice", line)
    assert players.row().board.words == (word, "")
    assert status(players) == "error"
    assert "client.example" not in json.dumps(record(players))


def own_word(number: int) -> str:
    """The word that a mail gives, by the number of the mail in its test."""
    return sha256(f"<{number}@client.example>".encode()).hexdigest()


def test_a_doubled_mail_gives_no_second_word(players: World) -> None:
    begin(players, "threes challenge alice")
    mail = (
        b"From: alice@example.org\r\nTo: pbmserv@games.example\r\nSubject: threes move 101 alice alice-secret go\r\n"
        b"Message-ID: <a@b.example>\r\n\r\n"
    )
    assert len(players.bytes(mail)) == 1
    board = players.row().board
    assert players.bytes(mail) == []
    assert players.row().board == board
    assert board.length == 1
    players.verify()


@pytest.mark.parametrize(
    ("written", "word"),
    [
        ("word=Plum", "Plum"),
        ("word: Seven  Green Pears", "Seven Green Pears"),
        ("wort sieben grüne Birnen", "sieben grüne Birnen"),
        ("WORD = x", "x"),
        ("word=“ﬁve”–x\u200b", '"five"-x'),
    ],
)
def test_a_word_of_ones_own(players: World, written: str, word: str) -> None:
    letters = run(players, "alice", f"threes challenge alice {SHARED}")
    players.reply(letters[0], written)
    assert players.row().board.words == (word,)
    assert replayed(record(players, with_secrets=True)).position == players.row().board.position


@pytest.mark.parametrize("written", ["Go!", "ok", "los", "Ready.", "go"])
def test_who_chooses_none_gives_the_mail(players: World, written: str) -> None:
    letters = run(players, "alice", f"threes challenge alice {SHARED}")
    players.reply(letters[0], written)
    assert len(players.row().board.words[0]) == 64


@pytest.mark.parametrize("written", ["13/7", "word=#", f"word={'x' * 101}", "word=", "Good luck, Bob"])
def test_anything_else_is_no_word(players: World, written: str) -> None:
    letters = run(players, "alice", f"backgammon challenge alice bob {SHARED}")
    (answer,) = players.reply(to(letters, "alice"), written)
    assert status(players) == "error"
    assert players.row().board.words == ("", "")
    assert "go" in answer.flat


@pytest.mark.parametrize("verb", ["move", "submit"])
def test_a_word_must_not_hold_the_password_of_its_mail(players: World, verb: str) -> None:
    begin(players)
    answer = fail(players, "alice", f"backgammon {verb} 101 alice alice-secret word=my-alice-secret")
    assert "A word for the dice is public, and yours contains your password." in answer.flat


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("tumble challenge alice bob --dice=shared", "This board of Tumbling Down has nothing to do with chance."),
        ("chess seek alice alice-secret --dice=shared", "This board of Chess has nothing to do with chance."),
        ("backgammon challenge alice bob --dice=loaded", "'--dice' is written like this: --dice=shared"),
    ],
)
def test_it_is_refused_where_it_makes_no_sense(players: World, line: str, why: str) -> None:
    assert why in fail(players, "alice", line).flat


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("backgammon preview 101 go", "go"),
        ("backgammon queue 101 alice alice-secret go", "This board is not set up yet"),
        ("backgammon undo 101 alice alice-secret", "Backgammon has no undo by agreement."),
        ("backgammon propose 101 alice alice-secret", "Backgammon has no draw by agreement."),
        ("backgammon show 101", "This board is set up as soon as all players have given a word for its dice."),
        ("backgammon legal 101 alice alice-secret", "go"),
        ("backgammon fork 101 alice bob", "still running"),
        ("backgammon history alice", ""),
        ("list", ""),
    ],
)
def test_what_else_can_be_asked_of_a_board_that_waits(players: World, line: str, what: str) -> None:
    begin(players)
    letters = players.mail("alice", line)
    assert status(players) in ("done", "error")
    assert what in letters[0].flat
    assert players.row().board.words == ("", "")


def test_a_board_of_chess_that_waits_is_not_forked(players: World) -> None:
    begin(players, "chess challenge alice bob -960")
    assert "This board is not set up yet" in fail(players, "alice", "chess fork 101 alice bob").flat


@pytest.mark.both
def test_submit_and_confirm_give_the_word_of_the_second_mail(players: World) -> None:
    begin(players, "threes challenge alice")
    run(players, "alice", "threes submit 101 alice alice-secret go")
    assert players.row().board.waits
    run(players, "alice", "threes confirm 101 alice alice-secret")
    assert players.row().board.words == (own_word(players.count),)


@pytest.mark.slow
def test_time_runs_while_a_board_waits_and_who_gives_no_word_loses(players: World) -> None:
    begin(players)
    give(players, "alice")
    mine, theirs = players.row().clocks
    assert mine.since is None
    assert theirs.since is not None
    clock = Clock(players.engine, players.site, lambda: players.now, gap=25 * 3600)
    for _ in range(22):
        clock.sweep()
        players.now += timedelta(days=1)
    clock.sweep()
    row = players.row()
    assert row.board.result is not None
    assert (row.board.result.reason, row.board.result.ranks) == ("forfeit", (1, 2))
    players.verify()


@pytest.mark.slow
def test_a_rematch_keeps_it_and_a_fork_names_its_own(players: World) -> None:
    begin(players)
    give(players, "alice")
    give(players, "bob")
    run(players, "alice", "backgammon resign 101 alice alice-secret")
    run(players, "alice", "backgammon rematch 101 alice alice-secret")
    run(players, "alice", f"backgammon fork 101 alice bob {SHARED}")
    run(players, "alice", "backgammon fork 101 alice bob")
    assert [players.row(n).board.waits for n in (102, 103, 104)] == [True, True, False]
    origin = players.row(101).board.position
    for userid in ("bob", "alice"):
        give(players, userid, number=103)
    assert players.row(103).board.position == origin
    players.verify()


def test_a_seek_and_an_invitation_say_it(players: World) -> None:
    run(players, "alice", f"backgammon seek alice alice-secret {SHARED}")
    assert "dice of all players" in run(players, "bob", "list")[0].flat
    run(players, "bob", "backgammon join 1 bob bob-secret")
    letters = run(players, "alice", f"backgammon challenge alice carol@example.com {SHARED}")
    letter = to(letters, "carol@example.com")
    assert "before the board is set up, each player gives a word for them" in letter.flat
    players.reply(letter, "accept")
    assert [players.row(n).board.waits for n in (101, 102)] == [True, True]


def test_who_leaves_before_the_words_leaves_the_first_position(world: World) -> None:
    world.signup("alice", "bob", "carol")
    run(world, "alice", f"3io challenge alice bob carol -quick {SHARED}")
    give(world, "bob", "word=b", "3io")
    run(world, "alice", "3io resign 101 alice alice-secret")
    assert world.row().board.waits
    give(world, "carol", "word=c", "3io")
    board = world.row().board
    assert board.words == ("", "b", "c")
    assert board.out == (0,)
    assert board.to_move == {1}
    assert board.seed == shared_seed(board.start.seed, ("", "b", "c"))
    world.verify()
    assert replayed(record(world, with_secrets=True)) == board


def test_the_last_of_three_who_leaves_sets_the_board_up(world: World) -> None:
    world.signup("alice", "bob", "carol")
    run(world, "alice", f"3io challenge alice bob carol -quick {SHARED}")
    for userid in ("carol", "bob"):
        give(world, userid, "go", "3io")
    run(world, "alice", "3io resign 101 alice alice-secret")
    assert not world.row().board.waits
    assert world.row().board.to_move == {1}
    world.verify()


def test_the_record_tells_the_words_and_the_secret_only_at_the_end(players: World) -> None:
    begin(players)
    give(players, "alice", "word=a")
    running = record(players)
    assert running["seed"] is None
    assert running["settings"]["dice"] == "shared"
    assert [(e["kind"], e["text"], e["ply"]) for e in running["log"]] == [("word", "a", 0)]
    give(players, "bob", "word=b")
    found = json.dumps(record(players, with_secrets=True)).encode()
    number = players.act(lambda s: restore(s, found, players.now)).number
    assert players.row(number).board == players.row(101).board
    letters = run(players, "alice", "backgammon resign 101 alice alice-secret")
    secret = players.row().board.start.seed
    assert all(f"secret for this board was {secret}" in letter.flat for letter in letters)
    assert all("alice: a bob: b" in letter.flat for letter in letters)
    assert replayed(record(players)) == players.row().board
    players.verify()


def test_a_waiting_board_is_imported_and_goes_on(players: World) -> None:
    begin(players)
    give(players, "alice", "word=a")
    found = json.dumps(record(players, with_secrets=True)).encode()
    number = players.act(lambda s: restore(s, found, players.now)).number
    assert players.row(number).board == players.row(101).board
    give(players, "bob", "word=b", number=number)
    assert not players.row(number).board.waits
    players.verify()


def test_a_wrong_word_is_found(players: World) -> None:
    begin(players)
    give(players, "alice", "word=a")
    give(players, "bob", "word=b")
    with players.engine.begin() as connection:
        here = sa.update(tables.entry).where(tables.entry.c.number == 2)
        connection.execute(here.values(text="B"))
    assert any("words" in line for line in players.differences())


def test_the_web_shows_a_board_that_waits(players: World) -> None:
    begin(players)
    give(players, "alice", "word=a")
    with browse(players) as pages:
        page = pages.get("/boards/101").text
        assert "This board is set up as soon as" in page
        assert "The board waits for a word of bob." in page
        assert players.row().board.start.seed not in page


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_board_that_waits_fits_a_braille_line(players: World, language: str) -> None:
    run(players, "bob", f"set bob bob-secret mail=spoken language={language}")
    letter = to(run(players, "alice", f"backgammon challenge alice bob {SHARED}"), "bob")
    whole = re.search(r"(?:The whole board|Das ganze Brett):\n(.*?)\n\n", letter.text, re.DOTALL)
    assert whole
    assert not any(line.startswith(" ") for line in whole[1].splitlines())


def test_german_letters(players: World) -> None:
    run(players, "alice", "set alice alice-secret language=de")
    letters = run(players, "alice", f"backgammon challenge alice bob {SHARED}")
    assert "Partie 101 braucht ein Wort von dir, alice." in to(letters, "alice").flat
    give(players, "alice", "wort=Birne")
    letters = players.mail("bob", "backgammon move 101 bob bob-secret go")
    assert "Diese Worte stecken in ihren Würfeln: alice: Birne" in to(letters, "alice").flat


def test_an_attached_board_that_waits_tells_a_program_to_say_go(players: World) -> None:
    run(players, "bob", "set bob bob-secret attach=record")
    letter = to(run(players, "alice", f"battleship challenge alice bob {SHARED}"), "bob")
    (file,) = letter.message.iter_attachments()
    turn = json.loads(file.get_content())["turn"]
    assert turn["legal"] == ["go"]
    assert turn["position"] == {"seats": [0, 1]}
    assert players.row().board.start.seed not in letter.text + json.dumps(turn)


def test_an_admin_gives_a_word_and_goes_back_before_it(players: World) -> None:
    begin(players)
    admin, words = Admin("tests"), ["word=by", "the", "admin"]
    act(players.engine, players.site, admin, players.now, lambda desk: rulings.move(desk, 101, "alice", words))
    assert players.row().board.words == ("by the admin", "")
    give(players, "bob", "word=b")
    assert not players.row().board.waits
    with pytest.raises(PlayerError, match="the players know it now"):
        act(players.engine, players.site, admin, players.now, lambda desk: rulings.undo(desk, 101))
    act(players.engine, players.site, admin, players.now, lambda desk: rulings.undo(desk, 101, past_chance=True))
    assert players.row().board.words == ("by the admin", "")
    assert players.row().board.to_move == {1}
    players.verify()
    give(players, "bob", "word=c")
    assert players.row().board.words == ("by the admin", "c")
    players.verify()


@pytest.mark.slow
def test_the_words_of_a_substitutes_board_are_its_own(world: World) -> None:
    world.signup("alice", "bob", "carol", "dora")
    run(world, "alice", f"3io challenge alice bob carol {SHARED}")
    for userid in ("alice", "bob", "carol"):
        give(world, userid, "word=first", "3io")
    run(world, "carol", "3io resign 101 carol carol-secret")
    position = world.row().board.position
    run(world, "alice", "3io substitute 101 alice alice-secret dora")
    run(world, "bob", "3io substitute 101 bob bob-secret accept")
    run(world, "dora", "3io join 1 dora dora-secret")
    assert world.row(102).board.waits
    for userid in ("alice", "bob", "dora"):
        give(world, userid, "word=second", "3io", 102)
    board = world.row(102).board
    assert board.position.box == position.box
    assert board.seed == shared_seed(board.start.seed, ("second",) * 3)
    world.verify()


def test_a_seat_that_left_while_the_board_waits_has_no_substitute(players: World) -> None:
    begin(players)
    run(players, "alice", "backgammon resign 101 alice alice-secret")
    answer = fail(players, "bob", "backgammon substitute 101 bob bob-secret")
    assert "Board 101 ended before it was set up, so no seat is free there." in answer.flat
    assert "To play again, send: backgammon challenge alice bob" in answer.flat


def test_who_leaves_before_the_board_is_set_up_gives_the_others_no_time(players: World) -> None:
    players.signup("carol")
    begin(players, "3io challenge alice bob carol --forfeittime=6")
    began = players.row().clocks[1].since
    players.now += timedelta(days=5)
    run(players, "alice", "3io resign 101 alice alice-secret")
    assert [c.since for c in players.row().clocks] == [None, began, began]
    players.verify()


def test_a_draw_offer_stays_open_until_the_last_word(players: World) -> None:
    begin(players, "chess challenge alice bob -960")
    letters = run(players, "alice", "chess propose 101 alice alice-secret")
    give(players, "alice", game="chess")
    players.reply(to(letters, "bob"), "accept")
    result = players.row().board.result
    assert result is not None
    assert result.reason == "agreed"
    players.verify()


def test_the_last_word_ends_a_draw_offer_and_letters_say_so(players: World) -> None:
    begin(players, "chess challenge alice bob -960")
    run(players, "alice", "set alice alice-secret language=de")
    run(players, "alice", "chess propose 101 alice alice-secret")
    give(players, "alice", game="chess")
    letters = run(players, "bob", "chess move 101 bob bob-secret go")
    assert players.row().board.offer is None
    assert "bob's word sets the board up, which ends the draw offer." in to(letters, "bob").flat
    assert "Mit dem Wort von bob ist die Partie aufgebaut, damit endet das Remisangebot." in to(letters, "alice").flat
    players.verify()


@pytest.mark.parametrize("over", [False, True])
def test_help_brings_the_rules_before_the_board_is_set_up(players: World, over: bool) -> None:
    letter = to(run(players, "alice", f"backgammon challenge alice bob {SHARED}"), "bob")
    assert "To get the rules, answer with the word help." in letter.flat
    if over:
        run(players, "alice", "backgammon resign 101 alice alice-secret")
    (answer,) = players.reply(letter, "help")
    assert status(players) == "done"
    assert answer.subject == "Backgammon help"
    assert "BACKGAMMON" in answer.text.upper()


def test_a_letter_is_not_out_of_date_because_others_gave_words(players: World) -> None:
    letters = run(players, "alice", f"backgammon challenge alice bob {SHARED}")
    players.reply(to(letters, "alice"), "go")
    players.reply(to(letters, "bob"), "decline")
    result = players.row().board.result
    assert result is not None
    assert result.reason == "declined"


def test_a_second_answer_to_the_first_letter_gets_the_board_as_it_is(players: World) -> None:
    letters = run(players, "alice", f"backgammon challenge alice bob {SHARED}")
    for userid in ("alice", "bob"):
        players.reply(to(letters, userid), "word=first")
    (answer,) = players.reply(to(letters, "alice"), "word=second")
    assert status(players) == "error"
    assert players.row().board.words == ("first", "first")
    assert "Pips to go" in answer.text
