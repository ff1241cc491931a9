"""The process of pyffish, which is GPL: answers a line of JSON with a line of JSON.

{"variant": "atomic", "moves": ["e2e4"], "ask": false} -> for the position before each move and the last one: the legal
moves; what the game is worth to who is to move if it is over, else null; and with `ask` the same if its end has to be
asked for. With `notation` instead of `ask`: for each position each `every`-th of its legal moves, and how players
write it: every answer of pyffish takes 3 ms.
`start` is the first position, if it is another one.
"""

import json
import sys
from collections.abc import Iterator
from typing import Any

import pyffish

#: It lets a bare king lose in Courier Chess, too. We know no source for that, so our row has mate alone.
pyffish.load_variant_config("[courierchess:courier]\nextinctionValue = none\n")
_WITHOUT_BARING = {"courier": "courierchess"}


def told(
    variant: str, moves: list[str], *, ask: bool, start: str
) -> Iterator[tuple[list[str], int | None, int | None]]:
    """Yield for each position the legal moves, and what the game is worth to who is to move if it is over, or asked."""
    start = start or pyffish.start_fen(variant)
    for count in range(len(moves) + 1):
        game = variant, start, moves[:count]
        is_asked, worth = pyffish.is_optional_game_end(*game) if ask else (False, 0)
        yield *_told(*game), _sign(worth) if is_asked else None


def _told(*game: Any) -> tuple[list[str], int | None]:
    legal = sorted(pyffish.legal_moves(*game))
    is_over, value = pyffish.is_immediate_game_end(*game)
    if not is_over and not legal:
        is_over, value = True, pyffish.game_result(*game)
    return legal, _sign(value) if is_over else None


def written(variant: str, moves: list[str], notation: str, start: str, every: int) -> Iterator[dict[str, str]]:
    """Yield for each position some legal moves, each with its text in a notation that pyffish knows."""
    number = getattr(pyffish, f"NOTATION_{notation}")
    for count in range(len(moves) + 1):
        fen = pyffish.get_fen(variant, start or pyffish.start_fen(variant), moves[:count])
        legal = pyffish.legal_moves(variant, fen, [])[count % every :: every]
        yield {move: pyffish.get_san(variant, fen, move, False, number) for move in legal}


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def main() -> None:
    """Answer until there are no more questions."""
    for line in sys.stdin:
        question = json.loads(line)
        question["variant"] = _WITHOUT_BARING.get(question["variant"], question["variant"])
        answer = told if "ask" in question else written
        print(json.dumps(list(answer(**question))), flush=True)


if __name__ == "__main__":
    main()
