"""The values that all wings above exchange: boards, players, tournaments. They know no SQL."""

from pbmserv.model.boards import (
    BoardRow,
    LeftSeat,
    Listed,
    LogLine,
    Queued,
    SeatClock,
    Settings,
    Submitted,
    board_title,
)
from pbmserv.model.challenges import Seek
from pbmserv.model.letters import Waiting
from pbmserv.model.operations import Allowance
from pbmserv.model.players import Address, Player, Robot, Vacation, WebhookRow
from pbmserv.model.ratings import Rating, RatingLine
from pbmserv.model.tournaments import EntrantRow, NewPairing, Out, PairingRow, Phase, TournamentPlan, TournamentRow

__all__ = [
    "Address",
    "Allowance",
    "BoardRow",
    "EntrantRow",
    "LeftSeat",
    "Listed",
    "LogLine",
    "NewPairing",
    "Out",
    "PairingRow",
    "Phase",
    "Player",
    "Queued",
    "Rating",
    "RatingLine",
    "Robot",
    "SeatClock",
    "Seek",
    "Settings",
    "Submitted",
    "TournamentPlan",
    "TournamentRow",
    "Vacation",
    "Waiting",
    "WebhookRow",
    "board_title",
]
