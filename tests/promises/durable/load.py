"""Many moves by several sessions at once while servers are killed, and checks of all moves afterwards."""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import cycle

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.games.base import board as play
from pbmserv.mail import signed_addresses
from pbmserv.model import BoardRow
from tests.promises.durable.client import Retrying, id_of
from tests.tools.mail_program import as_sent, message
from tests.tools.process import Process
from tests.tools.sink import Sink

USERIDS = ("ann", "bob")
CHALLENGES = (
    "tumble challenge ann bob",
    "trippples challenge ann bob",
    "3io challenge ann bob",
    "threes challenge ann",
    "town challenge bob",
    "town challenge ann",
    "town challenge bob",
)
LONGEST = 10  #: moves of a board of several players: a longer one tests nothing more, and needs a mail for each move
LONGEST_ALONE, AT_ONCE = 200, 20  #: moves of a solitaire, and how many of them come in one mail
SESSIONS = 6


@dataclass(frozen=True)
class Moves:
    """An answer to a board letter, and the moves that it plays."""

    board: int
    number: int  #: number of the first move in the board's log
    texts: tuple[str, ...]
    sender: str
    to: str
    letters: int

    @property
    def message_id(self) -> str:
        """Return its Message-ID."""
        return f"<{self.board}.{self.number}@client.example>"

    @property
    def data(self) -> bytes:
        """Return the mail."""
        line = " ".join(self.texts)
        head = f"From: {self.sender}\r\nTo: {self.to}\r\nSubject: Re: Board {self.board}\r\n"
        rest = f"Message-ID: {self.message_id}\r\nDate: Sun, 01 Mar 2026 12:00:00 +0000\r\n\r\n{line}\r\n"
        return (head + rest).encode()


class Load:
    """`moves` legal moves on many short boards of all games.

    Several clients send them, and repeat what was not taken.
    """

    def __init__(self, servers: Sequence[Process], moves: int, seed: int) -> None:
        self.server = servers[0]
        self.answers: list[Moves] = []  #: mails that were acknowledged
        self._random = random.Random(seed)
        self._clients = [Retrying(*servers[n % len(servers) :], *servers[: n % len(servers)]) for n in range(SESSIONS)]
        self._work: list[list[Moves]] = []
        self._opening = [message(f"{userid}@example.org", f"signup {userid} {userid}-secret") for userid in USERIDS]
        for mail in self._opening:
            self._clients[0].deliver(mail)
        self._begin_boards(moves)

    @property
    def moves(self) -> int:
        """Return how many moves were acknowledged."""
        return sum(len(answer.texts) for answer in self.answers)

    @property
    def repeated(self) -> int:
        """Return how often a mail was sent again."""
        return sum(client.repeated for client in self._clients)

    def _begin_boards(self, moves: int) -> None:
        """Begin all boards. Then their numbers and seeds are known, and all their moves can be written."""
        kinds = cycle(CHALLENGES)
        while sum(len(answer.texts) for board in self._work for answer in board) < moves:
            challenge = message("ann@example.org", next(kinds), f"board {len(self._work)}")
            self._opening.append(challenge)
            self._clients[0].deliver(challenge)
            number = max(self.server.query(lambda store: store.board_lists.numbers()))
            row = self.server.query(lambda store, n=number: store.boards.find(n))
            self._work.append(list(_played(self.server, row, self._random)))

    def play(self, kill: Callable[[], None], kills: int) -> None:
        """Send all moves, those of one board one after the other. Kill at random moments from the first to the last."""
        total = sum(map(len, self._work))
        with ThreadPoolExecutor(SESSIONS) as pool:
            playing = [pool.submit(self._play, client, n) for n, client in enumerate(self._clients)]
            for n in range(kills):
                while len(self.answers) < total * n // kills and not any(x.done() and x.exception() for x in playing):
                    time.sleep(0.01)
                time.sleep(self._random.uniform(0, 0.1))
                kill()
            for session in playing:
                session.result()

    def _play(self, client: Retrying, first: int) -> None:
        for board in self._work[first::SESSIONS]:
            for answer in board:
                client.post(answer.sender, answer.to, answer.data)
                self.answers.append(answer)
        client.close()

    # --- afterwards --------------------------------------------------------------------------------------------------

    def check(self, sink: Sink) -> None:
        """Check that every acknowledged mail was done once, with its move and its letters, and all letters arrived."""
        self.server.verify()
        with self.server.reader() as connection:
            self._check_moves(connection)
            self._check_letters(connection, sink)

    def _check_moves(self, connection: sa.Connection) -> None:
        e, m = tables.entry.c, tables.mail.c
        played = sa.select(e.board, e.number, e.text, m.message_id).join(tables.mail)
        assert Counter(map(tuple, connection.execute(played))) == Counter(
            (x.board, number, text, x.message_id) for x in self.answers for number, text in enumerate(x.texts, x.number)
        )
        came = Counter(map(tuple, connection.execute(sa.select(m.message_id, m.status))))
        ids = [str(mail["Message-ID"]) for mail in self._opening] + [x.message_id for x in self.answers]
        assert came == Counter((i, "done") for i in ids)

    def _check_letters(self, connection: sa.Connection, sink: Sink) -> None:
        """Check that each move brought one letter to each player.

        A letter that arrived twice is the same, byte for byte.
        """
        m = tables.mail.c
        rows = list(connection.execute(sa.select(m.message_id, tables.outbox).join_from(tables.mail, tables.outbox)))
        assert {row.status for row in rows} == {"sent"}
        wrote = Counter(row.message_id for row in rows)
        messages = as_sent(connection, rows, self.server.signer)
        written = {(row.recipient, data) for row, data in zip(rows, messages, strict=True)}
        assert all(wrote[answer.message_id] == answer.letters for answer in self.answers)
        assert written == {(x.recipient, x.data) for x in sink.taken}
        assert len({id_of(data) for _, data in written}) == len(rows)


def _played(server: Process, row: BoardRow, chance: random.Random) -> Iterator[Moves]:
    """Return random legal moves on a new board. A player of a solitaire sends many moves in one mail."""
    board, alone = row.board, len(row.players) == 1
    while board.to_move and board.length < (LONGEST_ALONE if alone else LONGEST):
        seat, length = min(board.to_move), board.length
        texts: list[str] = []
        while board.to_move and len(texts) < (AT_ONCE if alone else 1):
            text = board.game.format(chance.choice(board.game.legal_moves(board.position, seat)))
            board = play.play(board, seat, text).board
            texts.append(text)
        to = server.signer.sign(signed_addresses.BOARD, row.number, seat, length)
        sender = f"{row.players[seat].userid}@example.org"
        yield Moves(row.number, length + 1, tuple(texts), sender, to, len(row.players))
