"""Lists: running boards and open seeks, games, ratings and high scores, finished boards."""

from operator import attrgetter

from pbmserv import games
from pbmserv.boards import ratings
from pbmserv.commands.seeks import describe_seek
from pbmserv.errors import PlayerError, quote
from pbmserv.games.base import Info
from pbmserv.inbox.answer import Answer
from pbmserv.inbox.command import (
    Arg,
    Call,
    Command,
    Is,
    Scope,
    game_of,
)
from pbmserv.inbox.context import Context
from pbmserv.letters.text.translations import Say
from pbmserv.letters.text.wording import number_word, result_line
from pbmserv.store import Listed, Player, RatingLine

MOST_LISTED = 200  #: open seeks of a game in one answer
TOP = 20  #: lines of a table without `all`
MOST_STANDINGS = 1000  #: lines of `all`: more than that, no letter is good for
AROUND = 3  #: places above and below the player who asks
MOST_FINISHED = 50  #: boards in one answer to `history`
#: Words that say which boards of a player are meant.
STATES = ("all", "active", "inactive", "next")


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


LIST = Command(
    "list",
    "The running boards and the open seeks of all games, or of the games you name.",
    list_boards,
    args=(Arg("game", "only these games", optional=True, many=True),),
    example="list {game}",
    second="list",
    more="A star marks who is to move. Private boards are not listed.\n"
    "A game that is not known here is answered with the names of those that are.",
)


def list_games(ctx: Context, call: Call) -> Answer:
    """`games`: the games of this server."""
    return Answer(ctx.render("games", games=[g.info for g in games.all_games()]), subject="Games")


LIST_GAMES = Command(
    "games",
    "The games of this server, one line each.",
    list_games,
    example="games",
    more="For the rules of one, send its name and help, for example: tumble help",
)


def game_boards(ctx: Context, call: Call) -> Answer:
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


GAME_BOARDS = Command(
    "games",
    "A table of the boards of one game, or of players in it.",
    game_boards,
    Scope.GAME,
    args=(Arg("userid", "players, then all, active, inactive or next", optional=True, many=True),),
    example="{game} games {userid}",
    second="{game} games {userid} all",
    more="To see where you are to move, put next behind your userid. Without a userid, next is refused.",
)


def standings(ctx: Context, call: Call) -> Answer:
    """`game standings [all]`: ratings, or the high scores of a solitaire."""
    info = game_of(call).info
    word = call.get("all")
    if word not in (None, "all"):
        raise PlayerError(f"{quote(word)} is not known here.", f"Send: {info.key} standings all")
    most = MOST_STANDINGS if word else TOP
    text = _scores(ctx, info, most) if info.seats == (1,) else _ratings(ctx, info, most)
    return Answer(text, subject=f"{info.key.capitalize()} standings")


STANDINGS = Command(
    "standings",
    "The rating table of the game: the best, and those around you. For a solitaire, the high scores. "
    f"With all: the first {number_word(MOST_STANDINGS).removeprefix('a ')}.",
    standings,
    Scope.GAME,
    args=(Arg("all", f"up to {number_word(MOST_STANDINGS)} lines", optional=True),),
    aliases=("ratings",),
    example="{game} standings",
    second="{game} standings all",
    more=f"A rating with a question mark stands on fewer than {number_word(ratings.ESTABLISHED)} rated boards. Unrated "
    "and declined boards do not count, nor does a board against yourself.",
)


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


HISTORY = Command(
    "history",
    "Finished boards of the game, or of players in it, with result and reason.",
    history,
    Scope.GAME,
    args=(Arg("userid", "players", Is.USERID, optional=True, many=True),),
    example="{game} history {userid}",
    second="{game} history",
    more="The newest come first. To see one with its whole move list, send: GAME show BOARD\n"
    "A userid that is unknown is answered with the nearest ones.",
)


def _game_key(word: str) -> str:
    game = games.names().get(word)
    if game is None:
        known = ", ".join(g.info.key for g in games.all_games())
        raise PlayerError("There is no game of that name.", f"Known are: {known}")
    return game.info.key


def _ratings(ctx: Context, info: Info, most: int) -> str:
    count = ctx.store.ratings.count(info.key)
    top = ctx.store.ratings.standings(info.key, 0, most)
    mine, seen, around = _senders(ctx), {s.userid for s in top}, list[RatingLine]()
    for player in mine:
        if player.userid not in seen:
            near = [s for s in ctx.store.ratings.standings_near(info.key, player.id, AROUND) if s.userid not in seen]
            seen.update(s.userid for s in near)
            around += near
    data = {"rows": top, "around": sorted(around, key=attrgetter("place")), "count": count, "most": MOST_STANDINGS}
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
    """The players with the address of the sender: their places are shown even if they are not among the best."""
    return ctx.store.players.at(ctx.mail.sender)


def _result(b: Listed, say: Say) -> str:
    return result_line(b.game, b.players, b.result, say) if b.result else ""
