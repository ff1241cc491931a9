"""Begins boards and writes entries, with their consequences: time limits of the seats, result, ratings, points."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import combinations

import structlog

from pbmserv import games, metrics
from pbmserv.boards.absences import vacation_caps
from pbmserv.boards.clocks import deadlines
from pbmserv.boards.ratings import rating_formula, recounting
from pbmserv.boards.ratings.rating_formula import COUNTING
from pbmserv.boards.seasons import tournament_points
from pbmserv.games.base import Seat
from pbmserv.games.base import board as play
from pbmserv.games.base.board import ENDINGS, Board, Change, end_full
from pbmserv.games.base.log import RULINGS, Entry, Kind, count_rounds, standing
from pbmserv.games.base.sheet import NOT_PLAYED
from pbmserv.model import BoardRow, LeftSeat, Player, SeatClock, Settings
from pbmserv.model.boards import NO_DAYS_OFF, DaysOff
from pbmserv.model.preferences import NO_PREFERENCES
from pbmserv.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

#: The most entries of a log; then the board ends. The longest games are of Triple Town: its most valuable tile takes
#: about 8,000 turns. A game of two players by mail has about a hundred moves. A full log is replayed within a second.
MOST_ENTRIES = 20_000
#: When only so many entries are left, letters say that the end is near.
WARNED_BEFORE = 200


#: How often each player must have moved until a board counts that does not end by the rules of its game. With fewer,
#: two people could make ratings out of nothing; with more, somebody could resign a lost position unrated.
LEAST_MOVES = 2


def begin(
    store: Store,
    board: Board,
    players: Sequence[Player],
    settings: Settings,
    now: datetime,
    origin: str | None = None,
    rematch_of: int | None = None,
    days: Sequence[tuple[str, ...]] | None = None,
    continues: LeftSeat | None = None,
    tournament: int | None = None,
    counting: int = COUNTING,
    sealed: datetime | None = None,
) -> BoardRow:
    """Begin a new board. The time of the seats that are to move runs.

    The days off of its players are those that they have set now, until the board is over. `days`: take these, one text
    for each seat, such as `sat,sun`; the time zones are those that the players have set.
    `sealed`: when its receipts are made, if it was played before.
    """
    settings = replace(settings, counting=counting if settings.rated else 0)
    new = [deadlines.first_clock(settings, rest) for rest in _days_off(store, players, days)]
    clocks = _begun(store, new, players, board.to_move, settings, now.timestamp())
    return store.boards.add(board, players, settings, clocks, now, origin, rematch_of, continues, tournament, sealed)


def write(store: Store, row: BoardRow, change: Change, mail_id: int | None, now: datetime) -> BoardRow:
    """Write an entry and return the board after it. If it fills the log, the board ends, unless it is an admin's."""
    after = add(store, row, change, mail_id, now)
    if after.board.length < MOST_ENTRIES or after.board.result or change.entry.kind in RULINGS:
        return after
    return add(store, after, end_full(after.board), mail_id, now)


def add(store: Store, row: BoardRow, change: Change, mail_id: int | None, now: datetime) -> BoardRow:
    """Write one more entry, however long the log is, and return the board after it."""
    board = change.board
    if board.rounds is None:  # a board of a version that did not count them
        board = replace(board, rounds=count_rounds([*store.boards.entries(row.number), change.entry]))
    clocks = _clocks(store, row, replace(change, board=board), now.timestamp())
    after = store.boards.append(row, as_written(row.board, change).entry, board, clocks, mail_id, now)
    if change.entry.kind is Kind.MOVE:
        metrics.moved(row.key)
    if asked := {seat for seat in board.to_answer if row.players[seat].robot}:
        store.robots.ask(row.number, asked, now.timestamp())
    if change.board.result != row.board.result:
        _settle(store, row, after)
    return after


def as_written(before: Board, change: Change) -> Change:
    """Return a change whose entry also has its move as players of the game write it, if that is not its text."""
    entry = change.entry
    if entry.kind is not Kind.MOVE or entry.written:
        return change
    written = written_by(before, entry.seat, entry.text, is_played=True)
    return change if written == entry.text else replace(change, entry=replace(entry, written=written))


def written_by(before: Board, seat: Seat, text: str, *, is_played: bool = False) -> str:
    """Return a legal move as players of the game write it; its text, if the game fails at that."""
    try:
        write = before.game.logged if is_played else before.game.written
        return write(before.position, seat, text)
    except Exception as bug:  # how a move looks must not keep it from being played
        log.exception("move_not_written", game=before.game.info.key, bug=type(bug).__name__)
        return text


def forfeit(store: Store, row: BoardRow, overdue: Sequence[Seat], now: datetime) -> BoardRow:
    """Let seats lose on time in the same moment, and return the board after it. The order of seats makes no difference.

    If these are all who still play, the board ends, and nobody wins or loses.
    """
    if deadlines.is_idle(row, overdue):
        return write(store, row, play.end_idle(row.board), None, now)
    for place, seat in enumerate(overdue):
        if row.board.result is None:
            change = play.resign(row.board, seat, Kind.FORFEIT, together=place > 0)
            row = write(store, row, change, None, now)
    return row


def restarted(store: Store, row: BoardRow, now: datetime) -> list[SeatClock]:
    """Return the times of the seats of a running board if its turns begin now, and nothing of them has counted."""
    moment, created = now.timestamp(), row.created.timestamp()
    return _begun(store, row.clocks, row.players, row.board.to_move, row.settings, moment, created)


def left(board: Board) -> int | None:
    """Return how many entries are left before a running board must end; None if there are still many."""
    room = MOST_ENTRIES - board.length
    return room if not board.result and room <= WARNED_BEFORE else None


def counts(row: BoardRow, log: Sequence[Entry]) -> bool:
    """Return whether a finished board counts for ratings: each of several players has moved LEAST_MOVES times.

    If the board ended by the rules of its game, it counts even if somebody has not.
    """
    result = row.board.result
    if result is None or not row.settings.rated or len({p.id for p in row.players}) < len(row.players):
        return False
    if len(row.players) < 2 or result.reason in NOT_PLAYED:
        return False
    return result.reason not in ENDINGS or _have_played(row, log)


def _have_played(row: BoardRow, log: Sequence[Entry]) -> bool:
    if row.settings.counting < COUNTING:
        return {e.seat for e in log if e.kind is Kind.MOVE} == set(range(len(row.players)))
    moves = Counter(e.seat for e in standing(log))
    return all(moves[seat] >= LEAST_MOVES for seat in range(len(row.players)))


def weight(store: Store, row: BoardRow) -> float:
    """Return how much a finished board counts: less if its players have ended several ones shortly before."""
    if row.settings.counting < COUNTING or row.over is None:
        return 1.0
    since = row.over - rating_formula.REPEATED_WITHIN
    pairs = combinations(sorted(row.players, key=lambda p: bool(p.robot)), 2)  # robots have many boards
    before = (
        store.ratings.boards_before(row, one.id, other.id, since, rating_formula.MOST_BEFORE) for one, other in pairs
    )
    return rating_formula.weight(min(before))


def rate_board(store: Store, row: BoardRow) -> None:
    """Change the ratings of the players of a board that counts."""
    result = row.board.result
    if result is None:
        raise ValueError("only a finished board is rated")
    game = row.game
    stored = [store.ratings.find(game.info.key, p.id) for p in row.players]
    old = [rating or rating_formula.UNRATED for rating in stored]
    new = rating_formula.rate(old, game.teams(len(row.players)), result.ranks, weight(store, row))
    for seat, player in enumerate(row.players):
        store.ratings.set(game.info.key, player.id, new[seat], stored[seat])
    store.ratings.set_changes(row.number, [(o.mu, n.mu) for o, n in zip(old, new, strict=True)])


def rebuild_ratings(store: Store, watch: Callable[[Sequence[int]], Iterable[int]] = iter) -> int:
    """Look through all logs for what counts, and compute all ratings and high scores again. Returns how many counted.

    The ratings of a game that is not installed stay. `watch` gets and passes on the numbers of the boards, so that it
    can show progress.
    """
    store.boards.lock_endings()
    installed = {g.info.key for g in games.all_games()}
    for number in watch(store.board_lists.ended()):
        row = store.boards.find(number, lock=False)
        if row is not None and row.key in installed:
            store.ratings.let_count(number, counts(row, store.boards.entries(number)))
    store.ratings.remake_scores()
    return recounting.recount(store, installed)


def _days_off(store: Store, players: Sequence[Player], days: Sequence[tuple[str, ...]] | None) -> list[DaysOff]:
    """Return the days off of players. A robot has none."""
    preferences = store.players.preferences({p.id for p in players if not p.robot})
    each = [preferences.get(p.id, NO_PREFERENCES) for p in players]
    weekends = [wants.weekends for wants in each] if days is None else days
    return [DaysOff(off, wants.timezone) if off else NO_DAYS_OFF for off, wants in zip(weekends, each, strict=True)]


def _clocks(store: Store, row: BoardRow, change: Change, now: float) -> list[SeatClock]:
    """Return the times of the seats after a change. If a seat has moved, its bank grows, and a next turn begins anew.

    The time of a seat that was to move, and still is after another has moved or left, runs on. A word for the dice ends
    a turn as a move does, but adds nothing to the bank.
    """
    board, entry = change.board, change.entry
    played = entry.kind in (Kind.MOVE, Kind.WORD)
    if board.to_move and board.ply == row.board.ply and board.to_move == row.board.to_move and not played:
        return list(row.clocks)
    runs_on = played or entry.kind in (Kind.RESIGN, Kind.FORFEIT)
    stays = (row.board.to_move & board.to_move) - {entry.seat} if runs_on else frozenset[Seat]()
    ended = [c if seat in stays else deadlines.end_turn(c, now) for seat, c in enumerate(row.clocks)]
    if entry.kind is Kind.MOVE:
        ended[entry.seat] = deadlines.earn(ended[entry.seat], row.settings, entry.ply)
    begins = board.to_move - stays
    for seat in set(row.board.out) - set(board.out):  # an admin has taken back that it left
        ended[seat] = deadlines.refill(ended[seat], row.settings)
    created = row.created.timestamp()
    return _begun(store, ended, row.players, begins, row.settings, now, created) if begins else ended


def _begun(
    store: Store,
    clocks: Sequence[SeatClock],
    players: Sequence[Player],
    to_move: Collection[Seat],
    settings: Settings,
    now: float,
    created: float | None = None,
) -> list[SeatClock]:
    """Return the times of all seats. The time of seats that are to move runs.

    It does not run while a player is on vacation or cannot be reached by letters. `created`: when the board began;
    None: it begins now, and nobody can begin a vacation until it has.
    """
    movers, is_new = {players[s].id for s in to_move}, created is None
    away = vacation_caps.held_until(store, movers, settings, now if created is None else created, now, hold=is_new)
    unreachable = store.addresses.unreachable(movers)
    begun = list(clocks)
    for seat in to_move:
        begun[seat] = deadlines.begin_turn(clocks[seat], settings, now, away.get(players[seat].id))
        if players[seat].id in unreachable:
            begun[seat] = deadlines.pause(begun[seat], settings, now)
    return begun


def _settle(store: Store, before: BoardRow, row: BoardRow) -> None:
    """Rate a board that has ended, and write its points for a tournament.

    If an admin changed its result, rate all boards of its game that ended later again, too.

    Raises GameMissing if that would need the rules of a game that is not installed.
    """
    log = store.boards.entries(row.number)
    if before.board.result is None:
        store.boards.set_result(row)
        tournament_points.write(store, before, row, log)
        store.ratings.add_score(row)
        if counts(row, log):
            rate_board(store, row)
        return
    if row.board.result:
        store.boards.correct_result(row)
    else:
        store.boards.reopen(row.number)
    tournament_points.write(store, before, row, log)
    store.ratings.remake_score(row)
    if counts(before, log[:-1]) or counts(row, log):
        games.demand_installed(row.game)
        store.ratings.let_count(row.number, counts(row, log))
        recounting.recount(store, [row.key])
