"""The news of tournaments for Atom feeds: their announcements, the boards that end, and who wins a season."""

from collections.abc import Iterator

from pbmserv.letters.text.wording import day
from pbmserv.model import TournamentRow
from pbmserv.tournaments.entrants import DRAW, WIN
from pbmserv.web.for_programs.atom import MOST, FeedEntry, feed, tag
from pbmserv.web.seasons import tournament_pages
from pbmserv.web.visit import SOON, File, Visit

SEASONS = 5  #: of a tournament, whose winners are named: the latest
_OF_GAME = 10  #: tournaments of a game, whose news are looked for: the newest
_SAID = {WIN: "{} wins against {}", DRAW: "{} and {} draw", 0: "{} loses to {}"}


def tournament(visit: Visit) -> File:
    """Return the news of the tournament in the path: its announcement, boards that ended, winners of seasons."""
    row = tournament_pages.find(visit)
    news = [*_milestones(visit, row), *_ended(visit, row)]
    title = f"Tournament {row.number}: {row.plan.name}"
    head = FeedEntry(tag(visit.place, row.created, f"tournament/{row.number}"), title, row.created, "", _page(row), "")
    return feed(visit.place, head, lambda: news, SOON, (head, news))


def of_game(visit: Visit, game: str) -> Iterator[FeedEntry]:
    """Return announcements and winners of the newest tournaments of a game."""
    for row in visit.store.tournaments.all(game, limit=_OF_GAME):
        yield from _milestones(visit, row)


def _milestones(visit: Visit, row: TournamentRow) -> Iterator[FeedEntry]:
    """Return the announcement of a tournament, and the ends of its latest seasons."""
    place, name = visit.place, row.plan.name
    id_ = f"tournament/{row.number}"
    title = f"{name} is announced"
    when = f"It begins on {day(row.plan.start)}." if row.state in ("open", "closed") else title
    yield FeedEntry(tag(place, row.created, f"{id_}/announced"), title, row.created, "PBM Server", _page(row), when)
    last = row.season - 1 if row.has_begun else row.season
    for season in range(max(1, last - SEASONS + 1), last + 1):
        over = visit.store.tournaments.last_decided(row.number, season)
        winners = visit.store.tournaments.winners(row.number, season)
        if over is None or not winners:
            continue
        title = f"{name}, season {season}: {', '.join(winners)} wins"
        path = f"{_page(row)}?season={season}"
        yield FeedEntry(tag(place, row.created, f"{id_}/season/{season}"), title, over, winners[0], path, title)


def _ended(visit: Visit, row: TournamentRow) -> Iterator[FeedEntry]:
    """Return the pairings of the shown season that were decided last on boards."""
    pairings = visit.store.tournaments.latest_decided(row.number, row.shown_season, MOST)
    players = {player for p in pairings for player in (p.first, p.second) if player is not None}
    names = {p.id: p.userid for p in visit.store.players.by_ids(players)} if players else {}
    for p in pairings:
        if p.board is None or p.decided is None or p.second is None:
            continue
        both = names[p.first], names[p.second]
        text = ("counts for nobody: {}, {}" if p.points is None else _SAID[p.points]).format(*both)
        if p.forfeiter is not None:
            text = f"{text} by forfeit" if p.points is not None else "{}, {} lose by forfeit".format(*both)
        title = f"{row.plan.name}, board {p.board}: {text}"
        id_ = tag(visit.place, row.created, f"tournament/{row.number}/pairing/{p.id}")
        yield FeedEntry(id_, title, p.decided, ", ".join(both), f"/boards/{p.board}", text)


def _page(row: TournamentRow) -> str:
    return f"/tournaments/{row.number}"
