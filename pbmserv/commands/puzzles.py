"""Answers to the letter with a puzzle: a move, which is right or wrong."""

from pbmserv.boards.ratings.rating_formula import points, rate
from pbmserv.commands.play import split_words
from pbmserv.errors import PlayerError
from pbmserv.inbox.context import Answer, Context
from pbmserv.letters.occasions.puzzle_letters import moment_of
from pbmserv.letters.text.men import letters_of_men
from pbmserv.mail.signed_addresses import Token
from pbmserv.model import Player, Rating
from pbmserv.model.boards import PuzzleRow
from pbmserv.robots.reviewing.review import Moment


def find_solver(ctx: Context, token: Token) -> None:
    """Tell the context who got the puzzle."""
    player = ctx.store.players.by_id(token.numbers[1])
    if player and player.password_hash is not None:
        ctx.authentication.enter(player)


def answer_signed(ctx: Context, token: Token, line: str) -> Answer:
    """Handle an answer to a puzzle. Raises PlayerError if it names no move."""
    find_solver(ctx, token)
    player, puzzle = ctx.authentication.player, ctx.store.puzzles.find(token.numbers[0])
    solving = puzzle and player and ctx.store.puzzles.solving(player.id, puzzle.id)
    there = puzzle and moment_of(ctx.store, puzzle)
    if not (player and puzzle and solving and there):
        raise PlayerError("That puzzle is no longer open.", "The next one comes tomorrow.")
    row, moment = there
    if solving.solved is not None:
        raise PlayerError("You have answered that puzzle already.", "The next one comes tomorrow.")
    then = ctx.at(row, moment.ply)
    words = split_words(then, moment.seat, line.split(), lambda: letters_of_men(ctx.say))
    move = then.game.format(then.game.parse(then.position, moment.seat, " ".join(words)))
    other = then.game.written(then.position, moment.seat, move) if move in moment.others else ""
    return _judged(ctx, player, puzzle, moment, solving.rating, other, solved=move in moment.right)


def _judged(
    ctx: Context, player: Player, puzzle: PuzzleRow, moment: Moment, before: Rating, other: str, *, solved: bool
) -> Answer:
    """Rate an answer. `other`: the move, if it is as good as the better one."""
    its = Rating(puzzle.mu, puzzle.sigma)
    own, its = rate([before, its], [0, 1], [1, 2] if solved else [2, 1])
    ctx.store.puzzles.answer(player.id, puzzle, (own, its), solved=solved, now=ctx.now)
    ratings = {"rating": points(own.mu), "change": points(own.mu) - points(before.mu)}
    facts = {"solved": solved, "other": other, "line": moment.line, "board": puzzle.board}
    return Answer(ctx.render("puzzle_answer", **facts, **ratings), subject=f"{puzzle.game.capitalize()} puzzle")
