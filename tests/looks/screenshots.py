"""`make screenshots`: one page with pictures of all letters and web pages, in build/screenshots/index.html.

The pictures are to be looked at; the tests beside this file measure the same windows. With names of sorts of boards
(`python -m tests.looks.screenshots tumble-c town`), only these are taken. You need a Chromium.
"""

import shutil
import sys
import tempfile
from html import escape
from pathlib import Path

from tests.letters.samples import letters, reviews
from tests.looks import docs_pictures
from tests.looks.measure import SCHEMES, WIDTHS, Eye
from tests.looks.pages import pictured, whole, without_rules, without_styles
from tests.looks.plays import SORTS, played
from tests.tools.tree import ROOT
from tests.web.browser import browse
from tests.web.chromium import tab
from tests.web.filled import fill
from tests.web.test_chromium import PAGES
from tests.world import World

FOLDER = ROOT / "build/screenshots"
_WINDOWS = [(width, scheme) for width in WIDTHS for scheme in SCHEMES]
_HEAD = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>Letters and pages</title>
<style>
body { margin: 16px; font: 15px/1.4 system-ui, sans-serif; background: #8a8f8c; color: #000000 }
nav a { margin-right: 12px } figure { display: inline-block; vertical-align: top; margin: 0 12px 16px 0 }
figure img { display: block; max-width: 90vw; border: 1px solid #333333 }
</style>
<h1>Letters and pages</h1>
"""


class Gallery:
    """The page, which is written when all pictures are taken."""

    def __init__(self, eye: Eye, folder: Path) -> None:
        self._eye, self._folder = eye, folder
        self._names, self._lines = list[str](), list[str]()

    def section(self, name: str) -> None:
        """Begin a section."""
        self._names.append(name)
        self._lines.append(f'<h2 id="{escape(name)}">{escape(name)}</h2>')
        print(name, flush=True)

    def add(self, name: str, html: str) -> None:
        """Take pictures of a letter or page in all windows."""
        self._row(name, html, _WINDOWS)

    def add_letter(self, name: str, html: str) -> None:
        """Take pictures of a letter as good and as careless mailers show it."""
        self._row(name, html, [*_WINDOWS, *((WIDTHS[1], scheme) for scheme in ("forced", "darkened"))])
        self._row(f"{name}, no rules", without_rules(html), [(WIDTHS[0], "light"), (WIDTHS[1], "dark")])
        self._row(f"{name}, no style", without_styles(html), [(WIDTHS[0], "light")])

    def write(self) -> None:
        """Write the page."""
        links = "".join(f'<a href="#{escape(name)}">{escape(name)}</a>' for name in self._names)
        text = "\n".join([_HEAD, f"<nav>{links}</nav>", *self._lines])
        (self._folder / "index.html").write_text(text, encoding="utf-8")

    def _row(self, name: str, html: str, windows: list[tuple[int, str]]) -> None:
        self._lines.append(f"<h3>{escape(name)}</h3>")
        stem = f"{len(self._names):02}-{self._names[-1]}-{name}".replace("/", "-").replace(", ", "-").replace(" ", "-")
        for width, scheme in windows:
            file = f"{stem.replace('?', '-')}-{width}-{scheme}.png"
            self._eye.take(html, width, scheme, self._folder / file)
            said = f"{width} px, {scheme}"
            self._lines.append(
                f'<figure><img loading="lazy" src="{escape(file)}" alt="{escape(f"{name}, {said}")}" width="{width}">'
                f"<figcaption>{said}</figcaption></figure>"
            )


def main() -> None:
    """Take the pictures that are asked for, or all and those of the documentation."""
    wanted = sys.argv[1:]
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name, tab(Path(name) / "chromium") as page:
        eye = Eye(page)
        gallery = Gallery(eye, FOLDER)
        for sort in wanted or SORTS:
            _board(gallery, sort, Path(name))
        if not wanted:
            _others(gallery, Path(name))
            docs_pictures.take(eye, Path(name) / "docs")
    gallery.write()
    print(FOLDER / "index.html")


def _board(gallery: Gallery, name: str, folder: Path) -> None:
    """Take the letters and pages of a sort of board."""
    gallery.section(name)
    place = _empty(folder, name)
    with played(SORTS[name], place) as board, browse(board.world) as client:
        for sight in board.sights:
            gallery.add_letter(f"letter, {sight.name}", pictured(sight.letter))
        for stage, ply in board.plies.items():
            gallery.add(f"page, {stage}", whole(client, f"/boards/101/{ply}"))
        for step, html in board.own.items():
            gallery.add(f"page, {step}", html)


def _others(gallery: Gallery, folder: Path) -> None:
    """Take the letters and pages that are not about one board."""
    gallery.section("letters")
    for name, letter in (letters(_empty(folder, "letters")) | reviews(_empty(folder, "reviews"))).items():
        gallery.add_letter(name, pictured(letter))
    gallery.section("pages")
    world = World(_empty(folder, "pages"))
    fill(world)
    with browse(world) as client:
        for path in PAGES:
            gallery.add(path, whole(client, path))
    world.close()


def _empty(folder: Path, name: str) -> Path:
    place = folder / name
    place.mkdir()
    return place


if __name__ == "__main__":
    main()
