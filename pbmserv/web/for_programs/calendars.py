"""A player's calendar (RFC 5545): until when they have to move, behind a signed link that only they know."""

from datetime import timedelta

from icalendar import TRANSP, Alarm, Calendar, Event, vDuration
from starlette.exceptions import HTTPException

from pbmserv.boards.clocks import deadlines
from pbmserv.games.base import Seat
from pbmserv.letters.site import Site
from pbmserv.letters.text import times
from pbmserv.letters.text.translations import Say
from pbmserv.letters.text.wording import LIMITS, turn_title
from pbmserv.mail.signed_addresses import CALENDAR
from pbmserv.model import BoardRow
from pbmserv.model.boards import BoardState
from pbmserv.web.own.secret_links import Secret, reader
from pbmserv.web.visit import SOON, File, Visit

MEDIA_TYPE = "text/calendar; charset=utf-8"
MOST = 500  #: boards of a calendar, the newest
LENGTH = timedelta(hours=1)  #: of an event, which ends with the time; many programs do not show one without length
WARNING = timedelta(days=1)  #: how long before the end the program should tell; an hour if there are less than two days
REFRESH = timedelta(hours=1)  #: how often a program should ask again
_NONE_HERE = "This server has no calendars."
_SECRET = Secret(
    CALENDAR,
    lambda wants: wants.calendar,
    "The link of this calendar does not work any more, because the player asked for another one or turned it off, set "
    "another password, or the account is closed. To get a new one, send: set USERID PASSWORD calendar=new",
)


def feed(visit: Visit) -> File:
    """Return the calendar of the player whom the link names. Raises HTTPException: 404 if we did not sign it."""
    site = visit.place.site
    if site is None or not site.policy.calendars:
        raise HTTPException(404, _NONE_HERE)
    player, wants = reader(visit, site, _SECRET)
    say = site.renderer.to(wants.language).say
    calendar = Calendar.new(
        prodid="-//pbmserv//boards//EN",
        uid=f"player-{player.id}@{site.signer.domain}",
        name=f"PBM Server, {player.userid}",
    )
    # RFC 7986 wants the kind of this value to be named.
    calendar.add("REFRESH-INTERVAL", vDuration(REFRESH), parameters={"VALUE": "DURATION"})
    calendar.add("X-PUBLISHED-TTL", vDuration(REFRESH))
    listed = visit.store.board_lists.search(player_ids=[player.id], state=BoardState.NEXT, limit=MOST)
    for row in visit.store.boards.find_many([line.number for line in listed]).values():
        for seat in row.seats_of(player):
            if event := _event(site, row, seat, say):
                calendar.add_component(event)
    return File(calendar.to_ical(), MEDIA_TYPE, SOON)


def _event(site: Site, row: BoardRow, seat: Seat, say: Say) -> Event | None:
    """Return when the time of a seat ends; None if it is not to move, or has time without end."""
    clock = row.clocks[seat]
    limit = deadlines.limit_of(clock, row.settings) if seat in row.board.to_move else None
    if limit is None:
        return None
    end = times.from_seconds(max(limit.at, clock.since or 0.0)).replace(microsecond=0)
    event = Event.new(
        uid=f"board-{row.number}-{seat}@{site.signer.domain}",
        stamp=row.changed,
        last_modified=row.changed,
        start=end - LENGTH,
        end=end,
        transparency=TRANSP.TRANSPARENT,
        summary=say(turn_title(row)),
        description=say(LIMITS[limit.kind]),
        url=site.page(row.number, seat, row.players[seat]),
    )
    is_long = limit.at - (clock.since or limit.at) > 2 * WARNING.total_seconds()
    event.add_component(_alarm(say(turn_title(row)), WARNING if is_long else LENGTH))
    return event


def _alarm(title: str, before: timedelta) -> Alarm:
    """Return what a calendar program shows so long before the time ends."""
    alarm = Alarm.new(description=title)
    alarm.add("ACTION", "DISPLAY")
    alarm.TRIGGER = LENGTH - before  # counted from the start of the event
    return alarm
