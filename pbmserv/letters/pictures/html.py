"""The HTML of a letter: its blocks, its boards as tables, and links that answer it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import quote

import structlog
from markupsafe import Markup, escape

from pbmserv.letters.pictures.packing import unpack
from pbmserv.letters.pictures.table import Tables
from pbmserv.letters.pictures.touch import NO_TOUCHES, Touches, Way
from pbmserv.letters.text.blocks import Block
from pbmserv.letters.text.templates import Renderer
from pbmserv.mail.sizes import MOST_HTML_BYTES

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_FRAME = 500  # bytes around a diagram that stands in place of a table

_TOUCH = "You can also touch a square of the board. Your mail program then opens with the move."
_TOUCH_A_MOVE = "You can also touch one of your moves. Your mail program then opens with it."
_ON_A_PAGE = "All your moves, to be touched"
_BY_MAIL = "This letter has no room for all your moves. To get them, answer with the word moves."

_HERE = Markup("<start>")  #: where a link's first part will stand; no other text is like it, because "<" is escaped

_tables = lru_cache(maxsize=None)(Tables)


@dataclass(frozen=True)
class Answers:
    """What the reader of a letter can answer by touching it, and where the answer goes."""

    address: str = ""
    subject: str = ""
    words: Sequence[str] = ()  #: answers by a button that are no moves
    touches: Touches = NO_TOUCHES
    page: str = ""  #: the URL of a page with all moves, for a letter that has no room for them
    crowded: bool = False  #: the letter has no room for the moves


NO_ANSWERS = Answers()


def letter_html(renderer: Renderer, blocks: Sequence[Block], answers: Answers = NO_ANSWERS) -> str:
    """Return the HTML of a letter. If it would be too long, it has no links to moves, and then fewer pictures."""
    start = escape(mailto_start(answers.address, answers.subject))
    cells = {cell: f"{start}{mailto_end(text)}" for cell, text in answers.touches.cells.items()}
    tables = _made(renderer, blocks, cells)
    links = _links(renderer, answers, start, _names(blocks, tables) if cells else frozenset())
    html = renderer.html(blocks, tables, start=start, **links)
    if _size(html) > MOST_HTML_BYTES and answers.touches.count:
        return letter_html(renderer, blocks, replace(answers, touches=NO_TOUCHES, crowded=True))
    while (over := _size(html) - MOST_HTML_BYTES) > 0 and tables:
        while over > 0 and tables:
            number, table = tables.popitem()
            over -= _size(table) - _size(escape(blocks[number].text)) - _FRAME
        html = renderer.html(blocks, tables, start=start, **links)
    return html


def _made(renderer: Renderer, blocks: Sequence[Block], cells: Mapping[str, str]) -> dict[int, str]:
    """Return the tables by the numbers of their blocks. A board whose table cannot be made is shown as text."""
    tables = dict[int, str]()
    for number, block in enumerate(blocks):
        if block.picture:
            try:
                tables[number] = _tables(renderer).table(block.picture, cells)
            except Exception as bug:
                log.exception("picture_without_table", bug=type(bug).__name__)
    return tables


def _names(blocks: Sequence[Block], tables: Mapping[int, str]) -> frozenset[str]:
    """Return the names of all cells that have been drawn."""
    return frozenset().union(*(unpack(blocks[number].picture).names for number in tables))


def _links(renderer: Renderer, answers: Answers, start: str, drawn: frozenset[str]) -> dict[str, object]:
    """Return what the template needs for the links that are not on a board. `start`: of each link."""
    touches, say = answers.touches, renderer.say
    moves = [*touches.others, *(text for cell, text in touches.cells.items() if cell not in drawn)]
    return {
        "hint": say(_TOUCH if drawn & touches.cells.keys() else _TOUCH_A_MOVE) if touches.count else "",
        "starts": _starts(renderer, touches, start),
        "moves": [(text, mailto_end(text)) for text in sorted(moves)],
        "verbs": [(word, mailto_end(word)) for word in answers.words],
        "page": answers.page if answers.crowded else "",
        "crowded": say(_ON_A_PAGE if answers.page else _BY_MAIL) if answers.crowded else "",
    }


def _starts(renderer: Renderer, touches: Touches, start: str) -> Markup:
    """Return the moves that have a start, by their starts."""
    groups = (_ways(renderer, cell, tuple(ways)) for cell, ways in touches.starts.items())
    return Markup("".join(groups).replace(_HERE, start))  # noqa: S704 - rendered HTML, and a link that is escaped


@lru_cache(maxsize=2048)  # a stack of Tumbling Down has the same moves from a square in each letter
def _ways(renderer: Renderer, cell: str, ways: tuple[Way, ...]) -> str:
    """Return the moves that begin on a cell, with `_HERE` in place of the first part of each link."""
    links = [(renderer.say(way.caption), mailto_end(way.text)) for way in ways]
    return renderer.macro("mail/picture.html", "ways")(cell.upper(), links, _HERE)


def _size(html: str) -> int:
    return len(html) if html.isascii() else len(html.encode())


def mailto_start(address: str, subject: str) -> str:
    """Return how the `mailto` URIs (RFC 6068) begin that open a mail with this subject; `mailto_end` is the rest.

    Everything but letters, digits and `-._~` is percent-encoded (§2). This includes the `+` of a signed address,
    which some programs read as a space.
    """
    return f"mailto:{quote(address, safe='@')}?subject={quote(subject, safe='')}&body="


@lru_cache(maxsize=10_000)
def mailto_end(line: str) -> str:
    """Return the end of a `mailto` URI whose mail begins with this line.

    Line ends of the body are %0D%0A (§5). Two come behind the line: some programs leave out the last one, and
    what the player writes below must not stand on this line.
    """
    return f"{quote(line, safe='')}%0D%0A%0D%0A"
