"""Games in files of other programs, such as PGN: each is played again, move by move, under our rules.

A game that breaks them is refused. Then nothing of the file is imported, or, if the admin says so, only the others are.
"""

import re
import secrets
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from pbmserv import games
from pbmserv.admin.imports import RecordRefused, demand_open, restart_clocks
from pbmserv.boards import entries
from pbmserv.boards.clocks import calendar_bounds
from pbmserv.boards.entries import MOST_ENTRIES
from pbmserv.errors import PlayerError
from pbmserv.games.base import AnyGame
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Change, Start
from pbmserv.games.base.log import ADMIN, Entry, Kind
from pbmserv.games.base.sheet import FormatError, Reading, formats_of, named, phrase_of
from pbmserv.model import BoardRow, Player, Settings
from pbmserv.model.players import USERID, USERID_LENGTH
from pbmserv.store import Store

MOST_FILE_BYTES = 16_000_000
MOST_GAMES = 1_000  #: in one file; they are imported in one transaction, in which mails wait
_DAY = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?", re.ASCII)
_WHO = "To say who played, add --players USERID,USERID"


@dataclass(frozen=True)
class Imported:
    """A board that was made of a game in a file, and what was not read."""

    row: BoardRow
    left_out: tuple[str, ...]


def formats() -> dict[str, AnyGame]:
    """Return the formats that can be imported, each with its game: ours, if a package has a variant of it."""
    ours = {game.info.key for game in games.GAMES}
    ordered = sorted(games.all_games(), key=lambda game: game.info.key in ours)
    return {form.name: game for game in ordered for form in formats_of(game) if form.read}


def add_all(
    store: Store, data: bytes, name: str, userids: Sequence[str], now: datetime, skipped: list[str] | None = None
) -> list[Imported]:
    """Import all games of a file in a format of `formats`. Raises RecordRefused, naming the game and the move.

    `userids`: who played, by seat; without them, the names in the file count. They get closed accounts.
    `skipped`: where to tell of games that cannot be imported, so that the others are; None: nothing of the file is.
    """
    if len(data) > MOST_FILE_BYTES:
        raise RecordRefused(
            f"The file has more than {MOST_FILE_BYTES:,} bytes, which is the most that can be imported."
        )
    imported = []
    for number, reading in enumerate(_readings(data, name), start=1):
        if number > MOST_GAMES:
            raise RecordRefused(f"The file has more than {MOST_GAMES:,} games. Import it in parts.")
        try:
            with store.savepoint():
                imported.append(_imported(store, name, number, reading, userids, now))
        except RecordRefused as e:
            if skipped is None:
                raise
            skipped.append(str(e))
    if not imported and not skipped:
        raise RecordRefused("There is no game in this file.")
    return imported


def _readings(data: bytes, name: str) -> Iterator[Reading | FormatError]:
    form = named(formats_of(formats()[name]), name)
    if form is None or form.read is None:
        raise ValueError(f"{name} is no format that can be imported")
    return form.read(data)


def _imported(
    store: Store, name: str, number: int, reading: Reading | FormatError, userids: Sequence[str], now: datetime
) -> Imported:
    if isinstance(reading, FormatError):
        raise RecordRefused(reading.text)
    try:
        return Imported(_add(store, formats()[name], reading, userids, now), reading.left_out)
    except PlayerError as e:
        raise RecordRefused(f"Game {number}: {e.text}") from None
    except RecordRefused as e:
        raise RecordRefused(f"Game {number}: {e}") from None


def _add(store: Store, game: AnyGame, reading: Reading, userids: Sequence[str], now: datetime) -> BoardRow:
    """Import a game as a board with a new number."""
    if len(reading.moves) + 2 >= MOST_ENTRIES:
        raise RecordRefused(f"it has more than {MOST_ENTRIES:,} moves.")
    start = Start(game, reading.options, len(reading.players), secrets.token_hex(16), reading.origin)
    board, changes = _played(play.begin(start), reading)
    players = _players(store, reading, userids, is_over=board.result is not None, now=now)
    created = _day(reading.begun, now)
    origin = game.dump(start.origin) if start.origin else None
    row = entries.begin(store, play.begin(start), players, Settings(rated=False), created, origin)
    for change in changes:
        row = entries.add(store, row, change, None, created)
    restart_clocks(store, row, now)
    return store.boards.find(row.number) or row


def _played(board: Board, reading: Reading) -> tuple[Board, list[Change]]:
    """Play a game to its end. Raises RecordRefused at a move that our rules do not allow."""
    changes = list[Change]()
    for move in reading.moves:
        if board.result:
            how = phrase_of(board.game, board.result.reason)
            raise RecordRefused(f"{move.where} comes after the end of the game ({how}).")
        try:
            changes.append(play.play(board, min(board.to_move), move.text))
        except PlayerError as e:
            raise RecordRefused(f"{move.where} cannot be played: {e.text}") from None
        board = changes[-1].board
    for entry in _ends(board, reading):
        changes.append(play.follow(board, entry, [change.entry for change in changes]))
        board = changes[-1].board
    return board, changes


def _ends(board: Board, reading: Reading) -> list[Entry]:
    """Return the entries that end the board as the file says."""
    if reading.how is Kind.VOID:
        return [Entry(ADMIN, Kind.VOID)]
    ranks, ruling = reading.ranks, Entry(ADMIN, Kind.ADJUDICATE, " ".join(map(str, reading.ranks or ())))
    if ranks is None or (board.result and board.result.ranks == ranks):
        return []
    if board.result:
        how = phrase_of(board.game, board.result.reason)
        raise RecordRefused(f"its result is not the one of our rules, by which it ended so: {how}.")
    if reading.how is Kind.ADJUDICATE:
        return [ruling]
    if len(set(ranks)) > 1:
        loser = ranks.index(max(ranks))
        after = play.resign(board, loser, reading.how).board
        return [Entry(loser, reading.how)] if after.result and after.result.ranks == ranks else [ruling]
    if reading.how is not Kind.RESIGN or "draw" not in board.game.info.agreements:
        return [ruling]
    asks = min(board.to_move)
    offer = Entry(asks, Kind.PROPOSE)
    return [offer] if board.game.claim(board.position) else [offer, Entry(1 - asks, Kind.ACCEPT)]


def _players(store: Store, reading: Reading, userids: Sequence[str], *, is_over: bool, now: datetime) -> list[Player]:
    """Return who played. Raises RecordRefused if nobody can tell."""
    if userids and len(userids) != len(reading.players):
        raise RecordRefused(f"it has {len(reading.players)} players, and --players names {len(userids)}.")
    if userids:
        return [_named(store, userid, is_over, now) for userid in userids]
    if not is_over:
        raise RecordRefused(f"it is not over, so its players must have accounts here. {_WHO}")
    return [_from_file(store, name, seat, now) for seat, name in enumerate(reading.players)]


def _named(store: Store, userid: str, is_over: bool, now: datetime) -> Player:
    """Return a player whom the admin named."""
    player = store.players.find(userid)
    if player is None and not is_over:
        raise RecordRefused(f"There is no player {userid}, and the game is not over. Let him sign up first.")
    if player and not is_over:
        demand_open(player)
    if not re.fullmatch(USERID, userid.lower()):
        raise RecordRefused(f"'{userid[:40]}' cannot be a userid.")
    return player or store.players.add_closed(userid, now)


def _from_file(store: Store, name: str, seat: int, now: datetime) -> Player:
    """Return the closed account of somebody whom a file names. Nobody with an account gets a game by accident."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    userid = re.sub(r"[^a-z0-9_]+", "-", plain).strip("-")[: USERID_LENGTH[-1]].strip("-")
    if not re.fullmatch(USERID, userid):
        raise RecordRefused(f"the name of player {seat + 1}, '{name[:40]}', makes no userid. {_WHO}")
    player = store.players.find(userid)
    if player and player.password_hash is not None:
        raise RecordRefused(f"player {seat + 1}, '{name[:40]}', may be somebody else than {userid} here. {_WHO}")
    return player or store.players.add_closed(userid, now)


def _day(text: str, now: datetime) -> datetime:
    """Return when a game began: a day in the file, or now if it names none in the past."""
    match = _DAY.match(text)
    if not match:
        return now
    year, month, day = (int(part or 1) for part in match.groups())
    try:
        found_day = datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return now
    return min(found_day, now) if calendar_bounds.is_within(found_day) else now
