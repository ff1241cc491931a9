"""The process of pyffish, which is GPL: answers a line of JSON with a line of JSON.

{"variant": "atomic", "moves": ["e2e4"]} -> for the position before each move and the last one: the legal moves, and
what the game is worth to who is to move if it is over, else null.
"""

import json
import sys
from collections.abc import Iterator

import pyffish


def told(variant: str, moves: list[str]) -> Iterator[tuple[list[str], int | None]]:
    """Yield for each position the legal moves, and what the game is worth to who is to move if it is over."""
    fen = pyffish.start_fen(variant)
    yield _told(variant, fen, [])
    for move in moves:
        yield _told(variant, fen, [move])
        fen = pyffish.get_fen(variant, fen, [move])


def _told(variant: str, fen: str, moves: list[str]) -> tuple[list[str], int | None]:
    game = variant, fen, moves
    legal = sorted(pyffish.legal_moves(*game))
    is_over, value = pyffish.is_immediate_game_end(*game)
    if not is_over and not legal:
        is_over, value = True, pyffish.game_result(*game)
    return legal, (value > 0) - (value < 0) if is_over else None


def main() -> None:
    """Answer until there are no more questions."""
    for line in sys.stdin:
        question = json.loads(line)
        print(json.dumps(list(told(question["variant"], question["moves"]))), flush=True)


if __name__ == "__main__":
    main()
