"""A move, played on a server with the new settings, which has a folder, a database and a port of its own."""

from __future__ import annotations

import asyncio
import tempfile
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from typing import TYPE_CHECKING

from pbmserv.cli.mailing.send import Mailbox, submit
from pbmserv.cli.mailing.setup.asking import NotRight
from pbmserv.cli.terminal.database import key_of, prepare_database

if TYPE_CHECKING:
    from pbmserv.cli.mailing.setup.draft_settings import DraftSettings
    from pbmserv.config import Config
    from pbmserv.games.base import AnyGame
    from pbmserv.model.boards import BoardRow

_PLAYERS = ("alice", "bob")
_SECONDS = 30.0


def play(draft: DraftSettings) -> str:
    """Let two players begin a board, and one of them move. Returns what was played. Raises NotRight."""
    from pbmserv.cli.terminal import logs

    with tempfile.TemporaryDirectory(prefix="pbmserv-setup-") as folder:
        config = draft.config(
            database_url=f"sqlite:///{folder}/pbmserv.db",
            listen=["smtp://127.0.0.1:0"],
            relay=f"maildir:{folder}/letters",
            relay_password="",
            mailbox="",
            metrics="",
            operator="",
            roles=["listener", "sender"],
            senders=0,
            trust_from=True,
            confirm_addresses=False,
        )
        logs.configure(level="error")
        prepare_database(config)
        return asyncio.run(_play(config))


def _for_two(config: Config) -> AnyGame | None:
    """Return a game of the settings whose first move is in plain sight; None if all of them are others."""
    from pbmserv import games

    offered = games.chosen(config.games)
    plain = (g for g in offered if g.info.seats[0] <= 2 <= g.info.seats[-1] and not (g.info.chance or g.info.hidden))
    return next(plain, None)


async def _play(config: Config) -> str:
    from pbmserv.cli.terminal.launch import Launch
    from pbmserv.cli.terminal.running import settings_of
    from pbmserv.server.server import Server

    server = Server(settings_of(Launch.of(config, key_of(config))))
    await server.start()
    try:
        return await _first_move(config, server.addresses[0])
    except TimeoutError:
        raise NotRight("A trial game did not go on: no letter came. See the log above.") from None
    finally:
        await server.stop()


async def _first_move(config: Config, url: str) -> str:
    alice, bob = _PLAYERS
    for userid in _PLAYERS:
        await _ask(config, url, userid, f"signup {userid} {userid}-secret")
    game = _for_two(config)
    if game is None:
        return "two accounts were made and answered"
    key = game.info.key
    await _ask(config, url, alice, f"{key} challenge {alice} {bob}")
    row = await asyncio.to_thread(_board, config)
    seat = min(row.board.to_move)
    userid, move = row.players[seat].userid, game.shown_example(row.board.position, seat)
    await _ask(config, url, userid, f"{key} move 101 {userid} {userid}-secret {move}")
    if not (await asyncio.to_thread(_board, config)).board.length:
        raise NotRight(f"{move} was not played in a trial game of {game.info.name}.")
    return f"{userid} played {move} in a trial game of {game.info.name}, and the letters were written"


async def _ask(config: Config, url: str, userid: str, words: str) -> None:
    """Send a mail, and wait until its sender has got the answer. Raises TimeoutError."""
    mail, box = EmailMessage(), Mailbox(config.relay, f"{userid}@example.org")
    mail["From"], mail["To"], mail["Subject"] = f"{userid}@example.org", config.address, words
    mail["Date"], mail["Message-ID"] = formatdate(), make_msgid(domain="example.org")
    mail.set_content("")
    await asyncio.to_thread(submit, mail, url)
    async with asyncio.timeout(_SECONDS):
        while not box.answers(str(mail["Message-ID"]), set()):
            await asyncio.sleep(0.02)


def _board(config: Config) -> BoardRow:
    from pbmserv.cli.terminal.database import open_database
    from pbmserv.store import Store

    with open_database(config) as engine, engine.connect() as connection:
        row = Store(connection).boards.find(101, lock=False)
    if row is None:
        raise NotRight("A trial game did not begin.")
    return row
