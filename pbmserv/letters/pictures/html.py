"""The HTML of a letter: its blocks, its boards as images, and links that answer it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from hashlib import blake2b
from io import BytesIO
from itertools import islice
from typing import NamedTuple
from urllib.parse import quote

import PIL.Image
import structlog
from markupsafe import Markup

from pbmserv.games.base import Picture, Tray
from pbmserv.letters.pictures.diagrams import lines_below
from pbmserv.letters.pictures.image import Image, image
from pbmserv.letters.pictures.linking.areas import Areas
from pbmserv.letters.pictures.linking.links import MoveLinks, Moves, mailto_end, mailto_start
from pbmserv.letters.pictures.packing import unpack
from pbmserv.letters.pictures.touch import NO_TOUCHES, Touches
from pbmserv.letters.text.blocks import Block, Depicted
from pbmserv.letters.text.templates import Renderer
from pbmserv.letters.text.translations import Say
from pbmserv.letters.text.wording import button
from pbmserv.mail.outbound import InlinePicture, transfer_size
from pbmserv.mail.reading.encoding import clean
from pbmserv.mail.sizes import MOST_BOARD_LETTER_BYTES, MOST_LETTER_BYTES

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_MOST_LINKS = 12_500  #: bytes of links to moves; where there are more, links to parts of the board lead to them
_MOST_OF_PART = 49  #: moves in a part of a board of points, 7x7, which has all of them: no smaller part could follow
_AROUND = 7_000  #: bytes of a letter with one board without its words, its image and the links to moves
_HEAD = 2_000  #: bytes of a letter that are neither text nor HTML nor image
_LONG, _BEGINNING, _END = 40, 3, 12  #: lines of a long table, and those that are left of it if there is no room
_AS_TEXT = "The board as text"
_REPLIES = ("accept", "reject")
_MOST_WORDS = 3_500  #: bytes of the text of a letter about a board whose HTML can have all of it
_IN_BASE64 = 1.37  #: bytes in a letter for each byte of an image


class Html(NamedTuple):
    """The HTML of a letter, and the pictures that it shows."""

    text: str
    pictures: tuple[InlinePicture, ...] = ()


@dataclass(frozen=True)
class Answers:
    """What the reader of a letter can answer by touching it, and where the answer goes."""

    address: str = ""
    subject: str = ""  #: of the answer; "": each of the words is a command, which is the subject
    words: Sequence[str] = ()  #: answers by a button that are no moves
    touches: Touches = NO_TOUCHES
    page: str = ""  #: the URL of a page with all moves, for a letter that has no room for them


NO_ANSWERS = Answers()


class _Shown(NamedTuple):
    """A board as the template shows it: its image, and the texts above and below it."""

    image: Image
    source: InlinePicture
    above: Sequence[str]
    below: Sequence[str]


class _Made(NamedTuple):
    """A board in English. `lines`: what is told above it; `trays`, `below`: below it."""

    image: Image
    source: InlinePicture
    lines: Sequence[str]
    trays: Sequence[Tray]
    below: Sequence[str]


def letter_html(renderer: Renderer, blocks: Sequence[Block], answers: Answers = NO_ANSWERS, beside: int = 0) -> Html:
    """Return the HTML of a letter. `beside`: how many bytes its text has.

    As many moves are links as there is room for. A letter of many boards has images of the first ones.
    """
    blocks = _board_first(blocks)
    start = mailto_start(answers.address, answers.subject)  # as it is in HTML: no character's name begins with &b
    boards = dict(_boards(renderer, blocks))
    moves = _moves(renderer, answers, start, [board.image for board in boards.values()], beside)
    asked, verbs = (_buttons(renderer, answers, start, words) for words in _asked_first(blocks, answers.words))
    links = {
        "moves": moves,
        "asked": asked,
        "verbs": verbs,
        "page": answers.page,
        "as_text": renderer.say(_AS_TEXT),
    }
    if beside > _MOST_WORDS and len(boards) == 1:
        blocks = [_shortened(block) for block in blocks]
    for shown, most in _attempts(boards):
        html = renderer.html(blocks, shown, **links)
        pictures = {board.source.id: board.source for board in shown.values()}.values()
        if beside + transfer_size(html) + _size_of(p.png for p in pictures) <= most:
            break
    return Html(html, tuple(pictures))


def _asked_first(blocks: Sequence[Block], words: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the words that answer a question of another player, which stand below its first line, and the others."""
    if "accept" not in words or not any(block.kind == "lead" for block in blocks):
        return (), words
    return [word for word in words if word in _REPLIES], [word for word in words if word not in _REPLIES]


def _buttons(renderer: Renderer, answers: Answers, start: str, words: Sequence[str]) -> list[tuple[str, Markup]]:
    """Return what the button of each word says, and its link."""
    end = mailto_end if answers.subject else partial(quote, safe="")
    return [(button(word, renderer.say), Markup(start + end(word))) for word in words]  # noqa: S704 - quoted


def _attempts(boards: Mapping[int, _Shown]) -> Iterator[tuple[Mapping[int, _Shown], int]]:
    """Yield boards that a letter can show, and how many bytes it can have with them; the last of them are none."""
    if len(boards) == 1:
        yield boards, MOST_BOARD_LETTER_BYTES - _HEAD
        yield _smaller(boards, _coarser), MOST_BOARD_LETTER_BYTES - _HEAD
        boards = _smaller(boards, _coarsest)
    for count in range(len(boards), -1, -1):
        yield dict(islice(boards.items(), count)), MOST_LETTER_BYTES - _HEAD


def _shortened(block: Block) -> Block:
    """Return a block without the middle of a long table. The text of the letter has all of it."""
    if len(block.lines) < _LONG or not block.fixed:
        return block
    return replace(block, lines=(*block.lines[:_BEGINNING], " ...", *block.lines[-_END:]))


def _smaller(boards: Mapping[int, _Shown], smaller: Callable[[bytes], bytes]) -> Mapping[int, _Shown]:
    """Return boards whose images have fewer bytes, which takes longer to make."""
    return {n: board._replace(source=_source(smaller(board.image.png))) for n, board in boards.items()}


def _coarser(png: bytes) -> bytes:
    """Return an image with two thirds of the pixels on each side, which is as large in a letter."""
    return _reduced(png, 2 / 3)


def _coarsest(png: bytes) -> bytes:
    """Return an image with one pixel for each CSS pixel."""
    return _reduced(png, 1 / 2)


@lru_cache(maxsize=64)
def _reduced(png: bytes, share: float) -> bytes:
    shown, out = PIL.Image.open(BytesIO(png)), BytesIO()
    size = round(shown.width * share), round(shown.height * share)
    small = shown.convert("RGB").resize(size, PIL.Image.Resampling.HAMMING)
    small.quantize(palette=shown, dither=PIL.Image.Dither.NONE).save(out, "PNG", optimize=True)
    return min(png, out.getvalue(), key=len)


def _board_first(blocks: Sequence[Block]) -> Sequence[Block]:
    """Return the blocks with rarely needed things below the first board, which is then in the first window."""
    at = next((n for n, block in enumerate(blocks) if block.picture), 0)
    above, fine = ([b for b in blocks[:at] if (b.kind == "fine") is is_fine] for is_fine in (False, True))
    return [*above, blocks[at], *fine, *blocks[at + 1 :]] if fine else blocks


def _boards(renderer: Renderer, blocks: Sequence[Block]) -> Iterator[tuple[int, _Shown]]:
    """Yield the boards by the numbers of their blocks. One whose image cannot be made is shown as text."""
    for number, block in enumerate(blocks):
        if block.picture:
            try:
                yield number, _shown(renderer, block.picture)
            except Exception as bug:
                log.exception("picture_without_image", bug=type(bug).__name__)


def _shown(renderer: Renderer, drawn: Depicted | str) -> _Shown:
    made, source, lines, trays, told = _made(unpack(drawn)) if isinstance(drawn, str) else _shared(drawn)
    say = renderer.say
    below = (*[_told(tray, say) for tray in trays], *map(say, told))
    return _Shown(made, source, [clean(say(line)) for line in lines], list(map(clean, below)))


def lines_above(drawn: Depicted | str, say: Say) -> list[str]:
    """Return the lines of text above a picture."""
    picture = unpack(drawn) if isinstance(drawn, str) else drawn.picture
    return [clean(say(line)) for line in picture.lines]


@lru_cache(maxsize=64)
def _shared(drawn: Depicted) -> _Made:
    """Return what readers of a board share who see the same, whatever their languages."""
    return _made(drawn.picture)


def _made(picture: Picture) -> _Made:
    made = image(picture)
    return _Made(made, _source(made.png), picture.lines, picture.beside, lines_below(picture))


def _told(tray: Tray, say: Say) -> str:
    """Return what a tray says and holds: in the image are no words."""
    return ": ".join([say(tray.says), *[", ".join(map(say, tray.holds))] * bool(tray.holds)])


def _source(png: bytes) -> InlinePicture:
    name = f"board-{blake2b(png, digest_size=6).hexdigest()}.png"
    return InlinePicture(f"pbm@{name}", name, png)


def _moves(renderer: Renderer, answers: Answers, start: str, images: Sequence[Image], beside: int) -> Moves:
    if not answers.touches.count:
        return Moves()
    areas = images[0].areas if images else Areas()
    room = MOST_BOARD_LETTER_BYTES - _AROUND - 2 * beside - _size_of(made.png for made in images)
    is_part = not answers.touches.starts and answers.touches.count <= _MOST_OF_PART
    return MoveLinks(renderer, answers.touches, start, answers.page, areas).best(
        room if is_part else min(room, _MOST_LINKS)
    )


def _size_of(pngs: Iterable[bytes]) -> int:
    return round(_IN_BASE64 * sum(map(len, pngs)))
