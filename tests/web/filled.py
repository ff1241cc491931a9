"""A server with boards of every game, running, finished and private, and with seeks."""

from pbmserv import games
from pbmserv.boards import entries
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Start
from pbmserv.model import Settings
from pbmserv.store import Store
from tests.boards.seasons.events import announced, entered
from tests.world import World

PRIVATE = 107


def fill(world: World) -> None:
    """Begin boards 101 to 109, two seeks, and a tournament that players can enter. Board 107 is private."""
    world.signup("alice", "bob", "carol", "eve", "nobody1")
    play_on(world, begin(world, "alice", "bob", options="c"), 5)
    play_on(world, begin(world, "alice", "bob"), 4)
    world.mail("bob", "tumble resign 102 bob bob-secret")
    play_on(world, begin(world, "alice", game="town"), 20)
    play_on(world, begin(world, "bob", game="threes"), 2000)
    play_on(world, begin(world, "alice", "bob", game="3io"), 6)
    play_on(world, begin(world, "bob", "carol", game="trippples", options="h"), 3)
    play_on(world, begin(world, "alice", "carol", private=True), 3)
    begin(world, "carol", "eve", game="trippples")
    world.mail("eve", "trippples decline 108 eve eve-secret")
    begin(world, "carol", "eve", game="trippples")
    world.mail("bob", "tumble seek bob bob-secret -c")
    world.mail("carol", "trippples seek carol carol-secret --private")
    entered(world, announced(world), "alice", "carol")
    world.mail("eve", "signoff eve eve-secret")
    world.mail("carol", "vacation carol carol-secret 5")


def begin(world: World, *userids: str, game: str = "tumble", options: str = "", private: bool = False) -> int:
    """Begin a board with the same random draws in every run, and return its number. The players have accounts."""
    players = [world.player(userid) for userid in userids]
    number = max(world.query(lambda s: s.board_lists.numbers()), default=100) + 1
    start = Start(games.find(game), dict.fromkeys(options.split(), ""), len(players), f"{number:032x}")
    settings = Settings(private=private)
    return world.act(lambda s: entries.begin(s, play.begin(start), players, settings, world.now)).number


def play_on(world: World, number: int, most: int) -> None:
    """Play at most so many moves, each the one that the game gives as an example."""

    def do(store: Store) -> None:
        row = store.boards.find(number)
        assert row
        for _ in range(most):
            if row.board.result:
                return
            seat = min(row.board.to_move)
            move = row.game.example(row.board.position, seat)
            row = entries.write(store, row, play.play(row.board, seat, move), None, world.now)

    world.act(do)
