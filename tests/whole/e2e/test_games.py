"""Games through the socket, played by answers to board letters until a player wins or, with many moves, resigns."""

from email.message import Message
from functools import partial

import pytest

from pbmserv.cli.mailing.send import text_of
from pbmserv.games import GAMES
from pbmserv.games.base.board import Board, view_of
from pbmserv.model import BoardRow
from tests.examples import SOAK, some_of
from tests.letters.reading import seen, stored
from tests.letters.test_board_page_diagrams import history
from tests.tools.mail_program import Client, letters
from tests.tools.player import Player
from tests.tools.process import Process, until

slow = pytest.mark.slow
_MOST = 24 if SOAK == 1 else 10_000  #: moves; whole games: tests/letters/test_board_page_diagrams.py
_OPTIONS = {("trippples", 4): "-d", ("go", 2): "-size=9"}  #: by game and seats; random Go with 19 lines takes a minute


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seats", "options", "seed"),
    [
        ("tumble", 2, "", 39),
        pytest.param("tumble", 2, "-c", 14, marks=slow),
        *(pytest.param("tumble", 2, "", seed, marks=slow) for seed in some_of((3, 33, 13, 34), 4)),
        *(
            pytest.param(key, seats, _OPTIONS.get((key, seats), ""), seats, marks=slow)
            for key, seats in some_of([(g.info.key, n) for g in GAMES[1:] for n in g.info.seats], 6)
        ),
    ],
)
@pytest.mark.timeout(300)
def test_a_whole_game(server: Process, game: str, seats: int, options: str, seed: int) -> None:
    """Every answer is taken, all players are told the end, and a replay of the log gives the same board."""
    userids = [f"{name}-{game}-{seed}" for name in ("ann", "bob", "cid", "dee")[:seats]]
    with Client(server) as client:
        player = Player(server, client, seed)
        number = player.begin(game, userids, options)
        # The number depends on the board's random seed: Trippples can end with the sixth move.
        assert player.play(number, _MOST) > 0
        player.resign(number)
    assert "1 boards replayed, 0 differ" in server.told("boards", "verify", str(number))
    row = player.row(number)
    assert row.over
    assert row.board.result
    said = f"Board {number} is over"
    told = [x for u in userids for x in until(partial(_told, server, f"{u}@example.org", said))]
    entries = [line.entry for line in server.query(lambda store: store.boards.log(number))]
    boards = history(row.board, entries)
    shown = [_check_diagram(server, row, boards, letter) for letter in told]
    assert sum(shown) > len(entries)


def _check_diagram(server: Process, row: BoardRow, boards: list[Board], letter: Message) -> bool:
    """Return whether the letter is about the board.

    If so, check that its diagram shows the position its address names.
    """
    token = server.signer.read(letter["Reply-To"] or "")
    if token is None or token.numbers[0] != row.number:
        return False
    _, seat, length = token.numbers
    key = row.game.info.key
    assert seen(key, text_of(letter)) == stored(key, view_of(boards[length], seat))
    return True


def _told(server: Process, address: str, words: str) -> list[Message]:
    """Return all letters to an address if the last one says this, else none."""
    found = letters(server, address)
    return found if words in text_of(found[-1]) else []
