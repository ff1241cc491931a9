"""`set`: a player's preferences and displays."""

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches

from pbmserv.boards.clocks import days_off
from pbmserv.commands.webhook_setting import set_webhook, state_of
from pbmserv.errors import PlayerError, no_such
from pbmserv.inbox.command import LOGIN, PASSWORD, Arg, Call, Is, Scope, game_of
from pbmserv.inbox.context import Answer, Command, Context
from pbmserv.letters.text import times
from pbmserv.letters.text.blocks import Words
from pbmserv.model import Player
from pbmserv.model.preferences import OF_DISPLAY, PREFERENCES, Preference, Preferences

_NEW = "new"
_CALENDAR, _PAGE, _WEBHOOK = Preferences.calendar, Preferences.page, Preferences.has_webhook
MOST_BLOCKED = 100  #: the most players that one player can block


#: It is stored with the account, because all others see it.
ROBOT = Preference("robot", {"no": "a person plays", "yes": "a program plays, and others see ROBOT"}, str, special=True)


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
    "until when you have to move, with links to your boards, so do not share it. calendar=new gives you another link. "
    "If somebody has seen one of your links, set another password: this ends all of them.\n"
    "Page: with page=on the answer and your daily letters have a secret link to a page with all boards that wait for "
    "you. page=new gives you another one.\n"
    "Puzzle: with puzzle=chess, or another game without chance, you get a puzzle a day, from reviewed boards of "
    "players who have set lend=on.\n"
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
        ctx.store.players.set_preference(player.id, info.key, OF_DISPLAY, word.lstrip("-"))
    now = ctx.preferences(player).display(info.key) or info.displays[0].name
    return Answer(
        ctx.render("display", game=info.name, displays=info.displays, now=now),
        subject=f"{info.key.capitalize()} settings",
    )


SET_DISPLAY = Command(
    "set",
    "Changes how boards of the game are drawn for you. Without a display, the answer says which one you have.",
    set_display,
    scope=Scope.GAME,
    args=(
        *LOGIN,
        Arg("option", "a display of the game", optional=True, many=True, dashed=True),
    ),
    usable=lambda on: len(on.game.info.displays) > 0,
    example="{game} set {userid} {password}",
    second="{game} set {userid} {password} {display}",
    more="If a display is unknown, the answer lists those of the game. Some games have only one.\n"
    "For your other settings, see: help set",
)


def _set(preference: Preference[object]) -> Callable[[Context, Player, str], None]:
    """Return the function that sets one preference."""

    def change(ctx: Context, player: Player, value: str) -> None:
        ctx.store.players.set_preference(player.id, "", preference.name, _read(ctx, player, preference, value))

    return change


def _read(ctx: Context, player: Player, preference: Preference[object], value: str) -> str:
    """Return a value in the form in which it is stored. Raises PlayerError."""
    if preference.zone:
        return _zone(player, value)
    if preference.game and value != preference.usual:
        return _game_of_puzzles(ctx, value)
    if preference.days:
        return _days(player, preference, value)
    _demand_one_of(preference, _values(ctx, preference), value)
    return value


def _game_of_puzzles(ctx: Context, value: str) -> str:
    """Return the key of a game that has puzzles. Raises PlayerError."""
    games = {game.info.key: game for game in ctx.site.games}
    names = {alias: key for key, game in games.items() for alias in (key, *game.info.aliases)}
    game = games.get(names.get(value, ""))
    if game is None or game.info.chance or game.info.hidden or 2 not in game.info.seats:
        raise PlayerError("There are no puzzles of that name.", "Write for example: puzzle=chess or puzzle=off")
    return game.info.key


def _demand_one_of(preference: Preference[object], values: Iterable[str], value: str) -> None:
    if value not in values:
        choices = " or ".join(f"{preference.name}={v}" for v in values)
        raise PlayerError(f"The setting {preference.name} cannot have that value.", f"Write: {choices}")


def _days(player: Player, preference: Preference[object], value: str) -> str:
    days = days_off.read(value)
    if days is None:
        raise PlayerError(
            f"The setting {preference.name} is on, off, or one or two days of the week.",
            f"Send for example: set {player.userid} {PASSWORD} {preference.name}=off\n"
            f"or: set {player.userid} {PASSWORD} {preference.name}={_example(preference)}",
        )
    return days


def _example(preference: Preference[object]) -> str:
    """Return the value that stands for all days that a player can choose."""
    return list(preference.values)[-1]


def _values(ctx: Context, preference: Preference[object]) -> Mapping[str, str]:
    """Return the values of a preference and their meanings. Templates of the operator can add languages."""
    return ctx.site.renderer.languages if preference is Preferences.language else preference.values


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
    _demand_one_of(ROBOT, ROBOT.values, value)
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
    _set_link(ctx, player, _CALENDAR, value)


def _page(ctx: Context, player: Player, value: str) -> None:
    """Turn the page with all boards on or off, or change its link."""
    if not ctx.site.policy.web_url:
        raise PlayerError("This server has no web pages.", "To see your boards, send: list")
    _set_link(ctx, player, _PAGE, value)


def _set_link(ctx: Context, player: Player, preference: Preference[str], value: str) -> None:
    _demand_one_of(preference, (*preference.values, _NEW), value)
    if value == "on" and preference.stored(ctx.preferences(player)) != "off":
        return
    stored = "off" if value == "off" else secrets.token_hex(8)
    ctx.store.players.set_preference(player.id, "", preference.name, stored)


def _block(ctx: Context, player: Player, userid: str) -> None:
    other = ctx.lookups.player(userid)
    if other.id == player.id:
        raise PlayerError("You cannot block yourself.")
    if len(ctx.store.readers.blocked_by(player.id)) >= MOST_BLOCKED:
        raise PlayerError(
            f"You can block at most {MOST_BLOCKED} players.", f"First: set {player.userid} {PASSWORD} unblock=USERID"
        )
    ctx.store.readers.add_block(player.id, other.id)


_CHANGES: Mapping[str, Callable[[Context, Player, str], None]] = {
    **{p.name: _set(p) for p in PREFERENCES},
    ROBOT.name: _robot,
    _CALENDAR.name: _calendar,
    _PAGE.name: _page,
    _WEBHOOK.name: set_webhook,
    "block": _block,
    "unblock": lambda ctx, player, userid: ctx.store.readers.remove_block(player.id, ctx.lookups.known(userid).id),
}


def _list(ctx: Context, player: Player) -> Words:
    preferences = ctx.preferences(player)
    rows = [_row(ctx, p, p.stored(preferences)) for p in PREFERENCES]
    rows.append((ROBOT, "yes" if player.userid in ctx.store.players.robots() else "no"))
    link = ""
    if ctx.site.policy.calendars and ctx.site.policy.web_url:
        rows.append((_CALENDAR, "on" if preferences.has_calendar else "off"))
        link = ctx.site.calendar(player, preferences.calendar) if preferences.has_calendar else ""
    page = ""
    if ctx.site.policy.web_url:
        rows.append((_PAGE, "on" if preferences.has_page else "off"))
        page = ctx.site.boards(player, preferences.page) if preferences.has_page else ""
    if ctx.site.policy.webhooks:
        state = state_of(ctx, player)
        rows.append((replace(_WEBHOOK, values={value: _WEBHOOK.values[value] for value in ("off", state)}), state))
    blocked = ctx.store.readers.blocked_by(player.id)
    about = {"player": player.userid, "password": PASSWORD, "game": ctx.site.usual_game.info.key}
    return ctx.render("preferences", rows=rows, blocked=blocked, link=link, page=page, **about)


def _row(ctx: Context, preference: Preference[object], now: str) -> tuple[Preference[object], str]:
    """Return a preference as the list shows it, and its value. Days that the player chose stand for the example."""
    values = dict(_values(ctx, preference))
    if (preference.days or preference.game) and now not in values:
        values[now] = values.pop(_example(preference))
    return replace(preference, values=values), now
