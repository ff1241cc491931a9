"""Boards before and between moves: challenges and lists."""

from pbmserv import games
from pbmserv.boards.news import BoardNews
from pbmserv.commands.challenge import invite
from pbmserv.commands.seeks import describe_seek
from pbmserv.commands.starting import begin_board, demand_players, read_terms
from pbmserv.errors import PlayerError
from pbmserv.inbox.answer import Answer
from pbmserv.inbox.command import Call, game_of
from pbmserv.inbox.context import Context
from pbmserv.letters.text.wording import board_title

MOST_LISTED = 200  #: open seeks of a game in one answer
STATES = ("all", "active", "inactive", "next")


def challenge(ctx: Context, call: Call) -> Answer:
    """`game challenge userid1 [userid2 …] [-options] [--options]`: a board begins at once.

    If an address is named, it begins once its owner has accepted.
    """
    sender = ctx.asker.sender_player(call)
    terms = read_terms(call)
    if any("@" in name for name in call.values["userid"]):
        return invite(ctx, terms, call.values["userid"], sender)
    players = demand_players(ctx, terms, call.values["userid"], sender)
    row = begin_board(ctx, terms, players)
    return Answer(
        text=f"Board {row.number} has begun.",
        subject=board_title(row),
        boards=[BoardNews(row, 0, sender)],
        complete=sender in players,
    )


def list_boards(ctx: Context, call: Call) -> Answer:
    """`list [game …]`: the running boards and the open seeks."""
    named = dict.fromkeys(_game_key(g) for g in call.get("game"))
    keys = list(named) or [g.info.key for g in games.all_games()]
    found = [b for key in keys for b in ctx.store.board_lists.search(game=key, public=True)]
    open_ = [s for key in keys for s in ctx.store.challenges.open_seeks(key, MOST_LISTED)]
    say = ctx.say
    seeks = [{"number": s.number, "game": s.game, "text": describe_seek(s, say)} for s in open_]
    text = ctx.render("list", boards=found, zone=ctx.reader_zone(), title=say("Running boards"), seeks=seeks)
    return Answer(text, subject="Boards")


def list_games(ctx: Context, call: Call) -> Answer:
    """`games`: the games of this server."""
    return Answer(ctx.render("games", games=[g.info for g in games.all_games()]), subject="Games")


def list_game(ctx: Context, call: Call) -> Answer:
    """`game games [userid …] [all | active | inactive | next]`: a table of boards."""
    info, words = game_of(call).info, call.get("userid")
    state = next((w for w in words if w in STATES), "active")
    players = [ctx.lookups.known(w) for w in dict.fromkeys(words) if w not in STATES]
    if state == "next" and not players:
        raise PlayerError("Whose boards?", f"Send: {info.key} games USERID next")
    found = ctx.store.board_lists.search(game=info.key, player_ids=[p.id for p in players], state=state, public=True)
    title = f"{info.name} boards" + (f" of {' and '.join(p.userid for p in players)}" if players else "")
    return Answer(
        ctx.render("list", boards=found[::-1], zone=ctx.reader_zone(), title=ctx.say(title), seeks=[]),
        subject=f"{info.key.capitalize()} games",
    )


def _game_key(word: str) -> str:
    game = games.names().get(word)
    if game is None:
        known = ", ".join(g.info.key for g in games.all_games())
        raise PlayerError("There is no game of that name.", f"Known are: {known}")
    return game.info.key
