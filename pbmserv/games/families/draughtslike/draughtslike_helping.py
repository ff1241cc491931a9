"""Games like draughts: what their help page says, from the row, and a worked turn from a game of its own."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbmserv.games.capture.draughts.jumping import Move
from pbmserv.games.capture.draughts.style import Position
from pbmserv.rng import Rng

if TYPE_CHECKING:
    from pbmserv.games.families.draughtslike.draughtslike_game import DraughtsLike

_PLIES = 4  #: before the worked turn, at least
_GAMES, _MOST = 9, 60  #: games that are looked at, and plies of each


def help_facts(game: "DraughtsLike") -> Mapping[str, object]:
    """Return the row and a drawn turn: `position`, in which `text` is sent; `path` names the squares of the way."""
    position, move = max((_turn(game, number) for number in range(_GAMES)), key=lambda turn: len(turn[1].captured))
    path = [game.squares[square] for square in move.paths[0]]
    return {
        "row": game.row,
        "position": position,
        "player": game.names[position.turn],
        "text": game.format(move),
        "source": path[0],
        "target": path[-1],
        "path": path[1:-1],
        "taken": [game.squares[square] for square in move.captured],
    }


def _turn(game: "DraughtsLike", number: int) -> tuple[Position, Move]:
    """Return a position of a game at random with a capture of more than one man, if there is one."""
    luck, position = Rng(f"help-{game.info.key}", number), game.setup({}, 2, Rng("help", 0))
    for ply in range(_MOST):
        moves = game.row.moves(position, position.turn)
        longest = max(moves, key=lambda move: len(move.captured))
        then = game.row.after(position, luck.choice(moves))
        if then.over or (ply >= _PLIES and len(longest.captured) > 1):
            break
        position = then
    return position, longest
