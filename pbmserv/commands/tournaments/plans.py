"""Reads what an organiser decides about a tournament: its form, its start, its size, and the terms of its boards."""

import re
from dataclasses import replace
from datetime import date, datetime, time, tzinfo

from pbmserv.boards.seasons.calendar_of_seasons import EVERY
from pbmserv.commands.starting import read_terms
from pbmserv.errors import PlayerError
from pbmserv.inbox.command import TERMS, Call, Setting, game_of
from pbmserv.inbox.context import Context
from pbmserv.letters.text import times
from pbmserv.model import TournamentPlan
from pbmserv.tournaments.forms import FORMS, GROUPS, LADDER, LEAGUE, MATCH, SWISS, swiss

USUAL_VACATION = 14  #: days of vacation that count on each board, if the organiser says nothing else
_MOST_VACATION = 60
_LONGEST_TEAM = 20
_TEAM = re.compile(r"[^\W_][\w-]*")


#: The forms in which a tournament can be played.
FORM_NAMES = (*FORMS, LADDER)
#: What the size of a form counts.
_COUNTED = {LEAGUE: "players in a division", GROUPS: "players in a group", MATCH: "boards of a match"}
ROUNDS = range(3, 16)  #: of a swiss tournament
_OF_BOARDS = tuple(s for s in TERMS if s.name not in ("private", "random"))
#: The options of a new tournament, before those of its boards.
PLAN_SETTINGS = (
    Setting("form", f"how it is played: {', '.join(FORM_NAMES)}", "FORM"),
    Setting("start", "the day on which it begins, such as 2030-01-31", "DATE"),
    Setting("size", "players in a division (9) or group (5), or boards of a match (50)", "NUMBER"),
    Setting("rounds", "rounds of the form swiss (as many as it needs)", "NUMBER"),
    Setting("name", "a name; for a blank write _ (the game and the form)", "NAME", cased=True),
    Setting("every", f"when a new season begins: {', '.join(EVERY)}", "TIME"),
    Setting("robots", "robots can take part, too", "yes"),
    Setting("vacation", f"days of vacation that count on each board ({USUAL_VACATION})", "DAYS"),
    Setting("teams", "the names of the two teams of a match", "TEAM,TEAM", cased=True),
    *_OF_BOARDS,
)


def read_plan(ctx: Context, call: Call) -> TournamentPlan:
    """Return the plan that a line describes. Raises PlayerError."""
    game, terms = game_of(call), read_terms(ctx, call)
    if 2 not in game.info.seats:
        raise PlayerError(
            f"{game.info.name} cannot be played by two, and the boards of a tournament have two players.",
            "To see the games, send: games",
        )
    form = _form(call)
    name = call.settings.get("name", "").replace("_", " ").strip() or f"{game.info.name} {form}"
    return TournamentPlan(
        game=game.info.key,
        name=" ".join(name.split()),
        form=form,
        options=terms.options,
        settings=replace(terms.settings, vacation=_vacation(call)),
        start=_start(call, ctx.reader_zone(), ctx.now),
        size=_size(call, form),
        rounds=_rounds(call, form),
        every=_every(call, form),
        robots=_robots(call),
        teams=_teams(call, form),
        zone=ctx.authentication.timezone,
    )


def _form(call: Call) -> str:
    form = call.settings.get("form")
    if form is None:
        raise PlayerError("A tournament needs a form.", f"Available: {', '.join(f'--form={f}' for f in FORM_NAMES)}")
    if form not in FORM_NAMES:
        raise PlayerError("There is no form of that name.", f"Available: {', '.join(FORM_NAMES)}")
    if form == SWISS:
        swiss.demand_engine()
    return form


def _start(call: Call, zone: tzinfo, now: datetime) -> datetime:
    """Return the beginning of a day in the organiser's time zone. Raises PlayerError."""
    try:
        day = date.fromisoformat(call.settings.get("start", ""))
    except ValueError:
        example = f"{now + 14 * times.DAY:%Y-%m-%d}"
        raise PlayerError(
            "A tournament needs the day on which it begins.", f"Write for example: --start={example}"
        ) from None
    return datetime.combine(day, time(), zone)


def _size(call: Call, form: str) -> int:
    kind, text = FORMS.get(form), call.settings.get("size")
    if text is None:
        return kind.usual if kind else 0
    if kind is None or not kind.sizes:
        raise PlayerError(f"A tournament of the form {form} has no size.", "Leave out --size.")
    if text not in map(str, kind.sizes):
        raise PlayerError(
            f"The size is the number of {_COUNTED[form]}, from {kind.sizes[0]} to {kind.sizes[-1]}.",
            f"Write for example: --size={kind.usual}",
        )
    return int(text)


def _rounds(call: Call, form: str) -> int | None:
    text = call.settings.get("rounds")
    if text is None:
        return None
    if form != SWISS:
        raise PlayerError("Only the form swiss has a number of rounds.", "Leave out --rounds.")
    if text not in map(str, ROUNDS):
        raise PlayerError(
            f"'--rounds' needs a number from {ROUNDS[0]} to {ROUNDS[-1]}.", "Write for example: --rounds=5"
        )
    return int(text)


def _every(call: Call, form: str) -> str:
    every = call.settings.get("every", "")
    if every and form == LADDER:
        raise PlayerError("A ladder has no seasons: it goes on and on.", "Leave out --every.")
    return every


def _robots(call: Call) -> bool:
    word = call.settings.get("robots", "no")
    if word not in ("yes", "no"):
        raise PlayerError("'--robots' is yes or no.", "Write: --robots=yes")
    return word == "yes"


def _vacation(call: Call) -> float | None:
    text = call.settings.get("vacation", str(USUAL_VACATION))
    if text == "none":
        return None
    if not text.isascii() or not text.isdecimal() or int(text) > _MOST_VACATION:
        raise PlayerError(
            f"'--vacation' needs a number of days from 0 to {_MOST_VACATION}, or the word none.",
            f"Write for example: --vacation={USUAL_VACATION}",
        )
    return float(text)


def _teams(call: Call, form: str) -> tuple[str, str] | None:
    text = call.settings.get("teams")
    if (text is None) != (form != MATCH):
        if text is None:
            raise PlayerError("A match needs the names of its two teams.", "Write for example: --teams=North,South")
        raise PlayerError("Only a match has teams.", "Leave out --teams.")
    if text is None:
        return None
    names = text.split(",")
    good = [n for n in names if _TEAM.fullmatch(n) and len(n) <= _LONGEST_TEAM]
    if len(names) != 2 or len(good) != 2 or names[0].casefold() == names[1].casefold():
        raise PlayerError(
            f"A match has two teams, with two names of up to {_LONGEST_TEAM} letters, without blanks.",
            "Write for example: --teams=North,South",
        )
    return names[0], names[1]
