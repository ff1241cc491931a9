"""The answer to an error: what was understood, what is wrong, the board, and a line that works as it stands."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from string import Formatter
from typing import Any

from pbmserv import games
from pbmserv.errors import PlayerError
from pbmserv.games.base import AnyGame, Seat
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Change
from pbmserv.games.base.log import Entry
from pbmserv.inbox.answer import Answer
from pbmserv.inbox.calls import write_answer
from pbmserv.inbox.command import MOST_READERS, PASSWORD, BoardRef, Call, Command, TooOften, Understood, fill_example
from pbmserv.inbox.context import Context
from pbmserv.letters.text.templates import diagram
from pbmserv.mail import signed_addresses
from pbmserv.store import BoardRow, Listed, Player

_UNREAD = "(a line that was not understood)"
_SEEKS = 20  #: of a game, among which one is looked for
#: What a verb would do to a board; tried on a copy to find out whether it can be used now.
_TRIES: Mapping[str, Callable[[Board, Seat, Sequence[Entry]], Change]] = {
    "propose": lambda board, seat, log: play.propose(board, seat),
    "undo": play.undo,
    "accept": play.accept,
    "reject": lambda board, seat, log: play.reject(board, seat),
    "resign": lambda board, seat, log: play.resign(board, seat),
    "decline": play.decline,
}


def answer_error(ctx: Context, error: PlayerError, understood: Understood) -> None:
    """What was understood, what is wrong, what to send instead; and the board if one was named."""
    if isinstance(error, TooOften):
        write_answer(ctx, Answer(error.text, subject="Please wait"))
        return
    row = _named_board(ctx, understood.call)
    seat = _seat_of(ctx, row)
    game = row.game if row else understood.game
    text = ctx.render(
        "error",
        understood=ctx.shown(understood.call) if understood.call else "",
        text=ctx.say(error.text),
        hint=ctx.say(error.hint),
        usage=_usage(understood.command, game),
        example=_example(ctx, understood, game, row),
        title=row.title if row else "",
        diagram=_diagram(ctx, row, seat) if row else "",
    )
    reply_to = _reply_to(ctx, row, seat) if row and seat is not None else ""
    write_answer(ctx, Answer(text, subject=_subject(row, game)), reply_to)


def understood_line(ctx: Context, understood: Understood) -> str:
    """A line as it may be shown: what could be read of it, without anything that might be a password."""
    return ctx.shown(understood.call) if understood.call else _UNREAD


def _named_board(ctx: Context, call: Call | None) -> BoardRow | None:
    """The board of an error answer; a private one is shown to its players only."""
    ref = call.values.get("board") if call else None
    row = ctx.store.boards.find(ref.number, lock=False) if isinstance(ref, BoardRef) else None
    return row if row and (not row.settings.private or _plays_here(ctx, row)) else None


def _plays_here(ctx: Context, row: BoardRow) -> bool:
    """Whether the asker has proved that he plays on this board."""
    return ctx.asker.proved is not None and bool(row.seats_of(ctx.asker.proved))


def _seat_of(ctx: Context, row: BoardRow | None) -> Seat | None:
    """As whom the asker sees the board: None is a spectator."""
    if row is None or ctx.asker.proved is None or not row.seats_of(ctx.asker.proved):
        return None
    return row.seat_to_move(ctx.asker.proved)


def _usage(command: Command | None, game: AnyGame | None) -> str:
    if command is None:
        return ""
    return command.usage(game.info.key if game else "game")


def _diagram(ctx: Context, row: BoardRow, seat: Seat | None) -> str:
    """The board in the display that the asker has chosen for this game."""
    display = ""
    if proved := ctx.asker.proved:
        display = ctx.preferences(proved).display(row.key)
    return diagram(ctx.renderer, row.board, seat, display)


def _reply_to(ctx: Context, row: BoardRow, seat: Seat) -> str:
    """The signed address with which the player can answer the error as he would answer the board's letter."""
    return ctx.site.signer.sign(signed_addresses.BOARD, row.number, seat, row.board.length)


def _subject(row: BoardRow | None, game: AnyGame | None) -> str:
    if row:
        return f"{row.title} error"
    return f"{game.info.key.capitalize()} error" if game else "Error"


def _example(ctx: Context, understood: Understood, game: AnyGame | None, row: BoardRow | None) -> str:
    """A line of this command if it can be used now, else one that shows a board, else one that asks for help."""
    command, call = understood.command, understood.call
    asker = ctx.asker.proved or _asker(ctx, call)
    show = ctx.command_language.game_command("show")
    for candidate in [command, show] if command else []:
        chosen = row.game if row else game or games.GAMES[0]
        facts = _facts(ctx, candidate, chosen, row, asker, call)
        if facts is not None:
            return fill_example(candidate, chosen, **facts) + _proof(ctx, candidate, asker)
    return f"{game.info.key} help" if game else "help commands"


def _asker(ctx: Context, call: Call | None) -> Player | None:
    """For whom the line is meant, although he has not proved it: whom he named, or who has the sender's address."""
    named = call.get("userid") if call else None
    userids = named if isinstance(named, tuple) else (named,)
    found = [p for u in userids if u and (p := ctx.store.players.find(u)) and p.password_hash]
    return next(iter([*found, *ctx.store.players.at(ctx.mail.sender)]), None)


def _facts(
    ctx: Context, command: Command, game: AnyGame, row: BoardRow | None, asker: Player | None, call: Call | None
) -> dict[str, Any] | None:
    """The values of the fields of the command's example, None if it cannot be used now."""
    fields = {name for _, name, _, _ in Formatter().parse(command.example) if name}
    facts: dict[str, Any] = {"newcomer": _newcomer(ctx, call)}
    if "userid" in fields:
        facts["userid"] = asker and asker.userid
    if "players" in fields:
        facts["players"] = _opponents(ctx, game, asker, call)
    if "other" in fields:
        facts["other"] = _other(ctx, asker, call)
    if "seek" in fields:
        facts["seek"] = _seek(ctx, command, game, asker)
    if "board" in fields:
        row = row or _some_board(ctx, game, asker, fields)
        facts |= {"board": row and row.number, "move": row and _move(ctx, row, asker)}
        if row is None or not _can_be_used(ctx, command, row, asker):
            return None
    has_all = all(facts.get(name, True) for name in fields)
    return facts if has_all and _fits(command, game) else None


def _fits(command: Command, game: AnyGame) -> bool:
    """Whether a game has what a command is for: a choice of displays, somebody to seek."""
    return {"set": len(game.info.displays) > 0, "seek": max(game.info.seats) > 1}.get(command.verb, True)


def _seek(ctx: Context, command: Command, game: AnyGame, asker: Player | None) -> int | None:
    """An open seek that the asker can join, or withdraw from."""
    if command.verb == "withdraw":
        found = [s for s in ctx.store.challenges.seeks_of(asker) if s.game == game.info.key] if asker else []
    else:
        found = [s for s in ctx.store.challenges.open_seeks(game.info.key, _SEEKS) if asker not in s.players]
    return next((s.number for s in found if not s.rating), None)


def _newcomer(ctx: Context, call: Call | None) -> str:
    """A userid that is free: the wanted one, or one like it."""
    wanted = call.get("userid") if call and call.command.verb == "signup" else None
    base = wanted if wanted and ctx.may_show(wanted) else "alice"
    choices = [base, *(f"{base[:17]}-{n}" for n in range(2, 100))]
    return next(
        (c for c in choices if c not in ctx.command_language.reserved and ctx.store.players.find(c) is None), base
    )


def _opponents(ctx: Context, game: AnyGame, asker: Player | None, call: Call | None) -> str:
    """As many userids as the game needs: those that were named or the nearest ones, then the asker himself."""
    named = call.get("userid") if call and call.command.verb == "challenge" else ()
    known = [u for word in named[: game.info.seats[0]] for u in ctx.lookups.nearest(word)[:1]]
    if asker:
        known += [asker.userid] * game.info.seats[0]
    return " ".join(known[: game.info.seats[0]]) if len(known) >= game.info.seats[0] else ""


def _other(ctx: Context, asker: Player | None, call: Call | None) -> str | None:
    """Somebody else: like a userid that was named, or anybody."""
    named = call.get("to")[:MOST_READERS] if call and call.command.verb == "message" else ()
    like = [u for word in named for u in ctx.lookups.nearest(word)]
    return next((u for u in [*like, *ctx.store.players.userids(2)] if asker is None or u != asker.userid), None)


def _some_board(ctx: Context, game: AnyGame, asker: Player | None, fields: set[str]) -> BoardRow | None:
    """A board of the asker's, one where he is to move if there is one; any board if it is only to be looked at.

    Private ones are named to those only who proved that they play there.
    """
    ask, found = partial(ctx.store.board_lists.search, game=game.info.key, limit=1), list[Listed]()
    if asker:
        mine = partial(ask, player_ids=[asker.id], public=asker != ctx.asker.proved)
        found = mine(state="next") or mine(state="active")
    if not found and "userid" not in fields:
        found = ask(state="all", public=True)
    return ctx.store.boards.find(found[0].number, lock=False) if found else None


def _move(ctx: Context, row: BoardRow, asker: Player | None) -> str | None:
    """A legal move of the asker's on this board, unless it could tell a stranger who names him what is hidden."""
    if asker is None or not row.seats_of(asker):
        return None
    board, seat = row.board, row.seat_to_move(asker)
    if seat not in board.to_move:
        return None
    seen, public = (board.game.view(board.position, s).position for s in (seat, None))
    return board.game.example(board.position, seat) if asker == ctx.asker.proved or seen == public else None


def _can_be_used(ctx: Context, command: Command, row: BoardRow, asker: Player | None) -> bool:
    mine = row.seats_of(asker) if asker else ()
    if command.verb in _FITS:
        return _FITS[command.verb](ctx, row, mine, asker)
    if command.verb in _TRIES:
        return any(_works(_TRIES[command.verb], row.board, seat, ctx.log(row)) for seat in mine)
    return not command.needs_turn or any(s in row.board.to_move for s in mine)


def _can_confirm(ctx: Context, row: BoardRow, mine: Sequence[Seat], asker: Player | None) -> bool:
    waiting = [ctx.store.waiting_moves.submitted(row.number, seat) for seat in mine]
    return any(w and w.length == row.board.length for w in waiting)


def _can_fork(ctx: Context, row: BoardRow, mine: Sequence[Seat], asker: Player | None) -> bool:
    info = row.game.info
    return not (row.board.result or info.chance or info.hidden) and len(row.players) == info.seats[0]


def _can_subscribe(ctx: Context, row: BoardRow, mine: Sequence[Seat], asker: Player | None) -> bool:
    return not (mine or row.board.result or row.settings.private)


def _has_subscribed(ctx: Context, row: BoardRow, mine: Sequence[Seat], asker: Player | None) -> bool:
    return any(asker == s.player for s in ctx.store.readers.subscribers(row.number))


def _plays(ctx: Context, row: BoardRow, mine: Sequence[Seat], asker: Player | None) -> bool:
    return bool(mine)


#: Whether a command can be used on a board by who asks, who has the seats `mine` there.
_FITS: Mapping[str, Callable[[Context, BoardRow, Sequence[Seat], Player | None], bool]] = {
    "chat": _plays,
    "confirm": _can_confirm,
    "fork": _can_fork,
    "queue": _plays,
    "subscribe": _can_subscribe,
    "unsubscribe": _has_subscribed,
}


def _works(change: Callable[..., Change], board: Board, seat: Seat, log: Sequence[Entry]) -> bool:
    try:
        change(board, seat, log)
    except PlayerError:
        return False
    return True


def _proof(ctx: Context, command: Command, asker: Player | None) -> str:
    """What a command without a password needs where the sender's address does not prove who he is."""
    if not any(s.name == "as" for s in command.settings) or asker is None or ctx.asker.is_known_by_from():
        return ""
    return f" --as={asker.userid}:{PASSWORD}"
