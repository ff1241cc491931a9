"""The templates of a language: all exist and have the same placeholders. The operator's own come before ours."""

from collections.abc import Iterator
from pathlib import Path

import jinja2
import pytest
from jinja2 import nodes

from pbmserv import games, paths
from pbmserv.commands import COMMANDS
from pbmserv.games.base import AnyGame
from pbmserv.letters.pictures.diagrams import said
from pbmserv.letters.text.templates import WIDTH, Renderer, template_of
from tests.web.browser import browse, words
from tests.web.touching import HOME, own_page
from tests.world import RENDERER, World

ENGLISH = paths.data("templates")
GERMAN = ENGLISH / "de"
#: Templates that have no words of their own.
WORDLESS = {
    *("mail/answer.txt", "mail/page.txt", "mail/position.txt", "mail/letter.html"),
    *("boards/tumble.txt", "boards/dots.txt", "boards/go.txt"),
    *("boards/battleship.txt", "spoken/battleship.txt"),
    *("boards/any-squares.txt", "boards/any-hexes.txt", "boards/any-below.txt"),
}
NAMES = sorted(
    str(f.relative_to(ENGLISH)) for kind in ("mail", "boards", "spoken", "help") for f in ENGLISH.glob(f"{kind}/*")
)
TRANSLATED = [name for name in NAMES if name not in WORDLESS]


def parsed(folder: Path, name: str) -> nodes.Template:
    environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)  # noqa: S701 - parses, renders nothing
    return environment.parse((folder / name).read_text("utf-8"))


def placeholders(template: nodes.Template) -> set[str]:
    """Return the data that a template shows, and what it includes, defines and marks."""
    return set(_placeholders(template))


def _placeholders(template: nodes.Template) -> Iterator[str]:
    for node in template.find_all(nodes.Node):
        match node:
            case nodes.Name(name=name, ctx="load"):
                yield name
            case nodes.Getattr(attr=attr):
                yield f".{attr}"
            case nodes.Include(template=nodes.Const(value=name)):
                yield f"include {name}"
            case nodes.Macro(name=name):
                yield f"macro {name}"
            case nodes.Call(node=nodes.Name(name="kind"), args=[nodes.Const(value=name)]):
                yield f"kind {name}"
            case nodes.Filter(name="indented" | "flowing" as name):
                yield f"filter {name}"


#: Placeholders that German uses in addition, or in another way: a plural, words inside a list, a marker's letter.
OTHERWISE = {
    "boards/3io.txt": {"tile", ".split", ".last", "hand"},
    "help/chesslike.txt": {".men", ".values"},
    "spoken/any-board.txt": {"colours"},
    "spoken/3io.txt": {"tile", ".split", ".last"},
    "spoken/trippples.txt": {".split"},
}


@pytest.mark.slow
def test_every_template_is_there_with_the_same_placeholders() -> None:
    for name in TRANSLATED:
        english, german = placeholders(parsed(ENGLISH, name)), placeholders(parsed(GERMAN, name))
        assert english ^ german == OTHERWISE.get(name, set()), name


def test_nothing_else_is_there() -> None:
    files = {str(f.relative_to(GERMAN)) for f in GERMAN.rglob("*") if f.is_file()}
    assert files == {*TRANSLATED, "messages.toml"}


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
def test_an_operators_template_comes_before_ours(tmp_path: Path, language: str) -> None:
    for name in NAMES:
        file = tmp_path / ("" if language == "en" else language) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{{{{ language }}}}: our {name}")
    renderer = Renderer(str(tmp_path)).to(language)
    assert {name: renderer.text(name, {}) for name in NAMES} == {name: f"{language}: our {name}" for name in NAMES}


def test_an_operators_english_does_not_hide_our_german(tmp_path: Path) -> None:
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail/nag.txt").write_text("Hurry!")
    renderer = Renderer(str(tmp_path))
    assert renderer.text("mail/nag.txt", {}) == "Hurry!"
    assert "Erinnerung" in renderer.to("de").text("mail/nag.txt", {"days": 2, "left": None})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("no table", "messages.toml cannot be read: "),
        ('"a" = "{b}"', "The messages.toml of the language nl is not right: 'a'"),
    ],
)
def test_a_table_that_is_not_right_is_found_at_the_start(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "nl").mkdir()
    (tmp_path / "nl/messages.toml").write_text(text)
    with pytest.raises(ValueError, match=says):
        Renderer(str(tmp_path))


class TestAnOperatorsLanguage:
    @pytest.fixture
    def world(self, world: World, tmp_path: Path) -> World:
        folder = tmp_path / "nl/mail"
        folder.mkdir(parents=True)
        (folder / "games.txt").write_text("De spellen van deze server:")
        (tmp_path / "nl/messages.toml").write_text(
            'described = "brieven in het Nederlands"\n"Settings" = "Instellingen"\n'
            '"There is no board \'{x}\'." = "Geen bord {x}."\n'
        )
        (tmp_path / "de").mkdir()
        (tmp_path / "de/messages.toml").write_text('"Settings" = "Wünsche"\n')
        world.use(Renderer(str(tmp_path)))
        world.signup("alice", "bob")
        return world

    @pytest.mark.slow
    def test_it_can_be_chosen_and_what_it_lacks_is_english(self, world: World) -> None:
        (settings,) = world.mail("alice", "set alice alice-secret language=nl")
        assert settings.subject == "Instellingen"
        assert "* language=nl             brieven in het Nederlands" in settings.text
        assert world.mail("alice", "games")[0].text.startswith("De spellen van deze server:\n\n1 March")
        (error,) = world.mail("alice", "tumble show 999")
        assert error.text.startswith("Geen bord 999.\nTo see the running boards, send: list\n")
        assert '<html lang="nl">' in error.html

    @pytest.mark.slow
    def test_his_words_come_before_ours(self, world: World) -> None:
        (settings,) = world.mail("alice", "set alice alice-secret language=de")
        assert settings.subject == "Wünsche"
        assert "Briefe auf Deutsch" in settings.text
        assert world.mail("alice", "vacation alice alice-secret")[0].text.startswith(
            "alice, du hast gerade keinen Urlaub."
        )

    @pytest.mark.slow
    def test_words_in_pictures_and_subjects_of_answers_are_in_it(self, world: World, tmp_path: Path) -> None:
        (tmp_path / "nl/messages.toml").write_text(
            'described = "brieven in het Nederlands"\n"Games" = "Spellen"\n"bar" = "balk"\n"off" = "uit"\n'
        )
        world.use(Renderer(str(tmp_path)))
        world.allow(web_url=HOME)
        world.mail("alice", "set alice alice-secret language=nl")
        assert [world.mail("alice", x)[0].subject for x in ("games", "Re: Spellen")] == ["Spellen", "Spellen"]
        world.mail("alice", "backgammon challenge alice bob")
        board, renderer = world.row().board, world.site.renderer.to("nl")
        picture = board.game.picture(board.game.view(board.position, 0))
        assert picture
        assert {"balk", "uit"} <= {cell.text for cell in said(picture, renderer).cells}
        with browse(world) as pages:
            page = pages.get(own_page(world, 101, "alice")).text
        assert {word: f">{word}</text>" in page for word in ("bar", "off", "balk", "uit")} == {
            "bar": False, "off": False, "balk": True, "uit": True}  # fmt: skip

    @pytest.mark.slow
    def test_subjects_buttons_help_names_of_games_and_pages_are_in_it(self, world: World, tmp_path: Path) -> None:
        (tmp_path / "nl/help").mkdir()
        (tmp_path / "nl/help/chess.txt").write_text("De regels van schaken.")
        (tmp_path / "nl/messages.toml").write_text(
            'described = "brieven in het Nederlands"\n"Chess" = "Schaken"\n"answer resign" = "opgeven"\n'
            '"{game:w} Board {n:d} {userid:w}" = "{game!t} Partij {n} {userid}"\n"White" = "Wit"\n'
            '"Your move, {userid:w}." = "{userid}, jij bent."\n'
        )
        world.use(Renderer(str(tmp_path)))
        world.allow(web_url=HOME)
        world.mail("alice", "set alice alice-secret language=nl")
        letter = world.mail("alice", "chess challenge alice bob")[0]
        assert letter.subject == "Schaken Partij 101 alice"
        assert "Schaken board 101" in letter.text
        assert "Wit" in letter.text
        assert ">opgeven</a>" in letter.html
        assert world.mail("alice", "help chess")[0].text == "De regels van schaken.\n"
        with browse(world) as pages:
            assert "alice, jij bent." in words(pages.get(own_page(world, 101, "alice")))
        world.mail("alice", "Re: Schaken Partij 101 alice alice-secret e2e4")
        assert world.row().board.ply == 1

    @pytest.mark.slow
    def test_a_language_that_is_not_there_is_refused(self, world: World) -> None:
        (error,) = world.mail("alice", "set alice alice-secret language=fr")
        assert "Write: language=en or language=de or language=nl" in error.text

    @pytest.mark.slow
    def test_letters_are_english_once_a_language_is_gone(self, world: World) -> None:
        world.mail("alice", "set alice alice-secret language=nl")
        world.use(Renderer())
        assert world.mail("alice", "games")[0].text.startswith("The games of this server:")


def test_a_game_from_another_package_brings_its_own_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in {
        "__init__.py": "",
        "templates/boards/toy_game.txt": "{{ 'over there' | said }}",
        "templates/help/toy_game.txt": "Only English.",
        "templates/de/boards/toy_game.txt": "dort: {{ 'over there' | said }}",
        "templates/de/messages.toml": '"over there" = "da drüben"',
    }.items():
        file = tmp_path / "toy_game" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("pbmserv.letters.text.templates._other_packages", lambda: {"toy_game"})
    english = Renderer()
    german = english.to("de")
    assert english.text("boards/toy_game.txt", {}) == "over there"
    assert german.text("boards/toy_game.txt", {}) == "dort: da drüben"
    assert german.text("help/toy_game.txt", {}) == "Only English."
    assert german.say("bush") == "Busch"


@pytest.mark.parametrize("game", games.listed(), ids=lambda g: g.info.key)
def test_the_help_page_of_a_game_has_the_parts_of_the_english_one(game: AnyGame) -> None:
    pages = [RENDERER.to(language).game_help(game).text for language in ("en", "de")]
    english, german = ([line for line in page.split("\n") if line.isupper()] for page in pages)
    assert len(english) == len(german) > 5
    assert max(map(len, pages[1].split("\n"))) <= WIDTH
    options = [o.name for o in game.info.options]
    assert all(f"-{name}" in pages[1] for name in options)
    assert (game.info.page or template_of(game)) in {Path(name).stem for name in TRANSLATED}


def test_the_rows_of_a_worked_example_are_as_wide_as_in_english() -> None:
    for name in (n for n in TRANSLATED if n.startswith("help/")):
        rows = [
            [len(line) for line in (folder / name).read_text("utf-8").split("\n") if line.lstrip()[:1] in ("+", "|")]
            for folder in (ENGLISH, GERMAN)
        ]
        assert rows[0] == rows[1], name


@pytest.mark.slow
def test_every_command_has_a_page_in_german(world: World) -> None:
    world.signup("alice")
    world.mail("alice", "set alice alice-secret language=de")
    for command in COMMANDS:
        (letter,) = world.mail("alice", f"help {command.verb}")
        assert "Zum Beispiel:" in letter.text
        assert command.text.split(". ")[0] not in letter.flat
        assert max(map(len, letter.text.split("\n"))) <= WIDTH
