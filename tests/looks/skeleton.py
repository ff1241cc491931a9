"""What a look at a page judges: its elements, each with what it stands in and what it has.

A rule of axe reads the names, roles and styles of an element and of those around it, and whether it has words. What the
words are, and where an element lies, matters only to rules that tests/looks/measure.js checks in every window, too.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from html.parser import HTMLParser

#: Attributes whose values count, as those of `aria-` do. Of others, it counts whether they are empty.
_VALUES = {"bgcolor", "class", "color", "lang", "rel", "role", "scope", "style", "tabindex", "type"}
_FREE = {"aria-describedby", "aria-label", "aria-labelledby"}
_WITHOUT_END = {"br", "col", "hr", "img", "input", "link", "meta"}
#: Styles that move nothing.
_COLOURS = re.compile(r"(?:background(?:-color)?|color|fill|stroke):[^;]*;?")


def skeleton(html: str) -> frozenset[str]:
    """Return the different elements of a page: the path to each from the style sheets on, and the kinds in it."""
    return frozenset(_read(html).elements)


def layout(html: str) -> frozenset[str]:
    """Return the different elements of a page as far as style sheets lay them out: paths of tags, classes and styles.

    Windows lay out pages of the same elements alike. Only the lengths of words and the number of cells differ, and what
    is too long is so in the narrowest window first.
    """
    return frozenset(_read(html).places)


@lru_cache(maxsize=64)
def _read(html: str) -> "_Reader":
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader


@dataclass
class _Open:
    """An element whose end is still to come."""

    tag: str
    path: str
    place: str  #: the same path with nothing but what moves an element
    name: str  #: the aria-label of it, or of what it stands in
    has: set[str] = field(default_factory=set)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.places: set[str] = set()
        self._open = [_Open("", "", "", "")]
        self._sheets = ""
        self._ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        around, found = self._open[-1], {name: value or "" for name, value in attrs}
        marks = [_mark(name, value) for name, value in sorted(found.items())]
        if (name := found.get("id", "")) in self._ids:
            marks.append("not the first of its id")
        self._ids |= {name} if name else set()
        around.has.add(tag)
        path, place = f"{around.path}/{tag} {' '.join(marks)}", f"{around.place}/{tag}{_moved(found)}"
        self._open.append(_Open(tag, path, place, found.get("aria-label", around.name)))
        if tag in _WITHOUT_END:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if any(tag == element.tag for element in self._open):
            while self._end() != tag:
                pass

    def handle_data(self, data: str) -> None:
        element, said = self._open[-1], data.strip().lower()
        if element.tag == "style":
            self._sheets += data
        elif said:
            element.has.add("words" if said in (element.name or data).lower() else "words that its name lacks")

    def _end(self) -> str:
        """End the innermost element and return its tag."""
        element = self._open.pop()
        self.elements.add(f"{hash(self._sheets)}{element.path} has {sorted(element.has)}")
        self.places.add(f"{hash(self._sheets)}{element.place}")
        return element.tag


def _mark(name: str, value: str) -> str:
    """Return an attribute as far as it counts."""
    counts = name in _VALUES or (name.startswith("aria-") and name not in _FREE)
    return f"{name}={value if counts else bool(value)}"


def _moved(attributes: dict[str, str]) -> str:
    """Return what style sheets and mailers lay out an element by."""
    return f".{attributes.get('class', '')} {_COLOURS.sub('', attributes.get('style', ''))}"
