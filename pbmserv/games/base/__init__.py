"""The parts of a game. All games, also those of other packages, import them from here."""

from pbmserv.games.base.game import (
    AnyGame,
    Display,
    Game,
    Info,
    Note,
    Option,
    Options,
    Outcome,
    Seat,
    Step,
    View,
)

__all__ = ["AnyGame", "Display", "Game", "Info", "Note", "Option", "Options", "Outcome", "Seat", "Step", "View"]
