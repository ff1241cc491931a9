"""The other process: reads PDN with pydraughts, and prints what it found as JSON, a list of games."""

import json
import sys
from typing import Any

from draughts import Board, Move
from draughts.PDN import PDNReader


def told(game: Any) -> dict[str, Any]:
    """Return the tags of a game, its kind, its result, and the position at each ply."""
    board = Board(game.variant)
    positions = [board.fen]
    for text in game.moves:
        board.push(Move(board, pdn_move=text))
        positions.append(board.fen)
    return {"tags": game.tags, "variant": game.variant, "result": game.game_ending, "positions": positions}


def main() -> None:
    """Read all games of a file."""
    print(json.dumps([told(game) for game in PDNReader(sys.stdin.read()).games]))


if __name__ == "__main__":
    main()
