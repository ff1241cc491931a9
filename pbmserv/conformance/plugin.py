"""The option --golden. It is a pytest plug-in, because pytest reads a conftest of --pyargs too late for options."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", action="store_true", help="rewrite the golden transcripts of pbmserv's games")
