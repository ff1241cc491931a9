"""The server process, from its checked settings to its end.

It stays in memory for months. So this module imports neither Pydantic, which reads the settings, nor Typer and Rich,
which are for commands: their work is done when a server runs (ADR 30).
"""

import asyncio
import sqlite3
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from sqlalchemy.exc import DatabaseError

from pbmserv import __version__
from pbmserv.cli.terminal import logs
from pbmserv.cli.terminal.exits import Exit
from pbmserv.cli.terminal.launch import Launch, OtherVersion
from pbmserv.db import engines, migrate
from pbmserv.db.schema_guard import OtherSchema
from pbmserv.mail.imap.account import FetchPace, MailboxSettings, read_account
from pbmserv.mail.smtp.listener import ListenError
from pbmserv.model.letters import Share
from pbmserv.server.processes import fork_server
from pbmserv.server.processes.children import ChildPlan
from pbmserv.server.robot_player import Pace
from pbmserv.server.server import Server, ServerSettings

#: What a process with other roles than `sender` needs only now and then: for passwords, ratings, quarantine and robots.
#: An upgrade may replace the files below a running server, so nothing is imported after its start.
_NEEDED_LATER = (
    "argon2",
    "cryptography.fernet",
    "openskill.models",
    "passlib.context",
    "passlib.handlers.argon2",
    "pbmserv.games.capture.chess.fast.position",
)
#: The same, if it is installed.
_EXTRAS = ("caissify_pairings", "uvloop")
#: What a child needs if there are webhooks. One in place of a dead child begins long after the start.
_FOR_EVENTS = ("pbmserv.server.event_outbox", "pbmserv.webhooks.post_relay")
#: The same if logins are by OAuth2.
_FOR_LOGINS = ("cryptography.fernet", "pbmserv.mail.oauth.grants")

#: The roles of children, by what the log calls such a child.
_ROLES = {"sender": "sender", "robot": "robots"}


def import_what_is_needed_later() -> None:
    """Import it now. A server does it while its other process reads the settings."""
    for name in _NEEDED_LATER:
        import_module(name)
    for name in _EXTRAS:
        with suppress(ImportError):
            import_module(name)


def settings_of(launch: Launch) -> ServerSettings:
    """Return the settings as the server takes them."""
    return ServerSettings(
        database_url=launch.database_url,
        listen=launch.listen,
        relay=launch.relay,
        roles=launch.roles,
        site=launch.site(),
        key=launch.key.encode(),
        metrics=launch.metrics,
        children=_children(launch),
        is_child=bool(launch.child),
        share=_share(launch),
        pace=Pace(launch.robot_rest, launch.robot_lease),
        engines=launch.engines,
        mailbox=_mailbox(launch),
        mailbox_login=launch.mailbox_login,
        relay_login=launch.relay_login,
    )


def _mailbox(launch: Launch) -> MailboxSettings | None:
    if not launch.mailbox:
        return None
    pace = FetchPace(lease=launch.mailbox_lease)
    return MailboxSettings(read_account(launch.mailbox), launch.mailbox_password, pace)


def _share(launch: Launch) -> Share:
    """The letters that this process sends first, if it sends."""
    number, _, of = launch.child.partition("/")
    return Share(int(number), int(of)) if launch.child else Share(0, max(launch.senders, 1))


def _children(launch: Launch) -> tuple[ChildPlan, ...]:
    """The processes that send or play for this one. A process that has only one of these roles counts as one of them.

    They get its settings, and do not read the settings file again: it may have changed meanwhile.
    """
    if launch.child:
        return ()
    counts = {"sender": launch.senders, "robot": launch.robots}
    plans = (_plan(launch, role, name, counts[name]) for name, role in _ROLES.items() if role in launch.roles)
    return tuple(plan for plan in plans if plan.shares)


def _plan(launch: Launch, role: str, name: str, count: int) -> ChildPlan:
    """Return the children of one role. `count`: how many processes are to have it."""
    shares = [Share(number, count) for number in range(int(set(launch.roles) == {role}), count)]
    child = replace(launch, roles=[role], senders=0, robots=0)
    command = (sys.executable, "-P", "-m", "pbmserv", "serve", "--child")  # -P: not a pbmserv of the working folder
    return ChildPlan(name, shares, command, child.dump())


def run(launch: Launch) -> None:
    """Run the server until it is stopped.

    Exits with 69 (EX_UNAVAILABLE) if it cannot listen or use its database, with 75 (EX_TEMPFAIL) if another version of
    the program has changed the schema under it: who starts it again learns from the start which version is needed.
    """
    logs.configure(launch.log_format, launch.log_level)
    if launch.roles != ["sender"]:
        import_what_is_needed_later()
    if launch.policy.webhooks:
        for name in _FOR_EVENTS:
            import_module(name)
    if launch.mailbox_login or launch.relay_login:
        for name in _FOR_LOGINS:
            import_module(name)
    settings = settings_of(launch)
    if not (_soon_has_children(launch, settings) and fork_server.IS_SAFE):
        _run(launch, settings)
        return
    forked = fork_server.begin()
    if isinstance(forked, str):
        _run_forked(forked, launch, settings)
        return
    try:
        _run(launch, replace(settings, fork_server=forked))
    finally:
        forked.close()


def _soon_has_children(launch: Launch, settings: ServerSettings) -> bool:
    """Whether a fork server is worth its memory: a third of what a child needs that is not forked."""
    return any(plan.role == "sender" or launch.has_robots for plan in settings.children)


def _run_forked(words: str, launch: Launch, settings: ServerSettings) -> None:
    """Send or play in a child of the fork server. `words`: what it is, and its share, such as `sender 1/2`."""
    name, share = words.split()
    fork_server.call(f"pbmserv {name}")
    sys.stdout = sys.stderr  # as in `run_child`
    launch = replace(launch, roles=[_ROLES[name]], child=share)
    _run(launch, replace(settings, roles=launch.roles, children=(), is_child=True, share=_share(launch)))


def _run(launch: Launch, settings: ServerSettings) -> None:
    try:
        if launch.child:
            _demand_current(launch)
        with asyncio.Runner(loop_factory=_fast_loop()) as runner:
            runner.run(Server(settings).run(lambda server: _greet(server, launch)))
    except OtherSchema:
        from pbmserv.cli.terminal.console import fail
        from pbmserv.cli.terminal.database import CHANGED

        raise SystemExit(fail(CHANGED, Exit.TEMPORARY).exit_code) from None
    except ListenError as e:
        from pbmserv.cli.terminal.console import fail

        raise SystemExit(fail(str(e), Exit.UNAVAILABLE).exit_code) from None
    except (DatabaseError, sqlite3.DatabaseError) as e:
        if not engines.cannot_be_used(e):
            raise
        from pbmserv.cli.terminal.database import unusable

        raise SystemExit(unusable(launch.sqlite_file, e).exit_code) from None
    _say(launch, "Stopped; nothing was lost.")


def run_child(share: str) -> None:
    """Send or play this share for the server that started this process. Without settings, it has ended already.

    Exits with 75 (EX_TEMPFAIL) if that is a server of another version: what the two write need not fit.
    """
    sys.stdout = sys.stderr  # the parent reads standard output, and a game may print something
    if not (line := sys.stdin.buffer.readline()):
        return
    try:
        launch = Launch.load(line)
    except OtherVersion as e:
        from pbmserv.cli.terminal.console import fail

        text = f"The server is of version {e}, and its files were replaced by those of {__version__}. Restart it."
        raise SystemExit(fail(text, Exit.TEMPORARY).exit_code) from None
    run(replace(launch, child=share))


def _demand_current(launch: Launch) -> None:
    """Exit as `open_database` does, unless there is the database that a parent, perhaps an older one, migrated."""
    file = launch.sqlite_file
    if file is None or file.exists():
        engine = engines.connect(launch.database_url)
        try:
            if migrate.is_current(engine.execution_options(**engines.READ_ONLY)):
                return
        finally:
            engine.dispose()
    import typer

    from pbmserv.cli.terminal.database import open_database

    try:
        with open_database(launch):  # it says what is wrong
            pass
    except typer.Exit as end:
        raise SystemExit(end.exit_code) from None


def _fast_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return the event loop of the extra `fast` if it is installed, else the standard one."""
    if find_spec("uvloop") is None:
        return None
    loop: Callable[[], asyncio.AbstractEventLoop] = import_module("uvloop").new_event_loop
    return loop


def without_login(relay: str) -> str:
    """Return the URL of the relay without user and password. The password may contain an @."""
    return relay.rpartition("@")[2] if relay.startswith("smtp") else relay


def _own_name() -> str:
    """Return how to call this program from here. A virtual environment may not be on the PATH."""
    called = Path(sys.argv[0])
    return str(called) if called.name == "pbmserv" and not called.is_absolute() else "pbmserv"


def _greet(server: Server, launch: Launch) -> None:
    _say(launch, f"pbmserv listens on {', '.join(server.addresses) or 'nothing'} for {launch.address}")
    if launch.mailbox and "mailbox" in launch.roles:
        _say(launch, f"mails are fetched from {read_account(launch.mailbox).name}")
    _say(launch, f"letters go to {without_login(launch.relay)}")
    if launch.policy.trust_from or not launch.policy.confirm_addresses:
        _say(launch, "Demonstration settings: From is trusted (PBMSERV_TRUST_FROM=1), addresses are not confirmed")
        _say(launch, "(PBMSERV_CONFIRM_ADDRESSES=0). Do not use them on a server that other people can reach.")
        _say(launch, "Try, in another terminal:")
        for line in (
            'send alice@example.org "signup alice secret1"',
            'send bob@example.org "signup bob secret2"',
            'send alice@example.org "tumble challenge alice bob -c"',
        ):
            _say(launch, f"  {_own_name()} {line}")
    _say(launch, "Press Ctrl-C to stop it.")


def _say(launch: Launch, line: str) -> None:
    """Print a line at once, even if a program reads it. A child says nothing: what it prints is for its parent."""
    if launch.child:
        return
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
