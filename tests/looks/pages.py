"""Web pages as one file, so that a browser shows them without a server, and letters as careless mailers show them."""

import re
from base64 import b64encode

from starlette.testclient import TestClient

from tests.world import Received

_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
_SCRIPT = re.compile(r"<script[^>]*></script>")
_LINK = re.compile(r'<link rel="stylesheet" href="([^"]*)">')
_PICTURE = re.compile(r'(<img [^>]*src=")(/[^"]*)"')


def whole(client: TestClient, path: str) -> str:
    """Return a page with its style and its pictures inside, and without its script."""
    page = client.get(path)
    assert page.status_code == 200, path
    styled = _LINK.sub(lambda link: f"<style>{client.get(link[1]).text}</style>", page.text)
    drawn = _PICTURE.sub(lambda image: f'{image[1]}{_inside(client, image[2])}"', styled)
    return _SCRIPT.sub("", drawn).replace(' loading="lazy"', "")


def _inside(client: TestClient, path: str) -> str:
    """Return a picture as a URI that contains it."""
    picture = client.get(path)
    assert picture.status_code == 200, path
    return f"data:{picture.headers['Content-Type']};base64,{b64encode(picture.content).decode()}"


def pictured(letter: Received) -> str:
    """Return the HTML of a letter with its pictures inside."""
    html = letter.html
    for part in letter.message.walk():
        if part.get_content_type() == "image/png":
            data = b64encode(part.get_content()).decode()
            html = html.replace(f"cid:{part['Content-ID'].strip('<>')}", f"data:image/png;base64,{data}")
    return html


def without_rules(html: str) -> str:
    """Return a letter without its `<style>`, as mailers show it that keep only the styles of elements."""
    return _STYLE.sub("", html)


def without_styles(html: str) -> str:
    """Return a letter without any style."""
    return re.sub(r' style="[^"]*"', "", without_rules(html))
