"""Rating tables, high scores, finished boards."""

from operator import attrgetter

from pbmserv.boards import ratings
from pbmserv.errors import PlayerError, quote
from pbmserv.games.base import Info
from pbmserv.inbox.answer import Answer
from pbmserv.inbox.command import Call, game_of
from pbmserv.inbox.context import Context
from pbmserv.letters.text.translations import Say
from pbmserv.letters.text.wording import result_line
from pbmserv.store import Listed, Player, Standing

TOP = 20
MOST = 1000  #: lines of `all`: more than that, no letter is good for
AROUND = 3  #: places above and below the player who asks
MOST_FINISHED = 50


def standings(ctx: Context, call: Call) -> Answer:
    """`game standings [all]`: ratings, or the high scores of a solitaire."""
    info = game_of(call).info
    word = call.get("all")
    if word not in (None, "all"):
        raise PlayerError(f"{quote(word)} is not known here.", f"Send: {info.key} standings all")
    most = MOST if word else TOP
    text = _scores(ctx, info, most) if info.seats == (1,) else _ratings(ctx, info, most)
    return Answer(text, subject=f"{info.key.capitalize()} standings")


def history(ctx: Context, call: Call) -> Answer:
    """`game history [userid …]`: finished boards, the newest first."""
    info = game_of(call).info
    players = [ctx.lookups.known(userid) for userid in dict.fromkeys(call.get("userid"))]
    ids = [p.id for p in players]
    found = ctx.store.board_lists.search(
        game=info.key, player_ids=ids, state="inactive", public=True, limit=MOST_FINISHED
    )
    say = ctx.say
    rows = [(b, _result(b, say)) for b in found]
    whose = f" of {' and '.join(p.userid for p in players)}" if players else ""
    text = ctx.render("history", title=say(f"Finished {info.name} boards{whose}"), rows=rows)
    return Answer(text, subject=f"{info.key.capitalize()} history")


def _ratings(ctx: Context, info: Info, most: int) -> str:
    count = ctx.store.ratings.count(info.key)
    top = ctx.store.ratings.standings(info.key, 0, most)
    mine, seen, around = _senders(ctx), {s.userid for s in top}, list[Standing]()
    for player in mine:
        if player.userid not in seen:
            near = [s for s in ctx.store.ratings.standings_near(info.key, player.id, AROUND) if s.userid not in seen]
            seen.update(s.userid for s in near)
            around += near
    data = {"rows": top, "around": sorted(around, key=attrgetter("place")), "count": count, "most": MOST}
    return ctx.render("standings", info=info, shown=ratings.shown, mine={p.userid for p in mine}, **data)


def _scores(ctx: Context, info: Info, most: int) -> str:
    mine, tables = _senders(ctx), []
    for variant, count in ctx.store.ratings.variants(info.key).items():
        rows = ctx.store.ratings.scores(info.key, variant, most)
        seen = {s.userid for s in rows}
        found = [ctx.store.ratings.score(info.key, variant, p.id) for p in mine if p.userid not in seen]
        rows += sorted((s for s in found if s), key=attrgetter("place"))
        tables.append((variant, rows, count))
    return ctx.render("scores", info=info, tables=tables, mine={p.userid for p in mine})


def _senders(ctx: Context) -> list[Player]:
    """Whose places are shown, wherever they are."""
    return ctx.store.players.at(ctx.mail.sender)


def _result(b: Listed, say: Say) -> str:
    return result_line(b.game, b.players, b.result, say) if b.result else ""
