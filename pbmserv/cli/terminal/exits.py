"""What a command ends with. Apart from the rest, because `main` imports nothing that takes time."""

from enum import IntEnum


class Exit(IntEnum):
    """Exit codes after sysexits.h; 0 is done, 1 is no (`verify` found something, the admin thought better of it)."""

    USAGE = 64  #: the command line is wrong
    DATA = 65  #: what is asked for cannot be done
    MISSING = 66  #: there is no such thing
    UNAVAILABLE = 69  #: database, relay or server cannot be reached
    NOT_MADE = 73  #: a file or a folder cannot be made
    TEMPORARY = 75  #: not now; try again
    CONFIG = 78  #: a setting is wrong
