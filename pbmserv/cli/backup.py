"""`pbmserv backup` and `pbmserv restore`: the whole database in one file, and back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbmserv import paths
from pbmserv.cli.terminal.console import console, errors, fail, load_config
from pbmserv.cli.terminal.database import key_of, open_database
from pbmserv.cli.terminal.exits import Exit

if TYPE_CHECKING:
    from sqlalchemy.engine import Engine

    from pbmserv.config import Config

PgBin = Annotated[str, typer.Option("--pg-bin", help="folder of pg_dump and pg_restore; default: PBMSERV_PG_BIN")]


def backup(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="the file to write, completely or not at all")],
    with_key: bool = typer.Option(False, "--with-key", help="also write the secret key, to FILE.key"),
    pg_bin: PgBin = "",
) -> None:
    """Copy the whole database into one file. Servers can go on running. When this ends, the file is on disk.

    For example: pbmserv backup --with-key /var/backups/pbmserv/today
    """
    from pbmserv.admin.backup import key_file, save

    config = _config(pg_bin)
    with open_database(config, any_schema=True) as engine, _told():
        key = _key(config) if with_key else None
        contents = save(config.database_url, file, config.pg_bin, key)
        _note_backup(engine)
    console.print(f"{file}: {contents}", markup=False)
    if with_key:
        console.print(f"{key_file(file)}: the secret key. Whoever has it can move for everybody.", markup=False)
    else:
        errors.print("The secret key is not in it, and signed addresses are worth nothing without it: --with-key")


def restore(
    file: Annotated[Path, typer.Argument(help="a file of `pbmserv backup`")],
    yes: bool = typer.Option(False, "--yes", help="replace a database that is not empty; the old one is kept"),
    pg_bin: PgBin = "",
) -> None:
    """Restore a backup: update its schema, check it as `boards verify` does, and make it the database.

    Stop all servers first. A backup is refused if a board differs from its log. Other differences are listed, and the
    exit code is then 1.

    For example: pbmserv restore --yes /var/backups/pbmserv/today
    """
    from pbmserv.admin.backup import bring_back, key_file

    config = _config(pg_bin)
    if not file.is_file():
        raise fail(f"There is no file {file}.", Exit.MISSING)
    with _told():
        if config.sqlite_file:
            paths.make_folder(config.sqlite_file.parent)
        look = Look(config)
        contents, aside = bring_back(config.database_url, file, look.now, look, replace=yes, programs=config.pg_bin)
        _bring_key_back(config, key_file(file))
    console.print(f"{contents}; {look.verdict}", markup=False)
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

    @property
    def verdict(self) -> str:
        """What the audit says in a few words."""
        return "not all is as it should be, see above" if self.differences else "every board is as its log says"

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


def _note_backup(engine: Engine) -> None:
    """Note when the backup was made, for the weekly letter to the operator. An account may be allowed to read only."""
    from pbmserv.db import engines
    from pbmserv.model.operations import LAST_BACKUP
    from pbmserv.store import Store, StoreError

    now = repr(datetime.now(UTC).timestamp())
    with suppress(StoreError):
        engines.transact(engine, lambda connection, _: Store(connection).operations.set_fact(LAST_BACKUP, now))


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


def _key(config: Config) -> bytes:
    """The secret key. None is made here: it would fit no letter that is out. Exits as `key_of` does, or with 66."""
    if not config.secret_key and config.key_file and not config.key_file.exists():
        raise fail(f"There is no secret key at {config.key_file}, so nothing was written.", Exit.MISSING)
    return key_of(config)


def _bring_key_back(config: Config, kept: Path) -> None:
    """Put the key that lies beside a backup where an SQLite database has its own; never over another one."""
    from pbmserv.admin.backup import write_key

    if not kept.is_file():
        errors.print(f"There is no {kept.name} beside it: the secret key must be the one of that time.", markup=False)
        return
    beside = config.key_file
    if config.secret_key or beside is None:
        same = config.secret_key == kept.read_text().strip()
        if not same:
            errors.print(f"Set PBMSERV_SECRET_KEY to what {kept} says: reply addresses need it.", markup=False)
    elif not beside.exists():
        write_key(beside, kept.read_bytes())
    elif beside.read_text().strip() != kept.read_text().strip():
        errors.print(f"{beside} is another key than {kept}: reply addresses need the latter.", markup=False)
