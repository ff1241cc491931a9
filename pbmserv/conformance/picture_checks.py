"""Checks for the picture of a game, at every moment of every random game. A game without a picture passes."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from pbmserv.conformance.walks import PlayedMove, Playthrough, readers
from pbmserv.games.base import AnyGame, Cell, Picture, Piece, Seat
from pbmserv.games.base.board import Board
from pbmserv.games.base.drawn import MOST_IN_CAPTION
from pbmserv.games.base.picture import COLOURS, MARKS, MOST_BESIDE, MOST_IN_LINE, MOST_IN_SIGN, MOST_IN_TEXT, STATES
from pbmserv.letters.pictures.shapes.base import has_art
from pbmserv.letters.text.templates import Renderer

renderer = cache(Renderer)
_FEW = 2  #: moves of a seat that show men of other colours, before a game is blamed
_MOST_IN_LABEL = 3  #: characters of the label of a file or rank
_MOST_DRAWN = 8  #: moves of a random game, whose diagrams are compared
_FENCE = re.compile(r" *\+-[-+]+$")
_LABEL = re.compile(r" *([0-9]{1,2})(?= *[| ])")
_MOST_BOARDS = 60  #: of a random game, whose pictures are checked: some have hundreds of cells
_MOST_TURNS = 30  #: of a random game, whose links are checked: some games have hundreds of moves at each of them


class _Seen(NamedTuple):
    """The picture of a board for one reader."""

    game: AnyGame
    board: Board
    reader: Seat | None
    picture: Picture


def picture_of_a_view(record: Playthrough) -> None:
    """A game has a picture of every position or of none, and it depends on nothing but the view."""
    game = record.start.game
    there = {game.picture(game.view(board.position, None)) is not None for board in record.boards}
    assert len(there) == 1, "`picture` is None at some positions and not at others."
    for _, board, reader, picture in _pictures(record):
        view = game.view(board.position, reader)
        assert game.picture(view) == picture, "`picture` gives another picture the second time; sort sets and dicts."
        stored = game.load(game.dump(view.position))
        assert game.picture(game.view(stored, reader)) == picture, (
            "The view of a view has another picture: does `view` hide all that `picture` must not show?"
        )


def shape_of_the_picture(record: Playthrough) -> None:
    """Rows of squares are equally long, each row of hexagons has an offset, and the labels are as many as needed."""
    for *_, picture in _pictures(record):
        lengths = [len(row) for row in picture.rows]
        assert lengths, "`Picture.rows` is empty."
        assert min(lengths), f"`Picture.rows` has a row without cells: their lengths are {lengths}."
        if picture.hexes:
            assert len(picture.offsets) == len(lengths), (
                f"`Picture.offsets` has one number for each row of hexagons: {len(picture.offsets)} for {len(lengths)}."
            )
            assert min(picture.offsets) == 0, f"The row that begins furthest left has the offset 0: {picture.offsets}"
        else:
            assert len(set(lengths)) == 1, (
                f"Rows of squares are equally long: {lengths}. Put None where there is no square, or give `offsets` if "
                f"the cells are hexagons."
            )
        top_row = picture.ends != ()
        of = "cell of the top row" if top_row else "column of the longest row"
        _check_labels("files", picture.files, lengths[0] if top_row else max(lengths), of)
        _check_labels("ranks", picture.ranks, len(lengths), "row")
        _check_hexagons(picture)
        _check_squares(picture)


def cells_of_the_picture(record: Playthrough) -> None:
    """Colours, marks, arrows and texts are such that every renderer can show them."""
    known = set[Cell]()
    for _, board, _, picture in _pictures(record):
        new = set(picture.cells) - known
        known |= new
        for cell in new:
            _check_cell(cell)
            for piece in cell.pieces:
                _check_piece(piece)
        for tray in picture.beside:
            assert 0 < len(tray.cells) <= MOST_BESIDE, f"A tray has 1-{MOST_BESIDE} cells, not {len(tray.cells)}."
        told = (text for tray in picture.beside for text in (tray.says, *tray.holds))
        for line in (*picture.lines, *picture.notes, *told):
            _check_text("A line, a note or what a tray says", line, 1, MOST_IN_LINE)
        assert set(picture.top) <= set(range(board.start.seats)), f"`Picture.top` names no seats: {picture.top}"


def differences_in_the_picture(record: Playthrough) -> None:
    """Two kinds of pieces differ by their signs, because not everybody sees colours, and text diagrams have none."""
    signs, letters = defaultdict[str, set[str]](set), defaultdict[str, set[tuple[str, str]]](set)
    cells = {cell for *_, picture in _pictures(record) for cell in picture.cells}
    for piece in {piece for cell in cells for piece in cell.pieces}:
        signs[piece.sign].add(piece.colour)
        letters[piece.letter or piece.sign].add((piece.colour, piece.sign))
    for sign, colours in signs.items():
        assert len(colours) == 1, f"Pieces with the sign {sign!r} differ only by colour: {sorted(colours)}. Change it."
    for letter, pieces in letters.items():
        assert len(pieces) == 1, f"In text diagrams these pieces are all {letter!r}: {sorted(pieces)}. Change `letter`."


def links_in_the_picture(record: Playthrough) -> None:
    """Every legal move can be made by touching: the cells that it names are there, and its link says which it is."""
    game = record.start.game
    cells_of = cache(game.cells_of)
    for *_, picture in _pictures(record):
        doubles = [name for name, n in Counter(cell.name for cell in picture.cells if cell.name).items() if n > 1]
        assert not doubles, f"Two cells have the same name: {doubles}"
        parts = {cell.of for cell in picture.cells if cell.of}
        assert parts <= picture.names, f"`of` names cells that are not there: {sorted(parts - picture.names)}"
    for turn in record.turns:
        seen = game.picture(game.view(turn.before.position, turn.seat))
        names = seen.names if seen else ()
        for text in turn.texts:
            lost = [name for name in cells_of(text) if name not in names]
            assert not (seen and lost), (
                f"The move {text!r} names cells that the picture does not have: {sorted(lost)}. Give cells the "
                f"names that `cells_of` returns, in lower case, or override `cells_of`."
            )
    for turn in record.turns[:: 1 + len(record.turns) // _MOST_TURNS]:
        _check_captions(game, turn.before, turn.seat)


def colours_in_the_picture(record: Playthrough) -> None:
    """A seat that is named after a colour, such as White, moves pieces of it, if there are pieces of all these colours.

    Once in a while a move shows others only, such as a hit, a stack that comes apart or a count, so most moves decide,
    if there are more than a few.
    """
    changes = list(_changes(record))
    shown = {_colour(piece) for *_, after in changes for cell in after.cells for piece in cell.pieces}
    balance = Counter[Seat]()  #: by seat: moves that brought its own pieces, less those that brought others only
    wrong = dict[Seat, tuple[PlayedMove, set[str]]]()
    for turn, before, after in changes:
        colours = {seat: name.lower() for seat, name in enumerate(turn.before.seat_names) if name.lower() in COLOURS}
        came = {_colour(p) for old, new in zip(before.cells, after.cells, strict=False) for p in _new(old, new)}
        came &= set(colours.values())
        own = colours.get(turn.seat)
        if came and own and shown.issuperset(colours.values()):
            balance[turn.seat] += 1 if own in came else -1
            if own not in came:
                wrong[turn.seat] = turn, came
    for seat, (turn, came) in wrong.items():
        assert balance[seat] >= -_FEW, (
            f"Seat {seat} is {turn.before.seat_names[seat]}, but its move {turn.change.entry.text!r} brings "
            f"men of other colours only: {', '.join(came)}. Compare `seat_names` with the picture."
        )


def places_in_the_diagram(record: Playthrough) -> None:
    """A move changes the text diagram at the places that it names, by the letters and numbers around the board."""
    game = record.start.game
    for turn, before, after in list(_changes(record))[:: 1 + len(record.turns) // _MOST_DRAWN]:
        boards = turn.before, turn.change.board
        read = cells_of_rhombus if before.hexes else cells_in
        drawn = [read(renderer().diagram(game, game.view(board.position, turn.seat))) for board in boards]
        cells = zip(before.cells, after.cells, strict=False)
        changed = {old.name for old, new in cells if old.name == new.name and _looks(old) != _looks(new)}
        for name in changed.intersection(game.cells_of(turn.change.entry.text)) & drawn[0].keys():
            assert drawn[0][name] != drawn[1].get(name), (
                f"{turn.change.entry.text!r} changes {name}, but not what stands at {name} in the diagram, by its "
                f"letters and numbers: {drawn[0][name]}. Are rows or columns in another order than their labels?"
            )


#: They are part of `checks.CHECKS`.
PICTURE_CHECKS = (
    picture_of_a_view,
    shape_of_the_picture,
    cells_of_the_picture,
    differences_in_the_picture,
    links_in_the_picture,
    colours_in_the_picture,
    places_in_the_diagram,
)


def _pictures(record: Playthrough) -> Iterator[_Seen]:
    game = record.start.game
    for board in (*record.boards[:: 1 + len(record.boards) // _MOST_BOARDS], record.boards[-1]):
        for reader in readers(board):
            picture = game.picture(game.view(board.position, reader))
            if picture is not None:
                yield _Seen(game, board, reader, picture)


def _changes(record: Playthrough) -> Iterator[tuple[PlayedMove, Picture, Picture]]:
    """Yield some moves that name cells, with the pictures before and after for the seat that moved."""
    game = record.start.game
    for turn in record.turns[:: 1 + len(record.turns) // _MOST_TURNS]:
        views = (game.view(board.position, turn.seat) for board in (turn.before, turn.change.board))
        before, after = map(game.picture, views)
        if before and after and game.cells_of(turn.change.entry.text):
            yield turn, before, after


def _new(old: Cell, new: Cell) -> list[Piece]:
    """Return the pieces of a cell that have another colour than those before."""
    before = set(map(_colour, old.pieces))
    return [piece for piece in new.pieces if _colour(piece) not in before]


def _colour(piece: Piece) -> str:
    """Return the colour of a piece: of its disc, or the one in the name of its sign, such as WHITE CHESS KING."""
    return piece.colour or unicodedata.name(piece.sign[0], "").partition(" ")[0].lower()


def _looks(cell: Cell) -> tuple[str, ...]:
    """Return what a text diagram can show of a cell."""
    return (*(piece.in_ascii for piece in cell.pieces), cell.text)


def cells_in(diagram: str) -> dict[str, str]:
    """Return what stands in each cell of a diagram of squares, by its place: the letter above it and the number beside.

    Where no letters are above, a cell has the name that stands in it. Empty for other diagrams.
    """
    lines = diagram.split("\n")
    fence = next((line for line in lines if _FENCE.match(line)), "")
    files = next((line for line in lines if line.split()[1:] and _are_letters(line.split())), "")
    bars = [i for i, sign in enumerate(fence) if sign == "+"]
    if files:
        marks = [i for i, sign in enumerate(files) if sign != " "]
        wide = marks[1] - marks[0]
        spans = [(mark - wide // 2, mark - wide // 2 + wide) for mark in marks]
    else:
        spans = list(pairwise(bars))
    cells = dict[str, str]()
    for row in _rows(lines, fenced=bool(fence)):
        label = next((match[1] for line in row if (match := _LABEL.match(line))), "")
        for n, (first, end) in enumerate(spans):
            text = "\n".join(line[max(first, 0) : end] for line in row)
            names = [f"{chr(97 + n)}{label}"] if files else re.findall(r"[a-z0-9]+", text.lower())
            cells.update(dict.fromkeys(names, text))
    return cells


def cells_of_rhombus(diagram: str) -> dict[str, str]:
    """Return what stands in each cell of a board whose rows of hexagons each begin further right; {} for others."""
    lines = diagram.split("\n")
    files = next((words for line in lines if _are_letters(words := line.split()) and len(words) > 1), [])
    rows = [line.split() for line in lines if _LABEL.match(line)]
    if len({len(row) for row in rows}) != 1:
        return {}
    beside = len(rows[0]) - 1 > len(files)  # the colours of the edges stand on both sides
    return {
        f"{file.lower()}{label}": text
        for label, *texts in rows
        for file, text in zip(files, texts[beside : len(files) + beside], strict=True)
    }


def _are_letters(words: Sequence[str]) -> bool:
    return [word.lower() for word in words] == [chr(97 + n) for n in range(len(words))]


def _rows(lines: Sequence[str], *, fenced: bool) -> Iterator[list[str]]:
    """Yield the rows of a board: the lines between two fences, or else each line with a number."""
    if not fenced:
        yield from ([line] for line in lines if _LABEL.match(line))
        return
    row: list[str] | None = None
    for line in lines:
        if _FENCE.match(line):
            yield from [row] if row else []
            row = []
        elif row is not None:
            row.append(line)


def _check_hexagons(picture: Picture) -> None:
    """Check what only boards of hexagons have."""
    assert picture.hexes or not (picture.edges or picture.ends), "`edges` and `ends` are for boards of hexagons."
    _check_labels("ends", picture.ends, len(picture.rows), "row")
    assert not (picture.ends and picture.top), "A picture with `ends` is never turned, so leave `top` empty."
    if picture.edges:
        assert len(picture.edges) == len(("top", "right", "bottom", "left")), f"A rhombus has four: {picture.edges}"
        assert set(picture.edges) <= set(COLOURS), f"`edges` are some of COLOURS: {picture.edges}"
        assert picture.offsets == tuple(range(len(picture.rows))), (
            f"`edges` are for a rhombus, whose rows begin half a cell further right each: {picture.offsets}"
        )
        assert len(set(map(len, picture.rows))) == 1, "All rows of a rhombus are equally long."


def _check_squares(picture: Picture) -> None:
    """Check what only boards of squares have."""
    sizes = {"widths": max(map(len, picture.rows), default=0), "heights": len(picture.rows)}
    for what, count in sizes.items():
        given = getattr(picture, what)
        assert len(given) in (0, count), f"`Picture.{what}` has one number for each of {count}, or none: {given}"
        assert all(part > 0 for part in given), f"`Picture.{what}` are percent of a usual cell: {given}"
        assert not (given and picture.hexes), f"`Picture.{what}` is for boards of squares."
    _check_labels("titles", picture.titles, len(picture.rows), "row", MOST_IN_LINE)
    assert not (picture.titles and (picture.top or picture.hexes)), "`titles` are for squares that are never turned."


def _check_labels(what: str, labels: Sequence[str], count: int, of: str, most: int = _MOST_IN_LABEL) -> None:
    assert len(labels) in (0, count), f"`Picture.{what}` has one label for each {of} ({count}), or none: {labels}"
    for label in labels:
        _check_text(f"A label of `{what}`", label, 0, most)
        assert label.isascii(), f"A label of `{what}` also stands in text diagrams, so it must be ASCII: {label!r}"


def _check_cell(cell: Cell) -> None:
    assert cell.ground in COLOURS, f"The ground of {cell.name!r} is {cell.ground!r}, which is none of COLOURS."
    assert not cell.mark, f"Leave marks to the server (it knows {', '.join(MARKS)}): {cell}"
    assert not (cell.name and cell.of), f"A cell has a name of its own or is a part of another: {cell}"
    assert cell.name == cell.name.lower(), f"Names of cells are in lower case: {cell.name!r}"
    assert set(cell.arrows) <= set(range(8)), f"Arrows are indices into grid.COMPASS, 0-7: {cell.arrows}"
    assert len(set(cell.arrows)) == len(cell.arrows), f"The same arrow twice: {cell.arrows}"
    assert set(cell.lines) <= set(range(8)), f"Lines are indices into grid.COMPASS, 0-7: {cell.lines}"
    assert cell.line in ("", *COLOURS), f"The lines have the colour {cell.line!r}, which is none of COLOURS."
    assert cell.state in ("", *STATES), f"`state` is one of {', '.join(STATES)}, or empty: {cell}"
    assert not cell.wedge or cell.wedge[0] in COLOURS, f"The colour of a wedge is none of COLOURS: {cell.wedge}"
    assert has_art(cell.art), f"There is no drawing templates/pieces/{cell.art}.svg."
    _check_text("The text of a cell", cell.text, 0, MOST_IN_TEXT)


def _check_piece(piece: Piece) -> None:
    assert piece.colour in ("", *COLOURS), f"The colour {piece.colour!r} is none of COLOURS."
    assert piece.sign, f"Give each piece a sign, because colour must not be all that a reader has: {piece}"
    assert piece.count >= 0, f"`count` is a number of men: {piece}"
    assert has_art(piece.art), f"There is no drawing templates/pieces/{piece.art}.svg."
    _check_text("The sign of a piece", piece.sign, 1, MOST_IN_SIGN)
    assert piece.in_ascii.isascii(), (
        f"The sign {piece.sign!r} is not ASCII: give the piece a `letter` for text diagrams, such as 'X'."
    )


def _check_text(what: str, text: str, least: int, most: int) -> None:
    assert least <= len(text) <= most, f"{what} has {least}-{most} characters, not {len(text)}: {text!r}"
    assert text.isprintable(), f"{what} has characters that cannot be printed: {text!r}"


def _check_captions(game: AnyGame, board: Board, seat: Seat) -> None:
    """Captions are short, tell moves from one cell apart, and give away nothing hidden."""
    seen, starts = game.view(board.position, seat).position, defaultdict[str, list[str]](list)
    for move in game.legal_moves(board.position, seat):
        caption, cells = game.caption(board.position, move), game.cells_of(game.format(move))
        _check_text("What `caption` returns", caption, 1, MOST_IN_CAPTION)
        assert caption == game.caption(seen, move), f"`caption` tells something that the seat cannot see: {caption!r}"
        if cells:
            starts[cells[0]].append(caption)
    for cell, captions in starts.items():
        doubles = [caption for caption, n in Counter(captions).items() if n > 1]
        assert not doubles, f"Several moves that begin on {cell} have the same caption: {doubles}. Override `caption`."
