"""Games like othello: the game of a row."""

from collections.abc import Mapping
from typing import ClassVar

from pbmserv.games.families.othellolike.reversi_rows import Reversi
from pbmserv.games.territory.othello import Othello, enclosed, pattern
from pbmserv.rng import Rng

_PLIES = 12  #: before the worked turn


def game_of(row: Reversi) -> "OthelloLike":
    """Return the game of a row. Its class has the row's name."""
    info = row.info(pattern=pattern(row.side), endings=Othello.info.endings)
    return row.game(OthelloLike, info, side=row.side, loses=row.loses, free=row.free)


class OthelloLike(Othello):
    """Othello with the board and the end of a row."""

    row: ClassVar[Reversi]

    def help_facts(self) -> Mapping[str, object]:
        """Return the row and a drawn turn: `position`, in which `text` turns the discs on `turned`."""
        luck, position = Rng(f"help-{self.info.key}", 0), self.setup({}, 2, Rng("", 0))
        for _ in range(_PLIES):
            move = luck.choice(self.legal_moves(position, position.turn))
            position = self.apply(position, position.turn, move, luck).position
        move = self.legal_moves(position, position.turn)[0]
        turned = sorted(map(self.format, enclosed(position.squares, move, position.turn)))
        facts = {"player": self.names[position.turn], "text": self.format(move), "turned": turned}
        return {"row": self.row, "position": position, **facts}
