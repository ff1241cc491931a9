"""The help pages that `help` mails, and the command manual."""

from dataclasses import replace

from pbmserv import games
from pbmserv.commands import COMMANDS
from pbmserv.commands.help import MULTIPLE, TOPICS, command_page, topic_page
from pbmserv.inbox.command import Command, Scope, fill_example
from pbmserv.letters.text import blocks
from pbmserv.web.visit import LATER, Page, Visit, missing

_BORDER = "+--"
_SCOPES = (("Server commands", Scope.SERVER), ("Game commands: begin with the game, for example tumble", Scope.GAME))


def contents(visit: Visit) -> Page:
    """The short page for newcomers, and what else there is to read."""
    data = {"address": visit.place.address, "games": [g.info for g in games.all_games()]}
    text = visit.place.renderer.text("mail/help.txt", data)
    shown = {"blocks": blocks.cut(text), "topics": ("commands", *TOPICS), "games": data["games"]}
    return Page("help.html", shown, LATER)


def commands(visit: Visit) -> Page:
    """The command manual."""
    parts = [(title, [_line(c) for c in COMMANDS if c.scope is scope]) for title, scope in _SCOPES]
    return Page("commands.html", {"parts": parts, "multiple": MULTIPLE}, LATER)


def topic(visit: Visit) -> Page:
    """One of TOPICS, or all commands of a name."""
    name = visit.path["topic"]
    if name in TOPICS:
        text = topic_page(visit.place.renderer, visit.place.address, COMMANDS, name)
        return _page(name.capitalize(), blocks.flowing(text))
    found = [c for c in COMMANDS if name in c.names]
    if not found:
        raise missing("help page", name)
    return _page(f"The command {found[0].verb}", "\n\n".join(command_page(c, None) for c in found))


def game(visit: Visit) -> Page:
    """The rules of a game."""
    found = visit.game()
    return _page(f"{found.info.name}: rules", blocks.flowing(visit.place.renderer.game_help(found)))


def _page(title: str, text: str) -> Page:
    """Running text with its tables. Those with a drawn border are diagrams: their lines must not be broken."""
    shown = [replace(b, kind="diagram") if b.fixed and _BORDER in b.text else b for b in blocks.cut(text)]
    return Page("page.html", {"title": title, "blocks": shown}, LATER)


def _line(c: Command) -> dict[str, str]:
    return {"name": c.verb, "usage": c.usage(), "text": c.text, "example": fill_example(c, None)}
