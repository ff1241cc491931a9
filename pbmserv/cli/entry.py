"""The entry point. `serve` and `web` begin in two processes, every other command in one (ADR 30).

The child reads the command line and the settings, checks them, migrates the database, and ends. Its parent imports the
server meanwhile, and becomes it. So what only the start needs is never in the memory of a server: Typer, Rich,
Pydantic, Alembic.
"""

import gc
import os
import signal
import sys
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

from pbmserv.cli.terminal.exits import end_as_unread

if TYPE_CHECKING:
    from pbmserv.cli.terminal.launch import Launch

#: What both processes need. The parent imports it first, so that it is imported once.
_SHARED = (
    "asyncio",
    "structlog",
    "pbmserv.db.engines",
    "pbmserv.letters.policy",
    "pbmserv.letters.text.templates",
    "pbmserv.mail.signed_addresses",
    "pbmserv.mail.smtp.relay",
    "pbmserv.store",
)
#: The commands that stay in memory, and the modules that run them.
_STAYING = {"serve": "pbmserv.cli.terminal.running", "web": "pbmserv.cli.terminal.running_web"}
_STDOUT, _STDERR = 1, 2
#: How many objects a server makes before it looks for garbage among them. A letter makes thousands and leaves few, and
#: looking after each 700, which is Python's default, took 2 to 3 % of the time of a move.
_NEW_OBJECTS = 10_000


def run() -> None:
    """Run the command line of this process."""
    if sys.argv[1:3] == ["serve", "--child"]:
        _serve_as_child(*sys.argv[3:])
    elif (module := _STAYING.get("".join(sys.argv[1:2]))) and hasattr(os, "fork"):
        _open_standard_streams()
        signal.signal(signal.SIGINT, _end)
        _stay(module)
    else:
        from pbmserv.cli.main import run

        run()


def _serve_as_child(share: str) -> None:
    """Send a share for the server that started this process and has checked the settings (processes/children.py)."""
    _import_shared()
    from pbmserv.cli.terminal import running

    running.run_child(share)


def _open_standard_streams() -> None:
    """Open what is closed of the streams 0 to 2, so that no file or socket of the server gets such a number."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= _STDERR:
        os.set_inheritable(number, True)
    os.close(number)
    sys.stdout = sys.stdout or os.fdopen(_STDOUT, "w")
    sys.stderr = sys.stderr or os.fdopen(_STDERR, "w")


def _end(*_: object) -> None:
    """End at once. A KeyboardInterrupt in the middle of an import prints tracebacks, or nobody notices it."""
    os._exit(1)


def _stay(module: str) -> None:
    _import_shared()
    its_end, our_end = os.pipe()
    gc.freeze()  # so that collections in the child do not copy the memory that both share
    child = os.fork()
    if not child:
        os.close(its_end)
        _prepare(our_end)
    os.close(our_end)
    from pbmserv.cli.terminal.launch import Launch

    with suppress(ImportError):  # of an extra: the child says which
        import_module(module).import_what_is_needed_later()  # while the child works

    with os.fdopen(its_end, "rb") as pipe:
        launch = pipe.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code == -signal.SIGPIPE:
        end_as_unread()
    if code or not launch:  # it has said why; or it was asked for help only
        raise SystemExit(code)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.freeze()  # what was imported stays
    gc.set_threshold(_NEW_OBJECTS)
    import_module(module).run(Launch.load(launch))


def _prepare(pipe: int) -> None:
    """Run the command line in the child, and tell the parent what it needs to run the server. Does not return."""
    from pbmserv.cli.main import app

    def tell(launch: "Launch") -> None:
        with os.fdopen(pipe, "wb") as out:
            out.write(launch.dump())
        os._exit(0)  # everything is written; to tidy up takes as long as to import Pydantic

    app(obj=tell)


def _import_shared() -> None:
    """Import what both processes need, and structlog without Rich, which it would use for tracebacks on screens."""
    sys.modules["rich"] = None  # type: ignore[assignment]  # this makes an import fail
    for name in _SHARED:
        import_module(name)
    del sys.modules["rich"]
