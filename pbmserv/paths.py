"""Where templates and migrations are: beside the package in the source tree, inside it once installed."""

from pathlib import Path

_PACKAGE = Path(__file__).parent


def data(name: str) -> Path:
    """The folder `name` ("templates" or "migrations")."""
    installed = _PACKAGE / "_data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name
