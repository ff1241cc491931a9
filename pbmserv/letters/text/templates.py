"""The Jinja environment: (template, data) -> text, and the HTML that says the same words (templates/mail/letter.html).

A language is a folder of templates with the names of the English ones, and `messages.toml` for the words that are made
in Python; what it lacks is English.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache, partial
from hashlib import blake2b
from pathlib import Path
from types import CodeType

import jinja2
from jinja2.bccache import Bucket
from markupsafe import Markup, escape

from pbmserv import games, paths
from pbmserv.games.base import AnyGame, Game, Picture, View
from pbmserv.games.base.before_setup import BeforeSetup
from pbmserv.games.base.board import Board, Start, begin
from pbmserv.games.base.kinds import by_kind, family_of, listed
from pbmserv.games.base.rules import M
from pbmserv.games.base.values import P
from pbmserv.letters.text import blocks
from pbmserv.letters.text.aloud import grouped, spoken_line
from pbmserv.letters.text.blocks import WIDTH, Block, Linked, Words
from pbmserv.letters.text.men import lettered
from pbmserv.letters.text.sketches import sketched, sketched_tray
from pbmserv.letters.text.translations import Messages, Say
from pbmserv.letters.text.wording import button
from pbmserv.model.preferences import SPOKEN, Preferences
from pbmserv.model.rows import Json

__all__ = ["ENGLISH", "SPOKEN", "WIDTH", "Renderer", "template_of"]

ENGLISH = Preferences.language.usual  #: the language of the templates that are in no folder of a language

_TABLE = "messages.toml"
_ANCHOR = Markup('<a class="link" style="display:inline-block;padding:6px 0;color:#14532d" href="{url}">{url}</a>')
_LABEL = re.compile(r"([^:]+): ")
_SQUARE = re.compile(r"[a-z]\d+")


class Renderer:
    """Renders templates; those in the folder `first`, if given, come before ours, in every language."""

    def __init__(self, first: str | None = None, language: str = ENGLISH) -> None:
        """Raises ValueError if a table of a language is not right."""
        folders = [*([Path(first)] if first else []), paths.data("templates")]
        english = _loaders(folders)
        own = _loaders(folders, language) if language != ENGLISH else []
        messages = _tables(own)
        self.language = language
        self.described = messages.pop("described", "letters in English")  #: what the language is called in itself
        self.say: Say = _say(language, messages)  #: a sentence of the program, in the reader's language
        self._others = {code: Renderer(first, code) for code in _languages(folders)} if language == ENGLISH else {}
        self._loader = jinja2.ChoiceLoader([*own, *english])
        self._environment = _Environment(
            loader=self._loader,
            autoescape=jinja2.select_autoescape(["html", "svg"], default=False),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=False,
            finalize=blocks.filled_in,
            bytecode_cache=_COMPILED if language == ENGLISH else None,  # in others, constants are translated
            auto_reload=False,  # else every include asks the disk whether its file is still the same
            cache_size=-1,  # all of them, in a plain dict: else every include changes the order of the last used ones
        )
        self._environment.filters |= {
            "indented": blocks.indented,
            "flowing": blocks.flowing,
            "linked": blocks.linked,
            "said": self.say,
            "answer": partial(button, say=self.say),
            "lettered": partial(lettered, say=self.say),
            "breaks": _breaks,
            "by_kind": by_kind,
            "listed": listed,
            "family_of": family_of,
            "sketched": partial(sketched, say=self.say),
            "sketched_tray": partial(sketched_tray, say=self.say),
            "links": _links,
        }
        self._environment.globals |= {"kind": blocks.kind, "language": language}
        self._last: tuple[object, str] = (None, "")  #: the last diagram and what it was made of; replaced as a whole
        self._template = lru_cache(maxsize=None)(self._environment.get_template)
        self._exists = lru_cache(maxsize=None)(self._find)

    def to(self, language: str) -> "Renderer":
        """The renderer for readers of a language; this one if the language is not there."""
        return self._others.get(language, self)

    @property
    def languages(self) -> dict[str, str]:
        """The languages of letters, English first: what each is called in itself, by its code."""
        return {r.language: r.described for r in (self, *self._others.values())}

    def broken(self) -> dict[str, str]:
        """The templates that do not compile, and why."""
        errors = {}
        for name in self._environment.list_templates(extensions=("txt", "html")):
            try:
                self._template(name)
            except (jinja2.TemplateSyntaxError, UnicodeDecodeError) as e:
                errors[name] = str(e)
        return errors

    @cached_property
    def digest(self) -> str:
        """What tells these templates and those of all languages from others."""
        loader, digest = self._loader, blake2b(digest_size=12)
        for name in self._environment.list_templates():
            with suppress(OSError, UnicodeDecodeError):
                digest.update(f"{name} {loader.get_source(self._environment, name)[0]}".encode())
        return digest.hexdigest()

    def unused(self, first: str) -> list[str]:
        """The files of the folder `first` whose names none of our templates has, in any language."""
        ours = {_TABLE, *jinja2.FileSystemLoader(paths.data("templates")).list_templates()}
        return [n for n in jinja2.FileSystemLoader(first).list_templates() if self._in_english(n) not in ours]

    def _in_english(self, name: str) -> str:
        """The name that a template of a language has in English."""
        language, _, rest = name.partition("/")
        return rest if language in self._others else name

    def text(self, template: str, data: Mapping[str, object]) -> str:
        """A rendered template without trailing spaces. It has marks if the template has: of a letter, use `blocks`."""
        rendered = self._template(template).render(data)
        return "\n".join(line.rstrip() for line in rendered.split("\n")).strip("\n")

    def blocks(self, template: str, data: Mapping[str, object]) -> Words:
        """A rendered template as the blocks of a letter, which can also go into another template."""
        return blocks.cut(self._template(template).render(data))

    def said(self, text: str | Words) -> Words:
        """Sentences of the program, or a rendered template that has some, as blocks in the reader's language."""
        return blocks.cut(self.say(str(blocks.filled_in(text))))

    def html(self, blocks: Sequence[Block], boards: Mapping[int, object], **links: object) -> str:
        """The HTML of a letter of these blocks. `boards`: those with images, by the numbers of their blocks.

        It is in ASCII, because with any other character a letter has every `=` of its links in three bytes (RFC 2045).
        `links`: what stands below the block that explains how to answer (letters/pictures/html.py).
        """
        shown = {  # rules of blocks that few letters have
            "has_terms": any(block.terms for block in blocks if block.kind == "columns"),
            "has_text": sum(block.kind == "diagram" for block in blocks) > len(boards),
        }
        html = self._template("mail/letter.html").render(blocks=blocks, boards=boards, **shown, **links)
        return html.encode("ascii", "xmlcharrefreplace").decode() + "\n"

    def web(self, template: str, data: Mapping[str, object]) -> str:
        """A file of templates/web, as it is. Raises jinja2.TemplateNotFound."""
        return self._template(f"web/{template}").render(data)

    def diagram(
        self,
        game: Game[P, M],
        view: View[P],
        display: str = "",
        drawn: Callable[[], Picture | None] | None = None,
    ) -> str:
        """The picture of a position as one reader may see it, or its description if `display` is SPOKEN.

        `drawn`: what gives the picture, if more than this needs it.
        """
        if display == SPOKEN:
            return "\n".join(map(spoken_line, self.told(game, view)))
        if not display and game.info.displays:
            display = game.info.displays[0].name
        diagram = self._diagram_of(game, view, display, drawn or partial(game.picture, view))
        last = self._last
        if diagram != last[0]:  # where nothing is hidden, the readers of a board see one picture
            last = self._last = (diagram, self.text(*diagram))
        return last[1]

    def _diagram_of(
        self, game: Game[P, M], view: View[P], display: str, drawn: Callable[[], Picture | None]
    ) -> tuple[str, dict[str, object]]:
        """The template of a diagram, and its data: that of the game, or else one for all pictures."""
        own = f"boards/{template_of(game)}.txt"
        picture = None if self._exists(own) else drawn()
        if picture is None:
            return own, {"scene": game.scene(view), "display": display}
        return f"boards/any-{'hexes' if picture.hexes else 'squares'}.txt", {"picture": picture}

    def changes(self, game: Game[P, M], before: View[P], after: View[P]) -> str:
        """The lines of the later description that are new or different; squares that it does not name are empty now."""
        old, new = ({_label(x): x for x in self.facts(game, view)} for view in (before, after))
        changed = [line for label, line in new.items() if old.get(label) != line]
        gone = [label for label, line in old.items() if label not in new and label != line]
        if not all(map(_SQUARE.fullmatch, gone)):  # a picture takes its time, and most games call their squares a1
            names = _names(game, after, self.say)
            gone = [label for label in gone if label in names or _SQUARE.fullmatch(label)]
        emptied = [f"{label}: {self.say('now empty')}" for label in gone]
        return "\n".join(map(spoken_line, grouped([*changed, *emptied], self.say)))

    def help(self, topic: str, data: Mapping[str, object]) -> Words:
        """A help page. Raises jinja2.TemplateNotFound."""
        return self.blocks(f"help/{topic}.txt", data)

    def game_help(self, game: AnyGame) -> Words:
        """The help page of a game, with its opening and a first move. Raises jinja2.TemplateNotFound."""
        opening = shown_in_help(game)
        data = {
            "info": game.info,
            "diagram": self.diagram(game, game.view(opening.position, None)),
            "move": lettered(game.shown_example(opening.position, min(opening.to_move)), self.say),
        }
        facts = dict(game.help_facts())
        if "position" in facts:
            facts["worked"] = self.diagram(game, game.view(facts["position"], None))
        return self.help(template_of(game), {**data, **facts})

    def told(self, game: Game[P, M], view: View[P]) -> list[str]:
        """The position to be heard in one go: what is alike is said once."""
        return grouped(self.facts(game, view, whole=True), self.say)

    def facts_and_told(self, game: Game[P, M], view: View[P]) -> tuple[list[str], list[str]]:
        """What `facts` and `told` return; both are the same facts, if the game has no words of its own for them."""
        facts = self.facts(game, view)
        own = self._exists(_words_of(game))
        return facts, self.told(game, view) if own else grouped(facts, self.say)

    def facts(self, game: Game[P, M], view: View[P], *, whole: bool = False) -> list[str]:
        """The position in words, a fact to a line. `whole`: to be heard in one go, so that more can be put together.

        A game without such a template has what its picture says, or else its diagram.
        """
        own = _words_of(game)
        if self._exists(own):
            return self.text(own, {"scene": game.scene(view), "whole": whole}).split("\n")
        with suppress(Exception):  # a picture that fails is reported where it is shown
            picture = game.picture(view)
            if picture is not None:
                place = partial(_place, self.say, picture)
                stacked = any(len(cell.pieces) > 1 for cell in picture.cells)
                data = {"picture": picture, "place": place, "alike": _alike(picture), "stacked": stacked}
                return self.text("spoken/any-board.txt", data).split("\n")
        return self.diagram(game, view).split("\n")

    def _find(self, template: str) -> bool:
        try:
            self._template(template)
        except jinja2.TemplateNotFound:
            return False
        return True


def shown_in_help(game: AnyGame) -> Board:
    """Return the board on the help page of a game, before its first move."""
    return begin(Start(game, game.usual_options({}), game.info.seats[0], "help"))


class _Environment(jinja2.Environment):
    """Gives each template a plain copy of the globals: nothing is added to them later, and one dict is read faster."""

    def make_globals(self, d: MutableMapping[str, object] | None) -> MutableMapping[str, object]:
        return {**self.globals, **(d or {})}


class _CompiledTemplates(jinja2.BytecodeCache):
    """Templates that were compiled in this process: each once for all renderers, because that takes long."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._codes[bucket.key, bucket.checksum] = bucket.code


_COMPILED = _CompiledTemplates()


def _breaks(lines: Iterable[str | Linked]) -> Markup:
    """Lines of text as HTML."""
    return Markup("<br>\n".join(map(_links, lines)))  # noqa: S704 - escaped there


def _links(line: str | Linked) -> Markup:
    """A line of text as HTML, with a link for each URL of ours."""
    if isinstance(line, str):
        return escape(line)
    return Markup().join(_ANCHOR.format(url=part) if n % 2 else part for n, part in enumerate(line.parts))


def template_of(game: AnyGame) -> str:
    """The name that a game's templates have: its page, which its family shares, or its key; else that of a stand-in."""
    if isinstance(game, BeforeSetup):
        return "before_setup"
    return "not_installed" if isinstance(game, games.NotInstalled) else game.info.page or game.info.key


def _words_of(game: AnyGame) -> str:
    """The template that says a position of a game in words."""
    return f"spoken/{game.info.page or template_of(game)}.txt"


class _Read(jinja2.BaseLoader):
    """The templates as they were when the program started: an upgrade may replace the files below a running server."""

    def __init__(self, loader: jinja2.BaseLoader) -> None:
        environment = jinja2.Environment()  # noqa: S701 - renders nothing
        self._sources: dict[str, tuple[str, str | None, Callable[[], bool] | None] | OSError | UnicodeDecodeError] = {}
        for name in loader.list_templates():
            try:
                self._sources[name] = loader.get_source(environment, name)
            except (OSError, UnicodeDecodeError) as e:  # it is told where the template is used
                self._sources[name] = e

    def get_source(
        self, environment: jinja2.Environment, template: str
    ) -> tuple[str, str | None, Callable[[], bool] | None]:
        """Raises jinja2.TemplateNotFound, OSError and UnicodeDecodeError."""
        source = self._sources.get(template)
        if isinstance(source, OSError | UnicodeDecodeError):
            raise source
        if source is None:
            raise jinja2.TemplateNotFound(template)
        return source

    def list_templates(self) -> list[str]:
        """The names of all templates."""
        return sorted(self._sources)


def _loaders(folders: Sequence[Path], part: str = "") -> list[jinja2.BaseLoader]:
    """What finds the templates of these folders and of other packages, or of one part of each."""
    *first, ours = (folder / part for folder in folders)
    loaders: list[jinja2.BaseLoader] = []
    for package in sorted(_other_packages()):
        with suppress(ValueError):  # a package need not speak every language
            loaders.append(jinja2.PackageLoader(package, f"templates/{part}".rstrip("/")))
    before = [_Read(jinja2.FileSystemLoader(folder)) for folder in first]
    return [*before, _ours(ours), *map(_Read, loaders)]


@lru_cache
def _ours(folder: Path) -> jinja2.BaseLoader:
    """Our own templates, or those of one language. A process reads them once, which takes as long as a command."""
    return _Read(jinja2.FileSystemLoader(folder))


def _languages(folders: Iterable[Path]) -> list[str]:
    """The languages that these folders have."""
    return sorted({file.parent.name for folder in folders for file in folder.glob(f"*/{_TABLE}")})


def _tables(loaders: Sequence[jinja2.BaseLoader]) -> Json:
    """What the tables of a language say; of two entries for one sentence, that of the first table counts.

    Raises ValueError with the name of a file that is no table.
    """
    merged: dict[str, object] = {}
    for loader in reversed(loaders):
        with suppress(jinja2.TemplateNotFound):
            text, file, _ = loader.get_source(jinja2.Environment(), _TABLE)  # noqa: S701 - renders nothing
            try:
                merged |= _table(text)
            except ValueError as e:
                raise ValueError(f"{file} cannot be read: {e}") from None
    return merged


@lru_cache
def _table(text: str) -> Json:
    """What a table says."""
    return tomllib.loads(text)


def _say(language: str, table: Mapping[str, str]) -> Say:
    """What looks sentences up. Raises ValueError with the name of a language whose table is not right."""
    try:
        return Messages(table).say if table else str
    except ValueError as e:
        raise ValueError(f"The {_TABLE} of the language {language} is not right: {e}") from None


def _other_packages() -> set[str]:
    """The packages of games that are not ours; each brings a folder `templates`."""
    packages = {type(g).__module__.partition(".")[0] for g in games.all_games()}
    return packages - {"pbmserv"}


def _names(game: Game[P, M], view: View[P], say: Say) -> frozenset[str]:
    """What the cells of a game's picture are called. A picture that fails is reported where it is shown."""
    with suppress(Exception):
        if picture := game.picture(view):
            places = ((r, c) for r, row in enumerate(picture.rows) for c in range(len(row)))
            return picture.names | {_place(say, picture, *place) for place in places}
    return frozenset()


def _place(say: Say, picture: Picture, row: int, column: int) -> str:
    """What a cell without a name is called, by the labels of its rank and file as far as it has them: `c2`."""
    rank = picture.ranks[row] if picture.ranks else ""
    file = picture.files[column] if picture.files and not picture.hexes else ""
    if rank.isdecimal() and len(file) == 1:
        return f"{file}{rank}".lower()
    return f"{say(rank or f'row {row + 1}')} {say(file or f'cell {column + 1}')}"


def _alike(picture: Picture) -> frozenset[str]:
    """The colours whose pieces all have one letter that says no more than the colour does: `white W`, `black X`."""
    signs: dict[str, set[str]] = {}
    for piece in (piece for cell in picture.cells for piece in cell.pieces):
        signs.setdefault(piece.colour, set()).add((piece.letter or piece.sign).lower())
    return frozenset(c for c, letters in signs.items() if c and len(letters) == 1 and letters <= {c[0], "x", "o"})


def _label(line: str) -> str:
    """What a line of a description is about: `d4: 2 black, 1 white` is about d4."""
    match = _LABEL.match(line)
    return match[1] if match else line
