"""Whole games of a player who reads German, and all letters around them: no English is left, no line is too wide."""

import random
import re
from datetime import timedelta

import pytest

from pbmserv import games
from pbmserv.conformance.walks import setups
from pbmserv.errors import PlayerError
from pbmserv.games.base import AnyGame
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Start
from pbmserv.games.base.drawn import MOST_IN_CAPTION
from pbmserv.games.base.picture import MOST_IN_LINE, MOST_IN_TEXT, Picture
from pbmserv.letters.text.aloud import SPOKEN_WIDTH
from pbmserv.letters.text.templates import SPOKEN, WIDTH
from pbmserv.model.boards import BoardState
from pbmserv.server.clock import Clock
from tests.examples import SOAK, spread
from tests.letters.html import says_the_same
from tests.world import RENDERER, Received, World

each_game = pytest.mark.parametrize("game", games.listed(), ids=lambda g: g.info.key)
GERMAN = RENDERER.to("de")
#: English words that are neither German nor words of the command language.
ENGLISH = re.compile(
    r"\b(the|and|you|your|is|are|of|to|with|that|this|it|its|not|be|by|for|from|has|have|or|which|there|turn|wins|win|"
    r"players|ply|plies|letter|letters|nobody|everybody|lost|over|after|before|rated|days|day|black|white|score|seat|"
    r"seats|tile|row|column|card|north|south|east|west|dust|planet|grass|bush|tree|bear|resigns|draw by|used|moved|"
    r"Board|Boards|please|cannot|does|only|other|others|first|second|last|until|without|must|may|can|what|when|if)\b"
)
#: Moves of backgammon without their first point, which are the same in every language: `22* bar/20`.
FURTHER_STEPS = re.compile(r"(?:[\d*() /]|off|bar)+")
#: Words of subjects that are also those of commands.
IN_SUBJECTS = re.compile(
    r"(?i)\b(boards?|broadcast|error|games|help|history|limit|message|preview|seek|settings|standings|vacation)\b"
)
#: Texts that are English in every language: lines of the command language, notices of origin, and names of games.
LINES = re.compile(
    r"^ .*PASSWORD.*$|^.*(userid|GAME).*$|: [a-z0-9]+ [a-z]+ .*PASSWORD.*$|: (set|help|message|vacation|signup)[ :].*$|"
    r"'[^'\n]*'|^Nach .*$|\((black|white)\)|(Mit|mit|sendet|oder|Nach) (white|black|two)\b|"
    r"--[a-z]+\S*|subject=turn|turn=o[a-z]+|pictures, turn|"
    r"^\S+ (signup|change) .*$|Dots and Boxes|Lines of Action",
    re.M,
)


@pytest.fixture
def german(world: World) -> World:
    """A server where alice and carol read German and bob reads English. Carol gets boards in words."""
    world.once(_choose)
    return world


def _choose(world: World) -> None:
    world.signup("alice", "bob", "carol")
    world.mail("alice", "set alice alice-secret language=de")
    world.mail("carol", "set carol carol-secret language=de mail=spoken")


def check(letters: list[Received]) -> None:
    """Check that the letters to alice and carol are in German and not too wide."""
    for letter in letters:
        if not letter.to.startswith(("alice@", "carol@")):
            continue
        assert not IN_SUBJECTS.search(letter.subject), letter.subject
        text = LINES.sub("", f"{letter.subject}\n{letter.text}")
        assert not ENGLISH.search(text), (ENGLISH.findall(text), letter.text)
        assert max(map(len, letter.text.split("\n"))) <= WIDTH
        if letter.to.startswith("alice@"):
            assert '<html lang="de">' in letter.html
            assert says_the_same(letter.html, letter.text)


def seats_of(game: AnyGame) -> list[str]:
    return ["alice", "carol", "bob"][: 1 if game.info.seats == (1,) else max(n for n in game.info.seats if n < 4)]


@pytest.mark.slow
@pytest.mark.parametrize("game", games.listed(), ids=lambda g: g.info.key)
def test_a_whole_game(german: World, game: AnyGame) -> None:
    pick, players, key = random.Random(game.info.key), seats_of(game), game.info.key
    letters = german.mail("alice", f"{key} challenge {' '.join(players)}")
    number = german.query(lambda s: max(b.number for b in s.board_lists.search(state=BoardState.ALL)))
    for _ in range(3 if SOAK == 1 else 40):
        check(letters)
        row = german.row(number)
        if row.board.result:
            break
        seat = min(row.board.to_move)
        move = pick.choice([game.format(m) for m in game.legal_moves(row.board.position, seat)])
        letters = german.mail(players[seat], f"{key} move {number} {players[seat]} {players[seat]}-secret {move}")
    for line in (f"{key} show {number}", f"{key} showas alice alice-secret {number}", f"{key} games alice all"):
        check(german.mail("alice", line))
    check(german.mail("alice", f"{key} resign {number} alice alice-secret"))
    check(german.mail("alice", f"{key} history alice"))
    check(german.mail("alice", f"{key} standings"))
    check(german.mail("alice", f"{key} help"))


@pytest.mark.slow
@pytest.mark.parametrize("game", spread(games.listed(), 4), ids=lambda g: g.info.key)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, SOAK))])
def test_notes_errors_and_positions(game: AnyGame, seed: int) -> None:
    """All sentences of the rules in random games, wrong moves included, and every third position in words."""
    pick = random.Random(f"{game.info.key} {seed}")
    setup = pick.choice(setups(game))
    board = play.begin(Start(game, dict(setup.options), setup.seats, f"{seed:032x}"))
    wrong = [f"{a}{b}{c}" for a in "abcdefgh12s" for b in "12345678bcd" for c in ("", "f", "+", "-e5", "-e5t")]
    while not board.result and board.ply < (24 if SOAK == 1 else 60):
        seat = min(board.to_move)
        for text in pick.sample(wrong, 5):
            _says_german_if_refused(board, seat, text)
        move = pick.choice([game.format(m) for m in game.legal_moves(board.position, seat)])
        change = play.play(board, seat, move)
        board = change.board
        for note in change.entry.notes:
            assert not ENGLISH.search(GERMAN.say(note.text)), note.text
        if board.ply % 3 == 0 or board.result:
            _check_pictures(board)


def _says_german_if_refused(board: Board, seat: int, text: str) -> None:
    said = ""
    try:
        play.play(board, seat, text)
    except PlayerError as e:
        said = GERMAN.say(e.whole)
    assert not ENGLISH.search(said.replace(f"'{text}'", "").replace(board.game.info.name, "")), said


def _check_pictures(board: Board) -> None:
    view = board.game.view(board.position, None)
    _check_words(board, board.game.picture(view))
    spoken = GERMAN.diagram(board.game, view, SPOKEN)
    assert not ENGLISH.search(spoken), spoken
    assert max(map(len, spoken.split("\n"))) <= SPOKEN_WIDTH
    for display in board.game.info.displays or (None,):
        picture = GERMAN.diagram(board.game, view, display.name if display else "")
        assert not ENGLISH.search(picture), picture
        assert max(map(len, picture.split("\n"))) <= WIDTH


def _check_words(board: Board, picture: Picture | None) -> None:
    """What a picture and the links to moves say is in German, and short enough."""
    assert picture
    legal = [(seat, move) for seat in board.to_move for move in board.game.legal_moves(board.position, seat)]
    for most, texts in (
        (MOST_IN_TEXT, [cell.text for cell in picture.cells]),
        (MOST_IN_LINE, [*picture.lines, *(tray.says for tray in picture.beside)]),
        (MOST_IN_CAPTION, [board.game.caption(board.position, move) for _, move in legal]),
    ):
        for text in texts:
            said = GERMAN.say(text)
            assert not ENGLISH.search(said), said
            assert said != text or " " not in text or FURTHER_STEPS.fullmatch(text), text
            assert len(said) <= most, said


class TestTwoReaders:
    def test_each_reads_his_own_language_in_one_thread(self, german: World) -> None:
        first = german.mail("alice", "tumble challenge alice bob -c")
        his = german.reply(first[0], "h4-g5t\n\nGood luck!")
        mine = german.reply(his[1], "a5-b4t\n\nThe same to you!")
        assert his[1].first_line == "Your move, bob."
        assert mine[0].first_line == "Du bist am Zug, alice."
        assert "bob schreibt:\n    The same to you!" in mine[0].text
        assert [x.subject for x in mine] == ["Tumble Partie 101 alice", "Tumble Board 101 bob"]

    def test_a_german_mailers_reply_moves(self, german: World) -> None:
        first = german.mail("alice", "tumble challenge alice bob -c")
        letters = german.reply(first[0], "h4-g5t", subject="AW: Tumble Partie 101 alice")
        assert german.row().board.ply == 1
        check(letters)

    @pytest.mark.parametrize("line", ["games", "chess standings"])
    def test_an_answer_to_an_answer_asks_the_same_again(self, german: World, line: str) -> None:
        """Without that, the word Spiele alone would begin a board."""
        (asked,) = german.mail("alice", line)
        (again,) = german.reply(asked, "", subject=f"AW: {asked.subject}")
        assert (again.subject, again.first_line) == (asked.subject, asked.first_line)

    def test_a_subscriber_reads_his_own(self, german: World) -> None:
        german.mail("bob", "tumble challenge bob bob")
        check(german.mail("alice", "tumble subscribe 101 alice alice-secret"))
        letters = german.mail("bob", "tumble move 101 bob bob-secret c1-c2")
        assert {x.to: x.first_line for x in letters} == {
            "bob@example.org": "Your move, bob.",
            "alice@example.org": "bob ist am Zug.",
        }
        check(letters)
        check(german.mail("bob", "tumble chat 101 bob bob-secret", "..."))
        check(german.mail("bob", "tumble resign 101 bob bob-secret"))

    def test_messages_and_broadcasts(self, german: World) -> None:
        german.mail("alice", "set alice alice-secret broadcasts=on")
        german.mail("bob", "set bob bob-secret broadcasts=on")
        (letter,) = german.mail("bob", "message bob bob-secret alice", "...")[:1]
        assert letter.subject == "Eine Nachricht von bob"
        check([letter])
        letters = german.mail("carol", "broadcast carol carol-secret", "...")
        assert {x.to: x.subject for x in letters} == {
            "alice@example.org": "Von carol an alle",
            "bob@example.org": "From carol to everybody",
            "carol@example.org": "Rundbrief",
        }
        check(letters)

    def test_an_address_that_is_not_his_own_changes_nothing_for_others(self, strict_world: World) -> None:
        """If you give a stranger's address, you do not choose the language of that stranger's letters."""
        world = strict_world
        world.mail("eve", "signup eve eve-secret alice@example.org")
        world.mail("eve", "set eve eve-secret language=de")
        assert "This address belongs to a server" in world.mail("alice", "hello")[0].text


class TestTheLifeOfABoard:
    @pytest.mark.slow
    def test_offers_queues_and_endings(self, german: World) -> None:
        german.mail("alice", "tumble challenge alice carol -c --totaltime=30 --private")
        for userid, line in (
            ("alice", "tumble queue 101 {login} h4-g5t a5-b4t:h3-g4"),
            ("carol", "tumble queue 101 {login} a5-a4 h1-h2"),
            ("alice", "tumble queue 101 {login}"),
            ("carol", "tumble propose 101 {login}"),
            ("alice", "tumble reject 101 {login}"),
            ("alice", "tumble undo 101 {login}"),
            ("carol", "tumble accept 101 {login}"),
            ("carol", "tumble accept 101 {login}"),
            ("carol", "tumble submit 101 {login} a8-a7"),
            ("alice", "tumble submit 101 {login} h4-g4"),
            ("alice", "tumble confirm 101 {login}"),
            ("alice", "tumble preview 101 h4-g4 --as=alice:alice-secret"),
            ("alice", "tumble record 101 --as=alice:alice-secret"),
            ("alice", "tumble decline 101 {login}"),
            ("alice", "tumble chat 101 {login}"),
            ("carol", "tumble resign 101 {login}"),
            ("alice", "tumble move 101 {login} h4-g4"),
        ):
            check(german.mail(userid, line.format(login=f"{userid} {userid}-secret")))

    def test_an_old_letter(self, german: World) -> None:
        first = german.mail("alice", "tumble challenge alice carol")
        german.mail("alice", "tumble move 101 alice alice-secret c1-c2")
        check(letters := german.reply(first[0], "d1-d2"))
        assert "einen neueren Brief" in letters[0].text
        assert "Seitdem: alice c1-c2." in letters[0].text

    @pytest.mark.slow
    def test_reminders_and_the_loss_on_time(self, german: World) -> None:
        german.mail("alice", "tumble challenge alice carol --nagtime=2 --forfeittime=4")
        clock = Clock(german.engine, german.site, lambda: german.now, gap=float("inf"))
        clock.sweep()
        german.letters()
        seen = []
        for _ in range(5):
            german.now += timedelta(days=1)
            clock.sweep()
            check(letters := german.letters())
            seen += [x.text for x in letters if x.to.startswith("alice@")]
        assert "Erinnerung: Du bist seit 2 Tagen am Zug." in seen[0]
        assert "carol gewinnt (durch Zeitüberschreitung)" in seen[-1]

    def test_a_digest_and_its_answer(self, german: World) -> None:
        german.mail("alice", "set alice alice-secret digest=daily")
        for _ in range(2):
            german.mail("carol", "tumble challenge carol alice")
        german.mail("carol", "tumble move 101 carol carol-secret c1-c2", "...")
        german.mail("carol", "tumble move 102 carol carol-secret d1-d2")
        german.now += timedelta(days=1)
        Clock(german.engine, german.site, lambda: german.now, gap=float("inf")).sweep()
        (digest,) = [x for x in german.letters() if x.subject == "Sammelbrief"]
        assert digest.first_line == "2 Partien haben Neues für dich, alice."
        check([digest])
        letters = german.reply(digest, "101: c8-c7\n102: c3-c4\n999: x")
        check(letters)
        assert german.row(101).board.ply == 2


class TestPeople:
    @pytest.mark.slow
    def test_what_is_asked_and_set(self, german: World) -> None:
        for line in (
            "set {login}", "tumble set {login}", "tumble set {login} u", "vacation {login}", "vacation {login} 3",
            "vacation {login} off", "vacation {login} 99", "who bob", "who carol", "who niemand", "list", "games",
            "help", "help commands", "help tutorial", "help options", "help ratings", "help move", "help nothing",
            "all show alice", "all show bob next", "threes seek {login}", "tumble seek {login} --rating=1000-1100",
            "tumble seek {login}",
            "tumble join 2 {login}", "tumble withdraw 2 {login}", "tumble withdraw 2 {login}", "tumble limit {login}",
            "tumble limit {login} 3", "tumble limit {login} 0", "tumble limit {login} x", "tumble notify {login}",
            "threes standings", "tumble history", "tumble games alice", "3io challenge alice bob carol dave",
            "tumble challenge alice", "tumble show 999", "tumble preview new", "threes preview new s",
            "tumble fork 1 alice", "tumble move 999 {login} a1",
            "message {login} bob", "broadcast {login}", "change password {login} short",
            "signup bob other-secret", "signup on alice-secret", "set {login} block=bob", "set {login} colour=red",
            "set {login} timezone=Berln", "set {login} language=fr", "tumble", "tumble dance", "dance",
            "tumble -c challenge",
            "tumble challenge alice bob -x", "tumble challenge alice bob --nagtime=x", "tumble resig 1 {login}",
        ):  # fmt: skip
            check(german.mail("alice", line.format(login="alice alice-secret")))

    def test_several_lines(self, german: World) -> None:
        lines = "list\ntumble games alice\ntumble show 999\nlist"
        (letter,) = german.mail("alice", "multiple", lines)
        assert "> list\nNicht ausgeführt.\n" in letter.text
        check([letter])

    def test_an_invitation_and_its_answers(self, german: World) -> None:
        german.mail("bob", "tumble challenge bob alice@example.org")
        letters = german.mail("alice", "tumble challenge alice carol@example.org -c --forfeittime=3")
        check(letters)
        assert letters[0].subject == "alice lädt dich zu einer Partie Tumbling Down ein"
        check(german.reply(letters[0], "vielleicht"))
        check(german.reply(letters[0], "decline"))
        german.now += timedelta(days=40)
        Clock(german.engine, german.site, lambda: german.now, gap=float("inf")).sweep()
        check(german.letters())

    def test_getting_in_and_out(self, german: World) -> None:
        asked = german.mail("alice", "forgot alice")
        check(asked)
        reset = next(x for x in asked if x.subject == "Dein neues Passwort")
        check(german.reply(reset, "x"))
        check(german.reply(reset, "alice-secret-2"))
        check(german.mail("alice", "change address alice alice-secret-2 alice@example.org alice@elsewhere.example"))
        check(letters := german.mail("alice", "signoff alice alice-secret-2"))
        assert letters[0].subject == "Auf Wiedersehen"

    def test_a_mail_that_cannot_be_read(self, german: World) -> None:
        check(german.mail("alice", "hallo"))
        letters = german.bytes(
            b"From: alice@example.org\r\nTo: pbmserv@games.example\r\nSubject: a\r\nSubject: b\r\n"
            b"Message-ID: <two@subjects>\r\n\r\n"
        )
        assert letters[0].subject == "Deine Mail war nicht lesbar"
        check(letters)

    def test_the_preference_is_offered_to_newcomers_in_the_language_itself(self, world: World) -> None:
        (letter,) = world.mail("dora", "signup dora dora-secret")
        assert "Briefe auf Deutsch: set dora PASSWORD language=de" in letter.text
