"""Reads a line that is one move: as books print it (`12... Nc6`), in two parts (`9 13`), or said (`knight g8 to f6`).

Each word of the line counts. A line that could be two legal moves is both, and a part that nobody knows makes it none.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from pbmserv.errors import AmbiguousMove, MoveError
from pbmserv.games.base import Seat
from pbmserv.games.base.board import Board, begin, play
from pbmserv.games.base.notation import texts_said
from pbmserv.games.base.pieces import ALSO_WORDS, man_named
from pbmserv.inbox.lines.parse import is_move
from pbmserv.inbox.lines.words.comment_words import UNREAD
from pbmserv.inbox.lines.words.said_words import CHECKS, COLOURS, OPEN, SAID
from pbmserv.inbox.lines.words.sentence_words import JOINING
from pbmserv.letters.text.men import letters_of_men, written_with
from pbmserv.mail.reading.encoding import fold

#: Gives the letters of men in the language of an account: `S` -> `N`. To know it may cost a statement.
Letters = Callable[[], Mapping[str, str]]

#: Question marks; with quotes, brackets and the signs between words they make a word a question or a quotation.
ASKS = frozenset("?؟¿‽")
QUOTES = ASKS | frozenset("\"'`´“”„«»‹›‚‘’()[]{}<>…")
DOUBTS = QUOTES | frozenset(",;:")
#: Signs around a word; those besides the doubts are ends of sentences, and the stars of mail programs for bold words.
_NOISE = " \t.!*_。" + "".join(DOUBTS)
#: Words before a move, in English and German.
_LEAD = re.compile(
    r"(?:(?:my|mein)\s+)?(?:move|moves|zug|züge)(?:\s+(?:is|ist))?\s*[:=]?\s+|(?:move|zug):", re.IGNORECASE
)
ARROW = re.compile(
    r" ?(?:[-=~]{0,3}>{1,3}|[→⇒⟶➔➙➜➝➞]|(?<=[^\W_])(?:~{1,3}|_{1,3}|-{2,3})(?=[^\W_])|(?<= )-{2,3}(?= )) ?"
)
#: The number of a move, also with the dots of the second player; or the dice, in backgammon.
_NUMBER = re.compile(r"\d{1,3} ?[.):](?: ?\.){0,3} ?(?=[^\W_])")
#: Those in a line with all moves of a board so far.
_NUMBERS = re.compile(r"(?<!\S)\d{1,3}\.{1,3}")
_CAPTURE = re.compile(r"(?<=[^\W_]) ?[:×] ?(?=[^\W_])")
#: Behind a move of chess: en passant and check, which the rules know better.
_REMARK = re.compile(
    r"(?:\s?\(?(?:e\.? ?p\.?|en passant)\)?|\s(?:check(?:mate)?|mate|schach(?:matt)?|matt|[+#]+))$", re.IGNORECASE
)
_POINT = re.compile(r"[a-z]-?\d{1,2}", re.IGNORECASE)
_SQUARE = re.compile("[a-l][0-9]", re.IGNORECASE)
_FILE_TAKES = re.compile("([a-h])x([a-h][1-8])")
_PAUSE = re.compile("[,;]")
#: Signs at the end of a line that a telephone has written as words.
_SAID_END = re.compile(
    r"(?<=\w) (?:full stop|period|over|exclamation (?:mark|point)|ausrufezeichen)[ .!]*$", re.IGNORECASE
)
_NUMBER_OF_MEN = re.compile(r"\b(?:two|three|four|zwei|drei|vier) (?:men|checkers|steine)\b", re.IGNORECASE)
_DIE = re.compile(r"\b(?:[1-6]|one|two|three|four|five|six|eins|zwei|drei|vier|fünf|sechs):(?= )", re.IGNORECASE)
_VOWELS = frozenset("aeiou")  #: of what may be a word
_CELLS = re.compile(r"[-x/]")
_ADDING = frozenset(("and", "with", "und", "mit"))  #: before what a man does besides
_LONGEST = 160  #: characters of one move, with all its words
_MOST_NUMBERS = 2  #: before a turn of backgammon: its own, and the dice
_LONGEST_WITHIN, _MOST_CHARACTERS = 6, 40  #: of a move in a word of a script without spaces, and of the word
_MOST_SAID = 20  #: words of one move


def no_letters() -> Mapping[str, str]:
    """Return the letters of an account in English, besides those that the games read anyway."""
    return letters_of_men(str)


def may_have_letter(text: str, board: Board) -> bool:
    """Return whether a move may begin with the letter of a man in another language."""
    return text[:1].isupper() and bool(board.game.names_of_pieces.get("bishop"))


def may_be_man(line: str, board: Board) -> bool:
    """Return whether a line begins with a word that names a man in one language, and nothing in another one."""
    return line.partition(" ")[0].lower() in ALSO_WORDS and bool(board.game.names_of_pieces.get("bishop"))


def without_noise(text: str) -> str:
    """Return a text without the signs around it."""
    return text.strip(_NOISE)


def without_lead(line: str) -> str:
    """Return a line without words such as `my move:` before the rest."""
    lead = _LEAD.match(line)
    return line[lead.end() :] if lead else line


def legal_move(text: str, board: Board, seat: Seat) -> str:
    """Return the canonical text of the legal move that a text names; "" if it names none, or several."""
    named = legal_moves(text, board, seat)
    return named[0] if len(named) == 1 else ""


def legal_moves(text: str, board: Board, seat: Seat) -> Sequence[str]:
    """Return the canonical texts of all legal moves that a text may name."""
    game = board.game
    if not is_move(text, game):
        return ()
    try:
        return (game.format(game.parse(board.position, seat, text.partition("#")[0])),)
    except AmbiguousMove as several:
        return several.candidates
    except MoveError:
        return ()


def moves_within(word: str, board: Board, seat: Seat) -> Sequence[str]:
    """Return the legal moves that stand within a word of a script without spaces, the longest ones."""
    sizes = range(min(len(word) - 1, _LONGEST_WITHIN), 1, -1) if UNREAD.search(word[:_MOST_CHARACTERS]) else ()
    parts = (word[at : at + size] for size in sizes for at in range(min(len(word), _MOST_CHARACTERS) - size + 1))
    return next(filter(None, (legal_moves(part, board, seat) for part in parts)), ())


def spelled(line: str, board: Board, seat: Seat, letters: Letters = no_letters) -> tuple[str, ...]:
    """Return the legal moves that a line may name, in canonical form.

    As our letters write a move, it is this one: `P*4d` is no knight, and `S*4d` is a silver in each language.
    """
    stems = dict.fromkeys(_stems(line, board, seat, letters))
    named = (_legal(_texts(stem, board, letters), board, seat) or _said(stem, board, seat) for stem in stems)
    moves = next(filter(None, named), [])
    if len(moves) < 2:
        return tuple(moves)
    shown = {move: written_with(letters(), board.game.written(board.position, seat, move)) for move in moves}
    return tuple([move for move in moves if shown[move] == line.strip()] or moves)


def formed(line: str, board: Board, seat: Seat | None, letters: Letters = no_letters) -> tuple[str, ...]:
    """Return what a line names that has the form of a move, as the game reads it; () if it names nothing."""
    for stem in dict.fromkeys(_stems(line, board, seat, letters)):
        spoken = [] if _NUMBER_OF_MEN.search(stem) else said_words(stem, board)
        whole = "".join(word for word in spoken if word not in ("-", "P"))
        whole = whole if sum(map(str.isupper, spoken)) < 2 else ""  # of two men, one stands there already
        for text in (*_texts(stem, board, letters), whole, *texts_said(spoken)):
            if is_move(text, board.game) and (seat is None or not legal_moves(text, board, seat)):
                return (text,)
    return ()


def odd_word(line: str) -> str:
    """Return the word of a line that has the form of a cell, and nothing else; "" if it has another form."""
    bare = without_noise(_NUMBER.sub("", without_lead(fold(line).strip()), count=1)).replace(" ", "")
    return bare if _POINT.fullmatch(bare) else ""


def foreign(text: str, board: Board, seat: Seat) -> list[str]:
    """Return the legal moves that a text may be in the notation of other programs, also if it looks like a word."""
    others = board.game.foreign(board.position, without_noise(text).lower())
    return [move for other in others if (move := legal_move(other, board, seat))]


def not_there(line: str, board: Board, seat: Seat) -> tuple[str, ...]:
    """Return the move that several words name in the notation of a game, if it is not legal: the dice are others."""
    bare = without_noise(line).lower()
    texts = board.game.foreign(board.position, bare) if " " in bare else ()
    return tuple(text for text in texts if is_move(text, board.game) and not legal_moves(text, board, seat))[:1]


def _stems(line: str, board: Board, seat: Seat | None, letters: Letters) -> Iterator[str]:
    """Yield the line with less and less before the move: `my move:`, all earlier moves, its number, and the colour."""
    bare = _SAID_END.sub("", without_lead(fold(line).strip()))
    if len(bare) > _LONGEST:
        return
    yield bare
    bare = bare.lstrip(_NOISE)
    yield from _behind_score(bare, board, letters)
    for _ in range(_MOST_NUMBERS):
        if numbered := _NUMBER.match(bare):
            bare = bare[numbered.end() :]
            yield bare
            yield from _second(bare.split(), board, seat)
    colour = _colour(board, seat)
    if colour and (match := re.match(rf"{colour}[ :\[(]{{1,3}}", bare, re.IGNORECASE)):
        yield bare[match.end() :]


def _behind_score(line: str, board: Board, letters: Letters) -> Iterator[str]:
    """Yield the next move, if a line has all moves before it, too: 1. e4 e5 2. Nf3.

    They must lead to this board: others are of another one, or are ideas. A guess of hidden moves is not answered.
    """
    words = _NUMBERS.sub(" ", line).split() if _NUMBERS.match(line) else []
    if not len(words) > board.ply > 0 or board.start.seats != 2 or board.game.info.hidden:
        return
    past = begin(board.start)
    for word in words[: board.ply]:
        seat = min(past.to_move, default=None)
        moves = [] if seat is None else _legal((word, *translated(word, past, letters)), past, seat)
        if seat is None or len(moves) != 1:
            return
        past = play(past, seat, moves[0]).board
    if past.position == board.position:
        yield " ".join(words[board.ply :])


def _second(words: Sequence[str], board: Board, seat: Seat | None) -> Iterator[str]:
    """Yield the second of two moves that stand behind a number, if only this one is a move of the second player."""
    if seat and len(words) == 2 and is_move(words[0], board.game) and not legal_moves(words[0], board, seat):
        yield words[1]


def _colour(board: Board, seat: Seat | None) -> str:
    """Return a pattern for the colour of a seat, such as Black, Schwarz or B. In chess, B is a bishop."""
    if seat is None:
        return ""
    name = board.game.names_of_seats(board.start.options, board.start.seats)[seat]
    names = (name, *COLOURS.get(name, "").split(), *name[: not board.game.names_of_pieces.get("bishop")])
    return f"(?:{'|'.join(map(re.escape, names))})"


def other_colour(line: str, board: Board, seat: Seat) -> str:
    """Return the name of another seat if a line begins with its colour, and a move is behind that; "" if not."""
    names = board.game.names_of_seats(board.start.options, board.start.seats)
    bare = _NUMBER.sub("", without_lead(fold(line).strip()), count=1)
    for other, name in enumerate(names):
        match = re.match(rf"{_colour(board, other)}[ :\[(]{{1,3}}", bare, re.IGNORECASE)
        behind = bare[match.end() :] if match and name != names[seat] else ""
        if behind and (spelled(behind, board, seat) or formed(behind, board, seat)):
            return name
    return ""


def _texts(stem: str, board: Board, letters: Letters) -> Iterator[str]:
    """Yield the texts that a line without its beginning may be, in a form that the game reads."""
    bare = stem if _hits(stem, board) else without_noise(stem)
    for text in dict.fromkeys((stem, bare, _REMARK.sub("", bare))):
        for plain in dict.fromkeys((text, _CAPTURE.sub("x", text), ARROW.sub("-", text))):
            words = plain.split()
            if text != stem and any(len(word) == 1 and word.isalpha() for word in words):
                continue  # c1c2 m! can be more than a move
            moves = board.game.moves_in(words)
            yield from moves if len(moves) == 1 else ()
            yield "".join(words)
            yield from (sign.join(words) for sign in "-x" if len(words) == 2)
            yield from (plain.replace("/", sign) for sign in "-x")
            yield from translated("".join(words), board, letters)
            if plain[:1] == "P" and letters().get("P") == "" and "N" not in letters().values():
                yield from translated("".join(words), board, lambda: {"P": "N"})  # a knight in Dutch
    bare = without_noise(stem).lower()
    if len(bare) > 1 and ("x" in bare or _VOWELS.isdisjoint(bare)):
        yield from board.game.foreign(board.position, bare.replace(" ", ""))


def _hits(stem: str, board: Board) -> bool:
    """Return whether a move ends in a star that is a part of it, as in backgammon, and not the end of bold words."""
    return stem.endswith("*") and is_move(stem.replace(" ", "+"), board.game)


def translated(text: str, board: Board, letters: Letters) -> Iterator[str]:
    """Yield a text with the letters of men in English, if it has others. A small letter may be a file."""
    names = board.game.names_of_pieces
    if not names.get("bishop") or not text[:1].isalpha():
        return
    if text[0].lower() in names.values() and not _SQUARE.search(text, 1):  # of shogi, whose men letters do not rename
        return
    own = letters()
    first = text[0] if text[0] in "abcdefgh" else text[0].upper()
    bare = text.rstrip("+#")  # signs of check, behind what a pawn becomes
    becomes = own.get(bare[-1].upper(), bare[-1]) if bare[-2:-1].isdigit() or bare[-2:-1] in "=/(" else bare[-1]
    if first in own and len(text) > 2:
        yield own[first] + text[1:].lstrip("-")
    elif becomes != bare[-1]:
        yield bare[:-1] + becomes


def in_english(text: str, board: Board, letters: Letters) -> str:
    """Return a text with the letters of men in English if only so it is a move, or with that of another man."""
    other = next((t for t in translated(text, board, letters) if is_move(t, board.game)), "")
    return other if other[:1].isupper() or (other and not is_move(text, board.game)) else text


def _legal(texts: Iterable[str], board: Board, seat: Seat) -> list[str]:
    return list(dict.fromkeys(move for text in texts for move in legal_moves(text, board, seat)))


def _said(stem: str, board: Board, seat: Seat) -> list[str]:
    is_unclear = (stem.startswith("B-") and may_have_letter(stem, board)) or may_be_man(stem, board)
    game, words = board.game, [] if is_unclear or _hits(stem, board) else said_words(stem, board)
    moves = game.said(board.position, seat, words) if words else ()
    return list(dict.fromkeys(map(game.format, moves)))


def said_words(stem: str, board: Board) -> list[str]:
    """Return the words of a line for `Notation.said`; none if the line has any other word."""
    words = [
        without_noise(word).lower() or word for word in _PAUSE.sub(" , ", _DIE.sub(" ", stem)).split(None, _MOST_SAID)
    ]
    words = words[: -1 if words[-1:] == [","] else None] or [""]
    pairs = zip(words, [*words[1:], ""], strict=True)  # and tumble, with tumble
    words = [word for word, then in pairs if not (word in _ADDING and board.game.said_signs.get(then))]
    parts = [part for word in words for part in _parts(word, board)]
    # After the sign of a capture a letter is a file; c1c2 m! can be more than a move.
    ends_in_letter = words[-1].isalpha() and parts[-1:] == words[-1:] and parts[-2:-1] != ["x"]
    ends_in_letter = ends_in_letter and len(words[-1]) == 1 and words[0] not in board.game.said_signs
    goes_on = words[-1] in JOINING and not re.search(r"\d", "".join(parts))  # right on, up to
    if len(words) > _MOST_SAID or "" in parts or ends_in_letter or goes_on:
        return []
    told = list[str]()
    for before, part in zip(["", *parts], parts, strict=False):
        if told and before != " " and (joined := _together(told[-1], part)):
            told[-1] = joined
        elif part != " ":
            told.append(part)
    told = [part.removesuffix(OPEN) for part in told]
    only = told[0] if len(told) == 1 else ""
    is_name = len(only) == 1 and only.isalpha() and board.game.said_signs.keys().isdisjoint(words)  # Charlie, Emil
    return [] if is_name else told


def _together(left: str, right: str) -> str:
    """Return a letter with its number, or tens with ones; "" if two parts of a move are two."""
    if not right.removesuffix(OPEN).isdigit():
        return ""
    if len(left) == 1 and "a" <= left <= "t":
        return left + right
    return str(int(left.removesuffix(OPEN)) + int(right)) if left.endswith(OPEN) and len(right) == 1 else ""


def _parts(word: str, board: Board) -> Iterator[str]:
    """Yield what a word says: " " is nothing, "" is something that nobody knows."""
    game = board.game
    if word == ",":
        yield " "
    elif word in game.said_signs:
        yield from game.said_signs[word].split() or " "
    elif sign := SAID.get(word):
        yield sign
    elif word in CHECKS and game.names_of_pieces.get("bishop"):
        yield " "
    elif (cells := game.cells_of(word)) and "".join(cells) == _CELLS.sub("", word):
        yield from (part for part in re.split(r"([-x/])", word) if part)
    elif len(word) == 1 or word.isdigit():
        yield word
    elif word not in game.names_of_pieces and (halves := _halves(word)):
        yield from (part for half in halves for part in _parts(half, board))
    else:
        yield _man(word, board)


def _halves(word: str) -> Sequence[str]:
    """Return the two words in one with a dash, or a file, x and a square, as in `axb8 queen`; () for another word."""
    if capture := _FILE_TAKES.fullmatch(word):
        return (capture[1], "x", capture[2])
    halves = word.split("-")
    return halves if len(halves) == 2 and all(halves) else ()


def _man(word: str, board: Board) -> str:
    """Return the kind of man that a word names, in capitals; " " if all are alike, and "" if it names none of them."""
    names = board.game.names_of_pieces
    kind = names.get(man_named(word, names), "?")
    return "" if kind == "?" else kind.upper() or " "
