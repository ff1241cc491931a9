"""The letter with a puzzle, once a day to those who ask for it."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from pbmserv.boards.ratings.rating_formula import UNRATED
from pbmserv.games import NotInstalled
from pbmserv.games.base.board import Board
from pbmserv.letters.board_page import shown_move
from pbmserv.letters.letters import Letters
from pbmserv.letters.pictures.diagrams import drawn
from pbmserv.mail.signed_addresses import PUZZLE
from pbmserv.model import BoardRow, Player
from pbmserv.model.boards import PuzzleRow
from pbmserv.robots.reviewing.judging import MOST_OTHERS
from pbmserv.robots.reviewing.review import Moment, Review
from pbmserv.store import Store

A_DAY = timedelta(hours=23)  #: between two puzzles, so that they come at about the same time of day
_CLEAR = 20  #: so much of the chance to win has the better move more than the one that was played, in percent


def make(store: Store, row: BoardRow, review: Review) -> None:
    """Make puzzles of the moments of a review in which one or few moves were much better, if both players see all."""
    info = row.game.info
    if len(row.players) == 2 and not (info.chance or info.hidden):
        clear = [
            moment.ply
            for moment in review.moments
            if moment.chance[0] - moment.chance[1] >= _CLEAR and len(moment.others) < MOST_OTHERS
        ]
        store.puzzles.add(row.number, clear, row.key, UNRATED)


def due(store: Store, now: datetime) -> Sequence[tuple[int, str]]:
    """Return the players who get a puzzle now, each with the game."""
    return store.puzzles.wanting(now - A_DAY)


def moment_of(store: Store, puzzle: PuzzleRow) -> tuple[BoardRow, Moment] | None:
    """Return the board and the moment of a puzzle; None if the board has gone on since, or its game is not there."""
    row, review = store.boards.find(puzzle.board, lock=False), store.reviews.find(puzzle.board)
    if row is None or review is None or review.result is None or not review.is_of(row):
        return None
    moments = Review.of(review.result).moments
    moment = next((moment for moment in moments if moment.ply == puzzle.ply), None)
    return (row, moment) if moment and not isinstance(row.game, NotInstalled) else None


def write_puzzle(letters: Letters, player: Player, game: str) -> bool:
    """Send a player the next puzzle of a game. Returns whether there was one."""
    store = letters.store
    rating = store.puzzles.rating(player.id, game, UNRATED)
    puzzle = store.puzzles.next_for(player.id, game, rating.mu)
    there = puzzle and moment_of(store, puzzle)
    if not puzzle or not there:
        return False
    row, moment = there
    store.puzzles.send(player.id, puzzle.id, rating, letters.now)
    wants = store.players.preferences([player.id])[player.id]
    renderer = letters.site.renderer.to(wants.language)
    then = letters.replays.at(row, moment.ply)
    diagram = drawn(renderer, then, moment.seat, wants, letters.replays.log(row)[:0])
    data = {
        "game_name": row.game.info.name,
        "mover": renderer.say(then.seat_names[moment.seat]),
        "diagram": diagram,
        "example": shown_move(then, moment.seat, _example(then, moment), renderer.say),
        "reader": player.userid,
    }
    reply_to = letters.site.signer.sign(PUZZLE, puzzle.id, player.id)
    letters.write("puzzle", letters.addresses(player), f"{row.key.capitalize()} puzzle", data, reply_to=reply_to)
    return True


def _example(then: Board, moment: Moment) -> str:
    """Return a move that shows how moves are written, and is no solution."""
    game, position = then.game, then.position
    texts = (game.format(move) for move in game.legal_moves(position, moment.seat))
    return next((text for text in texts if text not in moment.right), moment.played)
