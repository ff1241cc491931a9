"""Whoever is to move gets the letter that says so, whatever they have set: random play in every game."""

from functools import partial
from random import Random

import pytest

from pbmserv.conformance.walks import random_turn, setups
from pbmserv.games import GAMES
from pbmserv.games.base import AnyGame
from pbmserv.games.base.log import Kind
from pbmserv.letters.digest import write_digest
from pbmserv.letters.letters import Cause, Letters
from pbmserv.model import Player
from pbmserv.rng import Rng
from pbmserv.store import Store
from tests.examples import SOAK
from tests.world import Received, World

_SETTINGS = {
    "own": ("on", "off"),
    "digest": ("off", "daily"),
    "subject": ("same", "turn"),
    "mail": ("html", "text", "spoken"),
    "fewer": ("off", "on"),
    "attach": ("off", "record"),
}
#: What a letter says to whoever is to move, or to answer first.
_SAID = ("Your move", "needs a word from you", "answer accept or reject")
#: What a player does while the turn stays as it is.
_QUIET = (Kind.PROPOSE, Kind.UNDO, Kind.REJECT)
_MAILS = 8 if SOAK == 1 else 12  #: of a board


class _Play:
    """Random mails about board 101, and who has had the letter about the present turn."""

    def __init__(self, world: World, game: AnyGame, luck: Random, options: str) -> None:
        self.world, self.luck, self.key = world, luck, game.info.key
        self.userids = ("alice", "bob", "carol", "dave")[
            : luck.choice([setup.seats for setup in setups(game) if not setup.options])
        ]
        self.told = set[str]()
        self.length = 0
        world.signup(*self.userids)
        self._set()
        self._mail("alice", f"{self.key} challenge {' '.join(self.userids)} {options}")

    def go_on(self) -> None:
        """Send one mail, which makes an entry or is refused."""
        row = self.world.row()
        self._set()
        seat = self.luck.choice(sorted(row.board.to_move))
        userid = row.players[seat].userid
        verb = self.luck.choice(("move",) * 6 + ("propose", "undo", "accept", "reject"))
        move = ""
        if verb == "move":
            turn = random_turn(row.board, Rng(f"{self.luck.random()}", row.board.length))
            userid, move = row.players[turn.seat].userid, turn.change.entry.text
        if self.luck.random() < 0.2:
            self._answer_digest(userid, f"101: {move or verb}")
        else:
            self._mail(userid, f"{self.key} {verb} 101 {userid} {userid}-secret {move}".strip())

    def _set(self) -> None:
        """Let each player want something else."""
        for player in map(self.world.player, self.userids):
            chosen = {name: self.luck.choice(values) for name, values in _SETTINGS.items()}
            self.world.act(partial(_set, player_id=player.id, chosen=chosen))

    def _answer_digest(self, userid: str, line: str) -> None:
        """Let a player read the digest, if there is one, and answer it."""
        self.world.act(partial(self._write_digest, player=self.world.player(userid)))
        for digest in self.world.letters():
            self._read(self.world.reply(digest, line))

    def _write_digest(self, store: Store, player: Player) -> None:
        letters = Letters(self.world.site, store, Cause(None), self.world.now)
        write_digest(letters, player)
        store.letters.queue(letters.rows)

    def _mail(self, userid: str, subject: str) -> None:
        self._read(self.world.mail(userid, subject))

    def _read(self, letters: list[Received]) -> None:
        """Note who has been told, and check that each player who is to move has been, since their own last entry."""
        row = self.world.row()
        new = self.world.query(lambda store: store.boards.entries(101, self.length))
        self.length = row.board.length
        self.told -= {row.players[entry.seat].userid for entry in new if entry.kind not in _QUIET}
        self.told |= {x.to.partition("@")[0] for x in letters if any(word in x.flat for word in _SAID)}
        waiting = {player_id for player_id, _ in self.world.query(lambda store: store.readers.digest_readers())}
        self.told |= {player.userid for player in row.players if player.id in waiting}
        to_move = {row.players[seat].userid for seat in row.board.to_move}
        self.told &= to_move
        assert self.told == to_move, (new, [(x.to, x.text) for x in letters])


def _set(store: Store, player_id: int, chosen: dict[str, str]) -> None:
    for name, value in chosen.items():
        store.players.set_preference(player_id, "", name, value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "luck"),
    [*((game, 0) for game in GAMES[::12]), *(pytest.param(game, 1, marks=pytest.mark.slow) for game in GAMES)],
    ids=lambda value: value if isinstance(value, int) else value.info.key,
)
def test_every_seat_to_move_is_told(world: World, game: AnyGame, luck: int) -> None:
    options = "--dice=shared" if luck % 2 and game.info.draws({}) and min(game.info.seats) > 1 else ""
    playing = _Play(world, game, Random(f"{game.info.key} {luck}"), options)
    for _ in range(_MAILS):
        if not world.row().board.result:
            playing.go_on()
