"""What a player reads whose mail came after the time had run out, so that it did nothing."""

from pbmserv.games.base import Seat
from pbmserv.games.base.log import Kind, kept_places
from pbmserv.inbox.context import Context
from pbmserv.letters.text import times
from pbmserv.letters.text.wording import result_text
from pbmserv.model import BoardRow


def told(ctx: Context, row: BoardRow, seat: Seat) -> str:
    """Return when the time of a seat ran out, and how the board has ended; "" if it did not run out."""
    if row.board.result is None and seat not in row.board.out:
        return ""
    log = ctx.log(row)
    ends = (Kind.FORFEIT, Kind.IDLE)
    place = next((i for i in reversed(kept_places(log)) if log[i].kind in ends), None)
    if place is None or (log[place].kind is Kind.FORFEIT and log[place].seat != seat):
        return ""
    at = times.shown(ctx.store.boards.log(row.number, place)[0].at, ctx.reader_zone())
    sentences = [ctx.say(f"Your time ran out on {at}, before this mail came, so it did nothing.")]
    if row.board.result:
        sentences.append(ctx.say(f"Board {row.number} is over: {result_text(row, ctx.say)}."))
    return " ".join(sentences)
