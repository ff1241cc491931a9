"""What is different on a board with a robot: who can begin one, which seats they have, and when it counts."""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from pbmserv.boards import entries
from pbmserv.boards.ratings.rating_formula import UNRATED
from pbmserv.errors import PlayerError
from pbmserv.games.base import AnyGame
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Start
from pbmserv.model import BoardRow, Player, Robot, Settings
from pbmserv.robots.levels import Level, level_of
from pbmserv.store import Store

ANY = "robot"  #: the word for the robot whose rating is nearest, in a challenge
ALONE_EVERY = timedelta(days=1)  #: from the beginning of a robot's board in a solitaire to that of the next
_APART = 5.0  #: by how much the ratings (mu) of neighbouring levels differ, until boards tell more
_NEWCOMER, _UNBOUND = 1000, 2500  #: Elo that a newcomer is thought to have, and an engine of which only nodes are known
_LIKE_UNRATED = 1  #: by how many levels a newcomer is thought to be above the weakest
LEAST_TIME = 0.25  #: days that each time limit leaves at least, else a robot that rests before its moves would lose
REPETITION = 5  #: how often a position stands until the board is a draw, if the game has no rule of its own


def demand_free(store: Store, robot: Robot, sender: Player, game: AnyGame, terms: Settings) -> None:
    """Raise PlayerError if a robot does not play this game, rests, has too little time, or enough boards."""
    name, info = robot.player.userid, game.info
    other = f"To see the robots, send: {info.key} standings"
    if robot.game != info.key:
        raise PlayerError(f"{name} is a robot for another game: {robot.game}.", other)
    if robot.paused:
        raise PlayerError(f"The robot {name} rests at the moment.", other)
    demand_time(terms)
    active = store.robots.shared_boards(robot.player.id, sender.id, hold=True)
    if active >= robot.boards:
        raise PlayerError(f"{name} has enough boards with you: {active}.", "Finish one of them first.")


def demand_time(terms: Settings) -> None:
    """Raise PlayerError if a robot would have too little time."""
    if any(limit is not None and limit < LEAST_TIME for limit in (terms.forfeit, terms.total, terms.bank)):
        raise PlayerError(
            f"A robot takes no board with less than {LEAST_TIME} days of time.", "It rests before each of its moves."
        )


def nearest(store: Store, game: AnyGame, player: Player, without: Collection[str] = ()) -> Player:
    """Return the robot for a game whose rating is nearest to a player's, of those that are free for another board.

    If none is free, it is the nearest of all. `without`: userids not meant. Raises PlayerError if there is none.
    """
    key = game.info.key
    there = [robot for robot in store.robots.all(key) if not robot.paused]
    robots = [robot for robot in there if robot.player.userid not in without]
    if not robots:
        none = f"No other robot plays {game.info.name} here." if there else f"No robot plays {game.info.name} here."
        raise PlayerError(none, f"Find an opponent with: {key} seek USERID PASSWORD")

    own = (store.ratings.find(key, player.id) or UNRATED).mu
    free = [robot for robot in robots if store.robots.shared_boards(robot.player.id, player.id) < robot.boards]
    return min(free or robots, key=lambda robot: (abs(_strength(store, game, robot) - own), robot.level)).player


def _strength(store: Store, game: AnyGame, robot: Robot) -> float:
    """Return the rating of a robot; before its first rated board, what its level or its engine lets expect."""
    if rating := store.ratings.find(robot.game, robot.player.id):
        return rating.mu
    if robot.engine:
        return UNRATED.mu + ((robot.elo or _UNBOUND) - _NEWCOMER) / 60
    return UNRATED.mu + _APART * (robot.level - game.info.lowest_level - _LIKE_UNRATED)


def levels_of(store: Store, game: AnyGame) -> list[tuple[Robot, Level]]:
    """Return the robots of this server that play a game, with their levels, the weakest first."""
    return [(r, level_of(game, r.level)) for r in store.robots.all(game.info.key) if not r.paused]


def played(store: Store, offered: Sequence[AnyGame]) -> list[str]:
    """Return the keys of those games in which robots are opponents here, in the order of the games."""
    keys = {robot.game for robot in store.robots.all() if not robot.paused}
    return [game.info.key for game in offered if game.info.key in keys and game.info.seats != (1,)]


def seats(store: Store, game: AnyGame, players: Sequence[Player], robots: Sequence[Robot]) -> list[Player]:
    """Return the players of a rated board by seat: on the next board with a robot, each has the other colour."""
    if len(players) != len({p.id for p in players}) or len(players) != 2 or len(robots) != 1:
        return list(players)
    (robot,) = robots
    (other,) = (p for p in players if p.id != robot.player.id)
    last = store.robots.last_seat(robot.player.id, other.id, game.info.key)
    if last is None:
        return list(players)
    return [robot.player, other] if last == 0 else [other, robot.player]


def play_alone(store: Store, offered: Sequence[AnyGame], now: datetime) -> list[BoardRow]:
    """Begin a board for each robot of a solitaire that has none, and whose last one began a day ago.

    It is a board like those of people, without time limits. So robots are in the high scores, out of competition.
    """
    alone = {game.info.key: game for game in offered if game.info.seats == (1,)}
    begun = []
    for robot in store.robots.all():
        newest = store.robots.newest_board(robot.player.id)
        is_busy = newest is not None and (newest[0] or newest[1] > now - ALONE_EVERY)
        if robot.game in alone and not robot.paused and not is_busy:
            game = alone[robot.game]
            board = play.begin(Start(game, game.usual_options({}), 1, secrets.token_hex(16)))
            begun.append(entries.begin(store, board, [robot.player], Settings(nag=None, forfeit=None), now))
    return begun


def settings(game: AnyGame, terms: Settings, players: Sequence[Player]) -> Settings:
    """Return the settings of a board of these players. Robots take no ratings from each other.

    It makes no difference whether the server plays a robot or a program of its owner does.
    """
    robots = {p.id for p in players if p.robot}
    has_draws = "draw" in game.info.agreements and not game.info.repetition
    repetition = terms.repetition or (REPETITION if robots and has_draws else 0)
    return replace(terms, rated=terms.rated and len(robots) < 2, repetition=repetition)
