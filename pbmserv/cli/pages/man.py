"""The pages for `man`: pbmserv(1), and one for each group of commands, such as pbmserv-boards(1).

They have what docs/admin.md has. `pbmserv docs` writes them into docs/man, and the wheel installs them in share/man.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import typer

from pbmserv.cli.pages.command_tree import EXAMPLE, is_option, leaves, name_of, paragraphs, parameters, usage

_FOOT = """.SH FILES
.TP
.I pbmserv.toml
Settings, in the folder in which a command starts. On a server with systemd this is
.IR /etc/pbmserv .
.SH SEE ALSO
"""


def write_pages(folder: Path, app: typer.Typer) -> None:
    """Write the pages into a folder."""
    folder.mkdir(exist_ok=True)
    for name, text in man_pages(app).items():
        (folder / f"{name}.1").write_text(text)


def man_pages(app: typer.Typer) -> Mapping[str, str]:
    """Return the pages by their names."""
    top = typer.main.get_command(app)
    groups, alone = dict[str, Any](), list[tuple[str, Any]]()
    for name, command in _below(top):
        if hasattr(command, "list_commands"):
            groups[f"pbmserv-{name}"] = command
        else:
            alone.append((f"pbmserv {name}", command))
    pages = {name: _page(name, c, leaves(c, name.replace("-", " "))) for name, c in groups.items()}
    references = ",\n".join(f".BR {name} (1)" for name in groups)
    return {"pbmserv": _page("pbmserv", top, iter(alone)) + f"{references}\n"} | {
        name: f"{page}.BR pbmserv (1)\n" for name, page in pages.items()
    }


def _below(top: Any) -> Iterator[tuple[str, Any]]:
    ctx = typer.Context(top, info_name="pbmserv")
    for name in top.list_commands(ctx):
        yield name, top.resolve_command(ctx, [name])[1]


def _page(name: str, command: Any, commands: Iterator[tuple[str, Any]]) -> str:
    about, *more = paragraphs(command)
    lines = [f'.TH {name.upper()} 1 "" pbmserv "admin commands"', ".SH NAME", _text(f"{name} - {about.rstrip('.')}")]
    lines += [".SH SYNOPSIS", f".B {_text(name.replace('-', ' ', 1))}", ".I COMMAND", "[OPTIONS] [ARGUMENTS]"]
    lines += [".SH DESCRIPTION", *map(_paragraph, more or [about]), ".SH COMMANDS"]
    lines += [line for path, below in commands for line in _command(path, below)]
    return "\n".join([*lines, _FOOT])


def _command(path: str, command: Any) -> Iterator[str]:
    yield f".SS {_text(usage(path, command))}"
    yield from map(_paragraph, paragraphs(command))
    for parameter in parameters(command):
        if parameter.help:
            style = ".B" if is_option(parameter) else ".I"
            yield f".TP\n{style} {_text(name_of(parameter))}\n{_text(parameter.help)}"


def _paragraph(text: str) -> str:
    if not text.startswith(EXAMPLE):
        return f".PP\n{_text(text)}"
    return f".PP\n{EXAMPLE.strip()}\n.RS\n.nf\n{_text(text.removeprefix(EXAMPLE))}\n.fi\n.RE"


def _text(text: str) -> str:
    """Return text as troff reads it. A dash must stay one that can be copied; a dot or ' first would be a request."""
    plain = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga")
    return re.sub(r"^([.'])", r"\\&\1", plain).replace("…", "\\[u2026]")
