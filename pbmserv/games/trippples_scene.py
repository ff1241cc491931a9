"""What the diagram template of Trippples is given. Section 8 of the rules."""

from collections.abc import Mapping, Sequence
from typing import Any

from pbmserv.games.grid import COMPASS_NAMES
from pbmserv.games.trippples_moves import Position, directions, opponents
from pbmserv.games.trippples_tiles import ARROWS, DOWN, EMPTY, FINISH, GRID, NEUTRAL, START, compass, plan

_KINDS = {START: "start", FINISH: "finish", NEUTRAL: "neutral", DOWN: "down", EMPTY: "empty"}


def scene_of(position: Position, names: Sequence[str], moves: Sequence[str]) -> Mapping[str, Any]:
    """The scene of a position without hidden tiles; `names` of the seats, `moves` of the seat to move.

    `free` and `place` are empty unless a free move or a tile to place is pending; `teams` unless there are four seats.
    """
    seat = position.turn
    return {
        "ranks": [_rank(position, row) for row in reversed(range(8))],
        "turn": "" if position.ending else names[seat],
        "free": _name(position.markers[seat]) if position.free else "",
        "place": {"name": position.shown, "compass": compass(position.shown), "cell": _tile(position.shown)},
        "arrows": [COMPASS_NAMES[d] for d in directions(position, seat)],
        "under": [f"{names[s]} on {_name(position.markers[s])}" for s in opponents(position, seat)],
        "moves": moves,
        "teams": [_team(position, names, team) for team in (0, 1)] if len(names) == 4 else [],
    }


def _rank(position: Position, row: int) -> Mapping[str, Any]:
    squares = range(row * 8, row * 8 + 8)
    return {"number": row + 1, "cells": [_cell(position, square) for square in squares]}


def _cell(position: Position, square: int) -> Mapping[str, Any]:
    """`side`: the team to which a start or finish belongs, 0 with square and 1 with round brackets."""
    cell = _tile(position.tiles[square])
    if square in position.markers:
        cell["marker"] = _markers(position)[position.markers.index(square)]
    layout = plan(position.options)
    if square in layout.finishes:  # in doubles also somebody's start, as long as that marker stands there
        cell["side"] = layout.finishes.index(square) % 2
        leaving = square in layout.starts and position.markers[layout.starts.index(square)] == square
        cell["kind"] = "start" if leaving else "finish"
    elif square in layout.starts:
        cell["side"] = layout.starts.index(square)
    return cell


def _tile(tile: str) -> dict[str, Any]:
    arrows = [COMPASS_NAMES[d] for d in ARROWS[tile]]
    return {"kind": _KINDS.get(tile, "arrow"), "arrows": arrows, "marker": "", "side": 0}


def _markers(position: Position) -> str:
    """The character of each seat's marker."""
    return "SC" if len(position.markers) == 2 else "1234"


def _team(position: Position, names: Sequence[str], team: int) -> list[Mapping[str, Any]]:
    finishes = plan(position.options).finishes
    return [
        {"marker": _markers(position)[s], "name": names[s], "finish": _name(finishes[s]), "out": s in position.out}
        for s in range(team, len(names), 2)
    ]


def _name(square: int) -> str:
    return GRID.name(square).upper()
