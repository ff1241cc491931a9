"""What an admin does with robots: accounts that the server plays itself."""

from collections.abc import Mapping
from dataclasses import dataclass

from pbmserv import games
from pbmserv.admin.desk import Desk, Missing
from pbmserv.admin.people.players import demand_new
from pbmserv.errors import PlayerError
from pbmserv.games.base import AnyGame
from pbmserv.model import Robot
from pbmserv.model.passwords import NO_PASSWORD
from pbmserv.robots.engines import CannotPlay, EngineFault, Engines, EngineSettings, Strength, speaks
from pbmserv.robots.levels import level_of, levels


@dataclass(frozen=True)
class ByEngine:
    """The engine that chooses the moves of a robot, how strong it plays, and the settings of all engines."""

    name: str
    limit: Strength
    engines: Mapping[str, EngineSettings]


def add(desk: Desk, userid: str, game: str, level: int, boards: int, by: ByEngine | None = None) -> Robot:
    """Create an account that plays a game by itself. Nobody can log in to it, and no letter goes to it.

    `level`: of our own search, which moves also where an engine cannot.
    """
    userid = userid.lower()
    demand_new(desk, userid)
    rules = games.names().get(game.lower())
    if rules is None:
        known = ", ".join(g.info.key for g in games.listed())
        raise Missing(f"There is no game {game}.", f"The games are: {known}")
    there = levels(rules)
    if all(level != known.number for known in there):
        named = ", ".join(f"{known.number} ({known.suits})" for known in there)
        raise PlayerError(f"{rules.info.name} has no level {level}.", f"The levels are: {named}")
    if by:
        _demand_engine(by, rules)
    player = desk.store.players.add(userid, NO_PASSWORD, desk.now)
    chosen = (by.name, *by.limit) if by else (None, None, None)
    desk.store.robots.add(player.id, rules.info.key, level, boards, *chosen)
    robot = Robot(player, rules.info.key, level, boards, False, *chosen)
    desk.note(f"player {userid}: add as a robot for {rules.info.key}, {robot.mind}")
    return robot


def _demand_engine(by: ByEngine, rules: AnyGame) -> None:
    """Start an engine and end it again. Raises PlayerError if it cannot play so."""
    if not by.name:
        raise PlayerError("Only an engine has a limit of Elo or nodes.", "Name one with: --engine NAME")
    if all(limit is not None for limit in by.limit):
        raise PlayerError("An engine has one limit.", "Give --elo or --nodes, and not both.")
    settings = by.engines.get(by.name)
    if settings is None:
        known = f"There are: {', '.join(by.engines)}" if by.engines else "There are none. See docs/engines.md."
        raise Missing(f"There is no engine {by.name} in the settings.", known)
    if not speaks(settings, rules):
        raise PlayerError(
            f"The engine {by.name} cannot play {rules.info.name}: {settings.protocol} has no word for it."
        )
    engines = Engines({by.name: settings})
    try:
        engines.check(by.name, by.limit, rules)
    except (EngineFault, CannotPlay) as error:
        raise PlayerError(f"The engine {by.name} does not play so: {error}") from None
    finally:
        engines.close()


def suits(robot: Robot) -> str:
    """Return in words whom a robot suits; "" if an engine chooses its moves, or if its game is not installed."""
    game = games.names().get(robot.game)
    return level_of(game, robot.level).suits if game and not robot.engine else ""


def pause(desk: Desk, userid: str, paused: bool) -> None:
    """Let a robot rest or go on. While it rests, it makes no move and accepts no challenge; its time runs."""
    known = robot(desk, userid)
    if known.paused == paused:
        raise PlayerError(f"The robot {known.player.userid} is {'paused' if paused else 'playing'} already.")
    desk.store.robots.pause(known.player.id, paused)
    desk.note(f"player {known.player.userid}: robot {'paused' if paused else 'goes on'}")


def robot(desk: Desk, userid: str) -> Robot:
    """Return the robot with this userid. Raises PlayerError if it is the account of a person, or of nobody."""
    player = desk.player(userid)
    known = desk.store.robots.find(player.id)
    if known is None:
        raise PlayerError(f"{player.userid} is no robot.", "To see the robots: pbmserv robots list")
    return known
