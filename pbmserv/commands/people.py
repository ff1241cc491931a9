"""Questions about players: who somebody is, and all his boards."""

from pbmserv import games
from pbmserv.boards import ratings
from pbmserv.commands.show import page
from pbmserv.errors import PlayerError, quote
from pbmserv.inbox.answer import Answer
from pbmserv.inbox.command import BoardRef, Call
from pbmserv.inbox.context import Context
from pbmserv.letters.text import times
from pbmserv.letters.text.wording import day
from pbmserv.store import Player, Store

MOST_DIAGRAMS = 20  #: in one letter; the boards beyond that are listed


def who(ctx: Context, call: Call) -> Answer:
    """`who userid`: member since, vacation, ratings, boards; never addresses."""
    player = ctx.lookups.known(call.values["userid"])
    away = ctx.store.players.away_until([player.id], ctx.now.timestamp()).get(player.id)
    zone = ctx.reader_zone()
    text = ctx.render(
        "who",
        player=player.userid,
        closed=player.password_hash is None,
        since=ctx.say(day(player.created.astimezone(zone))),
        away=away and ctx.say(times.shown(times.from_seconds(away), zone)),
        rows=by_game(ctx.store, player),
    )
    return Answer(text, subject=f"About {player.userid}")


def all_show(ctx: Context, call: Call) -> Answer:
    """`all show userid [next | active]`: every board of a player in all games."""
    player = ctx.lookups.known(call.values["userid"])
    state = call.get("state") or "all"
    if state not in ("next", "active", "all"):
        raise PlayerError(f"{quote(state)} says nothing about boards here.", f"Send: all show {player.userid} next")
    boards = ctx.store.board_lists.search(player_ids=[player.id], state=state, public=True)
    if not boards:
        which = {"next": f"No board waits for {player.userid}.", "active": f"{player.userid} has no running board."}
        return Answer(which.get(state, f"{player.userid} has no board."), subject="Boards")
    pages = []
    for listed in boards[:MOST_DIAGRAMS]:
        row = ctx.store.boards.find(listed.number, lock=False)
        pages += [page(ctx, row, BoardRef(row.number), None, "")] if row else []
    if rest := boards[MOST_DIAGRAMS:]:
        pages.append(ctx.render("list", boards=rest, title=ctx.say("Further boards"), zone=ctx.reader_zone(), seeks=[]))
    return Answer("\n\n\n".join(pages), subject=f"All boards of {player.userid}")


def by_game(store: Store, player: Player) -> list[dict[str, object]]:
    """For each game that the player has played: its name, his rating, his running and finished boards."""
    counts = store.board_lists.counts_by_game(player.id)
    rows = []
    for game in games.all_games():
        key = game.info.key
        rating = store.ratings.find(key, player.id)
        if key in counts:
            running, finished = counts[key]
            shown = ratings.shown(rating) if rating else "-"
            rows.append({"game": key, "rating": shown, "running": running, "finished": finished})
    return rows
