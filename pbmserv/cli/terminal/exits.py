"""The exit codes. They have a module of their own, because `main` must not import anything slow."""

import os
import signal
import sys
from enum import IntEnum
from typing import NoReturn


class Exit(IntEnum):
    """Exit codes of sysexits.h. 0 means success, 1 means no: `verify` found a difference, or the admin answered no."""

    USAGE = 64  #: the command line is wrong
    DATA = 65  #: the request is not possible
    MISSING = 66  #: something was not found
    UNAVAILABLE = 69  #: database, relay or server cannot be reached
    NOT_MADE = 73  #: a file or a folder cannot be created
    TEMPORARY = 75  #: try again later
    CONFIG = 78  #: a setting is wrong


def end_as_unread() -> None:
    """End as other programs do if nobody reads what they print, as in `pbmserv boards list | head -1`: by SIGPIPE."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGPIPE)


def end_as_full(error: OSError) -> NoReturn:
    """End because what is printed cannot be written. Python would try again at its own end, and print a traceback."""
    sys.stderr.write(f"What is printed cannot be written: {error.strerror}\n")
    sys.stderr.flush()
    os._exit(Exit.NOT_MADE)
