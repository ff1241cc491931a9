"""`pbmserv serve`: what it says when it starts."""

import json
from pathlib import Path

import pytest

from pbmserv.cli.serve import without_login
from pbmserv.cli.terminal.database import server_settings
from pbmserv.config import Config
from pbmserv.db import engines, migrate
from tests.tools.process import run


@pytest.mark.parametrize(
    ("relay", "shown"),
    [
        ("smtp+starttls://me:sword@fish@mx.example.org:587", "mx.example.org:587"),
        ("smtp://127.0.0.1:25", "smtp://127.0.0.1:25"),
        ("maildir:/srv/games@home/letters", "maildir:/srv/games@home/letters"),
    ],
)
def test_a_server_shows_its_relay_without_the_password(relay: str, shown: str) -> None:
    assert without_login(relay) == shown


@pytest.mark.parametrize(
    ("roles", "senders", "own", "children"),
    [
        ("listener,sender,clock", 0, (0, 1), []),
        ("listener,sender,clock", 1, (0, 1), [(0, 1)]),
        ("listener,sender", 3, (0, 3), [(0, 3), (1, 3), (2, 3)]),
        ("sender", 0, (0, 1), []),
        ("sender", 1, (0, 1), []),
        ("sender", 3, (0, 3), [(1, 3), (2, 3)]),
        ("listener,clock", 3, (0, 3), []),
    ],
)
def test_a_process_that_only_sends_is_one_of_the_senders(
    tmp_path: Path, roles: str, senders: int, own: tuple[int, int], children: list[tuple[int, int]]
) -> None:
    url = f"sqlite:///{tmp_path}/pbmserv.db"
    config = Config(database_url=url, roles=roles, senders=senders, metrics="127.0.0.1:9464")
    settings = server_settings(config)
    found = settings.children
    assert settings.share == own
    assert (found.shares if found else []) == children
    if found:
        given = Config(**json.loads(found.settings))
        assert (given.roles, given.senders, given.metrics, given.database_url) == (["sender"], 0, config.metrics, url)


def test_a_child_whose_parent_has_ended_ends(tmp_path: Path) -> None:
    done = run(tmp_path, {}, "serve", "--child", "0/1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


def test_a_child_leaves_the_database_as_it_is(tmp_path: Path) -> None:
    """If the program was replaced while the server ran, a new child must not change the tables of the old server."""
    url = f"sqlite:///{tmp_path}/pbmserv.db"
    engine = engines.connect(url)
    migrate.upgrade(engine)
    migrate.downgrade(engine, "0005")
    done = run(
        tmp_path, {}, "serve", "--child", "0/1", stdin=json.dumps({"database_url": url, "roles": ["sender"]}) + "\n"
    )
    assert done.returncode == 78
    assert "another schema" in done.stderr
    with engine.connect() as connection:
        assert migrate.revision(connection) == "0005"
    engine.dispose()
