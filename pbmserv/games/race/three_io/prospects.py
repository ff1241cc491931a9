"""What a position of 3io promises to a seat, in points: for robots.

The numbers were found by robots that played against each other.
"""

from pbmserv.games.race.three_io.tiles import FEATURES, GRID, KINDS, Sectors, multiplier_at

_WAITING = 0.9  #: what crew on the board would earn at once, and has not earned yet
_BOUND = 3.0  #: what crew on the board costs on an empty board, because it cannot go elsewhere
_HOPE = 2.25  #: the multiplier that a tile with an empty neighbour gets on average
_IN_HAND = 0.6  #: the points of the tile in hand, if there is crew for it
_LATE = 4  #: with no more empty sectors there is no hope
_NEIGHBOURS = tuple(GRID.neighbours(square) for square in range(GRID.size))


def prospects(scores: tuple[int, ...], hands: tuple[tuple[int, ...], ...], sectors: Sectors, crew: int) -> list[float]:
    """Return the points of each seat with what it may still earn. `crew`: how many each seat has."""
    empty = sum(tile is None for tile in sectors)
    hope = _HOPE if empty > _LATE else 1.0
    open_to = {n for square, tile in enumerate(sectors) if tile is None for n in _NEIGHBOURS[square]}
    values, used, best = [float(score) for score in scores], [0] * len(scores), hope
    for square, tile in enumerate(sectors):
        if tile is None:
            continue
        is_open = square in open_to
        if is_open:
            best = max(best, FEATURES[tile.feature].multiplier)
        if tile.crew:
            factor = max(multiplier_at(sectors, square), hope if is_open else 1.0)
            worth = _WAITING * (FEATURES[tile.feature].points + tile.tokens) * factor - _BOUND * empty / GRID.size
            for seat in tile.crew:
                values[seat] += worth
                used[seat] += 1
    for seat, hand in enumerate(hands):
        if hand and empty > _LATE and used[seat] < crew:
            values[seat] += _IN_HAND * max(KINDS[kind].dark.points for kind in hand) * best
    return values
