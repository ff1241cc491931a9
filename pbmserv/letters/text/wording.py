"""Boards, their conditions and their results in words."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from pbmserv import games
from pbmserv.games.base import Outcome
from pbmserv.games.base.board import ENDINGS
from pbmserv.letters.text.translations import Say
from pbmserv.store import BoardRow, Settings
from pbmserv.store.boards import options_text

_UP_TO_TWELVE = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NUMBERS = {
    **dict(enumerate(_UP_TO_TWELVE)),
    **dict(zip(range(20, 100, 10), _TENS, strict=True)),
    100: "a hundred",
    1000: "a thousand",
}


def conditions(row: BoardRow, say: Say = str) -> str:
    """`-c, rated, reminder after 7 days, time limit 21 days`."""
    options = options_text(row.board.start.options)
    return ", ".join([*filter(None, [options]), *terms(row.settings, say, rated=len(row.players) > 1)])


def terms(settings: Settings, say: Say = str, *, rated: bool = True) -> list[str]:
    """`rated`, `reminder after 7 days`, `time limit 21 days`; without the first if ratings are out of the question."""
    parts = []
    if rated:
        parts.append("rated" if settings.rated else "unrated")
    if settings.nag:
        parts.append(f"reminder after {days(settings.nag)}")
    if settings.forfeit:
        parts.append(f"time limit {days(settings.forfeit)}")
    if settings.total:
        parts.append(f"{days(settings.total)} in all")
    if settings.repetition:
        parts.append(f"draw when a position stands {settings.repetition} times")
    if settings.private:
        parts.append("private")
    return [say(p) for p in parts]


def duration(seconds: float, say: Say = str) -> str:
    """`3 days 4 hours`, `12 minutes`: the two largest units."""
    minutes = int(seconds) // 60
    units = (("day", minutes // 1440), ("hour", minutes // 60 % 24), ("minute", minutes % 60))
    parts = [say(f"{n} {name}{'s' * (n != 1)}") for name, n in units if n]
    return " ".join(parts[:2]) or say("less than a minute")


def number_word(number: int) -> str:
    """A number as a sentence says it: `five`, `fifty`, `a thousand`; in digits where no single word says it."""
    return _NUMBERS.get(number, str(number))


def time_words(time: timedelta) -> str:
    """`an hour`, `seven days`: whole hours or days as a sentence says them."""
    hours = round(time / timedelta(hours=1))
    if hours % 24:
        return "an hour" if hours == 1 else f"{number_word(hours)} hours"
    return "a day" if hours == 24 else f"{number_word(hours // 24)} days"


def day(when: datetime) -> str:
    """`3 March 2026`."""
    return f"{when.day} {when:%B %Y}"


def days(number: float) -> str:
    """`1 day`, `2.5 days`."""
    return f"{number:g} day{'s' * (number != 1)}"


def result_text(row: BoardRow, say: Say = str) -> str:
    """How a board ended; "" while it runs."""
    players = [p.userid for p in row.players]
    return result_line(row.key, players, row.board.result, say) if row.board.result else ""


def result_line(key: str, players: Sequence[str], result: Outcome, say: Say = str) -> str:
    """How a board ended: who won and why, or the score."""
    why = say({**ENDINGS, **games.find(key).info.endings}.get(result.reason, result.reason))
    if len(players) == 1:
        return say(f"score {result.scores[0] if result.scores else 0} ({why})")
    if not result.winners:
        none = result.reason in ("declined", "voided")
        return say(f"nobody wins ({why})" if none else f"a draw ({why})")
    names = f" {say('and')} ".join(players[s] for s in result.winners)
    return say(f"{names} win{'s' * (len(result.winners) == 1)} ({why})")
