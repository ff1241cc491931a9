"""The formats of a game can write each of its boards, for programs that we have never seen."""

import re

from pbmserv.conformance.test_random_games import some
from pbmserv.conformance.walks import Playthrough, record, some_walks
from pbmserv.games.base import AnyGame
from pbmserv.games.base import board as play
from pbmserv.games.base.sheet import Facts, Ply, Sheet, formats_of

LONGEST_LINE = 80  #: characters
NAME = "[a-z]{2,8}"
MEDIA_TYPE = r"[a-z]+/[a-z0-9.+-]+"


@some
def test_each_format_writes_each_board(game: AnyGame, begin: int) -> None:
    if not formats_of(game):
        return
    for walk in some_walks(game)[begin::4]:
        played = record(game, walk)
        last = len(played.turns)
        for number, ply in enumerate(sorted({0, last // 3, last // 2, last})):
            _check_formats(played, ply, resigned=number % 2 == 1)


def _check_formats(played: Playthrough, ply: int, *, resigned: bool) -> None:
    game, board = played.start.game, played.boards[ply]
    if resigned and not board.result:
        board = play.resign(board, min(board.to_move)).board
    players = tuple(f"player-{seat}" for seat in range(board.start.seats))
    plies = tuple(Ply(turn.before.position, turn.seat, turn.change.entry.text) for turn in played.turns[:ply])
    sheet = Sheet(Facts(101, players, "https://pbm.example.org/boards/101", "2026-03-01"), board, plies)
    for form in formats_of(game):
        text = form.write(sheet)
        assert text.endswith("\n"), f"{form.name}: the last line has no end"
        assert text.isascii(), f"{form.name}: not all programs read characters beyond ASCII"
        assert max(map(len, text.splitlines())) <= LONGEST_LINE, f"{form.name}: a line is too long"
        assert all(player in text for player in players), f"{form.name}: a player is missing"


def test_formats_have_names_of_their_own(game: AnyGame) -> None:
    """Players write these names, and `json` is taken."""
    names = [form.name for form in formats_of(game)]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(NAME, name) and name != "json" for name in names)
    assert all(re.fullmatch(MEDIA_TYPE, form.media_type) for form in formats_of(game))
