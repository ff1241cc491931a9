"""Find the sentences that the program says: all strings with a space, except documentation and messages of bugs."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import jinja2
from jinja2 import nodes

import pbmserv
from pbmserv import paths
from pbmserv.commands import COMMANDS
from pbmserv.inbox.context import Command

ROOT = Path(pbmserv.__file__).parent
#: Packages that write no letters: the operator's side, the web pages, the store, and the transport of mails.
SILENT = {
    "_data",  # where the migrations are in an installed package
    "admin/audit.py", "admin/backup.py", "admin/dumps.py", "admin/game_files.py", "admin/imports.py",
    "admin/organisers.py", "admin/recounts.py", "admin/robots.py",
    "boards/absences/absent_games.py", "cli", "config.py", "conformance", "db", "games/plugins.py",
    "games/territory/go/thinking/shapes.py",
    "letters/waiting/board_draft.py", "letters/waiting/draft.py", "letters/waiting/finisher.py",
    "letters/waiting/positions.py", "letters/waiting/threads.py", "letters/waiting/turn_files.py",
    "letters/pictures/drawing.py", "letters/pictures/shapes", "letters/pictures/painting",
    "letters/pictures/linking/areas.py", "letters/pictures/linking/link_rows.py", "letters/pictures/image.py",
    "letters/text/blocks.py", "letters/text/translations.py", "mail", "metrics.py", "model", "paths.py",
    "rng.py", "robots/engines", "server/committer.py", "server/outbox.py", "server/robot_player.py", "server/sender.py",
    "server/server.py", "server/event_outbox.py", "server/logins", "server/processes", "store", "web",
    "webhooks/deliveries.py", "webhooks/post_relay.py", "webhooks/posts.py",
    # Records for other programs are in English, and only admins read such files.
    "games/base/sheet.py", "games/formats", "games/capture/chess/fen.py", "games/capture/chess/pgn.py",
    "games/capture/draughts/pdn.py", "games/territory/go/sgf.py",
    # Words that players write, in many languages.
    "games/base/pieces.py", "games/territory/go/short_words.py", "inbox/lines/agreement.py",
    "inbox/lines/words", "inbox/lines/sole.py", "inbox/lines/wishes.py",
    "inbox/refusals/meanings.py", "inbox/refusals/topics.py",
}  # fmt: skip
#: Modules of these packages that say something to players all the same.
SPEAKING = {
    "mail/inbound.py",
    "mail/reading/encoding.py",
    "model/preferences.py",
    "web/app.py",
    "web/boards.py",
    "web/displays.py",
    "web/for_programs/calendars.py",
    "web/for_programs/one_click.py",
    "web/own/boards_list.py",
    "web/own/handing.py",
    "web/own/own_page.py",
    "web/own/playing.py",
    "web/previews.py",
    "web/seasons/tournament_pages.py",
    "web/visit.py",
}
#: Arguments that are the same in every language: lines of the command language.
NEUTRAL = {"pattern", "verb"}
#: The classes of rows of the command table. Their texts are read from the table, where the numbers are filled in.
ROWS = {"Command", "Arg", "Setting"}


@cache
def sentences() -> tuple[tuple[str, str], ...]:
    """Return the place of each sentence, and an example of it: `7` stands for what is filled in."""
    return tuple(_sentences())


def _sentences() -> Iterator[tuple[str, str]]:
    for where, text in _texts():
        for line in text.split("\n"):
            if " " in line.strip() and any(c.isalpha() for c in line):
                yield where, line


def _texts() -> Iterator[tuple[str, str]]:
    for file, tree in _modules():
        for node, text in _strings(tree):
            yield f"{file}:{node.lineno}", text
    for command in COMMANDS:
        for text in _texts_of(command):
            yield f"the row of {command.verb}", text
    for file in sorted(paths.data("templates").glob("web/*.html")):
        template = jinja2.Environment().parse(file.read_text("utf-8"))  # noqa: S701 - renders nothing
        for filtered in (node for node in template.find_all(nodes.Filter) if node.name == "said"):
            for text in _filtered(filtered.node or filtered):
                yield f"{file.name}:{filtered.lineno}", text


def _texts_of(command: Command) -> list[str]:
    """Return the texts of a row of the command table."""
    parts = [*(arg.text for arg in command.args), *(setting.text for setting in command.settings)]
    return [command.text, command.body, command.more, *parts]


def _filtered(node: nodes.Node) -> list[str]:
    """Return the texts that an expression of a template can be."""
    match node:
        case nodes.Const(value=str(text)):
            return [text]
        case nodes.Concat(nodes=parts):
            return ["".join(part.value if isinstance(part, nodes.Const) else "7" for part in parts)]
        case nodes.CondExpr(expr1=one, expr2=other):
            return [*_filtered(one), *(_filtered(other) if other else [])]
    return []


def _modules() -> Iterator[tuple[Path, ast.Module]]:
    """Return the modules that speak to players."""
    for file in sorted(ROOT.rglob("*.py")):
        where = file.relative_to(ROOT)
        places = {where.as_posix(), *(folder.as_posix() for folder in where.parents)}
        if places & SPEAKING or not places & SILENT:
            yield where, ast.parse(file.read_text("utf-8"))


def _strings(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """Return the strings in a node, the parts of an f-string as one."""
    silent = _silent_parts(node)
    if node in silent:
        return
    is_joined = isinstance(node, ast.JoinedStr)
    if isinstance(node, ast.JoinedStr):
        yield node, "".join(str(v.value) if isinstance(v, ast.Constant) else "7" for v in node.values)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node, node.value
    for inner in ast.iter_child_nodes(node):
        if inner not in silent and not (is_joined and isinstance(inner, ast.Constant)):
            yield from _strings(inner)


def _silent_parts(node: ast.AST) -> list[ast.AST]:
    """Return the parts of a node that no player reads, or that are the same in every language.

    Nobody but a maintainer reads documentation, lines of the log, and messages of bugs.
    """
    match node:
        case ast.Expr(value=ast.Constant()):
            return [node]
        case ast.arg(annotation=ast.expr() as type_) | ast.AnnAssign(annotation=type_):
            return [type_]
        case ast.FunctionDef(returns=ast.expr() as type_):
            return [type_]
        case ast.Raise(exc=ast.Call(func=ast.Name(id="ValueError" | "TypeError" | "NotImplementedError"))):
            return [node]
        case ast.Call(func=ast.Attribute(value=ast.Name(id="log" | "re"))):
            return [node]
        case ast.Call(func=ast.Name(id=name)) if name in ROWS:
            return [node]
        case ast.Call(keywords=given):
            return [k for k in given if k.arg in NEUTRAL or _is_name(k)]
    return []


def _is_name(argument: ast.keyword) -> bool:
    """Return whether an argument tells of a game only who invented it, and when: that is the same in every language."""
    credit = argument.value if argument.arg == "credit" else None
    return isinstance(credit, ast.Constant) and bool(
        re.search(r"\(c\)|^[^a-z]*(\b[A-Z]\S+[^a-z]+)*$", str(credit.value))
    )
