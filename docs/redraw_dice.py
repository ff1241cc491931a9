"""Draws all chance of a finished board again, from the file of its record. It needs nothing but Python.

    python3 redraw_dice.py board.json

It checks that the seed is the one that was promised, and compares each draw with what the record tells of it. The order
of the choices is that of the page dice.md. Each game is here as far as its choices depend on it, and no further.
"""

import json
import re
import sys
from collections.abc import Sequence
from copy import deepcopy
from hashlib import blake2b, sha256
from itertools import combinations
from typing import Any


class Numbers:
    """The row of numbers of one ply. `row`: `12`, or `12/resign0` for a seat that leaves after ply 11."""

    def __init__(self, seed: str, row: str) -> None:
        self.start, self.i = f"{seed}/{row}/", 0

    def choose(self, n: int) -> int:
        while n > 1:
            x = int.from_bytes(blake2b(f"{self.start}{self.i}".encode(), digest_size=8).digest(), "big")
            self.i += 1
            if x < 2**64 - 2**64 % n:
                return x % n
        return 0

    def one(self, items: Sequence[Any]) -> Any:
        return items[self.choose(len(items))]

    def weighted(self, weights: Sequence[int]) -> int:
        places = [place for place, weight in enumerate(weights) for _ in range(weight)]
        return places[self.choose(len(places))]


class Game:
    """What chance decides in one game. Each method returns what it drew. `told`: what the record tells of the move.

    In what is drawn, each word (with _ for a blank) is something that the record tells, too, except at the beginning.
    """

    def __init__(self, options: dict[str, str], seats: int, origin: dict[str, Any] | None) -> None:
        self.options, self.seats = options, seats
        self.__dict__.update(deepcopy(origin or {}))

    def begin(self, numbers: Numbers) -> str:
        return ""

    def move(self, seat: int, text: str, told: str, numbers: Numbers) -> str:
        return ""

    def leave(self, seat: int, numbers: Numbers) -> str:
        return ""


class Town(Game):
    names = "A5 B6 A4 B5 C6 A3 B4 C5 D6 A2 B3 C4 D5 E6 A1 B2 C3 D4 E5 F6".split()
    names += "B1 C2 D3 E4 F5 C1 D2 E3 F4 D1 E2 F3 E1 F2 F1".split()
    drawn = {"Gr": 61, "Bu": 15, "Tr": 2, "Hu": 1, "Cr": 2, "Bo": 3, "Be": 15, "NB": 1}
    words = {"Gr": "grass", "Bu": "bush", "Tr": "tree", "Hu": "hut", "Cr": "crystal", "Bo": "imperial-bot"}
    words |= {"Be": "bear", "NB": "ninja-bear"}
    made = {"Gr": "Bu", "Bu": "Tr", "Tr": "Hu", "Hu": "Ho", "Ho": "Ma", "Ma": "Ca", "Ca": "FC", "FC": "3C"}
    made |= {"To": "Ch", "Ch": "Ct", "Ct": "Cs", "Cs": "LC", "Ro": "Mo", "Mo": "LC"}
    crystal = ("FC", "Cs", "Ca", "Ma", "Ct", "Ho", "Ch", "Hu", "To", "Tr", "Bu", "Gr")
    land: list[str]
    tile = stored = ""

    def begin(self, numbers: Numbers) -> str:
        self.land = [""] * len(self.names)
        return self.next_tile(numbers)

    def move(self, seat: int, text: str, told: str, numbers: Numbers) -> str:
        if text == "store":
            self.tile, self.stored = self.stored, self.tile
            return "" if self.tile else self.next_tile(numbers)
        at, tile = self.names.index(text.upper()), self.tile
        if tile == "Bo":
            old = self.land[at]
            self.land[at] = "To" if old in ("Be", "NB") else "Cs" if old == "Mo" else ""
            if self.land[at]:
                self.collapse_all(at)
            return self.next_tile(numbers)
        if self.land[at] in ("Cs", "LC"):
            self.land[at] = ""
            return ""
        self.land[at] = self.crystal_at(at) if tile == "Cr" else tile
        self.collapse_all(at)
        jumps = [self.go(bear, self.all(""), numbers) for bear in self.all("NB")]
        for bear in self.all("Be"):
            if blanks := [n for n in self.around(bear) if not self.land[n]]:
                jumps.append(self.go(bear, blanks, numbers))
        return " ".join([*jumps, self.next_tile(numbers)])

    def next_tile(self, numbers: Numbers) -> str:
        weights = {t: w for t, w in self.drawn.items() if "b" not in self.options or t not in ("Be", "NB")}
        self.tile = list(weights)[numbers.weighted(list(weights.values()))]
        return f"next_tile_is:_{self.words[self.tile]}"

    def go(self, bear: int, blanks: list[int], numbers: Numbers) -> str:
        to = numbers.one(blanks)
        self.land[to], self.land[bear] = self.land[bear], ""
        return f"{self.names[bear]}-{self.names[to]}"

    def all(self, tile: str) -> list[int]:
        return [place for place, found in enumerate(self.land) if found == tile]

    def around(self, place: int) -> list[int]:
        """The neighbours in the order north, east, south, west."""
        column, row = ord(self.names[place][0]), int(self.names[place][1])
        near = ((column, row + 1), (column + 1, row), (column, row - 1), (column - 1, row))
        return [self.names.index(name) for c, r in near if (name := f"{chr(c)}{r}") in self.names]

    def group(self, at: int) -> list[int]:
        found = [at]
        for place in found:  # the list grows during the loop
            found += [n for n in self.around(place) if self.land[n] == self.land[at] and n not in found]
        return found

    def matches(self, at: int) -> list[int]:
        found = self.group(at)
        return found if self.land[at] in self.made and len(found) >= (4 if self.land[at] == "FC" else 3) else []

    def crystal_at(self, at: int) -> str:
        for tile in self.crystal:
            self.land[at] = tile
            if self.matches(at):
                return tile
        return "" if "b" in self.options else "Ro"

    def collapse(self, at: int) -> None:
        while found := self.matches(at):
            new = self.made[self.land[at]]
            for place in found:
                self.land[place] = ""
            self.land[at] = new

    def collapse_all(self, at: int) -> None:
        self.collapse(at)
        for ninja in [] if "" in self.land else self.all("NB"):
            self.land[ninja] = "To"
        trapped = [bear for bear in self.all("Be") if not self.has_way_out(bear)]
        for bear in trapped:
            self.land[bear] = "To"
        self.collapse(at)
        for place in range(len(self.land)):
            if self.land[place] == "To":
                self.collapse(place)

    def has_way_out(self, bear: int) -> bool:
        return any(self.land[n] in ("", "NB") for place in self.group(bear) for n in self.around(place))


class Threes(Game):
    rows = ((12, 13, 14, 15), (8, 9, 10, 11), (4, 5, 6, 7), (0, 1, 2, 3))  #: squares are counted from A1
    columns = ((12, 8, 4, 0), (13, 9, 5, 1), (14, 10, 6, 2), (15, 11, 7, 3))
    lines = {"w": columns, "a": rows, "s": [c[::-1] for c in columns], "d": [r[::-1] for r in rows]}
    cards: list[int]
    bag: list[int]
    coming: int

    def begin(self, numbers: Numbers) -> str:
        while not self.opened(numbers):
            pass
        self.decide(numbers)
        return f"cards {self.cards}, next {self.coming}"

    def opened(self, numbers: Numbers) -> bool:
        self.cards, self.bag = [0] * 16, [4, 4, 4]
        for dealt in range(9):
            way = numbers.one("wasd")
            self.push(way)
            if 16 - self.cards.count(0) < dealt:
                return False
            card = self.from_bag(numbers)
            self.cards[numbers.one([line[-1] for line in self.lines[way] if not self.cards[line[-1]]])] = card
        return True

    def push(self, way: str) -> list[int]:
        """Push the cards, and return the far ends of the lines that moved."""
        ends = []
        for line in self.lines[way]:
            cards = [self.cards[square] for square in line]
            for n in range(3):
                near, far = cards[n], cards[n + 1]
                if any(cards[n + 1 :]) and (not near or near == far >= 3 or {near, far} == {1, 2}):
                    pushed = [*cards[:n], near + far, *cards[n + 2 :], 0]
                    for square, card in zip(line, pushed, strict=True):
                        self.cards[square] = card
                    ends.append(line[-1])
                    break
        return ends

    def from_bag(self, numbers: Numbers) -> int:
        if not any(self.bag):
            self.bag = [4, 4, 4]
        card = numbers.weighted(self.bag)
        self.bag[card] -= 1
        return card + 1

    def decide(self, numbers: Numbers) -> None:
        high = max(self.cards)
        if high >= 48 and numbers.choose(21) == 0:
            self.coming = numbers.one([6 << n for n in range((high // 48).bit_length())])
        else:
            self.coming = self.from_bag(numbers)

    def move(self, seat: int, text: str, told: str, numbers: Numbers) -> str:
        entry, came = numbers.one(self.push(text)), self.coming
        self.cards[entry] = came
        self.decide(numbers)
        line = f"row {entry // 4 + 1}" if text in "ad" else f"column {'ABCD'[entry % 4]}"
        coming = self.coming if self.coming < 4 else "plus"
        return f"A_{came}_came_in_on_{line.replace(' ', '_')} The_next_card_is_a_{coming}"


class ThreeIO(Game):
    kinds = ("dust", "planet", "galaxy", "probe", "station", "singularity")
    fused = {"dust": (0, 0), "rocks": (0, 1), "planets": (1, 0), "suns": (1, 1), "galaxies": (2, 0), "probes": (3, 0)}
    fused |= {"colonies": (3, 1), "stations": (4, 0), "spheres": (4, 1), "singularities": (5, 0)}
    turn, out = 0, list[int]()

    def begin(self, numbers: Numbers) -> str:
        self.hands, self.box = [[0] for _ in range(self.seats)], [36 - self.seats, 6, 3, 24, 4, 2]
        self.sectors: list[Any] = [None] * 36
        return self.draw(numbers) if "quick" in self.options else ""

    def draw(self, numbers: Numbers) -> str:
        kind = numbers.weighted(self.box)
        self.box[kind] -= 1
        self.hands[self.turn].append(kind)
        return self.kinds[kind]

    def put_back(self) -> None:
        for kind in self.hands[self.turn][1:]:
            self.box[kind] += 1
        del self.hands[self.turn][1:]

    def move(self, seat: int, text: str, told: str, numbers: Numbers) -> str:
        if text == "draw":
            return self.draw(numbers)
        if text[0] == "s":
            self.put_back()
        else:
            del self.hands[self.turn][int(text[0]) - 1]
            self.sectors[self.sectors.index(None)] = {}  # how many squares are taken is enough
        for size, name in re.findall(r"(\d+) ([a-z]+) fused", told):
            kind, light = self.fused[name]
            self.box[kind] += int(size) - 1 + light
            if light and self.box[kind + 1]:
                self.box[kind + 1] -= 1
            taken = [square for square, tile in enumerate(self.sectors) if tile is not None]
            for square in taken[: int(size) - 1]:
                self.sectors[square] = None
        return self.pass_on(numbers)

    def pass_on(self, numbers: Numbers) -> str:
        if None not in self.sectors:
            return ""
        seats = range(self.turn + 1, self.turn + self.seats)
        self.turn = next(seat % self.seats for seat in seats if seat % self.seats not in self.out)
        return self.draw(numbers) if "quick" in self.options else ""

    def leave(self, seat: int, numbers: Numbers) -> str:
        self.out = [*self.out, seat]
        if seat != self.turn:
            return ""
        self.put_back()
        return self.pass_on(numbers)


class Trippples(Game):
    triples = ["".join(three) for three in combinations("89632147", 3)]  #: N NE E SE S SW W NW on a keypad
    pile: list[str]

    def begin(self, numbers: Numbers) -> str:
        self.pile = self.triples + ["neutral"] * (4 * ("h" in self.options or "i" in self.options))
        if "p" in self.options:
            return self.show(numbers)
        for k in range(len(self.pile) - 1, 0, -1):
            j = numbers.choose(k + 1)
            self.pile[k], self.pile[j] = self.pile[j], self.pile[k]
        return " ".join(self.pile)

    def show(self, numbers: Numbers) -> str:
        self.shown = self.pile.pop(numbers.choose(len(self.pile)))
        return self.shown

    def move(self, seat: int, text: str, told: str, numbers: Numbers) -> str:
        return self.show(numbers) if "p" in self.options and self.pile else ""


class Chess(Game):
    rank = ""

    def begin(self, numbers: Numbers) -> str:
        if "960" not in self.options:
            return ""
        number = numbers.choose(960)
        rest, light = divmod(number, 4)
        rest, dark = divmod(rest, 4)
        knights, queen = divmod(rest, 6)
        files = dict.fromkeys("abcdefgh", "")
        files["bdfh"[light]] = files["aceg"[dark]] = "B"
        files[[file for file, man in files.items() if not man][queen]] = "Q"
        for file in list(combinations([file for file, man in files.items() if not man], 2))[knights]:
            files[file] = "N"
        for file, man in zip([file for file, man in files.items() if not man], "RKR", strict=True):
            files[file] = man
        self.rank = "".join(files.values())
        return f"position {number}: {self.rank}"


class Backgammon(Game):
    """How often the dice were rolled is what the record tells."""

    turn, dice, count = 0, list[int](), 2

    def begin(self, numbers: Numbers) -> str:
        white = black = 0
        while white == black:
            white, black = (1 + numbers.choose(6) for _ in range(2))
        self.turn, self.dice = int(black > white), sorted((white, black), reverse=True)
        return f"{('White', 'Black')[self.turn]} begins the next game with {self.dice[0]} and {self.dice[1]}"

    def move(self, seat: int, text: str, told: str, numbers: Numbers) -> str:
        found = []
        for who, what in re.findall(r"(White|Black) (rolls|begins the next game)", told):
            if what != "rolls":
                found.append(self.begin(numbers))
                continue
            found.append(f"{who} rolls {self.roll(numbers)}")
        return " ".join(text.replace(" ", "_") for text in found)

    def roll(self, numbers: Numbers) -> str:
        *most, lowest = sorted((1 + numbers.choose(6) for _ in range(self.count)), reverse=True)
        return f"{', '.join(map(str, most))} and {lowest}"


class Tables(Backgammon):
    """Who begins rolls anew."""

    def begin(self, numbers: Numbers) -> str:
        super().begin(numbers)
        return f"{('White', 'Black')[self.turn]} rolls {self.roll(numbers)}"


class Tabula(Tables):
    count = 3


class SeaBattle(Game):
    fleets: list[list[str]]

    def begin(self, numbers: Numbers) -> str:
        self.fleets = [[], []]
        return ""

    def move(self, seat: int, text: str, told: str, numbers: Numbers) -> str:
        fleet = self.fleets[seat]
        if text == "again":
            fleet.clear()
        elif "-" in text:
            fleet.append(text)
        elif text == "random":
            placed = len(fleet)
            for length in (5, 4, 3, 3, 2)[placed:]:
                taken = {square for ship in fleet for square in self.squares(ship)}
                fleet.append(numbers.one([way for way in self.ways(length) if not taken & set(self.squares(way))]))
            return " ".join(fleet[placed:])
        return ""

    def ways(self, length: int) -> list[str]:
        found = []
        for number in range(100):
            file, rank = number % 10, number // 10
            first = f"{chr(97 + file)}{rank + 1}"
            if file + length <= 10:
                found.append(f"{first}-{chr(97 + file + length - 1)}{rank + 1}")
            if rank + length <= 10:
                found.append(f"{first}-{chr(97 + file)}{rank + length}")
        return found

    def squares(self, ship: str) -> list[str]:
        one, other = ship.split("-")
        files, ranks = range(ord(one[0]), ord(other[0]) + 1), range(int(one[1:]), int(other[1:]) + 1)
        return [f"{chr(file)}{rank}" for file in files for rank in ranks]


GAMES: dict[str, type[Game]] = {
    "town": Town,
    "threes": Threes,
    "3io": ThreeIO,
    "trippples": Trippples,
    "chess": Chess,
    **dict.fromkeys(("backgammon", "nackgammon", "hypergammon", "longgammon"), Backgammon),
    **dict.fromkeys(("portes", "irish", "dutch", "plakoto", "tapa", "fevga", "longnard"), Tables),
    "tabula": Tabula,
    "battleship": SeaBattle,
}


class Board:
    """A board that is drawn again, entry by entry of its record."""

    def __init__(self, record: dict[str, Any]) -> None:
        demand(record["seed"], "The board is not over, so its record has no seed yet.")
        promised = sha256(record["seed"].encode()).hexdigest() == record["commitment"]
        demand(promised, "This is not the seed that was promised.")
        demand(record["game"] in GAMES, f"{record['game']} has no chance, or it is not a game that this script knows.")
        self.record, self.seats, self.found = record, len(record["players"]), list[str]()
        self.out, self.words = list[int](), [""] * self.seats
        self.waits = record["settings"].get("dice") == "shared"
        self.seed: str = record["seed"]
        self.game = GAMES[record["game"]](record["options"], self.seats, record["origin"])
        self.plies: dict[int, Game] = {}  #: as it was after each ply
        if not self.waits:
            self.set_up()

    def set_up(self) -> None:
        if self.record["settings"].get("dice") == "shared":
            self.seed = sha256("\n".join([self.record["seed"], *self.words]).encode()).hexdigest()
            self.found.append(f"the seed of all is {self.seed}")
        if self.record["origin"] is None:
            self.note("ply 0", self.game.begin(Numbers(self.seed, "0")))
        for seat in self.out[: self.seats - 2]:
            self.note("ply 0", self.game.leave(seat, Numbers(self.seed, f"1/resign{seat}")))
        self.waits = False
        self.plies[0] = deepcopy(self.game)

    def goes_on(self) -> bool:
        """Whether nobody has won because all others left."""
        return len(self.out) < max(self.seats - 1, 1)

    def note(self, where: str, drawn: str, told: str | None = None) -> None:
        """Note what was drawn, and compare it with what the record tells."""
        if drawn:
            self.found.append(f"{where}: {drawn.replace('_', ' ')}")
        missing = [word for word in drawn.split() if told is not None and word.replace("_", " ") not in told]
        demand(not missing, f"{where}: the record does not tell of {missing}, but: {told}")

    def follow(self, entry: dict[str, Any]) -> None:
        seat, kind, ply, told = entry["seat"], entry["kind"], entry["ply"], " ".join(entry["notes"])
        if kind == "move":
            row, hidden = Numbers(self.seed, str(ply)), entry["text"] == "random"
            self.note(f"ply {ply}", self.game.move(seat, entry["text"], told, row), None if hidden else told)
        elif kind in ("resign", "forfeit"):
            self.out.append(seat)
            row = Numbers(self.seed, f"{ply + 1}/{kind}{seat}")
            if not self.waits and self.goes_on():
                self.note(f"after ply {ply}", self.game.leave(seat, row), told)
        elif kind == "accept" and ply in self.plies:
            self.game = deepcopy(self.plies[ply])
        elif kind == "word":
            self.words[seat] = entry["text"]
        given = all(word or place in self.out for place, word in enumerate(self.words))
        if self.waits and given and self.goes_on():
            self.set_up()
        self.plies[ply] = deepcopy(self.game)


def demand(right: object, why: str) -> None:
    """Raise ValueError if something is not right."""
    if not right:
        raise ValueError(why)


def kept(log: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The entries that no admin has undone."""
    found: list[dict[str, Any]] = []
    left = len(log)
    while left:
        entry = log[left - 1]
        if entry["kind"] == "revert":
            left = int(entry["text"])
        else:
            left -= 1
            found.append(entry)
    return found[::-1]


def redrawn(record: dict[str, Any]) -> Board:
    """Return the board after all its chance was drawn again. Raises ValueError where the record tells of another."""
    board = Board(record)
    for entry in kept(record["log"]):
        board.follow(entry)
    return board


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        print("\n".join(redrawn(json.load(file)).found))
    print("All draws are those of the record.")
