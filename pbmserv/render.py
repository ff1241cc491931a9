"""The Jinja environment: (template, data) -> text, and the HTML that says the same words."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from textwrap import fill
from typing import Any

import jinja2

from pbmserv import games, paths
from pbmserv.board import Start, begin
from pbmserv.games.base import AnyGame, View

WIDTH = 79  #: characters in a line of a letter


@dataclass(frozen=True)
class Block:
    """A part of a letter between two empty lines; `fixed`: its columns must line up (a diagram, a table)."""

    text: str
    fixed: bool


class Renderer:
    """Renders templates; those in the folder `first`, if given, come before ours."""

    def __init__(self, first: str | None = None) -> None:
        folders = [Path(first)] if first else []
        loaders: list[jinja2.BaseLoader] = [jinja2.FileSystemLoader([*folders, paths.data("templates")])]
        loaders += [jinja2.PackageLoader(p, "templates") for p in sorted(_other_packages())]
        self._environment = jinja2.Environment(
            loader=jinja2.ChoiceLoader(loaders),
            autoescape=jinja2.select_autoescape(["html"], default=False),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=False,
        )
        self._environment.filters["indented"] = _indented
        self._template = lru_cache(maxsize=None)(self._environment.get_template)

    def text(self, template: str, data: Mapping[str, Any]) -> str:
        """A rendered template without trailing spaces."""
        rendered = self._template(template).render(data)
        return "\n".join(line.rstrip() for line in rendered.split("\n")).strip("\n")

    def letter(self, template: str, data: Mapping[str, Any]) -> tuple[str, str]:
        """The text and the HTML of a letter; the text has lines of at most 79 characters and ends in a line end."""
        blocks = _blocks(self.text(f"mail/{template}.txt", data))
        html = self._template("mail/letter.html").render(blocks=blocks)
        return "\n\n".join(b.text for b in blocks) + "\n", html + "\n"

    def diagram(self, game: AnyGame, view: View[Any], display: str = "") -> str:
        """The picture of a position as one reader may see it."""
        if not display and game.info.displays:
            display = game.info.displays[0].name
        return self.text(f"boards/{module_name(game)}.txt", {"scene": game.scene(view), "display": display})

    def help(self, topic: str, data: Mapping[str, Any]) -> str:
        """A help page. Raises jinja2.TemplateNotFound."""
        return self.text(f"help/{topic}.txt", data)

    def game_help(self, game: AnyGame) -> str:
        """The help page of a game, with its opening and a first move. Raises jinja2.TemplateNotFound."""
        opening = begin(Start(game, {}, game.info.seats[0], "help"))
        data = {
            "info": game.info,
            "diagram": self.diagram(game, game.view(opening.position, None)),
            "move": game.example(opening.position, min(opening.to_move)),
        }
        return self.help(module_name(game), data)


def module_name(game: AnyGame) -> str:
    """The name that a game's templates have: its module's."""
    return type(game).__module__.rpartition(".")[2]


def _other_packages() -> set[str]:
    """The packages of games that are not ours; each brings a folder `templates`."""
    packages = {type(g).__module__.partition(".")[0] for g in games.all_games()}
    return packages - {"pbmserv"}


def _blocks(text: str) -> list[Block]:
    """The blocks of a rendered letter; running text is broken to the width, columns are left alone."""
    parts = [part for part in re.split(r"\n\n+", text) if part.strip()]
    return [Block(part, True) if _is_fixed(part) else Block(_wrapped(part), False) for part in parts]


def _is_fixed(part: str) -> bool:
    """Whether a block has columns or an indent, as running text never does."""
    return any(line.startswith(" ") or "  " in line for line in part.split("\n"))


def _wrapped(part: str) -> str:
    lines = part.split("\n")
    return "\n".join(fill(x, WIDTH, break_on_hyphens=False) for x in lines)


def _indented(text: str, by: int = 4) -> str:
    """A player's words, broken to the width and set in; for the `indented` filter."""
    pad = " " * by
    lines = text.strip("\n").split("\n")
    kept = [
        fill(x, WIDTH, initial_indent=pad, subsequent_indent=pad, drop_whitespace=True) if x.strip() else ""
        for x in lines
    ]
    return re.sub(r"\n\n+", "\n" + pad + "\n", "\n".join(kept))
