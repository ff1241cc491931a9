"""What stands in for a game that is not installed: its boards can be looked at, and wait."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

from pbmserv.errors import PlayerError
from pbmserv.games.base import AnyGame, Game, Info, Options, Outcome, Seat, Step, View
from pbmserv.rng import Rng

_NEVER = "(?!)"  #: matches nothing


class GameMissing(PlayerError):
    """Something needs the rules of a game, and they are not installed."""

    def __init__(self, game: str) -> None:
        super().__init__(
            f"The game {game} is not installed on this server at the moment.",
            "Its boards wait, and nobody loses time. They go on as soon as the game is back.",
        )
        self.game = game


class NotInstalled(Game[str, str]):
    """A game without its rules. Its position is the JSON that the real game wrote, and nobody is to move.

    Whatever needs the rules raises GameMissing.
    """

    position_type = str
    is_stand_in = True
    installed: AnyGame | None = None  #: another version of the rules, if that is installed

    def error(self) -> GameMissing:
        """What to raise instead of doing something on a board of this game."""
        key, rules = self.info.key, self.info.rules
        return GameMissing(f"{key} with version {rules} of its rules" if self.installed else key)

    def check(self, options: Options, seats: int) -> None:
        raise self.error()

    def setup(self, options: Options, seats: int, rng: Rng) -> str:
        raise self.error()

    def to_move(self, position: str) -> frozenset[Seat]:
        return frozenset()

    def legal_moves(self, position: str, seat: Seat) -> Sequence[str]:
        raise self.error()

    def apply(self, position: str, seat: Seat, move: str, rng: Rng) -> Step[str]:
        raise self.error()

    def outcome(self, position: str) -> Outcome | None:
        raise self.error()

    def format(self, move: str) -> str:
        raise self.error()

    def parse(self, position: str, seat: Seat, text: str) -> str:
        raise self.error()

    def retire(self, position: str, seat: Seat, rng: Rng) -> Step[str]:
        raise self.error()

    def seat_names(self, seats: int) -> tuple[str, ...]:
        return self.installed.seat_names(seats) if self.installed else super().seat_names(seats)

    def names_of_seats(self, options: Options, seats: int) -> tuple[str, ...]:
        return self.installed.names_of_seats(options, seats) if self.installed else self.seat_names(seats)

    def teams(self, seats: int) -> tuple[int, ...]:
        if self.installed is None:
            raise self.error()
        return self.installed.teams(seats)

    def scene(self, view: View[str]) -> Mapping[str, object]:
        return {"key": self.info.key, "rules": self.info.rules if self.installed else None}

    def dump(self, position: str) -> str:
        return position

    def load(self, text: str | bytes) -> str:
        return text.decode() if isinstance(text, bytes) else text


@cache
def stand_in(key: str, rules: int, installed: AnyGame | None) -> NotInstalled:
    """The stand-in for these rules of a game. `installed`: the game with other rules, if there is one."""
    known = installed.info if installed else _unknown(key)
    about = replace(known, name=f"{known.name} (not installed)", rules=rules, pattern=_NEVER, agreements=frozenset())
    made = type("Stand-in", (NotInstalled,), {"info": about, "installed": installed, "__module__": __name__})()
    assert isinstance(made, NotInstalled)  # noqa: S101 - for the type checker
    return made


def _unknown(key: str) -> Info:
    """What is told of a game of which the key is all that is known. It may hide things, and may have dice."""
    return Info(
        key=key, name=key, summary="", seats=(2,), pattern=_NEVER, endings={}, credit="", chance=True, hidden=True
    )
