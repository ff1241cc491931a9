"""The moves of a board as lines of text: the table by rounds, and what happened since a reader looked last."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest
from textwrap import wrap
from typing import TypeAlias

from pbmserv.games.base import Seat
from pbmserv.games.base.board import Board
from pbmserv.games.base.hidden import hides_moves
from pbmserv.games.base.log import ADMIN, BY_THE_SERVER, Entry, Kind, is_only_a_word, standing, standing_backwards
from pbmserv.letters.text import aloud
from pbmserv.letters.text.aloud import spoken_line
from pbmserv.letters.text.blocks import NOTE_INDENT, WIDTH
from pbmserv.letters.text.men import lettered
from pbmserv.letters.text.translations import Say
from pbmserv.model import BoardRow, Player

Cell: TypeAlias = list[Entry | None]  #: the moves of a seat in a round; None: it was passed over

_MARGIN = 4  #: the number of the round
_CELL = 17
_NARROW = 45  #: characters in a line of a solitaire's moves or of several players', so that it fits a telephone
_MOST_NAMED = 3  #: moves that are taken back; of more their number is told
_EVENTS = 60  #: more lines than that are left out of a letter; `show` has them
MISSED = "-"  #: in place of a move of a seat that was passed over
_PROPOSALS = (Kind.PROPOSE, Kind.UNDO)
_ANSWERS = (Kind.ACCEPT, Kind.REJECT)
_FEWEST_WHO_PLAY_ON = 3


def table(row: BoardRow, log: Sequence[Entry], rounds: int | None, say: Say = str) -> str:
    """Seat names, userids and the last `rounds` rounds of the moves that stand (None: all), in columns."""
    seats = len(row.players)
    if seats == 1:
        return _single(row, log, rounds, say)
    lines, count = _last_rounds(row.board, log, seats, rounds)
    longest = max((len(text) for line in lines for cell in line for text in cell.split()), default=0)
    cell = min(_CELL, (_NARROW - _MARGIN) // seats)
    width = min(max(cell, longest + 2), (WIDTH - _MARGIN) // seats)
    head = [[*map(say, row.board.seat_names)], [p.userid for p in row.players]]
    if any(p.robot for p in row.players):
        head.append(["ROBOT" if p.robot else "" for p in row.players])
    rows = [" " * _MARGIN + part for names in head for part in _beside(names, width, 1)]
    for number, line in enumerate(lines, count - len(lines) + 1):
        parts = _beside([lettered(cell, say) for cell in line], width, 2)
        rows += [f"{'' if n else number:2} ".ljust(_MARGIN) + part for n, part in enumerate(parts)]
    return "\n".join(r.rstrip() for r in rows)


def spoken(row: BoardRow, log: Sequence[Entry], rounds: int | None, say: Say = str) -> str:
    """The same to be heard: who has which seat, and a line for each of the last moves."""
    seats = len(row.players)
    if seats == 1:
        return _spoken_run(row, log, rounds, say)
    names = map(say, row.board.seat_names)
    lines = [f"{name}: {player.shown}" for name, player in zip(names, row.players, strict=True)]
    for entry in last_moves(log, rounds and rounds * seats):
        missed = "".join(f", {say(f'{row.players[s].userid} misses a turn')}" for s in entry.missed)
        lines.append(f"{_aloud(row, entry, say)}{missed}")
    return "\n".join(map(spoken_line, lines))


def _aloud(row: BoardRow, entry: Entry, say: Say) -> str:
    """Who made a move and which, to be heard."""
    who, words = row.players[entry.seat].userid, row.game.spoken(entry.shown)
    if words == "":
        return f"{say(f'Ply {entry.ply}')}, {who}: {lettered(entry.shown, say)}"
    return say(f"Ply {entry.ply}, {who}: {words}")


def brief(row: BoardRow, log: Sequence[Entry], since: int, say: Say = str) -> str:
    """What was moved since the log had this length, to be heard first: the last moves that stand, in a few words."""
    moves = [entry for place, entry in islice(standing_backwards(log), aloud.MOST_WORDS // 3) if place >= since]
    return aloud.brief([_aloud(row, entry, say) for entry in reversed(moves)])


def events(
    entries: Sequence[Entry], seat: Seat | None, row: BoardRow, say: Say = str, *, heard: bool = False
) -> list[str]:
    """What these entries brought besides the moves themselves, as far as `seat` may read it; in words, if `heard`."""
    lines: list[str] = []
    for entry in entries:
        notes = [say(n.text) for n in entry.notes if n.seats is None or seat in n.seats]
        if notes and heard:
            what = _aloud(row, entry, say) if entry.kind is Kind.MOVE else _what(entry, row.players, say).strip()
            lines.append(spoken_line(f"{what}. {' '.join(notes)}"))
        elif notes:
            told = f"{_what(entry, row.players, say)}: {' '.join(notes)}"
            lines += wrap(told, WIDTH, subsequent_indent=NOTE_INDENT, break_on_hyphens=False)
    left_out = len(lines) - _EVENTS
    return [say(f"({left_out} earlier lines are left out here)"), *lines[left_out:]] if left_out > 0 else lines


def leavers(
    log: Sequence[Entry], since: int, seat: Seat | None, players: Sequence[Player], say: Say = str
) -> list[str]:
    """Who has left since the log had this length, where others may play on; of two players, the result says it.

    A reader whose own time has run out did not write that entry, so it is told, too.
    """
    if len(players) < _FEWEST_WHO_PLAY_ON:
        return []
    own = since > 0 and log[since - 1].seat == seat and log[since - 1].kind is Kind.FORFEIT
    return [say(told) for entry in log[since - own :] if (told := _left(entry, players))]


def _left(entry: Entry, players: Sequence[Player]) -> str:
    match entry.kind:
        case Kind.RESIGN:
            return f"{players[entry.seat].userid} has resigned."
        case Kind.FORFEIT:
            return f"{players[entry.seat].userid} has run out of time."
    return ""


def answered(
    log: Sequence[Entry], since: int, players: Sequence[Player], say: Say = str, *, over: bool = False
) -> list[str]:
    """What became of proposals since the log had this length: who agreed, who did not, and what ended one unanswered.

    If one is open now, nothing is said of earlier ones: else the end of another would seem to be the end of this one.
    `over`: the last entry has ended the board, so there is no need to say that it ended a proposal, too.
    """
    lines, opened, offer = list[str](), 0, _open_proposal(log, since)
    for place in range(since, len(log)):
        entry = log[place]
        if offer and not (over and place == len(log) - 1 and entry.kind not in _ANSWERS):
            lines += _became(offer, entry, log[place - 1].ply, players)
        if entry.kind in _PROPOSALS:
            offer, opened = entry, len(lines)
        elif not _leaves_open(log, place):
            offer = None
    return [say(line) for line in lines[opened if offer else 0 :]]


def _open_proposal(log: Sequence[Entry], length: int) -> Entry | None:
    """The proposal that was open when the log had this length."""
    for place in range(length - 1, -1, -1):
        if log[place].kind in _PROPOSALS:
            return log[place]
        if not _leaves_open(log, place):
            break
    return None


def _leaves_open(log: Sequence[Entry], place: int) -> bool:
    """Whether a proposal is still open after this entry: not all have agreed yet, or words for the dice are missing."""
    entry = log[place]
    if entry.kind is Kind.ACCEPT:
        return entry.ply == log[place - 1].ply
    return entry.kind is Kind.ADMIN or is_only_a_word(entry)


def _became(offer: Entry, entry: Entry, ply: int, players: Sequence[Player]) -> list[str]:
    """What an entry meant for the open proposal, in a line or none. `ply`: that of the board before it."""
    draw, who = offer.kind is Kind.PROPOSE, players[entry.seat].userid
    what = "the draw offer" if draw else "the take-back request"
    match entry.kind:
        case Kind.ACCEPT if draw:
            return [f"{who} agrees to the draw."]
        case Kind.ACCEPT:
            return [f"{who} agrees: back to ply {entry.ply}." if entry.ply < ply else f"{who} agrees to the take-back."]
        case Kind.REJECT if entry.seat == offer.seat:
            return [f"{who} withdraws {what}."]
        case Kind.REJECT:
            return [f"{who} declines the draw." if draw else f"{who} declines the take-back."]
        case Kind.MOVE:
            return [f"{who}'s move ends {what}."]
        case Kind.WORD if entry.fixed:
            return [f"{who}'s word sets the board up, which ends {what}."]
        case Kind.RESIGN | Kind.FORFEIT:
            return [f"{who} has left, which ends {what}."]
    return []


def doer(entry: Entry, players: Sequence[Player]) -> str:
    """Who made an entry: a userid, the admin, or the server."""
    if entry.kind in BY_THE_SERVER:
        return "the server"
    return "the admin" if entry.seat == ADMIN else players[entry.seat].userid


def _what(entry: Entry, players: Sequence[Player], say: Say) -> str:
    if entry.kind is Kind.MOVE:
        who = f"{players[entry.seat].userid} " * (len(players) > 1)
        return f"{entry.ply:3}. {who}{lettered(entry.shown, say)}"
    return f"     {say(doer(entry, players))} {say(entry.kind.value)}"


def _single(row: BoardRow, log: Sequence[Entry], rounds: int | None, say: Say) -> str:
    """A solitaire's moves run on, ten to a round."""
    lines = [f"    {row.players[0].userid}"]
    for ten in _tens(log, rounds):
        text = lettered("  ".join(e.shown for e in ten), say)
        lines += wrap(text, _NARROW, initial_indent=f"{ten[0].ply:3}  ", subsequent_indent=" " * 5)
    return "\n".join(lines)


def _spoken_run(row: BoardRow, log: Sequence[Entry], rounds: int | None, say: Say) -> str:
    """A solitaire's moves, ten to a line."""
    lines = [f"{say('Player')}: {row.players[0].userid}"]
    for ten in _tens(log, rounds):
        words = ", ".join(aloud.heard(row.game, e.shown, say) for e in ten)
        lines.append(f"{say(f'Plies {ten[0].ply} to {ten[-1].ply}')}: {words}")
    return "\n".join(map(spoken_line, lines))


def _tens(log: Sequence[Entry], rounds: int | None) -> list[list[Entry]]:
    """The standing moves of a solitaire by tens: the last `rounds` of them, None: all."""
    moves = last_moves(log, rounds and 10 * rounds)
    tens: dict[int, list[Entry]] = defaultdict(list)
    for entry in moves:
        tens[(entry.ply - 1) // 10].append(entry)
    return list(tens.values())[-rounds if rounds else 0 :]


def _last_rounds(board: Board, log: Sequence[Entry], seats: int, rounds: int | None) -> tuple[list[list[str]], int]:
    """The last `rounds` rounds (None: all), and how many there are."""
    if rounds is None or board.rounds is None or hides_moves(board.start.game):
        lines = _rounds(standing(log), seats)
        return lines[-rounds if rounds else 0 :], len(lines)
    most = (rounds + 1) * seats
    while True:
        moves = last_moves(log, most)
        lines = _rounds(moves, seats)
        if len(lines) > rounds or len(moves) < most:  # of the first one some cells may be missing
            return lines[-rounds:], board.rounds.count
        most *= 2


def last_moves(log: Sequence[Entry], most: int | None) -> list[Entry]:
    """The last standing moves, so many at most (None: all), the earliest first."""
    return [entry for _, entry in islice(standing_backwards(log), most)][::-1]


def rounds(played: Sequence[Entry], seats: int) -> list[list[Cell]]:
    """A cell for each seat in each round; the moves of one turn share one.

    A turn of several seats is one round, in whatever order they move.
    """
    lines: list[list[Cell]] = []
    last: Seat | None = None
    for entry in played:
        if not lines or not (entry.joins or entry.seat == last):
            _go_on(lines, entry.seat, seats)
        lines[-1][entry.seat].append(entry)
        last = entry.seat
        for seat in entry.missed:
            _go_on(lines, seat, seats)
            lines[-1][seat].append(None)
            last = seat
    return lines


def _go_on(lines: list[list[Cell]], seat: Seat, seats: int) -> None:
    """Begin another round unless all seats from this one on still have to move in the last one."""
    if not lines or any(lines[-1][seat:]):
        lines.append([[] for _ in range(seats)])


def taken_back(board: Board, moves: Sequence[Entry], say: Say = str) -> str:
    """Return the moves that an open proposal takes back: "e5", "e4 and e5", or how many, if they are more than three.

    `moves`: those that stand, as the reader may see them.
    """
    texts = [lettered(move.shown, say) for move in moves[board.offer.to_ply if board.offer else 0 :]]
    if len(texts) > _MOST_NAMED:
        return say(f"{len(texts)} moves, from {texts[0]} on")
    return f" {say('and')} ".join(filter(None, (", ".join(texts[:-1]), *texts[-1:])))


def _rounds(played: Sequence[Entry], seats: int) -> list[list[str]]:
    """The same as texts."""
    return [
        [" ".join(move.shown if move else MISSED for move in cell) for cell in line] for line in rounds(played, seats)
    ]


def _beside(texts: Sequence[str], width: int, gap: int) -> Iterator[str]:
    """Yield the lines of cells of this width beside each other. Names, with a gap of 1, can break at a hyphen."""
    cells = [wrap(text, width - gap, break_on_hyphens=gap == 1) for text in texts]
    for parts in zip_longest(*cells, fillvalue=""):
        yield "".join(f"{part:{width}}" for part in parts)
