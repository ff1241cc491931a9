"""Reads the answer to an open proposal."""

from pbmserv.boards.ways import offered as ways_offered
from pbmserv.games.base import Seat
from pbmserv.games.base.board import Board
from pbmserv.games.base.log import Kind
from pbmserv.inbox.command import CommandLanguage, CommandSyntax
from pbmserv.inbox.context import Context
from pbmserv.inbox.lines.agreement import agrees, asks_to_agree, declines, is_no_answer_to, refuses, tends
from pbmserv.inbox.lines.first_line import FirstLine, bare_words, is_question
from pbmserv.inbox.lines.offers import words_in
from pbmserv.inbox.lines.words.comment_words import KNOWN, doubts
from pbmserv.inbox.lines.words.sentence_words import OTHERS
from pbmserv.model import BoardRow


def answer_to_proposal(language: CommandLanguage, board: Board, seat: Seat, line: str) -> FirstLine | None:
    """Return the command if a line says yes or no to an open proposal.

    Who answers the offer of a draw with ok may only have read it, so that asks.
    """
    if board.offer is None or seat not in board.to_answer or is_no_answer_to(line, is_draw=_is_draw(board)):
        return None
    if refuses(line):
        return FirstLine(language.game_command("reject"))
    is_clear = not _is_draw(board) or agrees(line, clearly=True)
    return FirstLine(language.game_command("accept"), asks=not is_clear) if agrees(line) else None


def tended(ctx: Context, row: BoardRow, seat: Seat, line: str) -> CommandSyntax | None:
    """Return the answer to an open proposal that a line begins with, or that a sentence with its word may be.

    Who has not moved yet, and says no, may decline the board.
    """
    if row.board.offer is None or seat not in row.board.to_answer:
        is_no = declines(line) and "decline" in ways_offered(row, seat, ctx.log(row))
        return ctx.command_language.game_command("decline") if is_no else None
    if is_no_answer_to(line, is_draw=_is_draw(row.board)):
        return None
    meant = {c.verb for c in words_in(line, ctx.command_language)}
    if meant == {"propose", "decline"}:
        return ctx.command_language.game_command("reject")
    words = {*bare_words(line)} - {"propose", *ctx.command_language.reply_verbs}
    # you want a draw, I think about a draw
    is_other = (
        is_question(line) or not OTHERS.isdisjoint(words) or not KNOWN.issuperset(words) or any(map(doubts, words))
    )
    may_agree = meant == {"propose"} and _is_draw(row.board) and not is_other and not asks_to_agree(line)
    verb = tends(line) or "accept" * may_agree  # let's call it a draw
    return ctx.command_language.game_command(verb) if verb else None


def _is_draw(board: Board) -> bool:
    """Return whether an open proposal is that of a draw, and not of taking a move back."""
    return board.offer is not None and board.offer.kind is Kind.PROPOSE
