"""Lists and standings as JSON, for other programs: what the pages with the same paths show.

Fields may be added without a new VERSION. If one changes its meaning or goes, the version becomes another one.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import datetime

from starlette.exceptions import HTTPException

from pbmserv.boards.ratings import rating_formula
from pbmserv.letters.letters import habits_of
from pbmserv.letters.text import times
from pbmserv.letters.text.wording import Habits
from pbmserv.model import Listed, Player, Rating, Seek
from pbmserv.web import boards, people
from pbmserv.web.seasons.titles import titles_in, titles_of
from pbmserv.web.visit import SOON, File, Visit

VERSION = 1
MEDIA_TYPE = "application/json"


def as_json(visit: Visit, kind: str, data: Mapping[str, object]) -> File:
    """Return an answer of one kind. Times in it are in UTC (RFC 3339). Raises HTTPException if there are none here."""
    if not visit.place.json_lists:
        raise HTTPException(404, "This server has no lists as JSON.")
    whole = {"version": VERSION, "kind": kind, **data}
    return File(json.dumps(whole, indent=1, ensure_ascii=False, default=_of_moment), MEDIA_TYPE, SOON)


def fields(value: object, names: str) -> dict[str, object]:
    """Return the fields of a value that programs are shown by their own names."""
    return {name: getattr(value, name) for name in names.split()}


def _of_moment(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")


def home(visit: Visit) -> File:
    """Return the games, the newest running boards, and the open seeks."""
    seeks = boards.seeks(visit)
    habits = habits_of(visit.store, {p for seek in seeks for p in seek.players})
    data = {
        "address": visit.place.address,
        "games": [{"game": g.info.key, "name": g.info.name, "seats": list(g.info.seats)} for g in visit.place.games],
        "boards": [_board(b) for b in boards.search(visit, limit=boards.NEWEST)],
        "seeks": [_seek(seek, habits) for seek in seeks],
    }
    return as_json(visit, "home", data)


def running(visit: Visit) -> File:
    """Return running boards, only of one game if the path names one."""
    return _boards(visit, over=False)


def finished(visit: Visit) -> File:
    """Return finished boards, only of one game if the path names one."""
    return _boards(visit, over=True)


def standings(visit: Visit) -> File:
    """Return the ratings of a game, or the high scores of a solitaire."""
    info = visit.game().info
    robots = visit.store.players.robots()
    if info.seats == (1,):
        tables = [
            {
                "options": table.variant,
                "players": table.players,
                "scores": [
                    {"place": x.place, "player": x.userid, "robot": x.userid in robots, "best": float(x.best)}
                    for x in table.lines
                ],
            }
            for table in people.score_tables(visit, info)
        ]
        return as_json(visit, "scores", {"game": info.key, "tables": tables})
    first, lines = people.rated(visit, info)
    won = titles_in(visit.store, info.key, [userid for _, userid, _ in lines])
    rows = [
        {
            "place": place,
            "player": userid,
            "robot": userid in robots,
            "rating": _rating(rating),
            "titles": [title._asdict() for title in won.get(userid, ())],
        }
        for place, userid, rating in lines
    ]
    count, beyond = visit.store.ratings.count(info.key), first + len(rows)
    onward = f"/games/{info.key}/standings.json?from={beyond}" if beyond <= count else None
    return as_json(visit, "standings", {"game": info.key, "players": count, "standings": rows, "next": onward})


def player(visit: Visit) -> File:
    """Return what the page of a player shows, without the list of finished boards."""
    player = people.find(visit, "{}.json")
    away = visit.store.players.away_until([player.id], visit.now.timestamp()).get(player.id)
    data = {
        "player": player.userid,
        "robot": player.userid in visit.store.players.robots(),
        "closed": player.password_hash is None,
        "since": player.created.date().isoformat(),
        "away_until": times.from_seconds(away) if away else None,
        "games": list(_games_of(visit, player)),
        "running": [_board(b) for b in boards.search(visit, player_ids=[player.id])],
        "titles": [title._asdict() for title in titles_of(visit.store, player)],
    }
    return as_json(visit, "player", data)


def _boards(visit: Visit, *, over: bool) -> File:
    key = visit.game().info.key if "game" in visit.path else None
    lines = boards.search(visit, over=over, game=key, before=visit.asked("before"), limit=boards.A_PAGE + 1)
    page = lines[: boards.A_PAGE]
    path = f"{f'/games/{key}' if key else '/boards'}{_END[bool(key), over]}"
    onward = f"{path}.json?before={page[-1].number}" if len(lines) > len(page) else None
    return as_json(visit, "boards", {"over": over, "boards": [_board(b) for b in page], "next": onward})


#: How the path of a list ends: whether it is of one game, whether the boards are over.
_END = {(True, False): "/boards", (True, True): "/finished", (False, False): "", (False, True): "/finished"}


def _games_of(visit: Visit, player: Player) -> Iterator[dict[str, object]]:
    counts = visit.store.board_lists.counts_by_game(player.id)
    ratings = visit.store.ratings.find_many(counts, player.id)
    for key, (running, finished) in sorted(counts.items()):
        rating = ratings.get(key)
        yield {"game": key, "rating": _rating(rating) if rating else None, "running": running, "finished": finished}


def _rating(rating: Rating) -> dict[str, object]:
    """`established`: whether there were enough rated boards that pages show it without a question mark."""
    return {
        "points": rating_formula.points(rating.mu),
        "established": rating.boards >= rating_formula.ESTABLISHED,
        **fields(rating, "boards won drawn lost"),
    }


def _board(board: Listed) -> dict[str, object]:
    told = fields(board, "number game options ply players to_move changed")
    return {**told, "result": board.result and fields(board.result, "reason ranks")}


def _seek(seek: Seek, habits: Mapping[str, Habits]) -> dict[str, object]:
    """`settings`, `days_off` and `auto_vacation` are as in a record."""
    return {
        **fields(seek, "number game options"),
        "players": [p.userid for p in seek.players],
        "seats": seek.seats,
        "rated": seek.settings.rated,
        "settings": asdict(seek.settings),
        "days_off": [",".join(habits[p.userid].days_off) for p in seek.players],
        "auto_vacation": [habits[p.userid].auto for p in seek.players],
        "ratings": seek.rating or None,
        "since": seek.created,
    }
