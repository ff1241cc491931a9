"""Games of other packages, found by the entry point "pbmserv.games". A package that is broken harms no other."""

import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from importlib.metadata import Distribution, EntryPoint, distributions
from importlib.resources import files
from importlib.resources.abc import Traversable
from inspect import signature
from pathlib import PurePath
from typing import NamedTuple, cast

from pbmserv.games.base import AnyGame, Game, Info
from pbmserv.games.base.kinds import KINDS

GROUP = "pbmserv.games"
_KEY = re.compile(r"[a-z0-9]+")
#: Methods that games of earlier versions have and nobody asks any more, and the name of what is asked instead.
_GONE = {
    "spellings": "named",
    "worth": "evaluate",
    "guess": "determinize",
    "sameness": "position_key",
    "man_of": "piece_of",
    "names_of_men": "names_of_pieces",
}
#: Modules that games of version 1.0.0 import, and where they are today.
_MOVED = {"pbmserv.games.grid": "pbmserv.games.base.grid"}
_LONGEST = 200  #: characters of an exception's message


class Plugin(NamedTuple):
    """A game of another package, and where its code is."""

    game: AnyGame
    package: str  #: `noughts-and-crosses 1.0`
    place: str  #: the folder or the file of the code


class Broken(NamedTuple):
    """A game that cannot be used, and why."""

    name: str  #: that of its entry point, or its key if that is known
    package: str
    why: str  #: one line


def load(taken: Collection[str]) -> tuple[list[Plugin], list[Broken]]:
    """The games of all installed packages by the names of their entry points, and those that cannot be used.

    `taken`: the names that are no keys for packages: the keys and aliases of our games, and our help pages.
    """
    plugins, broken = list[Plugin](), list[Broken]()
    for entry, package in _entries(broken):
        try:
            plugins.append(_plugin(entry, package, taken))
        except (Exception, SystemExit) as error:
            broken.append(Broken(entry.name, package, told(error)))
    plugins.sort(key=lambda p: (p.game.info.key, p.game.info.rules, p.package))
    complete = list(_complete(plugins, broken))
    return list(_unrivalled(complete, broken)), broken


def told(error: BaseException) -> str:
    """An exception in one line: `ModuleNotFoundError: No module named 'numpy'`."""
    text = " ".join(str(error).split())[:_LONGEST]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def blamed(error: BaseException, plugins: Iterable[Plugin]) -> str:
    """The package in whose code an exception was raised, or on whose behalf; "" if it has nothing to do with one."""
    places = {PurePath(p.place): p.package for p in plugins}
    trace, package = error.__traceback__, ""
    while trace is not None:
        file = PurePath(trace.tb_frame.f_code.co_filename)
        package = next((places[p] for p in (file, *file.parents) if p in places), package)
        trace = trace.tb_next
    return package


def _entries(broken: list[Broken]) -> Iterator[tuple[EntryPoint, str]]:
    """The entry points, each with the name and version of its package. Of two packages of one name the first counts."""
    seen = set[str]()
    for dist in distributions():
        text = dist.read_text("entry_points.txt") or ""
        if GROUP not in text:
            continue
        package = _package(dist)
        name = re.sub(r"[-_.]+", "-", package.partition(" ")[0]).lower()
        if name in seen:
            continue
        seen.add(name)
        try:
            yield from sorted(((e, package) for e in dist.entry_points if e.group == GROUP), key=lambda e: e[0].name)
        except Exception as error:
            broken.append(Broken("?", package, f"its entry_points.txt cannot be read: {told(error)}"))


def _package(dist: Distribution) -> str:
    try:
        return f"{dist.name} {dist.version}"
    except Exception:  # without a METADATA that can be read, each Python raises another error
        return "(a package without a name)"


def _plugin(entry: EntryPoint, package: str, taken: Collection[str]) -> Plugin:
    """The game of an entry point. Raises whatever its package raises, and TypeError or ValueError if it is no game."""
    game = _loaded(entry)()
    if not isinstance(game, Game) or not isinstance(getattr(game, "info", None), Info):
        raise TypeError(f"{entry.value} is no pbmserv.games.base.Game with an info")
    info = game.info
    re.compile(info.pattern)
    if not _KEY.fullmatch(info.key):
        raise ValueError(f"{info.key!r} is no key: it must be lower-case letters and digits")
    if info.key in taken:
        raise ValueError(f"the key {info.key} is taken by a game or a help page of pbmserv's own")
    if info.kind not in KINDS:
        raise ValueError(f"{info.kind!r} is no kind of game: write one of {', '.join(KINDS)}")
    if type(game).__module__.startswith("pbmserv."):  # the class of a row: its files are those of who made the row
        type(game).__module__ = entry.module
    top = entry.module.partition(".")[0]
    folders = getattr(sys.modules[top], "__path__", ())
    if not folders:
        raise ValueError(f"{top} is a single file: make it a folder with an __init__.py, for the templates")
    return Plugin(game, package, next(iter(folders)))


def overridden(game: AnyGame) -> list[str]:
    """The methods of a game that a class above it calls final, such as `Chess.can_win`. Python itself does not mind."""
    cls = type(game)
    return [
        f"`{base.__name__}.{name}`"
        for base in cls.__mro__
        for name, method in vars(base).items()
        if getattr(method, "__final__", False) and getattr(cls, name) is not method
    ]


def _loaded(entry: EntryPoint) -> Callable[[], object]:
    """The class of an entry point. Raises ImportError if its package imports a module that lies elsewhere today."""
    try:
        return cast("Callable[[], object]", entry.load())
    except ModuleNotFoundError as error:
        if new := _MOVED.get(error.name or ""):
            raise ImportError(f"import `{new}` in place of `{error.name}`: docs/adding-a-game.md says how") from error
        raise


def _complete(plugins: list[Plugin], broken: list[Broken]) -> Iterator[Plugin]:
    """The games that have what they need to be shown."""
    keys = {p.game.info.key for p in plugins}
    for plugin in plugins:
        try:
            why = _lacking(plugin.game, keys)
        except (Exception, SystemExit) as error:
            why = told(error)
        if why:
            broken.append(Broken(plugin.game.info.key, plugin.package, why))
        else:
            yield plugin


def _lacking(game: AnyGame, keys: Collection[str]) -> str:
    """Why a game cannot be shown; "" if it can. `keys`: those of all games of packages.

    Raises whatever its package raises, and OSError if its folders cannot be read.
    """
    key = game.info.key
    module = type(game).__module__.rpartition(".")[2]
    top = type(game).__module__.partition(".")[0]
    if module not in keys and (old := _named(files(top), module, unless=key)):
        return f"templates are named like the key of their game: rename {', '.join(old)} to {key}.txt"
    if gone := [f"`{new}` in place of `{name}`" for name, new in _GONE.items() if hasattr(game, name)]:
        return f"write {' and '.join(gone)}: docs/adding-a-game.md says how"
    if own := overridden(game):
        return f"{' and '.join(own)} cannot be overridden: docs/adding-a-game.md says what a variant has in place of it"
    if len(signature(game.public_text).parameters) == 1:
        return "write `public_text(move, reader)` in place of `public_text(text)`: docs/adding-a-game.md says how"
    if type(game).picture is Game.picture and not files(top).joinpath(f"templates/boards/{key}.txt").is_file():
        return f"the game has no `picture`, and the package {top} has no templates/boards/{key}.txt"
    return ""


def _named(package: Traversable, name: str, *, unless: str) -> list[str]:
    """The templates of a package with this name, in any language, where there is none with the other name."""
    templates = package.joinpath("templates")
    languages = sorted(f.name for f in templates.iterdir() if f.is_dir()) if templates.is_dir() else []
    folders = [f"{part}{kind}" for part in ("", *(f"{x}/" for x in languages)) for kind in ("boards", "help", "spoken")]
    return [
        f"templates/{folder}/{name}.txt"
        for folder in folders
        if templates.joinpath(folder, f"{name}.txt").is_file()
        and not templates.joinpath(folder, f"{unless}.txt").is_file()
    ]


def _unrivalled(plugins: list[Plugin], broken: list[Broken]) -> Iterator[Plugin]:
    """The games whose keys no other package claims. If two do, nobody knows whose boards there are: none is used."""
    for plugin in plugins:
        key, rules = plugin.game.info.key, plugin.game.info.rules
        same = [p for p in plugins if p.game.info.key == key]
        others = {p.package for p in same} - {plugin.package}
        twice = sum(p.game.info.rules == rules for p in same) > 1
        if others:
            why = f"{' and '.join(sorted(others))} has the key {key}, too: uninstall all but one of them"
            broken.append(Broken(key, plugin.package, why))
        elif twice:
            broken.append(Broken(key, plugin.package, f"it has two games with the key {key} and rules {rules}"))
        else:
            yield plugin
