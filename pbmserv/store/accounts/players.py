"""Accounts with password, preferences, vacations and one-time secrets."""

from collections.abc import Iterable
from datetime import datetime
from functools import cache

import sqlalchemy as sa

from pbmserv.db import engines, tables
from pbmserv.db.pipelining.statement import Statement, filled, placed, places
from pbmserv.db.queries import Queries
from pbmserv.mail.envelope import MailStatus
from pbmserv.model import Player, Vacation
from pbmserv.model.letters import LetterKind
from pbmserv.model.operations import player_subject
from pbmserv.model.passwords import LOCKED
from pbmserv.model.preferences import Preferences
from pbmserv.model.rows import Json

#: In the order of the fields of Player.
PLAYER_COLUMNS = tuple(tables.player.c[name] for name in ("id", "userid", "password_hash", "created", "robot", "epoch"))
_BY_USERID = Statement(sa.select(*PLAYER_COLUMNS).where(tables.player.c.userid == sa.bindparam("userid")))
_AT = Statement(
    sa.select(*PLAYER_COLUMNS)
    .join(tables.address)
    .where(tables.address.c.folded == sa.bindparam("folded"), tables.address.c.confirmed.is_not(None))
    .order_by(tables.player.c.id)
)
_ROBOTS = Statement(sa.select(tables.player.c.userid).where(sa.literal_column("robot")))  # as in the index of robots
_BY_ID = Statement(sa.select(*PLAYER_COLUMNS).where(tables.player.c.id == sa.bindparam("id_")))

#: Data that belongs to a player alone. Seats, ratings and seeks that became boards belong to the records.
_PERSONAL = (
    tables.address,
    tables.preference,
    tables.subscription,
    tables.token,
    tables.vacation,
    tables.collected,
    tables.digest,
    tables.offered,
    tables.webhook,
)

#: Columns that no export contains: secrets and their hashes, with which a finder of the file could log in.
_SECRET = ("digest", "password_hash", "sealed")


@cache
def _preferences(count: int) -> Statement:
    return Statement(sa.select(tables.preference).where(tables.preference.c.player_id.in_(places("id", count))))


@cache
def _held(count: int) -> Statement:
    p = tables.player.c
    rows = sa.select(p.id).where(p.id.in_(places("id", count))).order_by(p.id)
    return Statement(rows.with_for_update(read=True))


@cache
def _away(count: int) -> Statement:
    c, now = tables.vacation.c, sa.bindparam("now", type_=sa.Float())
    theirs = c.player_id.in_(places("id", count))
    return Statement(sa.select(c.player_id, c.ends).where(theirs, c.begins <= now, c.ends > now))


class PlayerQueries(Queries):
    """Queries about players."""

    def find(self, userid: str) -> Player | None:
        """Return the account with this userid, in upper or lower case."""
        row = self._first(_BY_USERID, userid=userid.lower())
        return Player(*row) if row else None

    def by_id(self, player_id: int) -> Player | None:
        """The account with this number."""
        row = self._first(_BY_ID, id_=player_id)
        return Player(*row) if row else None

    def by_ids(self, ids: Iterable[int]) -> list[Player]:
        """Return these players."""
        c = tables.player.c
        return [Player(*row) for row in self._c.execute(sa.select(*PLAYER_COLUMNS).where(c.id.in_(list(ids))))]

    def at(self, address: str) -> list[Player]:
        """The accounts that have confirmed this address."""
        return [Player(*row) for row in self._rows(_AT, folded=address.casefold())]

    def all(self) -> list[Player]:
        """All accounts by userid."""
        return [Player(*row) for row in self._c.execute(sa.select(*PLAYER_COLUMNS).order_by(tables.player.c.userid))]

    def without_address(self, ids: Iterable[int]) -> list[Player]:
        """Which of these players have an open account, but no address at all."""
        c = tables.player.c
        has_one = sa.exists().where(tables.address.c.player_id == c.id)
        query = sa.select(*PLAYER_COLUMNS).where(c.id.in_(list(ids)), c.password_hash.is_not(None), ~has_one)
        return [Player(*row) for row in self._c.execute(query.order_by(c.id))]

    def userids_near(self, word: str, reach: int) -> list[str]:
        """Return userids of open accounts near a word in the alphabet: `reach` before it and `reach` after it."""
        c = tables.player.c
        open_ = sa.select(c.userid).where(c.password_hash.is_not(None)).limit(reach)
        before = self._c.scalars(open_.where(c.userid < word).order_by(c.userid.desc())).all()
        return [*reversed(before), *self._c.scalars(open_.where(c.userid >= word).order_by(c.userid))]

    def robots(self) -> frozenset[str]:
        """The userids that a program plays, for lists that mark them."""
        return frozenset(row.userid for row in self._rows(_ROBOTS))

    def userids(self, most: int = 100) -> list[str]:
        """The userids of open accounts, the oldest first."""
        c = tables.player.c
        query = sa.select(c.userid).where(c.password_hash.is_not(None)).order_by(c.id)
        return list(self._c.scalars(query.limit(most)))

    def add(self, userid: str, password_hash: str, now: datetime) -> Player:
        """Open an account. The userid must be free."""
        values = {"userid": userid.lower(), "password_hash": password_hash, "created": now}
        id_ = self._c.execute(sa.insert(tables.player).values(values).returning(tables.player.c.id)).scalar_one()
        return Player(id_, **values)  # type: ignore[arg-type]

    def add_closed(self, userid: str, now: datetime, renamed: int | None = None) -> Player:
        """Add an account that nobody can use, for a userid that occurs only in records.

        `renamed`: the id of the player who has another userid now.
        """
        values = {"userid": userid.lower(), "password_hash": None, "created": now}
        new = sa.insert(tables.player).values(**values, closed=now, renamed=renamed).returning(tables.player.c.id)
        return Player(self._c.execute(new).scalar_one(), **values)  # type: ignore[arg-type]

    def set_password(self, player_id: int, password_hash: str) -> None:
        """Set a new password. Earlier letters for resetting it become invalid, and so do earlier reply addresses."""
        c = tables.player.c
        update = sa.update(tables.player).where(c.id == player_id)
        self._c.execute(update.values(password_hash=password_hash, epoch=sa.func.coalesce(c.epoch, 0) + 1))
        self.void_tokens("reset", player_id)

    def set_lock(self, player_id: int, password_hash: str) -> None:
        """Replace the hash of the same password by its form for a locked account, or the other way round."""
        update = sa.update(tables.player).where(tables.player.c.id == player_id)
        self._c.execute(update.values(password_hash=password_hash))

    def rename(self, player_id: int, old: str, new: str) -> None:
        """Change a player's userid, also where it is written in other rows."""
        self._c.execute(sa.update(tables.player).where(tables.player.c.id == player_id).values(userid=new))
        self.rename_elsewhere(player_id, old, new)

    def rename_elsewhere(self, player_id: int, old: str, new: str) -> None:
        """Write another userid in open invitations, and where a seat is known that the player left."""
        c = tables.token.c
        for row in self._c.execute(sa.select(c.id, c.data).where(c.purpose == "invite", c.used.is_(None))).all():
            places = [new if place == old else place for place in row.data["places"]]
            if places != row.data["places"]:
                data = {**row.data, "places": places}
                self._c.execute(sa.update(tables.token).where(c.id == row.id).values(data=data))
        boards = sa.select(tables.seat.c.board).where(tables.seat.c.player_id == player_id)
        for table in (tables.board, tables.seek):
            t = table.c
            for number, left in self._c.execute(sa.select(t.number, t.left_seat).where(t.continues.in_(boards))).all():
                renamed = [new if value == old else value for value in left]
                self._c.execute(sa.update(table).where(t.number == number).values(left_seat=renamed))

    def renamed_to(self, player: Player) -> Player | None:
        """Return who had this userid and has another one now; None if the account is no old name of anybody."""
        if player.password_hash is not None:
            return None
        c = tables.player.c
        new = sa.select(c.renamed).where(c.id == player.id).scalar_subquery()
        row = self._c.execute(sa.select(*PLAYER_COLUMNS).where(c.id == new, c.password_hash.is_not(None))).first()
        return Player(*row) if row else None

    def open_among(self, player_ids: Iterable[int]) -> dict[int, Player]:
        """Return those with an open account that no admin has locked, by id, as they are until the transaction ends."""
        c = tables.player.c
        ids = list(player_ids)
        self._hold_accounts(ids)
        is_open = sa.select(*PLAYER_COLUMNS).where(
            c.id.in_(ids), c.password_hash.is_not(None), ~c.password_hash.startswith(LOCKED)
        )
        return {row.id: Player(*row) for row in self._c.execute(is_open)}

    def lock(self, player_id: int) -> None:
        """Let no other transaction begin a board or a vacation of this player until ours ends."""
        self._hold(sa.select(tables.player.c.id).where(tables.player.c.id == player_id))

    # --- preferences -------------------------------------------------------------------------------------------------

    def preferences(self, player_ids: Iterable[int]) -> dict[int, Preferences]:
        """Return the preferences by player id, also of players who have set nothing."""
        stored: dict[int, dict[tuple[str, str], str]] = {id_: {} for id_ in player_ids}
        ids = filled(list(stored))
        for r in self._rows(_preferences(len(ids)), **placed("id", ids)) if ids else []:
            stored[r.player_id][r.game, r.name] = r.value
        return {id_: Preferences(values) for id_, values in stored.items()}

    def set_preference(self, player_id: int, game: str, name: str, value: str) -> None:
        """Store a preference."""
        self._put(tables.preference, {"player_id": player_id, "game": game, "name": name}, {"value": value})

    # --- vacations ---------------------------------------------------------------------------------------------------

    def away_until(self, player_ids: Iterable[int], now: float, *, hold: bool = False) -> dict[int, float]:
        """Return those of these players who are on vacation: player id -> its end, in seconds since 1970.

        With `hold`, none of them can begin a vacation until the transaction ends. A locked board that runs needs no
        such lock: who begins a vacation locks the boards that run, and sees what was written there.
        """
        ids = list(player_ids) if hold else self._perhaps_away(player_ids, now)
        if ids:
            self._hold_accounts(ids)
        return self._away(ids, now)

    def on_vacation(self, player_ids: Iterable[int], now: float) -> dict[int, float]:
        """Return the same as `away_until`, only to tell it to others: nothing is locked for it."""
        return self._away(self._perhaps_away(player_ids, now), now)

    def _perhaps_away(self, player_ids: Iterable[int], now: float) -> list[int]:
        """Return these players without those of a locked board who are known not to be on vacation."""
        return [id_ for id_ in player_ids if self._noticed.ends.get(id_, now + 1) > now]

    def _away(self, ids: list[int], now: float) -> dict[int, float]:
        rows = self._rows(_away(len(ids)), **placed("id", ids), now=now) if ids else []
        return {r.player_id: r.ends for r in rows}

    def vacations(self, player_id: int) -> list[Vacation]:
        """Return all vacations of a player, the earliest first. Locks the account."""
        self.lock(player_id)
        c = tables.vacation.c
        query = sa.select(c.begins, c.ends).where(c.player_id == player_id).order_by(c.begins)
        return [Vacation(*row) for row in self._c.execute(query)]

    def vacations_since(self, player_ids: Iterable[int], moment: float) -> dict[int, list[Vacation]]:
        """Return the vacations of players that end after a time, by their ids. Locks nothing."""
        c, vacations = tables.vacation.c, dict[int, list[Vacation]]()
        query = sa.select(c.player_id, c.begins, c.ends).where(c.player_id.in_(list(player_ids)), c.ends > moment)
        for row in self._c.execute(query.order_by(c.begins)):
            vacations.setdefault(row.player_id, []).append(Vacation(row.begins, row.ends))
        return vacations

    def set_vacation(self, player_id: int, vacation: Vacation) -> None:
        """Write a vacation, or a new end for the vacation that begins at the same time."""
        self._noticed.ends.pop(player_id, None)
        self._put(tables.vacation, {"player_id": player_id, "begins": vacation.begins}, {"ends": vacation.ends})

    def move_vacations(self, after: float, seconds: float) -> None:
        """Move the vacations that begin after a time by so many seconds."""
        c = tables.vacation.c
        moved = {"begins": c.begins + seconds, "ends": c.ends + seconds}
        self._c.execute(sa.update(tables.vacation).where(c.begins > after).values(moved))

    # --- one-time secrets --------------------------------------------------------------------------------------------

    def add_token(self, purpose: str, secret_hash: str, player_id: int, now: datetime, expires: datetime) -> None:
        """Store the hash of a mailed secret. Earlier ones for the same purpose become invalid."""
        self.void_tokens(purpose, player_id)
        values = {"purpose": purpose, "digest": secret_hash, "player_id": player_id, "created": now, "expires": expires}
        self._c.execute(sa.insert(tables.token).values(**values, address="", data={}))

    def use_token(self, purpose: str, secret_hash: str, now: datetime) -> int | None:
        """Use a secret, and return its player; None if it is unknown, already used or expired."""
        c = tables.token.c
        valid = (c.purpose == purpose, c.digest == secret_hash, c.used.is_(None), c.expires > now)
        used = sa.update(tables.token).where(*valid).values(used=now).returning(c.player_id)
        return self._c.execute(used).scalar_one_or_none()

    def token_of(self, purpose: str, secret_hash: str) -> int | None:
        """Return the player of a secret that is still stored, used or not."""
        c = tables.token.c
        return self._c.scalar(sa.select(c.player_id).where(c.purpose == purpose, c.digest == secret_hash))

    def void_tokens(self, purpose: str, player_id: int) -> None:
        """Delete a player's one-time secrets."""
        c = tables.token.c
        self._c.execute(sa.delete(tables.token).where(c.purpose == purpose, c.player_id == player_id))

    # --- all data of a player, and the end of an account -------------------------------------------------------------

    def personal_data(self, player_id: int) -> dict[str, list[dict[str, object]]]:
        """Return rows by table: all that refer to the player, the player's mails, and letters with their text.

        The players who have blocked this player are left out, because this is their data.
        """
        data = {
            table.name: self._plain(table, sa.or_(*(c == player_id for c in columns)))
            for table in tables.metadata.sorted_tables
            if (
                columns := [
                    c for c in table.c if c.references(tables.player.c.id) and c is not tables.block.c.blocked_id
                ]
            )
        }
        c, entry, seat = tables.address.c, tables.entry.c, tables.seat.c
        addresses = sa.select(sa.func.lower(c.address)).where(c.player_id == player_id)
        seated = sa.exists().where(seat.player_id == player_id, seat.board == entry.board, seat.seat == entry.seat)
        return data | {
            "player": self._plain(tables.player, tables.player.c.id == player_id),
            "entry": self._plain(tables.entry, seated),
            "mail": self._plain(tables.mail, sa.func.lower(tables.mail.c.sender).in_(addresses)),
            "counter": self._plain(tables.counter, tables.counter.c.subject == player_subject(player_id)),
            "outbox": self._plain(
                tables.outbox,
                sa.or_(sa.func.lower(tables.outbox.c.recipient).in_(addresses), tables.outbox.c.webhook == player_id),
            ),
        }

    def erase(self, player_id: int, now: datetime) -> None:
        """Close an account. Of the person only the userid, the boards and the ratings are kept.

        Letters to others stay as they are: they may quote what the player wrote.
        """
        self._erase_traces(player_id)
        self.withdraw_seeks(player_id, now)
        for table in (tables.queued, tables.submitted):
            seats = sa.select(tables.seat.c.board, tables.seat.c.seat).where(tables.seat.c.player_id == player_id)
            self._c.execute(sa.delete(table).where(sa.tuple_(table.c.board, table.c.seat).in_(seats)))
        for table in _PERSONAL:
            self._c.execute(sa.delete(table).where(table.c.player_id == player_id))
        self._c.execute(sa.delete(tables.counter).where(tables.counter.c.subject == player_subject(player_id)))
        block = tables.block.c
        self._c.execute(
            sa.delete(tables.block).where(sa.or_(block.player_id == player_id, block.blocked_id == player_id))
        )
        closed = sa.update(tables.player).where(tables.player.c.id == player_id)
        self._c.execute(closed.values(password_hash=None, closed=now))

    def _erase_traces(self, player_id: int) -> None:
        """Erase what mails, letters and invitations tell of the player's addresses, unless they are another's, too.

        An address that nobody has confirmed may be a stranger's: what waits for its owner stays.
        """
        a, other = tables.address.c, tables.address.alias()
        shared = sa.exists().where(other.c.folded == a.folded, other.c.player_id != player_id)
        addresses = self._c.execute(sa.select(a.address, a.confirmed).where(a.player_id == player_id, ~shared)).all()
        forms = sorted({form for row in addresses for form in _forms(row.address)})
        own = sorted({form for row in addresses if row.confirmed for form in _forms(row.address)})
        mail, letter, token = tables.mail.c, tables.outbox.c, tables.token.c
        shelved = sa.update(tables.mail).where(mail.sender.in_(own), mail.status == MailStatus.SHELVED)
        self._c.execute(shelved.values(status=MailStatus.DROPPED, sealed=None))
        nothing = dict.fromkeys(("sender", "peer", "message_id", "calls", "problem"), "")
        done = sa.update(tables.mail).where(mail.sender.in_(forms), mail.status != MailStatus.SHELVED)
        self._c.execute(done.values(nothing))
        theirs = sa.or_(letter.recipient.in_(own), letter.kind == LetterKind.CONFIRM, letter.finished.is_not(None))
        self._c.execute(sa.delete(tables.outbox).where(letter.recipient.in_(forms), theirs))
        self._c.execute(sa.delete(tables.outbox).where(letter.webhook == player_id))
        self._c.execute(sa.delete(tables.token).where(token.address.in_(own)))

    def delete_unused(self, player_id: int) -> None:
        """Delete an erased account that no board, rating, seek or tournament refers to: its userid becomes free."""
        of_players = (tables.seat, tables.rating, tables.seeker, tables.entrant)
        used = [sa.exists().where(table.c.player_id == player_id) for table in of_players]
        used.append(sa.exists().where(tables.tournament.c.organiser == player_id))
        self._c.execute(sa.delete(tables.player).where(tables.player.c.id == player_id, ~sa.or_(*used)))

    def withdraw_seeks(self, player_id: int, now: datetime) -> None:
        """Remove the player from open seeks, and close seeks in which nobody is left.

        In a seek for a seat, whoever agreed after this player came has agreed to this player: that does not count.
        """
        seeker, seek = tables.seeker.c, tables.seek.c
        places = sa.select(seeker.seek, seeker.place).join_from(tables.seeker, tables.seek)
        for_seats = places.where(seeker.player_id == player_id, seek.closed.is_(None), seek.continues.is_not(None))
        for number, place in self._c.execute(for_seats).all():
            self._c.execute(sa.delete(tables.seeker).where(seeker.seek == number, seeker.place > place))
        still_open = sa.exists().where(seek.number == seeker.seek, seek.closed.is_(None))
        gone = sa.delete(tables.seeker).where(seeker.player_id == player_id, still_open)
        left = self._c.scalars(gone.returning(seeker.seek)).all()
        empty = ~sa.exists().where(seeker.seek == seek.number)
        self._c.execute(sa.update(tables.seek).where(seek.number.in_(left), empty).values(closed=now))

    def _hold_accounts(self, ids: list[int]) -> None:
        """Let nobody change these accounts until the transaction ends. Several transactions can hold an account."""
        if not engines.has_one_writer(self._c) and not engines.only_reads(self._c):
            self._rows(_held(len(ids)), **placed("id", ids))

    def _plain(self, table: sa.Table, condition: sa.ColumnElement[bool]) -> list[Json]:
        columns = [c for c in table.c if c.name not in _SECRET]
        query = sa.select(*columns).where(condition).order_by(*table.primary_key)
        return [dict(row._mapping) for row in self._c.execute(query)]


def _forms(address: str) -> set[str]:
    """Return an address as it may stand in rows: as its owner wrote it, its domain in lower case, all in lower case."""
    local, _, domain = address.rpartition("@")
    return {address, f"{local}@{domain.lower()}", address.lower()}
