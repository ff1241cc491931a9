"""`pbmserv robots`: accounts that the server plays itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pbmserv.cli.terminal.acting import Why, Yes, change
from pbmserv.cli.terminal.console import AdminCommands, AsJson, console, listing, load_config
from pbmserv.cli.terminal.database import reading

if TYPE_CHECKING:
    from pbmserv.admin.desk import Desk

app = AdminCommands()

Userid = Annotated[str, typer.Argument(metavar="USERID")]


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List all robots, with the boards on which they play, and whom the level of each one suits.

    For example: pbmserv robots list
    """
    from pbmserv.admin import robots

    with reading() as store:
        rows = [
            {
                "userid": r.player.userid,
                "game": r.game,
                "level": r.level,
                "suits": robots.suits(r),
                "engine": r.engine or "",
                "elo": r.elo,
                "nodes": r.nodes,
                "boards": store.board_lists.count_active(r.game, r.player.id),
                "most": r.boards,
                "state": "paused" if r.paused else "plays",
            }
            for r in store.robots.all()
        ]
    titles = {key: key for key in ("userid", "game", "level", "suits", "engine", "elo", "nodes", "boards", "state")}
    listing(rows, titles | {"most": "boards with each player"}, as_json)


@app.command()
def add(
    userid: Userid,
    game: Annotated[str, typer.Option(help="the game that it plays")],
    level: Annotated[int, typer.Option(help="how well it plays, from 1 (0 in Go and backgammon) to 3, 4 or 5")] = 2,
    boards: Annotated[int, typer.Option(min=1, max=1000, help="how many it plays with one player at a time")] = 3,
    engine: Annotated[str, typer.Option(help="the engine of the settings that chooses its moves")] = "",
    elo: Annotated[int | None, typer.Option(min=1, help="how strong the engine plays")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="how many positions the engine looks at for a move")] = None,
    why: Why = "",
) -> None:
    """Create a robot for one game. It takes every challenge, and answers within a minute.

    For example: pbmserv robots add stocky --game chess --engine stockfish --elo 1500
    """
    from pbmserv.admin import robots
    from pbmserv.robots.engines import Strength

    config = load_config()
    wants_engine = engine or elo or nodes
    by = robots.ByEngine(engine, Strength(elo, nodes), config.engines) if wants_engine else None
    robot = change(why, lambda desk: robots.add(desk, userid, game, level, boards, by))
    suits = f", for {robots.suits(robot)}" if robots.suits(robot) else ""
    console.print(f"The robot {robot.player.userid} plays {robot.game} {robot.mind}{suits}.", markup=False)
    if not config.robots:
        console.print("PBMSERV_ROBOTS=0: robots do not move. Set it to 1, and restart the server.", markup=False)


@app.command()
def pause(userid: Userid, why: Why = "") -> None:
    """Let a robot rest: it makes no moves and takes no challenges until `resume`. Its time limits go on.

    For example: pbmserv robots pause robert --why "the machine is slow"
    """
    from pbmserv.admin import robots

    change(why, lambda desk: robots.pause(desk, userid, paused=True))
    console.print(f"The robot {userid.lower()} rests.", markup=False)


@app.command()
def resume(userid: Userid, why: Why = "") -> None:
    """Let a robot play again.

    For example: pbmserv robots resume robert
    """
    from pbmserv.admin import robots

    change(why, lambda desk: robots.pause(desk, userid, paused=False))
    console.print(f"The robot {userid.lower()} plays again.", markup=False)


@app.command()
def remove(userid: Userid, yes: Yes = False, why: Why = "") -> None:
    """Close the account of a robot. It resigns its boards, as a player does who signs off.

    For example: pbmserv robots remove robert --why "nobody plays with it"
    """
    from pbmserv.admin import robots
    from pbmserv.admin.people import players

    def do(desk: Desk) -> list[int]:
        return players.erase(desk, robots.robot(desk, userid).player.userid)

    left = change(why, do, asks=f"Close the account of the robot {userid.lower()} for good?", yes=yes)
    resigned = f" It resigned the boards {', '.join(map(str, left))}." if left else ""
    console.print(f"The robot {userid.lower()} is gone.{resigned}", markup=False)
