"""Games of tables: what their help page says, from the row, and a worked turn from a game of its own."""

from collections.abc import Mapping

from pbmserv.games.families.tables.tables_row import BLOCK
from pbmserv.games.families.tables.tables_rules import TableRules
from pbmserv.games.race.backgammon.on_points import OnPoints
from pbmserv.rng import Rng

_TURNS = 12  #: before the worked one, at least
_MOST = 60


def help_facts(game: OnPoints, rules: TableRules) -> Mapping[str, object]:
    """Return the row, and a `position` in which `text` is sent: a turn that hits or pins, if one comes soon."""
    luck = Rng(f"help-{game.info.key}", 0)
    position, turns = game.setup({}, 2, luck), list[str]()
    for ply in range(_MOST):
        turns = sorted(game.legal_moves(position, position.turn), key=lambda text: "*" not in text)
        then = game.apply(position, position.turn, luck.choice(turns), luck).position
        if then.won or (ply >= _TURNS and ("*" in turns[0] or rules.row.meets == BLOCK)):
            break
        position = then
    text = turns[0]
    return {
        "row": rules.row,
        "position": position,
        "player": game.names[position.turn],
        "dice": ", ".join(map(str, position.dice)),
        "text": game.written(position, position.turn, text),
        "hits": "*" in text,
    }
