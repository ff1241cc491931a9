"""What the help page of a game of stones says: a worked turn from a game of its own."""

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

from pbmserv.games.base import Step
from pbmserv.rng import NoChance, Rng

_NEAR = {f"{column}{row}" for column, row in product("fghijkl", range(6, 13))}  #: large boards are played on here


def worked_turn(game: Any, shows: Callable[[Any, str, Step[Any]], str], **options: str) -> Mapping[str, object]:
    """Return a turn of a game at random that shows something, which is its `kind`; "" is for nothing.

    Also the `position`, the `player` who sends which `text`, and a `note` about it.
    """
    luck, start = Rng(f"help-{game.info.key}", 0), game.setup(options, 2, NoChance())
    position, kind = start, ""
    while not kind:
        before = start if game.end(position) else position
        moves = game.legal_moves(before, before.turn)
        move = luck.choice([move for move in moves if move in _NEAR] or moves)
        step = game.apply(before, before.turn, move, luck)
        position, kind = step.position, shows(before, move, step)
    notes = (*(note.text for note in step.notes), *game.picture(game.view(position, None)).lines, "")
    player = game.names[before.turn]
    return {"position": before, "kind": kind, "text": move, "player": player, "names": game.names, "note": notes[0]}
