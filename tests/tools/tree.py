"""The source tree of these tests: its pages, templates and settings."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@cache
def definitions() -> Mapping[Path, Sequence[Definition]]:
    """Return the classes and functions of each module of pbmserv, by its path in there, at any depth."""
    modules = (ROOT / "pbmserv").rglob("*.py")
    return {file.relative_to(ROOT / "pbmserv"): list(_within(ast.parse(file.read_text()))) for file in modules}


def _within(node: ast.AST) -> Iterator[Definition]:
    """Go through statements only, because most of a tree are expressions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Definition):
            yield child
        if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from _within(child)
