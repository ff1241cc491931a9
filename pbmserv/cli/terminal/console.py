"""What all commands share: settings, the console, lists for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text
from typer.core import TyperCommand

from pbmserv.cli.terminal.exits import Exit

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from pbmserv.config import Config

F = TypeVar("F", bound=Callable[..., Any])

AsJson = Annotated[bool, typer.Option("--json", help="machine-readable")]
Limit = Annotated[int, typer.Option(min=1, help="the newest so many")]


class OneValueEach(TyperCommand):
    """A command that refuses an option that is given twice; the library would take the last value in silence."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words of a command line."""
        _, _, order = self.make_parser(ctx).parse_args(args=[*args])
        for option in order:
            if order.count(option) > 1 and not (option.multiple or getattr(option, "is_flag", False)):
                ctx.fail(f"{option.opts[0]} is given twice. It takes one value; call the command once for each.")
        return super().parse_args(ctx, args)


class AdminCommands(typer.Typer):
    """A group of commands."""

    def __init__(self) -> None:
        super().__init__(no_args_is_help=True, add_completion=False)

    def command(self, name: str | None = None, **options: Any) -> Callable[[F], F]:
        """Add a command, of the class above."""
        return super().command(name, cls=OneValueEach, **options)


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave the command, so that it puts back what it has begun; `CommandGroup.main` then ends by SIGPIPE."""
        raise SystemExit(1)


# Letters and mails pass through here as they are, so ":bug:" is no picture.
console = _Console(highlight=False, soft_wrap=True, emoji=False)
errors = Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)


def fail(text: str, code: int = 1) -> typer.Exit:
    """Print an error; the caller raises what comes back."""
    errors.print(text, markup=False)
    return typer.Exit(code)


def add_row(table: Table, *cells: object) -> None:
    """Add one row. What people wrote stands there as it is: brackets are no markup."""
    table.add_row(*(Text(str(cell)) for cell in cells))


def listing(rows: Iterable[Mapping[str, object]], columns: Mapping[str, str], as_json: bool) -> None:
    """Print rows: all that is in them as JSON, or a table of some; `columns`: key of the rows -> title."""
    if as_json:
        print_json([*rows])
        return
    if not console.is_terminal:
        _print_columns([[*columns.values()], *([_cell(row[key]) for key in columns] for row in rows)])
        return
    table = Table()
    for title in columns.values():
        table.add_column(title, overflow="fold")  # an address is of no use without its end
    for row in rows:
        add_row(table, *(_cell(row[key]) for key in columns))
    console.print(table)


def _print_columns(lines: Sequence[Sequence[str]]) -> None:
    """Print a table for programs and files: a line for each row, nothing wrapped, two blanks between the columns."""
    plain = [[" ".join(cell.split()) for cell in line] for line in lines]
    widths = [max(map(len, column)) for column in zip(*plain, strict=True)]
    for line in plain:
        text = "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        console.print(text.rstrip(), markup=False)


def print_json(data: object) -> None:
    """Print data as JSON."""
    console.print_json(to_json(data))


def to_json(data: object) -> str:
    """Return data as JSON; moments by RFC 3339."""
    return json.dumps(data, default=_plain)


def at(moment: datetime | None) -> str:
    """`2026-03-01 12:00:05`, in UTC, as all lists have it."""
    return f"{moment:%Y-%m-%d %H:%M:%S}" if moment else ""


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return str(value)


def _cell(value: object) -> str:
    if isinstance(value, datetime) or value is None:
        return at(value)
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(str, value))
    return str(value)


def load_config(**changes: object) -> Config:
    """The settings, with some of them changed; exits with 78 (EX_CONFIG) and a sentence for each that is wrong."""
    from pydantic import ValidationError

    from pbmserv.config import Config

    try:
        return Config(**changes)  # type: ignore[arg-type]  # pydantic checks them, which is the point
    except ValidationError as e:
        raise fail("\n".join(["The settings are not right:", *map(wrong_setting, e.errors())]), Exit.CONFIG) from None
    except (OSError, ValueError) as e:
        raise fail(f"pbmserv.toml cannot be read: {e}", Exit.CONFIG) from None


def wrong_setting(error: ErrorDetails) -> str:
    """What is wrong with one setting, or with several together; never its value, which could be a password."""
    from pbmserv.config import TOML, no_such_setting

    message = error["msg"].removeprefix("Value error, ")
    if error["type"] == "extra_forbidden":
        return f"{error['loc'][0]} in {TOML}: {no_such_setting(str(error['loc'][0]))}"
    return f"PBMSERV_{'.'.join(map(str, error['loc'])).upper()}: {message}" if error["loc"] else message
