"""Web pages as one file, so that a browser shows them without a server, and letters as careless mailers show them."""

import re

from starlette.testclient import TestClient

_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
_LINK = re.compile(r'<link rel="stylesheet" href="([^"]*)">')


def whole(client: TestClient, path: str) -> str:
    """Return a page with its style inside."""
    page = client.get(path)
    assert page.status_code == 200, path
    return _LINK.sub(lambda link: f"<style>{client.get(link[1]).text}</style>", page.text)


def without_rules(html: str) -> str:
    """Return a letter without its `<style>`, as mailers show it that keep only the styles of elements."""
    return _STYLE.sub("", html)


def without_styles(html: str) -> str:
    """Return a letter without any style."""
    return re.sub(r' style="[^"]*"', "", without_rules(html))
