"""Games like nine men's morris: the game of a row."""

from collections.abc import Mapping
from typing import ClassVar

from pbmserv.games.base import FIVE_LEVELS, Info
from pbmserv.games.capture.morris import ENDINGS, Morris
from pbmserv.games.families.morrislike.mill_rows import Mill
from pbmserv.rng import Rng


def game_of(row: Mill) -> "MorrisLike":
    """Return the game of a row. Its class has the row's name."""
    parts: dict[str, object] = {
        "lines": row.lines,
        "men_each": row.men,
        "flies": row.flies,
        "mixes": row.mixes,
        "wins": row.wins,
    }
    return row.game(MorrisLike, _info(row), **parts)


class MorrisLike(Morris):
    """Morris with the lines, men and rules of a row."""

    row: ClassVar[Mill]

    def help_facts(self) -> Mapping[str, object]:
        """Return the row and a drawn turn: `position`, in which `text` closes a mill and takes `taken`, if anything."""
        luck, position = Rng(f"help-{self.info.key}", 0), self.setup({}, 2, Rng("", 0))
        while True:
            moves = self.legal_moves(position, position.turn)
            steps = {move: self.apply(position, position.turn, move, luck).position for move in moves}
            closing = [move for move in moves if move.taken >= 0 or steps[move].over == "row"]
            if closing:
                break
            position = steps[luck.choice(moves)]
        move, points = closing[0], self.web(position).points
        source, taken = (points[point] if point >= 0 else "" for point in (move.source, move.taken))
        facts = {"source": source, "target": points[move.target], "taken": taken, "text": self.format(move)}
        slanted = self.web(position).slanted
        return {"row": self.row, "slanted": slanted, "position": position, "player": self.names[position.turn], **facts}


def _info(row: Mill) -> Info:
    never = {"few"} if row.wins else {"row"}
    if 2 * row.men < len({point for line in row.lines for point in line.split("-")}):
        never.add("full")
    endings = {key: text for key, text in {**ENDINGS, "row": "three men in a row"}.items() if key not in never}
    return row.info(pattern=Morris.info.pattern, endings=endings, nodes=FIVE_LEVELS, repetition=3)
