"""Checks all stored data: boards against logs, entries against receipts, mails and letters, tournaments against boards.

It only reads, and the server can go on running. Each part is read in short snapshots. Only the ratings need a long one,
because they depend on all boards together. Three things do not count as differences: a mail record without text, which
is erased after `retention_days`; a letter that was deleted after `letters_days`; an entry without a mail, if the clock
or an admin made it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple
from datetime import datetime, timedelta
from functools import partial
from math import isclose
from typing import NamedTuple, TypeVar

from sqlalchemy.engine import Engine

from pbmserv import games
from pbmserv.admin import recounts
from pbmserv.boards.entries import counts, weight
from pbmserv.boards.ratings import rating_formula
from pbmserv.db import engines
from pbmserv.errors import PlayerError
from pbmserv.games import GameMissing
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board
from pbmserv.games.base.log import Entry
from pbmserv.games.base.repetition import first_other
from pbmserv.model import BoardRow, LogLine, Rating
from pbmserv.model.boards import Difference, SeatRow
from pbmserv.store import Store

_BOARDS, _ROWS = 100, 10_000  #: the number of boards and rows in one snapshot
_MARGIN = timedelta(hours=1)  #: for clocks that differ, and for the duration of the audit
_REBUILD = "pbmserv ratings rebuild"  #: repairs what is computed from the boards
_END = 2**62  #: more than the number of any row

Ratings = dict[tuple[str, int], Rating]  #: (game, player) -> rating
T = TypeVar("T")


class AuditStep(NamedTuple):
    """The result of one step: how many rows were checked, and a sentence for each difference.

    `waits`: the name of a game that is not installed, so that a board could not be checked. This is no difference.
    """

    looked_at: int
    differences: list[str]
    waits: str = ""


class Audit:
    """Checks a whole database. Each method is one part and yields its steps."""

    def __init__(self, engine: Engine, now: datetime, letters_days: float) -> None:
        self._engine = engine.execution_options(**engines.READ_ONLY)
        self._since = now - timedelta(days=letters_days) + _MARGIN  # older letters may have been deleted

    def count(self, table: str) -> int:
        """Return the number of rows in `board`, `entry`, `mail`, `outbox` or `pairing`."""
        return self._ask(lambda store: store.audit.count_rows(table))

    def sealed_later(self, number: int = 0) -> int:
        """Return how many boards have receipts that were made later than they began: of one board, or of all."""
        return self._ask(lambda store: store.audit.sealed_later(number))

    def boards(self) -> Iterator[AuditStep]:
        """Check every board against its log, and its seats against its position."""
        for _, numbers in self._numbers():
            yield from self._boards(numbers)

    def entries(self) -> Iterator[AuditStep]:
        """Check every entry against its receipt, the mail that caused it and the letters that followed."""
        last = 0
        for first, numbers in self._numbers():
            last = numbers[-1]
            yield self._entries(first, last)
        yield self._entries(last + 1, _END)  # entries of boards that do not exist

    def board(self, number: int) -> AuditStep:
        """Check one board with its entries."""
        (step,) = self._boards([number])
        return step._replace(differences=step.differences + self._entries(number, number).differences)

    def mails(self) -> Iterator[AuditStep]:
        """Check every mail."""
        return self._ranges("mail", lambda store: store.audit.mails_that_cannot_be)

    def letters(self) -> Iterator[AuditStep]:
        """Check every letter against its mail and its board."""
        return self._ranges("outbox", lambda store: store.audit.letters_that_cannot_be)

    def ratings(self) -> Iterator[AuditStep]:
        """Rate every finished board again in the order of the ends, then check every rating and high score."""
        made: Ratings = {}
        with self._engine.connect() as connection:
            store = Store(connection)
            count, last = store.audit.endings()
            if count != last:
                yield AuditStep(0, [f"{count} boards have ended, but their endings are numbered to {last}"])
            for number in store.board_lists.ended():
                yield AuditStep(1, _rate(store, number, made))
            yield AuditStep(0, _rating_differences(store, made) + _score_differences(store) + _level_differences(store))

    def tournaments(self) -> Iterator[AuditStep]:
        """Recount every season of every tournament, each in a snapshot of its own."""
        for number in self._ask(lambda store: [t.number for t in store.tournaments.all()]):
            season = 0
            while step := self._ask(partial(_recount, number=number, season=(season := season + 1))):
                yield step
        lost = self._ask(lambda store: store.audit.boards_without_pairing())
        yield AuditStep(0, [f"board {board}: it is of a tournament, but is no pairing there" for board in lost])

    def _numbers(self) -> Iterator[tuple[int, Sequence[int]]]:
        """The boards that are looked at together: the number from which they were sought, and theirs."""
        last = 0
        while numbers := self._ask(partial(_next_boards, last)):
            yield last + 1, numbers
            last = numbers[-1]

    def _boards(self, numbers: Sequence[int]) -> Iterator[AuditStep]:
        with self._engine.connect() as connection:
            store = Store(connection)
            for number in numbers:
                try:
                    yield AuditStep(1, [f"board {number}: {why}" for why in differences(store, number)])
                except GameMissing as missing:
                    yield AuditStep(0, [], missing.game)

    def _entries(self, first: int, last: int) -> AuditStep:
        def find(store: Store) -> tuple[int, list[Difference]]:
            rows = store.audit.entries_without_cause(first, last)
            rows += store.audit.moves_without_letter(first, last, self._since)
            rows += store.audit.wrong_receipts(first, last)
            return store.audit.count_entries(first, last), rows

        count, rows = self._ask(find)
        return AuditStep(count, [f"board {d.number}: {f'entry {d.entry}: ' * (d.entry > 0)}{d.why}" for d in rows])

    def _ranges(
        self, table: str, query: Callable[[Store], Callable[[int, int], list[Difference]]]
    ) -> Iterator[AuditStep]:
        def find(store: Store, after: int) -> tuple[int, int, list[Difference]]:
            last, count = store.audit.next_rows(table, after, _ROWS)
            return last, count, query(store)(after + 1, last) if count else []

        last, count, name = 0, 1, {"mail": "mail", "outbox": "letter"}[table]
        while count:
            last, count, rows = self._ask(partial(find, after=last))
            yield AuditStep(count, [f"{name} {d.number}: {d.why}" for d in rows])

    def _ask(self, question: Callable[[Store], T]) -> T:
        with self._engine.connect() as connection:
            return question(Store(connection))


def differences(store: Store, number: int) -> list[str]:
    """Return the differences between a board and its log; empty if there are none. Raises GameMissing."""
    try:
        row = store.boards.find(number, lock=False)
    except ValueError as e:
        return [f"its position cannot be read: {games.told(e)}"]
    if row is None:
        return ["there is no such board"]
    games.demand_installed(row.game)
    log = store.boards.log(number)
    gaps = (number for number, line in enumerate(log, start=1) if line.number != number)
    if (gap := next(gaps, None)) is not None:
        return [f"the log has a gap: {gap} is missing"]
    made, again, trouble = _replay(row, log)
    if again is None:
        return [trouble]
    sentences = [f"entry {i} is not what its replay makes of it" for i, (a, b) in enumerate(made, start=1) if a != b]
    sentences += _board_differences(row.board, again)
    return sentences + list(_end_differences(row, again, store.audit.ending(number), store.audit.seat_rows(number)))


def _replay(row: BoardRow, log: Sequence[LogLine]) -> tuple[list[tuple[Entry, Entry]], Board | None, str]:
    """Replay the log. Yields each stored entry, the replayed one and the board then, or where the replay fails."""
    made: list[tuple[Entry, Entry]] = []
    where = "the board cannot be begun"
    try:
        board = play.begin(row.board.start)
        for line in log:
            where = f"entry {line.number} cannot be played"
            change = play.follow(board, line.entry, [again for _, again in made])
            board = change.board
            made.append((line.entry, change.entry))
    except PlayerError as e:
        return made, None, f"{where}: {e.text}"
    except Exception as e:  # a package's rules can fail in any way, and the other boards must still be checked
        return made, None, f"{where}: {': '.join(filter(None, (games.blamed(e), games.told(e))))}"
    return made, board, ""


def _board_differences(stored: Board, again: Board) -> list[str]:
    parts = {
        "length": (stored.length, again.length),
        "ply": (stored.ply, again.ply),
        "proposal": (stored.offer, again.offer),
        "words for the dice": (stored.words, again.words),
        "seats that left": (stored.out, again.out),
        "result": (stored.result, again.result),
    }
    sentences = [f"the stored {name} is {a}, the log's {b}" for name, (a, b) in parts.items() if a != b]
    if stored.seen != again.seen:
        sentences.append(
            f"the stored keys of positions differ from the log's at ply {first_other(stored.seen, again.seen)}"
        )
    if stored.position != again.position:
        sentences.append("the stored position differs from the log's")
    return sentences


def _end_differences(row: BoardRow, again: Board, ending: int | None, seats: Sequence[SeatRow]) -> Iterator[str]:
    """Return differences in other rows and columns that are computed from the board."""
    is_over = again.result is not None
    if (row.over is not None) != is_over or (ending is not None) != is_over:
        yield f"it is {'over' if is_over else 'running'}, and its end says otherwise"
    if [s.seat for s in seats] != list(range(len(seats))):
        yield "its seats are not numbered from 0"
    if wrong := [s.seat for s in seats if s.to_move != (s.seat in again.to_move)]:
        yield f"seat {wrong[0]} is not to move as the position says"
    ranks, scores = (again.result.ranks, again.result.scores) if again.result else ((), ())
    if [s.rank for s in seats] != [*(ranks or [None] * len(seats))]:
        yield "the ranks of its seats are not those of the result"
    if [s.score for s in seats] != [*(scores or [None] * len(seats))]:
        yield "the scores of its seats are not those of the result"


def _recount(store: Store, number: int, season: int) -> AuditStep | None:
    """Recount a season; None if the tournament has not come so far."""
    tournament = store.tournaments.find(number)
    if tournament is None or season > tournament.season:
        return None
    count = len(store.tournaments.pairings(number, season))
    try:
        return AuditStep(count, recounts.differences(store, tournament, season))
    except GameMissing as missing:
        return AuditStep(0, [], missing.game)


def _next_boards(last: int, store: Store) -> list[int]:
    return store.audit.numbers_after(last, _BOARDS)


def _rate(store: Store, number: int, made: Ratings) -> list[str]:
    """Rate one more board, and return the seats whose stored change of the rating differs."""
    row, stored = store.boards.find(number, lock=False), store.ratings.changes(number)
    if row is None or row.board.result is None or row.key not in _installed():
        return []  # the check of this board reports it
    game, changes = row.game, list[tuple[float, float] | None]([None] * len(row.players))
    if counts(row, store.boards.entries(number)):
        keys = [(game.info.key, p.id) for p in row.players]
        old = [made.get(key, rating_formula.UNRATED) for key in keys]
        new = rating_formula.rate(old, game.teams(len(keys)), row.board.result.ranks, weight(store, row))
        made.update(zip(keys, new, strict=True))
        changes = [(a.mu, b.mu) for a, b in zip(old, new, strict=True)]
    wrong = [seat for seat, (a, b) in enumerate(zip(stored, changes, strict=True)) if not _close(a or (), b or ())]
    return [f"board {number}: the change of the rating of seat {seat} is not that of its result" for seat in wrong]


def _rating_differences(store: Store, made: Ratings) -> list[str]:
    stored, sentences = store.audit.ratings_of_all(), list[str]()
    for game, player_id in sorted(key for key in stored.keys() | made.keys() if key[0] in _installed()):
        pair = [_shown(ratings_.get((game, player_id))) for ratings_ in (stored, made)]
        if not _close(*pair):
            sentences.append(f"the {game} rating of {_name(store, player_id)} is not that of the boards: {_REBUILD}")
    return sentences


def _installed() -> frozenset[str]:
    """The keys of the games whose ratings can be made again."""
    return frozenset(g.info.key for g in games.all_games())


def _score_differences(store: Store) -> list[str]:
    stored, made = store.audit.scores_of_all(), store.ratings.scores_of_boards()
    wrong = sorted(key for key in stored.keys() | made.keys() if stored.get(key) != made.get(key))
    return [
        f"the {game} high score of {_name(store, id_)} is not that of the boards: {_REBUILD}" for game, _, id_ in wrong
    ]


def _level_differences(store: Store) -> list[str]:
    """Return differences in the counts from which places are computed."""
    counted, lists = store.audit.levels_of_all(), store.audit.levels_in_lists()
    texts = [
        f"the place of {_name(store, id_)} in {game} is counted wrongly: {_REBUILD}"
        for game, id_ in store.audit.wrong_levels()
    ]
    for key in sorted(counted.keys() | lists.keys()):
        there, stored = lists.get(key, 0), counted.get(key, 0)
        if there != stored:
            texts.append(f"the {key[0]} of {key[1]} have {there} players at level {key[3]}, not {stored}: {_REBUILD}")
    return texts


def _name(store: Store, player_id: int) -> str:
    player = store.players.by_id(player_id)
    return player.userid if player else f"player {player_id}"


def _shown(rating: Rating | None) -> tuple[float, ...]:
    return astuple(rating) if rating else ()


def _close(a: Sequence[float], b: Sequence[float]) -> bool:
    """Return whether two numbers are equal. Another machine may round the last digit differently."""
    return len(a) == len(b) and all(isclose(x, y, rel_tol=1e-9) for x, y in zip(a, b, strict=True))
