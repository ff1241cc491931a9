"""Games like xiangqi: who chased the same man with each move, after the rules of the Asian Xiangqi Federation.

A move chases a man if the man that moved threatens to capture it, and did not after the own last move; or if another
one does that did not before the move. Who stays where it is threatened, or on the same line, does not flee, and nobody
chases it. Generals and soldiers may chase, and generals and soldiers that have not crossed the river may be chased. It
is no threat if the man could be recaptured, except a chariot by a horse or cannon, and more than a soldier by an
advisor or elephant; nor an offer to exchange men of a kind.
"""

from collections.abc import Iterator, Sequence

from pbmserv.games.base import Seat
from pbmserv.games.families.chesslike.placing import Move, Position
from pbmserv.games.families.chesslike.row import EMPTY
from pbmserv.games.families.chesslike.row_rules import RowRules

_FREE = "kp"  #: who may chase, and who may be chased (soldiers only on their own side)
_STRONGER = {"h": "r", "c": "r", "a": "rhc", "e": "rhc"}  #: whom a man threatens even if it is protected


def chased(rules: RowRules, boards: Sequence[str], seat: Seat) -> bool:
    """Return whether a seat chased one man with all its moves. `boards`: one after the other; it moves first."""
    there, own = set(range(rules.grid.size)), boards[1::2]  #: `there`: the men that were chased with each move
    for last, before, now in zip((own[-1], *own), boards[::2], own, strict=False):
        fled, to = _way(last, before)
        there = {to if square == fled else square for square in there} & _chases(rules, (last, before, now), seat)
        if not there:
            return False
    return True


def _chases(rules: RowRules, boards: tuple[str, str, str], seat: Seat) -> set[int]:
    """Return the men that a move chases. `boards`: after the own last move, before this one, after it."""
    (fled, to), (source, target) = _way(boards[0], boards[1]), _way(boards[1], boards[2])
    old, just, new = (_threats(rules, board, seat) for board in boards)

    def is_old(man: int, at: int) -> bool:
        if man != target:
            return (man, at) in just
        was = fled if at == to else at
        return (source, was) in old and (was == at or _on_line(rules, {source, target, was, at}))

    return {at for man, at in new if not is_old(man, at)}


def _on_line(rules: RowRules, squares: set[int]) -> bool:
    ranks, files = zip(*(divmod(square, rules.grid.columns) for square in squares), strict=True)
    return 1 in (len(set(ranks)), len(set(files)))


def _way(before: str, now: str) -> tuple[int, int]:
    """Return the two squares of a move."""
    changed = [square for square, (old, new) in enumerate(zip(before, now, strict=True)) if old != new]
    return (changed[0], changed[1]) if now[changed[0]] == EMPTY else (changed[1], changed[0])


def _threats(rules: RowRules, board: str, seat: Seat) -> set[tuple[int, int]]:
    """Return the squares of the men that threaten, each with that of a man which it threatens."""
    position = Position(board, seat)
    return {
        (move.source, move.target)
        for source, man in enumerate(board)
        if man in rules.own[seat] and man.lower() not in _FREE
        if any(board[target] != EMPTY for target in rules.targets(position, source))  # few men can capture anything
        for move in rules.legal_from(position, source)
        if board[move.target] != EMPTY and _is_threat(rules, position, move)
    }


def _is_threat(rules: RowRules, position: Position, move: Move) -> bool:
    board, enemy = position.board, 1 - position.turn
    man, victim = board[move.source].lower(), board[move.target].lower()
    if victim in _FREE and (victim == rules.row.royal or rules.ranks[enemy][move.target] <= rules.row.river):
        return False
    if man == victim and move.source in _reached(rules, Position(board, enemy), move.target):
        return False
    if victim in _STRONGER.get(man, ""):
        return True
    then = Position("".join(rules.board_after(position, move)), enemy)
    own = (square for square, there in enumerate(then.board) if there in rules.own[enemy])
    return not any(move.target in _reached(rules, then, square) for square in own)


def _reached(rules: RowRules, position: Position, source: int) -> Iterator[int]:
    """Yield the squares to which a man can go."""
    return (move.target for move in rules.legal_from(position, source))
