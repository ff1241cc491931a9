"""What a game is made of. Games, ours and those of other packages, import their parts from here."""

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
