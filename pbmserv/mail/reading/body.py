"""The text of a mail: the parts that contain it, and HTML as plain text."""

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, partial
from html import unescape
from typing import NamedTuple

from pbmserv.mail.reading import mime
from pbmserv.mail.reading.added.speech import ONE, speaks
from pbmserv.mail.reading.encoding import clean
from pbmserv.mail.reading.mime import MimePart

_CLOSED = (
    "multipart/encrypted",
    "application/pkcs7-mime",
    "application/x-pkcs7-mime",
    "application/ms-tnef",
    "application/vnd.ms-tnef",
)

# Kinds of text that no person has written.
_FOR_PROGRAMS = re.compile(
    "text/(?:calendar|rtf|css|csv|x?-?vcard|directory|xml|javascript|rfc822-headers|x-amp-html|vnd.google.*)"
)
_ORIGINAL = "-----Original Message-----"  # inserted where an HTML element marks the beginning of the original

# What is no complete tag, text or reference is taken out first. Each of these substitutions takes linear time. Then one
# expression finds the tags: the parser of Python takes several times as long, and its versions differ.
_LEFT_OUT = (
    (re.compile(r"<!--.*?(?:-->|\Z)", re.S), ""),
    (re.compile(r"<(style|script)\b[^<>]*+>.*?(?:</\1\s*+>|\Z)", re.S | re.I), ""),
    (re.compile(r"<[!?][^>]*>?"), ""),
)
_HOSTILE = (
    (re.compile(r"""<(?!/?[A-Za-z](?:[^<>"']|"[^<"]*"|'[^<']*')*+>)"""), "&lt;"),
    (re.compile(r"&#[xX]?[0-9a-fA-F]{9,};?"), ""),
)
_TAG = re.compile(r"""<(/?)([A-Za-z][^\s/<>"']*)((?:[^<>"']|"[^<"]*"|'[^<']*')*+)>""")
_MARKING = ("class", "id", "name", "fairemail")  # the attributes with marks, and all of `data-`, by name and value
_THROUGH = "line-through"  # a mark by its style
_ATTRIBUTE = re.compile(r"""([^\s"'=/]++)(?:\s*+=\s*+("[^"]*"|'[^']*'|[^\s"']++))?""")
_MOST_ATTRIBUTES = 2_000  # characters of a tag in which its marks are looked for
_OURS = re.compile(r"<!--.*?-->|<(head)>.*?</\1>", re.S)
_ALT = re.compile(r'<img [^>]*?alt="([^"]*)"[^>]*>')
_ANY_TAG = re.compile("<[^>]*>")
_RULE = "_" * 32
_EMPTY_LINES = re.compile(r"\n(?: *\n){2,}")
_SPACES = re.compile(r"[ \t\r\n\f]+")
_BLOCKS = {"address", "article", "blockquote", "center", "dd", "dl", "dt", "div", "fieldset", "footer", "form", "h1"}
_BLOCKS |= {"h2", "h3", "h4", "h5", "h6", "hr", "header", "li", "ol", "p", "pre", "section", "tr", "table", "ul"}
_HIDDEN = {"head", "style", "script", "title", "template"}
_SIGNED = {"signature", "sign"}
_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
# By class, id or name of an element: nearly all mailers name a signature by this word somewhere in a mark, some by its
# beginning. What marks quotes and originals is of Yahoo, GMX, Microsoft, Apple and Google.
_SIGNATURE = re.compile(
    r"signatur|(?:^|[_-])(?:my)?(?:sig|bloop_sign)(?:$|[_-]|container|block)|[_-]sgn$|__sig_|[a-z]sig$|"
    "^dab4fad8-2dd7-40bb-a1b8-4e2aa1f9fdf2$"  # the advertisement of Avast
)
_QUOTES = {"yahoo_quoted", "quote"}
_ORIGINALS = {"divrplyfwdmsg", "appendonsend", "olk_src_body_section", "mail-editor-reference-message-container"}
_NO_MARKS = frozenset[str]()
_TIGHT = {"msonormal", "msoplaintext"}  # paragraphs without a space around them, one for each line
#: One of these is in the attributes of each tag that is marked, the last one if its letters are written as numbers.
_IN_MARKS = ("sig", "sgn", "dab4fad8", *_QUOTES, *_ORIGINALS, *_TIGHT, _THROUGH, "&#")
_STRUCK = "~~"  # as in Markdown: what is struck out is not meant
_SIGNS = {"s": _STRUCK, "del": _STRUCK, "strike": _STRUCK, "q": '"'}
_FILES = {"image": "picture", "audio": "sound", "video": "film"}  # what a file is, by its type
_BOARD = "image/png"  # the form of our boards
_DEPTH = 100  # how many levels of nested elements are tracked


def text(root: MimePart) -> str:
    """Return the text of a mail, including quotes. Raises UnreadableMail and TooLarge."""
    return next(texts(root))


def texts(root: MimePart) -> Iterator[str]:
    """Yield the text of a mail, and then that of its HTML with what is marked as a signature.

    A text with the name of a file is read only if there is no other. The first text part decides. If it is plain
    text, the following plain parts belong to it (Apple Mail splits a text around a picture). If it is HTML, the
    following parts were added by a list or a virus scanner.
    """
    parsed = cache(_parsed)
    for is_read, signatures in ((_is_text, False), (_is_html, True)):
        shown = _leaves(root, is_read) or _leaves(root, _is_other_text) or _only_file(root)
        yield _joined([leaf for leaf in shown if not _is_blank(leaf)], partial(_html_words, parsed, signatures))


def _joined(leaves: list[MimePart], words: Callable[[str], str]) -> str:
    """Return the text of some parts. `words`: those of HTML."""
    if leaves and leaves[0].kind == "text/plain":
        leaves = [leaf for leaf in leaves if leaf.kind == "text/plain"]
    texts = [(words(leaf.text) if _is_html(leaf) else leaf.text).strip("\n") for leaf in leaves]
    joined = "\n\n".join(texts)
    mime.check_bound("bytes of text", len(joined.encode()), mime.MOST_TEXT)
    mime.check_bound("lines of text", joined.count("\n"), mime.MOST_LINES)
    return "\n\n".join(_once(texts))


def words_of(html: str) -> str:
    """Return the words of HTML that we have made ourselves, a line for each picture and each piece between tags."""
    pieces = _ANY_TAG.sub("\n", _ALT.sub(r"\n\1\n", _OURS.sub("", html))).split("\n")
    return clean(unescape("\n".join(piece for piece in pieces if piece.strip())))


def is_closed(root: MimePart) -> bool:
    """Return whether a part is encrypted, opaque S/MIME or Microsoft's winmail.dat."""
    return root.kind in _CLOSED or root.param("name").lower() == "winmail.dat" or any(map(is_closed, root.children))


def attached(root: MimePart, *, quotes: bool) -> str:
    """Return what a mail without text has instead: a picture, a sound, a film or a file; "" if it has nothing.

    `quotes`: it quotes a letter, whose board may have come back.
    """
    files = [part.kind for part in _parts(root) if not (part.children or part.kind.startswith("text/"))]
    return next((_FILES.get(kind.partition("/")[0], "file") for kind in files if not (quotes and kind == _BOARD)), "")


def _once(texts: Sequence[str]) -> list[str]:
    """Return these texts without those that are an earlier one in another form: they begin with the same line.

    What is added to a text does not begin as it does.
    """
    kept = dict[str, str]()
    for text in texts:
        kept.setdefault("".join(text.partition("\n")[0].split()), text)
    return list(kept.values())


def _leaves(root: MimePart, is_read: Callable[[MimePart], bool]) -> list[MimePart]:
    """Return the text parts that a mailer would show, in order. Of alternatives, prefer plain text if not empty."""
    if root.kind == "multipart/signed":
        return _shown(root.children[:1], is_read)  # RFC 1847: the signed part comes first
    if root.kind != "multipart/alternative":
        return _shown(root.children, is_read) or ([root] if is_read(root) else [])
    shown = _shown(root.children, is_read)
    plain = [leaf for leaf in shown if leaf.kind == "text/plain"]
    return plain if any(not _is_blank(leaf) for leaf in plain) else [leaf for leaf in shown if leaf not in plain]


def _shown(parts: tuple[MimePart, ...], is_read: Callable[[MimePart], bool]) -> list[MimePart]:
    return [leaf for part in parts if not part.is_file for leaf in _leaves(part, is_read)]


def _only_file(root: MimePart) -> list[MimePart]:
    """Return the text that a mail has as a file, if it has one of them."""
    files = [part for part in _parts(root) if part.is_file and _is_other_text(part)]
    return files if len(files) == 1 else []


def _parts(root: MimePart) -> Iterator[MimePart]:
    yield root
    for part in root.children:
        yield from _parts(part)


def _is_text(part: MimePart) -> bool:
    return part.kind in ("text/plain", "text/html")


def _is_html(part: MimePart) -> bool:
    return part.kind == "text/html"


def _is_other_text(part: MimePart) -> bool:
    """Return whether a part is read as plain text if a mail has no other text (RFC 2046 §4.1.4)."""
    return part.kind.startswith("text/") and not _FOR_PROGRAMS.fullmatch(part.kind)


def _is_blank(leaf: MimePart) -> bool:
    return leaf.kind == "text/plain" and not leaf.text.strip()


def _parsed(html: str) -> "_Page":
    for pattern, replacement in _LEFT_OUT:
        html = pattern.sub(replacement, html)
    mime.check_bound("tags", html.count("<"), mime.MOST_TAGS)
    mime.check_bound("bytes of text", html.count("&"), mime.MOST_TEXT)  # each stands for one at least
    for pattern, replacement in _HOSTILE:
        html = pattern.sub(replacement, html)
    page = _Page()
    page.feed(html)
    return page


def _html_words(parsed: Callable[[str], "_Page"], signatures: bool, html: str) -> str:
    """Return the clean text of HTML. Each block element begins a line, and quotes are marked with `>`.

    There is at most one empty line between two lines.
    """
    return _EMPTY_LINES.sub("\n\n", clean(parsed(html).text(signatures)))


class _Page:
    """Collects the lines of text while a page is parsed."""

    def __init__(self) -> None:
        self._lines: list[tuple[bool, str]] = []  # (is of a signature, the line)
        self._line: list[str] = []
        self._roles = dict.fromkeys(("", "hidden", "signature", "quote", "pre", "tight"), 0)  # open elements of each
        self._open: list[tuple[str, str]] = []  # (tag, role): role is one of these

    def text(self, signatures: bool) -> str:
        """Return the text. Of a signature there is only what somebody has typed into it, or all of it but its mark."""
        kept: list[str] = []
        for is_signature, group in itertools.groupby(self._lines, lambda line: line[0]):
            lines = [line for _, line in group]
            words = [line for line in lines if line != "--"] if is_signature else lines
            typed = words if signatures or not is_signature else _typed(words)
            if is_signature and typed:
                while kept and kept[-1] in ("", "--"):
                    kept.pop()
            kept += typed if words else lines[:1]  # Zimbra marks only the line `--`
        return "\n".join(kept)

    def feed(self, html: str) -> None:
        """Read a page whose every `<` begins a complete tag."""
        at = 0
        for tag in _TAG.finditer(html):
            if at < tag.start():
                self._data(unescape(html[at : tag.start()]))
            at = tag.end()
            if tag[1]:
                self._end_tag(tag[2].lower())
            else:  # browsers ignore a slash at its end
                self._start_tag(tag[2].lower(), _marks(tag[3][:_MOST_ATTRIBUTES]) if tag[3] else _NO_MARKS)
        self._data(unescape(html[at:]))
        self._end_line()

    def _start_tag(self, tag: str, marks: frozenset[str]) -> None:
        element = _element(tag, marks)
        if element.is_block:
            self._end_line()
        for words in element.lines:
            self._line.append(words)
            self._break()
        if not element.is_void and len(self._open) < _DEPTH:
            self._roles[element.role] += 1
            self._open.append((tag, element.role))
        if element.sign:
            self._data(element.sign)

    def _end_tag(self, tag: str) -> None:
        if tag in _SIGNS:
            self._data(_SIGNS[tag])
        if tag in _BLOCKS:
            self._end_line()
            if tag == "p" and not self._is("tight"):
                self._break()
        for last in range(len(self._open) - 1, -1, -1):
            if self._open[last][0] == tag:
                if self._is("signature"):
                    self._end_line()
                for _, role in self._open[last:]:
                    self._roles[role] -= 1
                del self._open[last:]
                break

    def _data(self, data: str) -> None:
        if self._is("hidden"):
            return
        if not self._is("pre"):
            self._line.append(_SPACES.sub(" ", data))
            return
        first, *others = data.split("\n")
        self._line.append(first)
        for line in others:
            self._break()
            self._line.append(line)

    def _is(self, role: str) -> bool:
        return self._roles[role] > 0

    def _end_line(self) -> None:
        if self._line:
            if "".join(self._line).strip(" \n"):
                self._break()
            self._line = []

    def _break(self) -> None:
        line = "".join(self._line)
        line = line.rstrip() if self._is("pre") else line.strip(" ")
        self._lines.append((self._is("signature"), f"> {line}" if self._is("quote") else line))
        self._line = []


def _typed(lines: Sequence[str]) -> Sequence[str]:
    """Return what somebody has typed into a signature: all up to the last line in which they speak."""
    spoken = [n for n, line in enumerate(lines, 1) if speaks(line, ONE)]
    return lines[: max(spoken, default=0)]


@lru_cache(maxsize=256)  # a page repeats the same few, thousands of times
def _marks(attributes: str) -> frozenset[str]:
    """Return the words of the attributes of a tag that mark it, in lower case."""
    lower = attributes.lower()
    if not any(mark in lower for mark in _IN_MARKS):
        return _NO_MARKS
    pairs = [(name.lower(), value.strip("\"'")) for name, value in _ATTRIBUTE.findall(attributes)]
    values = [value for name, value in pairs if name in _MARKING or name.startswith("data-")]
    values += [name for name, _ in pairs if name.startswith("data-")]
    through = _THROUGH if _THROUGH in lower else ""
    return frozenset(unescape(" ".join((*values, through))).lower().split())


def _is_signature(marks: frozenset[str]) -> bool:
    return any(map(_SIGNATURE.search, marks))


class _Element(NamedTuple):
    """What a tag does to the text."""

    is_block: bool  #: it begins a line
    lines: tuple[str, ...]  #: it puts these there, each on the rest of its line
    is_void: bool  #: it has no end
    role: str
    sign: str  #: it puts this at the beginning of its text


@lru_cache(maxsize=256)  # a page repeats the same few, thousands of times
def _element(tag: str, marks: frozenset[str]) -> _Element:
    is_void, role = tag in _VOID, _role(tag, marks)
    lines = [""] if tag == "br" else []
    if tag == "hr" or marks & _ORIGINALS:
        lines.append(_ORIGINAL if marks & _ORIGINALS else _RULE)
    if is_void and role == "signature":  # the mark of the place where it begins
        lines.append("--")
    is_block = tag in _BLOCKS or (role == "signature" and tag != "br")
    return _Element(is_block, tuple(lines), is_void, role, _SIGNS.get(tag, _STRUCK if _THROUGH in marks else ""))


def _role(tag: str, marks: frozenset[str]) -> str:
    if tag in _HIDDEN:
        return "hidden"
    if tag in _SIGNED or _is_signature(marks):
        return "signature"
    if tag == "blockquote" or marks & _QUOTES:
        return "quote"
    if tag == "p" and marks & _TIGHT:
        return "tight"
    return "pre" if tag == "pre" else ""
