"""Parts of the tree that name each other must agree."""

import ast
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from pbmserv.commands.help import TOPICS
from pbmserv.games import GAMES, of_families
from pbmserv.games.base import Game
from pbmserv.games.base.kinds import KINDS
from pbmserv.letters.text.templates import template_of
from tests.tools.tree import ROOT, definitions

PACKAGE = ROOT / "pbmserv"

#: Names of modules that are in several packages, with their number. The package's name tells which one is meant.
SEVERAL = {
    "audit": 2,  # admin, store
    "backup": 2,  # admin, cli
    "boards": 4,  # cli/manage, model, store, web
    "challenges": 2,  # model, store
    "checks": 2,  # cli, conformance
    "events": 2,  # cli/manage/history, webhooks
    "health": 2,  # cli, db
    "letters": 5,  # admin, cli/manage, letters, model, store
    "mails": 3,  # cli/manage, model, store
    "picture": 8,  # games/base, and one for each game that is a folder
    "puzzles": 2,  # commands, store
    "reviews": 2,  # commands, store
    "men": 3,  # letters/text, letters/pictures/shapes, and chess
    "moves": 2,  # one for each game that has them apart
    "tables": 2,  # db, and chess
    "tree": 2,  # robots, and go
    "marks": 2,  # letters/pictures/shapes, mail/reading
    "operations": 2,  # model, store
    "pieces": 2,  # games/base, and chess
    "players": 4,  # admin, cli/manage, model, store
    "ratings": 3,  # cli/manage, model, store
    "robots": 3,  # admin, cli/manage, store
    "rulings": 2,  # admin, cli/manage
    "seeks": 2,  # cli/manage, commands
    "sgf": 3,  # games/formats, and one for each game that is a folder and has this format
    "standing": 2,  # one for each game that has one for robots
    "tiles": 3,  # one for each game that has tiles
    "tournaments": 3,  # cli/manage, model, store
}
#: The diagrams of all games that bring none; a hyphen cannot stand in a key.
SHARED = {"any-squares", "any-hexes", "any-below"}
SOURCES = ("pbmserv", "tests", "benchmarks", "deploy", "docs", "migrations")
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "deploy").rglob("*.md")]

WORKFLOW = ROOT / ".github/workflows/ci.yml"


def _stems(folder: str) -> set[str]:
    return {f.name.removesuffix(".txt") for f in (ROOT / "templates" / folder).iterdir()}


def test_every_diagram_belongs_to_a_game_and_every_game_has_one_or_a_picture() -> None:
    drawn = _stems("boards") - SHARED - {"not_installed", "before_setup"}
    assert drawn <= {template_of(g) for g in (*GAMES, *of_families())}
    assert drawn >= {template_of(g) for g in GAMES if type(g).picture is Game.picture}


def test_every_help_page_belongs_to_a_game_or_a_topic_and_every_game_has_one() -> None:
    pages = {name for name in _stems("help") if not name.startswith("any-")}  # the others are parts of several pages
    assert pages == set(TOPICS) | {template_of(g) for g in (*GAMES, *of_families())}


def test_the_make_targets_that_pages_name_exist() -> None:
    made = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    words = re.compile(r"(?:^|`|^ +)make ([a-z][a-z-]*)", re.MULTILINE)
    named = {(page, target) for page in PAGES for target in words.findall(page.read_text())}
    assert [(page, target) for page, target in named if target not in made] == []


@pytest.mark.skipif(not WORKFLOW.exists(), reason="a source distribution has no workflow")
def test_ci_runs_on_each_python_that_the_package_names() -> None:
    """All tests run on the oldest, which `requires-python` has."""
    project, workflow = (ROOT / "pyproject.toml").read_text(), WORKFLOW.read_text()
    named = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', project)
    matrix = re.search(r"python: \[(.*)\]", workflow)
    assert matrix
    assert re.findall(r'"(.*?)"', matrix[1]) == named
    assert f'requires-python = ">={named[0]}"' in project
    assert f'if [ "${{{{ matrix.python }}}}" = {named[0]} ]; then .ci/run; else .ci/run fast; fi' in workflow
    assert set(named) <= set(re.findall(r'"(3\.\d+)"', (ROOT / "noxfile.py").read_text()))


def test_contributing_lists_the_targets_as_make_help_does() -> None:
    listed = re.findall(r"^([a-z-]+):.*## (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    lines = "".join(f"make {target:<11} {what}\n" for target, what in listed)
    assert f"```\n{lines}```\n" in (ROOT / "CONTRIBUTING.md").read_text()


def test_the_files_and_headings_that_pages_link_to_exist() -> None:
    for page in PAGES:
        links = re.findall(r"\]\(([^)#:]+)(?:#([^)]*))?\)", page.read_text())
        assert [file for file, _ in links if not (page.parent / file).exists()] == [], page
        there = [(file, place) for file, place in links if place]
        assert [(file, place) for file, place in there if place not in _headings(page.parent / file)] == [], page


@pytest.mark.slow
def test_the_files_that_pages_and_docstrings_name_exist() -> None:
    """Such as `inbox/pipeline.py`: a path with a folder, wherever it begins. A changelog tells of earlier days.

    A lesson names files that its reader makes, as `file=prizes/…`.
    """
    files = {"/" + str(f.relative_to(ROOT)) for folder in SOURCES for f in (ROOT / folder).rglob("*.py")}
    named = {
        (str(page.relative_to(ROOT)), path)
        for page in (*PAGES, *PACKAGE.rglob("*.py"))
        if page.name != "CHANGELOG.md"
        for path in re.findall(r"(?<![\w/.=])(?:\w+/)+\w+\.py\b", page.read_text())
    }
    assert [(page, path) for page, path in named if not any(f.endswith("/" + path) for f in files)] == []


def _headings(page: Path) -> set[str]:
    """Return the headings of a page, as links name them."""
    found = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^a-z0-9 -]", "", text.lower()).replace(" ", "-") for text in found}


@pytest.mark.slow
def test_no_two_classes_have_one_name() -> None:
    """Two games may use the same names: each has a Position and perhaps a Move, and no game imports another."""
    found = defaultdict[str, list[Path]](list)
    for file in _modules():
        for name in (d.name for d in definitions()[file] if isinstance(d, ast.ClassDef)):
            found[name].append(file)
    doubles = {name: files for name, files in found.items() if len(files) > 1}
    assert {name: files for name, files in doubles.items() if not _are_of_different_games(files)} == {}


def test_no_more_modules_have_one_name() -> None:
    found = Counter(file.stem for file in _modules() if file.stem not in ("__init__", "__main__"))
    assert {name: count for name, count in found.items() if count > 1} == SEVERAL


def _modules() -> list[Path]:
    return [file.relative_to(PACKAGE) for file in PACKAGE.rglob("*.py")]


def _are_of_different_games(files: list[Path]) -> bool:
    games = {_game(file) for file in files}
    return "" not in games and len(games) == len(files)


def _game(file: Path) -> str:
    """Return the game to which a module belongs, or "" if it belongs to none."""
    wing, *names = *file.with_suffix("").parts, ""
    name = names[1] if names[0] in (*KINDS, "families") else names[0]
    return name if wing == "games" and name not in ("base", "__init__") else ""
