"""Lists as JSON: they say what the pages with the same paths say, and no more."""

import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from pbmserv.boards.ratings import rating_formula
from tests.web.browser import browse, words
from tests.web.filled import PRIVATE, begin
from tests.world import World

PATHS = [
    "/index", "/boards", "/boards/finished", "/games/tumble/boards", "/games/tumble/finished",
    "/games/tumble/standings", "/games/town/standings", "/players/alice", "/players/eve", "/players/nobody1",
]  # fmt: skip


def read(pages: TestClient, path: str) -> Any:
    answer = pages.get(path)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/json"
    return answer.json()


@pytest.mark.parametrize("path", PATHS)
def test_each_has_a_version_and_a_kind_and_can_be_kept(pages: TestClient, path: str) -> None:
    found = read(pages, f"{path}.json")
    assert (found["version"], bool(found["kind"])) == (1, True)
    answer = pages.get(f"{path}.json")
    assert answer.headers["cache-control"] == "public, max-age=15"
    assert pages.get(f"{path}.json", headers={"If-None-Match": answer.headers["etag"]}).status_code == 304


@pytest.mark.parametrize("path", [path for path in PATHS if path != "/index"])
def test_each_has_a_page(pages: TestClient, path: str) -> None:
    assert pages.get(path).status_code == 200


@pytest.mark.parametrize("path", ["/boards", "/boards/finished", "/games/tumble/boards", "/games/tumble/finished"])
def test_the_boards_are_those_of_the_page(pages: TestClient, path: str) -> None:
    found, page = read(pages, f"{path}.json"), words(pages.get(path))
    assert found["next"] is None
    for board in found["boards"]:
        assert str(board["number"]) in page
        assert (board["result"] is not None) == found["over"]
        assert all(player in page for player in board["players"])
    assert PRIVATE not in [board["number"] for board in found["boards"]]
    listed = re.findall(r'href="/boards/(\d+)"', pages.get(path).text)
    assert sorted({int(n) for n in listed}) == sorted(board["number"] for board in found["boards"])


def test_a_board(pages: TestClient) -> None:
    over = read(pages, "/games/tumble/finished.json")["boards"]
    (board,) = [b for b in over if b["number"] == 102]
    assert board["players"] == ["alice", "bob"]
    assert board["result"] == {"reason": "resign", "ranks": [1, 2]}
    (running,) = [b for b in read(pages, "/boards.json")["boards"] if b["number"] == 101]
    assert (running["game"], running["options"], running["ply"]) == ("tumble", {"c": ""}, 5)
    assert running["to_move"] == ["bob"]


@pytest.mark.slow
@pytest.mark.both
def test_long_lists_have_a_next_part(world: World) -> None:
    world.signup("alice", "bob")
    for _ in range(51):
        begin(world, "alice", "bob")
    with browse(world) as pages:
        first = read(pages, "/games/tumble/boards.json")
        rest = read(pages, first["next"])
    numbers = [b["number"] for part in (first, rest) for b in part["boards"]]
    assert len(first["boards"]) == 50
    assert rest["next"] is None
    assert numbers == sorted(set(numbers), reverse=True)


def test_standings(pages: TestClient, filled: World) -> None:
    found = read(pages, "/games/tumble/standings.json")
    assert found["players"] == len(found["standings"]) == 2
    assert [line["player"] for line in found["standings"]] == ["alice", "bob"]
    page = words(pages.get("/games/tumble/standings"))
    for line in found["standings"]:
        assert f"{line['rating']['points']}?" in page
        assert line["rating"]["established"] is (line["rating"]["boards"] >= rating_formula.ESTABLISHED)


def test_scores(pages: TestClient) -> None:
    (table,) = read(pages, "/games/threes/standings.json")["tables"]
    assert table["players"] == 1
    assert [line["player"] for line in table["scores"]] == ["bob"]
    assert read(pages, "/games/town/standings.json")["tables"] == []


def test_a_player(pages: TestClient) -> None:
    found = read(pages, "/players/alice.json")
    assert found["player"] == "alice"
    assert {game["game"] for game in found["games"]} == {"tumble", "town", "3io"}
    assert PRIVATE not in [board["number"] for board in found["running"]]
    assert read(pages, "/players/carol.json")["away_until"].endswith("+00:00")
    assert read(pages, "/players/eve.json")["closed"] is True


def test_what_there_is_to_play(pages: TestClient) -> None:
    found = read(pages, "/index.json")
    assert {"game": "tumble", "name": "Tumbling Down", "seats": [2]} in found["games"]
    assert [(seek["game"], seek["players"]) for seek in found["seeks"]] == [("tumble", ["bob"])]


def test_a_seek_says_whose_time_runs_when(filled: World) -> None:
    filled.mail("bob", "set bob bob-secret weekends=off vacation=auto")
    filled.mail("bob", "hex seek bob bob-secret --bank=10 --increment=1.5 --cap=15")
    with browse(filled, json_lists=True) as pages:
        (seek,) = [seek for seek in read(pages, "/index.json")["seeks"] if seek["game"] == "hex"]
    settings = seek["settings"]
    assert (settings["bank"], settings["increment"], settings["cap"], settings["forfeit"]) == (10, 1.5, 15, 21)
    assert (seek["days_off"], seek["auto_vacation"]) == (["sat,sun"], [True])


@pytest.mark.parametrize("path", ["/players/zz.json", "/games/zz/boards.json", "/games/zz/standings.json"])
def test_what_there_is_none_of(pages: TestClient, path: str) -> None:
    assert pages.get(path).status_code == 404


def test_the_operator_can_turn_them_off(filled: World) -> None:
    with browse(filled, json_lists=False) as pages:
        for path in PATHS:
            assert pages.get(f"{path}.json").status_code == 404
        assert pages.get("/boards/101/record.json").status_code == 200
