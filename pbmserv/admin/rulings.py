"""What an admin does to a board. All of it is in the board's log, and its players are told."""

from collections.abc import Iterable, Sequence

from pbmserv.admin.desk import Desk
from pbmserv.boards import entries
from pbmserv.boards.news import BoardNews, News, all_news
from pbmserv.boards.queued_moves import play_queued
from pbmserv.commands.play import expected, split_words
from pbmserv.errors import PlayerError
from pbmserv.games.base import Seat
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Change
from pbmserv.games.base.log import Entry, Kind, standing
from pbmserv.letters.board_letters import write_news
from pbmserv.letters.text.wording import result_text
from pbmserv.store import BoardRow, Player


def undo(desk: Desk, number: int, ply: int | None = None, past_chance: bool = False) -> BoardRow:
    """Take back the last thing that changed a board, its end included; or all after a ply.

    Raises PlayerError if chance or hidden things came to light since, unless `past_chance`: the same will come again.
    """
    row = desk.board(number)
    log = desk.store.boards.entries(number)
    length = _before_last(row.board, log) if ply is None else _after_ply(row.board, log, ply)
    if not past_chance and any(e.fixed for e in log[length:]):
        raise PlayerError(
            "Chance or hidden things came to light since, and the same would come again: the players know it now.",
            "If that is to be so, add: --past-chance",
        )
    row = _write(desk, row, play.revert(row.board, log, length))
    desk.note(f"board {number}: undo to ply {row.board.ply}, {len(log) - length} entries")
    return _tell(desk, row, len(log), "undo", ply=row.board.ply)


def void(desk: Desk, number: int) -> BoardRow:
    """End a board without a result, or strike its result out: nobody wins, nothing is rated."""
    row = desk.board(number)
    since = row.board.length
    row = _write(desk, row, play.void(row.board))
    desk.note(f"board {number}: void")
    return _tell(desk, row, since, "void")


def adjudicate(desk: Desk, number: int, order: Sequence[str]) -> BoardRow:
    """Decide how a board ends, or ended: these players in this order, those not named behind them; no names: a draw."""
    row = desk.board(number)
    since = row.board.length
    row = _write(desk, row, play.adjudicate(row.board, _ranks(row, order)))
    desk.note(f"board {number}: adjudicate, {result_text(row)}")
    return _tell(desk, row, since, "adjudicate")


def move(desk: Desk, number: int, userid: str, words: Sequence[str]) -> BoardRow:
    """Play moves in a player's stead: all of them, or none. The log marks each."""
    row, player = desk.board(number), desk.player(userid)
    since, played = row.board.length, []
    _seats(row, player.userid)  # he must have one
    for word in split_words(row.board, row.seat_to_move(player), words):
        seat = row.seat_to_move(player)
        row = _write(desk, row, play.in_stead(row.board))
        change = play.play(row.board, seat, expected(row.board, word))
        row = _write(desk, row, change)
        played.append(change.entry.text)
    desk.note(f"board {number}: move for {player.userid}, {' '.join(played)}")
    return _tell(desk, row, since, "move", player=player.userid, moves=" ".join(played))


def _before_last(board: Board, log: Sequence[Entry]) -> int:
    """The length of the log before the last thing that changed the board. Raises PlayerError if nothing has."""
    for length in range(len(log) - 1, -1, -1):
        then = play.replay(board.start, log[:length])
        if (then.position, then.ply, then.out, then.result) != (board.position, board.ply, board.out, board.result):
            return _before_mark(log, length)
    raise PlayerError("Nothing has happened on this board that could be taken back.")


def _after_ply(board: Board, log: Sequence[Entry], ply: int) -> int:
    """The length of the log before the move that followed a ply. Raises PlayerError."""
    moves = standing(log)
    if not 0 <= ply < len(moves):
        raise PlayerError(
            f"Board plies are 0 to {len(moves)}, and only an earlier one can be gone back to.",
            "To take back what came last, leave --ply out.",
        )
    following = next(i for i, e in enumerate(log) if e is moves[ply])
    return _before_mark(log, following)


def _before_mark(log: Sequence[Entry], length: int) -> int:
    """The same length, less one if an admin made the move that follows: the mark that says so goes with the move."""
    return length - 1 if length and log[length - 1].kind is Kind.ADMIN else length


def _ranks(row: BoardRow, order: Sequence[str]) -> list[int]:
    """A rank for each seat; partners share theirs."""
    teams = row.game.teams(len(row.players))
    places = [{teams[s] for s in _seats(row, userid.lower())} for userid in order]
    named = set[int]().union(*places)
    if sum(map(len, places)) > len(named):
        raise PlayerError("A player or a team is named twice.", "Name each once, the winner first.")
    places += [rest] if (rest := set(teams) - named) else []
    return [next(rank for rank, place in enumerate(places, start=1) if team in place) for team in teams]


def _seats(row: BoardRow, userid: str) -> list[Seat]:
    """The seats of a player. Raises PlayerError if he has none."""
    found = [s for s, p in enumerate(row.players) if p.userid == userid]
    if not found:
        raise PlayerError(f"{userid} does not play on board {row.number}.", f"Its players: {_names(row.players)}")
    return found


def _names(players: Iterable[Player]) -> str:
    return ", ".join(dict.fromkeys(p.userid for p in players))


def _write(desk: Desk, row: BoardRow, change: Change) -> BoardRow:
    return entries.write(desk.store, row, change, None, desk.now)


def _tell(desk: Desk, row: BoardRow, since: int, what: str, **data: object) -> BoardRow:
    """Play what was queued for the turn, and tell the players and subscribers; the board after that."""
    played = play_queued(desk.store, row, None, desk.now)
    data |= {"what": what, "why": desk.admin.why}
    news = {p.id: News(_news(desk, row, p, data), since) for p in row.players}
    write_news(desk.ctx.letters, BoardNews(played.row, since, news=all_news(news, played.news)))
    return played.row


def _news(desk: Desk, row: BoardRow, player: Player, data: dict[str, object]) -> str:
    """What happened, in the language of a player."""
    letters = desk.ctx.letters
    say = desk.ctx.site.renderer.to(letters.language(player)).say
    return letters.render("ruling", player, result=result_text(row, say), **data)
