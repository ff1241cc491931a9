"""Carries out an answer to one of our letters.

The signed address says which letter it was: about a board, a digest, or another one.
"""

from pbmserv.errors import PlayerError
from pbmserv.inbox.authentication.authentication import SignedSeat
from pbmserv.inbox.calls import Done, in_savepoint, write_letters
from pbmserv.inbox.command import Understood
from pbmserv.inbox.context import Context, LetterAnswer
from pbmserv.inbox.lines.parse import Request
from pbmserv.inbox.refusals.error_answers import answer_error
from pbmserv.inbox.replies.to_board import to_board
from pbmserv.inbox.replies.to_digest import to_digest
from pbmserv.mail import signed_addresses
from pbmserv.mail.signed_addresses import Token


def reply(ctx: Context, token: Token, request: Request) -> Done:
    """Carry out an answer to one of our letters."""
    if about_no_board := ctx.command_language.by_letter.get(token.purpose):
        return _to_letter(ctx, about_no_board, token, request.first_line)
    if token.purpose == signed_addresses.DIGEST:
        return to_digest(ctx, token, f"{request.first_line}\n{request.comment}")
    return to_board(ctx, token, request)


def find_reader(ctx: Context, token: Token) -> None:
    """Tell the context who got the letter that a mail answers, for a mail that does not say who wrote it."""
    find, player_id = ctx.command_language.by_letter.get(token.purpose), None
    if find:
        find.find_reader(ctx, token)
    elif token.purpose == signed_addresses.DIGEST:
        sent = ctx.store.readers.digest(token.numbers[0])
        player_id = sent and sent.player_id
    elif row := ctx.store.boards.find(token.numbers[0], lock=False):
        player_id = row.players[SignedSeat.by(token).seat].id
    if player_id is not None:
        ctx.authentication.player = ctx.store.players.by_id(player_id)


def _to_letter(ctx: Context, answers: LetterAnswer, token: Token, first_line: str) -> Done:
    """An answer to a letter about no board: a confirmation, a new password, an invitation."""
    try:
        answer = in_savepoint(ctx, lambda: answers.run(ctx, token, first_line))
    except PlayerError as e:
        if not ctx.answer_to():
            find_reader(ctx, token)
            if ctx.owner_of and not ctx.is_mistake_told(ctx.owner_of.lower()):
                return Done([answers.shown], e.text)
        # The answer says what to write instead, and is answered itself: it has the address of the letter before it.
        to, words = ctx.site.signer.sign(token.purpose, *token.numbers), answers.words(ctx)
        answer_error(ctx, e, Understood(), reply_to=to, answers=words)
        return Done([answers.shown], e.text)
    write_letters(ctx, answer)
    return Done([answers.shown])
