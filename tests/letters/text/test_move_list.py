"""The table of moves in a board letter."""

import pytest

from pbmserv.games import find
from pbmserv.games.base import Note
from pbmserv.games.base.log import Entry, Kind
from pbmserv.games.race.backgammon.situation import Position
from pbmserv.letters.text import move_list
from pbmserv.rng import Rng
from tests.world import RENDERER, World


def test_its_columns_line_up_from_the_hundredth_round_on(world: World) -> None:
    world.board("alice", "bob")
    played = [Entry(n % 2, Kind.MOVE, f"m{n}", n + 1) for n in range(204)]
    rounds = move_list.table(world.row(), played, rounds=None).splitlines()[2:]
    assert (rounds[8], rounds[99]) == (" 9  m16              m17", "100 m198             m199")
    assert {(line.index("m"), line.rindex("m")) for line in rounds} == {(4, 21)}


@pytest.mark.parametrize(("game", "options"), [("3io", ""), ("trippples", "-d")])
def test_it_fits_a_telephone_with_four_players(world: World, game: str, options: str) -> None:
    world.board("alice", "bob", "maximilian_the_2", "dora", game=game, options=options)
    world.play(each=1)
    row, log = world.row(), world.query(lambda s: s.boards.entries(101))
    lines = move_list.table(row, log, None).split("\n")
    assert max(map(len, lines)) <= 45
    assert "maximilia" in lines[1 if game == "3io" else 2]


def test_a_turn_of_many_moves_goes_on_below_itself(world: World) -> None:
    world.board("alice", "bob")
    played = [Entry(seat, Kind.MOVE, f"a{n}-a{n + 1}", n) for n, seat in enumerate([0, 1, 1, 1, 1, 0], 1)]
    assert move_list.table(world.row(), played, rounds=None).splitlines()[2:] == [
        " 1  a1-a2            a2-a3 a3-a4",
        "                     a4-a5 a5-a6",
        " 2  a6-a7",
    ]


@pytest.mark.parametrize(
    ("game", "moves", "cells", "aloud"),
    [
        (
            "chess",
            ["e2e4", "d7d5", "e4d5", "d8d5", "g1f3", "d5e4"],
            " 3  Nf3              Qe4+",
            ["Zug 3, alice: Bauer e schlägt d5", "Zug 5, alice: Springer f3", "Zug 6, bob: Dame e4, Schach"],
        ),
        (
            "draughts",
            ["11-15", "22-18", "15x22", "26x17"],
            " 2  15x22            26x17",
            ["Zug 3, alice: 15 schlägt 22"],
        ),
        ("amazons", ["d1-d7/g7"], " 1  d1-d7/g7", ["Zug 1, alice: d1 nach d7, Pfeil g7"]),
        ("go", ["d4", "pass"], " 1  D4               pass", ["Zug 1, alice: D4", "Zug 2, bob: pass"]),
    ],
)
def test_moves_are_written_as_players_of_the_game_write_them(
    world: World, game: str, moves: list[str], cells: str, aloud: list[str]
) -> None:
    number = world.board("alice", "bob", game=game)
    for ply, move in enumerate(moves):
        world.mail(who := ("alice", "bob")[ply % 2], f"{game} move {number} {who} {who}-secret {move}")
    row, log = world.row(number), world.query(lambda s: s.boards.entries(number))
    assert [entry.text for entry in log] == moves  # programs read them as before
    assert move_list.table(row, log, rounds=1).splitlines()[-1] == cells
    heard = move_list.spoken(row, log, None, RENDERER.to("de").say).splitlines()
    assert [line for line in heard if line in aloud] == aloud


def test_what_a_move_brought_is_heard_in_words(world: World) -> None:
    world.board("alice", "bob", game="backgammon")
    entry = Entry(1, Kind.MOVE, "13/7*/1(2)", 6, notes=(Note("White rolls 6 and 1."),))
    (told,) = move_list.events([entry], None, world.row(), RENDERER.to("de").say, heard=True)
    assert told == "Zug 6, bob: 13 nach 7 schlägt nach 1\n  zweimal. Weiß würfelt 6 und 1."


def test_a_turn_of_backgammon_stands_with_blanks_and_is_heard_as_a_way() -> None:
    game, position = find("backgammon"), Position(dice=(3, 1))
    written = game.written(position, 0, "8/5+6/5")
    assert (written, game.parse(position, 0, written)) == ("8/5 6/5", "8/5+6/5")
    assert game.spoken("bar/20* 6/5") == "bar to 20 hits, 6 to 5"
    assert game.spoken("31: 8/5 6/5") == "31: 8 to 5, 6 to 5"
    assert not game.is_move(game.normalise("16/15: 14/13"))  # and not 16/14/13 after dice


@pytest.mark.parametrize("key", ["backgammon", "tabula"])
def test_the_table_of_moves_has_the_dice(key: str) -> None:
    game = find(key)
    position = game.setup({}, 2, Rng("5eed", 0))
    (seat,) = game.to_move(position)
    text = game.example(position, seat)
    noted = game.logged(position, seat, text)
    assert noted == f"{''.join(map(str, position.dice))}: {text.replace('+', ' ')}"
    assert game.parse(position, seat, noted) == text
