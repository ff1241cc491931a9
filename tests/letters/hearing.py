"""Read the descriptions of boards back, as a listener would: from the words alone.

`heard` returns what a description says. `stored` returns the same facts of a position. The description is right when
both are equal.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from pbmserv.games import find
from pbmserv.games.race.three_io import CREW
from pbmserv.games.race.three_io.tiles import FEATURES, KINDS, crew_count
from pbmserv.games.race.trippples.tiles import ARROWS, plan
from pbmserv.games.solitaire.triple_town.tiles import NAMES, TILES

Facts = dict[str, Any]

_COMPASS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
_SQUARE = re.compile(r"[a-z]\d")


def heard(game: str, description: str) -> Facts:
    """Return what a description says."""
    lines = description.replace("\n  ", " ").split("\n")  # the lines that continue a sentence are indented
    return _READERS[game][0](dict(by_place(line.split(": ", 1) for line in lines if ": " in line)))


def by_place(facts: Iterable[Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Yield each fact by its label; `White: a1 b2` says white of both squares, `Row 1: a1 north; b1 south` of each."""
    for label, text in facts:
        if label.startswith("Row ") and _SQUARE.match(text):
            yield from ((told[:2], told[3:]) for told in text.split("; "))
            continue
        squares = text.replace(",", "").split(" ")
        if all(map(_SQUARE.fullmatch, squares)) and not label.startswith("Moves"):
            yield from ((square, label[0].lower() + label[1:]) for square in squares)
        else:
            yield label, text


def stored(game: str, position: Any) -> Facts:
    """Return what the description of a position should say."""
    return _READERS[game][1](position)


def _squares(lines: dict[str, str]) -> dict[str, str]:
    return {label: text for label, text in lines.items() if _SQUARE.fullmatch(label)}


def _hear_tumble(lines: dict[str, str]) -> Facts:
    return {square: text.split(", ") for square, text in _squares(lines).items()}


def _tumble(position: Any) -> Facts:
    colours = {"B": "black", "W": "white"}
    return {
        _name(square, 8): [f"{len(list(men))} {colours[colour]}" for colour, men in groupby(stack)]
        for square, stack in enumerate(position.stacks)
        if stack
    }


def _hear_threes(lines: dict[str, str]) -> Facts:
    rows = [re.sub("empty", "0", lines[f"Row {n}"]).split(", ") for n in (1, 2, 3, 4)]
    return {"cards": [int(card) for row in rows for card in row], "next": lines["Next card"]}


def _threes(position: Any) -> Facts:
    return {"cards": list(position.cards), "next": str(position.coming) if position.coming in (1, 2, 3) else "plus"}


def _hear_town(lines: dict[str, str]) -> Facts:
    facts: Facts = {"tile": lines["Tile to play"], "stored": lines["Storehouse"], **_squares(lines)}
    return facts | {"moves": int(lines["Moves"]), "score": int(lines["Score"])}


def _town(position: Any) -> Facts:
    facts: Facts = {
        "tile": TILES[position.tile].name,
        "stored": TILES[position.stored].name if position.stored else "empty",
        **{name: TILES[code].name for name, code in zip(NAMES, position.land, strict=True) if code},
    }
    return facts | {"moves": position.moves, "score": position.score}


def _hear_three_io(lines: dict[str, str]) -> Facts:
    facts: Facts = {square: _sector(text) for square, text in _squares(lines).items()}
    players = [text for label, text in lines.items() if label.startswith("Player ")]
    return facts | {"players": [_player(text) for text in players], "box": lines["Box"].replace(",", "").split()}


def _sector(text: str) -> tuple[str, list[int], int]:
    crew = re.search(r"crew of players? ([\d and]+)", text)
    tokens = re.search(r"(\d+) tokens?$", text)
    return (
        text.split(",")[0],
        [int(n) for n in re.findall(r"\d+", crew[1])] if crew else [],
        int(tokens[1]) if tokens else 0,
    )


def _player(text: str) -> tuple[int, int, list[str], bool]:
    score, crew = re.search(r"score (\d+)", text), re.search(r"crew left (\d+)", text)
    assert score
    hand = re.findall(r"tile \d ([a-z]+(?: star)?)", text)
    return int(score[1]), int(crew[1]) if crew else -1, hand, text.endswith(", to move")


def _three_io(position: Any) -> Facts:
    turn = find("3io").to_move(position)
    facts: Facts = {
        _name(square, 6): (_feature(tile.feature), [seat + 1 for seat in tile.crew], tile.tokens)
        for square, tile in enumerate(position.sectors)
        if tile
    }
    players = [
        (score, CREW - crew_count(position.sectors, seat), [KINDS[k].dark.name for k in hand], seat in turn)
        if seat not in position.out
        else (score, -1, [], False)
        for seat, (score, hand) in enumerate(zip(position.scores, position.hands, strict=True))
    ]
    box = " ".join(f"{kind.dark.name} {n}" for n, kind in zip(position.box, KINDS, strict=True)).split()
    return facts | {"players": players, "box": box}


def _feature(feature: int) -> str:
    return FEATURES[feature].name.replace("*", " star")


def _hear_trippples(lines: dict[str, str]) -> Facts:
    seats = {label: text for label, text in lines.items() if text.startswith("on ")}
    facts: Facts = {square: _arrows(text) for square, text in _squares(lines).items()}
    places = {label: text for label, text in lines.items() if label.endswith(" places")}
    return facts | {
        "markers": [text[3:5] for text in seats.values()],
        "out": [i for i, text in enumerate(seats.values()) if text.endswith(", has left")],
        "shown": _arrows(next(iter(places.values()))) if places else "",
        "turn": next((label.split()[0] for label in lines if label.endswith((" places", " may go"))), "")
        or lines.get("Free move", ""),
        "free": "Free move" in lines,
        "finishes": [text[14:16] for text in seats.values()],
    }


def _arrows(text: str) -> Any:
    words = text.replace(",", "").split()
    return {_COMPASS.index(word) for word in words} if set(words) <= set(_COMPASS) else words[0]


def _trippples(position: Any) -> Facts:
    names = find("trippples").seat_names(len(position.markers))
    facts: Facts = {_name(square, 8): _tile(tile) for square, tile in enumerate(position.tiles) if tile}
    return facts | {
        "markers": [_name(square, 8) for square in position.markers],
        "out": list(position.out),
        "shown": _tile(position.shown) if position.shown and not position.ending else "",
        "turn": "" if position.ending else names[position.turn],
        "free": position.free and not position.ending,
        "finishes": [_name(square, 8) for square in plan(position.options).finishes],
    }


def _tile(tile: str) -> Any:
    return {"?": "face"}.get(tile) or (set(ARROWS[tile]) if tile.isdigit() else tile)


def _name(square: int, columns: int) -> str:
    return f"{chr(97 + square % columns)}{square // columns + 1}"


_READERS: dict[str, tuple[Callable[[dict[str, str]], Facts], Callable[[Any], Facts]]] = {
    "tumble": (_hear_tumble, _tumble),
    "threes": (_hear_threes, _threes),
    "town": (_hear_town, _town),
    "3io": (_hear_three_io, _three_io),
    "trippples": (_hear_trippples, _trippples),
}
