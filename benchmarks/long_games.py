"""What a move costs on boards that have seen few moves and many: the 500th is to cost what the fifth does.

    python -m benchmarks.long_games

At the pipeline, on an SQLite file; processor time of the listener for the mail, and of the sender for its letters.
"""

import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import cycle, islice
from pathlib import Path
from statistics import median

from sqlalchemy.engine import Engine

from benchmarks import work
from benchmarks.report import Sheet
from benchmarks.servers import KEY
from pbmserv import games
from pbmserv.boards import entries
from pbmserv.commands import command_language
from pbmserv.db import engines, migrate
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Start
from pbmserv.inbox.pipeline import Pipeline
from pbmserv.letters.site import Site
from pbmserv.letters.text.templates import Renderer
from pbmserv.mail import signed_addresses
from pbmserv.mail.envelope import ACCEPTED, Incoming
from pbmserv.mail.signed_addresses import Signer
from pbmserv.model import Player, Settings
from pbmserv.server.outbox import StoredOutbox
from pbmserv.store import Store

PLIES = (5, 50, 500, 5_000)
BOARDS = 20  #: of each length
#: Both players of Tumbling Down go to and fro, so that a board has as many plies as are wanted.
_SHUTTLE = ("f1-g1", "c8-b8", "g1-f1", "b8-c8")


class LongGames:
    """Boards on which so many moves have been played, and the next move of each."""

    def __init__(self, folder: Path) -> None:
        self._engine = engines.connect(f"sqlite:///{folder}/pbmserv.db")
        migrate.upgrade(self._engine)
        self._signer = Signer(work.ADDRESS, KEY.encode())
        self._site = Site(self._signer, Renderer())
        self._pipeline = Pipeline(self._engine, self._site, command_language(), bytes)
        self._outbox = StoredOutbox(self._engine, self._site)
        self._players = _players(self._engine, self._signer)

    def costs(self, plies: int) -> tuple[float, float]:
        """Milliseconds of processor time for the next move: in the listener, and for its letters in the sender."""
        boards = [self._board(plies) for _ in range(BOARDS)]
        self._cost(self._board(plies), plies)  # statements are compiled once, templates are read once
        listener, sender = zip(*(self._cost(board, plies) for board in boards), strict=True)
        return 1000 * median(listener), 1000 * median(sender)

    def close(self) -> None:
        """Let the file go."""
        self._engine.dispose()

    def _board(self, plies: int) -> int:
        """The number of a new board, after so many moves."""
        board, now = play.begin(Start(games.find("tumble"), {}, 2, "0" * 32)), datetime.now(UTC)
        with self._engine.begin() as connection:
            store = Store(connection)
            row = entries.begin(store, board, self._players, Settings(), now)
            for ply, move in enumerate(islice(cycle(_SHUTTLE), plies)):
                row = entries.write(store, row, play.play(row.board, ply % 2, move), None, now)
        return row.number

    def _cost(self, board: int, plies: int) -> tuple[float, float]:
        userid = self._players[plies % 2].userid
        to = self._signer.sign(signed_addresses.BOARD, board, plies % 2, plies)
        mail = work.answer(userid, to, board, _SHUTTLE[plies % 4])
        incoming = Incoming(mail.data, mail.sender, (mail.recipient,), "127.0.0.1")
        began = time.process_time()
        replies = self._pipeline.handle([self._pipeline.prepare(incoming)])
        handled = time.process_time()
        letters = self._outbox.claim(50, 120)
        ended = time.process_time()
        if replies != [ACCEPTED] or len(letters) != 2:
            raise RuntimeError(f"the move after ply {plies} was not played: {replies}, {len(letters)} letters")
        return handled - began, ended - handled


def _players(engine: Engine, signer: Signer) -> Sequence[Player]:
    work.tables(engine, 1, signer)
    with engine.connect() as connection:
        found = [Store(connection).players.find(f"{name}0") for name in work.NAMES]
    return [player for player in found if player]


def sheets(plies: Sequence[int] = PLIES) -> Iterator[Sheet]:
    """The table."""
    with tempfile.TemporaryDirectory(prefix="pbmserv-long-") as folder:
        server = LongGames(Path(folder))
        found = {n: server.costs(n) for n in plies}
        server.close()
    first = found[plies[0]]
    sheet = Sheet(
        "A move on long boards, processor time in milliseconds",
        ("played before", "the mail", "to the first", "its letters", "to the first"),
    )
    for n, costs in found.items():
        figures = (text for ms, base in zip(costs, first, strict=True) for text in (f"{ms:.2f}", f"{ms / base:.2f}"))
        sheet.rows.append((f"{n:,} plies", *figures))
    yield sheet


def main() -> None:
    """Measure and print."""
    for sheet in sheets():
        sheet.show()


if __name__ == "__main__":
    main()
