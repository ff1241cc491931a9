"""News of boards as Atom feeds (RFC 4287): of one board, of a player, of a game; without private ones."""

from collections.abc import Iterator
from datetime import UTC, datetime
from urllib.parse import quote

from pbmserv.games.base.hidden import hides_moves, read_by
from pbmserv.games.base.log import Entry, Kind
from pbmserv.letters.text import move_list
from pbmserv.letters.text.wording import result_text
from pbmserv.model import BoardRow, LogLine
from pbmserv.model.boards import BoardState
from pbmserv.web import boards, people
from pbmserv.web.for_programs import tournament_news
from pbmserv.web.for_programs.atom import MOST, FeedEntry, feed, tag
from pbmserv.web.visit import LATER, SOON, File, Installation, Visit

BOARDS = 10  #: of a player, whose news are looked for: those that have changed last
_SAID = {
    Kind.RESIGN: "resigns",
    Kind.FORFEIT: "has run out of time",
    Kind.DECLINE: "declines the board",
    Kind.WORD: "gives a word for the dice",
    Kind.REVERT: "goes back to an earlier ply",
    Kind.VOID: "declares the board void",
    Kind.ADJUDICATE: "decides the board",
    Kind.FULL: "ends the board, because it became too long",
    Kind.IDLE: "ends the board, because the time of all who had to move ran out",
    Kind.SUBSTITUTE: "ends the board, because another one goes on from here with a substitute",
}

#: What a feed without any entry has as its time, and what names those that are older than all their boards.
_BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)


def board(visit: Visit) -> File:
    """Return the news of the board in the path. Raises HTTPException if it is private."""
    row = boards.find(visit)
    title = f"{row.game.info.name} board {row.number}"
    head = FeedEntry(tag(visit.place, row.created, f"board/{row.number}"), title, row.created, "", _page(row), "")
    age = LATER if row.board.result else SOON
    return feed(visit.place, head, lambda: _news(visit, row), age, boards.known(row))


def player(visit: Visit) -> File:
    """Return the news of the boards of the player in the path that are not private."""
    player = people.find(visit, "../{}/feed.atom")
    listed = visit.store.board_lists.search(
        player_ids=[player.id], state=BoardState.ALL, public=True, limit=BOARDS, by_change=True
    )
    rows = visit.store.boards.find_many([line.number for line in listed])
    path = f"/players/{quote(player.userid, safe='')}"
    id_ = tag(visit.place, player.created, f"player/{player.id}")  # an admin can change the userid
    head = FeedEntry(id_, f"Boards of {player.userid}", player.created, "", path, "")
    known = player.userid, [boards.known(row) for row in rows.values()]
    return feed(visit.place, head, lambda: (n for row in rows.values() for n in _news(visit, row)), SOON, known)


def game(visit: Visit) -> File:
    """Return which boards and tournaments of the game in the path have begun and ended lately, without private ones."""
    info = visit.game().info
    lists = (boards.search(visit, over=over, game=info.key, limit=MOST) for over in (False, True))
    rows = visit.store.boards.find_many([line.number for lines in lists for line in lines])
    of_boards = [n for row in rows.values() for n in _begun_and_over(visit.place, row)]
    news = [*of_boards, *tournament_news.of_game(visit, info.key)]
    began = min((row.created for row in rows.values()), default=_BEGINNING)
    path = f"/games/{quote(info.key, safe='')}"
    head = FeedEntry(tag(visit.place, _BEGINNING, f"game/{info.key}"), f"Boards of {info.name}", began, "", path, "")
    return feed(visit.place, head, lambda: news, SOON, (head, news))


def _begun_and_over(place: Installation, row: BoardRow) -> Iterator[FeedEntry]:
    """Return the beginning of a board, and its end."""
    players = ", ".join(player.shown for player in row.players)
    title, path = f"{row.game.info.name} {row.number}", _page(row)
    name = f"board/{row.number}"
    yield FeedEntry(
        tag(place, row.created, f"{name}/begun"), f"{title} has begun: {players}", row.created, players, path, players
    )
    if row.over and row.board.result:
        text = f"The board is over: {result_text(row)}"
        yield FeedEntry(tag(place, row.created, f"{name}/over"), f"{title}: {text}", row.over, players, path, text)


def _news(visit: Visit, row: BoardRow) -> Iterator[FeedEntry]:
    """Return the latest news of a board, the oldest first."""
    length = row.board.length
    since = max(length - MOST, 0)
    first = 0 if hides_moves(row.game) else since  # whether a move is still hidden depends on all before it
    lines = [x for x in visit.store.boards.log(row.number, first) if x.number <= length]
    entries = read_by(row.board, [line.entry for line in lines])[since - first :]
    lines = lines[since - first :]
    name, ply = f"{row.game.info.name} {row.number}", 0
    for line, entry in zip(lines, entries, strict=True):
        text = _said(row, entry, ply)
        ply = entry.ply
        if line.number == length and row.board.result:
            text = " ".join([text and f"{text}.", f"The board is over: {result_text(row)}"]).strip()
        if text:
            yield FeedEntry(
                id=tag(visit.place, row.created, f"board/{row.number}/entry/{line.number}"),
                title=f"{name}: {text}",
                when=line.at,
                author=move_list.doer(entry, row.players),
                path=_page(row, line),
                text="\n".join(move_list.events([entry], None, row)).strip() or text,
            )


def _said(row: BoardRow, entry: Entry, before: int) -> str:
    """Say what an entry did; "" for what changes nothing yet. `before`: the ply before it."""
    who = move_list.doer(entry, row.players)
    if entry.kind is Kind.MOVE:
        return f"ply {entry.ply}, {who} {entry.shown}" if len(row.players) > 1 else f"ply {entry.ply}, {entry.shown}"
    if entry.kind is Kind.ACCEPT and entry.ply < before:
        return f"{who} agrees: back to ply {entry.ply}"
    return f"{who} {_SAID[entry.kind]}" if entry.kind in _SAID else ""


def _page(row: BoardRow, line: LogLine | None = None) -> str:
    """Return the path of the board, or of a move on it that still stands."""
    stands = line and line.entry.kind is Kind.MOVE and line.entry.ply <= row.board.ply
    return f"/boards/{row.number}/{line.entry.ply}" if line and stands else f"/boards/{row.number}"
