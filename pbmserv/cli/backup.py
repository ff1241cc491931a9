"""`pbmserv backup` and `pbmserv restore`: the whole database in one file, and back."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbmserv.cli.terminal.console import console, errors, fail, load_config
from pbmserv.cli.terminal.database import key_of, open_database
from pbmserv.cli.terminal.exits import Exit

if TYPE_CHECKING:
    from sqlalchemy.engine import Engine

    from pbmserv.config import Config

PgBin = Annotated[str, typer.Option("--pg-bin", help="folder of pg_dump and pg_restore; default: PBMSERV_PG_BIN")]


def backup(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="is written completely or not at all")],
    with_key: bool = typer.Option(False, "--with-key", help="write the secret key beside it: FILE.key"),
    pg_bin: PgBin = "",
) -> None:
    """Copy the whole database into one file while servers go on; the file is on disk when this ends.

    For example: pbmserv backup --with-key /var/backups/pbmserv/today
    """
    from pbmserv.admin.backup import save

    config = _config(pg_bin)
    with open_database(config, any_schema=True), _told():
        found = save(config.database_url, file, config.pg_bin)
        if with_key:
            _write_key(_key_file(file), key_of(config))
    console.print(f"{file}: {found}", markup=False)
    if with_key:
        console.print(f"{_key_file(file)}: the secret key. Whoever has it can move for everybody.", markup=False)
    else:
        errors.print("The secret key is not in it, and signed addresses are worth nothing without it: --with-key")


def restore(
    file: Annotated[Path, typer.Argument(help="what `pbmserv backup` wrote")],
    yes: bool = typer.Option(False, "--yes", help="replace a database that is not empty; it is kept aside"),
    pg_bin: PgBin = "",
) -> None:
    """Make a backup the database: bring it up to date, and look through it as `boards verify` does.

    No server may be running. Boards that differ from their logs are refused; what else differs is told and ends with 1.

    For example: pbmserv restore --yes /var/backups/pbmserv/today
    """
    from pbmserv.admin.backup import bring_back

    config = _config(pg_bin)
    if not file.is_file():
        raise fail(f"There is no file {file}.", Exit.MISSING)
    with _told():
        if config.sqlite_file:
            config.sqlite_file.parent.mkdir(parents=True, exist_ok=True)
        look = Look(config)
        found, aside = bring_back(config.database_url, file, look.now, look, replace=yes, programs=config.pg_bin)
        _bring_key_back(config, _key_file(file))
    console.print(f"{found}; every board is as its log says", markup=False)
    if aside:
        console.print(f"The database that was there before: {aside}", markup=False)
    if look.differences:
        errors.print("It is in its place, and servers can use it. What differs is said again by: pbmserv boards verify")
        raise typer.Exit(1)


class Look:
    """The audit of a backup. Its boards must be as their logs say; `differences` counts what else differs."""

    def __init__(self, config: Config) -> None:
        self.now, self.differences = datetime.now(UTC), 0
        self._letters_days = config.letters_days

    def __call__(self, engine: Engine) -> None:
        """Print what is found. Raises BackupError if a board differs."""
        from pbmserv.admin.audit import Audit
        from pbmserv.admin.backup import BackupError
        from pbmserv.cli.terminal.progress import PARTS, look_through

        audit = Audit(engine, self.now, self._letters_days)
        replayed, *matched = PARTS
        if look_through(audit, [replayed]):
            raise BackupError("The boards of the backup are not as their logs say.")
        self.differences = look_through(audit, matched)


def _config(pg_bin: str) -> Config:
    return load_config(**({"pg_bin": pg_bin} if pg_bin else {}))


@contextmanager
def _told() -> Iterator[None]:
    """Troubles in a sentence, with their exit codes."""
    from pbmserv.admin.backup import BackupError

    try:
        yield
    except BackupError as e:
        raise fail(str(e), e.code) from None
    except OSError as e:
        raise fail(f"{e.filename}: {e.strerror}" if e.filename else str(e.strerror), Exit.NOT_MADE) from None


def _key_file(file: Path) -> Path:
    return file.with_name(f"{file.name}.key")


def _write_key(file: Path, key: bytes) -> None:
    from pbmserv.admin.backup import sync

    file.unlink(missing_ok=True)  # one from an earlier backup may have another mode
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
        opened.write(key)
    sync(file)


def _bring_key_back(config: Config, kept: Path) -> None:
    """Put the key that lies beside a backup where an SQLite database has its own; never over another one."""
    if not kept.is_file():
        errors.print(f"There is no {kept.name} beside it: the secret key must be the one of that time.", markup=False)
        return
    beside = config.key_file
    if config.secret_key or beside is None:
        same = config.secret_key == kept.read_text().strip()
        if not same:
            errors.print(f"Set PBMSERV_SECRET_KEY to what {kept} says: reply addresses need it.", markup=False)
    elif not beside.exists():
        _write_key(beside, kept.read_bytes())
    elif beside.read_text().strip() != kept.read_text().strip():
        errors.print(f"{beside} is another key than {kept}: reply addresses need the latter.", markup=False)
