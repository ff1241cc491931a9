"""The table of a season in characters: for each player the results against all others, and the points."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pbmserv.model import PairingRow
from pbmserv.tournaments.entrants import DRAW, WIN
from pbmserv.tournaments.standings import TableLine

_RESULTS = {WIN: "1", DRAW: "½", 0: "0"}
_FORFEITED = {WIN: "+", 0: "-"}
VOID, RUNNING = "x", "."
MOST_COLUMNS = 44  #: characters of a line that fit into the window of a phone, which is 360 pixels wide
MOST_ROUNDS = 6  #: rounds of a swiss tournament that fit on a line
_WIDTH, _NARROW = 20, 4  # of a name in the table, and the least that is left of it beside many results
_PARTS = ("", "¼", "½", "¾")


class TableRow(NamedTuple):
    """A line of the table. `cells`: the results, against each player in the order of the places, or in each round.

    `direct`: the points on boards against those with equal points; "" where they decide nothing.
    """

    place: int
    player: int
    name: str
    cells: tuple[str, ...]
    points: str
    direct: str
    sonneborn_berger: str
    line: TableLine

    @property
    def short(self) -> str:
        """The name in at most 20 characters. The mark of a robot stays."""
        userid, blank, mark = self.name.partition(" ")
        return userid[: _WIDTH - len(blank + mark)] + blank + mark


def points_text(half: int) -> str:
    """Return half points as people write them: `6½`."""
    return quarters_text(2 * half)


def quarters_text(quarters: int) -> str:
    """Return quarters of a point: `21¾`."""
    whole, part = divmod(quarters, 4)
    return f"{whole or ''}{_PARTS[part]}" or "0"


def direct_text(line: TableLine) -> str:
    """Return the points on boards against those with equal points; "" where they decide nothing."""
    return "" if line.between is None else points_text(line.between)


def crossed(lines: Sequence[TableLine], pairings: Iterable[PairingRow], names: Mapping[int, str]) -> list[TableRow]:
    """Return the table of players who all meet each other."""
    results = dict[tuple[int, int], str]()
    for pairing in pairings:
        if pairing.second is not None:
            for me, other in ((pairing.first, pairing.second), (pairing.second, pairing.first)):
                results[me, other] = results.get((me, other), "") + result_of(pairing, me)
    order = [line.player for line in lines]
    return [_row(x, [results.get((x.player, y), "") for y in order], names) for x in lines]


def by_rounds(lines: Sequence[TableLine], pairings: Iterable[PairingRow], names: Mapping[int, str]) -> list[TableRow]:
    """Return the table of a swiss tournament: for each of the last rounds the place of the opponent and the result."""
    places = {line.player: line.place for line in lines}
    rounds = dict[int, dict[int, str]]()
    for pairing in pairings:
        here = rounds.setdefault(pairing.round, {})
        if pairing.second is None:
            here[pairing.first] = "1"
            continue
        here[pairing.first] = f"{places.get(pairing.second, '')}:{result_of(pairing, pairing.first)}"
        here[pairing.second] = f"{places.get(pairing.first, '')}:{result_of(pairing, pairing.second)}"
    shown = sorted(rounds)[-MOST_ROUNDS:]
    return [_row(line, [rounds[r].get(line.player, "-") for r in shown], names) for line in lines]


def grid(rows: Sequence[TableRow], first: int = 1) -> list[str]:
    """Return the results as lines, each with the number of its player. `first`: the number above the first column."""
    width = max(2, *(len(cell) + 1 for row in rows for cell in row.cells)) if rows[0].cells else 2
    columns = len(rows[0].cells)
    width = max(width, len(str(first + columns - 1)) + 1)
    name = max(_NARROW, min(_WIDTH, MOST_COLUMNS - 4 - width * columns))
    heads = "".join(f"{number:{width}}" for number in range(first, first + columns))
    lines = [f"{row.place:3} {row.name[:name]:{name}}{''.join(c.rjust(width) for c in row.cells)}" for row in rows]
    return [f"{'':{4 + name}}{heads}", *(line.rstrip() for line in lines)]


def result_of(pairing: PairingRow, player: int) -> str:
    """Return one character: how a pairing ended for one of its players."""
    if pairing.void:
        return VOID if pairing.is_of_nobody else _FORFEITED[0]
    if pairing.points is None:
        return RUNNING
    won = pairing.points if player == pairing.first else WIN - pairing.points
    return (_RESULTS if pairing.forfeiter is None else _FORFEITED).get(won, _RESULTS[won])


def _row(line: TableLine, cells: Iterable[str], names: Mapping[int, str]) -> TableRow:
    name, points, tie = names.get(line.player, "?"), points_text(line.points), quarters_text(line.sonneborn_berger)
    return TableRow(line.place, line.player, name, tuple(cells), points, direct_text(line), tie, line)
