"""`set`: how the server treats a player and how it draws boards for him. `limit`: how many boards he wants to play."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches

from pbmserv.errors import PlayerError, no_such
from pbmserv.games.base import AnyGame
from pbmserv.inbox.answer import Answer
from pbmserv.inbox.command import LOGIN, PASSWORD, Arg, Call, Command, Scope, game_of
from pbmserv.inbox.context import Context, Occasion
from pbmserv.letters.text import times
from pbmserv.letters.text.templates import ENGLISH
from pbmserv.store import Player

MOST_BLOCKED = 100  #: players whom one player blocks


@dataclass(frozen=True)
class Preference:
    """A setting of a player's: its values with what each means, the usual one first.

    `zone`: its value is a time zone, whichever there is.
    """

    name: str
    values: Mapping[str, str]
    zone: bool = False

    @property
    def usual(self) -> str:
        """What holds until the player says otherwise."""
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
    Preference(
        "own", {"on": "a letter after each of your own moves", "off": "none for your own moves that were played"}
    ),
    Preference("digest", {"off": "a letter for each board", "daily": "one letter a day for all boards"}),
    Preference("language", {ENGLISH: ""}),  # the site knows the others: see `_values`
    Preference("timezone", {"UTC": "the time zone of times in letters"}, zone=True),
    Preference(
        "broadcasts", {"off": "no letters that go to everybody", "on": "letters that players send to everybody"}
    ),
)


def set_(ctx: Context, call: Call) -> Answer:
    """`set userid password [name=value …]`: set preferences and list them all."""
    player = ctx.asker.login(call)
    for word in call.get("name=value"):
        name, mark, value = word.partition("=")
        change = _CHANGES.get(name)
        if change is None or not mark or not value:
            raise PlayerError(
                f"{no_such('setting', name)}." if mark else "A setting is a name, an equals sign and a value.",
                f"Known are: {', '.join(_CHANGES)}\n"
                f"Send for example: set {player.userid} {PASSWORD} {PREFERENCES[0].name}={PREFERENCES[0].usual}",
            )
        change(ctx, player, value)
    return Answer(_list(ctx, player), subject="Settings")


SET = Command(
    "set",
    "How the server treats you: form and language of letters, time zone, broadcasts, whom you block. "
    "Without a setting, lists them all with what each means.",
    set_,
    args=(*LOGIN, Arg("name=value", "one or more settings", optional=True, many=True)),
    example="set {userid} {password} timezone=Europe/Berlin",
    second="set {userid} {password} mail=text own=off",
    more="Words and challenges of a player whom you block do not reach you: block=USERID, and unblock=USERID.\n"
    "A setting has no spaces around its equals sign. An unknown time zone is answered with the nearest names.",
)


def set_display(ctx: Context, call: Call) -> Answer:
    """`game set userid password [option …]`: how boards of a game are drawn for this player."""
    player = ctx.asker.login(call)
    info = game_of(call).info
    if not info.displays:
        raise PlayerError(f"{info.name} has only one way to draw its board.")
    known = {d.name: d for d in info.displays}
    for word in call.get("option"):
        if word.lstrip("-") not in known:
            raise PlayerError(
                f"There is no display setting of that name in {info.name}.", f"Known are: {', '.join(known)}"
            )
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
    "How boards of the game are drawn for you; without an option, says what is set.",
    set_display,
    Scope.GAME,
    args=(
        *LOGIN,
        Arg("option", "a display setting of the game", optional=True, many=True, dashed=True),
    ),
    usable=_has_displays,
    example="{game} set {userid} {password}",
    second="{game} set {userid} {password} {display}",
    more="An unknown setting is answered with those that the game has; some have only one way to draw the board.\n"
    "The settings of the server are another command: help set",
)


def limit(ctx: Context, call: Call) -> Answer:
    """`game limit userid password [n | none]`: the most boards of a game that others may bring a player to."""
    player, game = ctx.asker.login(call), game_of(call)
    if (word := call.values.get("n")) is not None:
        if word != "none" and not re.fullmatch(r"\d{1,4}", word):
            raise PlayerError(
                "A limit is a number of boards, or the word none.",
                f"Send for example: {game.info.key} limit {player.userid} {PASSWORD} 5",
            )
        ctx.store.players.set_preference(player.id, game.info.key, "limit", word if word == "none" else str(int(word)))
    most, active = limit_of(ctx, player, game), ctx.store.board_lists.count_active(game.info.key, player.id)
    text = ctx.render("limit", game=game.info, player=player.userid, limit=most, active=active)
    return Answer(text, subject=f"{game.info.key.capitalize()} limit")


LIMIT = Command(
    "limit",
    "The most boards of this game that others may challenge you to at a time; 0 refuses all challenges. "
    "Without a number, says it.",
    limit,
    Scope.GAME,
    args=(*LOGIN, Arg("n", "a number, or none", optional=True)),
    example="{game} limit {userid} {password} 5",
    second="{game} limit {userid} {password} none",
    more="You yourself may still begin as many boards as you like. What is neither a number nor none is refused.",
)


def limit_of(ctx: Context, player: Player, game: AnyGame) -> int | None:
    """How many boards of a game a player wants to play at most; None: any number."""
    value = ctx.preferences(player).limits.get(game.info.key, "none")
    return None if value == "none" else int(value)


def _set(preference: Preference) -> Callable[[Context, Player, str], None]:
    """The function that sets one preference."""

    def change(ctx: Context, player: Player, value: str) -> None:
        known, values = _zone(player, value) if preference.zone else value, _values(ctx, preference)
        if not preference.zone and known not in values:
            choices = " or ".join(f"{preference.name}={v}" for v in values)
            raise PlayerError(f"The setting {preference.name} has no such value.", f"Write: {choices}")
        ctx.store.players.set_preference(player.id, "", preference.name, known)

    return change


def _values(ctx: Context, preference: Preference) -> Mapping[str, str]:
    """The values of a preference with what each means; an operator's templates may bring languages."""
    return ctx.site.renderer.languages if preference.name == "language" else preference.values


def _zone(player: Player, value: str) -> str:
    """The IANA name of a time zone; a city's name alone will do if it is the only one. Raises PlayerError."""
    names = times.zone_names()
    if value in names:
        return names[value]
    cities = {low: name for low, name in names.items() if low.rpartition("/")[2] == value}
    if len(cities) == 1:
        return next(iter(cities.values()))
    near = list(cities.values()) or [names[n] for n in get_close_matches(value, names, n=3, cutoff=0.5)]
    hint = f"Perhaps: {', '.join(near[:5])}\n" if near else ""
    example = near[0] if near else "Europe/Berlin"
    raise PlayerError(
        "There is no time zone of that name.",
        f"{hint}Send for example: set {player.userid} {PASSWORD} timezone={example}",
    )


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
    "block": _block,
    "unblock": _unblock,
}


def _list(ctx: Context, player: Player) -> str:
    found = ctx.preferences(player)
    rows = [(replace(p, values=_values(ctx, p)), getattr(found, p.name)) for p in PREFERENCES]
    blocked = ctx.store.readers.blocked_by(player.id)
    return ctx.render("preferences", player=player.userid, rows=rows, blocked=blocked, password=PASSWORD)
