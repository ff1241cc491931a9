"""The parts of a game. All games, also those of other packages, import them from here."""

from pbmserv.games.base.game import (
    OWN,
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
from pbmserv.points import Score, score_of

__all__ = [
    "OWN",
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
    "Score",
    "Seat",
    "Step",
    "Tray",
    "View",
    "score_of",
]
