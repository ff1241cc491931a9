"""`help`: pages for topics, games and commands, all derived from the command table, as docs/commands.md is."""

from collections.abc import Sequence
from functools import lru_cache
from textwrap import fill

from pbmserv import games
from pbmserv.boards.entries import MOST_ENTRIES, WARNED_BEFORE
from pbmserv.boards.past import FEW_BYTES, FEW_PAGES, MOST_AGAINST_ONESELF, MOST_ANSWER_BYTES, MOST_MOVES, MOST_PAGES
from pbmserv.commands.lists import list_family
from pbmserv.commands.play import MOST_BEFORE_PROPOSALS
from pbmserv.errors import PlayerError, no_such
from pbmserv.games.base import AnyGame
from pbmserv.games.base.kinds import listed
from pbmserv.inbox.command import Arg, Call, Scope, fill_example, game_of
from pbmserv.inbox.context import Answer, Command, Context
from pbmserv.inbox.lines.parse import MOST_LINES
from pbmserv.inbox.lines.wishes import game_named
from pbmserv.letters.text.blocks import Words
from pbmserv.letters.text.templates import Renderer
from pbmserv.letters.text.translations import Say
from pbmserv.letters.text.wording import number_word

_WIDTH = 72
#: Help pages that are not about a game or a command.
TOPICS = ("tutorial", "ratings", "options", "dice", "receipts", "robots", "tournaments", "webhooks")
#: `multiple` is no row of the table: it only says that the commands are in the body.
MULTIPLE = (
    "A mail can have several commands. Write multiple as the subject, or no subject, and one command on each line of "
    f"the body, at most {number_word(MOST_LINES)}. A line that says signoff ends them. The first command that fails "
    "stops the rest. The answer says what became of each line."
)
#: Facts that players rarely need, but should be able to read somewhere.
LIMITS = (
    f"One mail can play, try or queue at most {MOST_MOVES} moves, {MOST_AGAINST_ONESELF} of them on boards against "
    f"yourself. You get at most {MOST_PAGES} boards in answer, and nothing is added after "
    f"{MOST_ANSWER_BYTES // 1024} KiB. If your mail does not prove who you are, for example by your password, you get "
    f"{FEW_PAGES} boards and {FEW_BYTES // 1024} KiB. "
    f"A board that has {MOST_ENTRIES} moves, proposals and answers ends: as a draw of all who still play, or, in a "
    f"solitaire, with its score. The letters of the last {WARNED_BEFORE} say so. From {MOST_BEFORE_PROPOSALS} on, such "
    "a board takes moves, but no proposals."
)


def help_(ctx: Context, call: Call) -> Answer:
    """`help [subject …]`: the short page, the commands, a game, or one command."""
    words = call.get("subject")
    if not words:
        text = ctx.render("help", games=[g.info for g in ctx.site.games])
        return Answer(text, subject="Help", answers=("help tutorial", "games"))
    topic = " ".join(words)
    game = games.names().get(words[0])
    if game is not None and len(words) == 1:
        return help_game(ctx, call, game)
    if game is not None and list(words[1:]) in (["variants"], ["varianten"]):
        return list_family(ctx, game.info)
    if topic == "commands":
        return Answer(manual(ctx.commands, ctx.site.usual_game, ctx.say), subject="Help commands")
    if topic in TOPICS:
        return Answer(
            ctx.render("page", page=topic_page(ctx.renderer, ctx.site.address, ctx.commands, topic, ctx.site.games)),
            subject=f"Help {topic}",
        )
    topic_words = " ".join(words[1:]) if game else topic
    rows = [c for c in ctx.commands if c.scope is Scope.GAME or not game]
    say = ctx.say
    pages = [
        command_page(c, game, say, ctx.site.usual_game)
        for c in rows
        if any(f"{n} ".startswith(f"{topic_words} ") for n in c.names)
    ]
    if pages:
        return Answer("\n\n".join(pages), subject=f"Help {topic_words}")
    if named := game_named(topic, ctx.names_of_games()):
        return rules_of(ctx, named)
    topics = ["commands", *TOPICS, *(info.key for info in listed([g.info for g in ctx.site.games]))]
    raise PlayerError(f"{no_such('help page', topic)}.", f"Available: {', '.join(topics)}, and every command.")


HELP = Command(
    "help",
    "Mails a help page: about the commands, a game, or one command. Without a subject, a short page for newcomers.",
    help_,
    args=(Arg("subject", "commands, a game, or a command", optional=True, many=True),),
    aliases=("?", "hilfe", "aide", "ayuda", "aiuto", "hulp", "pomoc"),
    question=True,
    example="help commands",
    second="help move",
    more="Every command and every game has a page. If there is no page of that name, the answer lists all pages.",
)


def help_game(ctx: Context, call: Call, game: AnyGame | None = None) -> Answer:
    """`game help`: the rules, the notation, the options, an example."""
    return rules_of(ctx, game or game_of(call))


def rules_of(ctx: Context, game: AnyGame) -> Answer:
    """Return the help page of a game."""
    page = ctx.render("page", page=ctx.renderer.game_help(game))
    return Answer(page, subject=f"{game.info.key.capitalize()} help")


GAME_HELP = Command(
    "help",
    "Mails the rules of a game: how to play, how to write moves, the options, and an example.",
    help_game,
    scope=Scope.GAME,
    reply=True,
    synonyms=("rules", "the rules", "hilfe", "regeln"),
    question=True,
    example="{game} help",
    second="help {game}",
    more="The rules are long, so keep the letter. To get the commands of all games, send: help commands",
)


def topic_page(
    renderer: Renderer, address: str, commands: Sequence[Command], topic: str, offered: Sequence[AnyGame] = ()
) -> Words:
    """Return the help page of one of TOPICS, before its text is made to flow. `offered`: the games; (): all."""
    offered = offered or games.all_games()
    settings = {s.usage: s.text for c in commands if c.verb in ("challenge", "seek") for s in c.settings}
    game = next((g for g in offered if max(g.info.seats) > 1), offered[0])
    players, move = fill_example(GAME_HELP, game, "{players}"), fill_example(GAME_HELP, game, "{move}")
    data = {
        "address": address,
        "games": [g.info for g in offered],
        "settings": list(settings.items()),
        "key": game.info.key,
        "players": players,
        "move": move,
    }
    return renderer.help(topic, data)


def manual(commands: Sequence[Command], usual: AnyGame, say: Say = str) -> str:
    """All commands in plain text, two blocks: the server's and the games'. `usual`: the game in examples."""
    parts = [say("Server commands")]
    parts += [_entry(c, say) for c in commands if c.scope is Scope.SERVER]
    parts += [say(f"Game commands: begin with the game, for example {usual.info.key}")]
    parts += [_entry(c, say) for c in commands if c.scope is Scope.GAME]
    parts += [say("Several commands"), _filled(say(MULTIPLE), 4, 4)]
    parts += [say("Limits"), _filled(say(LIMITS), 4, 4)]
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
    lines += ["", "## Several commands", "", MULTIPLE, "", "## Limits", "", LIMITS]
    settings = {s.usage: s.text for c in commands for s in c.settings}
    lines += ["", "## Options of the server", ""] + [f"- `{usage}`: {text}" for usage, text in settings.items()]
    return "\n".join(lines) + "\n"


def command_page(command: Command, game: AnyGame | None, say: Say = str, usual: AnyGame | None = None) -> str:
    """The help page of one command. `usual`: the game in its examples if it is about no game."""
    key = game.info.key if game else "GAME"
    blocks = [command.usage(key), say(command.text)]
    rows = [(a.name, a.text) for a in command.args if a.text] + [(s.usage, s.text) for s in command.settings]
    if command.takes_options and game:
        rows += [(f"-{o.name}", o.text) for o in game.info.options]
    if command.body:
        rows.append((say("(body of the mail)"), command.body))
    if rows:
        blocks.append("\n".join(_row(name, say(text)) for name, text in rows))
    blocks.append("\n".join([say("For example:"), *(f"  {x}" for x in examples(command, game or usual))]))
    if command.more:
        blocks.append(say(command.more))
    return "\n\n".join(blocks)


def examples(command: Command, game: AnyGame | None) -> list[str]:
    """The example lines of a command's help page."""
    lines = (fill_example(command, game, line) for line in (command.example, command.second) if line)
    return list(dict.fromkeys(lines))


def _row(name: str, text: str) -> str:
    return _filled(f"{name:22}  {text}", 2, 26)


def _entry(command: Command, say: Say) -> str:
    also = f" ({say('also')}: {', '.join(command.aliases)})" if command.aliases else ""
    text = _filled(say(command.text), 4, 4)
    usage = _filled(command.usage() + also, 2, 6)
    return f"{usage}\n{text}"


@lru_cache(maxsize=1024)  # the pages of all commands have half as many paragraphs, and everybody gets the same
def _filled(text: str, first: int, others: int) -> str:
    """Return a paragraph with its first line and its other lines indented by so many spaces."""
    return fill(text, _WIDTH, initial_indent=" " * first, subsequent_indent=" " * others)
