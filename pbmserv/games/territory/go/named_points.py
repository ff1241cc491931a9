"""The points that players of Go call by words: tengen, the star point in the lower left corner, 3-4.

Corners are those of the picture: A is on the left, and row 1 is the lowest. A pair of numbers counts from a corner, so
it is one point or two in each of them.
"""

import re
from collections.abc import Iterator, Sequence

from pbmserv.games.territory.go.lattice import Lattice

_PAIR = re.compile(r"(1?[0-9])[-/,.](1?[0-9])")
_PAIRS = {
    **dict.fromkeys(("san-san", "sansan"), (3, 3)),
    "komoku": (3, 4),
    "takamoku": (4, 5),
    "mokuhazushi": (3, 5),
}
_CENTRE = frozenset(("tengen", "centre", "center", "centerpoint", "mitte", "mittelpunkt"))
_STARS = frozenset(("hoshi", "star", "starpoint", "star-point", "stern", "sternpunkt"))
#: The sides of the board: the axis, 0 for columns, and whether its high end is meant.
_SIDES = {
    **dict.fromkeys(("left", "lefthand", "west", "links", "linke", "linken"), (0, False)),
    **dict.fromkeys(("right", "righthand", "east", "rechts", "rechte", "rechten"), (0, True)),
    **dict.fromkeys(("lower", "bottom", "south", "unten", "untere", "unteren"), (1, False)),
    **dict.fromkeys(("upper", "top", "north", "oben", "obere", "oberen"), (1, True)),
}
_AT_SIDE, _IN_CORNER = frozenset(("side", "edge", "seite")), frozenset(("corner", "ecke"))
#: Words that change nothing. Which corner is the other one, only a player knows.
_BESIDE = (
    "i,i'll,i'd,my,the,a,an,play,playing,take,taking,go,at,in,on,of,to,for,and,this,point,points,invasion,invade,stone,"
    "move,please,pls,then,so,hand,opposite,other,your,empty,open,ich,spiele,setze,nehme,den,der,dem,die,das,"
    "auf,im,ins,punkt,bitte,eröffne,beginne,start,opening,guten,tag,hallo,hello,hi,gegenüberliegende,gegenüberliegenden,andere,anderen"
)
_USUAL = _IN_CORNER | frozenset(_BESIDE.split(","))
_MOST_WORDS = 12
_JOINED = re.compile(r"-(?:(hand)|(?=pun[kc]t|point))")  #: right-hand, 4-4-point


def points_said(text: str, lattice: Lattice) -> Sequence[str]:
    """Return the names of all points that a text in lower case may mean; () if it says anything else, too."""
    words = [word.strip(".,;:!()") for word in _JOINED.sub(lambda m: m[1] or " ", text).split(None, _MOST_WORDS)]
    words = [part for word in words for part in (word.split("-") if word.split("-")[0] in _SIDES else [word]) if part]
    kinds = [points for word in words if (points := list(_of_word(word, lattice)))]
    known = _SIDES.keys() | _AT_SIDE | _USUAL
    if len(kinds) != 1 or len(words) > _MOST_WORDS or sum(word not in known for word in words) != 1:
        return ()
    sides = dict(_SIDES[word] for word in words if word in _SIDES)
    is_side, is_corner = not _AT_SIDE.isdisjoint(words), not _IN_CORNER.isdisjoint(words)
    half = lattice.size // 2
    return [
        lattice.names[y * lattice.size + x]
        for x, y in kinds[0]
        if all(((x, y)[axis] - half) * (1 if high else -1) > 0 for axis, high in sides.items())
        and not ((is_corner or len(sides) > 1) and half in (x, y))
        and not (is_side and half not in (x, y))
    ]


def _of_word(word: str, lattice: Lattice) -> Iterator[tuple[int, int]]:
    """Yield the columns and rows that a word alone may mean."""
    last, match = lattice.size - 1, _PAIR.fullmatch(word)
    pair = (int(match[1]), int(match[2])) if match else _PAIRS.get(word)
    if word in _CENTRE:
        yield last // 2, last // 2
    elif word in _STARS:
        yield from ((point % lattice.size, point // lattice.size) for point in sorted(lattice.stars))
    elif pair and all(1 <= number <= last // 2 for number in pair):
        for across, up in sorted({pair, pair[::-1]}):
            yield from ((x, y) for y in (up - 1, last - up + 1) for x in (across - 1, last - across + 1))
