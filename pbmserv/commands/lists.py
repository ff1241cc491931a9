"""Lists: running boards and open seeks, games, ratings and high scores, finished boards."""

from collections.abc import Collection, Mapping, Sequence
from operator import attrgetter
from textwrap import fill, indent

from pbmserv import games
from pbmserv.boards import with_robots
from pbmserv.boards.absences.vacations import auto_of
from pbmserv.boards.ratings import rating_formula
from pbmserv.commands.seeks import describe_seek
from pbmserv.errors import PlayerError, quote
from pbmserv.games.base import Info
from pbmserv.games.base.kinds import KINDS, family_of, place_of_kind
from pbmserv.inbox.command import Arg, Call, Is, Scope, game_of
from pbmserv.inbox.context import Answer, Command, Context
from pbmserv.letters.letters import habits_of
from pbmserv.letters.text.blocks import Words
from pbmserv.letters.text.templates import WIDTH
from pbmserv.letters.text.translations import Say
from pbmserv.letters.text.wording import Habits, habits_text, number_word, result_line, shared_by_moves
from pbmserv.model import Listed, Player, RatingLine
from pbmserv.model.boards import BoardState

MOST_LISTED = 200  #: open seeks of a game in one answer
TOP = 20  #: lines of a table without `all`
MOST_STANDINGS = 1000  #: the most lines of `all`, because more are too long for a letter
MOST_TITLES = 3  #: seasons of tournaments that are named for a player
AROUND = 3  #: places above and below the player who asks
MOST_FINISHED = 50  #: boards in one answer to `history`
#: Words that select boards of a player.
STATES = tuple(BoardState)


def list_boards(ctx: Context, call: Call) -> Answer:
    """`list [game …]`: the running boards and the open seeks."""
    offered = [g.info.key for g in ctx.site.games]
    keys = [*offered, *(key for key in ctx.store.audit.games() if key not in offered)]  # and those that are played on
    if named := call.get("game"):
        keys = list(dict.fromkeys(_game_key(g, keys) for g in named))
    keys.sort(key=lambda key: place_of_kind(games.find(key).info))  # so each kind has one heading
    boards = ctx.store.board_lists.running(keys)
    open_ = ctx.store.challenges.open_seeks_of([key for key in keys if key in offered], MOST_LISTED)
    say = ctx.say
    habits = habits_of(ctx.store, {p for s in open_ for p in s.players})
    seeks = [{"number": s.number, "game": s.game, "text": describe_seek(s, say, habits)} for s in open_]
    return Answer(boards_table(ctx, boards, "Running boards", _kinds(boards), seeks), subject="Boards")


LIST = Command(
    "list",
    "Lists the running boards and the open seeks of all games, or of the games you name.",
    list_boards,
    synonyms=("boards", "partien"),
    args=(Arg("game", "only these games", optional=True, many=True),),
    question=True,
    example="list {game}",
    second="list",
    more="A star marks the player whose turn it is. Private boards are not listed.\n"
    "If a game is unknown, the answer lists all games.",
)


def list_games(ctx: Context, call: Call) -> Answer:
    """`games [game]`: the games of this server, or those of a family."""
    infos, word = [g.info for g in ctx.site.games], call.values.get("game")
    if word is None:
        return _listed(ctx, infos, None)
    return list_family(ctx, games.find(_game_key(word, [info.key for info in infos])).info)


def list_family(ctx: Context, info: Info) -> Answer:
    """Return the games that are like this one. Raises PlayerError if there are none."""
    head = games.find(info.family or info.key).info
    if not (family := family_of((g.info for g in ctx.site.games), head.key)):
        raise PlayerError(f"There are no games like {head.name} here.", f"For its rules, send: help {head.key}")
    return _listed(ctx, family, head)


def _listed(ctx: Context, infos: Sequence[Info], head: Info | None) -> Answer:
    first = next((info.key for info in infos if info.seats != (1,)), infos[0].key)
    text = ctx.render("games", games=infos, head=head, first=first)
    return Answer(text, subject="Games", answers=(f"play {first}", "help"))


LIST_GAMES = Command(
    "games",
    "The games of this server, with a summary of each; or the games that are like the one you name.",
    list_games,
    args=(Arg("game", "the games like this one", optional=True),),
    question=True,
    example="games",
    second="games chess",
    more="To get the rules of a game, send its name and help: GAME help",
)


def game_boards(ctx: Context, call: Call) -> Answer:
    """`game games [userid …] [all | active | inactive | next]`: a table of boards."""
    info, words = game_of(call).info, call.get("userid")
    state = next((BoardState(w) for w in words if w in STATES), BoardState.ACTIVE)
    players = [ctx.lookups.known(w) for w in dict.fromkeys(words) if w not in STATES]
    if state is BoardState.NEXT and not players:
        raise PlayerError("The line names no player.", f"Send: {info.key} games USERID next")
    boards = ctx.store.board_lists.search(game=info.key, player_ids=[p.id for p in players], state=state, public=True)
    title = f"{info.name} boards" + (f" of {' and '.join(p.userid for p in players)}" if players else "")
    return Answer(boards_table(ctx, boards[::-1], title), subject=f"{info.key.capitalize()} games")


GAME_BOARDS = Command(
    "games",
    "Lists the boards of one game, or of players in it.",
    game_boards,
    scope=Scope.GAME,
    args=(Arg("userid", "players, then all, active, inactive or next", optional=True, many=True),),
    question=True,
    example="{game} games {userid}",
    second="{game} games {userid} all",
    more="To see the boards where it is your turn, write next after your userid. Without a userid, next does not work.",
)


def standings(ctx: Context, call: Call) -> Answer:
    """`game standings [all]`: ratings, or the high scores of a solitaire."""
    info = game_of(call).info
    word = call.get("all")
    if word not in (None, "all"):
        raise PlayerError(f"{quote(word)} cannot be used here.", f"Send: {info.key} standings all")
    most = MOST_STANDINGS if word else TOP
    text = _scores(ctx, info, most) if info.seats == (1,) else _ratings(ctx, info, most)
    return Answer(text, subject=f"{info.key.capitalize()} standings")


STANDINGS = Command(
    "standings",
    "Shows the ratings in a game: the best players, and those around you. For a game for one, it shows the high "
    f"scores. With all, you see the first {number_word(MOST_STANDINGS).removeprefix('a ')}.",
    standings,
    scope=Scope.GAME,
    args=(Arg("all", f"up to {number_word(MOST_STANDINGS)} lines", optional=True),),
    aliases=("ratings",),
    question=True,
    example="{game} standings",
    second="{game} standings all",
    more="A question mark means that the player has finished fewer than "
    f"{number_word(rating_formula.ESTABLISHED)} rated boards. Unrated boards, declined boards and boards against "
    "yourself do not count.",
)


def history(ctx: Context, call: Call) -> Answer:
    """`game history [userid …]`: finished boards, the newest first."""
    info = game_of(call).info
    players = [ctx.lookups.known(userid) for userid in dict.fromkeys(call.get("userid"))]
    ids = [p.id for p in players]
    boards = ctx.store.board_lists.search(
        game=info.key, player_ids=ids, state=BoardState.INACTIVE, public=True, limit=MOST_FINISHED
    )
    say = ctx.say
    rows = [(b, _result(b, say)) for b in boards]
    whose = f" of {' and '.join(p.userid for p in players)}" if players else ""
    title = say(f"Finished {info.name} boards{whose}")
    text = ctx.render("history", title=title, rows=rows, robots=ctx.store.players.robots())
    return Answer(text, subject=f"{info.key.capitalize()} history")


HISTORY = Command(
    "history",
    "Lists finished boards of a game, or of players in it, with their results.",
    history,
    scope=Scope.GAME,
    args=(Arg("userid", "players", Is.USERID, optional=True, many=True),),
    question=True,
    example="{game} history {userid}",
    second="{game} history",
    more="The newest come first. To see a board with all its moves, send: GAME show BOARD\n"
    "If a userid is unknown, the answer lists similar ones.",
)


def boards_table(
    ctx: Context,
    boards: Sequence[Listed],
    title: str,
    kinds: Mapping[int, str] | None = None,
    seeks: Sequence[Mapping[str, object]] = (),
) -> Words:
    """Return a list of boards in text, then the open seeks.

    `kinds`: of games, by the number of the first board of each. `seeks`: each with its number, game and text.
    """
    robots = ctx.store.players.robots()
    return ctx.render(
        "list",
        title=ctx.say(title),
        boards=boards,
        times=_times(ctx, boards, robots),
        zone=ctx.reader_zone(),
        robots=robots,
        kinds=kinds or {},
        seeks=seeks,
    )


def _times(ctx: Context, boards: Sequence[Listed], robots: Collection[str]) -> dict[int, str]:
    """Return what running boards have besides reminder and limit of a move: bank, total time, days off, vacation."""
    running = [b for b in boards if b.result is None]
    people = {id_ for b in running for id_, u in zip(b.player_ids, b.players, strict=True) if u not in robots}
    auto, times = auto_of(ctx.store, people), {}
    for board in running:
        seats = zip(board.player_ids, board.players, board.rests, strict=True)
        habits = {userid: Habits(rest.days, id_ in auto) for id_, userid, rest in seats}
        parts = [*map(ctx.say, shared_by_moves(board.settings)), *habits_text(habits, ctx.say)]
        if parts:
            times[board.number] = indent(fill(", ".join(parts), WIDTH - 8, break_on_hyphens=False), " " * 8)
    return times


def _kinds(boards: Sequence[Listed]) -> dict[int, str]:
    """The kinds of games in a list of boards: by the number of the first board of each. {}: all are of one kind."""
    first = dict[str, int]()
    for board in boards:
        first.setdefault(KINDS[games.find(board.game).info.kind], board.number)
    return {number: kind for kind, number in first.items()} if len(first) > 1 else {}


def _game_key(word: str, keys: Sequence[str]) -> str:
    """Return the key of the game that a word names: one that is installed, or one of `keys`. Raises PlayerError."""
    if game := games.names().get(word):
        return game.info.key
    if word not in keys:
        raise PlayerError("There is no game of that name.", f"Available: {', '.join(keys)}")
    return word


def _ratings(ctx: Context, info: Info, most: int) -> Words:
    count = ctx.store.ratings.count(info.key)
    top = ctx.store.ratings.standings(info.key, 0, most)
    senders, seen, around = _senders(ctx), {s.userid for s in top}, list[RatingLine]()
    for player in senders:
        if player.userid not in seen:
            near = [s for s in ctx.store.ratings.standings_near(info.key, player.id, AROUND) if s.userid not in seen]
            seen.update(s.userid for s in near)
            around += near
    data = {"rows": top, "around": sorted(around, key=attrgetter("place")), "count": count, "most": MOST_STANDINGS}
    data |= {"mine": {p.userid for p in senders}, "robots": ctx.store.players.robots()}
    data["minds"] = with_robots.levels_of(ctx.store, games.find(info.key))
    data["titles"] = _titles(ctx, info, [line.userid for line in [*top[:TOP], *around]])
    return ctx.render("standings", info=info, shown=rating_formula.shown, **data)


def _titles(ctx: Context, info: Info, userids: Sequence[str]) -> dict[str, list[tuple[str, int]]]:
    """Return the newest seasons that these players have won, as name and season, by userid."""
    won = ctx.store.tournaments.titles_by_userid(userids, info.key) if userids else []
    names, titles = ctx.store.tournaments.names({entry.tournament for entry in won}), dict[str, list[tuple[str, int]]]()
    for entry in won:
        own = titles.setdefault(entry.player.userid, [])
        if len(own) < MOST_TITLES:
            own.append((names[entry.tournament], entry.season))
    return titles


def _scores(ctx: Context, info: Info, most: int) -> Words:
    senders, tables = _senders(ctx), []
    for variant, count in ctx.store.ratings.variants(info.key).items():
        rows = ctx.store.ratings.scores(info.key, variant, most)
        seen = {s.userid for s in rows}
        scores = [ctx.store.ratings.score(info.key, variant, p.id) for p in senders if p.userid not in seen]
        rows += sorted((s for s in scores if s), key=attrgetter("place"))
        tables.append((variant, rows, count))
    userids, robots = {p.userid for p in senders}, ctx.store.players.robots()
    return ctx.render("scores", info=info, tables=tables, mine=userids, robots=robots)


def _senders(ctx: Context) -> list[Player]:
    """Return the players with the sender's address. Their places are shown even if they are not among the best."""
    return ctx.store.players.at(ctx.mail.sender)


def _result(b: Listed, say: Say) -> str:
    return result_line(b.game, b.players, b.result, say) if b.result else ""
