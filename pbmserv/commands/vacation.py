"""`vacation userid password [days | until YYYY-MM-DD | off]`: a time in which no clock runs."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo

from pbmserv.errors import PlayerError
from pbmserv.inbox.answer import Answer
from pbmserv.inbox.command import LOGIN, PASSWORD, Arg, Call, Command
from pbmserv.inbox.context import Context
from pbmserv.letters.text import times
from pbmserv.store import Player, Vacation

_SHORTEST = timedelta(hours=1)


def vacation(ctx: Context, call: Call) -> Answer:
    """Begin, change or end a vacation; without a time, say how it stands."""
    player = ctx.asker.login(call)
    words = call.get("days")
    if words:
        _change(ctx, player, _read_end(ctx, player, words))
    return Answer(_state(ctx, player), subject="Vacation")


VACATION = Command(
    "vacation",
    "Stops your clocks: no reminders, and no time counts against you. Without a time, says how it stands.",
    vacation,
    args=(
        *LOGIN,
        Arg(
            "days",
            "days from now; or until a day, which is included; or off, to come back earlier",
            optional=True,
            many=True,
            form="[days | until YYYY-MM-DD | off]",
        ),
    ),
    example="vacation {userid} {password} 10",
    second="vacation {userid} {password} off",
    more="The days of a calendar year are limited; the answer says how many are left, and off gives back what was "
    "not used. You can play while you are away. A new time replaces the one that runs.\n"
    "A date is written 2026-08-31 and must be still to come.",
)


def _read_end(ctx: Context, player: Player, words: Sequence[str]) -> datetime:
    """When the vacation shall end. Raises PlayerError."""
    if list(words) == ["off"]:
        return ctx.now
    match words:
        case ("until", day):
            end = _read_date(day, ctx.reader_zone())
        case (number,):
            end = ctx.now + _read_days(number)
        case _:
            end = None
    if end is None or end < ctx.now + _SHORTEST:
        line = f"vacation {player.userid} {PASSWORD}"
        raise PlayerError(
            "A vacation is a number of days, or until a date that is still to come; off ends it.",
            f"Send for example: {line} 10\nor: {line} until {ctx.now + 10 * times.DAY:%Y-%m-%d}\nor: {line} off",
        )
    return end


def _read_date(text: str, zone: tzinfo) -> datetime | None:
    """The end of a day in this time zone; None if the text is no date."""
    try:
        return times.end_of_day(date.fromisoformat(text), zone)
    except (ValueError, OverflowError):
        return None


def _read_days(text: str) -> timedelta:
    """A number of days, fractions allowed; zero if the text is no such number."""
    try:
        days = float(text)
    except ValueError:
        return timedelta(0)
    return days * times.DAY if 0 < days <= 1000 else timedelta(0)


def _change(ctx: Context, player: Player, end: datetime) -> None:
    """Begin a vacation that ends then, or let the one that runs end then.

    The clocks of the turns that run are set later, or earlier again if the vacation becomes shorter.
    """
    now = ctx.now.timestamp()
    ctx.store.boards.lock_running(player.id)  # locked before the account, as a move does it; nobody moves meanwhile
    past = ctx.store.players.vacations(player.id)
    running = next((v for v in past if v.ends > now), None)
    planned = [*(Vacation(v.begins, min(v.ends, now)) for v in past), Vacation(now, end.timestamp())]
    if end > ctx.now:
        _demand_days(ctx, player, planned, end.year)
    begins, old_end = (running.begins, running.ends) if running else (now, now)
    ctx.store.boards.shift_clocks(end.timestamp() - old_end, player.id)
    if running or end > ctx.now:
        ctx.store.players.set_vacation(player.id, Vacation(begins, end.timestamp()))


def _demand_days(ctx: Context, player: Player, planned: Sequence[Vacation], last_year: int) -> None:
    """Raise PlayerError if the vacations take more days of a calendar year than are allowed."""
    for year in range(ctx.now.year, last_year + 1):
        if _days_in(year, planned) > ctx.site.policy.vacation_days + 1e-6:
            left = ctx.site.policy.vacation_days - _days_in(year, planned[:-1])
            raise PlayerError(
                f"That is too long: {ctx.site.policy.vacation_days:g} days in a calendar year are allowed, "
                f"and you have {_shown(left)} left in {year}.",
                f"Send for example: vacation {player.userid} {PASSWORD} {_example(left)}",
            )


def _days_in(year: int, vacations: Sequence[Vacation]) -> float:
    """How many days of a calendar year (in UTC) the vacations take."""
    first, after = (datetime(y, 1, 1, tzinfo=UTC).timestamp() for y in (year, year + 1))
    seconds = sum(max(min(v.ends, after) - max(v.begins, first), 0.0) for v in vacations)
    return seconds / times.DAY.total_seconds()


def _state(ctx: Context, player: Player) -> str:
    now, year = ctx.now.timestamp(), ctx.now.year
    vacations = ctx.store.players.vacations(player.id)
    running = next((v for v in vacations if v.ends > now), None)
    return ctx.render(
        "vacation",
        player=player.userid,
        password=PASSWORD,
        until=running and ctx.say(times.shown(times.from_seconds(running.ends), ctx.reader_zone())),
        left=ctx.say(_shown(ctx.site.policy.vacation_days - _days_in(year, vacations))),
        year=year,
    )


def _shown(days: float) -> str:
    number = round(max(days, 0.0), 1)
    return f"{number:g} day{'s' * (number != 1)}"


def _example(left: float) -> str:
    """What may be written for a time that is still allowed: days, or off if less than an hour and a half is left."""
    if left >= 1:
        return f"{int(left)}"
    if left * 24 >= 1.5:
        return f"{int(left * 100) / 100:g}"
    return "off"
