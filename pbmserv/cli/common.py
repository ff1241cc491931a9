"""What all commands share: settings and the console."""

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pbmserv.config import Config

# Letters and mails pass through here as they are, so ":bug:" is no picture.
console = Console(highlight=False, soft_wrap=True, emoji=False)
errors = Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)


def fail(text: str, code: int = 1) -> typer.Exit:
    """Print an error; the caller raises what comes back."""
    errors.print(text, markup=False)
    return typer.Exit(code)


def add_row(table: Table, *cells: object) -> None:
    """Add one row. What people wrote stands there as it is: brackets are no markup."""
    table.add_row(*(Text(str(cell)) for cell in cells))


def load_config(**changes: object) -> Config:
    """The settings, with some of them changed; exits with 78 (EX_CONFIG) and a sentence for each that is wrong."""
    try:
        return Config(**changes)  # type: ignore[arg-type]  # pydantic checks them, which is the point
    except ValidationError as e:
        lines = [
            f"PBMSERV_{'.'.join(map(str, x['loc'])).upper()}: {x['msg']}" if x["loc"] else x["msg"] for x in e.errors()
        ]
        raise fail("The settings are not right:\n" + "\n".join(lines), 78) from None
