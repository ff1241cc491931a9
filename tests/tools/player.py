"""Play whole games through the socket: answer board letters with random legal moves of the stored position."""

import os
import random
from pathlib import Path
from typing import Any

from pbmserv.cli.mailing.send import Mailbox
from pbmserv.mail.smtp.maildir import folder_name
from pbmserv.model import BoardRow
from tests.tools.mail_program import Client
from tests.tools.process import Process, until


class Player:
    """All players of one board. Their moves depend only on `seed` and the board."""

    def __init__(self, server: Process, client: Client, seed: int) -> None:
        self._server = server
        self._client = client
        self._random = random.Random(seed)
        self._newest = dict[str, tuple[str, Any]]()  #: by address: the file of the newest letter, and what it is

    def begin(self, game: str, userids: list[str], options: str = "") -> int:
        """Open the accounts, begin a board, and return its number."""
        for userid in userids:
            self._client.send(f"{userid}@example.org", f"signup {userid} {userid}-secret")
        before = self.numbers()
        self._client.send(f"{userids[0]}@example.org", f"{game} challenge {' '.join(userids)} {options}")
        (number,) = self.numbers() - before
        return number

    def numbers(self) -> set[int]:
        """Return the numbers of all boards."""
        return set(self._server.query(lambda store: store.board_lists.numbers()))

    def row(self, number: int) -> BoardRow:
        """Return the stored row of a board."""
        found: BoardRow = self._server.query(lambda store: store.boards.find(number))
        return found

    def turn(self, row: BoardRow) -> tuple[str, str]:
        """Return who moves now, and one of their legal moves at random, as a player writes it."""
        seat = min(row.board.to_move)
        game = row.game
        move = self._random.choice(game.legal_moves(row.board.position, seat))
        spelling = self._random.choice((str, str.upper))
        return row.players[seat].userid, spelling(game.format(move))

    def play(self, number: int, most: int = 10_000) -> int:
        """Answer letters until the board is over, or for `most` moves. Return how many moves were played."""
        for played in range(most):
            row = self.row(number)
            if not row.board.to_move:
                return played
            userid, move = self.turn(row)
            self.answer(userid, number, row.board.length, move)
            assert self.row(number).board.length == row.board.length + 1, move
        return most

    def resign(self, number: int) -> None:
        """Let players resign until the board is over."""
        while (row := self.row(number)).board.to_move:
            userid = row.players[min(row.board.to_move)].userid
            self._client.send(f"{userid}@example.org", f"{row.key} resign {number} {userid} {userid}-secret")

    def answer(self, userid: str, number: int, length: int, move: str) -> None:
        """Reply to the letter that shows the current position of the board."""
        address = f"{userid}@example.org"
        letter = until(lambda: self._letter(address, number, length))
        self._client.send(address, f"Re: {letter['Subject']}", f"{move}\n", to=letter["Reply-To"])

    def _letter(self, address: str, number: int, length: int) -> Any:
        folder = Path(self._server.folder) / "var/letters" / folder_name(address) / "new"
        name = max(os.listdir(folder), default="") if folder.exists() else ""
        if name != self._newest.get(address, ("", None))[0]:  # to read all letters each time would take most of a game
            box = Mailbox(f"maildir:{self._server.folder}/var/letters", address)
            self._newest[address] = name, box.newest_to_answer()
        _, letter = self._newest.get(address, ("", None))
        token = self._server.signer.read(letter["Reply-To"]) if letter else None
        return letter if token and token.numbers[::2] == (number, length) else None
