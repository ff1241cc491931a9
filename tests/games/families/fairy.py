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
    legal = sorted(pyffish.legal_moves(*game))
    is_over, value = pyffish.is_immediate_game_end(*game)
    if not is_over and not legal:
        is_over, value = True, pyffish.game_result(*game)
    return legal, (value > 0) - (value < 0) if is_over else None


def main() -> None:
    """Answer until there are no more questions."""
    for line in sys.stdin:
        question = json.loads(line)
        variant, moves = question["variant"], question["moves"]
        print(json.dumps([told(variant, moves[:count]) for count in range(len(moves) + 1)]), flush=True)


if __name__ == "__main__":
    main()
