"""`pbmserv stats`: how much is played, and how quickly."""

from __future__ import annotations

from datetime import datetime, timedelta
from math import ceil
from typing import TYPE_CHECKING

from pbmserv.cli.terminal.console import AsJson, errors, listing, print_json
from pbmserv.cli.terminal.database import reading
from pbmserv.cli.terminal.when import Since, since

if TYPE_CHECKING:
    from pbmserv.store import Store

_USUAL = timedelta(days=14)
_PARTS = {"half within": 0.5, "nine of ten within": 0.9, "all within": 1.0}


def stats(begin: Since = "", as_json: AsJson = False) -> None:
    """Count mails, moves and letters by day, boards by game, and how fast players move. Without --since: 14 days.

    For example: pbmserv stats --since "30 days"
    """
    from pbmserv.letters.text.wording import duration

    moment = since(begin, _USUAL)
    with reading() as store, errors.status("Counting …"):
        days, games = _days(store, moment), _games(store, moment)
        seconds = store.operations.answer_seconds(moment)
    answers = {name: seconds[ceil(part * len(seconds)) - 1] for name, part in _PARTS.items() if seconds}
    if as_json:
        print_json({"since": moment, "days": days, "games": games, "answers": len(seconds), "seconds": answers})
        return
    listing(days, {key: key for key in ("day", "mails", "moves", "letters")}, as_json)
    listing(games, {key: key for key in ("game", "running", "begun", "ended")}, as_json)
    answered = {"moves in games of several": len(seconds)} | {name: duration(s) for name, s in answers.items()}
    listing([answered], {name: name for name in answered}, as_json)


def _days(store: Store, begin: datetime) -> list[dict[str, object]]:
    counts = store.operations.by_day(begin)
    days = sorted(set().union(*counts.values()))
    return [{"day": day} | {name: count.get(day, 0) for name, count in counts.items()} for day in days]


def _games(store: Store, begin: datetime) -> list[dict[str, object]]:
    counts = store.operations.boards_by_game(begin)
    return [{"game": g, "running": r, "begun": b, "ended": e} for g, (r, b, e) in counts.items()]
