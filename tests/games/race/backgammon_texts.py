"""All texts of a turn in backgammon, made of its steps."""

from collections.abc import Iterator, Sequence
from itertools import product

from pbmserv.games.race.backgammon.legs import Leg, Step, Steps, joined


def other_texts(steps: Steps, hits: frozenset[int]) -> Iterator[str]:
    """Yield all texts with these steps: men can stop on their way or not, and stars can be left out."""
    for ways in _assembled(sorted(steps, reverse=True)):
        for paths in product(*map(_shown, ways)):
            choices = [_starred(path, hits) for path in paths]
            for stars in product(*choices):
                yield joined(tuple(Leg(path, starred) for path, starred in zip(paths, stars, strict=True)))


def _assembled(steps: Sequence[Step]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield each way to join steps, sorted from the back, to paths."""
    if not steps:
        yield ()
        return
    *before, (place, there) = steps
    for ways in _assembled(before):
        yield (*ways, (place, there))
        for number in {ways.index(way) for way in ways if way[-1] == place}:
            yield (*ways[:number], (*ways[number], there), *ways[number + 1 :])


def _shown(way: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield a path with all points on its way, with some of them, and with none."""
    for shown in product((True, False), repeat=len(way) - 2):
        between = (place for place, is_shown in zip(way[1:-1], shown, strict=True) if is_shown)
        yield (way[0], *between, way[-1])


def _starred(path: Sequence[int], hits: frozenset[int]) -> list[frozenset[int]]:
    """Return each set of stars that a path can have."""
    places = [place for place in path[1:] if place in hits]
    return [
        frozenset(place for place, is_starred in zip(places, starred, strict=True) if is_starred)
        for starred in product((True, False), repeat=len(places))
    ]
