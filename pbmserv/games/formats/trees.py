"""Reads files in the Smart Game Format (SGF, FF[1] to FF[4]): many games in one file, of each its main line.

Variations are counted and left out. Nothing here calls itself, so a file cannot nest too deeply, and each character is
looked at a few times at most.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pbmserv.games.base.sheet import FormatError
from pbmserv.games.formats.unicode import as_utf8

Node = Mapping[str, list[str]]
_TOKEN = re.compile(
    r"\s*(?:\[(?P<value>[^\\\]]*(?:\\.[^\\\]]*)*)\]|(?P<name>[A-Za-z]{1,64})|(?P<sign>[;()]))", re.DOTALL
)
_OPEN = re.compile(r"\s*\[")
_BEGIN = re.compile(r"\(\s*;")
_NEXT = re.compile(
    r"[\r\n][ \t]*(?=\(\s{0,9};\s{0,9}(?:FF|GM|SZ|CA|AP)\s{0,9}\[)"
)  #: where the next game probably begins
_CHARSET = re.compile(rb"[;\]\s]CA\s*\[\s*([A-Za-z0-9_.:-]{2,20})\s*\]")
#: Encodings that games are written in. Other names in a file are not looked up: some codecs of Python do other things.
_ENCODINGS = re.compile(
    r"utf-?8|(iso-?)?8859-?\d{1,2}|latin-?\d|(windows-?|cp)\d{3,4}|gb2312|gbk|gb18030|big5|shift[_-]?jis|sjis"
    r"|euc[_-]?(jp|kr|cn)|koi8-[ru]|us-ascii|ascii",
    re.IGNORECASE,
)
#: Encodings by the labels that programs write, if it is one with more letters that they mean. Signs are left out.
_WIDER = {
    "gb2312": "gb18030",
    "euccn": "gb18030",
    "gbk": "gb18030",
    "shiftjis": "cp932",
    "sjis": "cp932",
    "euckr": "cp949",
    "big5": "cp950",
}


@dataclass
class Tree:
    """A game: the nodes of its main line, and how many variations were left out.

    `depth`: of variations, now; `name`: the property to which the next value belongs; `is_main`: the main line goes on;
    `never_ends`: a value that has no end, so that no value after it has one.
    """

    number: int
    nodes: list[dict[str, list[str]]] = field(default_factory=list)
    variations: int = 0
    depth: int = 0
    name: str = ""
    is_main: bool = True
    never_ends: bool = False

    def error(self, why: str) -> FormatError:
        """Make the error for a game that cannot be read from here."""
        return FormatError(f"Game {self.number}, after {max(len(self.nodes) - 1, 0)} moves: {why}.")

    def add(self, kind: str, text: str) -> None:
        """Add a part of the file. Raises FormatError."""
        if kind == "sign":
            self._add_sign(text)
        elif kind == "name":
            self.name = re.sub("[a-z]", "", text)  # old files write `AddBlack` for AB
        elif not self.name:
            raise self.error("a value belongs to no property")
        elif self.is_main:
            self.nodes[-1].setdefault(self.name, []).append(text)

    def _add_sign(self, sign: str) -> None:
        self.name = ""
        if sign == ";" and self.is_main:
            self.nodes.append({})
        self.variations += sign == "(" and not self.is_main
        self.depth += {"(": 1, ")": -1, ";": 0}[sign]
        self.is_main = self.is_main and sign != ")"


def decoded(data: bytes) -> str:
    """Return the text of a file in the encoding that it names with CA; else UTF-8, UTF-16, else ISO 8859-1."""
    data = as_utf8(data)
    named = _CHARSET.search(data[:100_000])
    label = named[1].decode() if named else ""
    names = [_WIDER.get(re.sub("[_-]", "", label.lower()), label)] if _ENCODINGS.fullmatch(label) else []
    for name in (*names, "utf-8-sig"):
        try:
            return data.decode(name)
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("latin-1")


def trees(data: bytes) -> Iterator[Tree | FormatError]:
    """Yield the games of a file, and for each that cannot be read the error that says why.

    What stands between them is not read. After an error the next game is looked for at the beginning of a line.
    """
    text, at, number = decoded(data), 0, 1
    while begin := _BEGIN.search(text, at):
        tree = Tree(number)
        try:
            at = _fill(tree, text, begin.start())
            yield tree
        except FormatError as error:
            yield error
            match = None if tree.never_ends else _NEXT.search(text, begin.end())
            at = match.end() if match else len(text)
        number += 1


def plain(value: str) -> str:
    """Return the words of a value: without escapes, on one line."""
    return " ".join(re.sub(r"\\(\r\n|\n\r|.)", lambda c: "" if c[1][0] in "\r\n" else c[1], value, flags=re.S).split())


def _fill(tree: Tree, text: str, at: int) -> int:
    """Read a game, and return where it ends. Raises FormatError."""
    while not tree.nodes or tree.depth:
        match = _TOKEN.match(text, at)
        if not match:
            tree.never_ends = bool(_OPEN.match(text, at))
            rest = text[at : at + 30].split("\n")[0]
            raise tree.error(f"it cannot be read from here: {rest}" if rest.strip() else "it never ends")
        tree.add(match.lastgroup or "", match[match.lastgroup or 0])
        at = match.end()
    return at
