"""Finds the moves that words name, by a man, a square, a place or a deed, and lists all of them if they are few."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from itertools import chain, islice, pairwise
from math import inf

import structlog

from pbmserv.boards.entries import written_by
from pbmserv.games.base import Picture, Seat, moves_of
from pbmserv.games.base.board import Board
from pbmserv.games.base.pieces import kind_named
from pbmserv.games.base.words import PASS, SWAP
from pbmserv.inbox.lines.agreement import agrees
from pbmserv.inbox.lines.first_line import LONGEST, bare_words
from pbmserv.inbox.lines.parse import is_move
from pbmserv.inbox.lines.spellings import legal_move, legal_moves, may_have_letter, moves_within, spelled, without_noise
from pbmserv.inbox.lines.words.said_words import SAID
from pbmserv.inbox.lines.words.sentence_words import CAPTURING, END_OF_PART, OTHERS, WITH, denies
from pbmserv.inbox.refusals.meanings import MEANINGS
from pbmserv.inbox.refusals.topics import (
    COLUMNS,
    ELSEWHERE,
    NUMBERS,
    PLACES,
    SHORT_WORDS,
    Topic,
    is_beside,
    is_way,
    topics_in,
)
from pbmserv.letters.pictures.diagrams import picture_of
from pbmserv.mail.reading.encoding import fold

log = structlog.get_logger()
MOST_NAMED = 3  #: squares, men and places of a line whose moves are told
_MOST = 16  #: moves of each
_FEW = 6  #: moves that are nearest to a place
_EXAMPLES = 3
_MOST_EVERY, _MOST_COUNTED = 450, 80  #: characters and moves that are all told in a refusal
EVERY = "All your moves: "  #: how the sentence with all of them begins
_MOST_BESIDE = 120  #: characters of them beside an offer
_MOST_WORDS_OF_MOVES = 12  #: that are told beside the examples
_CASTLING = ("O-O", "O-O-O")
_CASTLES = re.compile("[o0](?:-[o0]){1,2}")
_STEP_SIGN = re.compile(r"\w[-/]\w")
_LETTERS = 2  #: of squares and sides, which are no words
_FEW_ORDINAL = 4  #: words of a line in which the third and five can be a number
_FEW_BESIDE_MAN = 4  #: words of a line that speaks of a man to be moved: king to f7
_FEW_OF_PLACE = 6  #: words of a line that says no more than a place
_MOST_LIKE = 3  #: moves that a word is like
_LIKE, _MOST_COMPARED = 0.8, 400  #: how like, of 1, and the moves that are looked at
_LONG = 5  #: letters of a word of which another one can be a slip
_FEW_WORDS = 2  #: of a line in which each word counts
_DASH = re.compile(r"(?<=^[a-z])-(?=\d+$)")  #: e-6
_ORDINAL = re.compile(r"^([0-9]+)(?:st|nd|rd|th|te|ten|er|e|a|o)$")
_REVERSED = re.compile(r"^([a-z]?)([0-9]{1,2})([a-z])$")  #: 6d, n3f
_POSSESSIVE = re.compile(r"(?<=\w{2})'\w+$")
#: What is no place and no letter: five in a row, right? :D
TAG = re.compile(r",\s*(?:right|left)\b[ .!?]*$|(?<!\w)[:;=]-?[DPXOdpxo](?!\w)", re.IGNORECASE | re.MULTILINE)
_PAIR = re.compile(r"([0-9]{1,2})[-/,.;:](?!(?<=\.)5$)([0-9]{1,2})")  #: a komi of 6.5 is none
#: What is ruled out together with the word before it. A cell behind a no may be played: no e5.
_RULED_OUT = re.compile(
    r"\b(?:(?:no|keine?n?|geen|aucune?|ning[uú]n|nessun|żadn\w+) (?=[^\W\d]{3})|"
    r"(?:(?<!why )(?:not|nicht|pas|niet)|without|ohne|sans|sin|senza|zonder|bez|без|rather than|instead of|"
    r"(?:an)?statt|au lieu de|en vez de) )"
    r"(?:(?:the|an?|my|der|die|das|den|mein\w*|le|la|el|il|de|het) )?[\w'/*-]+",
    re.IGNORECASE,
)
_CELL = re.compile(r"[a-z][0-9]{1,2}(?![0-9])")  #: of a board whose columns are letters
_OF_CELLS = re.compile(r"[a-z]?(?:[a-z][0-9]{1,2}[-x/:]?){1,3}[a-z]?")
_EXACTLY = frozenset(("in", "into", "at"))  #: right in the middle
OF_STATES = (["am"], ["are"], ["is"], ["do"], ["does"], ["bin"], ["ist"])  #: how questions begin that ask for no move
_POINTS = frozenset(("point", "punkt"))
_NAMED_POINTS = {"bar": "7"}
_PROMOTED = re.compile(r"=[a-z]")  #: b8=q, a pawn's move
_STEP = re.compile(r"(\d{1,2}|bar)/(\d{1,2})")  #: of a man in backgammon
_Spots = Mapping[str, tuple[float, float]]  #: by cell: columns from the left, rows from the top


def examples(board: Board, seat: Seat, *, is_refused: bool = False) -> tuple[list[str], bool]:
    """Return legal moves that differ from each other, and whether they are all; none if it is not the turn.

    `is_refused`: nothing is offered, so many are told. Of more moves they are a few, and those that are words: nobody
    finds out by trying that a swap is called so.
    """
    if seat not in board.to_move:
        return [], False
    game, position = board.game, board.position
    texts = [*map(game.format, moves_of(game, position, seat))]
    if not texts or _every(board, seat, texts, _MOST_EVERY if is_refused else _MOST_BESIDE):
        return texts, True
    spread = (texts[at * len(texts) // _EXAMPLES] for at in range(_EXAMPLES))
    few = list(dict.fromkeys((game.example(position, seat), *spread)))[:_EXAMPLES]
    castling = (legal_move(text, board, seat) for text in _CASTLING if is_move(text, game))
    words = (text for text in texts if len(text) > 1 and text.isalpha())
    return list(dict.fromkeys((*few, *filter(None, castling), *islice(words, _MOST_WORDS_OF_MOVES)))), False


def _every(board: Board, seat: Seat, texts: Collection[str], most: int) -> list[str]:
    """Return all moves as they are written, if they fit into so many characters; else []."""
    written = [written_by(board, seat, text) for text in texts] if len(texts) <= _MOST_COUNTED else []
    return written if sum(len(text) + 2 for text in written) <= most else []


class NamedMoves:
    """The legal moves of a seat, looked up by what a word names."""

    def __init__(self, board: Board, seat: Seat, *, turned: bool, asks: bool, is_move: bool = False) -> None:
        self._board, self._seat, self._turned, game = board, seat, turned, board.game
        self._asks, self._is_move = asks, is_move
        self._legal = {game.format(move): move for move in moves_of(game, board.position, seat)}
        self._cells = {text: game.cells_of(text) for text in self._legal}
        self._names = {text: text.split("-") if cells == (text,) else cells for text, cells in self._cells.items()}
        self._there = {*chain.from_iterable(self._cells.values()), *chain.from_iterable(self._names.values())}

    @cached_property
    def every(self) -> str:
        """The sentence with all moves, below a list of some, which may lead away from what is meant; "" if many."""
        every = ", ".join(_every(self._board, self._seat, self._legal, _MOST_EVERY))
        return f"All your moves: {every}" if every else ""

    def cells_in(self, words: Sequence[str]) -> list[str]:
        """Return the words that are cells of legal moves; a letter alone may be a word."""
        return [word for word in words if len(word) > 1 and word in self._there]

    def _with_side(self, words: Sequence[str]) -> Sequence[str]:
        """Return words in which castling to the side of the queen is one word: long castles."""
        signs = [self._board.game.said_signs.get(word) for word in words]
        castling = _CASTLING[1].lower() if "long" in signs else ""
        return [castling if castling and sign == "O" else word for word, sign in zip(words, signs, strict=True)]

    def without_counts(self, words: Sequence[str]) -> list[str]:
        """Return words without letters and numbers that are no cells: capture 2 and 3, 5 days off, G street."""
        told = self._there | {part for pair in pairwise(words) if "".join(pair) in self._there for part in pair}  # k 10
        return [word for word in words if not (len(word) == 1 or word.isdecimal()) or word in told]

    def foreign(self, line: str) -> Iterator[str]:
        """Yield sentences with the moves that parts of a line are in other words: the one with two seeds, please."""
        for part in map(without_noise, END_OF_PART.split(fold(line[:LONGEST]).lower(), MOST_NAMED)[:MOST_NAMED]):
            others = self._board.game.foreign(self._board.position, part) if " " in part else ()
            if texts := [move for text in others for move in legal_moves(text, self._board, self._seat)]:
                yield self._with(part, list(dict.fromkeys(texts)))

    def taken(self, words: Sequence[str]) -> Iterator[str]:
        """Yield sentences with the captures that words for taking name: by a man, of one, or at a place."""
        takes = [text for text in self._legal if "x" in self._listed([text])[1:]]
        at = next((at for at, word in enumerate(words) if word in CAPTURING), len(words))
        if at == len(words) or not takes or Topic.SLIP in topics_in(words):
            return
        names = self._board.game.names_of_pieces
        then = next((n for n in range(at, len(words)) if words[n] in WITH), len(words))  # takes b with n
        told = [word for word in words if word in self._there or kind_named(word, names)]
        by, of = self._kinds((*words[:at], *words[then:])), self._kinds(words[at:then])
        cells = self._there.intersection(told)
        texts = [text for text in takes if cells.issubset(self._names[text]) and self._is_taken(text, by, of)]
        place = None if told else self._place(words)
        if told and texts:
            yield self._with(" ".join((words[at], *told)), texts)
        elif place and (near := self._nearest(place, of_goal=True, among=takes)):
            yield f"Your moves that are nearest to that place: {self._listed(near)}"

    def _kinds(self, words: Sequence[str]) -> set[str]:
        return {kind for word in words if (kind := kind_named(word, self._board.game.names_of_pieces))}

    def _is_taken(self, text: str, by: Collection[str], of: Collection[str]) -> bool:
        """Return whether a man of one of these kinds takes one of those, if any are named."""
        game, position, goal = self._board.game, self._board.position, self._cells[text][-1:]
        is_by = not by or game.piece_of(position, self._legal[text]) in by
        return is_by and (not of or any(self._men.get(cell) in of for cell in goal))

    def named(self, words: Sequence[str]) -> Iterator[str]:
        """Yield sentences with the moves of the squares, men and places that are named."""
        words = self._with_side(words)
        at = next((at for at, pair in enumerate(pairwise(words)) if self._is_man_apart(*pair)), -1)
        if at >= 0:
            words = [*words[:at], "".join(words[at : at + 2]), *words[at + 2 :]]
        if made := self._on_point(words):
            yield self._with(*made)
            return
        if legs := self._of_legs(words):
            yield self._with(*legs)
            return
        told = self._told(words)
        cells = [word for word in told if self._named_by(word)]
        if together := self._together(words, cells):
            yield self._with(*together)
            return
        sentences = [text for word in told for text in self._of_word(word, len(words))]
        like = [] if sentences else [*self._of_typing_error(told, alone=len(words) == 1)]
        named = list(dict.fromkeys(like or [*self._off_board(told), *sentences]))
        yield from named
        # that's right, you're right, time left
        is_answer = self._is_move or words[:1] in OF_STATES or agrees(" ".join(words))
        is_answer = is_answer or not (OTHERS | ELSEWHERE).isdisjoint(words)
        yield from () if named else self._of_middle(words)
        if is_beside(words):
            is_named = is_answer or cells or named or not self._spots
            yield from () if is_named else self._how_to_name_a_place()
            return
        is_answer = is_answer or is_way(words) or bool(self.every and not self._is_middle(words))
        place = None if is_answer or cells or any(": " in text for text in named) else self._place(words)
        if place and (texts := self._nearest(place, of_goal=True)):
            texts = [*self._in_middle(texts)] if self._is_middle(words) else texts
            if len(words) > _FEW_OF_PLACE:
                yield from self._how_to_name_a_place()
                return
            yield f"Your moves that are nearest to that place: {self._listed(texts)}"

    def _told(self, words: Sequence[str]) -> list[str]:
        """Return the words that may name something, as moves are written: h 8 is h8."""
        told = _spelled(self._of_corner(words), self._spots)
        short = (word for word in (*words[:1], *words[-1:]) if word in SHORT_WORDS and self._of_text(word))
        told = list(dict.fromkeys((*told, *short)))  # e, and you?
        return [*told[:1], *(word for word in told[1:] if not (self.every and self._may_count(word, words)))]

    def _may_count(self, word: str, words: Sequence[str]) -> bool:
        """Return whether a number among other words may also be one of seeds or dice: the 5 on the left."""
        is_die = "/" in "".join(islice(self._legal, 1)) and len(word) == 1
        is_few = len(words) > _FEW_WORDS and COLUMNS.isdisjoint(words)
        return word.isdecimal() and is_few and (is_die or word not in self._there)

    def _off_board(self, words: Sequence[str]) -> Iterator[str]:
        """Yield that the board has no such cell, if one is named and no other word is a cell: c7-c9t."""
        shaped = [word for word in words if _OF_CELLS.fullmatch(word)]
        if len(shaped) != 1 or self._asks or self._is_move or not all(map(_CELL.fullmatch, self._spots)):
            return
        cell = next((cell for cell in _CELL.findall(shaped[0]) if self._spots and cell not in self._spots), "")
        if cell:
            yield self._why_not(cell) or f"This board has no {cell}."

    def _how_to_name_a_place(self) -> Iterator[str]:
        move = self._listed(list(islice(self._legal, 1)))
        yield f"Write a place as the board calls it. A move is for example {move}."

    def _of_middle(self, words: Sequence[str]) -> Iterator[str]:
        """Yield why nothing can be put in the middle, if words name it and no other place."""
        spot = self._place(words) if self._is_middle(words) else None
        cell = next((cell for cell, at in self._spots.items() if at == spot), "")
        if cell and cell not in self._there and (why := self._why_not(cell)):
            yield why

    def _is_middle(self, words: Sequence[str]) -> bool:
        """Return whether words name the middle of the board, and no other place."""
        places = {word for word, then in pairwise((*words, "")) if word in PLACES and not _is_exactly(word, then)}
        return {PLACES[word] for word in places} == {PLACES["middle"]}

    def _in_middle(self, texts: Sequence[str]) -> Sequence[str]:
        """Return those of these moves that are in the very middle, if there are any."""
        spot = self._place(("middle",)) or (0.0, 0.0)
        far = min(self._distance((cell,), spot) for cell in self._spots)
        return [text for text in texts if self._distance(self._cells[text][-1:], spot) == far] or texts

    def _on_point(self, words: Sequence[str]) -> tuple[str, list[str]] | None:
        """Return the point that words name, and the moves that bring two men or more to it: I make my five point."""
        parts = [part for word in words for part in word.split("-")] if "/" in "".join(islice(self._legal, 1)) else []
        word, noun = next(((word, then) for word, then in pairwise(parts) if then in _POINTS), ("", ""))
        point = _NAMED_POINTS.get(word) or NUMBERS.get(word, _ORDINAL.sub(r"\1", word))
        goal = re.compile(rf"/{point}(?!\d)\*?(\(\d\))?")
        told = {text: goal.findall(text) for text in self._legal} if point.isdecimal() else {}
        texts = [text for text, times in told.items() if len(times) > 1 or any(times)]
        return (f"{word} {noun}", texts) if texts else None

    def _of_legs(self, words: Sequence[str]) -> tuple[str, list[str]] | None:
        """Return the legs that numbers in pairs are, and the turns with all of them: one from 6 to 4, and 24 to 23."""
        numbers = [word for word in words if word.isdecimal()] if "/" in "".join(islice(self._legal, 1)) else []
        legs = [f"{start}/{goal}" for start, goal in zip(numbers[::2], numbers[1::2], strict=False)]
        texts = [text for text in self._legal if len(numbers) > 2 and {*legs} <= {*text.replace("*", "").split("+")}]
        return (" ".join(legs), texts) if texts and not len(numbers) % 2 else None

    def _of_corner(self, words: Sequence[str]) -> Sequence[str]:
        """Return words with the cell in a corner that two numbers name, counted from there: 3-3 in the upper right."""
        sides = [word for word in words if PLACES.get(word) != PLACES["corner"]]  # it may be any of four
        place = self._place(sides)
        size = [max(axis) for axis in zip(*self._spots.values(), strict=True)] if place else []
        if not place or any(at not in (0, most) for at, most in zip(place, size, strict=True)):
            return words
        cells, told = {spot: cell for cell, spot in self._spots.items()}, list[str]()
        for word in words:
            pair = _PAIR.fullmatch(word)
            numbers = [int(number) - 1 for number in pair.groups()] if pair else []
            spot = tuple(abs(at - number) for at, number in zip(place, numbers, strict=False))
            told.append(cells.get((spot[0], spot[1]), word) if len(spot) > 1 else word)
        return told

    def _together(self, words: Sequence[str], cells: Sequence[str]) -> tuple[str, list[str]] | None:
        """Return the words that name a man, cells or a sign such as a tumble, and the moves with all of them."""
        game = self._board.game
        has_man = any(map(self._has_letter, cells))  # a pawn lost on nf3
        men = [word for word in words if not has_man and word not in cells and self._of_men(word)]
        signs = (game.said_signs.get(word, "") for word in dict.fromkeys(words))
        endings = [sign for sign in signs if sign.isalpha() and sign.islower() and len(sign) == 1]
        endings = [] if any(map(denies, words)) else endings  # no tumble
        if not cells or len(cells) + len(men) + len(endings) < 2 or len(men) > 1:
            return None
        texts = self._of_cells(cells)
        texts = [text for text in texts if not men or text in self._of_men(men[0])]
        for sign in endings:
            texts = [*legal_moves(f"{'-'.join(cells)}{sign}", self._board, self._seat), *texts]
            texts = [text for text in texts if text.endswith(sign)] or texts
        return (" ".join((*men, *cells)), list(dict.fromkeys(texts))) if texts else None

    def _of_word(self, word: str, count: int) -> Iterator[str]:
        """Yield what there is to say of a square, a man, or a word that is a move, on a line of so many words."""
        game = self._board.game
        is_sign = word in game.said_signs  # to castle is no move of a rook
        whole = legal_moves(word, self._board, self._seat) if len(game.cells_of(word)) > 1 else []  # c3-c4t
        of_word = whole or self._written(word) or self._to(word) or self._of_cells([word]) or self._of_text(word)
        of_word = [*of_word, *(going for text in of_word if (going := f"go-{text}") in self._legal)]  # a box of dice
        if why := "" if whole else self._why_not_so(word):
            yield why
        if (
            of_word
            and (asked := game.asks_back(self._board.position, self._seat, word, word))
            and word not in self._legal
        ):
            yield asked
            yield f"Your moves: {self._listed(list(self._legal))}"
        elif texts := of_word or (not is_sign and self._of_men(word)) or self._meant(word):
            yield self._with(word if whole else self._called(word, texts), texts)
        elif cell := next((cell for cell in (word, *game.cells_of(word)) if cell in self._spots), ""):
            yield from self._of_cell(cell) if _is_certain(cell, count) else ()
        elif len(word) > _LETTERS and word.isalpha() and is_move(word, game):
            yield game.illegal(self._board.position, self._seat, word).text
        elif not why and self._is_missed(word, count):
            yield f"You have no move with {word}."

    def _of_cell(self, cell: str) -> Iterator[str]:
        """Yield what there is to say of a cell without moves."""
        if SWAP in self._legal:
            yield self._with(cell, [SWAP])
        near = "" if self._is_move else self._listed(self._nearest(self._spots[cell]))
        if no := self._why_not(cell):
            yield " ".join((no, f"The nearest are: {near}")) if near else no
        else:
            yield (
                f"You have no move with {cell}. The nearest are: {near}" if near else f"You have no move with {cell}."
            )

    def _why_not_so(self, word: str) -> str:
        """Return why a word that is a move of several cells, or says that the king castles, is not possible."""
        game, castles = self._board.game, _CASTLES.fullmatch(word) or self._board.game.said_signs.get(word) == "O"
        text = game.normalise(word if _CASTLES.fullmatch(word) else _CASTLING[0]) if castles else word
        cells = {*game.cells_of(text)}
        is_step = len(cells) > 1 and _STEP_SIGN.search(text) and not any(map(cells.issubset, self._cells.values()))
        if self._is_move or self._asks or not (castles or is_step) or not is_move(text, game):
            return ""
        is_legal = legal_moves(text, self._board, self._seat) or (castles and self._of_text(word))
        return "" if is_legal else game.illegal(self._board.position, self._seat, text).text

    def _why_not(self, cell: str) -> str:
        """Return why nothing can be put on a cell, in games whose moves are one cell; else ""."""
        are_cells = not self._is_move and all(len(cells) < 2 for cells in self._cells.values())
        is_cell = are_cells and is_move(cell, self._board.game)
        return self._board.game.illegal(self._board.position, self._seat, cell).text if is_cell else ""

    def _meant(self, word: str) -> list[str]:
        """Return the legal moves that the rules call by another word, or by a number with a word."""
        texts = (f"to{word}",) if word.isdecimal() else MEANINGS.get(word, ())
        return [text for text in texts if text in self._legal]

    def _of_typing_error(self, words: Sequence[str], *, alone: bool) -> Iterator[str]:
        """Yield the moves that look like a word with a digit, or that it is none if it is `alone`."""
        word = next((word for word in words if len(word) > _LETTERS and re.search(r"\d", word)), "")
        written = {self._listed([text]).lower(): text for text in islice(self._legal, _MOST_COMPARED)} if word else {}
        if like := get_close_matches(word, written, _MOST_LIKE, _LIKE):
            yield f"Your moves that look like {word}: {self._listed([written[text] for text in like])}"
        elif spelled := self._like_said(words):
            yield self._with(*spelled)
        elif word and alone and not (self._is_move or is_move(word, self._board.game)):
            yield self._board.game.not_a_move(self._board.position, self._seat, word).text

    def _like_said(self, words: Sequence[str]) -> tuple[str, list[str]] | None:
        """Return a word that looks like one that is said for a move, and the moves: caslte."""
        long = [word for word in words if len(word) >= _LONG and word.isalpha()]
        texts_of = (
            (word, like) for word in long for like in get_close_matches(word, self._board.game.said_signs, 1, _LIKE)
        )
        return next(((word, texts) for word, like in texts_of if (texts := self._of_text(like))), None)

    def _is_missed(self, word: str, count: int) -> bool:
        """Return whether a word without moves is one of moves: a man in few words, a pass, or a number alone.

        Who asks something may speak of later: can I castle if my rook has moved?
        """
        if self._asks and count > 1:
            return False
        kind = kind_named(word, self._board.game.names_of_pieces)
        is_man = kind.isalpha() and (_is_certain(word, count) or count <= _FEW_BESIDE_MAN)
        return is_man or SAID.get(word, word) in (PASS, SWAP) or (count == 1 and word.isdecimal())

    def _with(self, words: str, texts: Sequence[str]) -> str:
        step = -(-len(texts) // _MOST)
        listed = self._listed(texts[::step])
        if not words:
            return f"Your moves with a man of that kind: {listed}"
        return f"Some of your moves with {words}: {listed}" if step > 1 else f"Your moves with {words}: {listed}"

    def _called(self, word: str, texts: Sequence[str]) -> str:
        """Return a word; its cells, if it has several and no move has them all; the goal that the moves
        have in common; or "" if that is only their kind of man."""
        cells = self._board.game.cells_of(word)
        if self._has_letter(word) and not self._written(word) and list(texts) == list(self._to(word)):
            return cells[-1] if cells[-1] in self._cells[texts[0]] else ""
        has_all = any({*cells} <= {*self._cells.get(text, ())} for text in texts)
        there = [cell for cell in cells if cell in self._there and cell in word]
        return " or ".join(there) if there and len(cells) > 1 and not has_all else word

    def _listed(self, texts: Sequence[str]) -> str:
        return ", ".join(written_by(self._board, self._seat, text) for text in texts)

    def _named_by(self, word: str) -> set[str]:
        """Return the cells of legal moves that a word names; a letter alone names its column."""
        texts, cells_of = (word, _DASH.sub("", word)), self._board.game.cells_of
        named = self._there & {word, *(cell for text in texts for cell in cells_of(text))}
        if not named and len(word) == 1 and word.isalpha():
            named = {cell for cell in self._there if cell[0] == word and cell[1:].isdecimal()}
        return named

    def _of_cells(self, words: Sequence[str]) -> list[str]:
        """Return the moves with all cells that these words name; of one word with several cells, those with any."""
        cells = {cell for word in words for cell in self._named_by(word)}
        if not cells:
            return []
        every = [text for text, names in self._names.items() if len(cells) > 1 and cells <= set(names)]
        some = (
            text
            for text, names in self._names.items()
            if len(words) == 1 and cells.intersection((*names, *self._cells[text]))
        )
        further = [text for word in words[: len(words) == 1] for text in self._further(word) if text not in every]
        return [*every, *further] or sorted(some, key=lambda text: self._cells[text][0] not in cells)

    def _further(self, word: str) -> list[str]:
        """Return the turns in which a man goes on from where a step ends: 13/5 goes on behind 13/7."""
        step = _STEP.fullmatch(word)
        goals = re.compile(rf"(?<![\d/]){step[1]}/(\d+|off)") if step else None
        return [
            text
            for text in self._legal
            if goals and step and any(goal == "off" or int(goal) < int(step[2]) for goal in goals.findall(text))
        ]

    def _of_text(self, word: str) -> list[str]:
        """Return the legal moves that a word is by itself, such as the number of a column, or that two numbers name."""
        board, pair = self._board, _PAIR.fullmatch(word)
        if pair and not board.game.foreign(board.position, word):
            column, number = int(pair[1]) - 1, pair[2]
            at = [cell for cell, (x, _) in self._spots.items() if x == column and cell[1:] == number]
            return [text for text, names in self._cells.items() if at and tuple(at) == names]
        others = board.game.foreign(board.position, word)
        word = SAID.get(word, word) if SAID.get(word) in (PASS, SWAP) else word
        moves = board.game.said(board.position, self._seat, board.game.said_signs.get(word, "").split())
        named = [move for text in (word, *others) for move in legal_moves(text, board, self._seat)]
        return named or [*map(board.game.format, moves)] or [*moves_within(word, board, self._seat)]

    def _written(self, word: str) -> Sequence[str]:
        """Return the moves that a word with the letter of a man names, which other men can do, too: nf3."""
        written = (word, word[:1].upper() + word[1:]) if self._has_letter(word) else ()
        return list(dict.fromkeys(move for text in written for move in spelled(text, self._board, self._seat)))

    def _to(self, word: str) -> Sequence[str]:
        """Return the moves to the cell of a word with the letter of a man, or else those of this man: kd2."""
        game, position, goal = self._board.game, self._board.position, self._board.game.cells_of(word)[-1:]
        if not self._has_letter(word) or not self._spots.keys() & {*goal}:
            return ()
        there = [text for text, cells in self._cells.items() if cells[-1:] == goal]
        return there or [text for text, move in self._legal.items() if game.piece_of(position, move) == word[0]]

    def _is_man_apart(self, word: str, then: str) -> bool:
        """Return whether a letter is a man's, and the cell behind it the goal: n c3."""
        return len(word) == 1 and self._has_letter(word + then) and bool(self._to(word + then))

    def _has_letter(self, word: str) -> bool:
        """Return whether a word may be a move that begins with the letter of a man."""
        with_man = word[:1].upper() + word[1:]
        return (
            len(word) > _LETTERS
            and not _PROMOTED.search(word)
            and may_have_letter(with_man, self._board)
            and any(map(str.isdigit, word))
        )

    def _of_men(self, word: str) -> list[str]:
        game, position = self._board.game, self._board.position
        kind = kind_named(word, game.names_of_pieces)
        return [text for text, move in self._legal.items() if kind and game.piece_of(position, move) == kind]

    def _nearest(
        self, spot: tuple[float, float], *, of_goal: bool = False, among: Iterable[str] | None = None
    ) -> list[str]:
        """Return the moves whose cells, or whose last cell, are nearest to a spot; by default among all."""
        near = {text: self._distance(self._cells[text][-of_goal:], spot) for text in among or self._cells}
        return sorted((text for text, far in near.items() if far < inf), key=near.__getitem__)[:_FEW]

    def _distance(self, cells: Sequence[str], spot: tuple[float, float]) -> float:
        there = (self._spots[cell] for cell in cells if cell in self._spots)
        return min((abs(x - spot[0]) + abs(y - spot[1]) for x, y in there), default=inf)

    def _place(self, words: Sequence[str]) -> tuple[float, float] | None:
        """Return the spot of words such as `top left`; None if there are none."""
        words = [part for word in words for part in word.split("-")]  # left-most
        words = [word for word, then in pairwise((*words, "")) if not _is_exactly(word, then)]
        sides = sorted((PLACES[word] for word in words if word in PLACES), key=lambda side: None not in side)
        if not sides or not self._spots:
            return None
        size = [max(axis) for axis in zip(*self._spots.values(), strict=True)]
        x, y = (next((side[axis] for side in sides if side[axis] is not None), 0.5) for axis in (0, 1))
        return x * size[0], y * size[1]

    @cached_property
    def _spots(self) -> _Spots:
        rows = self._picture.rows if self._picture else ()
        shifts = self._picture.offsets if self._picture and self._picture.offsets else (0,) * len(rows)
        return {
            cell.name: (column + shift / 2, float(row))
            for row, (cells, shift) in enumerate(zip(rows, shifts, strict=False))
            for column, cell in enumerate(cells)
            if cell and cell.name and " " not in cell.name  # own a1, in the own sea
        }

    @cached_property
    def _men(self) -> Mapping[str, str]:
        """The kind of the man on each cell, as `names_of_pieces` has it."""
        cells = chain.from_iterable(self._picture.rows if self._picture else ())
        return {cell.name: cell.pieces[-1].in_ascii.lower() for cell in cells if cell and cell.pieces}

    @cached_property
    def _picture(self) -> Picture | None:
        try:
            return picture_of(self._board, self._seat, turned=self._turned)
        except Exception as bug:  # in a game of others
            log.exception("board_without_picture", game=self._board.game.info.key, bug=type(bug).__name__)
            return None


def not_ruled_out(text: str) -> list[str]:
    """Return the words of a text without those that a no or an `instead of` rules out, if others remain."""
    plain = TAG.sub("", text)
    return bare_words(_RULED_OUT.sub(" ", plain)) or bare_words(plain)


def _is_certain(word: str, count: int) -> bool:
    """Return whether a line of so many words surely speaks of a cell or a man, and may be told that it has no move."""
    is_cell = len(word) == 1 or any(map(str.isdigit, word))
    return count <= _FEW_WORDS or (is_cell and not word.isdecimal())


def _is_exactly(word: str, then: str) -> bool:
    """Return whether a word says how exactly a place is meant: right in the middle."""
    return word == "right" and then in _EXACTLY


def _spelled(words: Sequence[str], cells: Collection[str]) -> list[str]:
    """Return words as moves are written: h 8 is h8, 1st is 1, and king's is king; without short words of sentences."""
    ordinals, is_long = NUMBERS if len(words) <= _FEW_ORDINAL else {}, len(words) > _FEW_WORDS
    words = [word for word in words if not _POSSESSIVE.search(word)] or words  # the queen's pawn is a pawn
    words = [word if word in cells else _REVERSED.sub(r"\1\3\2", word) for word in words]
    bare = [ordinals.get(word) or _ORDINAL.sub(r"\1", _POSSESSIVE.sub("", word)) for word in words]
    pairs = [one + two for one, two in pairwise(bare) if len(one) == 1 and one.isalpha() and two.isdecimal()]
    few = SHORT_WORDS if is_long else {"i"} if len(bare) > 1 else ()  # I see
    pairs = [pair for pair in pairs if pair in cells or not cells]
    told = [word for word in bare if word and (word in cells if pairs else word not in few)]
    columns = [then for word, then in pairwise(bare) if word in COLUMNS and len(then) == 1]
    return list(dict.fromkeys((*pairs, *told, *columns)))
