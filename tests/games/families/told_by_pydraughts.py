"""The process of pydraughts: answers a line of JSON with a line of JSON.

{"variant": "russian", "positions": ["Wbbb…"]} -> for each position as Hub writes it, its legal moves: the first and the
last square, then what is captured.
"""

import json
import sys

from draughts.core.game import Game


def told(variant: str, position: str) -> list[list[int]]:
    """Return the legal moves; squares are counted from 1."""
    ways, captures = Game(variant, position).legal_moves()
    ends = [(way[0][0], way[-1][1]) for way in ways]
    return sorted([*end, *sorted(filter(None, taken))] for end, taken in zip(ends, captures, strict=True))


def main() -> None:
    """Answer until there are no more questions."""
    for line in sys.stdin:
        question = json.loads(line)
        print(json.dumps([told(question["variant"], position) for position in question["positions"]]), flush=True)


if __name__ == "__main__":
    main()
