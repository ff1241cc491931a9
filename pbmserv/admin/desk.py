"""One transaction of an admin: who does it, why, and the letters that it causes."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from sqlalchemy.engine import Connection, Engine

from pbmserv.commands import command_language
from pbmserv.db import engines
from pbmserv.errors import PlayerError
from pbmserv.inbox.context import Context
from pbmserv.inbox.lookups import demand_present_name
from pbmserv.letters.letters import Cause, Letters
from pbmserv.letters.site import Site
from pbmserv.mail.inbound import Mail, Standing
from pbmserv.model import BoardRow, Player
from pbmserv.store import Store

T = TypeVar("T")

#: An admin writes no mail, so there is no sender to answer and no address to trust.
NO_MAIL = Mail("", "", "", "", "", "", "", Standing.NORMAL)


class Missing(PlayerError):
    """Something that an admin named does not exist."""


@dataclass(frozen=True)
class Admin:
    """Who does something, and why. If it is about a board, its players see the reason."""

    who: str
    why: str = ""


@dataclass
class Desk:
    """The tools of an admin's action, inside one transaction."""

    ctx: Context
    admin: Admin

    @property
    def store(self) -> Store:
        """The queries."""
        return self.ctx.store

    @property
    def now(self) -> datetime:
        """The time."""
        return self.ctx.now

    def note(self, what: str) -> None:
        """Record what was done, such as `board 101: void`. Never include a password."""
        self.store.operations.add_event(self.now, self.admin.who, what, self.admin.why)

    def board(self, number: int) -> BoardRow:
        """Return the board with this number, locked. Raises Missing."""
        row = self.store.boards.find(number)
        if row is None:
            raise Missing(f"There is no board {number}.", "To see the boards: pbmserv boards list")
        return row

    def player(self, userid: str) -> Player:
        """Return the player with this userid. Raises PlayerError if the account is closed or does not exist."""
        player = self.store.players.find(userid)
        if player is None:
            near = self.ctx.lookups.nearest(userid)
            hint = f"Did you mean: {', '.join(near)}" if near else "To see the players: pbmserv players list"
            raise Missing(f"There is no player {userid}.", hint)
        demand_present_name(self.store, player)
        if player.password_hash is None:
            raise PlayerError(f"The account {player.userid} is closed.", "Nothing of it is left but its records.")
        return player


def act(engine: Engine, site: Site, admin: Admin, now: datetime, do: Callable[[Desk], T]) -> T:
    """Run `do`, commit it with its letters, and return its result. If it raises PlayerError, nothing has changed."""

    def transaction(connection: Connection, last: bool) -> T:
        store = Store(connection)
        letters = Letters(site, store, Cause(None), now)
        desk = Desk(Context(site, store, NO_MAIL, None, now, letters, command_language()), admin)
        done = do(desk)
        store.letters.queue(letters.rows)
        return done

    return engines.transact(engine, transaction)
