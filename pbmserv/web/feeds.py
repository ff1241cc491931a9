"""News of boards as Atom feeds (RFC 4287): of one board, of a player, of a game; without private ones."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote
from xml.etree import ElementTree

from pbmserv.games.base.log import Entry, Kind, public_log
from pbmserv.letters.text import move_list
from pbmserv.letters.text.wording import result_text
from pbmserv.store import BoardRow
from pbmserv.store.boards import LogLine
from pbmserv.web import boards, people
from pbmserv.web.visit import LATER, SOON, File, Installation, Visit

MOST = 50  #: entries of a feed
BOARDS = 10  #: of a player, whose news are looked for: those that have changed last
MEDIA_TYPE = "application/atom+xml"
_ATOM = "http://www.w3.org/2005/Atom"
_SAID = {
    Kind.RESIGN: "resigns",
    Kind.FORFEIT: "has run out of time",
    Kind.DECLINE: "declines the invitation",
    Kind.WORD: "gives a word for the dice",
    Kind.REVERT: "goes back to an earlier ply",
    Kind.VOID: "declares the board void",
    Kind.ADJUDICATE: "decides the board",
    Kind.FULL: "ends the board, because it became too long",
    Kind.SUBSTITUTE: "ends the board, because another one goes on from here with a substitute",
}

#: What a feed without any entry has as its time, and what names those that are older than all their boards.
_BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)

ElementTree.register_namespace("", _ATOM)


@dataclass(frozen=True)
class FeedEntry:
    """An entry of a feed. `path`: of the page that shows it."""

    id: str
    title: str
    when: datetime
    author: str
    path: str
    text: str


def board(visit: Visit) -> File:
    """Return the news of the board in the path. Raises HTTPException if it is private."""
    row = boards.find(visit)
    title = f"{row.game.info.name} board {row.number}"
    found = _newest(_news(visit, row))
    head = FeedEntry(_tag(visit.place, row.created, f"board/{row.number}"), title, row.created, "", _page(row), "")
    return _feed(visit.place, head, found, LATER if row.board.result else SOON)


def player(visit: Visit) -> File:
    """Return the news of the boards of the player in the path that are not private."""
    found = people.find(visit)
    listed = visit.store.board_lists.search(
        player_ids=[found.id], state="all", public=True, limit=BOARDS, by_change=True
    )
    rows = visit.store.boards.find_many([line.number for line in listed])
    news = _newest(n for row in rows.values() for n in _news(visit, row))
    path = f"/players/{quote(found.userid, safe='')}"
    id_ = _tag(visit.place, found.created, f"player/{found.id}")  # an admin can change the userid
    head = FeedEntry(id_, f"Boards of {found.userid}", found.created, "", path, "")
    return _feed(visit.place, head, news, SOON)


def game(visit: Visit) -> File:
    """Return which boards of the game in the path have begun and ended lately, without private ones."""
    info = visit.game().info
    lists = (boards.search(visit, over=over, game=info.key, limit=MOST) for over in (False, True))
    rows = visit.store.boards.find_many([line.number for found in lists for line in found])
    news = _newest(n for row in rows.values() for n in _begun_and_over(visit.place, row))
    began = min((row.created for row in rows.values()), default=_BEGINNING)
    path = f"/games/{quote(info.key, safe='')}"
    head = FeedEntry(_tag(visit.place, _BEGINNING, f"game/{info.key}"), f"Boards of {info.name}", began, "", path, "")
    return _feed(visit.place, head, news, SOON)


def _begun_and_over(place: Installation, row: BoardRow) -> Iterator[FeedEntry]:
    """Return the beginning of a board, and its end."""
    players = ", ".join(player.shown for player in row.players)
    title, path = f"{row.game.info.name} {row.number}", _page(row)
    tag = f"board/{row.number}"
    yield FeedEntry(
        _tag(place, row.created, f"{tag}/begun"), f"{title} has begun: {players}", row.created, players, path, players
    )
    if row.over and row.board.result:
        said = f"The board is over: {result_text(row)}"
        yield FeedEntry(_tag(place, row.created, f"{tag}/over"), f"{title}: {said}", row.over, players, path, said)


def _newest(news: Iterable[FeedEntry]) -> list[FeedEntry]:
    """Return the latest of these; of one board and one moment, that which came last is the first."""
    return sorted(news, key=lambda n: n.when)[: -MOST - 1 : -1]


def _news(visit: Visit, row: BoardRow) -> Iterator[FeedEntry]:
    """Return the latest news of a board, the oldest first."""
    length = row.board.length
    lines = [x for x in visit.store.boards.log(row.number, max(length - MOST, 0)) if x.number <= length]
    entries = public_log(row.game, [line.entry for line in lines], over=row.over is not None)
    name, ply = f"{row.game.info.name} {row.number}", 0
    for line, entry in zip(lines, entries, strict=True):
        said = _said(row, entry, ply)
        ply = entry.ply
        if line.number == length and row.board.result:
            said = " ".join([said and f"{said}.", f"The board is over: {result_text(row)}"]).strip()
        if said:
            yield FeedEntry(
                id=_tag(visit.place, row.created, f"board/{row.number}/entry/{line.number}"),
                title=f"{name}: {said}",
                when=line.at,
                author=move_list.doer(entry, row.players),
                path=_page(row, line),
                text="\n".join(move_list.events([entry], None, row.players)).strip() or said,
            )


def _said(row: BoardRow, entry: Entry, before: int) -> str:
    """Say what an entry did; "" for what changes nothing yet. `before`: the ply before it."""
    who = move_list.doer(entry, row.players)
    if entry.kind is Kind.MOVE:
        return f"ply {entry.ply}, {who} {entry.text}" if len(row.players) > 1 else f"ply {entry.ply}, {entry.text}"
    if entry.kind is Kind.ACCEPT and entry.ply < before:
        return f"{who} agrees: back to ply {entry.ply}"
    return f"{who} {_SAID[entry.kind]}" if entry.kind in _SAID else ""


def _page(row: BoardRow, line: LogLine | None = None) -> str:
    """Return the path of the board, or of a move on it that still stands."""
    stands = line and line.entry.kind is Kind.MOVE and line.entry.ply <= row.board.ply
    return f"/boards/{row.number}/{line.entry.ply}" if line and stands else f"/boards/{row.number}"


def _tag(place: Installation, since: datetime, path: str) -> str:
    """Return a name that nothing else has, and that stays the same wherever the pages are (RFC 4151)."""
    return f"tag:{place.address.replace('=', '-')},{since:%Y-%m-%d}:{path}"


def _feed(place: Installation, head: FeedEntry, news: Sequence[FeedEntry], max_age: int) -> File:
    """Make a feed; the times, titles and paths of `head` are its own."""
    updated = max([head.when, *(n.when for n in news)])
    feed = ElementTree.Element(f"{{{_ATOM}}}feed")
    _describe(feed, head.id, head.title, updated, f"{place.web_url}{head.path}")
    here = {"rel": "self", "type": MEDIA_TYPE, "href": f"{place.web_url}{head.path}/feed.atom"}
    _add(feed, "link", **here)
    _add(_add(feed, "author"), "name", "PBM Server")
    for n in news:
        entry = _add(feed, "entry")
        _describe(entry, n.id, n.title, n.when, f"{place.web_url}{n.path}")
        _add(_add(entry, "author"), "name", n.author)
        _add(entry, "content", n.text, type="text")
    return File(ElementTree.tostring(feed, "utf-8", xml_declaration=True), MEDIA_TYPE, max_age)


def _describe(element: ElementTree.Element, id_: str, title: str, updated: datetime, href: str) -> None:
    """Add what feeds and entries have in common."""
    _add(element, "id", id_)
    _add(element, "title", title)
    _add(element, "updated", updated.isoformat(timespec="seconds"))
    _add(element, "link", rel="alternate", type="text/html", href=href)


def _add(parent: ElementTree.Element, name: str, text: str = "", **attributes: str) -> ElementTree.Element:
    element = ElementTree.SubElement(parent, f"{{{_ATOM}}}{name}", attributes)
    element.text = _clean(text) or None
    return element


def _clean(text: Iterable[str]) -> str:
    """Leave out what XML does not allow: nothing of ours has it, but a restored database could."""
    return "".join(c for c in text if c.isprintable() or c == "\n")
