"""Tournaments as JSON and in Atom feeds say what their pages say."""

import feedparser
import pytest

from tests.boards.seasons.events import announced, entered
from tests.web.browser import browse, links, words
from tests.web.seasons.played_seasons import NAMES, begun, end_season, resign_all
from tests.web.seasons.test_tournament_pages import table
from tests.world import World

SIGNS = {1.0: "1", 0.5: "½", 0.0: "0", None: "·"}


@pytest.mark.slow
@pytest.mark.both
def test_json_and_page_have_the_same_table(world: World) -> None:
    number = begun(world)
    world.mail("alice", "tumble resign 101 alice alice-secret")
    with browse(world) as pages:
        rows, found = table(pages.get(f"/tournaments/{number}")), pages.get(f"/tournaments/{number}.json")
    said = found.json()
    assert (said["version"], said["kind"], said["state"], said["form"]) == (1, "tournament", "running", "league")
    assert found.headers["Content-Type"] == "application/json"
    assert found.headers["Cache-Control"] == "public, max-age=15"
    assert [line["player"] for line in said["table"]] == list(rows)
    for line in said["table"]:
        place, points, *cells = rows[line["player"]]
        assert (str(line["place"]), str(int(line["points"]))) == (place, points)
        assert [SIGNS[r["points"]] for r in line["results"]] == [c for c in cells[:5] if c]
        assert line["player"] not in {r["opponent"] for r in line["results"]}
        assert all(r["board"] for r in line["results"])


def test_json_of_a_swiss_tournament_names_rounds_and_opponents(world: World) -> None:
    number = begun(world, "swiss", NAMES[:4], size=0, rounds=3)
    resign_all(world, number)
    with browse(world) as pages:
        said = pages.get(f"/tournaments/{number}.json").json()
    results = {line["player"]: line["results"] for line in said["table"]}
    for player, (result,) in results.items():
        assert result["round"] == 1
        (other,) = results[result["opponent"]]
        assert other["opponent"] == player
        assert other["points"] + result["points"] == 1


def test_json_of_a_match_and_of_a_tournament_that_has_not_begun(world: World) -> None:
    number = begun(world, "match", NAMES[:4], size=2, teams=("Reds", "Blues"))
    resign_all(world, number, "alice", "carol")
    later = announced(world)
    entered(world, later, "alice")
    with browse(world) as pages:
        said, open_ = (pages.get(f"/tournaments/{n}.json").json() for n in (number, later))
        both = pages.get("/tournaments.json").json()["tournaments"]
        assert pages.get("/games/hex/tournaments.json").json()["tournaments"] == []
        assert pages.get("/tournaments/99.json").status_code == 404
    assert said["teams"] == [{"team": "Blues", "points": 2.0}, {"team": "Reds", "points": 0.0}]
    assert {m["board"] for m in said["meetings"]} == {101, 102}
    assert (open_["table"], open_["entrants"]) == ([], [{"player": "alice", "team": None}])
    assert [t["number"] for t in both] == [later, number]


@pytest.mark.both
@pytest.mark.slow
def test_feeds_tell_of_announcements_ends_of_boards_and_winners(world: World) -> None:
    number = begun(world)
    end_season(world, number, *reversed(NAMES))
    with browse(world) as pages:
        assert f"/tournaments/{number}/feed.atom" in links(pages.get(f"/tournaments/{number}"))
        found = feedparser.parse(pages.get(f"/tournaments/{number}/feed.atom").content)
        game = feedparser.parse(pages.get("/games/tumble/feed.atom").content)
        assert not found.bozo
        titles = [entry.title for entry in found.entries]
        assert "The cup is announced" in titles
        assert "The cup, season 1: alice wins" in titles
        assert sum(" loses to " in title or " wins against " in title for title in titles) == 10
        assert len({entry.id for entry in found.entries}) == len(titles)
        for entry in found.entries:
            assert pages.get(entry.link).status_code == 200
        assert {"The cup is announced", "The cup, season 1: alice wins"} <= {entry.title for entry in game.entries}
        (over,) = (entry for entry in found.entries if "season 1" in entry.title)
        assert "alice" in words(pages.get(over.link))
