"""docs/glossary.md has each word of the code once, and every type that it names exists."""

import ast
import re
from functools import cache

import pytest

from tests.tools.tree import ROOT

PAGE = (ROOT / "docs/glossary.md").read_text()
_DEFINED = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@cache
def _trees() -> list[ast.Module]:
    """Return all modules."""
    return [ast.parse(file.read_text()) for file in (ROOT / "pbmserv").rglob("*.py")]


def _names(body: list[ast.stmt]) -> set[str]:
    """Return the names that a module or class defines, and the attributes that a class sets in its methods."""
    names = {node.name for node in body if isinstance(node, _DEFINED)}
    names |= {ast.unparse(node.target) for node in body if isinstance(node, ast.AnnAssign)}
    return names | {ast.unparse(target) for node in body if isinstance(node, ast.Assign) for target in node.targets}


def _types() -> set[str]:
    """Return the names of modules, and `Class.name` for what the classes define."""
    known = {"pbmserv"}
    for tree in _trees():
        known |= _names(tree.body)
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                known |= {f"{node.name}.{name}" for name in _names(node.body)}
    return known


def _rows() -> list[tuple[str, list[str]]]:
    """Return each word with its types."""
    tables = PAGE.partition("## What others read")[0]
    rows = re.findall(r"(?m)^\| ([a-z].*?) \| (`.*?`) \|", tables)
    return [(word, re.findall(r"`([\w.]+)`", types)) for words, types in rows for word in words.split(", ")]


@pytest.mark.slow
def test_each_type_exists() -> None:
    named = {name for _, types in _rows() for name in types}
    assert len(named) > 60
    assert named - _types() == set()


@pytest.mark.slow
def test_each_word_stands_once_and_is_used() -> None:
    words = [word.removeprefix("to ") for word, _ in _rows()]
    assert len(words) == len(set(words))
    nodes = [node for tree in _trees() for node in ast.walk(tree) if isinstance(node, ast.Module | _DEFINED)]
    docs = "\n".join(ast.get_docstring(node) or "" for node in nodes).lower()
    names = {node.name for node in nodes if not isinstance(node, ast.Module)}
    assert [w for w in words if not re.search(rf"\b{w}", docs) and w.replace(" ", "_") not in names] == []


@pytest.mark.slow
def test_variables_have_the_names_of_what_they_hold() -> None:
    inside = [n for tree in _trees() for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) for n in ast.walk(f)]
    called = {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    called |= {n.arg for n in inside if isinstance(n, ast.arg)}
    assert called & {"found", "mine", "said", "wanted"} == set()
