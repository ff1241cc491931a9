"""Boards, their conditions and their results in words."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from pbmserv import games
from pbmserv.boards.clocks import days_off
from pbmserv.boards.clocks.deadlines import LimitKind
from pbmserv.games.base import Outcome
from pbmserv.games.base.board import ENDINGS
from pbmserv.games.base.sheet import NOT_PLAYED
from pbmserv.letters.text.translations import Say
from pbmserv.model import BoardRow, PairingRow, Settings, TournamentRow
from pbmserv.model.boards import ALLOWED, SHARED, options_text
from pbmserv.tournaments.forms import GROUPS, LEAGUE, SWISS

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


class Habits(NamedTuple):
    """What a player has set about time on boards."""

    days_off: tuple[str, ...] = ()  #: days without time, such as `sat`
    auto: bool = False  #: days of vacation are used automatically


def conditions(row: BoardRow, say: Say = str, auto: Collection[int] = ()) -> str:
    """`-c, rated, reminder after 7 days, time limit 21 days, no time runs for bob on Saturday and Sunday`.

    `auto`: the ids of players whose days of vacation are used automatically.
    """
    options = options_text(row.board.start.options)
    parts = [*filter(None, [options]), *terms(row.settings, say, rated=len(row.players) > 1)]
    if row.board.result is None:
        seats = zip(row.players, row.clocks, strict=True)
        people = {p.userid: Habits(clock.rest.days, p.id in auto) for p, clock in seats}
        parts += habits_text(people, say)
    return ", ".join(parts)


def habits_text(people: Mapping[str, Habits], say: Say = str) -> list[str]:
    """`no time runs for bob on Friday and Saturday`, `automatic vacation for bob`: what some players have set."""
    parts = [f"no time runs for {name} on {days_off.words(h.days_off)}" for name, h in people.items() if h.days_off]
    parts += [f"automatic vacation for {name}" for name, h in people.items() if h.auto]
    return [say(part) for part in parts]


def terms(settings: Settings, say: Say = str, *, rated: bool = True) -> list[str]:
    """`rated`, `reminder after 7 days`, `time limit 21 days`; without the first if ratings are out of the question."""
    parts = []
    if rated:
        parts.append("rated" if settings.rated else "unrated")
    if settings.nag:
        parts.append(f"reminder after {days(settings.nag)}")
    if settings.forfeit:
        parts.append(f"time limit {days(settings.forfeit)}")
    parts += shared_by_moves(settings)
    parts += _other_terms(settings)
    return [say(p) for p in parts]


def _other_terms(settings: Settings) -> list[str]:
    parts = []
    if settings.repetition:
        parts.append(f"draw when a position stands {settings.repetition} times")
    if settings.vacation is not None:
        parts.append(f"at most {days(settings.vacation)} of vacation")
    if settings.dice == SHARED:
        parts.append("dice of all players")
    if settings.engines == ALLOWED:
        parts.append("engines allowed")
    if settings.private:
        parts.append("private")
    return parts


def shared_by_moves(settings: Settings) -> list[str]:
    """`60 days in all`, `bank 10 days`, `each move adds 1.5 days`, `at most 15 days in the bank`: for all moves."""
    parts = [f"{days(settings.total)} in all"] if settings.total else []
    if not settings.bank:
        return parts
    parts.append(f"bank {days(settings.bank)}")
    if settings.increment:
        parts.append(f"each move adds {days(settings.increment)}")
    if settings.cap:
        parts.append(f"at most {days(settings.cap)} in the bank")
    return parts


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


def tournament_line(tournament: TournamentRow, pairing: PairingRow) -> str:
    """Return the line with which the letters of a board say for what it counts."""
    number, name = tournament.number, tournament.plan.name
    if tournament.plan.form == LEAGUE:
        return f"Tournament {number}: {name}, division {pairing.division}, season {pairing.season}"
    if tournament.plan.form == GROUPS:
        return f"Tournament {number}: {name}, group {pairing.division}, round {pairing.round}"
    if tournament.plan.form == SWISS:
        return f"Tournament {number}: {name}, round {pairing.round}"
    if tournament.plan.teams:
        one, other = tournament.plan.teams
        return f"Tournament {number}: {name}, {one} against {other}"
    return f"Tournament {number}: {name}"


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
        none = result.reason in NOT_PLAYED
        return say(f"no result ({why})" if none else f"a draw ({why})")
    names = f" {say('and')} ".join(players[s] for s in result.winners)
    if result.reason == "substitute":
        return say(f"a draw of {names} ({why})")
    return say(f"{names} win{'s' * (len(result.winners) == 1)} ({why})")


#: What happens at the end of a limit, in a calendar.
LIMITS = {
    LimitKind.MOVE: "The time for this move ends.",
    LimitKind.TOTAL: "The time for all moves ends.",
    LimitKind.BANK: "The bank is empty.",
}


def button(word: str, say: Say) -> str:
    """Return what a button says that answers with a word of the command language: the word, or a translation of it."""
    verb, _, about = word.partition(" ")
    key = f"answer {verb} {about.capitalize()}".rstrip()  # what it is about can be a game
    caption = say(key)
    return word if caption == key else caption


def turn_title(row: BoardRow) -> str:
    """Return the title of a turn in a calendar."""
    return f"Your move: {row.game.info.name}, board {row.number}"
