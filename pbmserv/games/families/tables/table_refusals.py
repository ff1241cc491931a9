"""Why a turn is not possible in a game of tables, in the words of a player."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbmserv.games.families.tables.tables_row import HALF
from pbmserv.games.families.tables.tables_rules import TableRules, plays
from pbmserv.games.race.backgammon.legs import Leg
from pbmserv.games.race.backgammon.places import BAR, HOME, OFF, PIN, numbers
from pbmserv.games.race.backgammon.refusals import nobody_there, wrong_way
from pbmserv.games.race.backgammon.throws import Throw

_TWO = 2  #: dice of most games
_USE_BOTH = "both dice can be used, so they must be"


def obstacle(rules: TableRules, throw: Throw, legs: Sequence[Leg]) -> str:
    """Return the first reason why these legs are no legal turn."""
    return next(filter(None, _reasons(rules, throw, legs)))


def _reasons(rules: TableRules, throw: Throw, legs: Sequence[Leg]) -> Iterator[str]:
    yield wrong_way(legs)
    yield from _pinned(throw, legs)
    yield nobody_there(throw, legs)
    yield from _closed(rules, throw, legs)
    yield from _outside(rules, throw, legs)
    yield from _special(rules, throw, legs)
    yield from _dice(rules, throw, legs)


def _pinned(throw: Throw, legs: Sequence[Leg]) -> Iterator[str]:
    for place in (leg.path[0] for leg in legs):
        if any(throw.own[PIN + place : PIN + place + 1]) and place < BAR:
            yield f"your man on {place} is pinned"


def _closed(rules: TableRules, throw: Throw, legs: Sequence[Leg]) -> Iterator[str]:
    for place in (place for leg in legs for place in leg.path[1:] if place):
        if throw.other[rules.row.facing[place]] >= rules.row.holds or any(throw.own[PIN + place : PIN + place + 1]):
            yield f"your opponent holds the point {place}"


def _outside(rules: TableRules, throw: Throw, legs: Sequence[Leg]) -> Iterator[str]:
    """Men outside of the board, and men who bear off too early."""
    left = throw.own[BAR] - sum(leg.path[0] == BAR for leg in legs)
    if left > 0 and not rules.row.half_waits:
        yield "your men on the bar have to enter first"
    if left > 0 and any(leg.path[-1] <= HALF for leg in legs):
        yield "no man goes beyond 13 while men of yours are outside"
    before = any(throw.own[HOME + 1 : BAR]) or any(throw.own[PIN + HOME + 1 :])
    if before and any(leg.path[-1] == OFF for leg in legs) and not rules.dice_used(throw, legs):
        yield "you can bear off only when all your men are in your home board"


def _special(rules: TableRules, throw: Throw, legs: Sequence[Leg]) -> Iterator[str]:
    """Name the rule of the row without which this would be possible."""
    row = rules.row
    at_start, behind = replace(row, no_block_at_start=False), replace(row, no_block_behind=False)
    for other, reason in (
        (replace(row, head=0), "only one man may leave your point 24 in a turn"),
        (replace(row, scout=False), "first one man has to pass your opponent's start, your point 12"),
        (at_start, "six points in a row may be neither in your first quarter nor just before all men of your opponent"),
        (behind, "six points in a row need a man of your opponent before them"),
        (replace(row, hits_from_home=False), "you can hit only when a man of yours is in your home board"),
    ):
        if TableRules(other).dice_used(throw, legs) > rules.dice_used(throw, legs):
            yield reason


def _dice(rules: TableRules, throw: Throw, legs: Sequence[Leg]) -> Iterator[str]:
    used, dice = rules.dice_used(throw, legs), rules.dice_of(throw.dice)
    most = max(len(steps) for ways in plays(rules, throw).values() for steps in ways)
    if any(leg.stars for leg in legs) and used == most:
        yield "there is no single man where your turn has a star"
    if used == most == 1 and len(set(dice)) > 1:
        yield f"only one die can be used, and it must be the higher one, {dice[0]}"
    if 0 < used < most:
        yield _USE_BOTH if most == len(dice) == _TWO else f"{most} dice can be used, so they must be"
    if len(dice) > 1 and len(set(dice)) == 1 and len(throw.dice) == _TWO:
        yield f"{len(dice)} times {dice[0]} does not lead there"
    yield f"{numbers(dice)} do not lead there"
