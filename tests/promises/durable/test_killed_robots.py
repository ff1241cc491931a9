"""kill -9 of the process that plays for robots, and of the whole server: no move is doubled, and none is lost.

The same process reviews boards: a review comes once, whenever it is killed, and is not forgotten as the one of its day.
"""

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pbmserv.cli.mailing.send import text_of
from pbmserv.games.base.log import Kind
from pbmserv.mail import signed_addresses
from tests.promises.durable.client import Retrying, unsent
from tests.tools.mail_program import answer, letters, message
from tests.tools.process import Process, until
from tests.tools.warm import ForkedProcess

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

HUMANS = ("ann", "bob", "cat")
FAST = {"PBMSERV_ROBOT_REST": "0.2", "PBMSERV_ROBOT_LEASE": "2"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Process]:
    """A server with a robot for Four in a Row that answers at once."""
    with ForkedProcess(tmp_path, **FAST, PBMSERV_ROBOTS="2") as process:
        process.told("robots", "add", "robert", "--game", "four", "--level", "1", "--boards", "9")
        yield process


def thinkers(server: Process) -> list[int]:
    """Return the children that play for robots: they have the nice value of the role."""
    return [pid for pid in server.children if os.getpriority(os.PRIO_PROCESS, pid) == 10]


def kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


class Boards:
    """Some people who each play against the robot, by answers to their letters."""

    def __init__(self, server: Process) -> None:
        self.server, self.client, self._luck = server, Retrying(server), random.Random(5)
        for human in HUMANS:
            self.client.deliver(message(f"{human}@example.org", f"signup {human} {human}-secret"))
        for number, human in enumerate(HUMANS * 2):
            mail = message(f"{human}@example.org", f"four challenge {human} robert --unrated", f"{number}")
            self.client.deliver(mail)
        self.numbers = server.query(lambda store: store.board_lists.numbers())

    def step(self) -> bool:
        """Make a move of each human player whose turn it is. Return whether a board is still running."""
        rows = [self.server.query(lambda store, n=n: store.boards.find(n)) for n in self.numbers]
        for row in rows:
            for seat in row.board.to_move:
                if row.players[seat].userid != "robert":
                    self._move(row, seat)
        return any(row.board.to_move for row in rows)

    def _move(self, row, seat) -> None:  # type: ignore[no-untyped-def]
        move = row.game.format(self._luck.choice(row.game.legal_moves(row.board.position, seat)))
        to = self.server.signer.sign(signed_addresses.BOARD, row.number, seat, row.board.length)
        human = row.players[seat].userid
        self.client.deliver(message(f"{human}@example.org", f"Re: Four Board {row.number}", f"{move}\n", to=to))

    def check(self) -> None:
        """Check that the seats have moved in turns, once each, and that each letter has come."""
        self.server.verify()
        for number in self.numbers:
            log = self.server.query(lambda store, n=number: store.boards.log(n))
            moves = [line.entry.seat for line in log if line.entry.kind is Kind.MOVE]
            assert moves == [n % 2 for n in range(len(moves))]
            assert Counter(line.mail_id for line in log).most_common(1)[0][1] <= 2  # the last move and a draw
            assert self.server.query(lambda store, n=number: store.boards.find(n)).board.result
        mails = self.server.query(lambda store: store.mails.newest(100_000))
        assert {mail.status for mail in mails} <= {"done", "error"}
        for human in HUMANS:
            ids = [str(x["Message-ID"]) for x in letters(self.server, f"{human}@example.org")]
            assert len(ids) == len(set(ids))


def test_killed_at_random_instants(server: Process) -> None:
    until(lambda: len(thinkers(server)) == 2, 40)
    boards, luck, kills = Boards(server), random.Random(9), 0
    deadline = time.monotonic() + 200
    while boards.step():
        assert time.monotonic() < deadline, "a board stands still"
        time.sleep(luck.uniform(0.05, 0.6))
        if kills < 6 and (found := thinkers(server)):
            kills += 1
            if kills % 3 == 0:
                server.kill()
                server.start()
                boards.client.close()
            else:
                kill(luck.choice(found))
    assert kills >= 6
    until(lambda: not unsent(server), 150)
    boards.client.close()
    boards.check()
    server.stop()


def test_the_role_is_niced_has_its_workers_and_ends_while_it_thinks(tmp_path: Path) -> None:
    with ForkedProcess(tmp_path, **FAST | {"PBMSERV_ROBOT_LEASE": "120"}, PBMSERV_ROBOTS="2") as server:
        assert thinkers(server) == []
        server.told("robots", "add", "robert", "--game", "go", "--level", "3")
        first = until(lambda: (found := thinkers(server)) and len(found) == 2 and found, 40)
        time.sleep(3)  # they are thinkers from their first moment, because the test may be niced, too
        kill(first[0])
        until(lambda: set(thinkers(server)) != set(first) and len(thinkers(server)) == 2, 100)
        client = Retrying(server)
        client.deliver(message("ann@example.org", "signup ann ann-secret"))
        client.deliver(message("ann@example.org", "go challenge robert ann --unrated"))
        until(lambda: _taken(server), 40)
        client.close()
        server.stop()
        assert server.query(lambda store: store.boards.find(101)).board.length == 0
        assert not _taken(server)
        server.start()
        until(lambda: server.query(lambda store: store.boards.find(101)).board.length == 1, 120)
        server.stop()


def _taken(server: Process) -> list[object]:
    with server.reader() as connection:
        return list(connection.exec_driver_sql("SELECT board, seat FROM thinking"))


def test_killed_while_it_reviews(tmp_path: Path) -> None:
    """After each kill the next process goes on where the last one was."""
    with ForkedProcess(tmp_path, **FAST) as server:
        client, ann = Retrying(server), "ann@example.org"
        for human in HUMANS[:2]:
            client.deliver(message(f"{human}@example.org", f"signup {human} {human}-secret"))
        for number in (101, 102):
            client.deliver(message(ann, "chess challenge ann bob", f"{number}"))
            for ply, move in enumerate(("f3", "e5", "g4", "Qh4")):
                human = HUMANS[ply % 2]
                mail = f"chess move {number} {human} {human}-secret {move}"
                client.deliver(message(f"{human}@example.org", mail))
        assert server.query(lambda store: store.boards.find(102)).board.result

        def again(number: int) -> None:
            """Kill the server and start it again. It knows that the review of the day is asked for."""
            server.kill()
            server.start()
            client.close()
            asks = message(ann, "chess review 102", id_=f"<again{number}@client.example>")
            client.deliver(asks)
            letter = until(lambda: answer(server, ann, asks["Message-ID"]))
            assert "You have asked for a review today already" in " ".join(text_of(letter).split())

        client.deliver(message(ann, "chess review 101"))
        again(0)
        for count in range(1, 6):
            until(lambda: _answered(server) >= count, 100)  # noqa: B023
            if count % 3:
                kill(until(lambda: thinkers(server), 100)[0])
            else:
                again(count)
        until(lambda: server.query(lambda store: store.reviews.find(101)).done, 200)
        until(lambda: not unsent(server), 100)
        again(9)
        until(lambda: not unsent(server), 100)
        subjects = Counter(str(letter["Subject"]) for letter in letters(server, ann))
        assert subjects["Review of board 101"] == 1
        client.close()
        server.stop()


def _answered(server: Process) -> float:
    """Return how many answers of the judge are kept; all of them when the review is done."""
    review = server.query(lambda store: store.reviews.find(101))
    return float("inf") if review.done else len(review.verdicts)


def test_somebody_signs_up_at_night(tmp_path: Path) -> None:
    """From the first mail to four moves against a robot: every step is an answer to the letter before it."""
    night = {**FAST, "PBMSERV_CONFIRM_ADDRESSES": "1", "PBMSERV_TRUST_FROM": "0"}
    with ForkedProcess(tmp_path, **night) as server:
        for userid, level in (("easy", "1"), ("hard", "3")):
            server.told("robots", "add", userid, "--game", "chess", "--level", level)
        client, nora = Retrying(server), "nora@example.org"

        def newest(word: str, after: int = 0):  # type: ignore[no-untyped-def]
            found = letters(server, nora)[after:]
            return next((x for x in found if word in x.as_string()), None)

        def answer(letter, text: str) -> int:  # type: ignore[no-untyped-def]
            count = len(letters(server, nora))
            client.deliver(message(nora, f"Re: {letter['Subject']}", f"{text}\n", to=letter["Reply-To"]))
            return count

        client.deliver(message(nora, "signup nora nora-secret"))
        asked = until(lambda: newest("yes"))
        count = answer(asked, "yes")
        welcome = until(lambda: newest("play chess", count))
        count = answer(welcome, "play")
        for move in ("e4", "Nf3", "Nc3", "a3"):
            letter = until(lambda: newest("Your move, nora", count), 60)  # noqa: B023
            count = answer(letter, move)
        until(lambda: newest("Your move, nora", count), 60)
        row = server.query(lambda store: store.boards.find(101))
        assert [p.userid for p in row.players] == ["nora", "easy"]
        assert row.board.ply == 8
        client.close()
        server.verify()
        server.stop()
