"""Where templates and migrations are; and files and folders, made so that they stay and that only we read them."""

import os
from pathlib import Path

_PACKAGE = Path(__file__).parent


def data(name: str) -> Path:
    """Return the folder `name` ("templates" or "migrations")."""
    installed = _PACKAGE / "_data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name


def make_folder(folder: Path) -> None:
    """Make a folder with those above it, and put their names on disk. Raises OSError."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    sync(folder.parent)


def make_private(file: Path) -> None:
    """Make an empty file that only its owner can read, whatever the umask, and put its name on disk.

    Raises FileExistsError if it is there, and other kinds of OSError.
    """
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.fchmod(handle, 0o600)
        os.fsync(handle)
    finally:
        os.close(handle)
    sync(file.parent)


def sync(path: Path) -> None:
    """Put a file, or the names in a folder, on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
