"""Whole games through the socket, by answers to board letters, to the end."""

from functools import partial

import pytest

from pbmserv.cli.mailbox import text_of
from pbmserv.games import GAMES
from tests.e2e.client import Client, letters
from tests.e2e.player import Player
from tests.e2e.process import Process, until

slow = pytest.mark.slow


@pytest.mark.parametrize(
    ("game", "seats", "options", "seed"),
    [
        ("tumble", 2, "", 39),
        ("tumble", 2, "-c", 14),
        *(pytest.param("tumble", 2, "", seed, marks=slow) for seed in (3, 33, 13, 34)),
        *(
            pytest.param(g.info.key, n, "-d" if (g.info.key, n) == ("trippples", 4) else "", n, marks=slow)
            for g in GAMES[1:]
            for n in g.info.seats
        ),
    ],
)
@pytest.mark.timeout(300)
def test_a_whole_game(server: Process, game: str, seats: int, options: str, seed: int) -> None:
    """Every answer is taken, the end is told to everybody, the log replays to the same board."""
    userids = [f"{name}-{game}-{seed}" for name in ("ann", "bob", "cid", "dee")[:seats]]
    with Client(server) as client:
        player = Player(server, client, seed)
        number = player.begin(game, userids, options)
        assert player.play(number) > 10
    assert "1 boards replayed, 0 differ" in server.told("boards", "verify", str(number))
    row = player.row(number)
    assert row.over
    assert row.board.result
    for userid in userids:
        assert until(partial(_was_told, server, f"{userid}@example.org", f"Board {number} is over"))


def _was_told(server: Process, address: str, words: str) -> bool:
    return words in text_of(letters(server, address)[-1])
