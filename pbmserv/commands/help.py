"""Texts derived from the command table: `help commands`, docs/commands.md, the page of one command."""

from collections.abc import Sequence
from textwrap import fill

from pbmserv.games.base import AnyGame
from pbmserv.inbox.command import Command, Scope, fill_example
from pbmserv.letters.text.translations import Say

_WIDTH = 72


#: `multiple` is no row of the table: it says where the commands of a mail are.
MULTIPLE = (
    "A mail with the subject multiple, or with none, has one command on each line of its body, at most ten, until a "
    "line that says signoff. The first that fails stops the rest, and the answer says line by line what came of it."
)


def manual(commands: Sequence[Command], say: Say = str) -> str:
    """All commands in plain text, two blocks: the server's and the games'."""
    parts = [say("Server commands")]
    parts += [_entry(c, say) for c in commands if c.scope is Scope.SERVER]
    parts += [say("Game commands: begin with the game, for example tumble")]
    parts += [_entry(c, say) for c in commands if c.scope is Scope.GAME]
    parts += [say("Several commands"), fill(say(MULTIPLE), _WIDTH, initial_indent="    ", subsequent_indent="    ")]
    return "\n\n".join(parts)


def markdown(commands: Sequence[Command]) -> str:
    """docs/commands.md."""
    lines = [
        "# Commands",
        "",
        "Made from the command table by `make docs`; do not edit. `PASSWORD` stands for the player's password.",
    ]
    for title, scope in (("Server commands", Scope.SERVER), ("Game commands", Scope.GAME)):
        lines += ["", f"## {title}", "", "| syntax | does | example |", "|---|---|---|"]
        for c in commands:
            if c.scope is scope:
                also = f" (also `{'`, `'.join(c.aliases)}`)" if c.aliases else ""
                usage = c.usage().replace("|", "\\|")
                lines.append(f"| `{usage}`{also} | {c.text} | `{fill_example(c, None)}` |")
    lines += ["", "## Several commands", "", MULTIPLE]
    settings = {s.usage: s.text for c in commands for s in c.settings}
    lines += ["", "## Options of the server", ""] + [f"- `{usage}`: {text}" for usage, text in settings.items()]
    return "\n".join(lines) + "\n"


def command_page(command: Command, game: AnyGame | None, say: Say = str) -> str:
    """The help page of one command."""
    key = game.info.key if game else "GAME"
    blocks = [command.usage(key), say(command.text)]
    rows = [(a.name, a.text) for a in command.args if a.text] + [(s.usage, s.text) for s in command.settings]
    if command.takes_options and game:
        rows += [(f"-{o.name}", o.text) for o in game.info.options]
    if command.body:
        rows.append((say("(body of the mail)"), command.body))
    if rows:
        blocks.append("\n".join(_row(name, say(text)) for name, text in rows))
    blocks.append("\n".join([say("For example:"), *(f"  {x}" for x in examples(command, game))]))
    if command.more:
        blocks.append(say(command.more))
    return "\n\n".join(blocks)


def examples(command: Command, game: AnyGame | None) -> list[str]:
    """The example lines of a command's help page."""
    lines = (fill_example(command, game, line) for line in (command.example, command.second) if line)
    return list(dict.fromkeys(lines))


def _row(name: str, text: str) -> str:
    return fill(f"{name:22}  {text}", _WIDTH, initial_indent="  ", subsequent_indent=" " * 26)


def _entry(command: Command, say: Say) -> str:
    also = f" ({say('also')}: {', '.join(command.aliases)})" if command.aliases else ""
    text = fill(say(command.text), _WIDTH, initial_indent="    ", subsequent_indent="    ")
    usage = fill(command.usage() + also, _WIDTH, initial_indent="  ", subsequent_indent="      ")
    return f"{usage}\n{text}"
