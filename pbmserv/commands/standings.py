"""Rating tables, high scores, finished boards."""

from pbmserv import ratings
from pbmserv.commands.context import Answer, Context
from pbmserv.commands.table import Call
from pbmserv.errors import PlayerError, quote
from pbmserv.games.base import Info
from pbmserv.messages import Say
from pbmserv.store import Listed, Rating
from pbmserv.wording import result_line

TOP = 20
AROUND = 3  #: places above and below the player who asks
MOST_FINISHED = 50


def standings(ctx: Context, call: Call) -> Answer:
    """`game standings [all]`: ratings, or the high scores of a solitaire."""
    info = _info(call)
    word = call.get("all")
    if word not in (None, "all"):
        raise PlayerError(f"{quote(word)} is not known here.", f"Send: {info.key} standings all")
    text = _scores(ctx, info, bool(word)) if info.seats == (1,) else _ratings(ctx, info, bool(word))
    return Answer(text, subject=f"{info.key.capitalize()} standings")


def history(ctx: Context, call: Call) -> Answer:
    """`game history [userid …]`: finished boards, the newest first."""
    info = _info(call)
    players = [ctx.known(userid) for userid in call.get("userid")]
    ids: list[int | None] = [p.id for p in players] or [None]
    found = {
        b.number: b
        for id_ in ids
        for b in ctx.store.list_boards(game=info.key, player_id=id_, state="inactive", limit=MOST_FINISHED)
        if not b.private
    }
    say = ctx.say
    rows = [(b, _result(b, say)) for b in sorted(found.values(), key=lambda b: b.number, reverse=True)]
    whose = f" of {' and '.join(p.userid for p in players)}" if players else ""
    text = ctx.render("history", title=say(f"Finished {info.name} boards{whose}"), rows=rows)
    return Answer(text, subject=f"{info.key.capitalize()} history")


def _ratings(ctx: Context, info: Info, everybody: bool) -> str:
    count = ctx.store.rated(info.key)
    top = ctx.store.standings(info.key, 0, count if everybody else TOP)
    around: list[tuple[int, str, Rating]] = []
    mine = {p.userid: ctx.store.place(info.key, p) for p in ctx.store.players_at(ctx.mail.sender)}
    for place in mine.values():
        if place is not None and place >= len(top):
            first = max(place - AROUND, len(top))
            near = ctx.store.standings(info.key, first, place + AROUND + 1 - first)
            around += [(first + i + 1, *line) for i, line in enumerate(near)]
    rows = [(i + 1, *line) for i, line in enumerate(top)]
    around = list(dict.fromkeys(around))
    return ctx.render(
        "standings", info=info, rows=rows, around=around, count=count, shown=ratings.shown, mine=set(mine)
    )


def _scores(ctx: Context, info: Info, everybody: bool) -> str:
    mine = {p.userid for p in ctx.store.players_at(ctx.mail.sender)}
    tables = []
    for variant in ctx.store.variants(info.key):
        places = list(enumerate(ctx.store.scores(info.key, variant), start=1))
        rows = [(place, s) for place, s in places if everybody or place <= TOP or s.userid in mine]
        tables.append((variant, rows, len(places)))
    return ctx.render("scores", info=info, tables=tables, mine=mine)


def _result(b: Listed, say: Say) -> str:
    return result_line(b.game, b.players, b.result, say) if b.result else ""


def _info(call: Call) -> Info:
    if call.game is None:
        raise ValueError("the command table gives this command a game")
    return call.game.info
