"""The effects of one move on the land of Triple Town. Clauses T9-T12, T16-T25 and T29 of the rules."""

from collections.abc import Sequence

from pbmserv.games.base import Note
from pbmserv.games.solitaire.triple_town.tiles import (
    BEAR,
    BLANK,
    CHEST,
    CRYSTAL,
    MOUNTAIN,
    NAMES,
    NEIGHBOURS,
    NINJA,
    ROCK,
    TILES,
    TOMBSTONE,
    crystal_at,
    group,
    match,
)
from pbmserv.rng import Rng

_PER_NOTE = 7  #: the most places or steps in one note, to keep it under 80 characters


class Turn:
    """One move while it is carried out. The land changes in place, and points and notes are collected.

    A turn is used only inside `TripleTown.apply`, which makes a new position from its result.
    """

    def __init__(self, land: Sequence[str], score: int, rng: Rng) -> None:
        self.land = list(land)
        self.score = score
        self.notes: list[Note] = []
        self._rng = rng

    def place(self, tile: str, at: int, basic: bool) -> None:
        """T9: put a tile on a blank location, collapse, then let the bears move."""
        if tile == CRYSTAL:
            self._place_crystal(at, basic)
        else:
            self.land[at] = tile
            self.score += TILES[tile].points
        self._multi_collapse(at)
        self._move_ninjas()
        self._move_bears()

    def send_bot(self, at: int) -> None:
        """T10: bears die, a mountain shows its chest, anything else goes."""
        tile = self.land[at]
        self.score = max(0, self.score - (TILES[tile].points if tile else 0))
        left = TOMBSTONE if tile in (BEAR, NINJA) else CHEST if tile == MOUNTAIN else BLANK
        self.land[at] = left
        if left:
            self.tell(f"The imperial-bot makes a {TILES[left].name} of the {TILES[tile].name} at {_name(at)}.")
            self._multi_collapse(at)
        elif tile:
            self.tell(f"The imperial-bot removes the {TILES[tile].name} at {_name(at)}.")
        else:
            self.tell(f"The imperial-bot finds nothing at {_name(at)}.")

    def claim(self, at: int) -> None:
        """T11: take a chest away."""
        self.tell(f"The {TILES[self.land[at]].name} at {_name(at)} is claimed.")
        self.land[at] = BLANK

    def tell(self, text: str) -> None:
        """Add a note for everybody."""
        self.notes.append(Note(text))

    def _place_crystal(self, at: int, basic: bool) -> None:
        """T16. The basic game knows no rocks."""
        stands_for = crystal_at(self.land, at)
        if stands_for:
            self.tell(f"The crystal at {_name(at)} becomes: {TILES[stands_for].name}.")
        elif basic:
            self.tell(f"The crystal at {_name(at)} matches nothing and is spent.")
        else:
            self.tell(f"The crystal at {_name(at)} matches nothing and becomes a rock.")
        self.land[at] = stands_for or (BLANK if basic else ROCK)

    def _multi_collapse(self, at: int) -> None:
        """T17-T21, in the seed's order."""
        self._collapse(at)
        self._bury([] if BLANK in self.land else self._all(NINJA), "No blank is left, so these become tombstones")
        self._bury(self._trapped_bears(), "Trapped, so these become tombstones")
        self._collapse(at)
        for location, tile in enumerate(self.land):  # the land changes during the loop: some tombstones disappear
            if tile == TOMBSTONE:
                self._collapse(location)

    def _collapse(self, at: int) -> None:
        """Collapse at one location until there is no match (T15); more than enough tiles count double (T29)."""
        while members := match(self.land, at):
            old = TILES[self.land[at]]
            new = TILES[old.becomes]
            for location in members:
                self.land[location] = BLANK
            self.land[at] = new.code
            self.score += new.points * (2 if len(members) > old.needed else 1)
            self.tell(f"{len(members)} {old.plural} make a {new.name} at {_name(at)}.")

    def _trapped_bears(self) -> list[int]:
        """T19: return the bears without a path of bears to a blank or a ninja-bear. All are judged at the same time."""
        return [bear for bear in self._all(BEAR) if not self._has_way_out(bear)]

    def _has_way_out(self, bear: int) -> bool:
        land = self.land
        if BLANK in [land[n] for n in NEIGHBOURS[bear]]:  # so it is nearly always
            return True
        return any(land[n] in (BLANK, NINJA) for b in group(land, bear) for n in NEIGHBOURS[b])

    def _bury(self, bears: Sequence[int], why: str) -> None:
        for bear in bears:
            self.land[bear] = TOMBSTONE
        self._list(why, [_name(b) for b in bears])

    def _move_ninjas(self) -> None:
        """T23: each ninja-bear jumps to any blank. There is always a blank, because of T18."""
        jumps = [self._go(ninja, self._all(BLANK)) for ninja in self._all(NINJA)]
        self._list("Ninja-bears jump", jumps)

    def _move_bears(self) -> None:
        """T24: each bear that can goes to an adjacent blank."""
        steps = []
        for bear in self._all(BEAR):
            if blanks := [n for n in NEIGHBOURS[bear] if self.land[n] == BLANK]:
                steps.append(self._go(bear, blanks))
        self._list("Bears move", steps)

    def _go(self, bear: int, blanks: Sequence[int]) -> str:
        to = self._rng.choice(blanks)
        self.land[to], self.land[bear] = self.land[bear], BLANK
        return f"{_name(bear)}-{_name(to)}"

    def _all(self, tile: str) -> list[int]:
        if tile not in self.land:  # mostly so, and much faster to find out
            return []
        return [location for location, there in enumerate(self.land) if there == tile]

    def _list(self, what: str, items: Sequence[str]) -> None:
        for start in range(0, len(items), _PER_NOTE):
            self.tell(f"{what}: {', '.join(items[start : start + _PER_NOTE])}.")


def _name(location: int) -> str:
    return NAMES[location].upper()
