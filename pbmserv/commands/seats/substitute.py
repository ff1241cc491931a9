"""`substitute`: somebody else takes the seat of a player who has left, if all others agree.

A request is a seek in which everybody who has agreed has a place: the other players of the board, and the substitute.
When it is full, a new board goes on from the position of the old one. It does not count for ratings: `_settings_after`.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from pbmserv.boards import with_robots
from pbmserv.boards.absences import free_seats
from pbmserv.boards.news import BoardNews
from pbmserv.boards.with_robots import ANY, nearest
from pbmserv.commands.seats.own_board import by_owner
from pbmserv.commands.starting import Terms, begin_board, demand_offered, demand_substitute, new_seed
from pbmserv.errors import PlayerError
from pbmserv.games import demand_installed
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Start
from pbmserv.inbox.command import ON_BOARD, PASSWORD, Arg, Call, Is, Scope
from pbmserv.inbox.context import Answer, Command, Context, Occasion
from pbmserv.inbox.lines.first_line import word_of
from pbmserv.letters.letters import habits_of
from pbmserv.letters.pictures.diagrams import drawn
from pbmserv.letters.text.wording import habits_text, terms, time_words
from pbmserv.mail import signed_addresses
from pbmserv.mail.signed_addresses import Token
from pbmserv.model import BoardRow, LeftSeat, Player, Seek, Settings
from pbmserv.model.boards import options_text

ANYBODY = "seek"  #: the word in place of a userid for a seek that everybody can join
_YES, _NO = "accept", "reject"
_HOW = "Answer with one of the words accept or reject."


def substitute(ctx: Context, call: Call) -> Answer:
    """`game substitute board userid password [newuserid | seek | accept | reject]`: ask for a substitute, or answer."""
    word = call.get("newuserid") or ANYBODY
    if word in (_YES, _NO):
        player = ctx.authentication.login(call)
        row = ctx.row(call, call.values["board"])
        return _answered(ctx, row, player, _demand_asked(ctx, row, player), word)
    row, player, _ = by_owner(ctx, call)
    left, since = _demand_free(ctx, row)
    if player.userid == left.userid:
        raise PlayerError(f"You have left board {row.number}, so the others decide who gets your seat.")
    known = ctx.store.challenges.seek_for(row.number)
    if known:
        return _ask_the_same(ctx, row, player, known, word)
    demand_offered(ctx, row.game)
    most = ctx.site.policy.challenges_a_day
    ctx.spend(player, "substitute", most, f"You can ask for {most} substitutes a day.")
    newcomer = _wanted(ctx, row, left, player, word)
    seats = len(_others(ctx, row, left)) + 1
    if newcomer or seats > 2:  # else nobody gets a letter
        _demand_new(ctx, row, newcomer)
    seek = ctx.store.challenges.add_seek_for(
        row, _settings_after(row), left, since, seats, player, newcomer.id if newcomer else None
    )
    if newcomer and ctx.store.robots.find(newcomer.id):
        ctx.store.challenges.join_seek(seek.number, newcomer)
    return _go_on(ctx, row, seek.number, player, begins=True)


SUBSTITUTE = Command(
    "substitute",
    "Asks for a substitute in place of a player who has resigned, run out of time or closed the account. All others "
    f"and the substitute must agree within {time_words(free_seats.SEAT_LASTS)} after that. Then an unrated board goes "
    "on from the same position. Without a userid, the first who joins takes the seat.",
    substitute,
    scope=Scope.GAME,
    reaches_others=True,
    args=(*ON_BOARD, Arg("newuserid", "the substitute; or robot, seek, accept or reject", Is.USERID, optional=True)),
    reply=True,
    synonyms=("find a substitute", "ersatz", "ersatz suchen", "mitspieler suchen"),
    usable=lambda on: _is_usable(on),
    example="{game} substitute {board} {userid} {password}",
    second="{game} substitute 101 alice {password} carol",
    more="The easiest way is to answer the letter that says who has left with the word substitute. Then a seek is "
    "listed. To name somebody, answer it with: substitute USERID. The letter to those who are asked is answered with "
    "accept or reject. A robot agrees at once.\n"
    "The result of the old board stands. The new board does not count for ratings, has a new seed, and all time begins "
    "anew. If a board of several players runs on, it ends as a draw of those who have stayed.\n"
    "If the board hides things, or several players have left it, there can be no substitute. To end a request, send: "
    "GAME withdraw SEEK USERID PASSWORD",
)


def join(ctx: Context, seek: Seek, player: Player) -> Answer:
    """Take the seat that a seek is for, or agree to it. The board and the seek are locked. Raises PlayerError."""
    row = _board_of(ctx, seek)
    comes = player not in row.players
    if comes:
        _demand_open(seek, row, player)
    left, _ = _demand_free(ctx, row)
    if player.userid == left.userid:
        raise PlayerError(f"You have left board {row.number}, so this seat is for somebody else.")
    if comes and _is_blocked(ctx, row, left, player):
        raise PlayerError(f"Seek {seek.number} cannot be joined at the moment.", "To see the open seeks, send: list")
    ctx.store.challenges.join_seek(seek.number, player)
    return _go_on(ctx, row, seek.number, player, comes=comes)


def give_up(ctx: Context, seek: Seek, player: Player) -> Answer:
    """Withdraw from a seek for a seat. If a player of the board does it, the seek is over. Raises PlayerError."""
    row = _board_of(ctx, seek)
    if player in row.players:
        return _refuse(ctx, row, seek, player)
    ctx.store.challenges.leave_seek(seek.number, player)
    if seek.newcomer is None:  # whoever agreed since then has agreed to this player, and not to the next who comes
        for other in seek.players[seek.players.index(player) + 1 :]:
            ctx.store.challenges.leave_seek(seek.number, other)
    return Answer(f"You have left seek {seek.number}. The others keep waiting.", subject=row.title)


def asked(ctx: Context, row: BoardRow, player: Player) -> Seek | None:
    """Return the open request for a substitute on a board that a player has not answered yet; None if there is none."""
    seek = ctx.store.challenges.seek_for(row.number) if row.board.out else None
    if seek is None or seek.left is None or player in seek.players:
        return None
    return seek if player.id == seek.newcomer or player in _others(ctx, row, seek.left) else None


def answer_signed(ctx: Context, token: Token, line: str) -> Answer:
    """Handle an answer to the letter that asks for agreement: accept or reject. Raises PlayerError."""
    find_asked(ctx, token)
    player, number = ctx.authentication.player, token.numbers[0]
    board = ctx.store.challenges.board_of_seek(number)
    if player is None or board is None:
        raise PlayerError("That request is no longer open.", "To see the open seeks, send: list")
    row = ctx.lookups.board(board)
    demand_installed(row.game)
    seek = _demand_asked(ctx, row, player)
    first = word_of(line, ctx.command_language)
    word = {_YES: _YES, _NO: _NO, "decline": _NO}.get(first.command.verb if first and not first.asks else "")
    if word is None or seek.number != number:
        raise PlayerError("Nothing was done: the first line of your answer was not understood.", _HOW)
    if not ctx.authentication.is_own_address(player):
        raise PlayerError(
            "This works only from one of your own addresses.",
            f"Send it with your password: {row.key} substitute {row.number} {player.userid} {PASSWORD} {word}",
        )
    return _answered(ctx, row, player, seek, word)


def find_asked(ctx: Context, token: Token) -> None:
    """Tell the context who was asked to agree."""
    player = ctx.store.players.by_id(token.numbers[1])
    if player and player.password_hash is not None:
        ctx.authentication.enter(player)


def _is_usable(on: Occasion) -> bool:
    if on.row is None or not on.plays():
        return False
    log = on.ctx.log(on.row)
    return all(free_seats.can_be_asked(on.ctx.store, on.row, seat, log, on.ctx.now) for seat in on.seats)


def _demand_free(ctx: Context, row: BoardRow) -> tuple[LeftSeat, datetime]:
    return free_seats.demand_open(ctx.store, row, ctx.log(row), ctx.now)


def _demand_asked(ctx: Context, row: BoardRow, player: Player) -> Seek:
    """Return the open request that waits for an answer of the player. Raises PlayerError."""
    if seek := asked(ctx, row, player):
        return seek
    raise PlayerError(
        f"Nobody waits for your answer about a substitute on board {row.number}.", "To see the open seeks, send: list"
    )


def _ask_the_same(ctx: Context, row: BoardRow, player: Player, known: Seek, word: str) -> Answer:
    """Agree to the open request of another player, if it is the same. Raises PlayerError."""
    newcomer = None if known.newcomer is None else ctx.store.players.by_id(known.newcomer)
    if player not in known.players and word == (newcomer.userid if newcomer else ANYBODY):
        return _answered(ctx, row, player, known, _YES)
    names = ", ".join(p.userid for p in known.players)
    raise PlayerError(
        f"There is a request for a substitute on board {row.number} already: seek {known.number} of {names}.",
        f"To end it, send: {row.key} withdraw {known.number} {known.players[0].userid} {PASSWORD}",
    )


def _wanted(ctx: Context, row: BoardRow, left: LeftSeat, player: Player, word: str) -> Player | None:
    """Return the player who is named as the substitute; None for anybody. Raises PlayerError."""
    if word == ANYBODY:
        return None
    userid = nearest(ctx.store, row.game, player, [p.userid for p in row.players]).userid if word == ANY else word
    if userid == left.userid:
        raise PlayerError(f"{userid} has left board {row.number}.", "Name somebody else.")
    if userid in [p.userid for p in row.players]:
        raise PlayerError(f"{userid} has a seat on board {row.number} already.", "Name somebody else.")
    terms = Terms(row.game, row.board.start.options, _settings_after(row))
    newcomer = demand_substitute(ctx, terms, len(row.players), userid, player)
    if _is_blocked(ctx, row, left, newcomer):
        raise PlayerError(f"{userid} cannot take this seat at the moment.", "Name somebody else.")
    return newcomer


def _settings_after(row: BoardRow) -> Settings:
    """Return the settings of the board with the substitute: nobody is rated for a position that another has lost."""
    return replace(row.settings, rated=False)


def _demand_new(ctx: Context, row: BoardRow, newcomer: Player | None) -> None:
    """Raise PlayerError if the same was asked before: each question goes to others by letter, so it is asked once."""
    if ctx.store.challenges.was_sought(row.number, newcomer.id if newcomer else None):
        raise PlayerError(
            f"That was asked on board {row.number} already, and not all agreed.",
            f"To name somebody else, send: {row.key} substitute {row.number} USERID {PASSWORD} USERID",
        )


def _is_blocked(ctx: Context, row: BoardRow, left: LeftSeat, player: Player) -> bool:
    """Return whether a player and one of those who have stayed have blocked each other. Nobody learns who has."""
    stayed = {p.id for seat, p in enumerate(row.players) if seat != left.seat}
    blockers_of = ctx.store.readers.blockers_of
    return bool(stayed & blockers_of(player.id)) or any(player.id in blockers_of(id_) for id_ in stayed)


def _others(ctx: Context, row: BoardRow, left: LeftSeat) -> list[Player]:
    """Return the players who have stayed and are asked. Robots agree to everything."""
    stayed = [p for seat, p in enumerate(row.players) if seat != left.seat]
    robots = {robot.player.id for robot in ctx.store.robots.among([p.id for p in stayed])}
    return [p for p in stayed if p.id not in robots]


def _demand_open(seek: Seek, row: BoardRow, player: Player) -> None:
    """Raise PlayerError if this is not the player for the seat, or somebody else was faster."""
    if seek.newcomer not in (None, player.id):
        raise PlayerError(f"Seek {seek.number} is for somebody else.", "To see the open seeks, send: list")
    if taken := [p.userid for p in seek.players if p not in row.players]:
        raise PlayerError(
            f"{taken[0]} takes that seat, as soon as all others on board {row.number} have agreed.",
            "To see the open seeks, send: list",
        )


def _board_of(ctx: Context, seek: Seek) -> BoardRow:
    if seek.left is None:
        raise ValueError("the seek is for a new board")
    row = ctx.lookups.board(seek.left.board)
    demand_installed(row.game)
    return row


def _answered(ctx: Context, row: BoardRow, player: Player, seek: Seek, word: str) -> Answer:
    """Carry out what a player answers who was asked: `accept` or `reject`."""
    if word == _NO:
        return _refuse(ctx, row, seek, player)
    return join(ctx, seek, player)


def _go_on(
    ctx: Context, row: BoardRow, number: int, player: Player, *, begins: bool = False, comes: bool = False
) -> Answer:
    """Begin the board if all have agreed. Those who are asked get a letter if there is something new to agree to.

    `begins`: the request is new; `comes`: the player takes the seat, so the others know now whom they agree to.
    """
    seek = ctx.store.challenges.seek(number)
    if seek is None or seek.left is None:
        raise ValueError(f"seek {number} is not there")
    if len(seek.players) == seek.seats:
        return _begin(ctx, row, seek, player)
    newcomer = ctx.store.players.by_id(seek.newcomer) if seek.newcomer is not None else None
    awaited = [p for p in _others(ctx, row, seek.left) if p not in seek.players]
    awaited += [newcomer] if newcomer and newcomer not in seek.players else []
    if begins or (comes and not newcomer):
        for reader in awaited:
            _ask(ctx, row, seek, seek.players[0], newcomer or (player if comes else None), reader)
    taken = next((p.shown for p in seek.players if p not in row.players), "")
    data = {"seek": seek, "wanted": newcomer, "taken": taken, "awaited": [p.shown for p in awaited]}
    return Answer(ctx.render("substituting", reader=player.userid, **data), subject=row.title)


def _ask(ctx: Context, row: BoardRow, seek: Seek, asker: Player, newcomer: Player | None, reader: Player) -> None:
    """Write to a player who has to agree: one who has stayed, or the one who is wanted."""
    wants, comment = ctx.preferences(reader), ctx.comment(asker, row)
    renderer = ctx.site.renderer.to(wants.language)
    stayed = [p for p in row.players if p.userid != (seek.left and seek.left.userid)]
    seated = [*stayed, *([newcomer] if newcomer else [])]
    settings = with_robots.settings(row.game, seek.settings, seated)
    habits = habits_text(habits_of(ctx.store, seated), renderer.say)
    data = {
        "seek": seek,
        "asker": asker.shown,
        "reader": reader.userid,
        "wanted": newcomer.shown if newcomer else "",
        "is_wanted": newcomer == reader,
        "game": row.game.info.name,
        "key": row.key,
        "seat": renderer.say(row.board.seat_names[seek.left.seat]) if seek.left else "",
        "players": [p.shown for p in stayed if p.id != asker.id],
        "conditions": ", ".join([*filter(None, [options_text(seek.options)]), *terms(settings, renderer.say), *habits]),
        "diagram": drawn(renderer, row.board, None, wants),
        "comments": [comment] if comment and reader.id not in ctx.store.readers.blockers_of(asker.id) else [],
        "runs": row.board.result is None,
        "lasts": free_seats.SEAT_LASTS.days,
        "answers": [_YES, _NO],
    }
    reply_to = ctx.site.signer.sign(signed_addresses.SUBSTITUTE, seek.number, reader.id)
    subject = f"A seat on board {row.number}"
    ctx.letters.write(
        "substitute", ctx.letters.addresses(reader), subject, data, reply_to=reply_to, language=wants.language
    )


def _begin(ctx: Context, row: BoardRow, seek: Seek, actor: Player) -> Answer:
    """Let a new board go on from this one. If this one still runs, it ends."""
    left = free_seats.free_seat(row, ctx.log(row))
    position, old = play.rejoined(row.board), list[BoardNews]()
    newcomer = next(p for p in seek.players if p not in row.players)
    seated = [newcomer if seat == left.seat else p for seat, p in enumerate(row.players)]
    if robot := ctx.store.robots.find(newcomer.id):
        for other in _others(ctx, row, left):
            with_robots.demand_free(ctx.store, robot, other, row.game, seek.settings)
    if row.board.result is None:
        ended = ctx.append(row, play.hand_over(row.board))
        old.append(BoardNews(ended, row.board.length, without=actor))
    terms = Terms(row.game, row.board.start.options, seek.settings)
    start = Start(row.game, row.board.start.options, len(seated), new_seed(), position)
    new = begin_board(ctx, terms, seated, start, continues=left)
    ctx.store.challenges.close_seek(seek.number, ctx.now, new.number)
    return Answer(f"Board {new.number} has begun.", boards=[*old, BoardNews(new, 0, actor)], complete=True)


def _refuse(ctx: Context, row: BoardRow, seek: Seek, player: Player) -> Answer:
    """End a request, and tell all others who have agreed or were asked."""
    ctx.store.challenges.close_seek(seek.number, ctx.now)
    for reader in _told(ctx, row, seek):
        if reader.id != player.id:
            text = ctx.letters.render("substitute_refused", reader, seek=seek, who=player.userid)
            to, language = ctx.letters.addresses(reader), ctx.letters.language(reader)
            ctx.letters.write("answer", to, f"A seat on board {row.number}", {"text": text}, language=language)
    return Answer(f"The request for a substitute on board {row.number} is over.", subject=row.title)


def _told(ctx: Context, row: BoardRow, seek: Seek) -> Sequence[Player]:
    newcomer = ctx.store.players.by_id(seek.newcomer) if seek.newcomer is not None else None
    others = _others(ctx, row, seek.left) if seek.left else []
    return list(dict.fromkeys([*seek.players, *others, *([newcomer] if newcomer else [])]))
