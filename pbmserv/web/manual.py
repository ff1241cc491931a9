"""The help pages that `help` mails, and the command manual."""

from starlette.exceptions import HTTPException

from pbmserv import games
from pbmserv.commands import COMMANDS
from pbmserv.commands.help import MULTIPLE, TOPICS, command_page, topic_page
from pbmserv.inbox.command import Scope, fill_example
from pbmserv.inbox.context import Command
from pbmserv.letters.pictures.drawing import Drawing
from pbmserv.letters.text import blocks
from pbmserv.letters.text.templates import shown_in_help
from pbmserv.web import displays
from pbmserv.web.reflow import sections
from pbmserv.web.visit import LATER, Page, Visit, missing

_SCOPES = (("Server commands", Scope.SERVER), ("Game commands: begin with the game, for example tumble", Scope.GAME))


def contents(visit: Visit) -> Page:
    """Show the short page for newcomers, and links to the other pages."""
    data = {"address": visit.place.address, "games": [g.info for g in visit.place.games]}
    text = visit.place.renderer.text("mail/help.txt", data)
    shown = {"parts": list(sections(blocks.cut(text))), "topics": ("commands", *TOPICS), "games": data["games"]}
    return Page("help.html", shown, LATER)


def commands(visit: Visit) -> Page:
    """Show the command manual."""
    parts = [(title, [_line(c) for c in COMMANDS if c.scope is scope]) for title, scope in _SCOPES]
    return Page("commands.html", {"parts": parts, "multiple": MULTIPLE}, LATER)


def topic(visit: Visit) -> Page:
    """Show one of TOPICS, or all commands with this name."""
    name = visit.path["topic"]
    if name in TOPICS:
        text = topic_page(visit.place.renderer, visit.place.address, COMMANDS, name, visit.place.games)
        return _page(name.capitalize(), blocks.flowing(text))
    same = [c for c in COMMANDS if name in c.names]
    if not same:
        raise missing("help page", name)
    return _page(
        f"The command {same[0].verb}",
        "\n\n".join(command_page(c, None, usual=visit.place.games[0]) for c in same),
    )


def game(visit: Visit) -> Page:
    """Show the rules of a game."""
    rules = visit.game()
    if isinstance(rules, games.NotInstalled):
        raise HTTPException(404, rules.error().text)
    drawn = displays.drawn(visit.place.renderer, shown_in_help(rules), None)
    return _page(f"{rules.info.name}: rules", blocks.flowing(visit.place.renderer.game_help(rules)), drawn)


def _page(title: str, text: str, drawn: Drawing | None = None) -> Page:
    """Make a page of a text that was made for mails, with the drawing of a board at its beginning."""
    data = {"title": title, "parts": list(sections(blocks.cut(text))), "drawn": drawn}
    return Page("page.html", data, LATER)


def _line(c: Command) -> dict[str, str]:
    return {"name": c.verb, "usage": c.usage(), "text": c.text, "example": fill_example(c, None)}
