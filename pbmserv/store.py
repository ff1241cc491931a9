"""Named queries: the only module that writes SQL statements. Nothing here commits."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection, NestedTransaction

from pbmserv import board as fold
from pbmserv import db, games
from pbmserv.board import Board, Entry, Kind, Offer, Start
from pbmserv.games.base import Note, Outcome, Seat


@dataclass(frozen=True)
class Player:
    """An account. `password_hash` is None once it is closed."""

    id: int
    userid: str
    password_hash: str | None = field(repr=False)
    created: datetime


@dataclass(frozen=True)
class Address:
    """An address of a player; nothing but the question is sent to it until it is confirmed."""

    id: int
    player_id: int
    address: str
    confirmed: datetime | None


@dataclass(frozen=True)
class Settings:
    """What a challenge sets besides the game's options. Times in days; None: no limit."""

    rated: bool = True
    nag: float | None = 7.0
    forfeit: float | None = 21.0
    total: float | None = None
    private: bool = False


@dataclass(frozen=True)
class BoardRow:
    """A board with its number, its players by seat and its settings."""

    number: int
    board: Board
    players: tuple[Player, ...]
    settings: Settings
    created: datetime
    changed: datetime
    over: datetime | None

    def seats_of(self, player: Player) -> tuple[Seat, ...]:
        """The seats of a player; two if he plays against himself."""
        return tuple(s for s, p in enumerate(self.players) if p.id == player.id)


@dataclass(frozen=True)
class LogLine:
    """An entry with when it was made and the mail that caused it."""

    number: int
    entry: Entry
    at: datetime
    mail_id: int | None


@dataclass(frozen=True)
class Listed:
    """A line of a list of boards."""

    number: int
    game: str
    options: dict[str, str]
    ply: int
    players: tuple[str, ...]
    to_move: tuple[str, ...]
    changed: datetime
    result: Outcome | None


class Store:
    """The queries over one connection, whose transaction belongs to the caller."""

    def __init__(self, connection: Connection) -> None:
        self._c = connection

    def savepoint(self) -> NestedTransaction:
        """A context: what fails inside it is undone alone."""
        return self._c.begin_nested()

    # --- players -------------------------------------------------------------------------------------------------

    def player(self, userid: str) -> Player | None:
        """The account with this userid, in any case of letters."""
        return self._player(db.player.c.userid == userid.lower())

    def player_by_id(self, player_id: int) -> Player | None:
        """The account with this number."""
        return self._player(db.player.c.id == player_id)

    def players_at(self, address: str) -> list[Player]:
        """The accounts that have confirmed this address."""
        query = (
            sa.select(db.player)
            .join(db.address)
            .where(db.address.c.folded == address.casefold(), db.address.c.confirmed.is_not(None))
            .order_by(db.player.c.id)
        )
        return [Player(**row._mapping) for row in self._c.execute(query)]

    def players(self) -> list[Player]:
        """All accounts by userid."""
        return [Player(**row._mapping) for row in self._c.execute(sa.select(db.player).order_by(db.player.c.userid))]

    def userids(self) -> list[str]:
        """All userids, for the nearest one to a misspelt word."""
        return list(self._c.scalars(sa.select(db.player.c.userid)))

    def add_player(self, userid: str, password_hash: str, now: datetime) -> Player:
        """Open an account; the userid is free."""
        values = {"userid": userid.lower(), "password_hash": password_hash, "created": now}
        id_ = self._c.execute(sa.insert(db.player).values(values).returning(db.player.c.id)).scalar_one()
        return Player(id_, **values)  # type: ignore[arg-type]

    def addresses(self, player_id: int) -> list[Address]:
        """The addresses of a player in the order in which they were given."""
        c = db.address.c
        query = sa.select(c.id, c.player_id, c.address, c.confirmed).where(c.player_id == player_id).order_by(c.id)
        return [Address(*row) for row in self._c.execute(query)]

    def address_by_id(self, address_id: int) -> Address | None:
        """The address with this number."""
        c = db.address.c
        row = self._c.execute(sa.select(c.id, c.player_id, c.address, c.confirmed).where(c.id == address_id)).first()
        return Address(*row) if row else None

    def add_address(self, player_id: int, address: str, now: datetime, confirmed: bool) -> Address:
        """Give a player one more address; he does not have it yet."""
        when = now if confirmed else None
        values = {"player_id": player_id, "address": address, "confirmed": when}
        extra = {"folded": address.casefold(), "created": now}
        id_ = self._c.execute(sa.insert(db.address).values(**values, **extra).returning(db.address.c.id)).scalar_one()
        return Address(id_, player_id, address, when)

    def confirm_address(self, address_id: int, now: datetime) -> None:
        """The owner of the address has said yes."""
        self._c.execute(sa.update(db.address).where(db.address.c.id == address_id).values(confirmed=now))

    def is_confirmed(self, address: str) -> bool:
        """Whether anybody has confirmed this address."""
        c = db.address.c
        query = sa.select(sa.exists().where(c.folded == address.casefold(), c.confirmed.is_not(None)))
        return bool(self._c.scalar(query))

    def preferences(self, player_ids: Iterable[int]) -> dict[tuple[int, str, str], str]:
        """The preferences of these players: (player, game or "", name) -> value."""
        query = sa.select(db.preference).where(db.preference.c.player_id.in_(list(player_ids)))
        return {(r.player_id, r.game, r.name): r.value for r in self._c.execute(query)}

    def set_preference(self, player_id: int, game: str, name: str, value: str) -> None:
        """Remember a preference."""
        keys = {"player_id": player_id, "game": game, "name": name}
        statement = self._insert(db.preference).values(**keys, value=value)
        self._c.execute(statement.on_conflict_do_update(index_elements=list(keys), set_={"value": value}))

    # --- boards --------------------------------------------------------------------------------------------------

    def add_board(self, board: Board, players: Sequence[Player], settings: Settings, now: datetime) -> BoardRow:
        """Begin a board; its number is the next one of the server."""
        info = board.game.info
        values = {
            "game": info.key,
            "rules": info.rules,
            "options": dict(board.start.options),
            "seed": board.start.seed,
            "settings": asdict(settings),
            "created": now,
            **_cache(board, now),
        }
        number = self._c.execute(sa.insert(db.board).values(values).returning(db.board.c.number)).scalar_one()
        seats = [
            {"board": number, "seat": s, "player_id": p.id, "to_move": s in board.to_move}
            for s, p in enumerate(players)
        ]
        self._c.execute(sa.insert(db.seat), seats)
        return BoardRow(number, board, tuple(players), settings, now, now, None)

    def board(self, number: int) -> BoardRow | None:
        """The board with this number, locked until the transaction ends (SQLite locks everything anyway)."""
        row = self._c.execute(sa.select(db.board).where(db.board.c.number == number).with_for_update()).first()
        if row is None:
            return None
        query = sa.select(db.player).join(db.seat).where(db.seat.c.board == number).order_by(db.seat.c.seat)
        players = tuple(Player(**r._mapping) for r in self._c.execute(query))
        board = _board(row, len(players))
        return BoardRow(number, board, players, Settings(**row.settings), row.created, row.changed, row.over)

    def log(self, number: int) -> list[LogLine]:
        """The whole log of a board."""
        query = sa.select(db.entry).where(db.entry.c.board == number).order_by(db.entry.c.number)
        return [LogLine(r.number, _entry(r), r.at, r.mail_id) for r in self._c.execute(query)]

    def append(self, row: BoardRow, entry: Entry, board: Board, mail_id: int | None, now: datetime) -> BoardRow:
        """Write one more entry and the board after it."""
        values = {
            "board": row.number,
            "number": board.length,
            "at": now,
            "mail_id": mail_id,
            "seat": entry.seat,
            "kind": entry.kind.value,
            "text": entry.text,
            "ply": entry.ply,
            "fixed": entry.fixed,
            "missed": list(entry.missed),
            "notes": [[n.text, None if n.seats is None else sorted(n.seats)] for n in entry.notes],
        }
        self._c.execute(sa.insert(db.entry).values(values))
        over = now if board.result else None
        cache = {**_cache(board, now), "over": over}
        self._c.execute(sa.update(db.board).where(db.board.c.number == row.number).values(cache))
        if board.to_move != row.board.to_move:
            c = db.seat.c
            here = sa.update(db.seat).where(c.board == row.number)
            self._c.execute(here.values(to_move=c.seat.in_(sorted(board.to_move))))
        return BoardRow(row.number, board, row.players, row.settings, row.created, now, over)

    def list_boards(
        self, *, game: str | None = None, player_id: int | None = None, state: str = "active", limit: int = 200
    ) -> list[Listed]:
        """Boards by number, the newest first. `state`: all, active, inactive, or next (the player is to move)."""
        query = sa.select(db.board).order_by(db.board.c.number.desc()).limit(limit)
        if game:
            query = query.where(db.board.c.game == game)
        if state in ("active", "next"):
            query = query.where(db.board.c.over.is_(None))
        if state == "inactive":
            query = query.where(db.board.c.over.is_not(None))
        if player_id is not None:
            mine = sa.select(db.seat.c.board).where(db.seat.c.player_id == player_id)
            query = query.where(db.board.c.number.in_(mine.where(db.seat.c.to_move) if state == "next" else mine))
        rows = list(self._c.execute(query))
        return [_listed(row, seats) for row, seats in zip(rows, self._seats([r.number for r in rows]), strict=True)]

    def numbers(self) -> list[int]:
        """The numbers of all boards."""
        return list(self._c.scalars(sa.select(db.board.c.number).order_by(db.board.c.number)))

    # --- mails ---------------------------------------------------------------------------------------------------

    def add_mail(self, digest: str, now: datetime, peer: str, sender: str, message_id: str) -> int | None:
        """Write down that a mail came in; None if the same mail came before."""
        values = {"digest": digest, "received": now, "peer": peer, "sender": sender, "message_id": message_id}
        statement = self._insert(db.mail).values(**values, status="done", calls="", problem="")
        new = statement.on_conflict_do_nothing(index_elements=["digest"]).returning(db.mail.c.id)
        return self._c.execute(new).scalar_one_or_none()

    def close_mail(self, mail_id: int, **values: Any) -> None:
        """Write down what became of a mail: status, calls, problem, sealed."""
        self._c.execute(sa.update(db.mail).where(db.mail.c.id == mail_id).values(**values))

    def mails(self, limit: int = 50) -> list[Any]:
        """The newest mails first, without their sealed bytes."""
        columns = [c for c in db.mail.c if c.name != "sealed"]
        return list(self._c.execute(sa.select(*columns).order_by(db.mail.c.id.desc()).limit(limit)))

    def mail(self, mail_id: int) -> Any:
        """One mail's row, None if there is none."""
        return self._c.execute(sa.select(db.mail).where(db.mail.c.id == mail_id)).first()

    def effects(self, mail_id: int) -> list[Any]:
        """The entries that a mail caused."""
        query = sa.select(db.entry).where(db.entry.c.mail_id == mail_id)
        return list(self._c.execute(query.order_by(db.entry.c.board, db.entry.c.number)))

    # --- letters -------------------------------------------------------------------------------------------------

    def queue(self, rows: Sequence[dict[str, Any]]) -> None:
        """Put letters into the outbox: mail_id, board, kind, recipient, data, created."""
        fixed = {"status": "queued", "attempts": 0, "receipt": ""}
        if rows:
            self._c.execute(sa.insert(db.outbox), [{**r, **fixed, "due": r["created"]} for r in rows])

    def wrote_since(self, kind: str, recipient: str, since: datetime) -> bool:
        """Whether a letter of this kind went to this address lately."""
        c = db.outbox.c
        query = sa.select(sa.exists().where(c.recipient == recipient, c.created >= since, c.kind == kind))
        return bool(self._c.scalar(query))

    def letters(self, mail_id: int) -> list[Any]:
        """The letters that a mail caused."""
        return list(
            self._c.execute(sa.select(db.outbox).where(db.outbox.c.mail_id == mail_id).order_by(db.outbox.c.id))
        )

    def claim(self, now: datetime, lease: timedelta, limit: int) -> list[Any]:
        """Lease the due letters to one sender. A later letter of a board waits for the earlier ones to its reader."""
        c, earlier = db.outbox.c, db.outbox.alias()
        waits = sa.exists().where(
            earlier.c.status == "queued",
            earlier.c.board == c.board,
            earlier.c.recipient == c.recipient,
            earlier.c.id < c.id,
            earlier.c.due > now,
        )
        due = sa.select(c.id).where(c.status == "queued", c.due <= now, ~waits).order_by(c.id).limit(limit)
        ids = list(self._c.scalars(due.with_for_update(skip_locked=True)))
        if not ids:
            return []
        claimed = sa.update(db.outbox).where(c.id.in_(ids)).values(due=now + lease)
        self._c.execute(claimed)
        columns = (c.id, c.recipient, c.data, c.attempts, c.created)
        return list(self._c.execute(sa.select(*columns).where(c.id.in_(ids)).order_by(c.id)))

    def finish_letters(self, receipts: Sequence[tuple[int, str]], status: str, now: datetime) -> None:
        """The letters are sent, or refused for good; each with what the relay said."""
        if not receipts:
            return
        statement = sa.update(db.outbox).where(db.outbox.c.id == sa.bindparam("letter"))
        done = statement.values(status=status, finished=now, receipt=sa.bindparam("said"))
        self._c.execute(done, [{"letter": id_, "said": text[:500]} for id_, text in receipts])

    def letters_before(self, letter_ids: Sequence[int], created: datetime) -> list[int]:
        """Those of these letters that were written before a time."""
        c = db.outbox.c
        return list(self._c.scalars(sa.select(c.id).where(c.id.in_(letter_ids), c.created < created)))

    def defer_letters(self, letter_ids: Sequence[int], error: str, due: datetime) -> None:
        """Try these again at `due`; without an error, they were not tried at all."""
        tried = {"attempts": db.outbox.c.attempts + 1, "receipt": error[:500]} if error else {}
        self._c.execute(sa.update(db.outbox).where(db.outbox.c.id.in_(letter_ids)).values(due=due, **tried))

    # --- helpers -------------------------------------------------------------------------------------------------

    def _player(self, condition: sa.ColumnElement[bool]) -> Player | None:
        row = self._c.execute(sa.select(db.player).where(condition)).first()
        return Player(**row._mapping) if row else None

    def _insert(self, table: sa.Table) -> Any:
        return (sqlite if self._c.dialect.name == "sqlite" else postgresql).insert(table)

    def _seats(self, numbers: list[int]) -> list[list[Any]]:
        """The seats of each of these boards: userid and whether it is to move."""
        c = db.seat.c
        query = sa.select(c.board, db.player.c.userid, c.to_move).join(db.player).where(c.board.in_(numbers))
        found: dict[int, list[Any]] = {n: [] for n in numbers}
        for row in self._c.execute(query.order_by(c.board, c.seat)):
            found[row.board].append(row)
        return list(found.values())


def _cache(board: Board, now: datetime) -> dict[str, Any]:
    """The columns of a board that can be made anew from its log."""
    return {
        "changed": now,
        "ply": board.ply,
        "length": board.length,
        "position": board.game.dump(board.position),
        "state": _dump_state(board),
    }


def _dump_state(board: Board) -> dict[str, Any]:
    offer = board.offer
    return {
        "offer": offer and [offer.kind.value, offer.seat, offer.to_ply, sorted(offer.agreed)],
        "out": list(board.out),
        "result": board.result and asdict(board.result),
    }


def _result(state: dict[str, Any]) -> Outcome | None:
    if state["result"] is None:
        return None
    return Outcome(state["result"]["reason"], tuple(state["result"]["ranks"]), tuple(state["result"]["scores"]))


def _board(row: Any, seats: int) -> Board:
    game = games.find(row.game)
    offer = row.state["offer"]
    return Board(
        Start(game, row.options, seats, row.seed),
        game.load(row.position),
        row.ply,
        row.length,
        Offer(Kind(offer[0]), offer[1], offer[2], frozenset(offer[3])) if offer else None,
        tuple(row.state["out"]),
        _result(row.state),
    )


def _entry(row: Any) -> Entry:
    notes = tuple(Note(text, None if seats is None else frozenset(seats)) for text, seats in row.notes)
    return Entry(row.seat, Kind(row.kind), row.text, row.ply, row.fixed, tuple(row.missed), notes)


def _listed(row: Any, seats: list[Any]) -> Listed:
    players = tuple(s.userid for s in seats)
    to_move = tuple(s.userid for s in seats if s.to_move)
    return Listed(row.number, row.game, row.options, row.ply, players, to_move, row.changed, _result(row.state))


def verify(store: Store, number: int) -> str:
    """Replay a board from its log; "" if it is as stored, else what differs."""
    row = store.board(number)
    if row is None:
        return "there is no such board"
    lines = store.log(number)
    if [line.number for line in lines] != list(range(1, len(lines) + 1)):
        return "the log has a gap"
    again = fold.replay(row.board.start, [line.entry for line in lines])
    return "" if again == row.board else "the stored position differs from the log's"
