"""A player with a telephone plays whole games by touching links in letters, and types nothing."""

from collections.abc import Sequence
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

from tests.examples import SOAK, some_of
from tests.games.whole_games import WHOLE, Whole, moves_to_the_end, players_of
from tests.looks.plays import advance
from tests.world import Received, World

_MOST_TOUCHES = 8  #: of links, until a move is played
_TOUCHED = 8  #: plies at the beginning of a game, and as many at its end; `make soak` touches all


class Touchable(HTMLParser):
    """Finds the links of a letter that open a mail: address, subject and body of each."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.mails = list[tuple[str, str, str]]()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        parts = urlsplit(dict(attrs).get("href") or "")
        if tag in ("a", "area") and parts.scheme == "mailto":
            fields = dict(field.split("=") for field in parts.query.split("&"))
            self.mails.append((unquote(parts.path), unquote(fields["subject"]), unquote(fields["body"])))


@pytest.mark.slow
@pytest.mark.sqlite  # other tests play on both databases; the rules are the same
@pytest.mark.parametrize("whole", some_of(WHOLE, 5))
def test_a_game_is_played_to_its_end_by_touching(world: World, whole: Whole) -> None:
    players = players_of(whole)
    world.signup(*players)
    letters = world.mail(players[0], f"{whole.key} challenge {' '.join(players)} {whole.options}".strip())
    moves = moves_to_the_end(world.row().board, whole.seed)
    for ply, (seat, move) in enumerate(moves, 1):
        userid = players[seat]
        if SOAK > 1 or ply <= _TOUCHED or ply > len(moves) - _TOUCHED:
            letters = _touch(world, _to(userid, letters), move)
        elif ply == len(moves) - _TOUCHED:
            advance(world, moves[: ply - 1])
            letters = world.mail(userid, f"{whole.key} move 101 {userid} {userid}-secret {move}")
        else:
            continue
        assert world.row().board.ply == ply, (move, letters[0].text)
    assert world.row().board.result
    assert {letter.to for letter in letters} == {f"{userid}@example.org" for userid in players}


def _touch(world: World, letter: Received, move: str) -> list[Received]:
    """Touch the link to a move. If there is no room for it, touch first what brings the moves from, or near, a cell."""
    userid, cells = letter.to.partition("@")[0], world.row().board.game.cells_of(move)
    for _ in range(_MOST_TOUCHES):
        mails = {body.strip(): (to, subject, body) for to, subject, body in Touchable(letter.html).mails}
        asked = [text for text in mails if text.startswith("legal ")]
        assert move in mails or asked, f"There is no link to {move}:\n{letter.text}"
        line = move if move in mails else min(asked, key=lambda text: _way_to(cells, text.split()[1:]))
        to, subject, body = mails[line]
        letters = world.mail(userid, subject, body, to=to)
        if move in mails:
            return letters
        letter = _to(userid, letters)
    raise AssertionError(f"There is no short way to {move}:\n{letter.text}")


def _way_to(cells: Sequence[str], asked: Sequence[str]) -> tuple[int, int]:
    """Return how many cells of a move are left if one asks for these, and how far the last one is away.

    Pages of moves come last, except those that lead on from a page. Another cell leads nowhere, if it is not near.
    """
    if "page" in asked:
        return 100, int(asked[-1])
    if list(cells[: len(asked)]) == list(asked):
        return len(cells) - len(asked), 0
    _, *near = asked
    if asked[0] != "near" or len(near) > 1 or not all(cell[1:].isdecimal() for cell in (*cells[:1], *near)):
        return 1000, 0
    (column, row), (other, line) = ((ord(cell[0]), int(cell[1:])) for cell in (cells[0], near[0]))
    return len(cells), max(abs(column - other), abs(row - line))


def _to(userid: str, letters: Sequence[Received]) -> Received:
    return next(letter for letter in letters if letter.to == f"{userid}@example.org")
