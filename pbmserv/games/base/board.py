"""Pure functions that compute a board from its log: each entry leads to the next board (a fold).

The games define the moves. This module has what all games share: resignation, agreements,
forfeits and rulings of admins.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, islice, zip_longest
from typing import Any

from pbmserv.errors import MoveError, PlayerError
from pbmserv.games.base.before_setup import Owed, before_setup, not_set_up
from pbmserv.games.base.game import AnyGame
from pbmserv.games.base.log import (
    ADMIN,
    NO_ROUNDS,
    Entry,
    Kind,
    Rounds,
    kept_places,
    standing_backwards,
    standing_places,
)
from pbmserv.games.base.repetition import key_of, times
from pbmserv.games.base.values import Note, Options, Outcome, Seat, Step, View, at_once
from pbmserv.rng import ChanceNeeded, NoChance, Rng, shared_seed

#: Endings that every game can have: reason -> phrase.
ENDINGS = {
    "resign": "by resignation",
    "forfeit": "on time",
    "agreed": "by agreement",
    "declined": "the board was declined",
    "voided": "declared void by the admin",
    "adjudicated": "by the admin's decision",
    "length": "because it became too long to go on",
    "repetition": "the same position came back",
    "idle": "because the time of all who had to move ran out",
    "substitute": "a substitute came, and another board goes on from here",
}


TOGETHER = "together"  #: the text of a FORFEIT of a seat that leaves in the same moment as the one before it


@dataclass(frozen=True)
class Offer:
    """An open proposal of `seat`. An undo leads to `to_ply`. The seats in `agreed` have said yes."""

    kind: Kind
    seat: Seat
    to_ply: int
    agreed: frozenset[Seat]


@dataclass(frozen=True)
class Start:
    """What is fixed when a board begins. `seed`: 32 hexadecimal digits, the server's secret.

    `shared`: the dice do not follow from that secret alone, but from a word of each player, too. The words come first.
    """

    game: AnyGame
    options: Options
    seats: int
    seed: str
    origin: object = field(default=None, repr=False)  #: the first position of a fork; None: the game's own
    repetition: int = 0  #: as in `Info`, but agreed on by the players of this board; 0: they have not
    shared: bool = False

    @property
    def most_often(self) -> int:
        """How often the same position stands until the board is a draw; 0: that does not matter."""
        return self.repetition or max(self.game.info.repetition, 0)


@dataclass(frozen=True)
class Board:
    """A board at one moment. `length` counts the entries of its log, `out` lists the seats that left, in order.

    Those of `out` that are in `together` left in the same moment as the one before them: they share a place.
    """

    start: Start
    position: Any = field(repr=False)
    ply: int = 0
    length: int = 0
    offer: Offer | None = None
    out: tuple[Seat, ...] = ()
    result: Outcome | None = None
    rounds: Rounds | None = NO_ROUNDS  #: of the standing moves; None: not counted (boards of earlier versions)
    seen: str = field(default="", repr=False)  #: keys of the positions after the standing moves, if they are counted
    words: tuple[str, ...] = ()  #: for shared dice, by seat; "": none yet, or none at all if the seat has left
    together: frozenset[Seat] = frozenset()
    waits: bool = False  #: for words: the board is not set up yet, and `position` only says who owes one

    @property
    def game(self) -> AnyGame:
        """The rules; while the board waits for words, those of giving words."""
        return before_setup(self.start.game) if self.waits else self.start.game

    @property
    def seed(self) -> str:
        """What chance follows from. Ask for it only when the board is set up."""
        return shared_seed(self.start.seed, self.words) if self.start.shared else self.start.seed

    @cached_property
    def to_move(self) -> frozenset[Seat]:
        """The seats that may move now; empty when the board is over."""
        return frozenset() if self.result else self.game.to_move(self.position)

    @property
    def to_answer(self) -> frozenset[Seat]:
        """The seats that have not yet answered the open proposal."""
        return self._playing - self.offer.agreed if self.offer else frozenset()

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The names of the seats in the rules, with the options of this board."""
        return self.game.names_of_seats(self.start.options, self.start.seats)

    @property
    def _playing(self) -> frozenset[Seat]:
        return frozenset(range(self.start.seats)) - frozenset(self.out)


@dataclass(frozen=True)
class Change:
    """A board after one more entry."""

    board: Board
    entry: Entry


def begin(start: Start) -> Board:
    """Return the board before its first move. Raises PlayerError if options and seats do not go together."""
    start.game.check(start.options, start.seats)
    if start.shared:
        return Board(start, Owed(tuple(range(start.seats))), words=("",) * start.seats, waits=True)
    return _set_up(Board(start, None))


def _set_up(board: Board) -> Board:
    """Return the board with its first position, for which chance is known now."""
    start = board.start
    position = start.origin or start.game.setup(start.options, start.seats, Rng(board.seed, 0))
    seen, result = _counted(board, position, start.game.outcome(position))
    return replace(board, position=position, waits=False, offer=None, result=result, seen=seen)


def give_word(board: Board, seat: Seat, word: str) -> Change:
    """Take a seat's word for the dice. The last one sets the board up, and ends an open proposal as a move does.

    The others learn nothing of the words before it, so these end none. If it raises PlayerError, nothing changes.
    """
    demand_running(board)
    if not board.waits:
        raise PlayerError("This board waits for no words.", "To see it, send: show")
    _demand_turn(board, seat)
    words = tuple(word if s == seat else known for s, known in enumerate(board.words))
    return _awaited(replace(board, words=words), seat, Entry(seat, Kind.WORD, word))


def _awaited(board: Board, seat: Seat, entry: Entry) -> Change:
    """Return a board that waits no longer for a seat, whose entry this is. If it waits for nobody, it is set up.

    Then the seats that have left meanwhile leave the first position, in the order in which they left.
    """
    owed = tuple(s for s in board.position.seats if s != seat)
    if owed:
        return _append(replace(board, position=Owed(owed)), entry)
    ready, missed, notes = _set_up(board), list[Seat](), list[Note]()
    for gone in board.out:
        if ready.result is None:
            step = ready.game.retire(ready.position, gone, Rng(board.seed, 1, f"{Kind.RESIGN}{gone}"))
            ready = replace(ready, position=step.position, result=_outcome(ready, step.position))
            missed += step.missed
            notes += step.notes
    return _append(ready, replace(entry, fixed=True, missed=tuple(missed), notes=tuple(notes)))


def view_of(board: Board, seat: Seat | None) -> View[object]:
    """Return what a seat (None: a spectator) may see of a board: all of it if the board is over, however it ended."""
    return View(seat, board.position) if board.result else board.game.view(board.position, seat)


def play(board: Board, seat: Seat, text: str) -> Change:
    """Play the move that `text` names, or give the word if the board waits for words.

    If it raises PlayerError, nothing has changed.
    """
    _demand_turn(board, seat)
    game, ply = board.game, board.ply + 1
    move = game.parse(board.position, seat, text)
    if board.waits:
        return give_word(board, seat, move)
    rng = Rng(board.seed, ply)
    step = game.apply(board.position, seat, move, rng)
    entry = at_once(
        Entry,
        seat=seat,
        kind=Kind.MOVE,
        text=game.format(move),
        ply=ply,
        fixed=rng.drawn > 0 or step.revealed,
        missed=step.missed,
        notes=step.notes,
        joins=False,
        written="",
    )
    return at_once(Change, board=_after(board, seat, step, board.length + 1), entry=entry)


def preview(board: Board, seat: Seat, text: str) -> Board | None:
    """Return the board after a trial move; None if the move would draw something or reveal something hidden."""
    _demand_turn(board, seat)
    move = board.game.parse(board.position, seat, text)
    try:
        step = board.game.apply(board.position, seat, move, NoChance())
    except ChanceNeeded:
        return None
    if step.revealed:
        return None
    return _after(board, seat, step, board.length)


def _after(board: Board, seat: Seat, step: Step[object], length: int) -> Board:
    """The board after a move of a seat, with a log of this length."""
    position, ply = step.position, board.ply + 1
    rounds = board.rounds and board.rounds.then(seat, step.missed)
    seen, result = _counted(board, position, _outcome(board, position))
    return at_once(
        Board,
        start=board.start,
        position=position,
        ply=ply,
        length=length,
        offer=None,
        out=board.out,
        result=result,
        rounds=rounds,
        seen=seen,
        words=board.words,
        together=board.together,
        waits=False,
    )


def _counted(board: Board, position: object, result: Outcome | None) -> tuple[str, Outcome | None]:
    """Count a new position, if that matters and the game goes on; a draw if it stood too often."""
    most = board.start.most_often
    if not most or result:
        return board.seen, result
    game = board.start.game
    key = key_of(game, position)
    seen = board.seen + key
    if times(seen, key) < most:
        return seen, None
    return seen, Outcome("repetition", _ranks(board), game.scores(position) or ())


def resign(board: Board, seat: Seat, kind: Kind = Kind.RESIGN, *, together: bool = False) -> Change:
    """Let a seat resign, or (FORFEIT) lose on time. If two or more teams are left, they play on.

    Of two teams, one that cannot win any more does not win on time either: that is a draw. `together`: its time has run
    out in the same moment as that of the seat that left last.
    """
    _demand_part(board, seat)
    together = together and kind is Kind.FORFEIT and bool(board.out)
    entry = Entry(seat, kind, TOGETHER if together else "", board.ply)
    left = replace(board, out=(*board.out, seat), together=board.together | ({seat} if together else set()), offer=None)
    teams = board.game.teams(board.start.seats)
    if len({team for s, team in enumerate(teams) if s not in left.out}) <= 1:
        ranks = (1,) * len(teams) if kind is Kind.FORFEIT and _nobody_can_win(left) else _ranks(left)
        result = Outcome(kind.value, ranks, board.game.scores(board.position) or ())
        return _append(replace(left, result=result), entry)
    if board.waits:
        return _awaited(left, seat, entry)
    step = board.game.retire(board.position, seat, Rng(board.seed, board.ply + 1, f"{kind}{seat}"))
    entry = replace(entry, fixed=True, missed=step.missed, notes=step.notes)
    return _append(replace(left, position=step.position, result=_outcome(left, step.position)), entry)


def _nobody_can_win(board: Board) -> bool:
    """Return whether there are two teams, and none of the seats that have stayed can still win."""
    stayed = [seat for seat in range(board.start.seats) if seat not in board.out]
    two = len(set(board.game.teams(board.start.seats))) == 2
    return two and not any(board.game.can_win(board.position, seat) for seat in stayed)


def decline(board: Board, seat: Seat, log: Sequence[Entry]) -> Change:
    """End the board because an invited seat declines before its first move. Nobody wins."""
    _demand_unmoved(board, seat, log)
    entry = Entry(seat, Kind.DECLINE, ply=board.ply)
    result = Outcome("declined", (1,) * board.start.seats)
    return _append(replace(board, offer=None, result=result), entry)


def propose(board: Board, seat: Seat) -> Change:
    """Offer a draw; or end the board as a draw if the rules let a player claim it (ADR 44)."""
    _demand_proposal(board, seat)
    if reason := board.game.claim(board.position):
        result = Outcome(reason, (1,) * board.start.seats, board.game.scores(board.position) or ())
        return _append(replace(board, offer=None, result=result), Entry(seat, Kind.PROPOSE, ply=board.ply))
    return _offer(board, Offer(Kind.PROPOSE, seat, board.ply, frozenset({seat})))


def undo(board: Board, seat: Seat, log: Sequence[Entry]) -> Change:
    """Ask to take back this seat's last move. `log` is the whole log of the board."""
    to_ply = _demand_undo(board, seat, log)
    return _offer(board, Offer(Kind.UNDO, seat, to_ply, frozenset({seat})))


def accept(board: Board, seat: Seat, log: Sequence[Entry]) -> Change:
    """Agree to the open proposal. When all have agreed, it is carried out. `log` is the whole log of the board."""
    offer = _demand_offer(board, seat)
    agreed = offer.agreed | {seat}
    waiting = replace(board, offer=replace(offer, agreed=agreed))
    if waiting.to_answer:
        return _append(waiting, Entry(seat, Kind.ACCEPT, ply=board.ply))
    if offer.kind is Kind.PROPOSE:
        result = Outcome("agreed", (1,) * board.start.seats, board.game.scores(board.position) or ())
        return _append(replace(board, offer=None, result=result), Entry(seat, Kind.ACCEPT, ply=board.ply))
    back = at(board.start, log, offer.to_ply)
    after = replace(board, position=back.position, ply=offer.to_ply, offer=None, rounds=back.rounds, seen=back.seen)
    return _append(after, Entry(seat, Kind.ACCEPT, ply=offer.to_ply))


def reject(board: Board, seat: Seat) -> Change:
    """Reject the open proposal. The seat that made it withdraws it."""
    _demand_no(board, seat)
    return _append(replace(board, offer=None), Entry(seat, Kind.REJECT, ply=board.ply))


def verbs(board: Board, seat: Seat, log: Sequence[Entry]) -> list[str]:
    """Return what the rules let a seat do now besides moving, one word each. `log` is the whole log of the board."""
    demands: dict[str, Callable[[], object]] = {
        "accept": lambda: _demand_offer(board, seat),
        "reject": lambda: _demand_no(board, seat),
        "propose": lambda: _demand_proposal(board, seat),
        "undo": lambda: _demand_undo(board, seat, log),
        "resign": lambda: _demand_part(board, seat),
        "decline": lambda: _demand_unmoved(board, seat, log),
    }
    return [verb for verb, demand in demands.items() if _is_met(demand)]


def in_stead(board: Board) -> Change:
    """Mark that an admin makes the next entry for its seat. Changes nothing else."""
    demand_running(board)
    return _append(board, Entry(ADMIN, Kind.ADMIN, ply=board.ply))


def revert(board: Board, log: Sequence[Entry], length: int) -> Change:
    """Undo all entries after the first `length` ones, even the end of the board. Only admins can do this.

    A proposal that was open at that time does not become open again.
    """
    if not 0 <= length < board.length:
        raise PlayerError(f"The log has {board.length} entries, so there is no way back to {length}.")
    back = replay(board.start, [log[i] for i in kept_places(log[:length])])
    after = replace(back, length=board.length, offer=None)
    return _append(after, Entry(ADMIN, Kind.REVERT, str(length), back.ply))


def void(board: Board) -> Change:
    """End the board without a winner, or cancel its result. Only admins can do this."""
    result = Outcome("voided", (1,) * board.start.seats)
    if board.result == result:
        raise PlayerError("This board is void already.")
    return _append(replace(board, offer=None, result=result), Entry(ADMIN, Kind.VOID, ply=board.ply))


def adjudicate(board: Board, ranks: Sequence[int]) -> Change:
    """Set the result of the board: a rank for each seat, 1 is best, equal means tied. Only admins can do this."""
    teams = board.game.teams(board.start.seats)
    together = len(set(zip(teams, ranks, strict=False))) == len(set(teams))
    if len(ranks) != board.start.seats or min(ranks) != 1 or not together:
        raise PlayerError("A decision needs one rank for each seat, 1 for the best, and the same one for partners.")
    result = Outcome("adjudicated", tuple(ranks), board.game.scores(board.position) or ())
    if board.result == result:
        raise PlayerError("That is how this board ended already.")
    entry = Entry(ADMIN, Kind.ADJUDICATE, " ".join(map(str, ranks)), board.ply)
    return _append(replace(board, offer=None, result=result), entry)


def end_full(board: Board) -> Change:
    """The server ends a board whose log is full: a draw of all who still play; in a solitaire, the score counts."""
    demand_running(board)
    ranks = _ranks(board)
    result = Outcome("length", ranks, board.game.scores(board.position) or ())
    return _append(replace(board, offer=None, result=result), Entry(ADMIN, Kind.FULL, ply=board.ply))


def end_idle(board: Board) -> Change:
    """The server ends a board on which the time of all who still play has run out: nobody gains by doing nothing."""
    demand_running(board)
    result = Outcome("idle", (1,) * board.start.seats)
    return _append(replace(board, offer=None, result=result), Entry(ADMIN, Kind.IDLE, ply=board.ply))


def hand_over(board: Board) -> Change:
    """The server ends a running board that goes on elsewhere, with a substitute for the one seat that left.

    Whoever left has lost, and the others draw.
    """
    demand_running(board)
    rejoined(board)
    ranks = _ranks(board)
    result = Outcome("substitute", ranks, board.game.scores(board.position) or ())
    return _append(replace(board, offer=None, result=result), Entry(ADMIN, Kind.SUBSTITUTE, ply=board.ply))


def rejoined(board: Board) -> Any:
    """Return the position in which a substitute plays on for the one seat that left. Raises PlayerError.

    If its leaving has ended the board, the seat is still in the position.
    """
    if board.waits:
        raise not_set_up()
    if len(board.out) != 1:
        raise PlayerError("A substitute can come only when one seat is empty.")
    return board.position if board.result else board.game.rejoin(board.position, board.out[0])


def replay(start: Start, log: Sequence[Entry]) -> Board:
    """Compute the board from its log. Uses the seat, kind and text of each entry, and computes everything else."""
    try:
        return _replayed(start, log, replace(start, game=start.game.followed()))
    except (PlayerError, LookupError):  # a wrong log: one that goes on after its end finds no move to advise
        return _replayed(start, log, start)


def _replayed(start: Start, log: Sequence[Entry], followed: Start) -> Board:
    """`followed`: the same start with the rules for positions after which a move was played."""
    board, past = begin(start), list[Entry]()
    for entry, following in zip_longest(log, log[1:]):
        known = followed if following is not None and following.kind is Kind.MOVE else start
        if board.start is not known:
            board = replace(board, start=known)
        change = follow(board, entry, past)
        board = change.board
        past.append(change.entry)
    return board


def follow(board: Board, entry: Entry, past: Sequence[Entry]) -> Change:
    """Repeat what `entry` did; `past` is the log before it."""
    match entry.kind:
        case Kind.MOVE:
            return play(board, entry.seat, entry.text)
        case Kind.RESIGN | Kind.FORFEIT:
            return resign(board, entry.seat, entry.kind, together=entry.text == TOGETHER)
        case Kind.DECLINE:
            return decline(board, entry.seat, past)
        case Kind.PROPOSE:
            return propose(board, entry.seat)
        case Kind.UNDO:
            return undo(board, entry.seat, past)
        case Kind.ACCEPT:
            return accept(board, entry.seat, past)
        case Kind.REJECT:
            return reject(board, entry.seat)
        case _:
            return give_word(board, entry.seat, entry.text) if entry.kind is Kind.WORD else _rule(board, entry, past)


def _rule(board: Board, entry: Entry, past: Sequence[Entry]) -> Change:
    """Repeat what an admin did."""
    match entry.kind:
        case Kind.REVERT:
            return revert(board, past, _number(entry.text))
        case Kind.VOID:
            return void(board)
        case Kind.ADJUDICATE:
            return adjudicate(board, [_number(word) for word in entry.text.split()])
        case Kind.FULL:
            return end_full(board)
        case Kind.SUBSTITUTE:
            return hand_over(board)
        case Kind.IDLE:
            return end_idle(board)
        case _:
            return in_stead(board)


def _number(word: str) -> int:
    """Read a number in the text of an admin's entry. Imported logs can be wrong, so this raises PlayerError."""
    try:
        return int(word)
    except ValueError:
        raise PlayerError("An entry of an admin holds numbers, and this one does not.") from None


def at(start: Start, log: Sequence[Entry], ply: int) -> Board:
    """Return the board after the move `ply`, not counting moves that were taken back; 0: before the first move.

    Raises PlayerError if there is no such ply.
    """
    demand_ply(log, ply)
    return next(islice(film(start, log), ply, None))


def demand_ply(log: Sequence[Entry], ply: int) -> None:
    """Raise PlayerError if the board of this log has no such ply."""
    last = len(standing_places(log))
    if not 0 <= ply <= last:
        raise PlayerError(f"There is no ply {ply} on this board: its last ply is {last}.", f"Send #0 to #{last}")


#: An undo never goes back past these entries. A word comes before all moves.
_STAY = (Kind.RESIGN, Kind.FORFEIT, Kind.WORD)


def film(start: Start, log: Sequence[Entry]) -> Iterator[Board]:
    """Yield the board at each ply from 0, as `at` returns it."""
    places, quick = standing_places(log), start.game.followed()
    moves, led_on = set(places), set(places[:-1]) if quick is not start.game else frozenset()
    followed, board = replace(start, game=quick), begin(start)
    for i in kept_places(log):
        if i in moves:
            yield board  # before this move, so that seats that left since the last move are out
        if i in led_on:
            board = _under(start, follow(_under(followed, board), log[i], ()).board)
        elif i in moves or log[i].kind in _STAY:
            board = follow(board, log[i], ()).board
    yield board


def _under(start: Start, board: Board) -> Board:
    """Return the same board with another start, for as long as it follows the rules of that."""
    return at_once(Board, **{**vars(board), "start": start})


def _append(board: Board, entry: Entry) -> Change:
    return Change(replace(board, ply=entry.ply, length=board.length + 1), entry)


def _offer(board: Board, offer: Offer) -> Change:
    entry = Entry(offer.seat, offer.kind, ply=board.ply)
    return _append(replace(board, offer=offer), entry)


def _ranks(board: Board) -> tuple[int, ...]:
    """Return ranks: teams that still play share rank 1, the team that left first is last. In a solitaire it is 1."""
    gone = _gone(board)
    teams = board.game.teams(board.start.seats)
    plays = any(team not in gone for team in teams)
    return tuple(
        1 + plays + sum(later > gone[team] for later in gone.values()) if team in gone else 1 for team in teams
    )


def _outcome(board: Board, position: object) -> Outcome | None:
    """Return how the game is over in a position; None while it goes on.

    Teams that left together share the best place that one of them has, if no other team stands between them.
    """
    outcome, gone = board.game.outcome(position), _gone(board) if board.together else {}
    if outcome is None or not gone:
        return outcome
    rank = dict(zip(board.game.teams(board.start.seats), outcome.ranks, strict=True))
    for moment in set(gone.values()):
        these = {team for team, left in gone.items() if left == moment}
        first, last = min(rank[team] for team in these), max(rank[team] for team in these)
        if not any(first <= place <= last for team, place in rank.items() if team not in these):
            rank |= dict.fromkeys(these, first)
    return replace(outcome, ranks=tuple(rank[team] for team in board.game.teams(board.start.seats)))


def _gone(board: Board) -> dict[int, int]:
    """Return the teams of which nobody plays any more, and when they left: equal numbers in the same moment."""
    moments = dict(zip(board.out, accumulate(seat not in board.together for seat in board.out), strict=True))
    teams = board.game.teams(board.start.seats)
    playing = {team for seat, team in enumerate(teams) if seat not in moments}
    return {teams[seat]: moment for seat, moment in moments.items() if teams[seat] not in playing}


def demand_running(board: Board) -> None:
    """Raise PlayerError if a board is over."""
    if board.result:
        raise PlayerError("This board is over.", "To see how it ended, send: show")


def _demand_turn(board: Board, seat: Seat) -> None:
    demand_running(board)
    if seat not in board.game.to_move(board.position):  # `board.to_move` is slow when it is first asked for
        raise MoveError("It is not your turn on this board.", "Wait for the letter that says it is your turn.")


def _demand_part(board: Board, seat: Seat) -> None:
    """Raise PlayerError unless the seat is playing."""
    demand_running(board)
    if seat in board.out:
        raise PlayerError("You have left this board.")


def _demand_unmoved(board: Board, seat: Seat, log: Sequence[Entry]) -> None:
    _demand_part(board, seat)
    if any(e.seat == seat and e.kind is Kind.MOVE for e in reversed(log)):
        raise PlayerError("You have already moved on this board, so you cannot decline it.", "To resign, send: resign")


def _demand_proposal(board: Board, seat: Seat) -> None:
    _demand_agreement(board, seat, "draw")
    if not board.game.claim(board.position):  # no open proposal of another player can prevent a claim
        _demand_no_offer(board)


def _demand_undo(board: Board, seat: Seat, log: Sequence[Entry]) -> int:
    """Return the ply to which an undo of this seat leads. Raises PlayerError if there is nothing to undo."""
    _demand_agreement(board, seat, "undo")
    own = next((i for i, entry in standing_backwards(log) if entry.seat == seat), None)
    if own is None:
        raise PlayerError("You have no move on this board that you could take back.")
    if any(e.fixed for e in log[own:]):
        raise PlayerError("That move cannot be taken back: dice, cards or hidden things were seen after it.")
    _demand_no_offer(board)
    return log[own].ply - 1


def _demand_agreement(board: Board, seat: Seat, what: str) -> None:
    _demand_part(board, seat)
    if what not in board.game.info.agreements or board.start.seats < 2:
        raise PlayerError(f"{board.game.info.name} has no {what} by agreement.")


def _demand_no_offer(board: Board) -> None:
    if board.offer:
        raise PlayerError("A proposal is already open on this board.", "Answer it first: accept or reject")


def _demand_no(board: Board, seat: Seat) -> None:
    """Raise PlayerError unless this seat can reject or withdraw the open proposal."""
    if board.offer is None or seat not in board.offer.agreed:
        _demand_offer(board, seat)


def _demand_offer(board: Board, seat: Seat) -> Offer:
    _demand_part(board, seat)
    if board.offer is None:
        raise PlayerError("There is no open proposal on this board.", _instead_of_proposal(board))
    if seat in board.offer.agreed:
        raise PlayerError("You have agreed to this proposal already.", "To withdraw your own proposal, send: reject")
    return board.offer


def how_to_agree(board: Board) -> str:
    """Return how to answer what the rules let another seat propose; "" if there is nothing now."""
    if word := board.game.agreeing(board.position):
        no = board.game.refusing(board.position)
        return f"To agree here, send: {word}" + (f"\nTo refuse, send: {no}" if no else "")
    return ""


def _instead_of_proposal(board: Board) -> str:
    """Return what somebody could mean who accepts or rejects nothing."""
    if answer := how_to_agree(board):
        return answer
    return "To offer a draw, send: propose" if "draw" in board.game.info.agreements else ""


def _is_met(demand: Callable[[], object]) -> bool:
    try:
        demand()
    except PlayerError:
        return False
    return True
