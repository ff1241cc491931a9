"""Sets the language of a player's letters for a line such as `Bitte auf Deutsch`."""

from pbmserv.errors import PlayerError
from pbmserv.inbox.context import Context
from pbmserv.inbox.lines.first_line import is_question
from pbmserv.inbox.lines.wishes import language_wished
from pbmserv.model import Player
from pbmserv.model.preferences import Preferences


def wished(ctx: Context, line: str) -> str:
    """Return the code of the language for which a line asks, and for nothing else; "" if it asks for none."""
    return language_wished(line, ctx.site.renderer.languages)


def set_language(ctx: Context, player: Player, line: str) -> str:
    """Set the language for which a line asks, and return what the player is told, in this language.

    Raises PlayerError if there are no letters in it, or if the line is only a question.
    """
    code, languages = wished(ctx, line), ctx.site.renderer.languages
    if code not in languages:
        raise PlayerError("This server writes no letters in that language.", f"It has: {', '.join(languages.values())}")
    if is_question(line):
        raise PlayerError(f"To get {languages[code]}, answer with the name of the language alone on the first line.")
    ctx.demand_writing()
    ctx.store.players.set_preference(player.id, "", Preferences.language.name, code)
    names = ", ".join(described.split()[-1] for described in languages.values())
    told = f"From now on you get {languages[code]}. To change that, answer with: {names}"
    return ctx.site.renderer.to(code).say(told)
