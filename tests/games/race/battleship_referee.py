"""A second implementation of Sea Battle: two umpires with sets of squares. It shares no code with the first."""

from dataclasses import dataclass, field

Square = tuple[str, int]  #: column and row: ("a", 1)

COLUMNS = "abcdefghij"
SEA = {(column, row) for column in COLUMNS for row in range(1, 11)}
FLEET = (("carrier", 5), ("frigate", 4), ("destroyer", 3), ("submarine", 3), ("gunboat", 2))


def named(square: Square) -> str:
    return f"{square[0]}{square[1]}"


def read(name: str) -> Square:
    return name[0], int(name[1:])


def along(one: Square, other: Square) -> set[Square]:
    """All squares between two that share a column or a row."""
    columns = sorted(COLUMNS.index(square[0]) for square in (one, other))
    rows = sorted(square[1] for square in (one, other))
    return {(COLUMNS[c], r) for c in range(columns[0], columns[1] + 1) for r in range(rows[0], rows[1] + 1)}


@dataclass
class Umpire:
    """Knows the sea of one player."""

    ships: dict[str, set[Square]] = field(default_factory=dict)
    shot: set[Square] = field(default_factory=set)

    def wanted(self) -> set[str]:
        """Every way to place the next ship, as text."""
        _, length = FLEET[len(self.ships)]
        taken = set().union(*self.ships.values())
        found = set()
        for column, row in SEA:
            for ahead in ((column, row + length - 1), (chr(ord(column) + length - 1), row)):
                if ahead in SEA and not along((column, row), ahead) & taken:
                    found.add(f"{named((column, row))}-{named(ahead)}")
        return found

    def place(self, text: str) -> None:
        one, other = text.split("-")
        self.ships[FLEET[len(self.ships)][0]] = along(read(one), read(other))

    def answer(self, square: Square) -> str:
        """What the player calls out after a shot."""
        self.shot.add(square)
        for name, squares in self.ships.items():
            if square in squares:
                return f"Hit, and the {name} sinks." if squares <= self.shot else "Hit."
        return "Miss."

    def afloat(self) -> int:
        return sum(not squares <= self.shot for squares in self.ships.values())
