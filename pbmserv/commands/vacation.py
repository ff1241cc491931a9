"""`vacation userid password [days | until YYYY-MM-DD | off]`: a time in which the player's turns do not count."""

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta, tzinfo

from pbmserv.boards.absences import lost_time, vacations
from pbmserv.errors import PlayerError
from pbmserv.inbox.command import LOGIN, PASSWORD, Arg, Call
from pbmserv.inbox.context import Answer, Command, Context
from pbmserv.letters.occasions.vacation_letters import runs_again
from pbmserv.letters.text import times
from pbmserv.letters.text.blocks import Words
from pbmserv.model import Player, Vacation

_ROUNDED = 0.05  #: days by which a vacation may exceed the limit, because answers round the days that are left
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")  # dates with dots begin with the day


def vacation(ctx: Context, call: Call) -> Answer:
    """Begin, change or end a vacation. Without a time, show the current state."""
    player = ctx.authentication.login(call)
    words = call.get("days")
    if words:
        set_end(ctx, player, read_end(ctx, player, words), most=ctx.site.policy.vacation_days)
    return Answer(_state(ctx, player, changed=bool(words)), subject="Vacation")


VACATION = Command(
    "vacation",
    "Begins a vacation: you get no reminders, and no time counts against you. Without a time, the answer says how "
    "many days you have left.",
    vacation,
    args=(
        *LOGIN,
        Arg(
            "days",
            "a number of days; or until and the last day; or off, to come back earlier",
            optional=True,
            many=True,
            form="[days | until YYYY-MM-DD | off]",
        ),
    ),
    example="vacation {userid} {password} 10",
    second="vacation {userid} {password} off",
    more="You have a limited number of days in a calendar year. The answer says how many are left. With off you get "
    "back the days that you have not used. You can play while you are away. A new vacation replaces the current "
    "one.\n"
    "The boards of a tournament can allow fewer days: then the answer names the boards where your time runs again, and "
    "when.\n"
    "To let the days be used by themselves when your time would run out, one at a time, send: set USERID PASSWORD "
    "vacation=auto\n"
    "Write a date like this: 2026-08-31. It must be in the future.",
)


def read_end(ctx: Context, player: Player, words: Sequence[str]) -> datetime:
    """Return the end of the vacation. Raises PlayerError."""
    if list(words) == ["off"]:
        return ctx.now
    match words:
        case ("until", *parts):
            end = _read_date("".join(parts), ctx.reader_zone())
        case (number,):
            end = ctx.now + _read_days(number)
        case _:
            end = None
    if end is None or end < ctx.now + vacations.SHORTEST:
        line = f"vacation {player.userid} {PASSWORD}"
        raise PlayerError(
            "A vacation is a number of days, or until a date that is still to come; off ends it.",
            f"Send for example: {line} 10\nor: {line} until {ctx.now + 10 * times.DAY:%Y-%m-%d}\nor: {line} off",
        )
    return end


def _read_date(text: str, zone: tzinfo) -> datetime | None:
    """Return the end of a day, `2026-12-24` or `24.12.2026`, in this time zone; None if the text is no date."""
    if match := _DOTTED.fullmatch(text):
        text = "{2}-{1:0>2}-{0:0>2}".format(*match.groups())
    try:
        return times.end_of_day(date.fromisoformat(text), zone)
    except (ValueError, OverflowError):
        return None


def _read_days(text: str) -> timedelta:
    """Return a number of days, with fractions; zero if the text is no such number."""
    try:
        days = float(text.removesuffix("d"))
    except ValueError:
        return timedelta(0)
    return days * times.DAY if 0 < days <= 1000 else timedelta(0)


def set_end(ctx: Context, player: Player, end: datetime, most: float | None = None) -> None:
    """Begin a vacation with this end, or change the end of the current one. `most`: days that a year allows.

    The time limits of running turns are moved later, or back if the vacation becomes shorter.
    """
    now = ctx.now.timestamp()
    ctx.store.boards.lock_running(
        player.id
    )  # lock boards before the account, in the same order as a move; nobody can move meanwhile
    past = ctx.store.players.vacations(player.id)
    running = next((v for v in past if v.ends > now), None)
    planned = [*(Vacation(v.begins, min(v.ends, now)) for v in past), Vacation(now, end.timestamp())]
    if end > ctx.now and most is not None:
        _demand_days(ctx, player, planned, end.year, most)
    if running or end > ctx.now:
        begins = running.begins if running else now
        vacations.begin(ctx.store, player.id, Vacation(begins, end.timestamp()), now)


def _demand_days(ctx: Context, player: Player, planned: Sequence[Vacation], last_year: int, most: float) -> None:
    """Raise PlayerError if the vacations take more days of a calendar year than are allowed."""
    away = lost_time.absences(ctx.store)
    for year in range(ctx.now.year, last_year + 1):
        if vacations.days_in(year, planned, away) >= most + _ROUNDED:
            left = most - vacations.days_in(year, planned[:-1], away)
            raise PlayerError(
                f"That is too long: {most:g} days in a calendar year are allowed, "
                f"and you have {_shown(left)} left in {year}.",
                f"Send for example: vacation {player.userid} {PASSWORD} {_example(left)}",
            )


def _state(ctx: Context, player: Player, *, changed: bool) -> Words:
    now, year = ctx.now.timestamp(), ctx.now.year
    taken = ctx.store.players.vacations(player.id)
    running = next((v for v in taken if v.ends > now), None)
    used = vacations.days_in(year, taken, lost_time.absences(ctx.store))
    zone = ctx.reader_zone()
    return ctx.render(
        "vacation",
        player=player.userid,
        password=PASSWORD,
        until=running and ctx.say(times.shown(times.from_seconds(running.ends), zone)),
        earlier=runs_again(ctx.store, player, running.ends, now, zone, ctx.say) if running else [],
        left=ctx.say(_shown(ctx.site.policy.vacation_days - used)),
        year=year,
        changed=changed,
    )


def _shown(days: float) -> str:
    number = round(max(days, 0.0), 1)
    return f"{number:g} day{'s' * (number != 1)}"


def _example(left: float) -> str:
    """Return an example of an allowed time: days, or off if less than an hour and a half is left."""
    if left >= 1:
        return f"{round(left, 1):g}"
    if left * 24 >= 1.5:
        return f"{int(left * 100) / 100:g}"
    return "off"
