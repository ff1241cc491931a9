"""A player with a telephone plays whole games by touching links in letters, and types nothing."""

from collections.abc import Sequence
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

from tests.games.whole_games import WHOLE, Whole, moves_to_the_end, players_of
from tests.world import Received, World

_MOST = 230  #: moves whose links a letter has room for, at least


class Touchable(HTMLParser):
    """Finds the links of a letter that open a mail: address, subject and body of each."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.mails = list[tuple[str, str, str]]()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        parts = urlsplit(dict(attrs).get("href") or "")
        if tag == "a" and parts.scheme == "mailto":
            fields = dict(field.split("=") for field in parts.query.split("&"))
            self.mails.append((unquote(parts.path), unquote(fields["subject"]), unquote(fields["body"])))


@pytest.mark.sqlite  # other tests play on both databases; the rules are the same
@pytest.mark.parametrize("whole", WHOLE)
def test_a_game_is_played_to_its_end_by_touching(world: World, whole: Whole) -> None:
    players = players_of(whole)
    world.signup(*players)
    letters = world.mail(players[0], f"{whole.key} challenge {' '.join(players)} {whole.options}".strip())
    for ply, move in enumerate(moves_to_the_end(world.row().board, whole.seed), 1):
        seat = min(world.row().board.to_move)
        letter = _to(players[seat], letters)
        to, subject, body = _link(letter, move) if _has_room(world, seat) else (letter.reply_to, "", move)
        letters = world.mail(players[seat], subject, body, to=to)
        assert world.row().board.ply == ply, (body, letters[0].text)
    assert world.row().board.result
    assert {letter.to for letter in letters} == {f"{userid}@example.org" for userid in players}


def _has_room(world: World, seat: int) -> bool:
    """Return whether a letter can have links to all moves. In Amazons, most moves have to be written."""
    board = world.row().board
    return len(board.game.legal_moves(board.position, seat)) <= _MOST


def _link(letter: Received, move: str) -> tuple[str, str, str]:
    """Return the mail that the link to a move opens."""
    found = [mail for mail in Touchable(letter.html).mails if mail[2].strip() == move]
    assert found, f"There is no link to {move}:\n{letter.text}"
    return found[0]


def _to(userid: str, letters: Sequence[Received]) -> Received:
    return next(letter for letter in letters if letter.to == f"{userid}@example.org")
