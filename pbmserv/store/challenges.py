"""Ways to start a board: open challenges (seeks), and invitations to addresses."""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.pipelining.statement import AnySelect, Statement
from pbmserv.db.queries import PEOPLE_AT_ONCE, Queries
from pbmserv.model import BoardRow, LeftSeat, Player, Seek, Settings
from pbmserv.model.challenges import Invitation
from pbmserv.model.rows import Json, StoredSeek
from pbmserv.store.accounts.players import PLAYER_COLUMNS
from pbmserv.store.boards import left_seat

_INVITE = "invite"
_NEVER = "never"
_FOR_EVER = datetime(9999, 1, 1, tzinfo=UTC)
_S = tables.seek.c
_OPEN = Statement(
    sa.select(tables.seek)
    .where(_S.game == sa.bindparam("key"), _S.closed.is_(None), _S.wanted.is_(None))
    .where(~_S.settings["private"].as_boolean())
    .order_by(_S.number)
    .limit(sa.bindparam("most", type_=sa.Integer()))
)


class ChallengeQueries(Queries):
    """Queries about seeks and invitations."""

    def add_seek(
        self,
        game: str,
        options: dict[str, str],
        settings: Settings,
        seats: int,
        rating: tuple[int, int] | None,
        random: bool,
        player: Player,
        now: datetime,
    ) -> Seek:
        """Open a seek, in which `player` has the first place."""
        low, high = rating or (None, None)
        values = {
            "game": game,
            "options": options,
            "settings": asdict(settings),
            "seats": seats,
            "rating_from": low,
            "rating_to": high,
            "random": random,
            "created": now,
        }
        number = self._c.execute(sa.insert(tables.seek).values(values).returning(tables.seek.c.number)).scalar_one()
        self.join_seek(number, player)
        return Seek(number, game, options, settings, seats, rating, random, now, (player,))

    def add_seek_for(
        self,
        row: BoardRow,
        settings: Settings,
        left: LeftSeat,
        since: datetime,
        seats: int,
        player: Player,
        newcomer: int | None,
    ) -> Seek:
        """Open a seek for a seat of a board, in which `player` has the first place.

        `settings`: of the board that goes on from it. `since`: when the seat was left.
        """
        values = {
            "game": row.key,
            "options": dict(row.board.start.options),
            "settings": asdict(settings),
            "seats": seats,
            "random": False,
            "created": since,
            "continues": row.number,
            "left_seat": left,
            "wanted": newcomer,
        }
        number = self._c.execute(sa.insert(tables.seek).values(values).returning(tables.seek.c.number)).scalar_one()
        self.join_seek(number, player)
        seek = self.seek(number)
        if seek is None:
            raise ValueError(f"the account {player.userid} is closed")
        return seek

    def seek_for(self, board: int) -> Seek | None:
        """The open seek for a seat of this board, locked until the transaction ends. Lock the board first."""
        seeks = self._seeks(self._locked(sa.select(tables.seek).where(tables.seek.c.continues == board)))
        return seeks[0] if seeks else None

    def forget_seeks_for(self, board: int, now: datetime) -> None:
        """End what was sought for a seat of this board, because its player has it again. Lock the board first."""
        c = tables.seek.c
        ended = {"closed": sa.func.coalesce(c.closed, now), "continues": None, "left_seat": None}
        self._c.execute(sa.update(tables.seek).where(c.continues == board).values(ended))

    def was_sought(self, board: int, newcomer: int | None) -> bool:
        """Return whether there was a seek for a seat of this board that is over: for a player, or for everybody."""
        c = tables.seek.c
        same = c.wanted.is_(None) if newcomer is None else c.wanted == newcomer
        return self._c.scalar(sa.select(c.number).where(c.continues == board, same, c.closed.is_not(None))) is not None

    def board_of_seek(self, number: int) -> int | None:
        """The board of the seat that a seek is for; None if it is for a new board, or if there is no such seek."""
        return self._c.scalar(sa.select(tables.seek.c.continues).where(tables.seek.c.number == number))

    def seek(self, number: int) -> Seek | None:
        """The open seek with this number, locked until the transaction ends."""
        seeks = self._seeks(self._locked(sa.select(tables.seek).where(tables.seek.c.number == number)))
        return seeks[0] if seeks else None

    def open_seeks(self, game: str | None = None, limit: int | None = None) -> list[Seek]:
        """The open seeks that are for everybody and not private, the oldest first; all of them without a limit."""
        c = tables.seek.c
        query = sa.select(tables.seek).where(~c.settings["private"].as_boolean(), c.wanted.is_(None))
        query = query.order_by(c.created, c.number) if game is None else query.where(c.game == game).order_by(c.number)
        return self._seeks(query.limit(limit))

    def open_seeks_of(self, games: Sequence[str], limit: int) -> list[Seek]:
        """The open seeks for these games, as `open_seeks` finds them: game by game, the first of each."""
        asked = [self._ask(_OPEN, key=key, most=limit) for key in games]
        return self._with_players([row for rows in asked for row in rows()])

    def seeks_of(self, player: Player) -> list[Seek]:
        """The open seeks in which a player has a place."""
        own = sa.select(tables.seeker.c.seek).where(tables.seeker.c.player_id == player.id)
        return self._seeks(sa.select(tables.seek).where(tables.seek.c.number.in_(own)).order_by(tables.seek.c.number))

    def seeks_before(self, created: datetime, most: int | None = None, *, for_seats: bool | None = None) -> list[Seek]:
        """The open seeks from before a time, the oldest first; `most` of them, if given. Locks them.

        `for_seats`: only those for seats that somebody left, or only the others; None: all.
        """
        c = tables.seek.c
        query = sa.select(tables.seek).where(c.created < created).order_by(c.created, c.number)
        if for_seats is not None:
            query = query.where(c.continues.is_not(None) if for_seats else c.continues.is_(None))
        return self._seeks(self._locked(query.limit(most)))

    def join_seek(self, number: int, player: Player) -> None:
        """Give a player the next place in a seek."""
        place = sa.select(sa.func.coalesce(sa.func.max(tables.seeker.c.place), -1) + 1).where(
            tables.seeker.c.seek == number
        )
        values = {"seek": number, "place": place.scalar_subquery(), "player_id": player.id}
        self._c.execute(sa.insert(tables.seeker).values(values))

    def leave_seek(self, number: int, player: Player) -> None:
        """Remove a player from a seek."""
        c = tables.seeker.c
        self._c.execute(sa.delete(tables.seeker).where(c.seek == number, c.player_id == player.id))

    def close_seek(self, number: int, now: datetime, board: int | None = None) -> None:
        """Close a seek. `board`: the board that it started, or None."""
        self._c.execute(sa.update(tables.seek).where(tables.seek.c.number == number).values(closed=now, board=board))

    def _seeks(self, query: AnySelect) -> list[Seek]:
        """Return the seeks that a query finds, without closed ones and those without a player with an open account."""
        return self._with_players(self._found(query.where(tables.seek.c.closed.is_(None))))

    def _with_players(self, rows: Sequence[StoredSeek]) -> list[Seek]:
        players = self._players([r.number for r in rows])
        return [_seek(r, players[r.number]) for r in rows if players[r.number]]

    def _players(self, numbers: Sequence[int]) -> dict[int, list[Player]]:
        c = tables.seeker.c
        query = (
            sa.select(*PLAYER_COLUMNS, c.seek).join(tables.seeker).where(c.seek.in_(numbers)).order_by(c.seek, c.place)
        )
        players: dict[int, list[Player]] = {n: [] for n in numbers}
        for row in self._c.execute(query.where(tables.player.c.closed.is_(None))):
            players[row.seek].append(Player(*row[: len(PLAYER_COLUMNS)]))
        return players

    # --- invitations -------------------------------------------------------------------------------------------------

    def add_invitation(self, player_id: int, address: str, data: Json, now: datetime, expires: datetime) -> int:
        """Write an invitation and return its number."""
        values = {
            "purpose": _INVITE,
            "digest": sha256(secrets.token_bytes(16)).hexdigest(),
            "player_id": player_id,
            "address": address,
            "data": data,
            "created": now,
            "expires": expires,
        }
        return int(self._c.execute(sa.insert(tables.token).values(values).returning(tables.token.c.id)).scalar_one())

    def invitation(self, number: int) -> Invitation | None:
        """The invitation with this number, locked until the transaction ends."""
        return next(iter(self._invitations(tables.token.c.id == number)), None)

    def expired_invitations(self, now: datetime) -> list[Invitation]:
        """Return at most PEOPLE_AT_ONCE expired invitations, answered or not, locked until the transaction ends."""
        return self._invitations(tables.token.c.expires <= now, PEOPLE_AT_ONCE)

    def shift_tokens(self, by: timedelta) -> None:
        """Leave out some time for invitations that nobody has answered, and for other mailed secrets."""
        c = tables.token.c
        query = sa.select(c.id, c.expires).where(c.purpose != _NEVER, c.used.is_(None)).order_by(c.id)
        for number, expires in list(self._c.execute(self._locked(query))):
            self._c.execute(sa.update(tables.token).where(c.id == number).values(expires=expires + by))

    def use_invitation(self, number: int, now: datetime) -> None:
        """Note that an invitation was answered."""
        self._c.execute(sa.update(tables.token).where(tables.token.c.id == number).values(used=now))

    def forget_invitations(self, numbers: Iterable[int]) -> None:
        """Delete these invitations, including the addresses of people who have no account."""
        c = tables.token.c
        self._c.execute(sa.delete(tables.token).where(c.purpose == _INVITE, c.id.in_(list(numbers))))

    def count_invitations(self, player_id: int, now: datetime) -> int:
        """Return how many invitations of a player wait for an answer."""
        c = tables.token.c
        waiting = (c.purpose == _INVITE, c.player_id == player_id, c.used.is_(None), c.expires > now)
        return int(self._c.scalar(sa.select(sa.func.count()).where(*waiting)) or 0)

    def refuse_invitations(self, keyed_hash: str, now: datetime) -> None:
        """Let no invitation ever go to the address with this keyed hash again."""
        values = {
            "purpose": _NEVER,
            "digest": keyed_hash,
            "address": "",
            "data": {},
            "created": now,
            "expires": _FOR_EVER,
        }
        self._c.execute(self._insert(tables.token).values(values).on_conflict_do_nothing(index_elements=["digest"]))

    def refuses_invitations(self, keyed_hash: str) -> bool:
        """Return whether the owner of the address with this keyed hash wants no invitations."""
        c = tables.token.c
        return bool(self._c.scalar(sa.select(sa.exists().where(c.purpose == _NEVER, c.digest == keyed_hash))))

    def _invitations(self, condition: sa.ColumnElement[bool], most: int = 1) -> list[Invitation]:
        c = tables.token.c
        columns = (c.id, c.player_id, c.address, c.data, c.expires, c.used)
        query = sa.select(*columns).where(c.purpose == _INVITE, condition).order_by(c.expires, c.id).limit(most)
        return [Invitation(*row) for row in self._c.execute(self._locked(query))]


def _seek(row: StoredSeek, players: list[Player]) -> Seek:
    rating = None if row.rating_from is None else (row.rating_from, row.rating_to)
    settings = Settings(**row.settings)
    which = row.number, row.game, row.options, settings, row.seats, rating, row.random, row.created
    return Seek(*which, tuple(players), left_seat(row), row.wanted)
