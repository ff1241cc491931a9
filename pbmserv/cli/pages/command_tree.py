"""What the pages about the commands of the terminal read from Typer: commands, parameters, usage.

Uses only attributes that all versions of Typer have.
"""

from collections.abc import Iterator
from typing import Any, TypeAlias

import typer

#: A command or a parameter of it: other versions of Typer have other classes.
Node: TypeAlias = Any
EXAMPLE = "For example: "


def leaves(command: Node, path: str) -> Iterator[tuple[str, Node]]:
    """Return the commands that `--help` lists, at any depth, with their full names, but not their groups."""
    if not hasattr(command, "list_commands"):
        yield path, command
        return
    ctx = typer.Context(command, info_name=path)
    for name in command.list_commands(ctx):
        _, below, _ = command.resolve_command(ctx, [name])
        yield from leaves(below, f"{path} {name}")


def paragraphs(command: Node) -> list[str]:
    """Return the paragraphs of a help text, each on one line."""
    return [" ".join(p.split()) for p in (command.help or "").split("\n\n")]


def is_option(parameter: Node) -> bool:
    """Return whether a parameter is named on the command line."""
    return str(parameter.param_type_name) == "option"


def usage(path: str, command: Node) -> str:
    """Return `pbmserv boards show [OPTIONS] BOARD`."""
    options = ["[OPTIONS]"] if any(map(is_option, parameters(command))) else []
    return " ".join([path, *options, *_arguments(command)])


def parameters(command: Node) -> list[Node]:
    """Return the parameters of a command, without --help."""
    return [p for p in command.params if p.name != "help"]


def _arguments(command: Node) -> list[str]:
    names = [(name_of(p), p.required) for p in command.params if not is_option(p)]
    return [name if required or name.startswith("[") else f"[{name}]" for name, required in names]


def name_of(parameter: Node) -> str:
    """`--ply PLY`, `BOARD`."""
    value = parameter.metavar or parameter.name.upper()
    if not is_option(parameter):
        return str(value)
    return ", ".join(parameter.opts) + ("" if parameter.is_flag else f" {value}")
