"""The process of pyffish, which is GPL: answers a line of JSON with a line of JSON.

{"variant": "atomic", "moves": ["e2e4"]} -> for the position before each move and the last one: the legal moves, and
what the game is worth to who is to move if it is over, else null.
"""

import json
import sys

import pyffish


def told(variant: str, moves: list[str]) -> tuple[list[str], int | None]:
    """Return the legal moves after these moves, and what the game is worth to who is to move if it is over."""
    game = variant, pyffish.start_fen(variant), moves
    fen = pyffish.get_fen(*game)
    legal = sorted(move for move in pyffish.legal_moves(*game) if not _mates_by_a_pawn(variant, fen, move))
    is_over, value = pyffish.is_immediate_game_end(*game)
    if not is_over and not legal:
        is_over, value = True, pyffish.game_result(*game)
    return legal, (value > 0) - (value < 0) if is_over else None


def _mates_by_a_pawn(variant: str, fen: str, move: str) -> bool:
    """Return whether a move drops a pawn that mates: pyffish lets it be made, and then lets who is mated win."""
    game = variant, fen, [move]
    return (
        move.startswith("P@")
        and pyffish.gives_check(*game)
        and not pyffish.legal_moves(*game)
        and pyffish.game_result(*game) > 0
    )


def main() -> None:
    """Answer until there are no more questions."""
    for line in sys.stdin:
        question = json.loads(line)
        variant, moves = question["variant"], question["moves"]
        print(json.dumps([told(variant, moves[:count]) for count in range(len(moves) + 1)]), flush=True)


if __name__ == "__main__":
    main()
