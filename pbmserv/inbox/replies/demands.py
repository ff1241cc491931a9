"""Refuses what a line says if it leaves a doubt: it asks, may be several moves, or is taken back below."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pbmserv.boards.ways import ways
from pbmserv.errors import AmbiguousMove, NotUnderstood, PlayerError
from pbmserv.games.base import Seat, moves_of
from pbmserv.games.base.board import Board, preview
from pbmserv.inbox.authentication.authentication import SignedSeat
from pbmserv.inbox.command import PASSWORD
from pbmserv.inbox.context import Context
from pbmserv.inbox.lines.beside import taken_back
from pbmserv.inbox.lines.first_line import FirstLine, has_other_number
from pbmserv.inbox.lines.parse import is_move, words_of
from pbmserv.inbox.lines.spellings import legal_move, without_noise
from pbmserv.inbox.lines.words.farewell import is_in_doubt
from pbmserv.inbox.replies.readings import reading_of
from pbmserv.model import BoardRow

_REMARK = "Your first line reads like a question, a quotation or a remark, so nothing was done."
_OTHER_NUMBER = "Your first line has the number of another move, so nothing was done."
_DOUBTED = "The words below your first line leave in doubt whether you mean it, so nothing was done."
_PLAN = "Your line names several moves, and only the first one can be made now, so nothing was done."
_AFTER_THE_END = frozenset(("rematch", "review"))
_IF = frozenset(("if", "wenn", "falls", "jeśli", "jeżeli", "если", "якщо", "hvis", "pokud", "jos", "eğer"))
_MOST_OF_CONDITION = 40  #: words
_FINAL = ("resign", "accept", "decline")  #: what cannot be taken back, so that nobody should do it in jest


def demand_clear(ctx: Context, row: BoardRow, signed: SignedSeat, first: FirstLine, line: str) -> None:
    """Raise PlayerError if a line only asks, may be several moves, or has a cost that its word does not tell."""
    verb = first.command.verb
    if first.either:
        raise row.game.ambiguous(row.board.position, signed.seat, line.strip(), first.moves)
    is_early = verb in _AFTER_THE_END and row.board.result is None  # what refuses it says more
    if first.asks and len(first.moves) > 1 and verb == "move":
        raise plan(ctx, row.board, signed.seat, first.moves)
    if first.asks and not is_early:
        shown = (ctx.shown_move(row.board, signed.seat, move) for move in first.moves)
        what = " ".join(shown) or f"{verb} {first.userid}".rstrip()
        raise PlayerError(
            _OTHER_NUMBER if first.moves and has_other_number(line, row.board) else _REMARK,
            f"To do it, write nothing else on that line but: {what}",
        )
    if verb == "move" and not signed.by_page and len(first.moves) == 1:
        _demand_meant(ctx, row, signed.seat, first.moves[0], line)
        _demand_kept(ctx, row, signed.seat, first.moves[0])
    needs_farewell, names = verb == "resign", (ctx.mail.name.lower(), row.players[signed.seat].userid)
    if verb in _FINAL and not signed.by_page and is_in_doubt(ctx.body, names, needs_farewell=needs_farewell):
        raise PlayerError(_DOUBTED, f"To do it, answer with nothing but: {verb}")
    if verb == "decline" and (way := ways(row, signed.seat, ctx.log(row)).get(verb)) and not way.offered:
        player = row.players[signed.seat].userid
        raise PlayerError(
            f"Nothing was done yet. {way.costs}",
            f"To do it all the same, send: {row.key} {verb} {row.number} {player} {PASSWORD}",
        )


def plan(ctx: Context, board: Board, seat: Seat, moves: Sequence[str]) -> PlayerError:
    """Make the error for moves of which only the first one can be made now: it says how to queue the others."""
    first = ctx.shown_move(board, seat, legal_move(moves[0], board, seat))
    only = f"To make only the first one, answer with nothing but: {first}"
    possible = [*_possible(board, moves)] if board.start.seats == 2 else []
    pairs = " ".join(":".join(pair) for pair in zip(possible[1::2], possible[2::2], strict=False))
    how = f"To make it, and each other one only after the answer that you expect, write: queue {first} {pairs}"
    return PlayerError(_PLAN, f"{only}\n{how}" if pairs else only)


def condition(board: Board, seat: Seat, line: str) -> str:
    """Return how to write a move that depends on the answer, if a line says that between turns; else ""."""
    words = [without_noise(word.cased) for word in words_of(line, _MOST_OF_CONDITION)]
    may_queue = board.start.seats == 2 and not (board.game.info.hidden or board.result or seat in board.to_move)
    if not may_queue or _IF.isdisjoint(word.lower() for word in words):
        return ""
    named = [word for word in words if len(word) > 1 and is_move(word, board.game)]
    pairs = ([*_possible(board, pair)] for pair in pairwise(named))
    pair = next((pair for pair in pairs if len(pair) > 1), None) or _example_of_pair(board)
    return f"To make a move only after the answer that you expect, write for example: queue {':'.join(pair)}" * bool(
        pair
    )


def _example_of_pair(board: Board) -> list[str]:
    """Return a move of the other side and an answer to it."""
    seat, game = min(board.to_move), board.game
    first = game.shown_example(board.position, seat)
    then = preview(board, seat, legal_move(first, board, seat))
    own = min(then.to_move, default=None) if then else None
    return [] if then is None or own is None else [first, game.shown_example(then.position, own)]


def _possible(board: Board, moves: Sequence[str]) -> Iterator[str]:
    """Yield the first moves that can be made one after the other, if no chance and nothing hidden decides of them."""
    at: Board | None = board
    for text in moves:
        seat = min(at.to_move, default=None) if at else None
        move = legal_move(text, at, seat) if at and seat is not None else ""
        if at is None or seat is None or not move:
            return
        yield text
        at = preview(at, seat, move)


def _demand_meant(ctx: Context, row: BoardRow, seat: Seat, text: str, line: str) -> None:
    """Raise PlayerError if the rules of the game ask whether a legal move is meant. The line of a link is."""
    move = legal_move(text, row.board, seat) if seat in row.board.to_move else ""
    if (
        move
        and line.strip() != move
        and (why := row.game.asks_back(row.board.position, seat, row.game.normalise(text), line.lower()))
    ):
        if move != row.game.normalise(text):  # the board has that name in another place
            legal = map(row.game.format, moves_of(row.game, row.board.position, seat))
            raise NotUnderstood(why, f"Your moves: {', '.join(ctx.shown_move(row.board, seat, m) for m in legal)}")
        player = row.players[seat].userid
        raise NotUnderstood(why, f"To do it all the same, send: {row.key} move {row.number} {player} {PASSWORD} {move}")


def _demand_kept(ctx: Context, row: BoardRow, seat: Seat, move: str) -> None:
    """Raise PlayerError if the lines below a move take it back: then it is offered, with what they name instead."""
    others = taken_back(ctx.body, move, reading_of(ctx, row, seat)) if ctx.body and seat in row.board.to_move else None
    if others is None:
        return
    if len(others) != 1:
        shown = ctx.shown_move(row.board, seat, move)
        raise PlayerError(_DOUBTED, f"To do it, answer with nothing but: {shown}")
    moves = (legal_move(move, row.board, seat), *others)
    error = AmbiguousMove(move, moves, [row.game.written(row.board.position, seat, text) for text in moves])
    error.text = _DOUBTED
    raise error
