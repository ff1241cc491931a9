"""What GNU Backgammon runs for us: it judges positions, and neither rolls dice nor keeps a game.

A program for the Python inside of it, which imports nothing of pbmserv. Each line that it reads is JSON: `plies`, and
`places`, each of them a board and the arguments of `gnubg.cubeinfo`. It answers with a line that begins with a word of
ours, and has for each place the equities of `cfevaluate`: with the best action, without a double, when it is taken,
when it is dropped. They are those of the side to move, which has the second half of the board.
"""

import json
import sys
from typing import Any

WORD = "pbmserv"


def main() -> None:
    """Answer until there are no more lines."""
    _say({"ready": True})
    for line in filter(str.strip, sys.stdin):
        try:
            _say({"judged": _judged(json.loads(line))})
        except Exception as error:
            _say({"error": str(error)})


def _judged(asked: Any) -> Any:
    import gnubg  # type: ignore[import-not-found]

    context = gnubg.evalcontext(1, asked["plies"], 1, 1, 0.0)
    judged = []
    for board, (cube, owner, move, goal, score, crawford) in asked["places"]:
        info = gnubg.cubeinfo(cube, owner, move, goal, tuple(score), crawford)
        judged.append(gnubg.cfevaluate(tuple(map(tuple, board)), info, context)[:4])
    return judged


def _say(answer: Any) -> None:
    sys.stdout.write(f"{WORD} {json.dumps(answer)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
