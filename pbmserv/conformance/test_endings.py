"""What a game says of its end is so however long a board goes on, also where few pieces are left."""

from collections.abc import Iterator

from pbmserv.conformance.walks import setups
from pbmserv.games.base import AnyGame, Game, Seat
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Start
from pbmserv.rng import Rng

_LONG, _SHORT = 1000, 80  #: plies of a board that goes on as long as it can, and of a try to win
_TRIES = 20


def test_who_cannot_win_never_wins(game: AnyGame) -> None:
    """If a seat's opponent loses on time while `can_win` says no, the board is a draw. So it must be right.

    Boards are played until somebody cannot win. Then all moves that do not end the board otherwise help this seat.
    """
    if type(game).can_win is Game.can_win:
        return
    setup, luck = setups(game)[0], Rng("can win", 0)
    board = play.begin(Start(game, dict(setup.options), setup.seats, "0" * 32))
    for then in _played(board, luck, _LONG):
        hopeless = [seat for seat in then.to_move if not game.can_win(then.position, seat)]
        for seat in hopeless:
            _try_to_win(then, seat, luck)
        if hopeless:
            return


def _try_to_win(board: Board, seat: Seat, luck: Rng) -> None:
    for _ in range(_TRIES):
        for then in _played(board, luck, _SHORT, seat):
            assert not (then.result and seat in then.result.winners), (
                f"`can_win` says that seat {seat} cannot win any more, but it does: {then.result} {board.position}"
            )


def _played(board: Board, luck: Rng, plies: int, winner: Seat | None = None) -> Iterator[Board]:
    """Yield the boards after random moves. Moves with which another than `winner` wins are left out, if possible."""
    for _ in range(plies):
        if not board.to_move:
            return
        board = _next(board, luck, winner)
        yield board


def _next(board: Board, luck: Rng, winner: Seat | None) -> Board:
    game, seat = board.game, luck.choice(sorted(board.to_move))
    moves = luck.shuffled(game.legal_moves(board.position, seat))
    for move in moves[:_TRIES]:
        then = play.play(board, seat, game.format(move)).board
        if then.result is None or winner in then.result.winners:
            return then
    return then
