"""Checks for every moment of every random game. Each function checks one promise of `Game`."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import is_dataclass
from functools import partial
from math import isclose, isfinite

from pbmserv.commands import COMMANDS
from pbmserv.conformance.picture_checks import PICTURE_CHECKS
from pbmserv.conformance.walks import PlayedMove, Playthrough, readers
from pbmserv.errors import PlayerError
from pbmserv.games.base import SWAP, AnyGame, Outcome, PieRule, Played, Seat, score_of
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Change
from pbmserv.games.base.hidden import hides_moves
from pbmserv.games.base.log import Kind
from pbmserv.games.base.pie import NO_SWAP
from pbmserv.letters.text.templates import WIDTH
from pbmserv.rng import ChanceNeeded, NoChance, Rng

_PAIR = (0, 1)  #: the seats of a game for two
_NOT_IN_A_MOVE = re.compile(r"[\s#:,@]|^-")  # these signs have a meaning in `move#n`, `their:mine` and -options
#: What an answer to a letter about a board can be besides a move.
_ANSWERS = frozenset(
    {kind.value for kind in Kind if kind is not Kind.MOVE}
    | {name for command in COMMANDS if command.reply for name in command.names}
)


def endings(record: Playthrough) -> None:
    """A board is over if and only if nobody is to move, and its outcome is complete."""
    for board in record.boards:
        outcome, to_move = board.game.outcome(board.position), board.game.to_move(board.position)
        assert bool(to_move) == (outcome is None), (
            f"`to_move` is {set(to_move)} while `outcome` is {outcome}: it must be empty exactly when there is an "
            f"outcome. {board.position}"
        )
        assert to_move <= set(range(board.start.seats)), f"`to_move` names a seat that is not there: {set(to_move)}"
        if outcome:
            _check_outcome(board, outcome)


def scores(record: Playthrough) -> None:
    """A game has a current score for every seat, or none at all."""
    kinds = set()
    for board in record.boards:
        points = board.game.scores(board.position)
        kinds.add(points is None)
        assert points is None or len(points) == board.start.seats, f"`scores` must have one number per seat: {points}"
        plain = points is None or repr(points) == repr(tuple(map(score_of, points)))
        assert plain, f"`scores` gives {points}. Pass each number through `score_of`, so that players see 12.5 and 12."
    assert len(kinds) == 1, "`scores` is None at some positions and not at others."


def legal_moves(record: Playthrough) -> None:
    """The list of legal moves has no duplicates and is the same each time."""
    for turn in record.turns:
        doubles = {text for text, count in Counter(turn.texts).items() if count > 1}
        assert not doubles, f"`format` gives two different legal moves the same text: {doubles}"
        again = _texts(turn.before.game, turn.before.position, turn.seat)
        assert again == turn.texts, "`legal_moves` has another order the second time; sort sets and dicts."


def canonical_texts(record: Playthrough) -> None:
    """Canonical texts are single words that mean nothing else in a command."""
    game = record.start.game
    for text in {text for turn in record.turns for text in turn.texts}:
        assert text == game.normalise(text), f"`format` gives {text!r}, which `normalise` changes."
        assert game.is_move(text), f"`format` gives {text!r}, but `info.pattern` {game.info.pattern!r} does not match."
        assert not _NOT_IN_A_MOVE.search(text), f"The move {text!r} has a space or one of # : , @ or begins with '-'."
        assert text not in _ANSWERS, f"The move {text!r} is a verb of the server."
        assert game.words(text) == [text], f"`words` takes the move {text!r} apart: {game.words(text)}"


def swap(record: Playthrough) -> None:
    """With the pie rule, the second player can swap right after the first move, once, and only then."""
    start = record.start
    game, agreed = start.game, NO_SWAP.name not in start.options
    has_rule = isinstance(game, PieRule)
    assert not has_rule or NO_SWAP in game.info.options, "Make the `info` of a game with the pie rule by `with_swap`."
    for turn in record.turns:
        possible = has_rule and agreed and turn.before.ply == 1
        assert (SWAP in turn.texts) == possible, (
            f"{SWAP!r} has to be {'possible' if possible else 'impossible'} before ply {turn.before.ply + 1}. Only a "
            f"PieRule has this move, and `moves` need not look after it."
        )
        picture = game.picture(game.view(turn.before.position, turn.seat))
        told = any(SWAP in line for line in picture.lines) if picture else possible
        assert told == possible, "The picture says that swap is possible exactly when it is: put `offers` into `lines`."
        if possible:
            _check_swap(turn)


def positions(record: Playthrough) -> None:
    """Positions are frozen values that can be stored as JSON. A move does not change the old one."""
    game = record.start.game
    for board in record.boards:
        position = board.position
        assert isinstance(position, game.position_type), f"not a {game.position_type.__name__}: {position!r}"
        assert is_dataclass(position), f"`position_type` has to be a dataclass: {position!r}"
        _demand_frozen(position)
        loaded = game.load(game.dump(position))
        assert loaded == position, f"JSON and back gives another position:\n{loaded}\n{position}"
    for turn in record.turns:
        assert game.dump(turn.before.position) == turn.json, f"`apply` changed the position it was given: {turn.json}"


def replay(record: Playthrough) -> None:
    """A replay of the log gives the same board, as a whole and up to any ply."""
    log = [change.entry for change in record.changes]
    again = play.replay(record.start, log)
    assert again == record.boards[-1], (
        f"The log replays to another board: does the game remember something, or draw in another order?\n"
        f"{again}\n{again.position}\n{record.boards[-1]}\n{record.boards[-1].position}"
    )
    for turn in record.turns[:: max(1, len(record.turns) // 3)]:
        then = play.at(record.start, log, turn.before.ply)
        assert then.position == turn.before.position, f"`at` gives another position after ply {turn.before.ply}"


def statelessness(record: Playthrough) -> None:
    """The game object stores nothing between calls."""
    kept = set(vars(record.start.game)) - {"_form"}
    assert not kept, f"A game is stateless, but this one has {kept}. Put it into the position."


def chance(record: Playthrough) -> None:
    """Only a game with `info.chance`, or with an option that shuffles, draws random numbers."""
    game, start = record.start.game, record.start
    if game.info.draws(start.options):
        return
    try:
        game.setup(start.options, start.seats, NoChance())
        for turn in record.turns:
            move = game.parse(turn.before.position, turn.seat, turn.change.entry.text)
            game.apply(turn.before.position, turn.seat, move, NoChance())
    except ChanceNeeded:
        raise AssertionError("`info.chance` is False, but the game draws.") from None


def preview(record: Playthrough) -> None:
    """A preview shows the board after the move, or nothing if the move draws or reveals something."""
    for turn in record.turns:
        entry, after = turn.change.entry, turn.change.board
        tried = play.preview(turn.before, turn.seat, entry.text)
        assert (tried is None) == entry.fixed, (
            f"{entry.text}: a preview must show nothing exactly when the move draws or reveals. Does `apply` "
            f"catch ChanceNeeded, or depend on anything but its arguments?"
        )
        if tried:
            assert (tried.position, tried.ply, tried.result) == (after.position, after.ply, after.result)


def views(record: Playthrough) -> None:
    """The own view is enough for a seat to know its moves, its example and why a move is not possible."""
    game = record.start.game
    for turn in record.turns:
        position, seen = turn.before.position, game.view(turn.before.position, turn.seat)
        assert seen.seat == turn.seat, f"`view` for seat {turn.seat} says seat {seen.seat}."
        assert _texts(game, seen.position, turn.seat) == turn.texts, (
            f"From its own view seat {turn.seat} has other legal moves: they depend on what it cannot see."
        )
        assert game.example(seen.position, turn.seat) == game.example(position, turn.seat), (
            "`example` tells something that the seat cannot see."
        )
    for board in record.boards:
        for reader in readers(board):
            _check_view(game, board, reader)


def hidden_moves(record: Playthrough) -> None:
    """Two hidden moves with the same public text look the same to others, in their views and in the notes for them.

    A move that reveals something may show what it was, too.
    """
    for turn in record.turns if hides_moves(record.start.game) else ():
        if not _reveals(turn):
            for reader in set(readers(turn.before)) - {turn.seat}:
                _check_hidden_move(turn, reader)


def _reveals(turn: PlayedMove) -> bool:
    board, text = turn.before, turn.change.entry.text
    move = board.game.parse(board.position, turn.seat, text)
    return board.game.apply(board.position, turn.seat, move, Rng(board.seed, turn.change.entry.ply)).revealed


def _check_hidden_move(turn: PlayedMove, reader: Seat | None) -> None:
    played = turn.change.entry.text
    text = _read(turn, turn.change, reader)
    if text == played:
        return
    assert not turn.before.game.cells_of(text), f"`public_text` gives {text!r}, which names cells."
    for other in (t for t in turn.texts if t != played):
        change = play.play(turn.before, turn.seat, other)
        if _read(turn, change, reader) == text:
            one, another = _as_seen(turn.change, reader), _as_seen(change, reader)
            assert one == another, (
                f"Reader {reader} can tell the hidden moves {played!r} and {other!r} apart:\n{one}\n{another}"
            )
            return


def _read(turn: PlayedMove, change: Change, reader: Seat | None) -> str:
    """Return what a reader reads of a move right after it."""
    played = Played(turn.seat, change.entry.text, turn.before.position, change.board.position)
    return turn.before.game.public_text(played, reader)


def _as_seen(change: Change, reader: Seat | None) -> object:
    board, entry = change.board, change.entry
    notes = [note for note in entry.notes if note.seats is None or reader in note.seats]
    return board.game.view(board.position, reader), notes, entry.fixed, board.to_move, board.result


def notes(record: Playthrough) -> None:
    """A note is one sentence, for seats of this board."""
    for change in record.changes:
        for note in change.entry.notes:
            text = note.text
            assert len(text) <= WIDTH, f"A note has at most {WIDTH} characters, this one {len(text)}: {text!r}"
            assert text.isprintable(), f"A note is one line of printable characters: {text!r}"
            assert re.fullmatch(r"[\w'].*[.!?]", text), f"A note is a whole sentence with its full stop: {text!r}"
            assert note.seats is None or note.seats <= set(range(change.board.start.seats)), (
                f"The note {text!r} is for seats that are not there: {note.seats}"
            )


def missed_turns(record: Playthrough) -> None:
    """Skipped seats are seats of this board that do not move next."""
    for change in record.changes:
        missed, seats = change.entry.missed, change.board.start.seats
        assert set(missed) <= set(range(seats)), f"`missed` names seats that are not there: {missed}"
        assert not set(missed) & set(change.board.out), f"`missed` names a seat that has left: {missed}"


def examples(record: Playthrough) -> None:
    """The example move in letters is legal."""
    for turn in record.turns:
        example = turn.before.game.example(turn.before.position, turn.seat)
        assert example in turn.texts, f"`example` gives {example!r}, which is not the text of a legal move."


def turn_order(record: Playthrough) -> None:
    """A seat that is not to move is refused and changes nothing; so is every seat when the board is over."""
    for turn in record.turns:
        for seat in set(range(record.start.seats)) - turn.before.to_move:
            _demand_refusal(turn.before, seat, turn.change.entry.text)
    if record.boards[-1].result and record.turns:
        for seat in range(record.start.seats):
            _demand_refusal(record.boards[-1], seat, record.turns[-1].change.entry.text)


def leavers(record: Playthrough) -> None:
    """A seat that has left never has the turn again, and the last team does not play on alone."""
    for board in record.boards:
        gone = set(board.out)
        assert not board.to_move & gone, f"Seats {board.to_move & gone} have left and are to move again: see `retire`."
        teams = board.game.teams(board.start.seats)
        if gone and len({team for seat, team in enumerate(teams) if seat not in gone}) <= 1:
            assert board.result, f"Only one team is left after {board.out}, but the board goes on."


#: The checks that `test_random_games` runs. Their names are the test ids.
def evaluations(record: Playthrough) -> None:
    """`evaluate` returns a finite number, from -1 to 1 if there are opponents; it is opposite for two."""
    game, seats = record.start.game, range(record.start.seats)
    kinds = set()
    for board in (b for b in record.boards if not game.outcome(b.position)):
        values = [game.evaluate(board.position, seat) for seat in seats]
        kinds.add(values[0] is None)
        for value in (v for v in values if v is not None):
            assert isfinite(value), f"`evaluate` gives {value}, which is no finite number."
            assert len(seats) == 1 or -1 <= value <= 1, (
                f"`evaluate` gives {value}. Between opponents it is from -1 to 1."
            )
        if len(seats) == len(_PAIR) and None not in values:
            first, second = (float(value or 0) for value in values)
            assert isclose(first, -second, abs_tol=1e-6), (
                f"`evaluate` gives {first} for seat 0 and {second} for seat 1: "
                "what is good for one is bad for the other."
            )
    assert len(kinds) <= 1, "`evaluate` is None at some positions and not at others."


def guesses(record: Playthrough) -> None:
    """A guess at what is hidden agrees with what the seat sees, and depends on nothing else."""
    game, rng = record.start.game, partial(Rng, "guess")
    for turn in record.turns:
        view = game.view(turn.before.position, turn.seat)
        guess = game.determinize(view, rng(turn.before.ply))
        assert game.view(guess, turn.seat).position == view.position, (
            f"`determinize` gives a position of which seat {turn.seat} would see something else: {guess}"
        )
        assert _texts(game, guess, turn.seat) == _texts(game, view.position, turn.seat), (
            f"`determinize` gives a position in which seat {turn.seat} has other moves: {guess}"
        )


CHECKS: tuple[Callable[[Playthrough], None], ...] = (
    endings,
    scores,
    legal_moves,
    canonical_texts,
    swap,
    positions,
    replay,
    statelessness,
    chance,
    preview,
    views,
    hidden_moves,
    notes,
    missed_turns,
    examples,
    turn_order,
    leavers,
    evaluations,
    guesses,
    *PICTURE_CHECKS,
)


def _demand_frozen(position: object) -> None:
    try:
        hash(position)
    except TypeError as mutable:
        raise AssertionError(f"A part of the position can change ({mutable}); use tuples: {position}") from mutable


def _check_outcome(board: Board, outcome: Outcome) -> None:
    info, seats = board.game.info, board.start.seats
    assert outcome.reason in info.endings, (
        f"`outcome` gives the reason {outcome.reason!r}, but `info.endings` has no phrase for it."
    )
    assert len(outcome.ranks) == seats, f"`Outcome.ranks` must have one rank per seat ({seats}): {outcome.ranks}"
    assert min(outcome.ranks) == 1, f"The best rank is 1: {outcome.ranks}"
    assert len(outcome.scores) in (0, seats), f"`Outcome.scores` must have one number per seat: {outcome.scores}"
    teams = board.game.teams(seats)
    assert len(set(zip(teams, outcome.ranks, strict=True))) == len(set(teams)), (
        f"Partners share a rank, but teams {teams} have the ranks {outcome.ranks}."
    )


def _check_view(game: AnyGame, board: Board, reader: Seat | None) -> None:
    seen = game.view(board.position, reader)
    if not game.info.hidden:
        assert seen.position == board.position, "`view` hides something, but `info.hidden` is False."
    again = game.view(seen.position, reader)
    assert again == seen, f"The view of a view is another one:\n{again.position}\n{seen.position}"


def _demand_refusal(board: Board, seat: Seat, text: str) -> None:
    before = board.game.dump(board.position)
    try:
        change: Change | None = play.play(board, seat, text)
    except PlayerError:
        change = None
    assert change is None, f"Seat {seat} is not to move but could play {text!r}."
    assert board.game.dump(board.position) == before, f"A refused move ({text!r}) changed the position."


def _check_swap(turn: PlayedMove) -> None:
    """Take over the first move, and go on."""
    game, change = turn.before.game, play.play(turn.before, turn.seat, SWAP.upper())
    board, entry = change.board, change.entry
    assert entry.text == SWAP, f"`apply` is given {entry.text!r} for {SWAP!r}."
    assert board.to_move == {0}, f"After {SWAP} seat 0 is to move: {board.position}"
    assert entry.notes, f"A note of `exchanged` says what {SWAP} has changed."
    old, new = (game.picture(game.view(at.position, None)) for at in (turn.before, board))
    assert not (old and new) or old.rows != new.rows, "After `exchanged` the men on the board are the same."
    assert SWAP not in _texts(game, board.position, 0), f"{SWAP} is possible twice."


def _texts(game: AnyGame, position: object, seat: Seat) -> tuple[str, ...]:
    return tuple(game.format(move) for move in game.legal_moves(position, seat))
