"""Pages about players, games and standings."""

from typing import NamedTuple
from urllib.parse import quote

from pbmserv import games
from pbmserv.boards.ratings import rating_formula
from pbmserv.commands.show import by_game
from pbmserv.games.base import Info
from pbmserv.games.base.kinds import family_of
from pbmserv.letters.text import times
from pbmserv.letters.text.wording import day
from pbmserv.model import Player, RatingLine
from pbmserv.model.ratings import ScoreLine
from pbmserv.web import displays
from pbmserv.web.boards import A_PAGE, NEWEST, listed, rest_of
from pbmserv.web.seasons.titles import titles_in, titles_of
from pbmserv.web.visit import Page, Visit, missing, moved

MOST_RATED = 100  #: players on a page of a table
MOST_SCORES = 100  #: players in a high-score table


class ScoreTable(NamedTuple):
    """The high scores with one set of options. `players`: how many people there are, also those who are not shown."""

    variant: str
    lines: list[ScoreLine]
    players: int


def player(visit: Visit) -> Page:
    """Show what `who` says about a player, and the player's boards, without private ones."""
    player = find(visit)
    away = visit.store.players.away_until([player.id], visit.now.timestamp()).get(player.id)
    page, before = rest_of(
        listed(visit, over=True, player_ids=[player.id], before=visit.asked("before"), limit=A_PAGE + 1)
    )
    robot = visit.store.robots.find(player.id) if player.robot else None
    data = {
        "userid": player.userid,
        "mind": robot.mind if robot else "",
        "closed": player.password_hash is None,
        "since": day(player.created),
        "away": day(times.from_seconds(away)) if away else "",
        "games": [{**line, "name": games.find(str(line["game"])).info.name} for line in by_game(visit.store, player)],
        "tournaments": _tournaments(visit, player),
        "titles": titles_of(visit.store, player),
        "running": listed(visit, player_ids=[player.id]),
        "finished": page,
        "before": before,
    }
    return Page("player.html", data)


def _tournaments(visit: Visit, player: Player) -> list[tuple[int, str]]:
    """Return the tournaments in which somebody takes part now or next: number, name."""
    numbers = {entry.tournament for entry in visit.store.tournaments.entries_of(player.id)}
    return sorted(visit.store.tournaments.names(numbers).items())


def find(visit: Visit, form: str = "{}") -> Player:
    """Return the player in the path. Raises HTTPException if there is none; if the name is an old one, to the new page.

    `form`: the path of that page, seen from this one.
    """
    player = visit.store.players.find(visit.userid())
    if player is None:
        raise missing("player", visit.userid())
    if new := visit.store.players.renamed_to(player):
        raise moved(form.format(quote(new.userid, safe="")))
    return player


def game(visit: Visit) -> Page:
    """Show a game and its newest boards."""
    game = visit.game()
    info = game.info
    running, over = (listed(visit, over=o, game=info.key, limit=NEWEST) for o in (False, True))
    family = family_of((g.info for g in visit.place.games), info.key)
    return Page(
        "game.html",
        {
            "info": info,
            "has_picture": displays.has_picture(game),
            "running": running,
            "finished": over,
            "family": family,
        },
    )


def standings(visit: Visit) -> Page:
    """Show the ratings of a game, or the high scores of a solitaire."""
    info = visit.game().info
    return _scores(visit, info) if info.seats == (1,) else _ratings(visit, info)


def _ratings(visit: Visit, info: Info) -> Page:
    count, (first, lines) = visit.store.ratings.count(info.key), rated(visit, info)
    rows = [(place, userid, rating_formula.shown(r), r) for place, userid, r in lines]
    beyond = first + len(rows)
    data = {"info": info, "rows": rows, "count": count, "next": beyond if beyond <= count else None}
    data |= {"titles": titles_in(visit.store, info.key, [userid for _, userid, *_ in rows])}
    return Page("standings.html", data | {"previous": max(first - MOST_RATED, 1) if first > 1 else None})


def rated(visit: Visit, info: Info) -> tuple[int, list[RatingLine]]:
    """Return the first place that is wanted, and the rated players from there on, as many as a page shows."""
    first = max(visit.asked("from") or 1, 1)
    return first, visit.store.ratings.standings(info.key, first - 1, MOST_RATED)


def score_tables(visit: Visit, info: Info) -> list[ScoreTable]:
    """Return the high scores of a solitaire, for each set of options."""
    variants = visit.store.ratings.variants(info.key)
    return [ScoreTable(v, visit.store.ratings.scores(info.key, v, MOST_SCORES), n) for v, n in variants.items()]


def _scores(visit: Visit, info: Info) -> Page:
    tables = score_tables(visit, info)
    return Page("scores.html", {"info": info, "tables": tables, "most": MOST_SCORES})
