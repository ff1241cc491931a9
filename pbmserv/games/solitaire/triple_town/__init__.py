"""Triple Town: a solitaire. Three equal tiles make a better one, and bears stand in the way. Clauses T1-T29.

T29 leaves open when the score is kept from falling below 0. Here an imperial-bot's penalty stops at 0 at once, and the
points of what collapses after it are added to that. Another reading adds first; boards that replay under it differ.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbmserv.games.base import Game, Info, Option, Options, Outcome, Picture, Seat, Step, View
from pbmserv.games.base.values import changed
from pbmserv.games.solitaire.triple_town.picture import picture_of
from pbmserv.games.solitaire.triple_town.tiles import (
    BASIC_WEIGHTS,
    BEAR,
    BLANK,
    BOT,
    CHESTS,
    GRID,
    NAMES,
    NEIGHBOURS,
    NINJA,
    STOREHOUSE,
    TILES,
    WEIGHTS,
    group,
)
from pbmserv.games.solitaire.triple_town.turn import Turn
from pbmserv.rng import Rng


@dataclass(frozen=True, slots=True)
class Move:
    """Play the tile at a location (place, bot or claim, as T9-T11 say); None: store it or swap (T12)."""

    location: int | None


@dataclass(frozen=True)
class Position:
    """`land`: the tile codes of the 35 locations in traversal order; `stored`: "" while the storehouse is empty."""

    land: tuple[str, ...]
    tile: str
    stored: str = BLANK
    moves: int = 0
    score: int = 0
    basic: bool = False

    @property
    def is_over(self) -> bool:
        """T27: no blank, no chest, a full storehouse and no imperial-bot at hand."""
        is_full = bool(self.stored) and BLANK not in self.land
        return is_full and BOT not in (self.tile, self.stored) and not _open(self.land)


class TripleTown(Game[Position, Move]):
    """One player, chance, nothing hidden."""

    info = Info(
        key="town",
        name="Triple Town",
        kind="solitaire",
        aliases=("tripletown",),
        summary="Build a town alone. Three equal tiles become a better one, while bears roam between them.",
        seats=(1,),
        pattern=r"store|s|[a-f][1-6]",
        endings={"full": "the town is full and no move is left"},
        credit="After Triple Town by Spry Fox; this form of the rules by Matthew Flatt.",
        options=(Option("b", "basic game: no bears, tombstones, churches, chests or rocks"),),
        agreements=frozenset(),
        chance=True,
        nodes=(7, 600, 5000),
    )
    position_type = Position
    said_signs: ClassVar[Mapping[str, str]] = {"lager": "store"}

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        basic = "b" in options
        return Position((BLANK,) * len(NAMES), _draw(basic, rng), basic=basic)

    def to_move(self, position: Position) -> frozenset[Seat]:
        return frozenset() if position.is_over else frozenset({0})

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[Move]:
        if position.is_over:
            return []
        locations = range(len(NAMES)) if position.tile == BOT else _open(position.land)
        return [*(Move(x) for x in locations), Move(None)]

    def format(self, move: Move) -> str:
        return "store" if move.location is None else NAMES[move.location]

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[Move]:
        if position.is_over:
            return []
        if text in ("s", "store", GRID.name(STOREHOUSE)):
            return [Move(None)]
        at = NAMES.index(text)
        return [Move(at)] if position.tile == BOT or position.land[at] in (BLANK, *CHESTS) else []

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        occupied = TILES[position.land[NAMES.index(text)]].name  # a move can fail for no other reason
        return (
            f"'{text}' is not possible: that location holds a tile already ({occupied}), "
            "and only the imperial-bot can go there."
        )

    def example(self, position: Position, seat: Seat) -> str:
        """Return the first open location.

        For an imperial-bot, return the first bear, or else something it can remove.
        """
        if position.tile != BOT:
            return super().example(position, seat)
        return NAMES[min(range(len(NAMES)), key=lambda location: _bot_appetite(position.land[location]))]

    def apply(self, position: Position, seat: Seat, move: Move, rng: Rng) -> Step[Position]:
        turn = Turn(position.land, position.score, rng)
        at, tile, stored = move.location, position.tile, position.stored
        keeps = at is not None and tile != BOT and position.land[at] in CHESTS
        if at is None:
            turn.tell(f"The {TILES[tile].name} goes into the storehouse.")
            tile, stored = stored, tile
        elif keeps:
            turn.claim(at)
        else:
            _play(turn, tile, at, position.basic)
            tile = BLANK
        if not tile:
            tile = _draw(position.basic, rng)
            turn.tell(f"The next tile is: {TILES[tile].name}.")
        after = changed(
            position,
            land=tuple(turn.land),
            tile=tile,
            stored=stored,
            moves=position.moves + (at is not None),
            score=turn.score,
        )
        return Step(after, tuple(turn.notes))

    def outcome(self, position: Position) -> Outcome | None:
        return Outcome("full", ranks=(1,), scores=(position.score,)) if position.is_over else None

    def scores(self, position: Position) -> tuple[int, ...]:
        return (position.score,)

    def scene(self, view: View[Position]) -> Mapping[str, object]:
        position = view.position
        tiles = dict(zip(NAMES, position.land, strict=True)) | {GRID.name(STOREHOUSE): position.stored}
        return {
            "rows": [{"number": n, "cells": [tiles[f"{column}{n}"] for column in "abcdef"]} for n in range(6, 0, -1)],
            "squares": [(NAMES[x], TILES[position.land[x]].name) for x in _READING_ORDER if position.land[x]],
            "tile": TILES[position.tile].name,
            "stored": TILES[position.stored].name if position.stored else "empty",
            "moves": position.moves,
            "score": position.score,
        }

    def evaluate(self, position: Position, seat: Seat) -> float:
        """The points, room, and groups of equal tiles, which are on their way to a greater one."""
        land, counted = position.land, set[int]()
        value = position.score + _ROOM * land.count(BLANK) - _BEAR * land.count(BEAR) - _OVER * position.is_over
        for location, tile in enumerate(land):
            if tile and TILES[tile].becomes and location not in counted:
                members = group(land, location)
                counted |= members
                grows = any(land[n] == BLANK for place in members for n in NEIGHBOURS[place])
                value += (_GROWS if grows else _STUCK) * (len(members) - 1) * TILES[TILES[tile].becomes].points
        return value

    def picture(self, view: View[Position]) -> Picture:
        position = view.position
        stored = TILES[position.stored].name if position.stored else "empty"
        lines = (f"Score: {position.score}",)
        notes = (f"Storehouse (A6): {stored}", f"Moves: {position.moves}")
        land, tile = dict(zip(NAMES, position.land, strict=True)), position.tile
        return picture_of(land, position.stored, f"Tile to play: {TILES[tile].name}", tile, lines, notes)

    def cells_of(self, text: str) -> tuple[str, ...]:
        return (GRID.name(STOREHOUSE) if text == "store" else text,)

    def caption(self, position: Position, move: Move) -> str:
        return self.format(move) if move.location is None else NAMES[move.location].upper()


# For robots. In points: a blank location, a bear, the end of the board.
_ROOM, _BEAR, _OVER = 150.0, 60, 400
# What each tile beside an equal one is worth, as a share of the tile that they can become: beside a blank, and shut in.
_GROWS, _STUCK = 0.8, 0.25

_READING_ORDER = sorted(range(len(NAMES)), key=lambda x: (-int(NAMES[x][1]), NAMES[x]))  # rows from the north


def _open(land: Sequence[str]) -> list[int]:
    """Return the locations for a tile other than the imperial-bot: blanks and chests."""
    return [location for location, tile in enumerate(land) if tile == BLANK or tile in CHESTS]


def _play(turn: Turn, tile: str, at: int, basic: bool) -> None:
    if tile == BOT:
        turn.send_bot(at)
    else:
        turn.place(tile, at, basic)


def _draw(basic: bool, rng: Rng) -> str:
    """Draw a new move tile (T7, T8)."""
    weights = BASIC_WEIGHTS if basic else WEIGHTS
    return tuple(weights)[rng.weighted(tuple(weights.values()))]


def _bot_appetite(tile: str) -> int:
    """Return the sort key for targets of the imperial-bot in examples."""
    return 0 if tile in (BEAR, NINJA) else 1 if tile else 2
