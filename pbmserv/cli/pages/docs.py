"""`pbmserv docs`: writes what is generated in docs/, and the list of games in README. A test checks it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import typer

from pbmserv.cli.terminal.console import fail
from pbmserv.cli.terminal.exits import Exit

#: A command, a parameter of it, or a column: other versions of Typer have other classes.
_Node: TypeAlias = Any
EXAMPLE = "For example: "
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
    from pbmserv.cli.pages.man import write_pages
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


def _reference(key: _Node) -> str:
    """`player ||--o{ seat : player_id`: each seat has a player, who may have many seats."""
    column = key.parent
    one = "|o" if column.nullable else "||"
    many = "o|" if list(column.table.primary_key) == [column] else "o{"
    return f"    {key.column.table.name} {one}--{many} {column.table.name} : {column.name}"


def games_markdown() -> str:
    """The games of pbmserv itself, by kind, each with one line."""
    from pbmserv.games import GAMES, OF_FAMILIES
    from pbmserv.games.base.kinds import by_kind

    parts = [
        f"\n**{kind}**\n\n" + "".join(f"- {i.name} (`{i.key}`): {i.summary}\n{_family(i.key)}" for i in infos)
        for kind, infos in by_kind(g.info for g in (*GAMES, *OF_FAMILIES)).items()
    ]
    return "".join(parts) + "\n"


def _family(key: str) -> str:
    """The names of the games that are like the one with this key; "" if there are none."""
    from pbmserv.games import OF_FAMILIES
    from pbmserv.games.base.kinds import family_of

    names = [f"{info.name} (`{info.key}`)" for info in family_of((g.info for g in OF_FAMILIES), key)]
    return f"  And {len(names)} game{'s' * (len(names) > 1)} like it: {', '.join(names)}.\n" if names else ""


def admin_markdown(app: typer.Typer) -> str:
    """docs/admin.md."""
    top = typer.main.get_command(app)
    parts = [_HEAD, _intro(top)]
    parts += [f"## {path}\n\n{_section(command, path)}" for path, command in leaves(top, "pbmserv")]
    return "\n".join(parts)


def leaves(command: _Node, path: str) -> Iterator[tuple[str, _Node]]:
    """Return the commands that `--help` lists, at any depth, with their full names, but not their groups."""
    if not hasattr(command, "list_commands"):
        yield path, command
        return
    ctx = typer.Context(command, info_name=path)
    for name in command.list_commands(ctx):
        _, below, _ = command.resolve_command(ctx, [name])
        yield from leaves(below, f"{path} {name}")


def _intro(top: object) -> str:
    return "\n\n".join(paragraphs(top)[1:]) + "\n"


def _section(command: _Node, path: str) -> str:
    """Write usage, description, parameters and example. Uses only attributes that all versions of Typer have."""
    lines = ["```", usage(path, command), "```", ""]
    for paragraph in paragraphs(command):
        lines += [_as_code(paragraph), ""]
    rows = [f"| `{_cell(name_of(p))}` | {_cell(p.help)} |" for p in parameters(command) if p.help]
    return "\n".join(lines + (["| parameter | means |", "|---|---|", *rows, ""] if rows else []))


def paragraphs(command: _Node) -> list[str]:
    """Return the paragraphs of a help text, each on one line."""
    return [" ".join(p.split()) for p in (command.help or "").split("\n\n")]


def _as_code(paragraph: str) -> str:
    is_example = paragraph.startswith(EXAMPLE)
    return f"{EXAMPLE}`{paragraph.removeprefix(EXAMPLE)}`" if is_example else paragraph


def is_option(parameter: _Node) -> bool:
    """Return whether a parameter is named on the command line."""
    return str(parameter.param_type_name) == "option"


def usage(path: str, command: _Node) -> str:
    """Return `pbmserv boards show [OPTIONS] BOARD`."""
    options = ["[OPTIONS]"] if any(map(is_option, parameters(command))) else []
    return " ".join([path, *options, *_arguments(command)])


def parameters(command: _Node) -> list[_Node]:
    """Return the parameters of a command, without --help."""
    return [p for p in command.params if p.name != "help"]


def _arguments(command: _Node) -> list[str]:
    names = [(name_of(p), p.required) for p in command.params if not is_option(p)]
    return [name if required or name.startswith("[") else f"[{name}]" for name, required in names]


def name_of(parameter: _Node) -> str:
    """`--ply PLY`, `BOARD`."""
    value = parameter.metavar or parameter.name.upper()
    if not is_option(parameter):
        return str(value)
    return ", ".join(parameter.opts) + ("" if parameter.is_flag else f" {value}")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
