"""All texts of a move: what `named` reads, and what each game says of one move at a time, are two ways to the same."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from pbmserv.conformance.test_notation import _mutated, _some_turns
from pbmserv.games import find
from pbmserv.games.base import AnyGame
from pbmserv.games.capture.chess import san
from pbmserv.games.capture.draughts import Draughts, _parts_of
from pbmserv.games.capture.tumbling_down import GRID, _names
from pbmserv.games.race.backgammon.legs import legs_of
from pbmserv.games.race.backgammon.throws import hits_of, meanings, plays
from pbmserv.games.territory.go import _NAMING, area
from pbmserv.games.territory.go.lattice import lattice_of
from tests.games.race.backgammon_texts import other_texts


def of_backgammon(position: Any, move: str, legal: Sequence[str]) -> Sequence[str]:
    if not position.dice:
        return ("pass",) if move == "drop" else ()
    throw = position.throw
    return [
        text
        for steps in plays(throw)[move]
        for text in other_texts(steps, hits_of(steps, throw.other))
        if move in meanings(throw, legs_of(text))
    ]


def of_draughts(position: Any, move: Any, legal: Sequence[Any]) -> Sequence[str]:
    """All squares of a way, or some of them, if these are not all of another move."""
    taken = {path for other in legal if other != move and move.captured for path in other.paths}
    some = (path for whole in move.paths for path in _parts_of(whole))
    return [Draughts().text(move, path) for path in (*move.paths, *some) if path not in taken]


def of_tumble(position: Any, move: Any, legal: Sequence[Any]) -> Sequence[str]:
    source, letters = GRID.name(move.source), ("t",) if move.tumble else ("", "m")
    targets = [GRID.name(s) for s in range(GRID.size) if _names(move, s)]
    return [f"{source}{dash}{t}{x}" for t in targets for dash in ("-", "") for x in letters]


def of_go(position: Any, move: str, legal: Sequence[str]) -> Sequence[str]:
    if not (naming := _NAMING.fullmatch(move)):
        return ()
    lattice = lattice_of(position.points)
    group = area.groups(position.points)[lattice.numbers[naming[2]]]
    return [f"{naming[1]}{dash}{lattice.names[point]}" for point in group for dash in ("-", "")]


def of_amazons(position: Any, move: str, legal: Sequence[str]) -> Sequence[str]:
    source, target, arrow = move.replace("/", "-").split("-")
    ends = (arrow, f"/{arrow}", f"-{arrow}", f"x{arrow}", f"({arrow})")
    return [f"{source}{dash}{target}{end}" for dash in ("-", "") for end in ends]


def of_steps(position: Any, move: Any, legal: Sequence[Any]) -> Sequence[str]:
    source, target = GRID.name(move.source), GRID.name(move.target)
    return (f"{source}{target}", *[f"{source}-{target}"] * move.captures)


def of_ends(position: Any, move: str, legal: Sequence[str]) -> Sequence[str]:
    one, dash, other = move.partition("-")
    return (f"{one}{other}", f"{other}{one}", f"{other}-{one}") if dash else ()


#: By game: other texts of a legal move than that of `format`; the third argument has all legal moves.
OTHERS: dict[str, Callable[[Any, Any, Sequence[Any]], Sequence[str]]] = {
    "amazons": of_amazons,
    "backgammon": of_backgammon,
    "battleship": of_ends,
    "breakthrough": of_steps,
    "chess": lambda position, move, legal: tuple(san.other_texts(position, move)),
    "dots": of_ends,
    "draughts": of_draughts,
    "four": lambda position, move, legal: (move[0], str(ord(move[0]) - 96)),
    "go": of_go,
    "loa": of_steps,
    "morris": lambda position, move, legal: (find("morris").format(move).replace("-", ""),),
    "oware": lambda position, move, legal: ("abcdef"[move - 6],) if move >= 6 else (),
    "threes": lambda position, move, legal: ({"w": "up", "a": "left", "s": "down", "d": "right"}[move],),
    "town": lambda position, move, legal: ("s", "a6") if move.location is None else (),
    "tumble": of_tumble,
}


@pytest.mark.parametrize("key", OTHERS)
def test_a_text_names_the_moves_that_have_it(key: str) -> None:
    """Texts with a small change name what they say, or nothing."""
    game, random = find(key), Random(1)
    turns = _some_turns(game, slice(None, None, 4))[:6]
    pool = sorted({text for turn in turns for text in turn.texts})
    for turn in turns:
        texts = texts_of(game, turn.before.position, turn.seat)
        for text in (*texts, *pool, *(_mutated(random, pool) for _ in range(200))):
            wanted = game.normalise(text)
            found = game.named(turn.before.position, turn.seat, wanted) if game.is_move(wanted) else ()
            assert sorted(map(game.format, found)) == sorted(map(game.format, texts.get(wanted, ()))), text


def texts_of(game: AnyGame, position: Any, seat: int) -> dict[str, list[Any]]:
    """Return the legal moves by each of their texts."""
    found: dict[str, list[Any]] = {}
    legal = game.legal_moves(position, seat)
    for move in legal:
        for text in {game.normalise(x) for x in (game.format(move), *OTHERS[game.info.key](position, move, legal))}:
            found.setdefault(text, []).append(move)
    return found
