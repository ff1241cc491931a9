"""Boards with shared dice before they are set up: each seat owes a word, and the seed is made of all of them.

While it waits, a board has a stand-in for its game, so that letters, pages, robots and replies need no cases of their
own: whoever owes a word is to move, and the move is the word. The position is only who owes one, so it reveals nothing.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from pbmserv.errors import MoveError, NotAMove, PlayerError
from pbmserv.games.base.game import AnyGame, Game
from pbmserv.games.base.values import Info, Options, Outcome, Seat, Step, View
from pbmserv.rng import ChanceNeeded, Rng

GO = "go"  #: the answer of a player who chooses no word: the mail itself gives one
MOST_LETTERS = 100  #: of a word
_PREFIX = "word="
_SAME_AS_GO = ("ok", "okay", "ready", "yes", "los", "ja", "bereit")
_WRITTEN = re.compile(r"(?:word|wort)(?:\s*[=:]\s*|\s+)(.*)", re.IGNORECASE)
_HOW = "Write the one word go, or choose a word of your own, for example: word=seven green pears"


@dataclass(frozen=True)
class Owed:
    """A board that waits for words: the seats that owe one."""

    seats: tuple[Seat, ...]


class BeforeSetup(Game[Owed, str]):
    """The stand-in for a game whose board waits for words. A move is the word that a seat gives."""

    position_type = Owed
    real: AnyGame  #: the game that comes afterwards

    def setup(self, options: Options, seats: int, rng: Rng) -> Owed:
        return Owed(tuple(range(seats)))

    def to_move(self, position: Owed) -> frozenset[Seat]:
        return frozenset(position.seats)

    def legal_moves(self, position: Owed, seat: Seat) -> Sequence[str]:
        """Return the only word that can be listed: no list has all of them."""
        return (GO,)

    def apply(self, position: Owed, seat: Seat, move: str, rng: Rng) -> Step[Owed]:
        """Raise ChanceNeeded: nobody can try out which seed a word leads to. `board.play` gives the word."""
        raise ChanceNeeded

    def outcome(self, position: Owed) -> Outcome | None:
        return None

    def format(self, move: str) -> str:
        return move if move == GO else f"{_PREFIX}{move}"

    def normalise(self, text: str) -> str:
        """Capitals and spaces in a word count as written, but not around it."""
        bare = " ".join(text.split())
        return GO if bare.lower() in (GO, *_SAME_AS_GO) else bare

    def moves_in(self, words: Sequence[str]) -> list[str]:
        """A word can be several: `word=seven green pears`, or `word: seven green pears`."""
        match = _WRITTEN.fullmatch(" ".join(words))
        return [f"{_PREFIX}{match[1]}"] if match else list(words)

    def named(self, position: Owed, seat: Seat, text: str) -> Sequence[str]:
        return (text.removeprefix(_PREFIX),)

    def not_a_move(self, position: Owed, seat: Seat, text: str) -> MoveError:
        if text.lower().startswith(_PREFIX):
            return NotAMove(f"A word has up to {MOST_LETTERS} characters, and none of them is #.", _HOW)
        return NotAMove("Before this board is set up, all players give a word for its dice.", _HOW)

    def seat_names(self, seats: int) -> tuple[str, ...]:
        return self.real.seat_names(seats)

    def names_of_seats(self, options: Options, seats: int) -> tuple[str, ...]:
        return self.real.names_of_seats(options, seats)

    def teams(self, seats: int) -> tuple[int, ...]:
        return self.real.teams(seats)

    def agreement(self, view: View[Owed], rng: Rng) -> Sequence[str]:
        """A robot has no word of its own: its mail gives one."""
        return (GO,)

    def scene(self, view: View[Owed]) -> Mapping[str, object]:
        return {"owed": len(view.position.seats)}

    def rejoin(self, position: Owed, seat: Seat) -> Owed:
        raise not_set_up()


def not_set_up() -> PlayerError:
    """What to raise where a position is needed, and there is none yet."""
    return PlayerError("This board is not set up yet: a word of each player comes first.", _HOW)


@cache
def before_setup(game: AnyGame) -> AnyGame:
    """Return the stand-in for a game whose board waits for words; one that is not installed stands for itself."""
    if game.is_stand_in:
        return game
    about: Info = replace(game.info, pattern=rf"{GO}|{_PREFIX}[^#\s][^#]{{0,{MOST_LETTERS - 1}}}", displays=())
    made = type("Waiting", (BeforeSetup,), {"info": about, "real": game, "__module__": __name__})()
    assert isinstance(made, BeforeSetup)  # noqa: S101 - for the type checker
    return made
