"""Games like chess: how they end. What is special comes from the row."""

from collections.abc import Sequence
from dataclasses import replace

from pbmserv.games.base import Seat
from pbmserv.games.families.chesslike.asia.chasing import chased
from pbmserv.games.families.chesslike.asia.counting import counted
from pbmserv.games.families.chesslike.placing import CHECK, DECLARED, Move, Position
from pbmserv.games.families.chesslike.row import EMPTY
from pbmserv.games.families.chesslike.row_rules import RowRules

MOST_OFTEN = 5  #: how often a position stands until a draw
CLAIMED = (3, 100)  #: the same, if a player claims it


def after(rules: RowRules, position: Position, move: Move) -> Position:
    """Return the position after a legal move, with its end."""
    if move == DECLARED:
        return replace(position, turn=1 - position.turn, over="entered", won=position.turn)
    before, position = position, rules.after(position, move)
    if rules.row.counts:
        position = replace(position, counted=counted(rules, before, position.board))
    over, won = (_left(rules, before, move), -1) if rules.row.points else ("", -1)
    if not over:
        over, won = ended(rules, position)
    if over and won < 0 and rules.row.points:
        first, second = rules.points(position.board)
        won = int(first < second)
    return replace(position, over=over, won=won) if over else position


def _left(rules: RowRules, before: Position, move: Move) -> str:
    """Return the end of a game whose players move no further: "" if it goes on."""
    if move.source != move.target or move.drop:
        return ""
    if rules.are_facing(before.board):
        return "faced"
    boards = [key[: rules.grid.size] for key in before.past[-2:]]
    return "passed" if len(boards) == 2 and boards[0] == boards[1] else ""


def ended(rules: RowRules, position: Position) -> tuple[str, int]:
    """Return how a game has ended, and the seat that has won, else -1; "" if it goes on."""
    row, turn = rules.row, position.turn
    special, winner = _special(rules, position)
    if special:
        return special, winner
    if not rules.is_followed and rules.is_stuck(position):
        is_mate = rules.is_check(position)
        who = row.mate if is_mate else row.stalemate
        return ("mate" if is_mate else "stalemate"), (-1 if who < 0 else turn if who == 0 else 1 - turn)
    if position.counted[0] > position.counted[1]:
        return "counted", -1
    if position.past.count(position.past[-1]) >= (row.perpetual or MOST_OFTEN):
        return _repeated(rules, position) if row.perpetual else ("fivefold", -1)
    if position.quiet >= row.quiet:
        return ("quiet" if row.perpetual else "seventyfive"), -1
    is_late = row.most and len(position.past) > row.most and not rules.is_check(position)
    return ("late" if is_late else ""), -1


def _repeated(rules: RowRules, position: Position) -> tuple[str, int]:
    """Return the end of a game whose position came back as often as it may."""
    turn, past = position.turn, position.past[position.past.index(position.past[-1]) :]
    checks = [all(key.endswith(CHECK) for key in past[1 + (seat != turn) :: 2]) for seat in (0, 1)]
    if any(checks) or not rules.row.chase:
        return _blamed("perpetual", checks)
    boards = [key[: rules.grid.size] for key in past]
    return _blamed("chase", [chased(rules, boards[seat != turn :], seat) for seat in (0, 1)])


def _blamed(reason: str, is_guilty: Sequence[bool]) -> tuple[str, int]:
    """Return a loss of the seat that alone is guilty, else a draw."""
    return (reason, int(is_guilty[0])) if is_guilty[0] != is_guilty[1] else ("repeated", -1)


def _special(rules: RowRules, position: Position) -> tuple[str, int]:
    """Return an end that only this game has, and who has won; "" for none."""
    row, moved = rules.row, 1 - position.turn
    if row.race:
        return _race(rules, position)
    if row.extinct and (loser := _extinct(rules, position)) >= 0:
        return "extinct", 1 - loser
    if (row.bare or row.counts) and (end := _bare(rules, position))[0]:
        return end
    if reason := _won(rules, position, moved):
        return reason, moved
    if row.home and (winner := _at_home(rules, position)) >= 0:
        return "home", winner
    return ("", -1) if position.quiet else _captured(rules, position)  # the last move captured nothing


def _won(rules: RowRules, position: Position, moved: Seat) -> str:
    """Return how the seat that moved has won by it, besides mate; "" if it has not."""
    row, board = rules.row, position.board
    if row.goal and rules.royal_square(board, moved) in row.centre:
        return "goal"
    if row.checks and position.checks[moved] >= row.checks:
        return "checks"
    return "blown" if row.explodes and rules.royal_square(board, 1 - moved) < 0 else ""


def _at_home(rules: RowRules, position: Position) -> int:
    """Return the seat whose man is safe on the last rank; -1: neither."""
    for seat in (1 - position.turn, position.turn):
        square = position.board.index(rules.row.home.upper() if seat == 0 else rules.row.home)
        if rules.ranks[seat][square] == rules.grid.rows and not rules.attacked(position.board, square, 1 - seat):
            return seat
    return -1


def _captured(rules: RowRules, position: Position) -> tuple[str, int]:
    """Return the end of a game in which a seat has no men left."""
    for seat in (position.turn, 1 - position.turn):
        if rules.own[seat].isdisjoint(position.board):
            return ("lost", seat) if rules.row.must_capture else ("men", 1 - seat)
    return "", -1


def _race(rules: RowRules, position: Position) -> tuple[str, int]:
    """White is first: Black may still come level with the next move."""
    home = [rules.ranks[0][rules.royal_square(position.board, seat)] == rules.grid.rows for seat in (0, 1)]
    if all(home):
        return "level", -1
    if home[1]:
        return "race", 1
    if home[0] and (position.turn == 0 or not _can_come_level(rules, position)):
        return "race", 0
    return "", -1


def _can_come_level(rules: RowRules, position: Position) -> bool:
    king = rules.royal_square(position.board, 1)
    return any(rules.ranks[0][move.target] == rules.grid.rows for move in rules.legal_from(position, king))


def _extinct(rules: RowRules, position: Position) -> int:
    """Return the seat that has too few men of a kind, who has moved first; -1: neither."""
    for seat in (position.turn, 1 - position.turn):
        for letter in rules.row.extinct:
            if position.board.count(letter.upper() if seat == 0 else letter) < rules.row.least:
                return seat
    return -1


def _bare(rules: RowRules, position: Position) -> tuple[str, int]:
    """Return the end of a game in which a seat has only its royal man, and who has won.

    Who is bared may still bare the other at once: then it is a draw. Where moves are counted, a bare king plays on.
    """
    board, turn = position.board, position.turn
    alone = [all(man not in rules.own[seat] or man == rules.royal[seat] for man in board) for seat in (0, 1)]
    if all(alone):
        return "kings", -1
    if rules.row.counts:
        return "", -1
    if alone[1 - turn]:  # it was bared before, and has not bared the other
        return "bare", turn
    return ("bare", 1 - turn) if alone[turn] and not _can_bare(rules, position) else ("", -1)


def _can_bare(rules: RowRules, position: Position) -> bool:
    others = sum(man in rules.own[1 - position.turn] for man in position.board) - 1
    return others == 1 and any(position.board[move.target] != EMPTY for move in rules.legal(position))
