"""A robot plays every game with every option against somebody who plays at random, and never stands still."""

from datetime import timedelta

import pytest

from pbmserv import games
from pbmserv.conformance.walks import Setup, setups
from pbmserv.model.boards import options_text
from pbmserv.rng import Rng
from pbmserv.server.robot_player import REST
from tests.examples import SOAK, some_of, spread
from tests.server.test_robot_player import add, role
from tests.world import World


def _covering(key: str) -> list[Setup]:
    """Return few setups of a game that have each option, value and number of seats: Go has 48 in all."""
    found, every = list[Setup](), Rng(key, 0).shuffled(setups(games.find(key)))
    wanted = set[object]().union(*map(_parts, every))
    while wanted:
        found.append(max(every, key=lambda setup: len(_parts(setup) & wanted)))
        wanted -= _parts(found[-1])
    return found


def _parts(setup: Setup) -> set[object]:
    return {*dict(setup.options).items(), *({} if setup.options else {"no options"}), setup.seats}


COVERING = [(game.info.key, setup) for game in games.listed() for setup in _covering(game.info.key)]
#: Of each game one setup with most options.
FEW = [(game.info.key, setups(game)[-1]) for game in games.listed()]
_HUMANS = ("alice", "bob", "carol")


def _named(case: tuple[str, Setup]) -> str:
    return f"{case[0]} {options_text(dict(case[1].options))} {case[1].seats}"


def _play(world: World, key: str, setup: Setup, plies: int) -> None:
    """Begin a board and play some plies. Human players move, offer draws and take moves back at random."""
    luck = Rng(f"{key} {setup}", 0)
    world.signup(*_HUMANS)
    add(world, "robert", key)
    others = _HUMANS[: setup.seats - 1]
    rated = luck.choice(("", "--unrated"))
    sender = "alice" if others else "robert"
    names = ("robert", *others) if luck.randrange(2) else (*others, "robert")
    if others:
        world.mail(sender, f"{key} challenge {' '.join(names)} {options_text(dict(setup.options))} {rated}")
    while (row := world.row()).board.to_move and row.board.ply < plies:
        robot = next(seat for seat, player in enumerate(row.players) if player.userid == "robert")
        if robot in row.board.to_move | row.board.to_answer:
            world.now += timedelta(seconds=REST + 1)
            assert role(world).play()
            after = world.row().board
            assert after.length > row.board.length, "the robot stands still"
            continue
        seat = luck.choice(sorted(row.board.to_move))
        _act(world, key, row.players[seat].userid, luck)


def _act(world: World, key: str, userid: str, luck: Rng) -> None:
    """Let a human player move, or propose something first."""
    board = world.row().board
    seat = next(s for s, p in enumerate(world.row().players) if p.userid == userid)
    texts = [board.game.format(move) for move in board.game.legal_moves(board.position, seat)]
    if verb := luck.choice(("", "", "", "propose", "undo")):
        world.mail(userid, f"{key} {verb} 101 {userid} {userid}-secret")
        if world.row().board.offer:
            return
    world.mail(userid, f"{key} move 101 {userid} {userid}-secret {luck.choice(texts)}")
    assert world.row().board.length > board.length


@pytest.mark.slow
@pytest.mark.parametrize("case", spread([c for c in FEW if c[1].seats > 1], 3), ids=_named)
def test_some_moves(world: World, case: tuple[str, Setup]) -> None:
    _play(world, *case, plies=6 if SOAK == 1 else 8)
    world.verify()


@pytest.mark.slow
@pytest.mark.sqlite
@pytest.mark.timeout(600)
@pytest.mark.parametrize("case", some_of([c for c in COVERING if c[1].seats > 1], 36), ids=_named)
def test_many_moves(world: World, case: tuple[str, Setup]) -> None:
    _play(world, *case, plies=20 if SOAK == 1 else 80)
    world.verify()
