"""Boards that are played while the server is killed, and checks of them afterwards."""

import random
from collections import Counter
from collections.abc import Sequence
from email.message import EmailMessage

from pbmserv.mail import signed_addresses
from tests.promises.durable.client import Retrying, id_of
from tests.tools.mail_program import as_sent, letters, message
from tests.tools.process import Process

USERIDS = ("ann", "bob")


class Table:
    """Two players and some boards of Tumbling Down, played by answers to letters. One client sends all mails."""

    def __init__(self, server: Process, seed: int, boards: int = 3, *, beside: Sequence[Process] = ()) -> None:
        """Set up the players. `beside`: more processes of the same server, which also take mails."""
        self.server = server
        self.client = Retrying(server, *beside)
        self.moves: list[tuple[int, int, str]] = []  #: board, its log's length after the move, the move; acknowledged
        self._random = random.Random(seed)
        self._pending: tuple[EmailMessage, tuple[int, int, str]] | None = None
        for userid in USERIDS:
            self.client.deliver(message(f"{userid}@example.org", f"signup {userid} {userid}-secret"))
        for n in range(boards):
            self.client.deliver(message("ann@example.org", "tumble challenge ann bob", f"board {n}"))

    def next_mail(self) -> tuple[EmailMessage, tuple[int, int, str]] | None:
        """Return the answer to a board letter with a random legal move, or None when all boards are over."""
        active = self.server.query(lambda store: [b.number for b in store.board_lists.search(state="active")])
        if not active:
            return None
        number = self._random.choice(active)
        row = self.server.query(lambda store: store.boards.find(number))
        (seat,) = row.board.to_move
        move = row.game.format(self._random.choice(row.game.legal_moves(row.board.position, seat)))
        to = self.server.signer.sign(signed_addresses.BOARD, number, seat, row.board.length)
        mail = message(f"{USERIDS[seat]}@example.org", f"Re: Tumble Board {number}", f"{move}\n", to=to)
        return mail, (number, row.board.length + 1, move)

    def play_one(self) -> bool:
        """Send one move until it is acknowledged. Return False when all boards are over."""
        if (following := self.next_mail()) is None:
            return False
        mail, move = following
        self.client.deliver(mail)
        self.moves.append(move)
        return True

    def try_one(self) -> bool:
        """Send a move once, and return whether it was taken. A move that was not taken before is sent first."""
        self._pending = self._pending or self.next_mail()
        assert self._pending, "all boards are over"
        mail, move = self._pending
        if not self.client.attempt(mail):
            return False
        self.moves.append(move)
        self._pending = None
        return True

    def check(self) -> None:
        """Check that every acknowledged move is stored exactly once, and that none of its letters is missing."""
        self._check_letters(self.check_moves())

    def check_moves(self) -> list[int]:
        """Check that every acknowledged move is stored exactly once. Return the numbers of the mails."""
        self.server.verify()
        boards = self.server.query(lambda store: store.board_lists.numbers())
        played = self.server.query(
            lambda store: [(n, line.number, line.entry.text) for n in boards for line in store.boards.log(n)]
        )
        assert sorted(played) == sorted(self.moves)
        mails = self.server.query(lambda store: store.mails.newest(100_000))
        assert Counter(m.message_id for m in mails) == Counter(self.client.acknowledged)
        assert {m.status for m in mails} == {"done"}
        return [m.id for m in mails]

    def _check_letters(self, mail_ids: list[int]) -> None:
        """Check that each letter is in its Maildir or still in the outbox.

        One that was sent twice has the same Message-ID.

        Letters that a killed server was about to send stay in the outbox until the lease is over, two minutes later.
        """
        rows = self.server.query(lambda store: [x for i in mail_ids for x in store.letters.of_mail(i)])
        assert Counter(x.mail_id for x in rows) == {i: 1 if i <= len(USERIDS) else 2 for i in mail_ids}
        with self.server.reader() as connection:
            sent_as = as_sent(connection, rows, self.server.signer)
        written = {(x.recipient, id_of(data)): x.status for x, data in zip(rows, sent_as, strict=True)}
        assert len(written) == len(rows)
        delivered = {(a, str(x["Message-ID"])) for a in _addresses() for x in letters(self.server, a)}
        sent = {key for key, status in written.items() if status == "sent"}
        assert sent
        assert sent <= delivered <= written.keys()
        assert set(written.values()) <= {"sent", "queued"}


def _addresses() -> list[str]:
    return [f"{userid}@example.org" for userid in USERIDS]
