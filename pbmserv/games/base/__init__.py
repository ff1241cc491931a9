"""The parts of a game. All games, also those of other packages, import them from here."""

from pbmserv.games.base.game import (
    AnyGame,
    Display,
    Game,
    Info,
    Note,
    Numbers,
    Option,
    Options,
    Outcome,
    Seat,
    Step,
    View,
)
from pbmserv.games.base.picture import Cell, Picture, Piece, Tray

__all__ = [
    "AnyGame",
    "Cell",
    "Display",
    "Game",
    "Info",
    "Note",
    "Numbers",
    "Option",
    "Options",
    "Outcome",
    "Picture",
    "Piece",
    "Seat",
    "Step",
    "Tray",
    "View",
]
