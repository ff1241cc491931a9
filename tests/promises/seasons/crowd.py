"""Many players in a season of a league, and what they do day by day: most play, some are away, forget boards or leave.

What they do goes where it goes on a server. Some boards end by mail, the others in transactions of the store,
because a mail takes several times as long.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

import sqlalchemy as sa

from pbmserv.boards import entries
from pbmserv.boards.clocks import deadlines
from pbmserv.boards.seasons import taking_part
from pbmserv.db import tables
from pbmserv.games.base import Seat
from pbmserv.games.base import board as play
from pbmserv.letters.waiting.suspension import MOST_BOUNCES
from pbmserv.mail import signed_addresses
from pbmserv.mail.envelope import ACCEPTED, Incoming
from pbmserv.model import BoardRow
from pbmserv.server.clock import Clock, Swept
from pbmserv.store import Store
from tests.tools.tree import ROOT
from tests.world import ADDRESS, World

_REPORT = ROOT / "tests/mail/bounces/dsn-failed.eml"
_BOARDS_AT_ONCE = 50
_BY_MAIL = 0.05  #: how many of their moves they send as mails, all of which resign
_LOOKS = 3  #: players look at a board every third day
_RESIGN, _DRAW = 0.25, 0.1  #: of these, on how many they resign or agree to a draw; on the others they move
VACATION = timedelta(days=10)


@dataclass
class Habits:
    """What players do besides playing: on which day of the season, counted from 0."""

    absent: set[str] = field(default_factory=set)  #: who never plays
    forgetful: set[str] = field(default_factory=set)  #: who forgets one of the boards
    vanish: dict[str, int] = field(default_factory=dict)  #: who stops playing, and when
    close: dict[str, int] = field(default_factory=dict)  #: whose account is closed
    leave: dict[str, int] = field(default_factory=dict)  #: who does not want another season
    vacation: dict[str, int] = field(default_factory=dict)  #: who goes on vacation
    bounce: dict[str, int] = field(default_factory=dict)  #: whom letters do not reach any more
    revive: dict[str, int] = field(default_factory=dict)  #: whose address works again


def habits(userids: Sequence[str], chance: random.Random) -> Habits:
    """Return the habits of many players: a fifth of them does not simply play."""
    names = list(userids)
    chance.shuffle(names)

    def some(share: float) -> list[str]:
        count = round(len(userids) * share)
        taken, names[:] = names[:count], names[count:]
        return taken

    def days(share: float, first: int, last: int) -> dict[str, int]:
        return {userid: chance.randrange(first, last) for userid in some(share)}

    bouncing = days(0.02, 1, 5)
    back = {userid: day + 8 for userid, day in list(bouncing.items())[::2]}
    return Habits(
        absent=set(some(0.03)),
        forgetful=set(some(0.04)),
        vanish=days(0.03, 2, 8),
        close=days(0.01, 1, 15),
        leave=days(0.03, 1, 6),
        vacation=days(0.05, 1, 8),
        bounce=bouncing,
        revive=back,
    )


class Crowd:
    """The players of a world in its first tournament."""

    def __init__(self, world: World, habits: Habits, chance: random.Random) -> None:
        self.world = world
        self.habits = habits
        self.day = 0
        self.most = 0  #: the most boards that anybody had at the same time
        self._chance = chance
        self._back = dict[str, datetime]()  #: when a vacation ends
        self._forgotten = dict[str, int]()  #: the board that somebody forgets

    def sweep(self, gap: float = float("inf")) -> Swept:
        """Let the clock run once. `gap`: how many seconds without a run are an absence of the server."""
        return Clock(self.world.engine, self.world.site, lambda: self.world.now, gap=gap).sweep()

    def absence(self, days: float) -> Swept:
        """Let the server be down for some days."""
        self.world.now += timedelta(days=days)
        return self.sweep(deadlines.AWAY)

    def live(self) -> None:
        """Let everybody do what they do on a day, and the clock what it does."""
        self._write_mails()
        running = self.world.query(running_boards)
        count = Counter(player.id for row in running for player in row.players)
        self.most = max([self.most, *count.values()])
        today = (row for row in running if (row.number + self.day) % _LOOKS == 0)
        due = [(row, seat) for row in today for seat in sorted(row.board.to_move) if self._is_here(row, seat)]
        by_mail = [self._chance.random() < _BY_MAIL for _ in due]
        direct = [place for place, mailed in zip(due, by_mail, strict=True) if not mailed]
        for first in range(0, len(direct), _BOARDS_AT_ONCE):
            self.world.act(partial(self._play, due=direct[first : first + _BOARDS_AT_ONCE]))
        for row, seat in (place for place, mailed in zip(due, by_mail, strict=True) if mailed):
            userid = row.players[seat].userid
            self.mail(userid, f"tumble resign {row.number} {userid} {userid}-secret")
        self.world.now += timedelta(days=1)
        self.sweep()
        self.day += 1

    def _write_mails(self) -> None:
        """Let those write who are away, leave, or whose letters come back."""
        for what, do in self._today():
            for userid, day in what.items():
                if day == self.day:
                    do(userid)

    def _today(self) -> Iterator[tuple[dict[str, int], Callable[[str], None]]]:
        yield self.habits.vacation, self._go_away
        yield self.habits.close, lambda userid: self.mail(userid, f"signoff {userid} {userid}-secret")
        yield self.habits.leave, self._leave
        yield self.habits.bounce, self._bounce
        yield self.habits.revive, self._revive

    def mail(self, userid: str, subject: str) -> None:
        """Send a mail. Its letters wait in the outbox."""
        self.world.count += 1
        head = f"From: {userid}@example.org\r\nTo: {ADDRESS}\r\nSubject: {subject}\r\n"
        self._take(f"{head}Message-ID: <{self.world.count}@client.example>\r\n\r\n".encode(), ADDRESS)

    def _take(self, data: bytes, to: str, mail_from: str = "x@example.org") -> None:
        prepared = self.world.prepare(Incoming(data, mail_from, (to,), self.world.peer))
        assert self.world.pipeline.handle([prepared]) == [ACCEPTED]

    def _go_away(self, userid: str) -> None:
        self.mail(userid, f"vacation {userid} {userid}-secret {VACATION.days}")
        self._back[userid] = self.world.now + VACATION

    def _leave(self, userid: str) -> None:
        player = self.world.player(userid)
        self.world.act(lambda store: taking_part.leave(store, 1, player, self.world.now))

    def _bounce(self, userid: str) -> None:
        """Let letters to a player come back, until none is sent there any more."""
        address = f"{userid}@example.org"
        for _ in range(MOST_BOUNCES):
            self.mail(userid, "games")
            with self.world.engine.connect() as connection:
                of_player = sa.select(sa.func.max(tables.outbox.c.id)).where(tables.outbox.c.recipient == address)
                letter = connection.scalar(of_player)
            self.world.count += 1
            data = _REPORT.read_bytes().replace(b"<cafe", f"<{self.world.count}.cafe".encode())
            self._take(data, self.world.site.signer.sign(signed_addresses.VERP, letter), mail_from="")

    def _revive(self, userid: str) -> None:
        """Let letters reach a player again, as after a "yes" to the signed address of the letter that asks for it."""
        player = self.world.player(userid)

        def do(store: Store) -> bool:
            return all(store.addresses.revive(address.id) for address in store.addresses.of(player.id))

        assert self.world.act(do)

    def _is_here(self, row: BoardRow, seat: Seat) -> bool:
        """Return whether the player of a seat does anything on a board today."""
        userid, today, habits = row.players[seat].userid, self.day, self.habits
        gone = min(habits.vanish.get(userid, today + 1), habits.close.get(userid, today + 1))
        if userid in habits.absent or today >= gone:
            return False
        if userid in habits.forgetful and self._forgotten.setdefault(userid, row.number) == row.number:
            return False
        if self.world.now < self._back.get(userid, self.world.now):
            return False
        return today < habits.bounce.get(userid, today + 1) or today >= habits.revive.get(userid, today + 1)

    def _play(self, store: Store, due: Sequence[tuple[BoardRow, Seat]]) -> None:
        """Move on boards, agree to a draw, or resign."""
        for row, seat in due:
            kind, other = self._chance.random(), 1 - seat
            if kind < _RESIGN:
                entries.write(store, row, play.resign(row.board, seat), None, self.world.now)
            elif kind < _RESIGN + _DRAW and self._is_here(row, other):
                offered = entries.write(store, row, play.propose(row.board, seat), None, self.world.now)
                log = store.boards.entries(row.number)
                entries.write(store, offered, play.accept(offered.board, other, log), None, self.world.now)
            else:
                legal = row.game.legal_moves(row.board.position, seat)
                text = row.game.format(self._chance.choice(legal))
                entries.write(store, row, play.play(row.board, seat, text), None, self.world.now)


def running_boards(store: Store) -> list[BoardRow]:
    """Return the running boards of the first tournament."""
    tournament = store.tournaments.find(1)
    pairings = store.tournaments.pairings(1, tournament.season if tournament else 0)
    rows = (store.boards.find(p.board, lock=False) for p in pairings if p.board and not p.decided)
    return [row for row in rows if row is not None]
