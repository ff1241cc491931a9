"""The mails of the benchmarks: whole games of Tumbling Down by two players in each session, on boards begun before."""

import random
import secrets
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from itertools import islice

from sqlalchemy.engine import Engine

from benchmarks.load import Mail
from pbmserv import games
from pbmserv.boards import entries
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Start
from pbmserv.mail import signed_addresses
from pbmserv.mail.signed_addresses import Signer
from pbmserv.model import Player, Settings
from pbmserv.model.passwords import Passwords
from pbmserv.store import Store

ADDRESS = "pbmserv@localhost"
PASSWORD = "secret-of-all"
COMMENT = "Your turn! I did not see that one coming.\r\n"
NAMES = ("ann", "bob")  #: beginnings of the userids in each session; its number follows
GAMES, LONGEST = 8, 60  #: different games, and plies of each at most


class Table:
    """Two players, and the boards that they play one after the other."""

    def __init__(self, number: int, players: Sequence[Player], signer: Signer) -> None:
        self._number = number
        self.players = players
        self._signer = signer

    def mails(self, engine: Engine, count: int, *, passwords: bool = False) -> list[Mail]:
        """Begin as many boards as necessary, and return mails that play so many moves on them."""
        mails: list[Mail] = []
        for board in self._boards(engine, count):
            moves = enumerate(game(self._number % GAMES))
            mails += [self._mail(board, length, *move, passwords) for length, move in moves]
        return mails[:count]

    def _boards(self, engine: Engine, moves: int) -> list[int]:
        start = play.begin(Start(games.find("tumble"), {}, 2, secrets.token_hex(16)))
        count = -(-moves // len(game(self._number % GAMES)))
        with engine.begin() as connection:
            store, now = Store(connection), datetime.now(UTC)
            return [entries.begin(store, start, self.players, Settings(), now).number for _ in range(count)]

    def _mail(self, board: int, length: int, seat: int, move: str, passwords: bool) -> Mail:
        userid = self.players[seat].userid
        if passwords:
            return mail(userid, ADDRESS, f"tumble move {board} {userid} {PASSWORD} {move}", COMMENT)
        return answer(userid, self._signer.sign(signed_addresses.BOARD, board, seat, length), board, move)


def tables(engine: Engine, count: int, signer: Signer) -> list[Table]:
    """Open the accounts of two players for each table, and return the tables."""
    hashed, now = Passwords().hash(PASSWORD), datetime.now(UTC)
    with engine.begin() as connection:
        store, found = Store(connection), []
        for number in range(count):
            players = [store.players.add(f"{name}{number}", hashed, now) for name in NAMES]
            for player in players:
                store.addresses.add(player.id, address(player.userid), now, confirmed=True)
            found.append(Table(number, players, signer))
    return found


@cache
def game(number: int) -> Sequence[tuple[int, str]]:
    """Return a whole game, by seats and moves. It has no chance, so it can be played on every board."""
    return tuple(islice(_play(random.Random(number)), LONGEST))  # noqa: S311 - for moves


def _play(chance: random.Random) -> Iterator[tuple[int, str]]:
    board = play.begin(Start(games.find("tumble"), {}, 2, "0" * 32))
    while board.to_move:
        (seat,) = board.to_move
        move = board.game.format(chance.choice(board.game.legal_moves(board.position, seat)))
        yield seat, move
        board = play.play(board, seat, move).board


def answer(userid: str, to: str, board: int, move: str) -> Mail:
    """Return a move as an answer to the letter of a board, sent to its signed address."""
    return mail(userid, to, f"Re: Tumble Board {board} {userid}", f"{move}\r\n\r\n{COMMENT}")


def mail(userid: str, to: str, subject: str, body: str) -> Mail:
    """Return a mail as a simple mail program writes it. No two are the same."""
    head = f"From: {userid} <{address(userid)}>\r\nTo: {to}\r\nSubject: {subject}\r\n"
    head += f"Date: Sun, 01 Mar 2026 12:00:00 +0000\r\nMessage-ID: <{secrets.token_hex(12)}@bench.example>\r\n"
    head += "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n"
    return Mail(address(userid), to, f"{head}\r\n{body}".encode())


def address(userid: str) -> str:
    """Return the address of a player."""
    return f"{userid}@example.org"
