"""Rulings of an admin on a board. All but more time are in its log (ADR 10), and its players get a letter."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from pbmserv.admin.desk import Desk
from pbmserv.boards import entries
from pbmserv.boards.clocks import deadlines
from pbmserv.boards.news import BoardNews, News, all_news
from pbmserv.boards.queued_moves import play_queued
from pbmserv.commands.play import expected, split_words
from pbmserv.errors import PlayerError
from pbmserv.games import demand_installed
from pbmserv.games.base import Seat
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Change
from pbmserv.games.base.hidden import read_by
from pbmserv.games.base.log import Entry, Kind, standing
from pbmserv.letters.board_letters import write_news
from pbmserv.letters.text.times import from_seconds
from pbmserv.letters.text.wording import duration, result_text
from pbmserv.model import BoardRow, Player


def undo(desk: Desk, number: int, ply: int | None = None, past_chance: bool = False) -> BoardRow:
    """Take back the last thing that changed a board, its end included; or all after a ply.

    Raises PlayerError if a result of chance or something hidden was revealed since then, because the same would come
    again; `past_chance` allows this. Always raises it for a finished board with chance or hidden things that
    would go on: its end told the seed, so all later results are known.
    """
    row = desk.board(number)
    log = desk.store.boards.entries(number)
    length = _before_last(row.board, log) if ply is None else _after_ply(row.board, log, ply)
    reverted = play.revert(row.board, log, length)
    if known := desk.store.boards.continuation(number):
        raise PlayerError(f"Board {number} goes on as board {known} with a substitute.", f"Rule on board {known}.")
    if row.board.result and not reverted.board.result:
        _demand_secret(row, reverted.board.ply)
    if not past_chance and any(e.fixed for e in log[length:]):
        raise PlayerError(
            "Chance or hidden things came to light since, and the same would come again: the players know it now.",
            "If that is to be so, add: --past-chance",
        )
    if reverted.board.out != row.board.out:
        desk.store.challenges.forget_seeks_for(number, desk.now)
    row = _write(desk, row, reverted)
    desk.note(f"board {number}: undo to ply {row.board.ply}, {len(log) - length} entries")
    return _tell(desk, row, len(log), "undo", ply=row.board.ply)


def void(desk: Desk, number: int) -> BoardRow:
    """End a board without a result, or cancel its result. Nobody wins, and nothing is rated."""
    row = desk.board(number)
    since = row.board.length
    row = _write(desk, row, play.void(row.board))
    desk.note(f"board {number}: void")
    return _tell(desk, row, since, "void")


def adjudicate(desk: Desk, number: int, order: Sequence[str]) -> BoardRow:
    """Set the result of a board. `order`: the players, the winner first; the others come last; empty: a draw."""
    row = desk.board(number)
    since = row.board.length
    row = _write(desk, row, play.adjudicate(row.board, _ranks(row, order)))
    desk.note(f"board {number}: adjudicate, {result_text(row)}")
    return _tell(desk, row, since, "adjudicate")


def move(desk: Desk, number: int, userid: str, words: Sequence[str]) -> BoardRow:
    """Play moves for a player: either all or none. The log marks each of them."""
    row, player = desk.board(number), desk.player(userid)
    since = row.board.length
    _seats(row, player.userid)  # raises PlayerError if there is none
    demand_installed(row.game)
    for word in split_words(row.board, row.seat_to_move(player), words):
        seat = row.seat_to_move(player)
        row = _write(desk, row, play.in_stead(row.board))
        change = play.play(row.board, seat, expected(row.board, word))
        row = _write(desk, row, change)
    log = desk.store.boards.entries(number)
    desk.note(f"board {number}: move for {player.userid}, {_moves(log[since:])}")
    return _tell(desk, row, since, "move", player=player.userid, moves=_moves(read_by(row.board, log)[since:]))


def extend(desk: Desk, number: int, userid: str, time: timedelta) -> tuple[BoardRow, datetime]:
    """Give a player more time for this turn, and return when it ends now. Raises PlayerError if no time runs out."""
    row, player = desk.board(number), desk.player(userid)
    seat = next((seat for seat in _seats(row, player.userid) if seat in row.board.to_move), None)
    if row.board.result or seat is None:
        raise PlayerError(f"{player.userid} is not to move on board {number}, so no time runs out.")
    clock = deadlines.extend(row.clocks[seat], row.settings, time.total_seconds())
    limit = deadlines.limit_of(clock, row.settings)
    if limit is None:
        raise PlayerError(f"Board {number} has no time limit.")
    desk.store.boards.set_clock(number, seat, clock)
    row = replace(row, clocks=(*row.clocks[:seat], clock, *row.clocks[seat + 1 :]))
    desk.note(f"board {number}: {duration(time.total_seconds())} more for {player.userid}")
    data = {"what": "extend", "why": desk.admin.why, "player": player.userid, "seconds": time.total_seconds()}
    for reader in dict.fromkeys(row.players):  # not to subscribers: it is no news of the game
        news = {reader.id: News(_news(desk, row, reader, data), row.board.length)}
        write_news(desk.ctx.letters, BoardNews(row, row.board.length, only=reader, news=news))
    return row, from_seconds(limit.at)


def _moves(entries: Sequence[Entry]) -> str:
    return " ".join(entry.shown for entry in entries if entry.kind is Kind.MOVE)


def _demand_secret(row: BoardRow, ply: int) -> None:
    """Raise PlayerError if a finished board cannot go on, because its end told its seed."""
    info, players = row.game.info, " ".join(p.userid for p in row.players)
    if info.draws(row.board.start.options) or info.hidden:  # receipts of hidden moves are sealed with the seed
        raise PlayerError(
            "The end of this board told its seed, so everybody can work out dice and hidden moves to come. "
            "It cannot go on.",
            f"A new board with a new seed can, unrated: {info.key} fork {row.number}#{ply} {players}\n"
            f"To correct the result: pbmserv boards adjudicate {row.number} USERID",
        )


def _before_last(board: Board, log: Sequence[Entry]) -> int:
    """Return the length of the log before the last change of the board. Raises PlayerError if there is none."""
    for length in range(len(log) - 1, -1, -1):
        then = play.replay(board.start, log[:length])
        if (then.position, then.ply, then.out, then.result) != (board.position, board.ply, board.out, board.result):
            return _before_mark(log, length)
    raise PlayerError("Nothing has happened on this board that could be taken back.")


def _after_ply(board: Board, log: Sequence[Entry], ply: int) -> int:
    """Return the length of the log before the move after a ply. Raises PlayerError if there is no such ply."""
    moves = standing(log)
    if not 0 <= ply < len(moves):
        raise PlayerError(
            f"Board plies are 0 to {len(moves)}, and only an earlier one can be gone back to.",
            "To take back what came last, leave --ply out.",
        )
    following = next(i for i, e in enumerate(log) if e is moves[ply])
    return _before_mark(log, following)


def _before_mark(log: Sequence[Entry], length: int) -> int:
    """Return the same length, or one less if the next move has an admin's mark, which must go with the move."""
    return length - 1 if length and log[length - 1].kind is Kind.ADMIN else length


def _ranks(row: BoardRow, order: Sequence[str]) -> list[int]:
    """Return a rank for each seat. Partners share a rank."""
    teams = row.game.teams(len(row.players))
    places = [{teams[s] for s in _seats(row, userid.lower())} for userid in order]
    named = set[int]().union(*places)
    if sum(map(len, places)) > len(named):
        raise PlayerError("A player or a team is named twice.", "Name each once, the winner first.")
    places += [rest] if (rest := set(teams) - named) else []
    return [next(rank for rank, place in enumerate(places, start=1) if team in place) for team in teams]


def _seats(row: BoardRow, userid: str) -> list[Seat]:
    """Return the seats of a player. Raises PlayerError if there are none."""
    seats = [s for s, p in enumerate(row.players) if p.userid == userid]
    if not seats:
        raise PlayerError(f"{userid} does not play on board {row.number}.", f"Its players: {_names(row.players)}")
    return seats


def _names(players: Iterable[Player]) -> str:
    return ", ".join(dict.fromkeys(p.userid for p in players))


def _write(desk: Desk, row: BoardRow, change: Change) -> BoardRow:
    return entries.write(desk.store, row, change, None, desk.now)


def _tell(desk: Desk, row: BoardRow, since: int, what: str, **data: object) -> BoardRow:
    """Play moves queued for the turn, write to players and subscribers, and return the board after that."""
    played = play_queued(desk.store, row, None, desk.now)
    data |= {"what": what, "why": desk.admin.why}
    news = {p.id: News(_news(desk, row, p, data), since) for p in row.players}
    write_news(desk.ctx.letters, BoardNews(played.row, since, news=all_news(news, played.news)))
    return played.row


def _news(desk: Desk, row: BoardRow, player: Player, data: dict[str, object]) -> str:
    """Return what happened, in the language of a player."""
    letters = desk.ctx.letters
    say = desk.ctx.site.renderer.to(letters.language(player)).say
    told = {"result": result_text(row, say), "time": duration(float(str(data.get("seconds", 0))), say)}
    return letters.render("ruling", player, **told, **data).text
