"""Engines of our own: one that plays draughts at random, and those that do what no engine should.

Run as a program: `python engine_programs.py MODE FILE`. To FILE go the numbers of its children, or what it reads.
"""

import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

#: What a broken engine says when it is to move, and the words of its fault that an operator reads.
FAULTS = {
    "silent": "it has not answered",
    "slow": "it has not answered",
    "illegal": "it made the illegal move e2e5",
    "dying": "it has ended with code 3: no more memory",
    "flooding": "it says too much",
    "endless": "it says too much",
}


def broken(mode: str, file: Path) -> None:
    """Speak UCI until the first move. Before it, begin children that want to live on."""
    for line in sys.stdin:
        if line.startswith("go"):
            left = [subprocess.Popen(["/bin/sleep", "600"], start_new_session=True) for _ in range(3)]
            shell = subprocess.run(
                ["/bin/sh", "-c", "sleep 600 >&- 2>&- & echo $!"],
                start_new_session=True,
                capture_output=True,
                check=True,
            )
            file.write_text("\n".join([*(str(child.pid) for child in left), shell.stdout.decode()]))
            _break(mode)
        elif line.startswith(("uci\n", "isready")):
            print({"uci\n": "uciok"}.get(line, "readyok"), flush=True)


def _break(mode: str) -> None:
    if mode == "dying":
        print("no more memory", file=sys.stderr, flush=True)
        sys.exit(3)
    while mode in ("flooding", "endless"):
        sys.stdout.write("info string " + "x" * 1000 + "\n" * (mode == "flooding"))
    if mode != "silent":
        time.sleep(600 * (mode == "slow"))
        print("bestmove e2e5", flush=True)
    time.sleep(600)


def draughts(file: Path) -> None:
    """Speak Hub, and move at random."""
    game, board, log = "draughts", Any, file.open("w")
    for line in map(str.strip, sys.stdin):
        print(line, file=log, flush=True)
        if line in ("hub", "init"):
            print({"hub": "id name=Random\nwait", "init": "ready"}[line], flush=True)
        elif line.startswith("set-param name=variant"):
            game = {"frisian": "frisiandraughts", "normal": "draughts"}[line.rpartition("=")[2]]
        elif line.startswith("pos "):
            board = _draughts_board(game, line)
        elif line == "go think":
            moves = _texts(board)
            print(f'info depth=1 score=0.25 pv="{moves[0]}"\ndone move={random.choice(moves)}', flush=True)


def _draughts_board(game: str, line: str) -> Any:
    """Return the board after the moves of a line such as `pos pos=Wbbbe… moves="32-28 19-23"`."""
    from pbmserv.games import find
    from pbmserv.games.base.board import Start, begin, play

    men, _, moves = line.removeprefix("pos pos=").partition(" ")
    options = {"international": ""} if game == "draughts" else {}
    board = begin(Start(find(game), options, 2, "0" * 32))
    assert men == "W" + board.position.board.replace(".", "e")
    for text in moves.removeprefix("moves=").strip('"').split():
        (seat,) = board.to_move
        board = play(board, seat, _legal(board)[text]).board
    return board


def _legal(board: Any) -> dict[str, str]:
    """Return the legal moves by their texts in Hub: from, to, and then what is taken."""
    (seat,) = board.to_move
    told = {}
    for move in board.game.legal_moves(board.position, seat):
        squares = (move.source, move.target, *sorted(move.captured))
        sign = "x" if move.captured else "-"
        told[sign.join(str(square + 1) for square in squares)] = board.game.format(move)
    return told


def _texts(board: Any) -> list[str]:
    return list(_legal(board))


if __name__ == "__main__":
    draughts(Path(sys.argv[2])) if sys.argv[1] == "draughts" else broken(sys.argv[1], Path(sys.argv[2]))
