"""Whether a board is as its log says: it is played again, and everything that is kept of it is compared."""

from collections.abc import Iterator, Sequence

from pbmserv.errors import PlayerError
from pbmserv.games.base import board as fold
from pbmserv.games.base.board import Board, Entry
from pbmserv.store import BoardRow, LogLine, Store
from pbmserv.store.audit import SeatRow


def differences(store: Store, number: int) -> list[str]:
    """What is not as the log of a board says; nothing, if all is well."""
    row = store.boards.find(number, lock=False)
    if row is None:
        return ["there is no such board"]
    log = store.boards.log(number)
    if (numbers := [line.number for line in log]) != list(range(1, len(log) + 1)):
        return [f"the log has a gap: {_first_gap(numbers)} is missing"]
    made, again, trouble = _replay(row, log)
    if again is None:
        return [trouble]
    found = [f"entry {i} is not what its replay makes of it" for i, (a, b) in enumerate(made, start=1) if a != b]
    found += _board_differences(row.board, again)
    return found + list(_end_differences(row, again, store.audit.ending(number), store.audit.seat_rows(number)))


def _replay(row: BoardRow, log: Sequence[LogLine]) -> tuple[list[tuple[Entry, Entry]], Board | None, str]:
    """Each entry as it is stored and as it is made again, and the board then; or where it cannot go on."""
    made: list[tuple[Entry, Entry]] = []
    board = fold.begin(row.board.start)
    for line in log:
        try:
            change = fold.follow(board, line.entry, [again for _, again in made])
        except PlayerError as e:
            return made, None, f"entry {line.number} cannot be played: {e.text}"
        board = change.board
        made.append((line.entry, change.entry))
    return made, board, ""


def _first_gap(numbers: Sequence[int]) -> int:
    return next(i for i in range(1, len(numbers) + 2) if i not in numbers)


def _board_differences(stored: Board, again: Board) -> list[str]:
    parts = {
        "length": (stored.length, again.length),
        "ply": (stored.ply, again.ply),
        "proposal": (stored.offer, again.offer),
        "seats that left": (stored.out, again.out),
        "result": (stored.result, again.result),
    }
    found = [f"the stored {name} is {a}, the log's {b}" for name, (a, b) in parts.items() if a != b]
    return found + ["the stored position differs from the log's"] * (stored.position != again.position)


def _end_differences(row: BoardRow, again: Board, ending: int | None, seats: Sequence[SeatRow]) -> Iterator[str]:
    """What follows from the board and is kept in other rows and columns."""
    is_over = again.result is not None
    if (row.over is not None, ending is not None) != (is_over, is_over):
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
