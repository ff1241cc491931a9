"""The parts of a game. All games, also those of other packages, import them from here."""

from pbmserv.games.base.game import AnyGame, Game
from pbmserv.games.base.in_turn import InTurn
from pbmserv.games.base.picture import Cell, Picture, Piece, Tray
from pbmserv.games.base.pie import PiePosition, PieRule, with_swap
from pbmserv.games.base.rules import moves_of
from pbmserv.games.base.values import (
    FIVE_LEVELS,
    OWN,
    Display,
    Info,
    Note,
    Numbers,
    Option,
    Options,
    Outcome,
    Played,
    Seat,
    Step,
    View,
)
from pbmserv.games.base.words import PASS, SWAP
from pbmserv.points import Score, score_of

__all__ = [
    "FIVE_LEVELS",
    "OWN",
    "PASS",
    "SWAP",
    "AnyGame",
    "Cell",
    "Display",
    "Game",
    "InTurn",
    "Info",
    "Note",
    "Numbers",
    "Option",
    "Options",
    "Outcome",
    "Picture",
    "PiePosition",
    "PieRule",
    "Piece",
    "Played",
    "Score",
    "Seat",
    "Step",
    "Tray",
    "View",
    "moves_of",
    "score_of",
    "with_swap",
]
