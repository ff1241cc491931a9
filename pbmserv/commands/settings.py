"""`set`: a player's preferences and displays. `limit`: the most boards that a player wants to play."""

import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches

from pbmserv.boards.clocks import days_off, vacations
from pbmserv.commands.reaching.webhook_setting import set_webhook, state_of
from pbmserv.errors import PlayerError, no_such
from pbmserv.games.base import AnyGame
from pbmserv.inbox.command import LOGIN, PASSWORD, Arg, Call, Is, Scope, game_of
from pbmserv.inbox.context import Answer, Command, Context, Occasion
from pbmserv.letters.policy import Policy
from pbmserv.letters.text import times
from pbmserv.letters.text.templates import ENGLISH
from pbmserv.store import Player

_OTHER_DAYS = "fri,sat"  #: an example of days off
_NEW = "new"
MOST_BLOCKED = 100  #: the most players that one player can block


@dataclass(frozen=True)
class Preference:
    """A preference: its values and their meanings, the default first.

    `zone`: its value is the name of a time zone. `days`: its values can also be one or two days of the week.
    """

    name: str
    values: Mapping[str, str]
    zone: bool = False
    days: bool = False

    @property
    def usual(self) -> str:
        """The default."""
        return next(iter(self.values))


PREFERENCES = (
    Preference(
        "mail",
        {
            "html": "letters in plain text and in HTML",
            "text": "letters in plain text alone",
            "spoken": "plain text, with boards in words: for screen readers and Braille",
        },
    ),
    Preference("own", {"on": "a letter after each of your own moves", "off": "none, unless it is your turn again"}),
    Preference("digest", {"off": "a letter for each board", "daily": "one letter a day for all boards"}),
    Preference(
        "subject",
        {
            "same": "one subject for all letters of a board",
            "turn": "subjects that say whose turn it is: 101 your turn",
        },
    ),
    Preference(
        "turn",
        {
            "off": "pictures of boards as the rules draw them",
            "on": "pictures of boards with your own men at the bottom",
        },
    ),
    Preference(
        "attach",
        {
            "off": "turn letters without files",
            "record": "turn letters with the board as files, for a program",
        },
    ),
    Preference("language", {ENGLISH: ""}),  # other languages come from the site, see `_values`
    Preference("timezone", {"UTC": "the time zone for dates and times in letters"}, zone=True),
    Preference(
        "broadcasts",
        {
            "off": "no letters that players send to everybody",
            "on": "letters that players send to everybody (broadcasts)",
        },
    ),
    Preference(
        "fewer", {"off": "messages of players, and reminders", "on": "neither messages of players nor reminders"}
    ),
    Preference(
        "weekends",
        {
            days_off.ON: "your time runs on all days",
            days_off.OFF: "no time on Saturday and Sunday, on new boards",
            _OTHER_DAYS: "no time on one or two other days, on new boards",
        },
        days=True,
    ),
    Preference(
        "vacation",
        {
            "off": "when your time runs out, you lose",
            vacations.AUTO: "then days of your vacation are used, one by one",
        },
    ),
)


#: It is stored with the account, because all others see it.
ROBOT = Preference("robot", {"no": "a person plays", "yes": "a program plays, and others see ROBOT"})

#: Stored is "off", or a number in the link that is made anew for each `new`.
CALENDAR = Preference("calendar", {"off": "no calendar", "on": "your time limits as a calendar, at a secret link"})

#: Its values in the list. What a player writes is in reaching/webhook_setting.py.
WEBHOOK = Preference(
    "webhook",
    {
        "off": "no events to a URL of yours",
        "asked": "a code has gone to your URL; send it back to prove that you read it",
        "on": "events go to your URL",
        "suspended": "your URL did not work, so nothing goes there",
    },
)


def set_(ctx: Context, call: Call) -> Answer:
    """`set userid password [name=value …]`: set preferences and list them all."""
    player = ctx.authentication.login(call)
    for word in call.get("name=value"):
        name, mark, value = word.partition("=")
        change = _CHANGES.get(name)
        if change is None or not mark or not value:
            raise PlayerError(
                f"{no_such('setting', name)}." if mark else "A setting is written as NAME=VALUE.",
                f"Available: {', '.join(_CHANGES)}\n"
                f"Send for example: set {player.userid} {PASSWORD} {PREFERENCES[0].name}={PREFERENCES[0].usual}",
            )
        change(ctx, player, value)
    return Answer(_list(ctx, player), subject="Settings")


SET = Command(
    "set",
    "Changes your settings: form and language of letters, time zone, days off, broadcasts, blocked players. Without a "
    "setting, it lists all settings and what they mean.",
    set_,
    args=(*LOGIN, Arg("name=value", "one or more settings", Is.SETTING, optional=True, many=True)),
    example="set {userid} {password} timezone=Europe/Berlin",
    second="set {userid} {password} mail=text own=off",
    more="To block a player: block=USERID. You get no messages and no challenges from them until unblock=USERID.\n"
    "Days off: with weekends=off no time of yours runs on Saturday and Sunday, from midnight to midnight in your time "
    "zone. Other days are possible, at "
    "most two, for example weekends=fri,sat or weekends=wed. The other players read it before they begin. It "
    "holds for boards that begin from now on; on boards that run, nothing changes.\n"
    "Automatic vacation: with vacation=auto you do not lose when your time runs out, as long as you have days of "
    "vacation left. One day after the other is used, and everybody on the board reads it.\n"
    "If a program plays for you, say robot=yes: others then see ROBOT, and your boards with other robots are unrated. "
    "You can take it back when you have no rated board. With attach=record each turn letter has the board as files, "
    "so your program can answer at once. For more, see: help robots\n"
    "Calendar: with calendar=on the answer has a secret link to which your calendar program can subscribe. It shows "
    "until when you have to move. If somebody else knows the link, calendar=new gives you another one.\n"
    "Webhook: with webhook=https://bot.example.org/pbm your own program gets events, if this server allows it: your "
    "turns, ends of boards and messages. Your URL first gets a code: set USERID PASSWORD webhook=CODE. For more, see: "
    "help webhooks\n"
    "Write no spaces around the equals sign. If a time zone is unknown, the answer lists similar names.",
)


def set_display(ctx: Context, call: Call) -> Answer:
    """`game set userid password [option …]`: choose the display for boards of a game."""
    player = ctx.authentication.login(call)
    info = game_of(call).info
    if not info.displays:
        raise PlayerError(f"{info.name} has only one display.")
    known = {d.name: d for d in info.displays}
    for word in call.get("option"):
        if word.lstrip("-") not in known:
            raise PlayerError(f"There is no display of that name in {info.name}.", f"Available: {', '.join(known)}")
        ctx.store.players.set_preference(player.id, info.key, "display", word.lstrip("-"))
    now = ctx.preferences(player).display(info.key) or info.displays[0].name
    return Answer(
        ctx.render("display", game=info.name, displays=info.displays, now=now),
        subject=f"{info.key.capitalize()} settings",
    )


def _has_displays(on: Occasion) -> bool:
    return len(on.game.info.displays) > 0


SET_DISPLAY = Command(
    "set",
    "Changes how boards of the game are drawn for you. Without a display, the answer says which one you have.",
    set_display,
    scope=Scope.GAME,
    args=(
        *LOGIN,
        Arg("option", "a display of the game", optional=True, many=True, dashed=True),
    ),
    usable=_has_displays,
    example="{game} set {userid} {password}",
    second="{game} set {userid} {password} {display}",
    more="If a display is unknown, the answer lists those of the game. Some games have only one.\n"
    "For your other settings, see: help set",
)


def limit(ctx: Context, call: Call) -> Answer:
    """`game limit userid password [n | none]`: the most boards of a game that others may bring a player to."""
    player, game = ctx.authentication.login(call), game_of(call)
    if (word := call.values.get("n")) is not None:
        if word != "none" and not re.fullmatch(r"\d{1,4}", word):
            raise PlayerError(
                "The limit must be a number of boards, or the word none.",
                f"Send for example: {game.info.key} limit {player.userid} {PASSWORD} 5",
            )
        ctx.store.players.set_preference(player.id, game.info.key, "limit", word if word == "none" else str(int(word)))
    most, active = limit_of(ctx, player, game), ctx.store.board_lists.count_active(game.info.key, player.id)
    text = ctx.render("limit", game=game.info, player=player.userid, limit=most, active=active)
    return Answer(text, subject=f"{game.info.key.capitalize()} limit")


LIMIT = Command(
    "limit",
    "Limits how many boards of this game others can begin with you at a time. 0 means none. Without a number, the "
    f"answer shows your limit. At first it is {Policy().board_limit}.",
    limit,
    scope=Scope.GAME,
    args=(*LOGIN, Arg("n", "a number; or none, for no limit", optional=True)),
    example="{game} limit {userid} {password} 5",
    second="{game} limit {userid} {password} none",
    more="The limit does not count for boards that you begin yourself. You can always begin more.",
)


def limit_of(ctx: Context, player: Player, game: AnyGame) -> int | None:
    """How many boards of a game a player wants to play at most; None: any number."""
    value = ctx.preferences(player).limits.get(game.info.key)
    if value is None:
        return ctx.site.policy.board_limit
    return None if value == "none" else int(value)


def _set(preference: Preference) -> Callable[[Context, Player, str], None]:
    """Return the function that sets one preference."""

    def change(ctx: Context, player: Player, value: str) -> None:
        known, values = _read(player, preference, value), _values(ctx, preference)
        if not (preference.zone or preference.days) and known not in values:
            choices = " or ".join(f"{preference.name}={v}" for v in values)
            raise PlayerError(f"The setting {preference.name} cannot have that value.", f"Write: {choices}")
        ctx.store.players.set_preference(player.id, "", preference.name, known)

    return change


def _read(player: Player, preference: Preference, value: str) -> str:
    """Return a value in the form in which it is stored. Raises PlayerError if it is no zone or no days."""
    if preference.zone:
        return _zone(player, value)
    if not preference.days:
        return value
    days = days_off.read(value)
    if days is None:
        raise PlayerError(
            f"The setting {preference.name} is on, off, or one or two days of the week.",
            f"Send for example: set {player.userid} {PASSWORD} {preference.name}=off\n"
            f"or: set {player.userid} {PASSWORD} {preference.name}={_OTHER_DAYS}",
        )
    return days


def _values(ctx: Context, preference: Preference) -> Mapping[str, str]:
    """Return the values of a preference and their meanings. Templates of the operator can add languages."""
    return ctx.site.renderer.languages if preference.name == "language" else preference.values


def _zone(player: Player, value: str) -> str:
    """Return the IANA name of a time zone. The name of a city is enough if it is unique. Raises PlayerError."""
    names = times.zone_names()
    if value in names:
        return names[value]
    cities = {low: name for low, name in names.items() if low.rpartition("/")[2] == value}
    if len(cities) == 1:
        return next(iter(cities.values()))
    near = list(cities.values()) or [names[n] for n in get_close_matches(value, names, n=3, cutoff=0.5)]
    hint = f"Did you mean: {', '.join(near[:5])}\n" if near else ""
    example = near[0] if near else "Europe/Berlin"
    raise PlayerError(
        "There is no time zone of that name.",
        f"{hint}Send for example: set {player.userid} {PASSWORD} timezone={example}",
    )


def _robot(ctx: Context, player: Player, value: str) -> None:
    """Mark an account as a robot, or no longer. Opponents of its rated boards must be able to rely on what they saw."""
    if value not in ROBOT.values:
        choices = " or ".join(f"{ROBOT.name}={v}" for v in ROBOT.values)
        raise PlayerError(f"The setting {ROBOT.name} cannot have that value.", f"Write: {choices}")
    is_robot = value == "yes"
    ctx.store.boards.lock_running(player.id)  # an opponent may be saying the same
    ctx.store.players.lock(player.id)  # a board that is just beginning is included
    if is_robot == (player.userid in ctx.store.players.robots()):
        return
    number = ctx.store.robots.rated_board(player.id, against_robots=is_robot)
    if number is not None and is_robot:
        raise PlayerError(
            f"On the rated board {number} you play against a robot, and robots take no ratings from each other.",
            "Finish that board first.",
        )
    if number is not None:
        raise PlayerError(f"On the rated board {number} others know that you are a robot.", "Finish that board first.")
    if not is_robot and ctx.store.ratings.has_scores(player.id):
        raise PlayerError(
            "High scores of this account are marked as those of a robot, so it stays one.",
            f"To play yourself, open another account: signup USERID {PASSWORD}",
        )
    ctx.store.robots.declare(player.id, is_robot)


def _calendar(ctx: Context, player: Player, value: str) -> None:
    """Turn the calendar on or off, or change its link."""
    if not (ctx.site.policy.calendars and ctx.site.policy.web_url):
        raise PlayerError("This server has no calendars.", "To see until when you have to move, send: list")
    if value not in ("on", "off", _NEW):
        choices = " or ".join(f"{CALENDAR.name}={v}" for v in (*CALENDAR.values, _NEW))
        raise PlayerError(f"The setting {CALENDAR.name} cannot have that value.", f"Write: {choices}")
    if value == "on" and ctx.preferences(player).has_calendar:
        return
    stored = "off" if value == "off" else secrets.token_hex(8)
    ctx.store.players.set_preference(player.id, "", CALENDAR.name, stored)


def _block(ctx: Context, player: Player, userid: str) -> None:
    other = ctx.lookups.player(userid)
    if other.id == player.id:
        raise PlayerError("You cannot block yourself.")
    if len(ctx.store.readers.blocked_by(player.id)) >= MOST_BLOCKED:
        raise PlayerError(
            f"You can block at most {MOST_BLOCKED} players.", f"First: set {player.userid} {PASSWORD} unblock=USERID"
        )
    ctx.store.readers.add_block(player.id, other.id)


def _unblock(ctx: Context, player: Player, userid: str) -> None:
    ctx.store.readers.remove_block(player.id, ctx.lookups.known(userid).id)


_CHANGES: Mapping[str, Callable[[Context, Player, str], None]] = {
    **{p.name: _set(p) for p in PREFERENCES},
    ROBOT.name: _robot,
    CALENDAR.name: _calendar,
    WEBHOOK.name: set_webhook,
    "block": _block,
    "unblock": _unblock,
}


def _list(ctx: Context, player: Player) -> str:
    preferences = ctx.preferences(player)
    rows = [_row(ctx, p, getattr(preferences, p.name)) for p in PREFERENCES]
    rows.append((ROBOT, "yes" if player.userid in ctx.store.players.robots() else "no"))
    link = ""
    if ctx.site.policy.calendars and ctx.site.policy.web_url:
        rows.append((CALENDAR, "on" if preferences.has_calendar else "off"))
        link = ctx.site.calendar(player, preferences.calendar) if preferences.has_calendar else ""
    if ctx.site.policy.webhooks:
        state = state_of(ctx, player)
        rows.append((replace(WEBHOOK, values={value: WEBHOOK.values[value] for value in ("off", state)}), state))
    blocked = ctx.store.readers.blocked_by(player.id)
    about = {"player": player.userid, "password": PASSWORD, "game": ctx.site.usual_game.info.key}
    return ctx.render("preferences", rows=rows, blocked=blocked, link=link, **about)


def _row(ctx: Context, preference: Preference, now: str) -> tuple[Preference, str]:
    """Return a preference as the list shows it, and its value. Days that the player chose stand for the example."""
    values = dict(_values(ctx, preference))
    if preference.days and now not in values:
        values[now] = values.pop(_OTHER_DAYS)
    return replace(preference, values=values), now
