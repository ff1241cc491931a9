"""What the words of a call name: players and boards. Each look-up that fails says what to send instead."""

from difflib import get_close_matches

from pbmserv import games
from pbmserv.errors import PlayerError, may_be_password, no_such
from pbmserv.inbox.command import read_board
from pbmserv.store import BoardRow, Player, Store

_NEIGHBOURS = 300  #: userids on each side of a misspelt one, in the alphabet, that it is compared with


class Lookups:
    """Finds players and boards for one mail."""

    def __init__(self, store: Store, reserved: frozenset[str]) -> None:
        self._store = store
        self._reserved = reserved
        self._held: BoardRow | None = None  #: a board that is locked and has not changed since it was read

    def player(self, userid: str) -> Player:
        """The player with this userid. Raises PlayerError with the nearest ones."""
        player = self.known(userid)
        if player.password_hash is None:
            raise PlayerError(f"The account {player.userid} is closed.", "Name somebody else.")
        return player

    def known(self, userid: str) -> Player:
        """Whoever has or had this userid. Raises PlayerError with the nearest ones."""
        player = self._store.players.find(userid)
        if player is None:
            near = self.nearest(userid)
            hint = f"Perhaps: {', '.join(near)}" if near else "To open an account, send: signup USERID PASSWORD"
            raise PlayerError(f"{no_such('player', userid)}.", hint)
        return player

    def nearest(self, userid: str) -> list[str]:
        """The userids that are most like this word, the nearest first.

        On a server with thousands of players, only those that begin much like it are looked at.
        """
        return get_close_matches(userid, self._store.players.userids_near(userid, _NEIGHBOURS), n=3, cutoff=0.6)

    def board(self, number: int, *, lock: bool = True) -> BoardRow:
        """The board with this number; one that is held is not read anew. Raises PlayerError."""
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
        """What was read is out of date."""
        self._held = None

    def means_something(self, word: str) -> bool:
        """Whether a word cannot be a password, or means something here: a move, a userid, a word of the language."""
        if not may_be_password(word) or word in self._reserved:
            return True
        move = word.partition("#")[0]
        if any(g.is_move(g.normalise(move)) for g in games.all_games()):
            return True
        ref = read_board(word)
        return (self._store.boards.find(ref.number, lock=False) if ref else self._store.players.find(word)) is not None
