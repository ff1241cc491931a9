"""The other process: reads PGN with python-chess, and prints what it found as JSON, a list of games."""

import io
import json
import sys
from typing import Any

import chess.pgn


def told(game: Any) -> dict[str, Any]:
    """Return the tags of a game, the position at each ply, what python-chess could not read, and the last comment."""
    nodes = [game, *game.mainline()]
    end = game.end().board()
    return {
        "tags": dict(game.headers),
        "positions": [node.board().fen() for node in nodes],
        "errors": [str(error) for error in game.errors],
        "comment": game.end().comment,
        "mate": end.is_checkmate(),
    }


def main() -> None:
    """Read all games of a file."""
    file = io.StringIO(sys.stdin.read())
    games = []
    while game := chess.pgn.read_game(file):
        games.append(told(game))
    print(json.dumps(games))


if __name__ == "__main__":
    main()
