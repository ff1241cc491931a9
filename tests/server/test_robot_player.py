"""The role `robots`: a turn is taken once, moves go through the pipeline, and a process that is killed loses none."""

import re
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from email import message_from_bytes, policy

import pytest
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from pbmserv.admin import robots as admin
from pbmserv.admin.desk import Admin, act
from pbmserv.db import engines
from pbmserv.games import find
from pbmserv.letters.letters import RESTS
from pbmserv.mail import signed_addresses
from pbmserv.server.outbox import StoredOutbox
from pbmserv.server.robot_player import LEASE, REST, Robots
from pbmserv.store import Store
from tests.commands.answers import fail
from tests.web.browser import browse
from tests.world import World


def add(world: World, userid: str, game: str, level: int = 1, boards: int = 3) -> None:
    act(
        world.engine,
        world.site,
        Admin("tests"),
        world.now,
        lambda desk: admin.add(desk, userid, game, level, boards),
    )


def role(world: World) -> Robots:
    return Robots(world.engine, world.site, world.pipeline, lambda: world.now)


@pytest.fixture
def begun(world: World) -> World:
    """A server where alice has made the first move against a robot."""
    world.signup("alice")
    add(world, "robert", "four")
    world.mail("alice", "four challenge alice robert")
    world.mail("alice", "four move 101 alice alice-secret d")
    return world


@pytest.mark.slow
def test_a_robot_answers_after_a_rest(begun: World) -> None:
    robots = role(begun)
    assert not robots.play()
    begun.now += timedelta(seconds=REST + 1)
    assert robots.play()
    assert begun.row().board.length == 2
    (letter,) = begun.letters()
    assert letter.to == "alice@example.org"
    assert "Your move, alice" in letter.text
    assert not robots.play()


def sent(world: World) -> list[tuple[str, str]]:
    """Send the letters that are due; return which mail each answers, and its text."""
    outbox = StoredOutbox(world.engine, world.site, lambda: world.now)
    taken = outbox.claim(9, 60)
    outbox.sent_many([(x.id, "taken") for x in taken])
    letters = [message_from_bytes(x.data, policy=policy.default) for x in taken]
    return [(x["In-Reply-To"] or "", next(p for p in x.walk() if not p.is_multipart()).get_content()) for x in letters]


@pytest.mark.slow
@pytest.mark.both
def test_a_move_and_its_answer_are_one_letter(world: World) -> None:
    world.signup("alice")
    add(world, "robert", "four")
    world.mail("alice", "four challenge alice robert")
    assert len(sent(world)) == 1
    world.mail("alice", "four move 101 alice alice-secret d")
    asked = f"<{world.count}@client.example>"
    assert sent(world) == []
    world.now += timedelta(seconds=REST + 1)
    assert role(world).play()
    ((answers, text),) = sent(world)
    assert answers == asked
    assert "Your move, alice" in text
    assert "Receipt 2 of board 101" in text
    world.now += timedelta(minutes=2)
    assert sent(world) == []
    world.verify()


@pytest.mark.slow
def test_a_letter_rests_only_for_a_moment(begun: World) -> None:
    begun.now += RESTS
    assert [text.splitlines()[0] for _, text in sent(begun)][1:] == ["It is robert's turn, alice."]
    assert role(begun).play()
    ((_, answer),) = sent(begun)
    assert "Your move, alice" in answer
    assert "Receipt" not in answer


def test_a_board_that_a_robot_begins_is_told_from_the_beginning(world: World) -> None:
    world.signup("alice")
    add(world, "robert", "four")
    world.mail("alice", "four challenge robert alice")
    assert sent(world) == []
    world.now += timedelta(seconds=REST + 1)
    assert role(world).play()
    ((_, text),) = sent(world)
    told = " ".join(text.split())
    assert "Your move, alice" in told
    assert "To get the rules" in told
    assert "If you do not want to play, answer decline" in told
    assert "body=help" in world.letters()[-1].html


@pytest.mark.slow
def test_no_letter_answers_one_that_was_dropped(world: World) -> None:
    """Mail programs would show it apart. At her other address alice answers nothing, so letters refer to letters."""
    world.signup("alice")
    player = world.player("alice")
    world.act(lambda store: store.addresses.add(player.id, "alice@example.net", world.now, confirmed=True))
    add(world, "robert", "four")
    world.mail("alice", "four challenge robert alice")
    outbox, known, answered = StoredOutbox(world.engine, world.site, lambda: world.now), [""], []
    for _ in range(4):
        board = world.row().board
        if world.row().players[min(board.to_move)].userid == "alice":
            world.mail("alice", f"four move 101 alice alice-secret {board.game.example(board.position, 0)}")
        world.now += timedelta(seconds=REST + 1)
        assert role(world).play()
        for taken in outbox.claim(9, 60):
            outbox.sent_many([(taken.id, "taken")])
            letter = message_from_bytes(taken.data, policy=policy.default)
            if letter["To"] == "alice@example.net":
                answered.append(letter["In-Reply-To"] or "")
                assert answered[-1] in known
            known.append(letter["Message-ID"])
    assert len(set(answered)) >= 3


@pytest.mark.slow
def test_a_roll_and_a_move_are_one_letter(world: World) -> None:
    world.signup("alice")
    add(world, "robert", "backgammon")
    world.mail("alice", "backgammon challenge alice robert")
    moved = 0
    for _ in range(12):
        board = world.row().board
        seat = min(board.to_move)
        sent(world)
        if world.row().players[seat].userid == "alice":
            moved += 1
            world.mail("alice", f"backgammon move 101 alice alice-secret {board.game.example(board.position, seat)}")
        while world.row().players[min(world.row().board.to_move)].userid == "robert":
            world.now += timedelta(seconds=REST + 1)
            assert role(world).play()
    assert len([x for x in world.query(lambda s: s.letters.search(limit=99)) if x.status != "dropped"]) <= moved + 2


@pytest.mark.slow
def test_a_whole_game(begun: World) -> None:
    robots, row = role(begun), begun.row()
    while row.board.to_move:
        begun.now += timedelta(seconds=REST + 1)
        if not robots.play():
            move = row.game.format(row.game.legal_moves(row.board.position, 0)[0])
            begun.mail("alice", f"four move 101 alice alice-secret {move}")
        row = begun.row()
    assert row.board.result
    begun.verify()


@pytest.mark.slow
@pytest.mark.both
def test_opponents_take_turns_and_low_levels_come_first(world: World) -> None:
    """Three boards of Hex at level 2 wait longer than one of Four in a Row, and than that of a third player."""
    for opponent, game in (("alice", "hex"), ("alice", "hex"), ("alice", "hex"), ("bob", "four"), ("carol", "hex")):
        world.board(f"robot-{game}", opponent, game=game)
        world.now += timedelta(seconds=1)
    dear, cheap = world.player("robot-hex").id, world.player("robot-four").id
    world.act(lambda s: s.robots.add(dear, "hex", 2, 9))
    world.act(lambda s: s.robots.add(cheap, "four", 1, 9))
    world.now += timedelta(seconds=REST + 1)
    robots, order = role(world), list[int]()
    while robots.play():
        order += [n for n in range(101, 106) if world.row(n).board.length and n not in order]
    assert order == [104, 101, 105, 102, 103]


@pytest.mark.slow
@pytest.mark.both
def test_accounts_with_one_address_are_one_opponent(world: World) -> None:
    for opponent in ("alice", "bob", "carol"):
        world.board("robert", opponent, game="four")
        world.now += timedelta(seconds=1)
    robert, bob, carol = (world.player(userid).id for userid in ("robert", "bob", "carol"))
    world.act(lambda s: s.robots.add(robert, "four", 1, 9))
    world.act(lambda s: s.addresses.add(bob, "Alice@example.org", world.now, confirmed=True))
    now = world.now.timestamp() + REST
    turns = world.query(lambda s: s.robots.waiting(now, now, 9))
    assert [turn.board for turn in turns] == [101, 103, 102]
    assert turns[0].opponent == turns[2].opponent != turns[1].opponent == carol


def test_a_turn_of_a_process_that_was_killed_is_taken_after_its_lease(begun: World) -> None:
    begun.now += timedelta(seconds=REST + 1)
    now = begun.now.timestamp()
    with begun.engine.begin() as connection:
        store = Store(connection).robots
        (turn,) = store.waiting(now, now, 5)
        assert store.take(turn, now, now + LEASE)
        assert not store.take(turn, now, now + LEASE)
    assert not role(begun).play()
    begun.now += timedelta(seconds=LEASE)
    assert role(begun).play()
    assert begun.row().board.length == 2


@pytest.mark.slow
@pytest.mark.both
def test_a_turn_that_is_put_off_waits_no_longer_than_its_lease(begun: World) -> None:
    now = begun.now.timestamp() + REST + 1

    def waits(at: float) -> bool:
        return bool(begun.query(lambda s: s.robots.waiting(at, at, 5)))

    (turn,) = begun.query(lambda s: s.robots.waiting(now, now, 5))
    assert begun.act(lambda s: s.robots.take(turn, now, now + LEASE))
    begun.act(lambda s: s.robots.put_off(turn, now + 2 * LEASE))
    assert (waits(now + LEASE - 1), waits(now + LEASE)) == (False, True)
    begun.act(lambda s: s.robots.put_off(turn, now + 20))
    assert (waits(now + 19), waits(now + 20)) == (False, True)


@pytest.mark.slow
def test_an_answer_that_comes_twice_is_played_once(begun: World) -> None:
    begun.now += timedelta(seconds=REST + 1)
    first, second = role(begun), role(begun)
    now = begun.now.timestamp()
    with begun.engine.begin() as connection:
        (turn,) = Store(connection).robots.waiting(now, now, 5)
    tasks = [robots._look(turn) for robots in (first, second)]
    assert tasks[0]
    assert tasks[1]
    assert first._answer(tasks[0], "d") == "done"
    assert second._answer(tasks[1], "e") == "error"
    assert begun.row().board.length == 2


@pytest.mark.slow
@pytest.mark.sqlite
def test_an_answer_that_met_a_busy_database_comes_within_the_minute(
    begun: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its turn does not wait until the lease ends."""
    monkeypatch.setattr(engines, "_BUSY_SECONDS", 0.1)
    begun.now += timedelta(seconds=REST + 1)
    times = iter(range(100))
    with closing(sqlite3.connect(begun.file, isolation_level=None)) as other:

        def now() -> datetime:
            if next(times) == 1:  # the turn is taken, and the mail with the answer gets its date
                other.execute("BEGIN IMMEDIATE")
            return begun.now

        robots = Robots(begun.engine, begun.site, begun.pipeline, now)
        with capture_logs() as logs:
            assert not robots.play()
        assert [line["event"] for line in logs] == ["batch failed"]
        with pytest.raises(OperationalError):
            robots.play()
        other.execute("ROLLBACK")
    assert not robots.play()
    assert begun.row().board.length == 1
    begun.now += timedelta(seconds=20)
    assert robots.play()
    assert begun.row().board.length == 2


@pytest.mark.both
def test_a_paused_robot_rests(begun: World) -> None:
    act(begun.engine, begun.site, Admin("tests"), begun.now, lambda desk: admin.pause(desk, "robert", paused=True))
    begun.now += timedelta(seconds=REST + 1)
    assert not role(begun).play()
    (answer,) = begun.mail("alice", "four challenge alice robert")
    assert "The robot robert rests at the moment." in answer.flat


def test_a_limit_for_each_player(begun: World) -> None:
    for _ in range(2):
        begun.mail("alice", "four challenge alice robert")
    (answer,) = begun.mail("alice", "four challenge alice robert")
    assert "robert has enough boards with you: 3." in answer.flat
    begun.signup("bob")
    assert "Four in a Row board 104" in begun.mail("bob", "four challenge bob robert")[0].flat


def test_the_word_robot_finds_the_nearest_one(world: World) -> None:
    world.signup("alice")
    (answer,) = world.mail("alice", "four challenge alice robot")
    assert "No robot plays Four in a Row here." in answer.flat
    add(world, "robert", "four")
    assert "robert" in world.mail("alice", "four challenge alice robot")[0].text


def test_colours_alternate_on_rated_boards(world: World) -> None:
    world.signup("alice")
    add(world, "robert", "four")
    seats = []
    for number in (101, 102, 103):
        world.mail("alice", "four challenge alice robert")
        seats.append(world.row(number).players[0].userid)
    assert seats == ["alice", "robert", "alice"]


def test_robots_have_no_rated_boards_with_each_other(world: World) -> None:
    world.signup("alice")
    add(world, "robert", "3io")
    add(world, "rita", "3io")
    world.mail("alice", "3io challenge alice robert rita")
    row = world.row()
    assert not row.settings.rated
    assert row.settings.repetition == 5
    assert find("3io").info.agreements >= {"draw"}


ROBOTS_ALONE = ("tumble challenge robert rita", "threes challenge solo", "tumble fork 101 robert rita")


@pytest.mark.parametrize("line", ROBOTS_ALONE)
def test_a_robot_plays_only_with_whoever_asks(world: World, line: str) -> None:
    """Else its limit for each human would mean nothing."""
    for userid, game in (("robert", "tumble"), ("rita", "tumble"), ("solo", "threes")):
        add(world, userid, game)
    world.board("alice", "bob")
    letter = fail(world, "alice", line)
    assert "is a robot and plays only with you" in letter.flat


def test_the_robot_that_has_time_is_chosen(world: World) -> None:
    add(world, "rita", "four", level=3)
    add(world, "robert", "four", boards=1)
    world.board("alice", "robert", game="four")
    world.mail("alice", "four challenge alice robot")
    assert {p.userid for p in world.row(102).players} == {"alice", "rita"}


def test_play_works_only_from_an_own_address(world: World) -> None:
    add(world, "robert", "four")
    world.signup("alice", "bob")
    to = world.site.signer.sign(signed_addresses.WELCOME, world.player("alice").id)
    (letter,) = world.mail("bob", "Re: Welcome", "play\n", to=to)
    assert "only from one of your own addresses" in letter.flat
    assert world.query(lambda s: s.board_lists.numbers()) == []


def test_a_robot_is_marked_in_letters_and_lists(begun: World) -> None:
    (letter,) = begun.mail("alice", "four show 101")
    assert "ROBOT" in letter.text
    (listed,) = begun.mail("alice", "list")
    assert "robert (ROBOT)" in listed.text
    assert "alice (ROBOT)" not in listed.text


def test_a_robot_is_marked_in_what_is_told_about_players(begun: World) -> None:
    assert "robert (ROBOT) has been a member" in begun.mail("alice", "who robert")[0].text
    begun.mail("alice", "four resign 101 alice alice-secret")
    (listed,) = begun.mail("alice", "four history")
    assert "alice, robert (ROBOT)" in listed.text
    assert "ROBOT" in begun.mail("alice", "all show alice all")[0].text


def test_a_robot_is_marked_on_the_web(begun: World) -> None:
    with browse(begun) as client:
        for page in ("/boards", "/boards/101", "/players/robert"):
            assert "(ROBOT)" in client.get(page).text, page
        assert "<h1>robert (ROBOT)</h1>" in client.get("/players/robert").text
        assert "<h1>alice</h1>" in client.get("/players/alice").text


@pytest.mark.slow
def test_a_robot_is_marked_in_standings(begun: World) -> None:
    robots = role(begun)
    for _ in range(2):
        begun.now += timedelta(seconds=REST + 1)
        assert robots.play()
        begun.mail("alice", "four move 101 alice alice-secret d")
    begun.mail("alice", "four resign 101 alice alice-secret")
    (answer,) = begun.mail("alice", "four standings")
    assert "robert (ROBOT)" in answer.text
    with browse(begun) as client:
        assert "(ROBOT)" in client.get("/games/four/standings").text


@pytest.mark.slow
def test_a_newcomer_answers_the_welcome_letter_with_one_word(strict_world: World) -> None:
    world = strict_world
    add(world, "robert", "four")
    add(world, "rita", "othello")
    (asked,) = world.mail("nora", "signup nora nora-secret")
    (welcome,) = world.reply(asked, "yes")
    assert "Chess, as soon as somebody joins: play chess" in welcome.flat
    assert "Four in a Row, at once against a robot for a child: play four" in welcome.flat
    assert all(f">{word}</a>" in welcome.html for word in ("play chess", "play tumble", "play four", "games"))
    (wrong,) = world.reply(welcome, "why not")
    assert "Answer with one of: play chess, play tumble, play four" in wrong.flat
    assert ">play chess</a>" in wrong.html
    (waits,) = world.reply(welcome, "play chess")
    assert "You have a place in seek 1" in waits.text
    (again,) = world.reply(welcome, "I want to play chess, please")
    assert again.text.startswith("You have a place in seek 1, ")
    world.signup("alice")
    letters = world.reply(welcome, "tumble challenge nora alice --as=nora:nora-secret")
    assert [p.userid for p in world.row().players] == ["nora", "alice"], letters[0].text
    (letter,) = world.reply(welcome, "play")
    assert "Your move, nora" in letter.text
    assert [p.userid for p in world.row(102).players] == ["nora", "robert"]
    (other,) = world.reply(welcome, "Play othello!")
    assert "rita" in other.text


@pytest.mark.parametrize(
    "body", ["signup nora nora-secret", "signup nora nora-secret\nset nora nora-secret timezone=UTC"]
)
def test_who_signs_up_in_the_body_can_answer_play_too(world: World, body: str) -> None:
    add(world, "robert", "four")
    (welcome,) = world.mail("nora", "", f"{body}\n\n\N{EN DASH}\nNora, on the way\n")
    assert "Four in a Row, at once against a robot for a child: play four" in welcome.flat
    (letter,) = world.reply(welcome, "Play!\n\N{EM DASH}\nNora")
    assert "Your move, nora" in letter.text


@pytest.mark.parametrize("line", ['"play"', "*Play*", "Play?", "play, four", "„play four“"])
def test_play_is_understood_as_people_write_it(world: World, line: str) -> None:
    add(world, "robert", "four")
    (welcome,) = world.mail("nora", "signup nora nora-secret")
    world.reply(welcome, line)
    assert [p.userid for p in world.row().players] == ["nora", "robert"]


@pytest.mark.parametrize(
    ("language", "hint"), [("en", "Answer with one of: play chess"), ("de", "Antworte mit: play chess")]
)
def test_who_was_not_understood_answers_that_letter(strict_world: World, language: str, hint: str) -> None:
    world = strict_world
    add(world, "robert", "four")
    (asked,) = world.mail("nora", "signup nora nora-secret")
    (welcome,) = world.reply(asked, "yes")
    world.mail("nora", f"set nora nora-secret language={language}")
    (wrong,) = world.reply(welcome, "what now")
    assert hint in wrong.flat
    world.reply(wrong, "play")
    assert [p.userid for p in world.row().players] == ["nora", "robert"]


@pytest.mark.parametrize(
    ("line", "key", "opponent"),
    [
        ("Play chess please", "chess", "robert"),
        ("I want to play chess with xena.", "chess", "xena"),
        ("Could we play a game of Nine Men's Morris, please?", "morris", "rita"),
        ("Ich möchte gerne eine Partie Schach gegen Xena spielen", "chess", "xena"),
        ("Hallo, lass uns Mühle spielen!", "morris", "rita"),
        ("Je voudrais jouer aux échecs, s'il vous plaît", "chess", "robert"),
        ("quiero jugar al ajedrez con xena", "chess", "xena"),
        ("play with rita", "morris", "rita"),
        ("schach", "chess", "robert"),
    ],
)
def test_a_newcomer_says_what_they_want_to_play(world: World, line: str, key: str, opponent: str) -> None:
    world.signup("xena", "nora")
    add(world, "robert", "chess")
    add(world, "rita", "morris")
    world.mail("nora", "Hi there", line, to=world.site.signer.sign(signed_addresses.WELCOME, world.player("nora").id))
    assert (world.row().key, world.row().players[1].userid) == (key, opponent)


@pytest.mark.parametrize(
    "line", ["I do not want to play chess", "chess or morris", "let's go", "Aunt played chess", ""]
)
def test_what_is_no_wish_begins_nothing(world: World, line: str) -> None:
    world.signup("nora")
    add(world, "robert", "chess")
    to = world.site.signer.sign(signed_addresses.WELCOME, world.player("nora").id)
    (letter,) = world.mail("nora", "Re: Welcome", line, to=to)
    assert "Answer with one of: play " in letter.flat


def test_who_answers_the_welcome_letter_needs_no_password(strict_world: World) -> None:
    """Nobody else got its reply address, and it counts only from the player's own address."""
    world = strict_world
    world.signup("nora", "xena")
    to = world.site.signer.sign(signed_addresses.WELCOME, world.player("nora").id)
    for sender, subject, body in (
        ("nora", "Re: Welcome", "chess challenge nora xena"),
        ("nora", "chess challenge nora xena", ""),
        ("xena", "Re: Welcome", "chess challenge nora xena"),
    ):
        world.mail(sender, subject, body, to=to)
    assert world.query(lambda s: s.board_lists.numbers()) == [101, 102]
    (rules,) = world.mail("nora", "Re: Welcome", "How do I play chess?", to=to)
    assert rules.subject == "Chess help"


@pytest.mark.slow
def test_a_wish_to_the_address_of_the_server_is_answered_with_an_address_for_it(world: World) -> None:
    """From alone proves nothing on a public server."""
    world.signup("nora", "xena")
    world.allow(trust_from=False)
    (letter,) = world.mail("nora", "I want to play chess with xena")
    assert "Answer this letter with: play chess with xena" in letter.text
    world.reply(letter, "play chess with xena")
    assert [p.userid for p in world.row().players] == ["nora", "xena"]
    world.allow(trust_from=True)
    world.mail("nora", "hello", "Play chess with xena please")
    assert world.row(102).key == "chess"
    (rules,) = world.mail("nora", "Wie geht Mühle?")
    assert rules.subject == "Morris help"


def test_the_first_games_are_one_that_most_know_the_operators_first_and_our_own(world: World) -> None:
    for n, key in enumerate(("four", "othello", "tumble", "chess")):
        add(world, f"robot-{n}", key)
    world.allow(games=("othello", "four", "tumble", "chess"))
    (welcome,) = world.mail("nora", "signup nora nora-secret")
    assert re.findall(": (play [a-z]+)$", welcome.text, re.M) == ["play chess", "play othello", "play tumble"]
    world.allow(games=("threes",))
    (alone,) = world.mail("nora", "signup nora nora-secret")
    assert "Threes: play threes" in alone.text
    assert "Your move" in world.reply(alone, "play")[0].text


@pytest.mark.slow
def test_four_moves_before_going_to_bed(strict_world: World) -> None:
    world = strict_world
    add(world, "robert", "chess")
    (asked,) = world.mail("nora", "signup nora nora-secret")
    (welcome,) = world.reply(asked, "yes")
    (letter,) = world.reply(welcome, "play")
    for _ in range(4):
        row = world.row()
        world.reply(letter, row.game.format(row.game.legal_moves(row.board.position, 0)[0]))
        world.now += timedelta(seconds=REST + 1)
        assert role(world).play()
        (letter,) = world.letters()
        assert "Your move, nora" in letter.text
    assert world.row().board.length == 8
    world.verify()
