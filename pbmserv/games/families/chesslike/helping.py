"""Games like chess: what their help page says, from the row, and a worked turn from a game of its own."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pbmserv.games.families.chesslike import writing
from pbmserv.games.families.chesslike.ends import after
from pbmserv.games.families.chesslike.placing import Move, Position
from pbmserv.rng import Rng

if TYPE_CHECKING:
    from pbmserv.games.families.chesslike.chesslike_game import ChessLike

_PLIES = 8  #: before the worked turn, at least
_MOST = 60


def help_facts(game: "ChessLike") -> Mapping[str, object]:
    """Return the row, its men and drawn turns: `position`, in which `text` is sent, which is `san` for players."""
    engine, row = game.engine, game.engine.row
    position, move, moves = _turn(game)
    man = move.drop or position.board[move.source].lower()
    taken = position.board[move.target].lower() if engine.takes(position, move) else ""
    return {
        "row": row,
        "men": [(letter.upper(), kind) for letter, kind in row.kinds.items()],
        "position": position,
        "player": game.names[position.turn],
        "text": game.format(move),
        "san": writing.san(engine, position, move, moves),
        "man": row.kinds[man].name,
        "source": "" if move.drop else engine.grid.name(move.source),
        "target": engine.grid.name(move.target),
        "taken": row.kinds[taken].name if taken in row.kinds else "",
        "first": {"pawn": "", "other": ""} | dict(_first_moves(game)),
    }


def _turn(game: "ChessLike") -> tuple[Position, Move, tuple[Move, ...]]:
    """Return a position of a game at random with a move that shows something: a man that is dropped, or a capture."""
    engine, luck = game.engine, Rng(f"help-{game.info.key}", 0)
    position = engine.start()
    for ply in range(_MOST):
        moves = tuple(engine.legal(position))
        drops, captures = [m for m in moves if m.drop], [m for m in moves if engine.takes(position, m)]
        if ply >= _PLIES and (drops or (captures and not engine.row.drops)):
            return position, (drops or captures)[0], moves
        then = after(engine, position, luck.choice(captures if engine.row.drops and captures else moves))
        if then.over:
            break
        position = then
    moves = tuple(engine.legal(position))
    return position, moves[0], moves


def _first_moves(game: "ChessLike") -> Iterator[tuple[str, str]]:
    """Yield a first move of a pawn and one of another man, as players write them; and their two squares."""
    engine = game.engine
    position = engine.start()
    moves = tuple(engine.legal(position))
    for kind in ("pawn", "other"):
        move = next(
            (m for m in moves if (position.board[m.source].lower() == engine.row.pawn) == (kind == "pawn")), None
        )
        if move:
            yield kind, game.format(move)
            yield f"{kind}_san", writing.san(engine, position, move, moves)
