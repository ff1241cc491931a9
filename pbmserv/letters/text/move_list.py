"""The moves of a board as lines of text: the table by rounds, and what happened since a reader looked last."""

from collections.abc import Sequence
from textwrap import wrap

from pbmserv.games.base import Seat
from pbmserv.games.base.log import ADMIN, Entry, Kind
from pbmserv.letters.text.templates import WIDTH, spoken_line
from pbmserv.letters.text.translations import Say
from pbmserv.store import BoardRow, Player

_MARGIN = 4  #: the number of the round
_CELL = 17
_EVENTS = 60  #: more lines than that are left out of a letter; `show` has them
_AUTO = "(auto)"


def table(row: BoardRow, played: Sequence[Entry], rounds: int | None, say: Say = str) -> str:
    """Seat names, userids and the last `rounds` rounds of moves (None: all), in columns."""
    seats = len(row.players)
    if seats == 1:
        return _single(row, played, rounds)
    lines = _rounds(played, seats)
    first = max(len(lines) - rounds, 0) if rounds else 0
    longest = max((len(cell) for line in lines[first:] for cell in line), default=0)
    width = min(max(_CELL, longest + 2), (WIDTH - _MARGIN) // seats)
    head = [[*map(say, row.game.seat_names(seats))], [p.userid for p in row.players]]
    rows = [" " * _MARGIN + _cells(names, width) for names in head]
    numbers = (f"{number:2} ".ljust(_MARGIN) for number in range(first + 1, len(lines) + 1))
    rows += [number + _cells(line, width) for number, line in zip(numbers, lines[first:], strict=True)]
    return "\n".join(r.rstrip() for r in rows)


def spoken(row: BoardRow, played: Sequence[Entry], rounds: int | None, say: Say = str) -> str:
    """The same to be heard: who has which seat, and a line for each of the last moves."""
    seats = len(row.players)
    if seats == 1:
        return _spoken_run(row.players[0], played, rounds, say)
    names = map(say, row.game.seat_names(seats))
    lines = [f"{name}: {player.userid}" for name, player in zip(names, row.players, strict=True)]
    for entry in played[-rounds * seats :] if rounds else played:
        missed = "".join(f", {say(f'{row.players[s].userid} misses a turn')}" for s in entry.missed)
        lines.append(f"{say(f'Ply {entry.ply}')}, {row.players[entry.seat].userid}: {entry.text}{missed}")
    return "\n".join(map(spoken_line, lines))


def events(entries: Sequence[Entry], seat: Seat | None, players: Sequence[Player], say: Say = str) -> list[str]:
    """What these entries brought besides the moves themselves, as far as `seat` may read it."""
    lines: list[str] = []
    for entry in entries:
        notes = [say(n.text) for n in entry.notes if n.seats is None or seat in n.seats]
        if notes:
            indent = " " * 7
            lines += wrap(f"{_what(entry, players, say)}: {' '.join(notes)}", WIDTH, subsequent_indent=indent)
    left_out = len(lines) - _EVENTS
    return [say(f"({left_out} earlier lines are left out here)"), *lines[left_out:]] if left_out > 0 else lines


def doer(entry: Entry, players: Sequence[Player]) -> str:
    """Who made an entry: a userid, or the admin."""
    return "the admin" if entry.seat == ADMIN else players[entry.seat].userid


def _what(entry: Entry, players: Sequence[Player], say: Say) -> str:
    if entry.kind is Kind.MOVE:
        return (
            f"{entry.ply:3}. {entry.text}"
            if len(players) == 1
            else f"{entry.ply:3}. {players[entry.seat].userid} {entry.text}"
        )
    return f"     {say(doer(entry, players))} {say(entry.kind.value)}"


def _single(row: BoardRow, played: Sequence[Entry], rounds: int | None) -> str:
    """A solitaire's moves run on, ten to a round."""
    tens = [played[i : i + 10] for i in range(0, len(played), 10)]
    first = max(len(tens) - rounds, 0) if rounds else 0
    lines = [f"    {row.players[0].userid}"]
    for number, ten in enumerate(tens[first:], start=first):
        text = "  ".join(e.text for e in ten)
        lines += wrap(text, WIDTH, initial_indent=f"{number * 10 + 1:3}  ", subsequent_indent=" " * 5)
    return "\n".join(lines)


def _spoken_run(player: Player, played: Sequence[Entry], rounds: int | None, say: Say) -> str:
    """A solitaire's moves, ten to a line."""
    tens = [played[i : i + 10] for i in range(0, len(played), 10)]
    lines = [f"{say(f'Plies {t[0].ply} to {t[-1].ply}')}: {' '.join(e.text for e in t)}" for t in tens]
    return "\n".join(map(spoken_line, [f"{say('Player')}: {player.userid}", *(lines[-rounds:] if rounds else lines)]))


def _rounds(played: Sequence[Entry], seats: int) -> list[list[str]]:
    """A cell for each seat in each round; the moves of one turn share one. `(auto)`: the seat was passed over."""
    lines: list[list[str]] = []
    last: Seat | None = None
    for entry in played:
        if entry.seat == last:
            lines[-1][last] += f" {entry.text}"
        else:
            _place(lines, entry.seat, entry.text, seats)
        last = entry.seat
        for seat in entry.missed:
            _place(lines, seat, _AUTO, seats)
            last = seat
    return lines


def _place(lines: list[list[str]], seat: Seat, text: str, seats: int) -> None:
    if not lines or any(lines[-1][seat:]):
        lines.append([""] * seats)
    lines[-1][seat] = text


def _cells(texts: Sequence[str], width: int) -> str:
    return "".join(f"{t if len(t) < width else t[: width - 2] + '~':{width}}" for t in texts)
