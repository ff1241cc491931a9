"""Carries out an answer to a digest: a line for each board."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pbmserv import games
from pbmserv.boards.news import BoardNews
from pbmserv.errors import AmbiguousMove, NotUnderstood, PlayerError
from pbmserv.inbox.authentication.authentication import SignedSeat
from pbmserv.inbox.calls import Done, run_call, write_answer, write_board_letters
from pbmserv.inbox.command import PASSWORD, Understood
from pbmserv.inbox.context import Answer, Context
from pbmserv.inbox.lines.offers import words_in
from pbmserv.inbox.refusals.advice import advice_on_letters, how_to_leave
from pbmserv.inbox.refusals.error_answers import answer_error, answer_line, how_to_go_on
from pbmserv.inbox.refusals.named_moves import examples
from pbmserv.inbox.replies.call_of_line import call_by
from pbmserv.inbox.replies.old_addresses import OLD_ADDRESS, is_renewed
from pbmserv.letters.text.blocks import Words, joined
from pbmserv.letters.text.men import lettered
from pbmserv.letters.text.translations import Say
from pbmserv.letters.tournament_letters import subject_of
from pbmserv.mail.signed_addresses import Token
from pbmserv.model import Player
from pbmserv.model.letters import SentDigest

#: Lines of one answer to a digest.
MOST_DIGEST_LINES = 50
_MOST_LINKS = 6  # in the answer to a digest
_SAME_LINES = "Answer it with the same lines, one for each board, for example: 101: MOVE"
_LINE = re.compile(r"[ \t]*(?:(?:board|partie|brett)[ \t]+)?#?(\d{1,9})[ \t]*(?::[ \t]*|\.?[ \t]+)(\S.*)")


@dataclass
class _Results:
    """The results of the lines of an answer to a digest."""

    answers: list[Words] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    news: list[BoardNews] = field(default_factory=list)
    comments: dict[int, str] = field(default_factory=dict)  #: by board, of those that have news
    links: list[str] = field(default_factory=list)  #: lines that answer an error
    problem: str = ""


def to_digest(ctx: Context, token: Token, body: str) -> Done:
    """An answer to a digest: lines that are independent of each other, and one letter with all their results."""
    ctx.body, number = "", token.numbers[0]
    digest = ctx.store.readers.digest(number)
    player = ctx.authentication.player = ctx.store.players.by_id(digest.player_id) if digest else None
    if player and player.epoch != token.epoch:
        ctx.authentication.player = None
        _renew_digest(ctx, player, number)
        return Done(["(digest)"], OLD_ADDRESS)
    same = ctx.site.signer.digest(number, token.epoch) if player else ""  # lines that failed can be sent again
    try:
        sent, lines = _demand_lines(ctx, digest, body)
    except PlayerError as e:
        moves = [f"{board}: moves" for board in digest.boards][:_MOST_LINKS] if digest else []
        answer_error(ctx, e, Understood(), reply_to=same, answers=moves)
        return Done(["(digest)"], e.text)
    results = _run_lines(ctx, sent, lines)
    if player and results.news:
        _read_ending(ctx, player)
    for board, comment in results.comments.items():
        ctx.body = comment
        write_board_letters(ctx, [replace(news, quiet=True) for news in results.news if news.row.number == board])
    links = tuple(results.links[:_MOST_LINKS])
    text = joined(results.answers)
    if links:
        text = how_to_go_on(ctx, text, _how_to_answer(ctx, sent))
    write_answer(ctx, Answer(text, _subject_of(ctx, sent), answers=links, reply_to=same))
    return Done(results.calls, results.problem)


def _read_ending(ctx: Context, player: Player) -> None:
    """Remember how an answer to a digest ends, below its lines. No comment has this end."""
    _, _, below = ctx.mail.body.strip("\n").rpartition("\n\n")
    if not lines_of(below):
        ctx.body = below
        ctx.cut_signature(player)


def _subject_of(ctx: Context, sent: SentDigest) -> str:
    number = _tournament_of(ctx, sent)
    tournament = None if number is None else ctx.store.tournaments.find(number)
    return subject_of(tournament) if tournament else "Digest"


def _tournament_of(ctx: Context, sent: SentDigest) -> int | None:
    """Return the tournament that a letter is about: one begins with a letter about all boards of a player."""
    rows = ctx.store.boards.find_many(sent.boards).values()
    numbers = {row.tournament for row in rows} if not any(length for _, length in sent.boards.values()) else set()
    return next(iter(numbers)) if len(numbers) == 1 else None


def _renew_digest(ctx: Context, player: Player, number: int) -> None:
    """Send a player the new reply address of a digest, only to the player's own addresses."""
    if is_renewed(ctx, f"{player.id} digest {number}"):
        to, language = ctx.letters.addresses(player), ctx.letters.language(player)
        text = ctx.site.renderer.to(language).say(f"{OLD_ADDRESS}\n\n{_SAME_LINES}")
        reply_to = ctx.site.signer.digest(number, player.epoch)
        ctx.letters.write("answer", to, "Digest", {"text": text}, reply_to=reply_to, language=language)


def _how_to_answer(ctx: Context, sent: SentDigest) -> str:
    """Return how to write an answer to a digest, with a line for one of its boards that works now."""
    rows = [row for row in ctx.store.boards.find_many(sent.boards).values() if row.key in games.names()]
    seats = {row.number: sent.boards[row.number][0] for row in rows}
    lines = (f"{row.number}: {move}" for row in rows for move in examples(row.board, seats[row.number])[0][:1])
    return f"Write one line for each board, for example: {next(lines, f'{min(sent.boards, default=101)}: show')}"


def _demand_lines(ctx: Context, sent: SentDigest | None, body: str) -> tuple[SentDigest, list[tuple[int, str]]]:
    """The digest that was answered, and the lines of the answer. Raises PlayerError if one of them is not there."""
    lines = lines_of(body)
    if sent is None or not lines:
        told = _how_to_answer(ctx, sent or SentDigest(0, {}))
        raise PlayerError("Your answer does not name a board.", f"{_how_to_end(ctx, sent, body)}\n{told}".strip())
    return sent, lines


def _how_to_end(ctx: Context, sent: SentDigest | None, body: str) -> str:
    """Return how to get no more letters such as the one that is answered, if the first line may ask for that.

    Whoever answers the letter of a tournament with other words than a move is told how to see it.
    """
    player = ctx.authentication.player
    if sent is None or player is None:
        return ""
    to, userid = ctx.site.address, player.userid
    first = f"To get a letter for each board in place of a digest, send to {to}: set {userid} {PASSWORD} digest=off"
    if (tournament := _tournament_of(ctx, sent)) is not None:
        first = how_to_leave(ctx, tournament, userid)
    fewer = advice_on_letters(ctx, userid, body.strip().partition("\n")[0], first)
    return fewer or ("" if tournament is None else f"To see the tournament, send to {to}: tournament show {tournament}")


def lines_of(body: str) -> list[tuple[int, str]]:
    """The lines such as `101: e5h5t` at the beginning of an answer: board and words."""
    lines = []
    for line in body.splitlines():
        match = _LINE.fullmatch(line)
        if match:
            lines.append((int(match[1]), match[2]))
        elif line.strip():
            break
    return lines[:MOST_DIGEST_LINES]


def _run_lines(ctx: Context, sent: SentDigest, lines: Sequence[tuple[int, str]]) -> _Results:
    results = _Results()
    ctx.store.boards.lock(number for number, _ in lines if number in sent.boards)
    for number, words in lines:
        _run_line(ctx, sent, number, words, results)
    return results


def _run_line(ctx: Context, sent: SentDigest, number: int, words: str, results: _Results) -> None:
    shown, ctx.body = f"(board {number})", ""
    try:
        signed = _demand_board(sent, number)
        ctx.authentication.signed = signed
        call = call_by(ctx, ctx.authentication.signed_row(), signed, words, "")
        shown = ctx.shown(call)
        answer = run_call(ctx, call)
    except PlayerError as e:
        results.problem = results.problem or e.text
        results.answers.append(answer_line(ctx, shown, f"{e.whole}{_word_meant(ctx, number, words, e)}"))
        results.links += [f"{number}: {word}" for word in _answers_to(e, number in sent.boards, ctx.say)]
    else:
        results.answers.append(answer_line(ctx, shown, answer.text))
        results.news += answer.boards
        for news in answer.boards:
            results.comments[news.row.number] = f"{results.comments.get(news.row.number, '')}\n{ctx.body}".strip()
    results.calls.append(shown)


def _word_meant(ctx: Context, number: int, words: str, error: PlayerError) -> str:
    """Return how to write the only word of the server that a line names besides others, on a line of its own."""
    meant = words_in(words, ctx.command_language) if isinstance(error, NotUnderstood) else []
    return f"\nTo do that, write: {number}: {meant[0].verb}" if len(meant) == 1 else ""


def _answers_to(error: PlayerError, is_there: bool, say: Say) -> Sequence[str]:
    """Return what can be written after an error in a line about a board. `is_there`: the digest has this board."""
    if isinstance(error, AmbiguousMove):
        return (*(lettered(move, say) for move in error.shown), "moves")
    return ("moves", "help")[: 2 * is_there]


def _demand_board(sent: SentDigest, number: int) -> SignedSeat:
    """Return the digest's data about a board. Raises PlayerError if the board was not in it."""
    if number not in sent.boards:
        raise PlayerError(f"Board {number} was not in that letter.", "To see the running boards, send: list")
    return SignedSeat(number, *sent.boards[number])
