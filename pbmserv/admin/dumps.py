"""Runs pg_dump and pg_restore. They get the password in the environment, because other users can see arguments."""

import os
import re
import subprocess
from pathlib import Path
from shutil import which


class ToolError(Exception):
    """A program is missing or has failed. The text names it and has its message."""


def dump(url: str, file: Path, snapshot: str, folder: str = "") -> None:
    """Write the data of `snapshot` to `file`, in the custom format. Raises ToolError."""
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


def revision(file: Path, folder: str = "") -> str | None:
    """Read a dump to its end, and return the revision of its schema; None if it has no tables. Raises ToolError."""
    _run("pg_restore", folder, "", f"--file={os.devnull}", str(file))
    rows = _run("pg_restore", folder, "", "--data-only", "--table=alembic_version", "--file=-", str(file))
    match = re.search(r"(?m)^COPY \S*alembic_version .*\n(\w+)$", rows)
    return match[1] if match else None


def load(url: str, file: Path, folder: str = "") -> None:
    """Restore a dump in one transaction. If it raises ToolError, nothing has changed."""
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


def major_version(name: str, folder: str = "") -> int:
    """Return the major version of a program, such as 18. Raises ToolError if it is missing or does not say it."""
    printed = _run(name, folder, "", "--version")
    if match := re.search(r"\(PostgreSQL\) (\d+)", printed):
        return int(match[1])
    raise ToolError(f"{name} does not tell its version: {printed.strip()[:100]}")


def _run(name: str, folder: str, url: str, *words: str) -> str:
    program = which(name, path=folder or None)
    if program is None:
        where = f"in {folder}" if folder else "on the PATH"
        raise ToolError(
            f"There is no {name} {where}. Install the client programs of PostgreSQL, or name their folder with "
            "--pg-bin or PBMSERV_PG_BIN."
        )
    place, secret = _place(url) if url else ([], {})
    done = subprocess.run(  # noqa: S603 - fixed arguments, and no shell
        [program, *place, *words], env={**os.environ, **secret}, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise ToolError(f"{name} failed: {done.stderr.strip()[:1000]}")
    return done.stdout


def _place(url: str) -> tuple[list[str], dict[str, str]]:
    """Return the option that names a database, and the variable with its password.

    Of several hosts, the option names the one that accepts writes, because a snapshot exists only on the server that
    made it.
    """
    # imported here, because it is an extra that SQLite does not need
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    parts = conninfo_to_dict(url)
    secret = {"PGPASSWORD": str(password)} if (password := parts.pop("password", None)) else {}
    parts.setdefault("target_session_attrs", "read-write")
    return [f"--dbname={make_conninfo('', **parts)}"], secret
