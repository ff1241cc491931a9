"""Games like chess: what their help page says, from the row, and a worked turn from a game of its own."""

from collections.abc import Iterator, Mapping

from pbmserv.games.base import Game
from pbmserv.games.families.chesslike import writing
from pbmserv.games.families.chesslike.ends import after
from pbmserv.games.families.chesslike.placing import Move, Position
from pbmserv.games.families.chesslike.row_rules import RowRules
from pbmserv.games.families.chesslike.shogi import shogi_writing
from pbmserv.rng import Rng

_PLIES = 8  #: before the worked turn, at least
_MOST = 60


def help_facts(game: Game[Position, Move], rules: RowRules) -> Mapping[str, object]:
    """Return the row, its men and drawn turns: `position`, in which `text` is sent, which is `san` for players."""
    row = rules.row
    position, move, moves = _turn(game.info.key, rules)
    man = move.drop or position.board[move.source].lower()
    taken = position.board[move.target].lower() if rules.takes(position, move) else ""
    return {
        "row": row,
        "men": [(shogi_writing.letters(rules, letter.upper()), kind) for letter, kind in row.kinds.items()],
        "position": position,
        "player": game.seat_names(2)[position.turn],
        "text": shogi_writing.for_players(game.format(move)),
        "san": writing.san(rules, position, move, moves),
        "man": row.kinds[man].name,
        "source": "" if move.drop else rules.grid.name(move.source),
        "target": rules.grid.name(move.target),
        "taken": row.kinds[taken].name if taken in row.kinds else "",
        "first": {"pawn": "", "other": ""} | dict(_first_moves(game, rules)),
    }


def _turn(key: str, rules: RowRules) -> tuple[Position, Move, tuple[Move, ...]]:
    """Return a position of a game at random with a move that shows something: a man that is dropped, or a capture."""
    luck, position = Rng(f"help-{key}", 0), rules.start()
    for ply in range(_MOST):
        moves = tuple(rules.legal(position))
        drops, captures = [m for m in moves if m.drop], [m for m in moves if rules.takes(position, m)]
        if ply >= _PLIES and (drops or (captures and not rules.row.drops)):
            return position, (drops or captures)[0], moves
        then = after(rules, position, luck.choice(captures if rules.row.drops and captures else moves))
        if then.over:
            break
        position = then
    moves = tuple(rules.legal(position))
    return position, moves[0], moves


def _first_moves(game: Game[Position, Move], rules: RowRules) -> Iterator[tuple[str, str]]:
    """Yield a first move of a pawn and one of another man, as players write them; and their two squares."""
    position = rules.start()
    while rules.sets_up(position):
        position = rules.after(position, next(rules.legal(position)))
    moves = tuple(rules.legal(position))
    for kind in ("pawn", "other"):
        move = next(
            (m for m in moves if (position.board[m.source].lower() == rules.row.pawn) == (kind == "pawn")), None
        )
        if move:
            yield kind, game.format(move)
            yield f"{kind}_san", writing.san(rules, position, move, moves)
