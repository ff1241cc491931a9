"""The pages of tournaments: what they show of each form, and where else tournaments are named."""

import re
from html import unescape

import pytest
from httpx2 import Response

from tests.boards.seasons.events import announced, entered
from tests.boards.seasons.events import begun as with_one_round
from tests.web.browser import browse, links, words
from tests.web.filled import play_on
from tests.web.seasons.played_seasons import NAMES, begun, end_season, resign_all
from tests.world import World


def table(page: Response) -> dict[str, list[str]]:
    """Return the cells of the cross table behind each player's name."""
    body = page.text.partition('<table class="cross')[2].partition("</table>")[0].partition("<tbody")[2]
    found = {}
    for row in re.findall(r"<tr[^>]*>(.*?)</tr>", body, re.DOTALL):
        head, *cells = (
            unescape(re.sub(r"<[^>]*>", "", cell)).strip()
            for cell in re.findall(r"<t[hd][ >].*?</t[hd]>", row, re.DOTALL)
        )
        found[head] = cells
    return found


@pytest.mark.slow
def test_a_league_has_a_cross_table_with_a_link_to_each_board(world: World) -> None:
    number = begun(world)
    with browse(world) as pages:
        before = pages.get(f"/tournaments/{number}")
        assert set(table(before)) == set(NAMES[:5])
        assert {c for cells in table(before).values() for c in cells[2:7]} == {"·", ""}
        resign_all(world, number, "erin", "dave")
        page = pages.get(f"/tournaments/{number}")
    rows = table(page)
    assert list(rows)[-2:] == ["dave", "erin"]
    assert rows["erin"] == ["5", "0", "0", "0", "0", "0", "", "", "0", "0"]
    assert rows["dave"][:2] == ["4", "1"]
    boards = {link for link in links(page) if link.startswith("/boards/1")}
    assert len(boards) == 10
    assert "lost to" in page.text
    assert "Running." in words(page)


@pytest.mark.slow
def test_before_it_begins_it_says_how_to_enter_and_who_has(world: World) -> None:
    number = announced(world)
    entered(world, number, "alice", "bob")
    with browse(world) as pages:
        page = words(pages.get(f"/tournaments/{number}"))
        assert "Players can enter. It begins " in page
        assert f"tournament join {number} USERID PASSWORD" in page
        assert "Take part alice bob" in page
        assert pages.get("/tournaments/99").status_code == 404
        assert pages.get(f"/tournaments/{number}?season=1").status_code == 404


@pytest.mark.slow
def test_earlier_seasons_and_other_divisions_have_their_pages(world: World) -> None:
    number = begun(world, userids=NAMES)
    end_season(world, number, *reversed(NAMES))
    world.act(lambda s: s.tournaments.change(number, season=2))
    with browse(world) as pages:
        first = pages.get(f"/tournaments/{number}?season=1")
        assert next(iter(table(first))) == "alice"
        assert f"/tournaments/{number}?season=2" in links(first)
        for wrong in ("season=3", "season=0", "season=1&division=9", "season=x"):
            assert pages.get(f"/tournaments/{number}?{wrong}").status_code == 404


@pytest.mark.slow
def test_groups_have_a_table_for_each_round(world: World) -> None:
    players = tuple(f"player{chr(97 + n)}" for n in range(8))
    number = begun(world, "groups", players, size=4)
    with browse(world) as pages:
        page = pages.get(f"/tournaments/{number}")
        assert len(table(page)) == 4
        other = f"/tournaments/{number}?season=1&division=2&round=1"
        assert other in links(page)
        assert not set(table(page)) & set(table(pages.get(other)))
        end_season(world, number)
        final = pages.get(f"/tournaments/{number}")
        assert len(table(final)) == 2
        assert {len(cells) for cells in table(final).values()} == {7}
        assert len(table(pages.get(f"/tournaments/{number}?round=1"))) == 4


def test_a_swiss_tournament_has_a_column_for_each_round(world: World) -> None:
    number = begun(world, "swiss", NAMES[:4], size=0, rounds=3)
    resign_all(world, number)
    with browse(world) as pages:
        page = pages.get(f"/tournaments/{number}")
    cells = [row[2] for row in table(page).values()]
    assert sorted(cell.partition(":")[2] for cell in cells) == ["0", "0", "1", "1"]
    assert "In front of it stands the number of the opponent's line." in words(page)


def test_a_match_has_the_points_of_its_teams(world: World) -> None:
    number = begun(world, "match", NAMES[:4], size=2, teams=("Reds", "Blues"))
    resign_all(world, number, "alice", "carol")
    with browse(world) as pages:
        page = words(pages.get(f"/tournaments/{number}"))
    assert "Team Points Blues 2 Reds 0" in page
    assert "Board 101" in page


def test_a_ladder_has_its_rungs_and_the_latest_challenges(world: World) -> None:
    number = with_one_round(world, "alice", "bob", "carol", form="ladder")
    with browse(world) as pages:
        page = words(pages.get(f"/tournaments/{number}"))
    assert "Rungs alice bob carol" in page


def test_lists_name_the_tournaments(world: World) -> None:
    number = announced(world, name="The <b>cup</b>")
    with browse(world) as pages:
        for path in ("/tournaments", "/games/tumble/tournaments"):
            page = pages.get(path)
            assert f"/tournaments/{number}" in links(page)
            assert "The <b>cup</b> Tumbling Down, league: players can enter begins" in unescape(words(page))
            assert "<b>cup" not in page.text
        assert "There are none." in words(pages.get("/games/hex/tournaments"))


@pytest.mark.slow
def test_winners_are_named_in_the_standings_and_on_their_pages(world: World) -> None:
    play_on(world, world.board("alice", "bob"), 4)  # so that they have ratings
    world.mail("bob", "tumble resign 101 bob bob-secret")
    number = begun(world)
    end_season(world, number, *reversed(NAMES))
    title = f"/tournaments/{number}?season=1"
    with browse(world) as pages:
        standings, alice, bob = (pages.get(p) for p in ("/games/tumble/standings", "/players/alice", "/players/bob"))
        assert "alice won The cup" in words(standings)
        assert standings.text.count(f'href="{title}"') == 1
        assert title in links(alice)
        assert title not in links(bob)
        assert f"/tournaments/{number}" in links(bob)  # bob's entry of the next season
        assert f"/tournaments/{number}" in links(pages.get("/boards/102"))
    with browse(world, json_lists=True) as pages:
        won = [{"tournament": number, "name": "The cup", "season": 1}]
        assert pages.get("/players/alice.json").json()["titles"] == won
        assert pages.get("/players/bob.json").json()["titles"] == []
        lines = pages.get("/games/tumble/standings.json").json()["standings"]
        assert {line["player"]: line["titles"] for line in lines} == {"alice": won, "bob": []}
