"""Games of other packages, found by the entry point "pbmserv.games". A package that is broken harms no other."""

import re
import sys
from collections.abc import Collection, Iterable, Iterator
from importlib.metadata import Distribution, EntryPoint, distributions
from importlib.resources import files
from pathlib import PurePath
from typing import NamedTuple

from pbmserv.games.base import AnyGame, Game, Info

GROUP = "pbmserv.games"
_KEY = re.compile(r"[a-z0-9]+")
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

    `taken`: the keys and aliases that packages cannot have.
    """
    found, broken = list[Plugin](), list[Broken]()
    for entry, package in _entries(broken):
        try:
            found.append(_plugin(entry, package, taken))
        except (Exception, SystemExit) as error:
            broken.append(Broken(entry.name, package, told(error)))
    found.sort(key=lambda p: (p.game.info.key, p.game.info.rules, p.package))
    return list(_unrivalled(found, broken)), broken


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
    game = entry.load()()
    if not isinstance(game, Game) or not isinstance(getattr(game, "info", None), Info):
        raise TypeError(f"{entry.value} is no pbmserv.games.base.Game with an info")
    info = game.info
    re.compile(info.pattern)
    if not _KEY.fullmatch(info.key):
        raise ValueError(f"{info.key!r} is no key: it must be lower-case letters and digits")
    if info.key in taken:
        raise ValueError(f"the key {info.key} is that of a game of pbmserv's own")
    module = type(game).__module__
    top, template = module.partition(".")[0], f"templates/boards/{module.rpartition('.')[2]}.txt"
    folders = getattr(sys.modules[top], "__path__", ())
    if not folders:
        raise ValueError(f"{top} is a single file: make it a folder with an __init__.py, for the templates")
    if type(game).picture is Game.picture and not files(top).joinpath(template).is_file():
        raise ValueError(f"the game has no `picture`, and the package {top} has no {template}")
    return Plugin(game, package, next(iter(folders)))


def _unrivalled(found: list[Plugin], broken: list[Broken]) -> Iterator[Plugin]:
    """The games whose keys no other package claims. If two do, nobody knows whose boards there are: none is used."""
    for plugin in found:
        key, rules = plugin.game.info.key, plugin.game.info.rules
        same = [p for p in found if p.game.info.key == key]
        others = {p.package for p in same} - {plugin.package}
        twice = sum(p.game.info.rules == rules for p in same) > 1
        if others:
            why = f"{' and '.join(sorted(others))} has the key {key}, too: uninstall all but one of them"
            broken.append(Broken(key, plugin.package, why))
        elif twice:
            broken.append(Broken(key, plugin.package, f"it has two games with the key {key} and rules {rules}"))
        else:
            yield plugin
