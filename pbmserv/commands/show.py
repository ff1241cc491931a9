"""Questions: help pages and boards."""

from collections.abc import Sequence

from pbmserv import games
from pbmserv.commands.help import command_page, manual
from pbmserv.commands.lists import STATES
from pbmserv.errors import PlayerError, no_such, quote
from pbmserv.games.base import AnyGame, Seat
from pbmserv.inbox.answer import Answer
from pbmserv.inbox.command import BoardRef, Call, Command, Scope, game_of, is_userid, read_board
from pbmserv.inbox.context import Context, preferences_of
from pbmserv.letters.board_page import reader_seat, shown
from pbmserv.letters.text.templates import Renderer
from pbmserv.store import BoardRow, Player

TOPICS = ("tutorial", "ratings", "options")  #: help pages that are neither a game's nor a command's
MOST_BOARDS = 10  #: in one answer


def help_(ctx: Context, call: Call) -> Answer:
    """`help [subject …]`: the short page, the commands, a game, or one command."""
    words = call.get("subject")
    if not words:
        return Answer(ctx.render("help", games=[g.info for g in games.all_games()]), subject="Help")
    topic = " ".join(words)
    game = games.names().get(words[0])
    if game is not None and len(words) == 1:
        return help_game(ctx, call, game)
    if topic == "commands":
        return Answer(manual(ctx.commands, ctx.say), subject="Help commands")
    if topic in TOPICS:
        return Answer(
            ctx.render("page", page=topic_page(ctx.renderer, ctx.site.address, ctx.commands, topic)),
            subject=f"Help {topic}",
        )
    wanted = " ".join(words[1:]) if game else topic
    rows = [c for c in ctx.commands if c.scope is Scope.GAME or not game]
    say = ctx.say
    pages = [command_page(c, game, say) for c in rows if any(f"{n} ".startswith(f"{wanted} ") for n in c.names)]
    if pages:
        return Answer("\n\n".join(pages), subject=f"Help {wanted}")
    topics = ["commands", *TOPICS, *(g.info.key for g in games.all_games())]
    raise PlayerError(f"{no_such('help page', topic)}.", f"Known are: {', '.join(topics)}, and every command.")


def topic_page(renderer: Renderer, address: str, commands: Sequence[Command], topic: str) -> str:
    """The help page of one of TOPICS, before its running text is made to flow."""
    settings = {s.usage: s.text for c in commands for s in c.settings}
    data = {
        "address": address,
        "games": [g.info for g in games.all_games()],
        "settings": list(settings.items()),
    }
    return renderer.help(topic, data)


def help_game(ctx: Context, call: Call, game: AnyGame | None = None) -> Answer:
    """`game help`: the rules, the notation, the options, an example."""
    game = game or game_of(call)
    page = ctx.render("page", page=ctx.renderer.game_help(game))
    return Answer(page, subject=f"{game.info.key.capitalize()} help")


def show(ctx: Context, call: Call) -> Answer:
    """`game show board[#n] …` or `game show userid … [all | active | inactive | next]`: as spectators see them."""
    refs = _refs(ctx, call, call.values["board|userid"])
    pages = [page(ctx, ctx.readable_row(call, ref), ref, None, "") for ref in refs[:MOST_BOARDS]]
    return _pages(ctx, call, refs, pages)


def showas(ctx: Context, call: Call) -> Answer:
    """`game showas userid password [board … | next | active | all]`: as that player sees it, with his queues."""
    player = ctx.asker.login(call)
    refs = _refs(ctx, call, call.get("board"), player)
    display = preferences_of(ctx, player, game_of(call).info.key).get("display", "")
    pages = []
    for ref in refs[:MOST_BOARDS]:
        row = ctx.readable_row(call, ref, player)
        mine = row.seats_of(player)
        queues = ctx.store.waiting_moves.queues(row.number)
        queue = [str(item) for seat in mine for item in queues.get(seat, [])]
        pages.append(page(ctx, row, ref, reader_seat(row, player) if mine else None, display, queue))
    return _pages(ctx, call, refs, pages)


def _pages(ctx: Context, call: Call, refs: Sequence[BoardRef], pages: list[str]) -> Answer:
    left = len(refs) - len(pages)
    if left:
        pages = [*pages, ctx.say(f"({left} more are left out: name their numbers to see them.)")]
    name = game_of(call).info.key.capitalize()
    subject = f"{name} Board {refs[0].number}" if len(refs) == 1 else f"{name} boards"
    return Answer("\n\n\n".join(pages), subject=subject)


def page(ctx: Context, row: BoardRow, ref: BoardRef, seat: Seat | None, display: str, queue: Sequence[str] = ()) -> str:
    """One board as `seat` (None: anybody) may see it, after `ref.ply` if that is given."""
    data = shown(ctx.renderer, row, ctx.log(row), seat, ply=ref.ply, display=display, queue=queue)
    return ctx.render("show", **data)


def _refs(ctx: Context, call: Call, words: Sequence[str], player: Player | None = None) -> list[BoardRef]:
    """The boards that are meant: by number, or by userids and a selector. Raises PlayerError if there are none."""
    refs = [r for r in map(read_board, words) if r]
    if refs and len(refs) < len(words):
        raise PlayerError("Name boards or players, not both.", f"Send for example: {game_of(call).info.key} show 101#7")
    if refs:
        return refs
    if player is None:
        return _boards_of(ctx, call, words, public=True)
    if others := [w for w in words if w not in STATES]:
        raise PlayerError(
            f"{quote(others[0])} is neither a board number nor one of {', '.join(STATES)}.",
            f"To see boards of others, send: {game_of(call).info.key} show USERID",
        )
    return _boards_of(ctx, call, (player.userid, *words), public=False)


def _boards_of(ctx: Context, call: Call, words: Sequence[str], public: bool) -> list[BoardRef]:
    """The boards that userids and a selector name. Raises PlayerError if there are none."""
    state = next((w for w in words if w in STATES), "active")
    userids = [w for w in dict.fromkeys(words) if w not in STATES]
    if wrong := [w for w in userids if not is_userid(w)]:
        raise PlayerError(f"{quote(wrong[0])} is neither a board number nor a userid.")
    key = game_of(call).info.key
    if not userids:
        raise PlayerError("Whose boards?", f"Send: {key} show USERID {state}")
    ids = [ctx.lookups.known(userid).id for userid in userids]
    found = ctx.store.board_lists.search(game=key, player_ids=ids, state=state, public=public)
    if not found:
        raise PlayerError("There is no such board.", "To see the running boards, send: list")
    return [BoardRef(b.number) for b in reversed(found)]
