"""Games of tables: all rows together, against a second program from the sentences of the rules, and each check."""

import os
import random
from dataclasses import replace

import pytest

from pbmserv.conformance.checks import CHECKS
from pbmserv.conformance.walks import Setup, Walk, record
from pbmserv.errors import PlayerError
from pbmserv.games import find
from pbmserv.games.families.tables.tables_game import Tables, game_of
from pbmserv.games.families.tables.tables_row import PIN_DOWN, Table
from pbmserv.games.families.tables.tables_rows import ROWS
from pbmserv.games.race.backgammon.legs import legs_of
from pbmserv.games.race.backgammon.places import BAR, OFF, PIN, Men, digits
from pbmserv.games.race.backgammon.situation import Position
from pbmserv.rng import Rng
from tests.games.oracle.tables_by_hand import GAMES, State, Turn
from tests.world import World

_TURNS = 15 * int(os.environ.get("SOAK", "1")) ** 2  #: of each row; `make soak` looks at more
_SPARED = 4 if "SOAK" not in os.environ else 1  #: `make soak` looks at every row
_ROWS = {row.key: row for row in ROWS}


def _game(key: str) -> Tables:
    game = find(key)
    assert isinstance(game, Tables)
    return game


def _told(key: str, men: tuple[Men, Men]) -> State:
    """Return men as the other program has them: of White, then of Black. Who is pinned lies below."""
    white, black = men
    points = list[str]()
    for place in range(BAR - 1, OFF, -1):
        across = _ROWS[key].facing[place]
        below = "".join(
            sign for man, sign, at in ((white, "W", place), (black, "B", across)) if any(man[PIN + at : PIN + at + 1])
        )
        points.append(below * (len(white) > BAR + 1) + "W" * white[place] + "B" * black[across])
    return tuple(points), (white[BAR], black[BAR]), (white[OFF], black[OFF])


def _ours(game: Tables, position: Position) -> set[State]:
    ends = set[State]()
    for text in game.legal_moves(position, position.turn):
        own, other = game.rules.after(position.throw, legs_of(text))
        ends.add(_told(game.info.key, (own, other) if position.turn == 0 else (other, own)))
    return ends


@pytest.mark.slow
@pytest.mark.parametrize("key", GAMES)
def test_turns_are_those_of_a_second_program(key: str) -> None:
    game, luck, turns = _game(key), random.Random(os.environ.get("SEED", "1")), 0
    while turns < _TURNS:
        seed = str(luck.random())
        position = game.setup({}, 2, Rng(seed, 0))
        for ply in range(1, luck.choice((20, 60, 200))):
            legal = game.legal_moves(position, position.turn)
            if ply % 3 == 0 and not (len(set(position.dice)) == 1 and luck.random() < 0.7):
                state = _told(key, (position.of(0), position.of(1)))
                assert _ours(game, position) == Turn(key, state, position.turn, position.dice).ends(), position
                turns += 1
            loud = [text for text in legal if "*" in text or "off" in text]
            text = luck.choice(loud if loud and luck.random() < 0.5 else legal)
            position = game.apply(position, position.turn, text, Rng(seed, ply)).position
            if position.won or turns >= _TURNS:
                break


@pytest.mark.slow
@pytest.mark.parametrize(
    "keys",
    [["hypergammon", "fevga"], pytest.param([row.key for row in ROWS[::_SPARED]], marks=pytest.mark.slow)],
    ids=["two", "more"],
)
def test_every_check_of_conformance(keys: list[str]) -> None:
    for key in keys:
        playthrough = record(find(key), Walk(key, Setup((), 2), 1))
        for check in CHECKS:
            check(playthrough)


def _at(key: str, white: dict[int, int], black: dict[int, int], *dice: int) -> Position:
    """Return a position with men at these places, the others off. Men who are pinned are at PIN + their point."""
    size = len(_ROWS[key].opening)
    men = [[places.get(place, 0) for place in range(size)] for places in (white, black)]
    for own in men:
        own[OFF] = 15 - sum(own)
    return _game(key).position_type((digits(men[0]), digits(men[1])), 0, dice)


#: Key, men of White and of Black, dice, a turn, how it ends, and who wins.
_ENDS = [
    ("portes", {1: 1}, {20: 15}, (2, 1), "1/off", "gammon", 0),
    ("irish", {1: 2}, {20: 14}, (2, 2), "1/off(2)", "single", 0),
    ("plakoto", {5: 14, 3: 1}, {24: 1, 9: 14}, (4, 2), "5/1*+3/1", "mother", 0),
    ("plakoto", {24: 2, 3: 13}, {24: 1, 9: 14}, (2, 1), "3/1*+3/2", "", None),
    ("plakoto", {3: 14, PIN + 24: 1}, {24: 1, 1: 1, 9: 13}, (2, 1), "3/1*+3/2", "mothers", None),
    ("tapa", {5: 14, 3: 1}, {24: 1, 9: 14}, (4, 2), "5/1*+3/1", "", None),
    # Each holds the other's last man, and cannot bear off before it is free.
    ("tapa", {1: 13, 2: 1, PIN + 24: 1}, {1: 14, PIN + 24: 1}, (2, 1), "2/1", "blocked", None),
]


@pytest.mark.parametrize(("key", "white", "black", "dice", "text", "over", "won"), _ENDS)
def test_how_a_game_ends(
    key: str,
    white: dict[int, int],
    black: dict[int, int],
    dice: tuple[int, int],
    text: str,
    over: str,
    won: int | None,
) -> None:
    game, position = _game(key), _at(key, white, black, *dice)
    then = game.apply(position, 0, game.parse(position, 0, text), Rng("end", 1)).position
    assert (game.end(then), game.winner(then) if then.won else None) == (over, won)


@pytest.mark.parametrize(
    ("key", "white", "black", "dice", "text", "why"),
    [
        ("plakoto", {12: 3, PIN + 9: 1}, {16: 1, 20: 9}, (3, 1), "9/6 12/11", "your man on 9 is pinned"),
        ("plakoto", {12: 3, PIN + 9: 1}, {16: 1, 20: 9}, (3, 1), "12/9 12/11", "your opponent holds the point 9"),
        ("fevga", {24: 15}, {24: 15}, (5, 2), "24/19 24/22", "first one man has to pass"),
        ("longnard", {24: 14, 20: 1}, {24: 15}, (5, 2), "24/19 24/22", "only one man may leave your point 24"),
        ("fevga", {24: 2, 23: 2, 22: 2, 21: 2, 20: 3, 5: 4}, {24: 9}, (5, 1), "20/19 20/15", "your first quarter"),
        (
            "longnard",
            {11: 3, 10: 2, 9: 2, 7: 2, 6: 6},
            {24: 15},
            (3, 1),
            "11/8 11/10",
            "six points in a row need a man",
        ),
        ("dutch", {24: 2, 13: 13}, {6: 2, 4: 1}, (3, 1), "24/21 13/12", "only when a man of yours is in your home"),
        ("tabula", {25: 1, 14: 14}, {24: 15}, (6, 5, 3), "bar/19/14 14/11", ""),
        ("tabula", {25: 2, 14: 13}, {1: 15}, (6, 5, 3), "bar/19 14/9", "no man goes beyond 13"),
        ("irish", {13: 15}, {1: 15}, (2, 2), "13/11 13/9", "2 times 2 does not lead there"),
        ("portes", {13: 1, 1: 1}, {13: 2, 6: 2}, (6, 1), "13/7", "both dice can be used, so they must be"),
        ("tabula", {25: 15}, {25: 15}, (4, 3, 1), "bar/24", "3 dice can be used, so they must be"),
        ("portes", {24: 15}, {1: 1}, (5, 1), "24/20/18", "5 and 1 do not lead there"),
        ("plakoto", {24: 15}, {24: 15}, (5, 1), "24/17/24/18", "your men go to lower numbers"),
    ],
)
def test_why_a_turn_is_not_possible(
    key: str, white: dict[int, int], black: dict[int, int], dice: tuple[int, ...], text: str, why: str
) -> None:
    game, position = _game(key), _at(key, white, black, *dice)
    if not why:
        assert game.parse(position, 0, text)
        return
    with pytest.raises(PlayerError) as refused:
        game.parse(position, 0, text)
    assert why in refused.value.text


@pytest.mark.parametrize("key", ["portes", "plakoto", "tabula"])
def test_every_turn_can_be_touched_die_by_die(key: str) -> None:
    """In Tabula men go on while others are outside, in other games they wait."""
    game = _game(key)
    position = game.setup({}, 2, Rng("touched", 0))
    for ply in range(12):
        texts = game.legal_moves(position, position.turn)
        assert [text for text in texts if "/" in text and not list(game.touch_orders(position, text))] == []
        position = game.apply(position, position.turn, texts[len(texts) // 2], Rng("touched", ply + 1)).position


@pytest.mark.parametrize(("text", "turn"), [("13/8/7", "13/8*/7"), ("13/7", "13/7"), ("8/7 13/8", "13/8*/7")])
def test_a_point_that_is_named_on_the_way_is_where_a_man_is_hit(text: str, turn: str) -> None:
    """As in backgammon: the star can be left out, and a way without a hit needs no point."""
    assert _game("portes").parse(_at("portes", {13: 2}, {17: 1}, 5, 1), 0, text) == turn


@pytest.mark.parametrize("text", ["15/9 10/6", "10/6 14/9 15/14", "15/6 10/9", "15/10 10/6 10/9"])
def test_a_position_is_told_in_one_way_only(text: str) -> None:
    game, position = _game("tabula"), _at("tabula", {15: 7, 10: 8}, {24: 15}, 5, 4, 1)
    assert game.parse(position, 0, text) == "15/6+10/9"
    assert "15/6+10/9" in game.legal_moves(position, 0)


def test_a_row_is_a_game() -> None:
    """As docs/adding-a-variant.md shows it."""
    game = game_of(Table("short", "Short", "Four men.", {24: 2, 12: 2}, credit="us.", meets=PIN_DOWN))
    position = replace(game.setup({}, 2, Rng("row", 0)), turn=0, dice=(6, 5))
    assert game.parse(position, 0, "24-18 12-7") == "24/18+12/7"


@pytest.mark.slow
def test_a_turn_that_pins_by_mail(world: World) -> None:
    """Whoever is to move answers as people write: with a blank, and without the star."""
    world.signup("alice", "bob")
    number, text = world.board("alice", "bob", game="plakoto"), ""
    while "*" not in text:
        row = world.row()
        (seat,) = row.board.to_move
        userid = row.players[seat].userid
        text = max(row.board.game.legal_moves(row.board.position, seat), key=lambda text: (text.count("*"), text))
        said = text.replace("+", " ").replace("*", "")
        letters = world.mail(f"{userid}@example.org", f"plakoto move {number} {userid} {userid}-secret {said}")
    assert text.replace("+", " ") in letters[0].text
    assert "Pinned men of" in letters[0].text
