"""Games like draughts: what their help page says, from the row, and a worked turn from a game of its own."""

from collections.abc import Mapping

from pbmserv.games.capture.draughts import Draughts
from pbmserv.games.capture.draughts.jumping import Move
from pbmserv.games.capture.draughts.style import Position
from pbmserv.games.families.draughtslike.draughts_row import DraughtsRow
from pbmserv.rng import Rng

_PLIES = 4  #: before the worked turn, at least
_GAMES, _MOST = 9, 60  #: games that are looked at, and plies of each


def help_facts(game: Draughts, row: DraughtsRow) -> Mapping[str, object]:
    """Return the row and a drawn turn: `position`, in which `text` is sent; `path` names the squares of the way."""
    position, move = max((_turn(game, row, number) for number in range(_GAMES)), key=lambda turn: len(turn[1].captured))
    path = [game.squares[square] for square in move.paths[0]]
    return {
        "row": row,
        "position": position,
        "player": game.names[position.turn],
        "text": game.format(move),
        "source": path[0],
        "target": path[-1],
        "path": path[1:-1],
        "taken": [game.squares[square] for square in move.captured],
    }


def _turn(game: Draughts, row: DraughtsRow, number: int) -> tuple[Position, Move]:
    """Return a position of a game at random with a capture of more than one man, if there is one."""
    luck, position = Rng(f"help-{game.info.key}", number), game.setup({}, 2, Rng("help", 0))
    for ply in range(_MOST):
        moves = row.moves(position, position.turn)
        longest = max(moves, key=lambda move: len(move.captured))
        then = row.after(position, luck.choice(moves))
        if then.over or (ply >= _PLIES and len(longest.captured) > 1):
            break
        position = then
    return position, longest
