"""The option --golden. An entry point of pytest, because a conftest found through --pyargs is read too late for it."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", action="store_true", help="rewrite the golden transcripts of pbmserv's games")
