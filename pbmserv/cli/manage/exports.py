"""`pbmserv boards record|export`: whole boards as files, for this program and others."""

from __future__ import annotations

import sys
import tarfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import typer

from pbmserv.cli.terminal.console import console, errors, fail, load_config, print_json, to_json
from pbmserv.cli.terminal.database import board_of, open_database, reading
from pbmserv.cli.terminal.exits import Exit
from pbmserv.errors import PlayerError

if TYPE_CHECKING:
    from pbmserv.config import Config
    from pbmserv.model import BoardRow
    from pbmserv.store import Store

Put = Callable[[str, bytes, datetime], None]  #: takes the name of a file, its bytes, and when the board changed last
Number = Annotated[int, typer.Argument(metavar="BOARD", help="the board's number")]
WithSeed = Annotated[
    bool, typer.Option("--with-seed", help="include the seed, also of a running board; keep it secret")
]
Format = Annotated[
    str, typer.Option("--format", metavar="FORMAT", help="json, or pgn, pdn, sgf, csa, if the game has it")
]
_OWN = "json"  #: the format that `boards import` reads whole
_AT_ONCE = 100  #: boards that are read in one snapshot


def record(number: Number, with_seed: WithSeed = False, format_: Format = _OWN) -> None:
    """Print the whole board as JSON, as `boards import` reads it, or in a format of other programs.

    For example: pbmserv boards record 101 --with-seed
    """
    with reading() as store:
        row = board_of(store, number)
        if format_.lower() == _OWN:
            print_json(_record(store, row, with_seed))
            return
        try:
            text = _for_programs(store, row, format_, load_config())
        except PlayerError as e:
            raise fail(e.whole, Exit.USAGE) from None
    console.print(text, markup=False, end="", soft_wrap=True)


def export(
    numbers: Annotated[list[int] | None, typer.Argument(metavar="[BOARD]...", help="the boards' numbers")] = None,
    all_: Annotated[bool, typer.Option("--all", help="all boards of the server")] = False,
    to: Annotated[
        str, typer.Option("--to", metavar="FILE", help="a folder, or a .zip or .tar file; default: tar, printed")
    ] = "",
    with_seed: WithSeed = False,
    format_: Format = _OWN,
) -> None:
    """Write the records of many boards, a file for each, while servers go on running.

    Boards without a record in this format are left out, and their number is told. A file that is interrupted is not
    there; a folder may have some of the records.

    For example: pbmserv boards export --all --to boards.zip
    """
    if bool(numbers) == all_:
        raise fail("Name boards by their numbers, or write --all.", Exit.USAGE)
    if (name := format_.lower()) not in _formats():
        raise fail(f"There is no format {format_}. There are: {', '.join(sorted(_formats()))}", Exit.USAGE)
    if not to and sys.stdout.isatty():
        raise fail("A tar file is not for a terminal. Write it to a file or into a pipe, or add: --to", Exit.USAGE)
    done = left_out = 0
    config = load_config()
    with open_database(config) as engine, _sink(to) as put:
        from pbmserv.db import engines
        from pbmserv.store import Store

        reader = engine.execution_options(**engines.READ_ONLY)
        last = 0
        while True:
            with reader.connect() as connection:
                store = Store(connection)
                some = _next(store, numbers, last)
                for number in some:
                    if data := _file(store, number, with_seed, name, config):
                        put(f"{number}.{name}", *data)
                    done, left_out = done + bool(data), left_out + (not data)
            if not some:
                break
            last = some[-1]
    told = f" Without such a record: {left_out}." if left_out else ""
    errors.print(f"Boards written: {done}.{told}")


def _formats() -> set[str]:
    from pbmserv import games
    from pbmserv.games.base.sheet import formats_of

    return {_OWN, *(form.name for game in games.all_games() for form in formats_of(game))}


def _next(store: Store, numbers: Sequence[int] | None, last: int) -> list[int]:
    """Return the boards that come after the last one. Exits with 66 if one that was named does not exist."""
    if not numbers:
        return store.audit.numbers_after(last, _AT_ONCE)
    some = [number for number in sorted(set(numbers)) if number > last][:_AT_ONCE]
    return [board_of(store, number).number for number in some]


def _file(store: Store, number: int, with_seed: bool, name: str, config: Config) -> tuple[bytes, datetime] | None:
    """Return the record of a board, and when the board changed last; None if it has none in this format."""
    row = board_of(store, number)
    if name == _OWN:
        return to_json(_record(store, row, with_seed)).encode(), row.changed
    try:
        return _for_programs(store, row, name, config).encode(), row.changed
    except PlayerError:
        return None


@contextmanager
def _sink(to: str) -> Iterator[Put]:
    """Yield what takes the files: a folder, an archive with this name, or tar on standard output."""
    try:
        if not to:
            with tarfile.open(fileobj=sys.stdout.buffer, mode="w|") as tar:
                yield _into_tar(tar)
        elif Path(to).suffix in (".tar", ".zip"):
            with _archive(Path(to)) as put:
                yield put
        else:
            Path(to).mkdir(parents=True, exist_ok=True)
            yield _into_folder(Path(to))
    except OSError as error:
        if not to:
            raise
        raise fail(f"{to} cannot be written: {error.strerror or error}", Exit.NOT_MADE) from None


@contextmanager
def _archive(place: Path) -> Iterator[Put]:
    """Yield what takes the files of an archive, which has its name when it is whole."""
    part = place.with_name(f"{place.name}.part")
    try:
        if place.suffix == ".tar":
            with tarfile.open(part, "w") as tar:
                yield _into_tar(tar)
        else:
            with ZipFile(part, "w", ZIP_DEFLATED) as archive:
                yield _into_zip(archive)
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)


def _into_folder(folder: Path) -> Put:
    def put(name: str, data: bytes, _: datetime) -> None:
        (folder / name).write_bytes(data)

    return put


def _into_tar(tar: tarfile.TarFile) -> Put:
    def put(name: str, data: bytes, changed: datetime) -> None:
        info = tarfile.TarInfo(name)
        info.size, info.mtime = len(data), int(changed.timestamp())
        tar.addfile(info, BytesIO(data))

    return put


def _into_zip(archive: ZipFile) -> Put:
    def put(name: str, data: bytes, changed: datetime) -> None:
        info = ZipInfo(name, changed.timetuple()[:6])
        info.compress_type = ZIP_DEFLATED
        archive.writestr(info, data)

    return put


def _record(store: Store, row: BoardRow, with_seed: bool) -> dict[str, object]:
    from pbmserv.boards.absences.vacations import wants_auto
    from pbmserv.boards.records import record_of

    return record_of(row, store.boards.log(row.number), with_seed, wants_auto(store, row.players))


def _for_programs(store: Store, row: BoardRow, name: str, config: Config) -> str:
    """Return the record of a board in a format. Raises PlayerError if the game has none of this name."""
    from pbmserv.boards.records import comments_of, format_for, sheet_of, site_of
    from pbmserv.games.base.board import film

    form, log = format_for(row, name), store.boards.entries(row.number)
    comments, site = comments_of(store.reviews.find(row.number), row), site_of(row, config.web_url, config.address)
    return form.write(sheet_of(row, log, film(row.board.start, log), site, comments))
