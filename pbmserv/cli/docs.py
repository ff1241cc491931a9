"""`pbmserv docs`: writes the generated pages of docs/; a test says whether they are current."""

from pathlib import Path

from pbmserv.commands import COMMANDS
from pbmserv.commands.manual import markdown


def docs(folder: Path = Path("docs")) -> None:
    """Write docs/commands.md from the command table."""
    (folder / "commands.md").write_text(markdown(COMMANDS))
