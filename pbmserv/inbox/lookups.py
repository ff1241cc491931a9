"""Finds the players and boards that a call names. Each error says what to send instead."""

import re

from pbmserv import games
from pbmserv.errors import PlayerError, may_be_password, no_such
from pbmserv.games.base.pieces import CHESSMEN, man_named
from pbmserv.inbox.command import is_userid, read_board
from pbmserv.inbox.lines.parse import spelled_like
from pbmserv.inbox.lines.spellings import without_noise
from pbmserv.inbox.lines.words.comment_words import KNOWN
from pbmserv.inbox.lines.words.said_words import SAID
from pbmserv.model import BoardRow, Player
from pbmserv.store import Store

_SIGNS = re.compile(r"\W+")  #: c1->c2, c1:c2: a move as people may write it
_NUMBERED = re.compile(r"^\d{1,3}\.+(?=\w)")  #: 1...e5
_NEIGHBOURS = 300  #: how many userids before and after a misspelt one, in the alphabet, are compared with it


def demand_present_name(store: Store, player: Player) -> None:
    """Raise PlayerError with the new name if this is only the old one of somebody."""
    if new := store.players.renamed_to(player):
        raise PlayerError(f"{player.userid} is called {new.userid} now.", f"Write the new name: {new.userid}")


def is_known(word: str, known_words: frozenset[str]) -> bool:
    """Return whether a word cannot be a password, has the form of a move, or is in one of our tables."""
    bare, move = without_noise(word), _NUMBERED.sub("", word.partition("#")[0].rstrip(".,;:!"))
    if not may_be_password(word) or bare in known_words or bare in KNOWN or bare in SAID or man_named(bare, CHESSMEN):
        return True
    return games.is_any_move(move) or games.is_any_move(_SIGNS.sub("-", move))


class Lookups:
    """Finds players and boards for one mail."""

    def __init__(self, store: Store, known_words: frozenset[str]) -> None:
        self._store = store
        self._known_words = known_words
        self._held: BoardRow | None = None  #: a locked board that has not changed since it was read

    def player(self, userid: str) -> Player:
        """The player with this userid. Raises PlayerError with the nearest ones."""
        player = self.known(userid)
        if player.password_hash is None:
            raise PlayerError(f"The account {player.userid} is closed.", "Name somebody else.")
        return player

    def known(self, userid: str) -> Player:
        """Return the player who has or had this userid. Raises PlayerError with the nearest ones."""
        player = self._store.players.find(userid)
        if player is None:
            near = self.nearest(userid)
            hint = f"Did you mean: {', '.join(near)}" if near else "To open an account, send: signup USERID PASSWORD"
            raise PlayerError(f"{no_such('player', userid)}.", hint)
        demand_present_name(self._store, player)
        return player

    def nearest(self, userid: str) -> list[str]:
        """Return the userids most similar to this word, the nearest first.

        With thousands of players, only userids near it in the alphabet are compared.
        """
        return spelled_like(userid, self._store.players.userids_near(userid, _NEIGHBOURS), 0.6)

    def is_userid(self, word: str) -> bool:
        """Return whether a word in lower case is the userid of somebody."""
        return is_userid(word) and self._store.players.find(word) is not None

    def board(self, number: int, *, lock: bool = True) -> BoardRow:
        """Return the board with this number. A held board is not read again. Raises PlayerError."""
        if self._held and self._held.number == number:
            return self._held
        row = self._store.boards.find(number, lock=lock)
        if row is None:
            raise PlayerError(f"{no_such('board', str(number))}.", "To see the running boards, send: list")
        return row

    def hold(self, number: int) -> BoardRow:
        """Lock a board and keep it until `forget`. Raises PlayerError."""
        self._held = self.board(number)
        return self._held

    def forget(self) -> None:
        """Drop the held board, because it may have changed."""
        self._held = None

    def means_something(self, word: str) -> bool:
        """Return whether a word cannot be a password, or is a move, a userid or a word that we know."""
        if is_known(word, self._known_words):
            return True
        ref = read_board(word)
        return (self._store.boards.find(ref.number, lock=False) if ref else self._store.players.find(word)) is not None
