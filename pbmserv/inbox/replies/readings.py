"""How the moves of an answer are read, and which board it is about."""

import re

from pbmserv.games.base import Seat
from pbmserv.inbox.context import Context
from pbmserv.inbox.lines.beside import LineReading
from pbmserv.inbox.lines.first_line import bare_words
from pbmserv.inbox.lines.spellings import Letters
from pbmserv.letters.text.men import letters_of_men
from pbmserv.model import BoardRow

#: A first number that may be a board's: `On board 101 I play e4`. Smaller ones belong to moves, and cost no statement.
_OF_BOARD = re.compile(r"\D{0,30}([1-9]\d{2,8})(?!\w)")


def reading_of(ctx: Context, row: BoardRow, seat: Seat) -> LineReading:
    """Return how moves beside a comment are read. People greet each other by name, and sign."""
    key = (row.number, row.board.length, seat)
    if key not in ctx.readings:
        names = frozenset({player.userid for player in row.players} | set(bare_words(ctx.mail.name)))
        ctx.readings[key] = LineReading(ctx.command_language, row.board, seat, letters_of(ctx), names)
    return ctx.readings[key]


def letters_of(ctx: Context) -> Letters:
    """Return what gives the letters of men in the sender's language."""
    return lambda: letters_of_men(ctx.say)


def other_board(ctx: Context, row: BoardRow, seat: Seat, line: str) -> int:
    """Return the number of another running board of a player that a line names before all others; 0 if it is none."""
    match = _OF_BOARD.match(line)
    number = int(match[1]) if match else row.number
    other = None if number == row.number else ctx.store.boards.find(number, lock=False)
    return number if other and not other.board.result and other.seats_of(row.players[seat]) else 0
