"""Packages of games: a line says what is wrong with a package, and the games of all others still work."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbmserv import games
from pbmserv.admin.game_files import formats
from pbmserv.letters.text.templates import SPOKEN, Renderer
from pbmserv.rng import Rng
from tests.tools.packages import STONES, Shelf

HILL = """
from dataclasses import replace
from pbmserv.games.capture.chess import Chess

class Stones(Chess):
    info = replace(Chess.info, key="stones")
    can_win = legal_moves = lambda *_: True
"""
OURS = [g.info.key for g in games.listed()]


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    made = Shelf(tmp_path / "packages")
    yield made
    made.close()


def keys() -> list[str]:
    return [g.info.key for g in games.listed()]


def test_files_of_other_programs_are_of_our_games(shelf: Shelf) -> None:
    shelf.install(code=HILL.replace("can_win = legal_moves", "other"))
    assert "stones" in keys()
    assert formats()["pgn"].info.key == "chess"


def test_a_package_is_found_by_its_entry_point(shelf: Shelf) -> None:
    assert keys() == OURS
    shelf.install()
    assert (keys(), games.broken()) == ([*OURS, "stones"], [])
    shelf.uninstall()
    assert keys() == OURS


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (
            {"code": STONES.replace("rules=", 'kind="dance", rules=')},
            "ValueError: 'dance' is no kind of game: write one of capture, connection, territory",
        ),
        ({"code": "import no_such_library"}, "ModuleNotFoundError: No module named 'no_such_library'"),
        ({"code": "raise SystemExit(3)"}, "SystemExit: 3"),
        ({"code": "def Stones(:"}, "SyntaxError: invalid syntax (__init__.py, line 2)"),
        ({"code": "def Stones():\n    return {}['x']"}, "KeyError: 'x'"),
        ({"code": "def Stones():\n    raise OSError('a\\nb')"}, "OSError: a b"),
        ({"code": "Stones = dict"}, "TypeError: stones_game:Stones is no pbmserv.games.base.Game with an info"),
        ({"code": STONES.replace("[129]", "[129")}, "rror: unterminated character set at position 0"),
        ({"code": STONES.replace('"stones"', '"Two words"')}, "ValueError: 'Two words' is no key: "),
        (
            {"code": STONES.replace('"stones"', '"tumble"')},
            "ValueError: the key tumble is taken by a game or a help page of pbmserv's",
        ),
        (
            {"templates": False},
            "the game has no `picture`, and the package stones_game has no templates/boards/stones.txt",
        ),
        (
            {"code": STONES + "\n    spellings = worth = guess = sameness = man_of = None\n"},
            "write `named` in place of `spellings` and `evaluate` in place of `worth` and `determinize` in place of "
            "`guess` and `position_key` in place of `sameness` and `piece_of` in place of `man_of`: docs/"
            "adding-a-game.md says how",
        ),
        (
            {"code": STONES + "\n    def public_text(self, text):\n        return text\n"},
            "write `public_text(move, reader)` in place of `public_text(text)`: docs/adding-a-game.md says how",
        ),
        (
            {"code": HILL},
            "`Chess.legal_moves` and `Chess.can_win` cannot be overridden: docs/adding-a-game.md says what a",
        ),
        (
            {"code": "from pbmserv.games.grid import Grid\n" + STONES},
            "import `pbmserv.games.base.grid` in place of `pbmserv.games.grid`: docs/adding-a-game.md says how",
        ),
        ({"code": STONES + "\n__spec__ = None\n"}, "AttributeError: "),  # nobody can find its templates
        ({"entry": "stones = stones_game:Pebbles"}, "AttributeError: "),
        ({"entry": "stones = elsewhere:Stones"}, "ModuleNotFoundError: No module named 'elsewhere'"),
        ({"entry": "stones = "}, ""),
        ({"entry": "stones"}, ""),
        ({"entry": "stones = a b c"}, ""),
    ],
)
def test_one_that_is_broken_harms_no_other(shelf: Shelf, more: dict[str, str], why: str) -> None:
    code = STONES.replace('"stones"', '"pebbles"')
    shelf.install("pebbles", "2.0", code=code, entry="pebbles = pebbles:Stones")
    shelf.install(**more)  # type: ignore[arg-type]
    assert keys() == [*OURS, "pebbles"]
    (broken,) = games.broken()
    assert broken.package == "stones-game 1.0"
    assert why in broken.why
    assert broken.why
    assert "\n" not in broken.why


def test_a_game_with_a_picture_needs_no_diagram(shelf: Shelf) -> None:
    picture = """
    def picture(self, view):
        from pbmserv.games.base import Cell, Picture, Piece
        return Picture(((Cell(pieces=(Piece("grey", "o", view.position.pile),)),),))
"""
    shelf.install(code=STONES + picture, templates=False)
    assert (keys(), games.broken()) == ([*OURS, "stones"], [])
    game = games.find("stones")
    view = game.view(game.setup({}, 2, Rng("", 0)), None)
    assert Renderer().diagram(game, view) == "+----+\n| o6 |\n+----+"
    assert Renderer().diagram(game, view, SPOKEN) == "row 1 cell 1: 6 grey"


@pytest.mark.parametrize("names", [("boards/stones_game.txt",), ("help/stones_game.txt", "de/help/stones_game.txt")])
def test_templates_with_the_name_of_the_module_are_told_their_new_name(shelf: Shelf, names: tuple[str, ...]) -> None:
    shelf.install()
    folder = shelf.folder / "stones_game" / "templates"
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        new = folder / name.replace("stones_game", "stones")
        new.rename(folder / name) if new.exists() else (folder / name).write_text("STEINE")
    shelf.restart()
    assert keys() == OURS
    (broken,) = games.broken()
    listed = ", ".join(f"templates/{name}" for name in names)
    assert broken.why == f"templates are named like the key of their game: rename {listed} to stones.txt"


def test_a_package_may_keep_the_old_names_beside_the_new_ones(shelf: Shelf) -> None:
    """So one release of it works with the version of pbmserv before, too."""
    shelf.install()
    folder = shelf.folder / "stones_game" / "templates"
    for kind in ("boards", "help"):
        (folder / kind / "stones_game.txt").write_text("old")
    shelf.restart()
    assert (keys(), games.broken()) == ([*OURS, "stones"], [])
    game = games.find("stones")
    assert Renderer().diagram(game, game.view(game.setup({}, 2, Rng("", 0)), None)) == "Stones: 6"


def test_the_name_of_another_game_is_no_old_name(shelf: Shelf) -> None:
    """Two games in a module that is called like one of them: only one has a help page."""
    more = "\n\nclass More(Stones):\n    info = __import__('dataclasses').replace(Stones.info, key='more')\n"
    entry = "one = stones:Stones\nmore = stones:More"
    shelf.install("stones", code=STONES + more, entry=entry)
    (shelf.folder / "stones/templates/boards/more.txt").write_text("More: {{ scene.pile }}")
    shelf.restart()
    assert (keys(), games.broken()) == ([*OURS, "more", "stones"], [])


@pytest.mark.parametrize("key", ["dice", "reversi"])
def test_our_help_pages_and_aliases_are_no_keys(shelf: Shelf, key: str) -> None:
    shelf.install(code=STONES.replace('key="stones"', f'key="{key}"'))
    assert [b.why for b in games.broken()] == [
        f"ValueError: the key {key} is taken by a game or a help page of pbmserv's own"
    ]


def test_a_key_that_two_packages_claim_belongs_to_neither(shelf: Shelf) -> None:
    """The server cannot know which of the two has the rules of the existing boards."""
    shelf.install()
    shelf.install("other-stones", "3.1", entry="mine = other_stones:Stones")
    assert keys() == OURS
    assert [(b.name, b.package, b.why.partition(":")[0]) for b in games.broken()] == [
        ("stones", "other-stones 3.1", "stones-game 1.0 has the key stones, too"),
        ("stones", "stones-game 1.0", "other-stones 3.1 has the key stones, too"),
    ]
    shelf.uninstall("other-stones")
    assert (keys(), games.broken()) == ([*OURS, "stones"], [])


def test_one_package_may_bring_several_versions_of_the_rules(shelf: Shelf) -> None:
    old = "\n\nclass Old(Stones):\n    info = __import__('dataclasses').replace(Stones.info, rules=1)\n"
    both = "stones = stones_game:Stones\nstones1 = stones_game:Old"
    shelf.install(code=STONES + old, rules=2, entry=both)
    assert (keys(), games.broken()) == ([*OURS, "stones"], [])
    assert [games.find("stones", n).info.rules for n in (1, 2)] == [1, 2]
    assert games.find("stones").info.rules == 2
    assert isinstance(games.find("stones", 3), games.NotInstalled)


def test_an_alias_never_hides_a_key(shelf: Shelf) -> None:
    shelf.install(code=STONES.replace('key="stones"', 'key="stones", aliases=("tumble", "pile")'))
    assert games.names()["tumble"].info.key == "tumble"
    assert games.names()["pile"].info.key == "stones"


def test_the_package_of_an_exception(shelf: Shelf) -> None:
    shelf.install()
    game = games.find("stones")
    with pytest.raises(ZeroDivisionError) as raised:
        game.apply(game.setup({}, 2, None), 0, 9, None)  # type: ignore[arg-type]
    assert games.blamed(raised.value) == "stones-game 1.0"
    with pytest.raises(KeyError) as ours:
        dict[str, int]()["x"]
    assert games.blamed(ours.value) == ""


def test_what_stands_in_for_a_game_that_is_gone() -> None:
    game = games.find("rummy", 4)
    assert isinstance(game, games.NotInstalled)
    assert game is games.find("rummy", 4)
    assert (game.info.key, game.info.rules, game.info.name) == ("rummy", 4, "rummy (not installed)")
    assert (game.info.hidden, game.to_move(""), game.dump(game.load('{"a": 1}'))) == (True, frozenset(), '{"a": 1}')
    for needs_rules in (
        lambda: game.check({}, 2),
        lambda: game.setup({}, 2, None),  # type: ignore[arg-type]
        lambda: game.legal_moves("", 0),
        lambda: game.apply("", 0, "", None),  # type: ignore[arg-type]
        lambda: game.outcome(""),
        lambda: game.format(""),
        lambda: game.parse("", 0, "e4"),
        lambda: game.retire("", 0, None),  # type: ignore[arg-type]
        lambda: game.teams(2),
    ):
        with pytest.raises(games.GameMissing, match="The game rummy is not installed on this server at the moment"):
            needs_rules()
