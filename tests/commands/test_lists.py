"""`standings` and `history`: the best players, those around the sender, high scores, and lists that are cut."""

import re
from dataclasses import replace

import pytest
import sqlalchemy as sa

from pbmserv import games
from pbmserv.commands import lists
from pbmserv.db import tables
from pbmserv.games.base.kinds import by_kind
from pbmserv.games.capture.tumbling_down import TumblingDown
from pbmserv.model import Rating
from pbmserv.store.ratings import score_level
from tests.boards.seasons.events import begun
from tests.commands.answers import only
from tests.web.filled import begin, play_on
from tests.world import World


@pytest.fixture
def rated(world: World) -> World:
    """Thirty players p1 … p30, best first. Only p24, p25 and p26 are equal. The address of p26 is alice's."""
    world.signup("alice")
    with world.engine.begin() as connection:
        for n in range(1, 31):
            row = {"id": 100 + n, "userid": f"p{n}", "created": world.now}
            connection.execute(sa.insert(tables.player).values(row))
    for n in range(1, 31):
        rate(world, 100 + n, 35 if 24 <= n <= 26 else 60 - n)
    world.act(lambda s: s.addresses.add(126, "alice@example.org", world.now, confirmed=True))
    return world


def rate(world: World, player_id: int, mu: float) -> None:
    world.act(lambda s: s.ratings.set("tumble", player_id, Rating(mu, 2.0, 20, 10, 5, 5)))


def lines(world: World, command: str) -> list[tuple[str, str]]:
    """The place and player of each line of the answer; two empty texts for the line `...`."""
    (letter,) = world.mail("alice", command)
    found = re.findall(r"^ *(?:(\d+)  ([\w*]+) .*|\.\.\.)$", letter.text, re.MULTILINE)
    return [(place, player) for place, player in found]


def test_the_best_and_those_around_the_sender(rated: World) -> None:
    assert lines(rated, "tumble standings") == [
        *((str(n), f"p{n}") for n in range(1, 21)),
        *[
            ("", ""),
            ("21", "p21"),
            ("22", "p22"),
            ("23", "p23"),
            ("24", "p26*"),
            ("24", "p25"),
            ("24", "p24"),
            ("27", "p27"),
        ],
    ]


def test_all_of_them(rated: World, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(lines(rated, "tumble standings all")) == 30
    monkeypatch.setattr(lists, "MOST_STANDINGS", 25)
    (short,) = rated.mail("alice", "tumble standings")
    assert "The first 25: tumble standings all" in short.text
    (long,) = rated.mail("alice", "tumble standings all")
    assert "30 rated players" in long.text
    assert "The first 25 are shown." in long.text
    assert "standings all" not in long.text


def test_high_scores_and_the_senders_own(world: World) -> None:
    world.signup("alice", "bob")
    for userid, plies in (("alice", 3), ("bob", 2000)):
        play_on(world, begin(world, userid, game="threes"), plies)
    world.mail("alice", "threes resign 101 alice alice-secret")
    (low, high) = (world.row(n).board.result for n in (101, 102))
    assert low
    assert high
    assert lines(world, "threes standings") == [("1", "bob"), ("2", "alice*")]
    with world.engine.begin() as connection:
        for n in range(30):
            player = {"id": 100 + n, "userid": f"p{n}", "created": world.now}
            connection.execute(sa.insert(tables.player).values(player))
            best = {"best": low.scores[0] + 1, "total": 1, "boards": 1, "level": score_level(low.scores[0] + 1)}
            connection.execute(sa.insert(tables.score).values(game="threes", variant="", player_id=100 + n, **best))
    world.act(lambda s: s.ratings.count_levels())
    found = lines(world, "threes standings")
    assert len(found) == 21
    assert found[:2] == [("1", "bob"), ("2", "p29")]
    assert found[-1] == ("32", "alice*")


def test_the_history_leaves_private_boards_out(world: World) -> None:
    world.signup("alice")
    for private in (True, False):
        play_on(world, begin(world, "alice", game="threes", private=private), 2000)
    assert [number for number, _ in lines(world, "threes history")] == ["102"]


def test_the_standings_show_who_asks_his_own_place(world: World) -> None:
    names = [f"player{n:02}" for n in range(30)]
    world.signup(*names)
    for n, name in enumerate(names):
        player = world.player(name)
        world.act(lambda s, p=player, n=n: s.ratings.set("tumble", p.id, Rating(40.0 - n, 3.0, 12)))  # type: ignore[misc]
    for asks, shown in (("player26", names[:20] + names[23:]), ("player21", names[:25]), ("player05", names[:20])):
        (answer,) = world.mail(asks, "tumble standings")
        assert [name for name in names if name in answer.text] == shown


def test_a_seek_in_the_list_says_its_pace(world: World) -> None:
    world.signup("alice")
    world.mail("alice", "tumble seek alice alice-secret -c --nagtime=1 --forfeittime=3 --totaltime=30 --rating=1-3000")
    (letter,) = world.mail("alice", "list")
    said = (
        "tumble -c: alice, 1 place left, rated, reminder after 1 day, time limit 3 days, 30 days in all, "
        "for ratings 1-3000"
    )
    assert said in letter.flat
    assert max(map(len, letter.text.splitlines())) <= 79
    world.mail("alice", "set alice alice-secret language=de")
    assert "Erinnerung nach 1 Tag, Zeitlimit 3 Tage" in world.mail("alice", "list")[0].flat


def test_the_columns_of_tables_stand_with_a_long_name(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.signup("alice", "bob")
    world.mail("alice", "tumble challenge alice bob")
    long = "tumblingdownandup"
    game = TumblingDown()
    monkeypatch.setattr(game, "info", replace(game.info, key=long), raising=False)
    monkeypatch.setattr(games, "all_games", lambda: (game, *games.GAMES))
    (letter,) = world.mail("alice", "games")
    table = [line for line in letter.text.splitlines() if line.startswith("  ")]
    named, rest = [line for line in table if line[2] != " "], [line for line in table if line[2] == " "]
    shown = [info for part in by_kind(g.info for g in (game, *games.GAMES)).values() for info in part]
    assert {line.index(info.name, 21) for info, line in zip(shown, named, strict=True)} == {21}
    assert {len(line) - len(line.lstrip()) for line in rest} == {21}
    with world.engine.begin() as connection:
        connection.execute(sa.update(tables.board).values(game=long))
    monkeypatch.setattr(games, "find", lambda key: game)
    (letter,) = world.mail("alice", "list")
    head, row = letter.text.splitlines()[2:4]
    assert head.index("ply") + 3 == row.index(" 0 ") + 2
    assert head.index("players") == row.index("*alice")


@pytest.mark.parametrize("language", ["en", "de"])
def test_each_game_is_summed_up_in_a_line(world: World, language: str) -> None:
    world.signup("alice")
    world.mail("alice", f"set alice alice-secret language={language}")
    (letter,) = world.mail("alice", "games")
    say = world.site.renderer.to(language).say
    for game in games.GAMES:
        assert say(game.info.summary) in letter.flat
    assert max(map(len, letter.text.splitlines())) <= 79


def test_boards_are_listed_by_kind(world: World) -> None:
    world.signup("alice", "bob")
    for game in ("othello", "gomoku", "four"):
        world.board("alice", "bob", game=game)
    (letter,) = world.mail("alice", "list")
    found = re.findall(r"^ +(\w[A-Za-z ]+:|\d+  \w+)", letter.text, re.MULTILINE)
    assert found == ["Lines and connections:", "102  gomoku", "103  four", "Territory:", "101  othello"]
    (one,) = world.mail("alice", "list othello")
    assert "Territory" not in one.text


@pytest.mark.parametrize("language", ["en", "de"])
def test_all_games_are_listed_by_kind(world: World, language: str) -> None:
    world.signup("alice")
    world.mail("alice", f"set alice alice-secret language={language}")
    (letter,) = world.mail("alice", "games")
    assert max(map(len, letter.text.split("\n"))) <= 79
    keys = re.findall(r"^  (\w+)  +\w", letter.text, re.MULTILINE)
    assert keys == [g.info.key for g in games.listed()]
    assert letter.text.count("\n\n") > len({g.info.kind for g in games.GAMES})
    assert "tumble challenge USERID FRIEND" in letter.text


def test_each_kind_has_one_heading(world: World) -> None:
    world.signup("alice", "bob")
    for game in ("hex", "chess", "four"):
        world.board("alice", "bob", game=game)
    wanted = ["Move and capture:", "102  chess", "Lines and connections:", "101  hex", "103  four"]
    heading = r"^ +(\w[A-Za-z ]+:|\d+  \w+)"
    (letter,) = world.mail("alice", "list hex chess four")
    assert re.findall(heading, letter.text, re.MULTILINE) == wanted
    world.allow(games=("hex", "four"))  # chess is only played on
    (letter,) = world.mail("alice", "list")
    assert re.findall(heading, letter.text, re.MULTILINE) == wanted


def test_a_game_that_is_not_offered_has_a_list(world: World) -> None:
    world.signup("alice")
    world.allow(games=("chess",))
    (letter,) = world.mail("alice", "list hex")
    assert "There are none." in letter.text
    (letter,) = world.mail("alice", "list hexagons")
    assert "Available: chess" in letter.text


def test_standings_name_titles(world: World) -> None:
    begun(world, "alice", "bob")
    world.mail("alice", "tumble move 101 alice alice-secret c1-c5t")
    world.mail("bob", "tumble move 101 bob bob-secret f8-f4t")
    world.play()
    world.mail("bob", "tumble resign 101 bob bob-secret")
    (mine,) = (e for e in world.query(lambda s: s.tournaments.entrants(1, 1)) if e.player.userid == "alice")
    world.act(lambda s: s.tournaments.change_entrant(mine.id, place=1))
    assert "Titles, the newest first:\n  alice: The cup, season 1\n" in only(world.mail("bob", "tumble standings")).text
    world.mail("bob", "set bob bob-secret language=de")
    assert "  alice: The cup, Saison 1\n" in only(world.mail("bob", "tumble standings")).text
