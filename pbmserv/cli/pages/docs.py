"""`pbmserv docs`: writes what is generated in docs/, and the list of games in README. A test checks it."""

from pathlib import Path
from typing import Any

import typer

from pbmserv.cli.pages.command_tree import EXAMPLE, leaves, name_of, paragraphs, parameters, usage
from pbmserv.cli.pages.man import write_pages
from pbmserv.cli.terminal.console import fail
from pbmserv.cli.terminal.exits import Exit

#: What stands before and behind the list of games in README.md.
LISTED = ("<!-- `make docs` writes this list. -->\n", "<!-- That was the list. -->\n")
#: What stands before and behind the diagram of the tables in docs/architecture.md.
DRAWN = ("<!-- `make docs` draws this diagram. -->\n", "<!-- That was the diagram. -->\n")
_HEAD = """# The admin commands

`make docs` generates this page from the program; do not edit it. `pbmserv COMMAND --help` prints the same text.
`pbmserv --install-completion` installs completion for your shell.

Every listing has `--json`. A command that destroys something asks you first; in scripts use `--yes`. A command that
changes something has `--why`. In a terminal it asks for the reason. The change is recorded with your name, your account
and the machine: `pbmserv events list`.
"""


def docs(folder: Path = Path("docs")) -> None:
    """Write docs/commands.md, docs/admin.md, docs/man, the tables of docs/architecture.md, the games of README.md."""
    from pbmserv.cli.main import app  # imported here, because main imports this module when the command is called
    from pbmserv.commands import COMMANDS
    from pbmserv.commands.help import markdown

    (folder / "commands.md").write_text(markdown(COMMANDS))
    (folder / "admin.md").write_text(admin_markdown(app))
    write_pages(folder / "man", app)
    _put_between(folder / "architecture.md", DRAWN, tables_markdown())
    _put_between(folder.parent / "README.md", LISTED, games_markdown())


def _put_between(page: Path, marks: tuple[str, str], text: str) -> None:
    """Write a text between its marks, if there is such a page."""
    if not page.exists():
        return
    before, _, rest = page.read_text().partition(marks[0])
    _, end, after = rest.partition(marks[1])
    if not end:  # nobody knows then what is generated, and what must be kept
        raise fail(f"{page} was not written: {' and '.join(map(str.strip, marks))} are missing.", Exit.DATA)
    page.write_text(f"{before}{marks[0]}{text}{marks[1]}{after}")


def tables_markdown() -> str:
    """Which table refers to which: a diagram of Mermaid. Tables that refer to none come first."""
    from pbmserv.db.tables import metadata

    keys = [key for table in metadata.tables.values() for c in table.columns for key in c.foreign_keys]
    alone = [name for name, table in metadata.tables.items() if not table.foreign_keys]
    lines = ["```mermaid", "erDiagram", "    direction LR", *(f"    {name}" for name in alone), *map(_reference, keys)]
    return "\n".join([*lines, "```", ""])


def _reference(key: Any) -> str:
    """`player ||--o{ seat : player_id`: each seat has a player, who may have many seats."""
    column = key.parent
    one = "|o" if column.nullable else "||"
    many = "o|" if list(column.table.primary_key) == [column] else "o{"
    return f"    {key.column.table.name} {one}--{many} {column.table.name} : {column.name}"


def games_markdown() -> str:
    """How many games pbmserv itself has, and those by kind, each with one line."""
    from pbmserv.games import GAMES, of_families
    from pbmserv.games.base.kinds import by_kind

    parts = [
        f"\n**{kind}**\n\n" + "".join(f"- {i.name} (`{i.key}`): {i.summary}\n{_family(i.key)}" for i in infos)
        for kind, infos in by_kind(g.info for g in (*GAMES, *of_families())).items()
    ]
    return "".join([f"\n{len(GAMES) + len(of_families())} games:\n", *parts, "\n"])


def _family(key: str) -> str:
    """The names of the games that are like the one with this key; "" if there are none."""
    from pbmserv.games import of_families
    from pbmserv.games.base.kinds import family_of

    names = [f"{info.name} (`{info.key}`)" for info in family_of((g.info for g in of_families()), key)]
    return f"  And {len(names)} game{'s' * (len(names) > 1)} like it: {', '.join(names)}.\n" if names else ""


def admin_markdown(app: typer.Typer) -> str:
    """docs/admin.md."""
    top = typer.main.get_command(app)
    parts = [_HEAD, _intro(top)]
    parts += [f"## {path}\n\n{_section(command, path)}" for path, command in leaves(top, "pbmserv")]
    return "\n".join(parts)


def _intro(top: object) -> str:
    return "\n\n".join(paragraphs(top)[1:]) + "\n"


def _section(command: Any, path: str) -> str:
    """Write usage, description, parameters and example."""
    lines = ["```", usage(path, command), "```", ""]
    for paragraph in paragraphs(command):
        lines += [_as_code(paragraph), ""]
    rows = [f"| `{_cell(name_of(p))}` | {_cell(p.help)} |" for p in parameters(command) if p.help]
    return "\n".join(lines + (["| parameter | means |", "|---|---|", *rows, ""] if rows else []))


def _as_code(paragraph: str) -> str:
    is_example = paragraph.startswith(EXAMPLE)
    return f"{EXAMPLE}`{paragraph.removeprefix(EXAMPLE)}`" if is_example else paragraph


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
