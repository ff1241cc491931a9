"""A player with a telephone plays whole games by touching links in letters, and types nothing."""

import random
from collections.abc import Sequence
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

from pbmserv import games
from tests.world import Received, World

_LONGEST = 700  #: plies; random games of Trippples end long before


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


@pytest.mark.parametrize(
    ("game", "players", "options"),
    [
        *(("tumble", ("alice", "bob"), ""), ("tumble", ("alice", "bob"), "-c"), ("town", ("alice",), "")),
        *(("trippples", ("alice", "bob"), ""), ("trippples", ("alice", "bob"), "-p"), ("threes", ("alice",), "")),
        *(("3io", ("alice", "bob"), ""), ("3io", ("alice", "bob"), "-twostep")),
    ],
)
def test_a_game_is_played_to_its_end_by_touching(world: World, game: str, players: Sequence[str], options: str) -> None:
    world.signup(*players)
    luck = random.Random(7)
    letters = world.mail(players[0], f"{game} challenge {' '.join(players)} {options}".strip())
    for ply in range(1, _LONGEST):
        seat = min(world.row().board.to_move)
        letter = _to(players[seat], letters)
        to, subject, body = luck.choice(_moves(letter, game))
        letters = world.mail(players[seat], subject, body, to=to)
        assert world.row().board.ply == ply, (body, letters[0].text)
        if world.row().board.result:
            break
    assert world.row().board.result
    assert {letter.to for letter in letters} == {f"{userid}@example.org" for userid in players}


def _moves(letter: Received, game: str) -> list[tuple[str, str, str]]:
    """Return the mails that links to moves open; the other links answer with a word or ask for something."""
    found = [mail for mail in Touchable(letter.html).mails if games.find(game).is_move(mail[2].strip())]
    assert found, letter.text
    return found


def _to(userid: str, letters: Sequence[Received]) -> Received:
    return next(letter for letter in letters if letter.to == f"{userid}@example.org")
