"""The other process: reads SGF with sgfmill, and prints what it found as JSON, a list of games."""

import json
import sys
from typing import Any

from sgfmill import sgf, sgf_grammar, sgf_moves


def told(tree: Any) -> dict[str, Any]:
    """Return the properties of the nodes of the main line, players, winner, and moves with their points."""
    game = sgf.Sgf_game.from_coarse_game_tree(tree)
    nodes = game.get_main_sequence()
    raw = [
        {name: [value.decode() for value in node.get_raw_list(name)] for name in node.properties()} for node in nodes
    ]
    return {
        "nodes": raw,
        "players": [game.get_player_name(colour) for colour in "bw"],
        "winner": game.get_winner(),
        "moves": _points(nodes) if raw[0]["GM"] in (["1"], ["2"], ["4"]) else None,
        "stones": _stones(game) if raw[0]["GM"] == ["1"] else None,
    }


def _points(nodes: Any) -> list[Any]:
    return [node.get_move() for node in nodes[1:]]


def _stones(game: Any) -> list[Any]:
    """Return the stones at the end of a game of go, played with the captures of sgfmill."""
    board, plays = sgf_moves.get_setup_and_moves(game)
    for colour, move in plays:
        if move:
            board.play(*move, colour)
    return sorted([colour, *point] for colour, point in board.list_occupied_points())


def main() -> None:
    """Read all games of a file."""
    print(json.dumps([told(tree) for tree in sgf_grammar.parse_sgf_collection(sys.stdin.buffer.read())]))


if __name__ == "__main__":
    main()
