"""Boards before and between moves: challenges and lists."""

import secrets
from datetime import timedelta

from pbmserv import board as fold
from pbmserv import entries, games
from pbmserv.board import Start
from pbmserv.commands.context import Answer, BoardNews, Context
from pbmserv.commands.table import Call
from pbmserv.errors import PlayerError
from pbmserv.store import Player, Settings

STATES = ("all", "active", "inactive", "next")


def challenge(ctx: Context, call: Call) -> Answer:
    """`game challenge userid1 [userid2 …] [-options] [--options]`: a board begins at once."""
    if call.game is None:
        raise ValueError("the command table gives challenge a game")
    call.game.check(call.options, len(call.values["userid"]))
    sender = ctx.sender_player(call)
    players = _invited(ctx, call)
    _demand_welcome(ctx, sender, players)
    if "random" in call.settings:
        secrets.SystemRandom().shuffle(players)
    board = fold.begin(Start(call.game, dict(call.options), len(players), secrets.token_hex(16)))
    row = entries.begin(ctx.store, board, players, _settings(call, players), ctx.now)
    return Answer(
        text=f"Board {row.number} has begun.",
        boards=[BoardNews(row, 0, sender)],
        complete=sender in players,
    )


def list_boards(ctx: Context, call: Call) -> Answer:
    """`list [game …]`: the running boards."""
    keys = [_game_key(g) for g in call.get("game")] or [g.info.key for g in games.all_games()]
    found = [b for key in keys for b in ctx.store.list_boards(game=key)]
    return Answer(ctx.render("list", boards=found, zone=ctx.reader_zone(), title="Running boards"), subject="Boards")


def list_games(ctx: Context, call: Call) -> Answer:
    """`games`: the games of this server."""
    return Answer(ctx.render("games", games=[g.info for g in games.all_games()]), subject="Games")


def list_game(ctx: Context, call: Call) -> Answer:
    """`game games [userid …] [all | active | inactive | next]`: a table of boards."""
    if call.game is None:
        raise ValueError("the command table gives games a game")
    words = call.get("userid")
    state = next((w for w in words if w in STATES), "active")
    players = [ctx.known(w) for w in words if w not in STATES]
    if state == "next" and not players:
        raise PlayerError("Whose boards?", f"Send: {call.game.info.key} games USERID next")
    key = call.game.info.key
    ids: list[int | None] = [p.id for p in players] or [None]
    found = {b.number: b for id_ in ids for b in ctx.store.list_boards(game=key, player_id=id_, state=state)}
    title = f"{call.game.info.name} boards" + (f" of {' and '.join(p.userid for p in players)}" if players else "")
    boards = sorted(found.values(), key=lambda b: b.number)
    return Answer(
        ctx.render("list", boards=boards, zone=ctx.reader_zone(), title=title), subject=f"{key.capitalize()} games"
    )


def _invited(ctx: Context, call: Call) -> list[Player]:
    """The players by seat. Raises PlayerError that lists everything that stands in the way."""
    players, trouble = list[Player](), list[PlayerError]()
    for userid in call.values["userid"]:
        try:
            players.append(ctx.player(userid))
        except PlayerError as e:
            trouble.append(e)
    if trouble:
        raise PlayerError("\n".join(e.text for e in trouble), "\n".join(dict.fromkeys(e.hint for e in trouble)))
    if len({p.id for p in players}) < len(players) > 2:
        raise PlayerError("One player cannot have two seats here.", "Name different players.")
    return players


def _demand_welcome(ctx: Context, sender: Player, players: list[Player]) -> None:
    """Raise PlayerError if one of the players has blocked the sender: it says no more than that he is not available."""
    deaf = ctx.store.blockers_of(sender.id)
    if names := [p.userid for p in players if p.id in deaf]:
        raise PlayerError(
            f"{' and '.join(names)} cannot be challenged at the moment.",
            "Challenge somebody else; to see who plays: list",
        )


def _settings(call: Call, players: list[Player]) -> Settings:
    one_person = len({p.id for p in players}) < 2
    return Settings(
        rated="unrated" not in call.settings and not one_person,
        nag=_days(call, "nagtime", Settings.nag),
        forfeit=_days(call, "forfeittime", Settings.forfeit),
        total=_days(call, "totaltime", Settings.total),
        private="private" in call.settings,
    )


def _days(call: Call, name: str, default: float | None) -> float | None:
    """A time in days, fractions allowed; `none` for no limit. Raises PlayerError."""
    text = call.settings.get(name)
    if text is None:
        return default
    if text == "none":
        return None
    try:
        days = timedelta(days=float(text))
    except (ValueError, OverflowError):
        days = timedelta(0)
    if not timedelta(minutes=1) <= days <= timedelta(days=3650):
        raise PlayerError(
            f"'--{name}' needs a number of days.", f"Write for example: --{name}=7 or --{name}=0.5 or --{name}=none"
        )
    return days / timedelta(days=1)


def _game_key(word: str) -> str:
    game = games.names().get(word)
    if game is None:
        known = ", ".join(g.info.key for g in games.all_games())
        raise PlayerError("There is no game of that name.", f"Known are: {known}")
    return game.info.key
