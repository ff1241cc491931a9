"""What an admin does with robots: accounts that the server plays itself."""

from pbmserv import games
from pbmserv.admin.desk import Desk, Missing
from pbmserv.admin.people.players import demand_new
from pbmserv.errors import PlayerError
from pbmserv.model import Robot
from pbmserv.model.passwords import NO_PASSWORD
from pbmserv.robots.levels import level_of, levels


def add(desk: Desk, userid: str, game: str, level: int, boards: int) -> Robot:
    """Create an account that plays a game by itself. Nobody can log in to it, and no letter goes to it."""
    userid = userid.lower()
    demand_new(desk, userid)
    rules = games.names().get(game.lower())
    if rules is None:
        known = ", ".join(g.info.key for g in games.all_games())
        raise Missing(f"There is no game {game}.", f"The games are: {known}")
    there = levels(rules)
    if level not in range(1, len(there) + 1):
        named = ", ".join(f"{known.number} ({known.suits})" for known in there)
        raise PlayerError(f"{rules.info.name} has no level {level}.", f"The levels are: {named}")
    player = desk.store.players.add(userid, NO_PASSWORD, desk.now)
    desk.store.robots.add(player.id, rules.info.key, level, boards)
    desk.note(f"player {userid}: add as a robot for {rules.info.key}, level {level}")
    return Robot(player, rules.info.key, level, boards, paused=False)


def suits(robot: Robot) -> str:
    """Return in words whom a robot suits; "" if its game is not installed."""
    game = games.names().get(robot.game)
    return level_of(game, robot.level).suits if game else ""


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
