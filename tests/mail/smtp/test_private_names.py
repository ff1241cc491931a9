"""The private names of other packages that we use: each may vanish or change its meaning with a new version.

The lists are compared with our source and with the packages that are installed. Before you raise the upper bound of
aiosmtpd in pyproject.toml, compare its changes with these lists.
"""

import ast
import asyncio
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import pbmserv
from pbmserv.mail.smtp.session import Smtp
from tests.tools.aio import in_loop
from tests.tools.tree import ROOT

PACKAGE = Path(pbmserv.__file__).parent
TOUCHED = {
    "aiosmtpd": {
        "_getaddr",  # replaced: reads the path of MAIL and RCPT
        "_handler_coroutine",  # the task of a session
        "_reader",
    },
    "aiosmtplib": set(),
}
#: The name of asyncio's streams that we use there: it tells whether another command has come already.
STREAM_READER = {"_buffer"}
EACH = [(package, name) for package, names in TOUCHED.items() for name in sorted(names)]


def private(names: Iterable[str]) -> set[str]:
    """Return the names that are private to their owner; `__init__` and the like are public."""
    return {name for name in names if name.startswith("_") and not name.startswith("__")}


def defined(node: ast.Module | ast.ClassDef) -> Iterator[str]:
    """Yield the names that a class or a module gives to its functions, classes and values."""
    for part in node.body:
        match part:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name


def is_self(node: ast.expr) -> bool:
    """Return whether the node is `self` or `cls`."""
    return isinstance(node, ast.Name) and node.id in ("self", "cls")


@cache
def names_of(package: str) -> set[str]:
    """Return the private names that a package defines, or gives to its own objects."""
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    found: set[str] = set()
    for file in Path(spec.origin).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.Module() | ast.ClassDef():
                    found.update(defined(node))
                case ast.Attribute(value=value, attr=name) if is_self(value):
                    found.add(name)
    return private(found)


@cache
def modules() -> tuple[tuple[str, ast.Module], ...]:
    """Return the names and the parsed sources of our modules that import a package of TOUCHED."""
    sources = ((file, file.read_text("utf-8")) for file in sorted(PACKAGE.rglob("*.py")))
    return tuple(
        (".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts), ast.parse(source))
        for file, source in sources
        if any(package in source for package in TOUCHED)
    )


def modules_with(package: str) -> Iterator[tuple[str, ast.Module]]:
    """Return our modules that import the package."""
    for module, tree in modules():
        imports = [n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
        imports += [alias.name for n in ast.walk(tree) if isinstance(n, ast.Import) for alias in n.names]
        if any(name.split(".")[0] == package for name in imports):
            yield module, tree


def uses(module: str, tree: ast.Module, package: str) -> set[str]:
    """Return the private names in one of our modules that may belong to the package.

    These are names of subclasses of its classes, and of other objects.
    """
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name):
                heir = getattr(import_module(module), name)
                if any(base.__module__.split(".")[0] == package for base in heir.__mro__):
                    found.update(defined(node))
                    found.update(n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute) and is_self(n.value))
            case ast.Attribute(value=value, attr=name) if not is_self(value):
                found.add(name)
            case ast.ImportFrom(names=aliases):
                found.update(alias.name for alias in aliases)
    return private(found)


@pytest.mark.parametrize("package", TOUCHED)
def test_the_list_is_what_our_source_touches(package: str) -> None:
    found = list(modules_with(package))
    assert found
    theirs = names_of(package)
    assert set().union(*(uses(module, tree, package) for module, tree in found)) & theirs == TOUCHED[package]


@pytest.mark.parametrize(("package", "name"), EACH)
def test_the_package_has_each_of_them(package: str, name: str) -> None:
    assert name in names_of(package)


@in_loop
async def test_nothing_else_in_a_session_is_private_to_others() -> None:
    """A name that is neither ours nor aiosmtpd's belongs to asyncio, and exists there."""
    ours = {name for kind in Smtp.__mro__ if kind.__module__.startswith("pbmserv") for name in vars(kind)}
    (tree,) = (tree for module, tree in modules_with("aiosmtpd") if module == Smtp.__module__)
    foreign = private(n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute) and not is_self(n.value))
    assert foreign - ours - TOUCHED["aiosmtpd"] == STREAM_READER
    assert private(vars(asyncio.StreamReader())) >= STREAM_READER


def test_aiosmtpd_stays_below_a_version_that_nobody_has_read() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (requirement,) = (text for text in project["dependencies"] if text.startswith("aiosmtpd"))
    assert requirement == "aiosmtpd>=1.4.6,<1.5"
