"""Writes answers to errors: what was understood, what is wrong, the board, and a line that works now."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import islice
from string import Formatter
from typing import Any, NamedTuple

from pbmserv.boards import ways
from pbmserv.boards.absences import free_seats
from pbmserv.errors import AmbiguousMove, NotUnderstood, PlayerError
from pbmserv.games.base import AnyGame, Seat
from pbmserv.games.base.board import Board, view_of
from pbmserv.games.base.hidden import read_by
from pbmserv.games.base.log import Kind, kept_places
from pbmserv.inbox.calls import write_answer
from pbmserv.inbox.command import (
    MOST_READERS,
    PASSWORD,
    REFUSED,
    WORD,
    BoardRef,
    Call,
    CommandSyntax,
    Is,
    TooOften,
    Understood,
    fill_example,
)
from pbmserv.inbox.context import Answer, Command, Context, Occasion
from pbmserv.inbox.lines.parse import words_of
from pbmserv.inbox.lines.spellings import without_noise
from pbmserv.inbox.refusals.named_moves import EVERY, examples
from pbmserv.letters.pictures.diagrams import drawn
from pbmserv.letters.text import times
from pbmserv.letters.text.blocks import Words, below, cut, joined, kind
from pbmserv.letters.text.men import lettered
from pbmserv.letters.text.translations import Say
from pbmserv.letters.text.wording import result_text
from pbmserv.model import BoardRow, Listed, Player
from pbmserv.model.boards import BoardState

_NOT_YOUR_TURN = "It is not your turn"  #: how errors begin that say so themselves
_MOST_LINKED = 60  #: characters of the words to others in a link
_MOST_QUOTED = 20  #: words of a line that was not understood
_UNREAD = "(a line that was not understood)"
_SEEKS = 20  #: the most seeks of a game that are searched for an example


@dataclass(frozen=True)
class ReplyFacts:
    """Facts about a reply to a board letter, for the answer to an error."""

    row: BoardRow
    seat: Seat
    line: str = ""  #: the first line of the reply, if it was not understood
    offer: str = ""  #: the move that was probably meant, or the code of the word that was asked about
    keep: bool = False  #: it can only be kept for the turn
    along: str = ""  #: the words to the others that go with it


def answer_error(
    ctx: Context,
    error: PlayerError,
    understood: Understood,
    reply: ReplyFacts | None = None,
    reply_to: str = "",
    answers: Sequence[str] = (),
) -> None:
    """Write the answer: what was understood, what is wrong, what to send instead, and the board if one was named.

    `reply_to`: where another try goes, if no board was named.
    """
    if isinstance(error, TooOften):
        write_answer(ctx, Answer(error.text, subject="Please wait"))
        return
    if understood.command and understood.command.for_strangers and not ctx.answer_to():
        ctx.notice(error.unnamed if understood.call else "The line begins with no command.")
        return
    about = _about(ctx, understood, reply)
    example = "" if reply or reply_to else _example(ctx, understood, about.game, about.row)
    hint = "" if reply and reply.offer and isinstance(error, NotUnderstood) else error.hint
    facts = _reply_data(ctx, reply, hint) if reply else None
    commands = [] if reply_to else [*[example] * bool(example), "help commands"]
    words = answers or _answers(about, _chosen(error, reply, ctx.say), facts, commands)
    text = ctx.render(
        "error",
        answers=words,
        by_letter=bool(reply_to),
        example=example,
        reply=facts,
        hint=ctx.say(hint),
        **_of_error(ctx, error, understood, about, is_reply=reply is not None),
    )
    to = _answered_at(ctx, about, reply, facts) or reply_to
    write_answer(ctx, Answer(text, subject=_subject(about.row, about.game), answers=tuple(words), reply_to=to))


class _About(NamedTuple):
    """What an error is about: the board and the seat of its reader there, and the game, as far as these are known."""

    row: BoardRow | None
    seat: Seat | None
    game: AnyGame | None


def _about(ctx: Context, understood: Understood, reply: ReplyFacts | None) -> _About:
    row = _named_board(ctx, understood.call)
    seat = _seat_of(ctx, row)
    if row is None and reply:
        row, seat = reply.row, reply.seat
    return _About(row, seat, row.game if row else understood.game)


def _of_error(
    ctx: Context, error: PlayerError, understood: Understood, about: _About, *, is_reply: bool
) -> Mapping[str, object]:
    """Return what the answer says of the error, of the line, and of the board."""
    row, seat, game = about
    return {
        "understood": ctx.shown(understood.call) if understood.call and not is_reply else "",
        "text": ctx.say(error.text),
        "late": too_late(ctx, row, seat) if row and seat is not None else "",
        "waits": row is not None and _waits(row.board, seat) and not error.text.startswith(_NOT_YOUR_TURN),
        "usage": "" if is_reply else _usage(understood.command, game),
        "title": row.title if row else "",
        "diagram": _diagram(ctx, row, seat) if row else "",
    }


def _answered_at(ctx: Context, about: _About, reply: ReplyFacts | None, facts: Mapping[str, Any] | None) -> str:
    """Return where the answer is answered: what is offered on the board, or words to the others after its end."""
    row, seat, _ = about
    if row is None or seat is None:
        return ""
    is_asked = row.board.offer is not None and seat in row.board.to_answer
    offer = reply.offer or REFUSED * is_asked if reply else ""
    seat_of_board = (row.number, seat, row.board.length, row.players[seat].epoch)
    talks = bool(facts and facts["others"] and row.board.result and not offer)
    return ctx.site.signer.chat(*seat_of_board) if talks else ctx.site.signer.answer(*seat_of_board, offer)


def _waits(board: Board, seat: Seat | None) -> bool:
    """Return whether it is not the turn of a seat on a board that goes on."""
    return seat is not None and board.result is None and seat not in board.to_move


def _answers(
    about: _About, chosen: Sequence[str], facts: Mapping[str, Any] | None, commands: Sequence[str]
) -> Sequence[str]:
    """Return what the links below an error say.

    `chosen`: what is offered; `commands`: of an error that is about no board of its reader.
    """
    if about.row is None or about.seat is None:
        return list(dict.fromkeys(commands))
    *words, rules = words_of_board(about.row, about.seat)
    if facts and facts["others"]:  # after the end, an answer that is no command goes to them
        words += ["chat"] if not facts["over"] else [facts["line"]] * (0 < len(facts["line"]) <= _MOST_LINKED)
    return [*chosen, *words, rules]


def words_of_board(row: BoardRow, seat: Seat) -> list[str]:
    """Return the questions that a seat can answer any letter about a board with."""
    return ["moves", "help"] if seat in row.board.to_move else ["help"]


def commands_after(ctx: Context, understood: Understood) -> list[str]:
    """Return the commands that can be sent after an error in a line."""
    row = _named_board(ctx, understood.call)
    return [_example(ctx, understood, row.game if row else understood.game, row), "help commands"]


def how_to_go_on(ctx: Context, answers: Words, text: str) -> Words:
    """Return answers with a last block that says how to go on; the links stand in it. They may have one already."""
    has_one = any(block.kind == "how" for block in answers)
    return answers if has_one else joined([answers, cut(f"{kind('how')}\n{ctx.say(text)}")])


def _chosen(error: PlayerError, reply: ReplyFacts | None, say: Say) -> Sequence[str]:
    """Return the answers that do what was probably meant."""
    if isinstance(error, AmbiguousMove):
        return [lettered(move, say) for move in error.shown]
    return ("yes",) if reply and reply.offer else ()


def answer_line(ctx: Context, call: str, text: str | Words) -> Words:
    """Return the answer to one call of several, below the call."""
    return below(f"> {ctx.say(call)}", ctx.renderer.said(text))


def understood_line(ctx: Context, understood: Understood) -> str:
    """Return the understood parts of a line, without anything that might be a password."""
    return ctx.shown(understood.call) if understood.call else _UNREAD


def _named_board(ctx: Context, call: Call | None) -> BoardRow | None:
    """The board of an error answer; a private one is shown only to a sender who is proved to play there."""
    ref = call.values.get("board") if call else None
    row = ctx.store.boards.find(ref.number, lock=False) if isinstance(ref, BoardRef) else None
    return row if row and row.may_be_read_by(ctx.authentication.player) else None


def _seat_of(ctx: Context, row: BoardRow | None) -> Seat | None:
    """Return the seat whose view the sender may see; None: a spectator's view."""
    if row is None or ctx.authentication.player is None or not row.seats_of(ctx.authentication.player):
        return None
    return row.seat_to_move(ctx.authentication.player)


def _usage(command: CommandSyntax | None, game: AnyGame | None) -> str:
    if command is None:
        return ""
    return command.usage(game.info.key if game else "game")


def _diagram(ctx: Context, row: BoardRow, seat: Seat | None) -> Words:
    """The board in the display that the reader has chosen for this game."""
    reader = ctx.authentication.player or (None if seat is None else row.players[seat])
    wants = ctx.preferences(reader) if reader else ctx.authentication.as_spectator
    log = read_by(row.board, ctx.log(row), () if seat is None else row.seats_of(row.players[seat]))
    return drawn(ctx.renderer, row.board, seat, wants, log)


def _reply_data(ctx: Context, reply: ReplyFacts, hint: str) -> dict[str, object]:
    row, board, seat = reply.row, reply.row.board, reply.seat
    log = ctx.log(row)
    word, userid = ctx.command_language.offered(reply.offer) or (None, "")
    way = ways.ways(row, seat, log).get(word.verb) if word else None
    moves, every = examples(board, seat, is_refused=not reply.offer)
    return {
        "word": f"{word.verb} {userid}".rstrip() if word else "",
        "costs": ctx.say(way.costs if way else word.text if word else ""),
        "line": " ".join(islice(shown_words(ctx, row.players[seat], reply.line), _MOST_QUOTED)),
        "offer": ctx.shown_move(board, seat, reply.offer),
        "keep": reply.keep,
        "along": reply.along,
        "waits": _waits(board, seat) and not reply.offer,
        "over": board.result is not None and not reply.offer,
        "others": [p.shown for p in dict.fromkeys(row.players) if p != row.players[seat] and ctx.letters.addresses(p)],
        "moves": [ctx.shown_move(board, seat, move) for move in moves],
        "every": every,
        "above": EVERY in hint,
        "verbs": ways.offered(row, seat, log) + (["substitute"] if _can_ask(ctx, row, seat) else []),
    }


def shown_words(ctx: Context, player: Player, line: str) -> Iterator[str]:
    """Yield the words of a line as they were written, but WORD for each that may be a password.

    In an answer to a board letter only the password itself may be one, and what follows a userid; but only if nobody
    else reads it, because the answer tells which word is the password.
    """
    is_own = ctx.authentication.signed is not None and set(ctx.answer_to()) <= set(ctx.letters.addresses(player))
    last, may_show = "", cache(ctx.may_show)
    for word in words_of(line):
        is_plain = is_own and word.raw in ctx.password_checks.plain and not ctx.lookups.is_userid(last)
        yield word.raw if is_plain or may_show(word.folded) else WORD
        last = without_noise(word.folded)


def can_do(ctx: Context, row: BoardRow, seat: Seat, verb: str) -> bool:
    """Return whether a seat can do now what a verb says."""
    return verb in ways.ways(row, seat, ctx.log(row)) or (verb == "substitute" and _can_ask(ctx, row, seat))


def _can_ask(ctx: Context, row: BoardRow, seat: Seat) -> bool:
    return free_seats.can_be_asked(ctx.store, row, seat, ctx.log(row), ctx.now)


def _subject(row: BoardRow | None, game: AnyGame | None) -> str:
    if row:
        return f"{row.title} error"
    return f"{game.info.key.capitalize()} error" if game else "Error"


def _example(ctx: Context, understood: Understood, game: AnyGame | None, row: BoardRow | None) -> str:
    """Return an example of this command if it can be used now, else one that shows a board, else one for help."""
    if understood.command:
        player = ctx.authentication.player or _probable_sender(ctx, understood.call)
        row = row or (None if game else _row_of(ctx, player))
        on = Occasion(ctx, row.game if row else game or ctx.site.usual_game, row, player)
        for command in (understood.command, ctx.command_language.game_command("show")):
            facts = _facts(on, command, understood.call)
            if facts is not None:
                return fill_example(command, on.game, **facts) + _credentials(ctx, command, player)
    return f"{game.info.key} help" if game else "help commands"


def _probable_sender(ctx: Context, call: Call | None) -> Player | None:
    """Return who probably wrote the mail: the named player, or a player with its address. Nothing proves it."""
    named = call.get("userid") if call else None
    userids = named if isinstance(named, tuple) else (named,)
    players = [p for u in userids if u and (p := ctx.store.players.find(u)) and p.password_hash]
    here = ctx.store.players.at(ctx.mail.sender)
    if isinstance(named, tuple):  # opponents, of whom one may be the sender
        return next(iter([*(p for p in players if p in here), *here, *players]), None)
    return next(iter([*players, *here]), None)


def _facts(on: Occasion, command: CommandSyntax, call: Call | None) -> dict[str, Any] | None:
    """Return the values for the fields of the command's example; None if the command cannot be used now."""
    fields = {name for _, name, _, _ in Formatter().parse(command.example) if name}
    if "board" in fields and on.row is None:
        on = replace(on, row=_some_board(on, only_to_look="userid" not in fields))
        if on.row is None:
            return None
    if isinstance(command, Command) and command.usable and not command.usable(on):
        return None
    facts = {name: find(on, call) for name, find in _FACTS.items() if name in fields}
    return facts if all(facts.values()) else None


def _some_board(on: Occasion, *, only_to_look: bool) -> BoardRow | None:
    """Return a board of the sender, preferably one with the sender's turn; any board if the command only shows it.

    A private board is named only to players who are proved to play there.
    """
    store, boards = on.ctx.store, list[Listed]()
    ask = partial(store.board_lists.search, game=on.game.info.key, limit=1)
    if on.player:
        own = partial(ask, player_ids=[on.player.id], public=on.player != on.ctx.authentication.player)
        boards = own(state=BoardState.NEXT) or own(state=BoardState.ACTIVE)
    if not boards and only_to_look:
        boards = ask(state=BoardState.ALL, public=True)
    return store.boards.find(boards[0].number, lock=False) if boards else None


def _row_of(ctx: Context, player: Player | None) -> BoardRow | None:
    """Return a running board of a player, whatever its game is, preferably one with the player's turn."""
    ask = partial(ctx.store.board_lists.search, player_ids=[player.id] if player else [], public=True, limit=1)
    boards = (ask(state=BoardState.NEXT) or ask(state=BoardState.ACTIVE)) if player else []
    return ctx.store.boards.find(boards[0].number, lock=False) if boards else None


def _newcomer(on: Occasion, call: Call | None) -> str:
    """Return a free userid: the wanted one, or a similar one."""
    userid = call.get("userid") if call else None
    base = userid if userid and on.ctx.may_show(userid) else "alice"
    taken, players = on.ctx.command_language.reserved, on.ctx.store.players
    choices = [base, *(f"{base[:17]}-{n}" for n in range(2, 100))]
    return next((c for c in choices if c not in taken and players.find(c) is None), base)


def _opponents(on: Occasion, call: Call | None) -> str:
    """Return as many userids as the game needs: the named ones or the nearest, the sender, then any others."""
    seats = on.game.info.seats[0]
    known = [u for word in _challenged(call)[:seats] for u in on.ctx.lookups.nearest(word)[:1]]
    if on.player:
        others = [u for u in on.ctx.store.players.userids(seats + 1) if u not in (*known, on.player.userid)]
        known += [on.player.userid, *others] if on.player.userid not in known else others
        known += [on.player.userid] * seats
    return " ".join(known[:seats]) if len(known) >= seats else ""


def _challenged(call: Call | None) -> Sequence[str]:
    """The words of a call that name opponents."""
    names = [a.name for a in call.command.args if a.is_ is Is.OPPONENT] if call else []
    return [word for name in names for word in (call.get(name) if call else ())]


def _other(on: Occasion, call: Call | None) -> str | None:
    """Return another player: similar to a named userid, or any."""
    named = call.get("to")[:MOST_READERS] if call else ()
    like = [u for word in named for u in on.ctx.lookups.nearest(word)]
    anybody = on.ctx.store.players.userids(2)
    return next((u for u in [*like, *anybody] if on.player is None or u != on.player.userid), None)


def _seek(on: Occasion, call: Call | None) -> int | None:
    """An open seek that the player can join."""
    seeks = on.ctx.store.challenges.open_seeks(on.game.info.key, _SEEKS)
    return next((s.number for s in seeks if on.player not in s.players and not s.rating and not s.left), None)


def _own_seek(on: Occasion, call: Call | None) -> int | None:
    """An open seek in which the player has a place."""
    seeks = on.ctx.store.challenges.seeks_of(on.player) if on.player else []
    return next((s.number for s in seeks if s.game == on.game.info.key and not s.rating), None)


def _move(on: Occasion, call: Call | None) -> str | None:
    """Return a legal move of the sender, unless it could reveal hidden things to an unproved sender."""
    if on.row is None or on.player is None or not on.has_turn():
        return None
    seat = on.row.seat_to_move(on.player)
    board = on.row.board
    seen, public = (view_of(board, s).position for s in (seat, None))
    may_show = on.player == on.ctx.authentication.player or seen == public
    return on.ctx.shown_move(board, seat, on.game.example(board.position, seat)) if may_show else None


#: Functions that find the value for a field of an example; None or "" if there is none.
_FACTS: Mapping[str, Callable[[Occasion, Call | None], object]] = {
    "userid": lambda on, call: on.player.userid if on.player else None,
    "board": lambda on, call: on.row.number if on.row else None,
    "newcomer": _newcomer,
    "players": _opponents,
    "other": _other,
    "seek": _seek,
    "own_seek": _own_seek,
    "move": _move,
}


def _credentials(ctx: Context, command: CommandSyntax, player: Player | None) -> str:
    """Return the `--as` option that a command needs if From does not prove the sender."""
    if not any(s.name == "as" for s in command.settings) or player is None or ctx.authentication.is_known_by_from():
        return ""
    return f" --as={player.userid}:{PASSWORD}"


def too_late(ctx: Context, row: BoardRow, seat: Seat) -> str:
    """Return when the time of a seat ran out, and how the board has ended; "" if it did not run out."""
    if row.board.result is None and seat not in row.board.out:
        return ""
    log = ctx.log(row)
    ends = (Kind.FORFEIT, Kind.IDLE)
    place = next((i for i in reversed(kept_places(log)) if log[i].kind in ends), None)
    if place is None or (log[place].kind is Kind.FORFEIT and log[place].seat != seat):
        return ""
    at = times.shown(ctx.store.boards.log(row.number, place)[0].at, ctx.reader_zone())
    sentences = [ctx.say(f"Your time ran out on {at}, before this mail came, so it did nothing.")]
    if row.board.result:
        sentences.append(ctx.say(f"Board {row.number} is over: {result_text(row, ctx.say)}."))
    return " ".join(sentences)
