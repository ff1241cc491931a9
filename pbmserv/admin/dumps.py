"""PostgreSQL's own programs for dumps. A password goes to them through the environment: arguments are public."""

import os
import subprocess
from pathlib import Path
from shutil import which


class ToolError(Exception):
    """A program that is missing or failed; the text says which, and what it said."""


def dump(url: str, file: Path, snapshot: str, folder: str = "") -> None:
    """Write what `snapshot` sees into `file`, in the custom format. Raises ToolError."""
    _run(
        "pg_dump",
        folder,
        url,
        "--format=custom",
        "--no-owner",
        "--no-privileges",
        f"--snapshot={snapshot}",
        f"--file={file}",
    )


def demand_readable(file: Path, folder: str = "") -> None:
    """Read a dump to its end. Raises ToolError."""
    _run("pg_restore", folder, "", f"--file={os.devnull}", str(file))


def load(url: str, file: Path, folder: str = "") -> None:
    """Bring a dump back in one transaction. Raises ToolError; then nothing was changed."""
    _run(
        "pg_restore",
        folder,
        url,
        "--clean",
        "--if-exists",
        "--no-owner",
        "--no-privileges",
        "--single-transaction",
        "--exit-on-error",
        str(file),
    )


def _run(name: str, folder: str, url: str, *words: str) -> None:
    program = which(name, path=folder or None)
    if program is None:
        where = f"in {folder}" if folder else "on the PATH"
        raise ToolError(
            f"There is no {name} {where}. Install the client programs of PostgreSQL, or name their folder with "
            "--pg-bin or PBMSERV_PG_BIN."
        )
    place, secret = _place(url) if url else ([], {})
    done = subprocess.run(  # noqa: S603 - our own words, and no shell
        [program, *place, *words], env={**os.environ, **secret}, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise ToolError(f"{name} failed: {done.stderr.strip()[:1000]}")


def _place(url: str) -> tuple[list[str], dict[str, str]]:
    """The option that names a database, and the variable with its password.

    Of several hosts it is the one that takes writes: a snapshot exists on the server that made it only.
    """
    from psycopg.conninfo import conninfo_to_dict, make_conninfo  # an extra, which SQLite does without

    parts = conninfo_to_dict(url)
    secret = {"PGPASSWORD": str(password)} if (password := parts.pop("password", None)) else {}
    parts.setdefault("target_session_attrs", "read-write")
    return [f"--dbname={make_conninfo('', **parts)}"], secret
