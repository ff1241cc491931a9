"""Records that are imported again: each is replayed entry by entry, and refused if anything differs.

The new board has another number, so it gets receipts of its own; those of the record must fit the record.
"""

import secrets
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from pbmserv import games
from pbmserv.boards import entries
from pbmserv.boards.clocks import days_off
from pbmserv.boards.clocks.calendar_bounds import FIRST, LAST, is_within
from pbmserv.boards.clocks.deadlines import DAY, FULLEST_BANK
from pbmserv.boards.records import origin_of
from pbmserv.errors import PlayerError
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Change, Start
from pbmserv.games.base.log import ADMIN, RULINGS, Entry, Kind
from pbmserv.model import BoardRow, Player, Settings, receipts
from pbmserv.model.boards import SHARED
from pbmserv.model.players import USERID
from pbmserv.model.preferences import days_set
from pbmserv.rng import commitment
from pbmserv.store import Store

Userid = Annotated[str, Field(pattern=f"^{USERID}$")]
Salt = Annotated[str, Field(pattern="^[0-9a-f]{32}$")]  #: a longer one could hold a part of the text
Seconds = Annotated[float, Field(ge=0, le=FULLEST_BANK, allow_inf_nan=False)]
T = TypeVar("T")
_WITHOUT = 'To import it all the same, take "beginning" out of it.'


class RecordRefused(Exception):
    """A record that cannot be imported. The text says why."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


def _within(moment: datetime) -> datetime:
    """Raise ValueError if a date is near an end of the calendar."""
    if not is_within(moment):
        raise ValueError(f"the year is not from {FIRST.year} to {LAST.year}")
    return moment


Moment = Annotated[AwareDatetime, AfterValidator(_within)]


class RecordedEntry(_Strict):
    """An entry of the log; `notes`: only those for everybody."""

    number: int
    at: Moment
    seat: int
    kind: Kind
    text: str
    ply: int
    notes: list[str]
    receipt: str = ""  # older records have none
    salt: Salt | None = None
    seal: str | None = None


class RecordedResult(_Strict):
    """How the board ended."""

    reason: str
    ranks: tuple[int, ...]
    scores: tuple[int | float, ...]


class RecordedSeat(_Strict):
    """The seat of another board that a substitute took over. An import leaves it out: here its number means another."""

    board: int
    seat: int
    ply: int
    userid: Userid
    how: str


def _in_reach(settings: Settings) -> Settings:
    """Raise ValueError unless each time limit ends on a date."""
    for name in ("nag", "forfeit", "total", "bank", "increment", "cap", "vacation"):
        days = getattr(settings, name)
        least = 0 if name in ("increment", "vacation") else 1e-6
        if days is not None and not least <= days <= FULLEST_BANK / DAY:
            raise ValueError(f"{name} is not between 0 and {FULLEST_BANK / DAY:.0f} days")
    return settings


class RecordedTime(_Strict):
    """The time of a seat without that of its current turn, in seconds: what it has used, and what its bank holds."""

    used: Seconds
    bank: Seconds | None


class Record(_Strict):
    """The shape of the data that `boards.records.record_of` makes."""

    format: Literal[1]
    board: int
    game: str
    rules: int
    options: dict[str, str]
    settings: Annotated[Settings, AfterValidator(_in_reach)]
    players: list[Userid] = Field(min_length=1)
    days_off: list[str] = []  # one text for each seat; older records have none
    auto_vacation: list[bool] = []
    times: list[RecordedTime] = []  # one for each seat; older records have none
    created: Moment
    commitment: str
    seed: str | None = Field(pattern="^[0-9a-f]{32}$")
    origin: Any
    beginning: dict[str, Any] | None = None  # older records have no receipts
    salt: Salt | None = None
    continues: RecordedSeat | None = None
    tournament: int | None = None  # left out, too: here the number means another one
    log: list[RecordedEntry]
    result: RecordedResult | None


def restore(store: Store, text: bytes, now: datetime, rated: bool = False) -> BoardRow:
    """Import a record as a board with a new number. Raises RecordRefused.

    Players of a finished board who have no account here get a closed one. The board counts for ratings only if `rated`.
    If the board is running, its turns begin now.
    """
    record = _read(text)
    start = _start(record)
    players = [_player(store, userid, record, now) for userid in record.players]
    settings = replace(record.settings, rated=record.settings.rated and rated)
    board = _played("the beginning", lambda: play.begin(start))
    origin = start.game.dump(start.origin) if start.origin else None
    days, counting = _days_off(record), record.settings.counting
    row = entries.begin(
        store, board, players, settings, record.created, origin, days=days, counting=counting, sealed=now
    )
    row = _write_log(store, row, record)
    _demand_same_result(row.board, record)
    _demand_receipts(record)
    restart_clocks(store, _with_times(store, row, record), now)
    return store.boards.find(row.number) or row


def _read(text: bytes) -> Record:
    try:
        return Record.model_validate_json(text)
    except ValidationError as e:
        first = e.errors(include_url=False, include_input=False)[0]
        raise RecordRefused(f"This is no record: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None


def _days_off(record: Record) -> list[tuple[str, ...]]:
    """Return the days off of each seat. Raises RecordRefused."""
    days_of_all = [days_off.read(days or days_off.ON) for days in record.days_off or [""] * len(record.players)]
    if len(days_of_all) != len(record.players) or None in days_of_all:
        raise RecordRefused('This is no record: days_off: a text for each player is needed, such as "sat,sun" or "".')
    return [days_set(days) for days in days_of_all if days]


def _write_log(store: Store, row: BoardRow, record: Record) -> BoardRow:
    """Write all entries of the record and return the board after them."""
    past: list[Entry] = []
    for recorded in record.log:
        change = _again(row.board, recorded, past)
        row = entries.add(store, row, change, None, recorded.at)
        past.append(change.entry)
    return row


def _with_times(store: Store, row: BoardRow, record: Record) -> BoardRow:
    """Write the times of the record: those of the log would count vacations, too. Raises RecordRefused."""
    if not record.times:
        return row
    has_bank = [time.bank is not None for time in record.times]
    if has_bank != [row.settings.bank is not None] * len(row.players):
        raise RecordRefused("This is no record: times: for each player, a bank is needed if the board has banks.")
    times = zip(row.clocks, record.times, strict=True)
    clocks = tuple(replace(clock, used=time.used, bank=time.bank) for clock, time in times)
    for seat, clock in enumerate(clocks):
        store.boards.set_clock(row.number, seat, clock)
    return replace(row, clocks=clocks)


def restart_clocks(store: Store, row: BoardRow, now: datetime) -> None:
    """Let the turns of a running board begin now. What had counted of them counts for nobody."""
    clocks = entries.restarted(store, row, now)
    for seat in row.board.to_move:
        store.boards.set_clock(row.number, seat, clocks[seat])


def _start(record: Record) -> Start:
    known = {g.info.key: g for g in games.all_games()}
    if record.game not in known:
        raise RecordRefused(f"There is no game '{record.game}' here. Available: {', '.join(known)}")
    game = games.find(record.game, record.rules)
    if game.is_stand_in:
        raise RecordRefused(
            f"The record follows version {record.rules} of the rules; here they have {known[record.game].info.rules}."
        )
    if record.seed is not None and commitment(record.seed) != record.commitment:
        raise RecordRefused("The sha256 of the seed is not the one that was told when the board began.")
    if record.seed is None and game.info.draws(record.options):
        raise RecordRefused(
            "The record has no seed, and this game needs it. Make one with: pbmserv boards record NUMBER --with-seed"
        )
    try:
        origin = origin_of(game, record.origin)
    except ValueError:
        raise RecordRefused("The position it begins with cannot be read.") from None
    return Start(
        game,
        record.options,
        len(record.players),
        record.seed or secrets.token_hex(16),
        origin,
        record.settings.repetition,
        record.settings.dice == SHARED,
    )


def _player(store: Store, userid: str, record: Record, now: datetime) -> Player:
    player = store.players.find(userid)
    if player is None and record.result is None:
        raise RecordRefused(f"There is no player {userid}, and the board is still running. Let him sign up first.")
    if player and record.result is None:
        demand_open(player)
    return player or store.players.add_closed(userid, now)


def demand_open(player: Player) -> None:
    """Raise RecordRefused if nobody can play on with an account, because it is closed."""
    if player.password_hash is None:
        raise RecordRefused(f"The account of {player.userid} is closed, and the game is not over.")


def _again(board: Board, recorded: RecordedEntry, past: list[Entry]) -> Change:
    """Repeat a recorded entry. Raises RecordRefused if the result differs from the record."""
    where = f"entry {recorded.number}"
    seats = (ADMIN,) if recorded.kind in RULINGS else range(board.start.seats)
    if recorded.number != len(past) + 1 or recorded.seat not in seats:
        raise RecordRefused(f"The log is broken at {where}.")
    entry = Entry(recorded.seat, recorded.kind, recorded.text, recorded.ply)
    change = _played(where, lambda: play.follow(board, entry, past))
    made = change.entry
    notes = [n.text for n in made.notes if n.seats is None]
    if (made.text, made.ply, notes) != (recorded.text, recorded.ply, recorded.notes):
        raise RecordRefused(
            f"The replay differs at {where}: {made.text or made.kind}, ply {made.ply}: {' '.join(notes)}"
        )
    return change


def _played(where: str, do: Callable[[], T]) -> T:
    try:
        return do()
    except PlayerError as e:
        raise RecordRefused(f"The replay stops at {where}: {e.text}") from None


def _demand_same_result(board: Board, record: Record) -> None:
    made = board.result
    again = made and RecordedResult(reason=made.reason, ranks=made.ranks, scores=made.scores)
    if again != record.result:
        raise RecordRefused(f"The replay ends otherwise: {made.reason if made else 'the board is still running'}.")


def _sealed_origin(record: Record) -> str | None:
    """Return the seal of the first position, which the beginning has; None if the board began as its game does."""
    if record.origin is None:
        return None
    return receipts.seal(record.salt or receipts.salt(record.seed or "", 0), receipts.canonical(record.origin))


def _demand_receipts(record: Record) -> None:
    """Raise RecordRefused if the record has receipts that do not fit. Players may have other names here."""
    if record.beginning is None:
        return
    told = record.beginning.get
    parts = {
        "game": (told("game"), record.game),
        "rules": (told("rules"), record.rules),
        "options": (told("options"), record.options),
        "settings": (told("settings"), receipts.plain_settings(asdict(record.settings))),
        "time": (told("created"), receipts.moment(record.created)),
        "commitment": (told("commitment"), record.commitment),
        "first position": (told("origin"), _sealed_origin(record)),
    }
    if wrong := [name for name, (a, b) in parts.items() if a != b]:
        raise RecordRefused(f"The {wrong[0]} of the record is not the one in its beginning. {_WITHOUT}")
    before = receipts.receipt_of(receipts.canonical(record.beginning))
    for e in record.log:
        sealed = receipts.seal(e.salt or receipts.salt(record.seed or "", e.number), e.text)
        before = receipts.next_receipt(before, record.board, e.number, e.seat, e.kind.value, sealed, e.ply, e.at)
        if e.receipt != before:
            raise RecordRefused(f"Entry {e.number} does not fit its receipt: the record was changed. {_WITHOUT}")
