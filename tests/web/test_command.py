"""`pbmserv web`: what it needs, what it says if something is missing, and how it works beside a server."""

import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from pbmserv.cli.main import app
from pbmserv.db import tables
from tests.tools.command_line import behind
from tests.tools.mail_program import Client
from tests.tools.player import Player
from tests.tools.process import environment
from tests.tools.warm import ForkedProcess
from tests.web.browser import without_boards
from tests.web.filled import begin, play_on
from tests.web.process import served
from tests.web.touching import HOME, own_page
from tests.world import ADDRESS, KEY, World

WITHOUT_UVICORN = "import sys; sys.modules['uvicorn'] = None; from pbmserv.cli.main import run; run()"


def get(url: str) -> tuple[int, str]:
    """Return the status and the text of a page."""
    parts = urlsplit(url)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=20)
    try:
        connection.request("GET", (parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def at(world: World) -> dict[str, str]:
    return {"PBMSERV_DATABASE_URL": world.url}


def refused(url: str, listen: str = "127.0.0.1:0") -> tuple[int, str]:
    """Return the exit code and the output of a failed start."""
    done = CliRunner().invoke(app, ["web", "--listen", listen], env={"PBMSERV_DATABASE_URL": url, "COLUMNS": "200"})
    assert isinstance(done.exception, SystemExit)
    return done.exit_code, done.output


def test_without_a_database_it_says_how_to_get_one(tmp_path: Path) -> None:
    code, said = refused(f"sqlite:///{tmp_path}/none.db")
    assert code == 66
    assert "Start the server first: pbmserv serve" in said
    assert list(tmp_path.iterdir()) == []


def test_a_database_with_another_schema_is_refused(world: World) -> None:
    with behind(world):
        code, said = refused(world.url)
    assert code == 78
    assert "Run: pbmserv migrate" in said


@pytest.mark.parametrize("listen", ["8080", "localhost", "http://localhost:80", "a@b:80", "localhost:99999", ":80", ""])
@pytest.mark.sqlite
def test_a_place_that_is_none_is_refused(world: World, listen: str) -> None:
    code, said = refused(world.url, listen)
    assert code == 78
    assert "HOST:PORT, for example 127.0.0.1:8080" in said


@pytest.mark.sqlite
def test_a_place_that_is_taken_is_named(world: World) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        place = f"127.0.0.1:{taken.getsockname()[1]}"
        code, said = refused(world.url, place)
    assert code == 69
    assert f"{place} cannot be listened on" in said


@pytest.mark.sqlite
@pytest.mark.slow
def test_without_its_packages_it_names_them(world: World, tmp_path: Path) -> None:
    command = [sys.executable, "-c", WITHOUT_UVICORN, "web"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment(**at(world)), capture_output=True, text=True, check=False
    )
    assert done.returncode == 69
    assert "uvicorn" in done.stderr
    assert "pbmserv[web]" in done.stderr


@pytest.mark.slow
def test_it_needs_no_key_shows_boards_and_ends_when_told(world: World, tmp_path: Path) -> None:
    world.signup("alice", "bob")
    number = begin(world, "alice", "bob")
    with served(tmp_path, **at(world)) as url:
        assert get(url)[0] == 200
        play_on(world, number, 1)
        assert "Ply 1 of 1" in get(f"{url}/boards/{number}")[1]
        assert get(f"{url}/boards/999")[0] == 404
        assert get(f"{url}/style.css")[0] == 200
    assert (tmp_path / "web.log").read_text() == ""


@pytest.mark.slow
@pytest.mark.both
def test_a_database_that_goes_away_is_a_page_and_a_line_in_the_log(world: World, tmp_path: Path) -> None:
    with served(tmp_path, **at(world)) as url:
        with without_boards(world):
            assert get(f"{url}/boards")[0] == 503
            assert get(f"{url}/help")[0] == 200
        assert get(f"{url}/boards")[0] == 200
    log = (tmp_path / "web.log").read_text()
    assert "web page without its database" in log
    assert "SELECT" not in log


@pytest.mark.sqlite
def test_pages_of_players_need_the_key_of_the_server_and_make_none(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBMSERV_WEB_URL", HOME)
    code, said = refused(world.url)
    assert code == 78
    assert "PBMSERV_WEB_URL needs the secret key" in said
    assert not world.file.with_suffix(".key").exists()


@pytest.mark.slow
def test_no_log_has_the_link_of_a_page(world: World, tmp_path: Path) -> None:
    """Neither of a page that is shown nor of one that fails, at the level on which most is logged."""
    world.allow(web_url=HOME)
    world.signup("alice", "bob")
    mine = own_page(world, begin(world, "alice", "bob"), "alice")
    signed = mine.rpartition(".")[2]
    settings = {"PBMSERV_WEB_URL": HOME, "PBMSERV_SECRET_KEY": KEY.decode(), "PBMSERV_ADDRESS": ADDRESS}
    with served(tmp_path, PBMSERV_LOG_LEVEL="debug", **settings, **at(world)) as url:
        assert [get(f"{url}{mine}{rest}")[0] for rest in ("", "/0", "?from=b1", "/7", "x")] == [200, 200, 200, 404, 404]
        send(
            url,
            f"GET {mine}\r\n\r\n",
            f"GET http://[{mine} HTTP/1.1\r\nHost: x\r\n\r\n",
            f"{mine} {mine} {mine}\r\n\r\n",
        )
        with without_boards(world):
            assert get(f"{url}{mine}")[0] == 503
        with world.engine.begin() as connection:
            connection.execute(sa.update(tables.board).values(position="{"))
        assert get(f"{url}{mine}")[0] == 500
    log = (tmp_path / "web.log").read_text()
    assert "Traceback" in log
    assert signed not in log


def send(url: str, *requests: str) -> None:
    """Send requests that are not right, each on a connection of its own."""
    parts = urlsplit(url)
    for request in requests:
        with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=20) as connection:
            connection.sendall(request.encode())
            connection.recv(100)


@pytest.mark.slow
def test_many_readers_beside_a_server_that_takes_moves(tmp_path: Path) -> None:
    """On SQLite, where only one process writes, every move is taken and every page is shown."""
    with ForkedProcess(tmp_path) as server, Client(server) as client, served(tmp_path) as url:
        player = Player(server, client, seed=1)
        number = player.begin("tumble", ["alice", "bob"], "-c")
        paths = ["/", "/boards", "/help", f"/boards/{number}", f"/boards/{number}/0", "/players/bob"] * 6
        with ThreadPoolExecutor(6) as readers:
            found = [readers.submit(get, f"{url}{path}") for path in paths]
            assert player.play(number, most=15) == 15
            assert {answer.result()[0] for answer in found} == {200}
        assert "Ply 15 of 15" in get(f"{url}/boards/{number}")[1]
        server.verify()
        server.stop()
