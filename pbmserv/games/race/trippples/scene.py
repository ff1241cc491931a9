"""The data for the diagram template of Trippples. Section 8 of the rules."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from pbmserv.games.base.grid import COMPASS_NAMES
from pbmserv.games.race.trippples.moves import Position, directions, opponents
from pbmserv.games.race.trippples.tiles import ARROWS, DOWN, EMPTY, FINISH, GRID, NEUTRAL, START, compass, plan

_FILLINGS = {NEUTRAL: ":", DOWN: "?", EMPTY: " "}
_SPOKEN = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
_SIGNS = tuple(zip(COMPASS_NAMES, "|/-\\|/-\\", strict=True))


class TileText(NamedTuple):
    """A square in the diagram: three lines of three characters."""

    top: str
    middle: str
    bottom: str


def scene_of(position: Position, names: Sequence[str], moves: Sequence[str]) -> Mapping[str, object]:
    """Return the scene of a position without hidden tiles; `names` of the seats, `moves` of the seat to move.

    For the spoken board: `seats` with the markers, and `squares` from the north-west, without empty ones. `free` and
    `place` are empty unless a free move or a tile to place is pending. `teams` is empty unless there are four seats.
    """
    seat = position.turn
    return {
        "ranks": [_rank(position, row) for row in reversed(range(8))],
        "turn": "" if position.ending else names[seat],
        "free": _name(position.markers[seat]) if position.free else "",
        "place": {
            "name": position.shown,
            "compass": compass(position.shown),
            "cell": _tile(position.shown),
            "words": in_words(position.shown),
        },
        "arrows": [COMPASS_NAMES[d] for d in directions(position, seat)],
        "ways": [_SPOKEN[d] for d in directions(position, seat)],
        "under": [f"{names[s]} on {_name(position.markers[s])}" for s in opponents(position, seat)],
        "moves": moves,
        "seats": [_seat(position, names, s) for s in range(len(names))],
        "squares": [
            (_name(square).lower(), _words(position, names, square))
            for rank in reversed(range(8))
            for square in range(rank * 8, rank * 8 + 8)
            if position.tiles[square]
        ],
        "teams": [_team(position, names, team) for team in (0, 1)] if len(names) == 4 else [],
    }


def _rank(position: Position, row: int) -> Mapping[str, object]:
    squares = range(row * 8, row * 8 + 8)
    return {"number": row + 1, "cells": [_cell(position, square) for square in squares]}


def _cell(position: Position, square: int) -> TileText:
    marker = _markers(position)[position.markers.index(square)] if square in position.markers else ""
    layout = plan(position.options)
    if square in layout.finishes:  # in doubles this can also be another seat's start, while that marker is still there
        leaving = square in layout.starts and position.markers[layout.starts.index(square)] == square
        return _corner(START if leaving else FINISH, layout.finishes.index(square) % 2, marker)
    if square in layout.starts:
        return _corner(START, layout.starts.index(square), marker)
    return _tile(position.tiles[square], marker)


def _corner(kind: str, side: int, marker: str) -> TileText:
    """Mark a start or finish of a team: square brackets for team 0, round ones for team 1."""
    left, right = "[]" if side == 0 else "()"
    rest, below = ("*", "sta") if kind == START else (" ", "fin")
    return TileText(" _ ", f"{left}{marker or rest}{right}", below)


@cache
def _tile(tile: str, marker: str = "") -> TileText:
    """Draw a tile.

    An arrow tile shows three arrows around `o` or the marker; other tiles are filled with their sign.
    """
    if tile in _FILLINGS:
        sign = _FILLINGS[tile]
        return TileText(sign * 3, f"{sign}{marker or sign}{sign}", sign * 3)
    signs = {name: sign if d in ARROWS[tile] else " " for d, (name, sign) in enumerate(_SIGNS)}
    return TileText(
        signs["NW"] + signs["N"] + signs["NE"],
        signs["W"] + (marker or "o") + signs["E"],
        signs["SW"] + signs["S"] + signs["SE"],
    )


def _markers(position: Position) -> str:
    """Return the character of each seat's marker."""
    return "SC" if len(position.markers) == 2 else "1234"


def _team(position: Position, names: Sequence[str], team: int) -> list[Mapping[str, object]]:
    finishes = plan(position.options).finishes
    return [
        {"marker": _markers(position)[s], "name": names[s], "finish": _name(finishes[s]), "out": s in position.out}
        for s in range(team, len(names), 2)
    ]


def _seat(position: Position, names: Sequence[str], seat: int) -> Mapping[str, object]:
    finish = plan(position.options).finishes[seat]
    return {
        "name": names[seat],
        "square": _name(position.markers[seat]).lower(),
        "finish": _name(finish).lower(),
        "out": seat in position.out,
    }


def _words(position: Position, names: Sequence[str], square: int) -> str:
    """Describe the tile on a square."""
    tile, layout = position.tiles[square], plan(position.options)
    if tile == START:
        return f"start of {names[layout.starts.index(square)]}"
    if tile == FINISH:
        return f"finish of {names[layout.finishes.index(square)]}"
    return {NEUTRAL: "neutral", DOWN: "face down"}.get(tile) or in_words(tile)


def in_words(tile: str) -> str:
    """Return the arrows of a tile for speech: "north, southeast, west"."""
    return ", ".join(_SPOKEN[d] for d in ARROWS[tile])


def _name(square: int) -> str:
    return GRID.name(square).upper()
