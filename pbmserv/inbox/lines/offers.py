"""Finds the move or the word that a player probably meant, in a line that is none. It is offered, never played.

An offer must not differ from what a person would read in these words. So nothing is offered if they name several moves,
or deny or doubt one, or speak of something else (ADR 99); and a piece that is named is the one that moves.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import chain, pairwise, takewhile
from typing import NamedTuple

from pbmserv.games.base import Seat, moves_of
from pbmserv.games.base.board import Board
from pbmserv.games.base.pieces import kind_named, man_named
from pbmserv.inbox.command import CommandLanguage, CommandSyntax
from pbmserv.inbox.lines.agreement import agrees, asks_to_agree
from pbmserv.inbox.lines.first_line import LONGEST, bare_words, read_first_line
from pbmserv.inbox.lines.parse import is_move, words_of
from pbmserv.inbox.lines.spellings import (
    ASKS,
    QUOTES,
    Letters,
    foreign,
    legal_move,
    may_be_man,
    no_letters,
    spelled,
    translated,
    without_noise,
)
from pbmserv.inbox.lines.words.comment_words import KNOWN, UNREAD, conditions, doubts, orders, puts_off, revokes
from pbmserv.inbox.lines.words.farewell import FAREWELL, JOKES, NO_REASON
from pbmserv.inbox.lines.words.said_words import SAID
from pbmserv.inbox.lines.words.sentence_words import (
    ABSENT_ONES,
    AROUND_MOVE,
    ARTICLES,
    BEING,
    CAPTURING,
    END_OF_PART,
    GATEWAY,
    INVITING,
    JOINING,
    MEANING,
    MOVING,
    OTHERS,
    OWN,
    PLAYING,
    POINTING,
    POLITE,
    SAID_FOR,
    SAID_FOR_MOVES,
    TO_OTHERS,
    TOO,
    URGING,
    WOULD,
    WRITING,
    denies,
)

_SHORTEST = 2  #: the fewest characters of a move among other words, because a single letter can be a word
_MOST_PARTS = 4  #: words of one move: both squares and more, or the four legs of a turn in backgammon
_MOST_WORDS = 40  #: of a sentence in which a move is looked for
_MOST_LINES = 30  #: below a greeting or the banner of a mail gateway
_LONGEST = 80  #: characters of a line there
_LONGEST_GLUED = 40  #: characters of a word with a move at one of its ends
_FEW_DENYING = 2  #: words of a part of a sentence that does nothing but deny
_OF_A_BANNER = 2  #: words of a gateway in a line that is its banner
_FEW = 5  #: words of a line that may belong to what follows it

_ENDS = (",", ";", ".", "!", "…")  #: of a part of a sentence
_BETWEEN = re.compile(r"\.{2,}|(?<=\w)[.:;,/|_^]+(?=\w)")  #: c1..c2, 1.e4, c1:c2
_BETWEEN_CELLS = re.compile(r"[-\u2010-\u2015:x/]")
_SIGNS = re.compile(r"[^\w'-]|_")
_DIGIT = re.compile(r"\d")
_TURNED = re.compile(r"(\d{1,2})([a-zA-Z])")
_LETTERS = re.compile(r"[^\W\d_]{2}")
#: Letters of men in other languages that are none in English, and mean the same in all that have them.
_OTHER_LETTERS = {"S": "N", "C": "N", "L": "B", "F": "B", "A": "B", "G": "B", "T": "R", "W": "R", "D": "Q"}
_TAKES = re.compile(" (?:takes|captures|schlägt|nimmt) ")
#: What others are told that they may do.
_ALLOWING = re.compile(r"\byou (?:can|could|may|might|should)\b|\bdu (?:kannst|darfst|könntest)\b", re.IGNORECASE)
_THANKING = re.compile(r"\b(?:thank you|well played)\b", re.IGNORECASE)  #: it urges nobody, and speaks of nobody else
#: Maybe another board, and the time of day, which looks like a capture from 9 to 13.
_OF_OTHERS = re.compile(
    r"\b(?:board|brett|tisch|table)\W+\d+|\b(?:game|partie|partida|partita)\W+\d{3,}|"
    r"\b(?:other|wrong|falsche[ns]?|another|ander[enrs]{1,2}|autre|otr[oa]|outr[oa]|altr[oa]|andere) "
    r"(?:board|game|match|brett|partie|spiel|tablero|partida|jogo|partita|bord|partij)\b|\b(?:is|ist|est|at|um|it's)\W+\d{1,2}:\d\d\b",
    re.IGNORECASE,
)
_WILLING = re.compile(r"^(?:i think |i guess )?(?:i'll|i will|i am going to|i'm going to) ")  #: what its writer does
_RESIGNING = frozenset(SAID_FOR["resign"].split("|"))
_END_OF_REASON = re.compile(rf"{END_OF_PART.pattern}|\b(?:so|because|since|weil)\b")  #: between a deed and its reasons
_NAMED = re.compile(r"([^\W\d_]{3,})[-:=(]+(\w.*)")  #: Springer-f3


class _Word(NamedTuple):
    """A word as it was written, in lower case, and whether a part of the sentence ends behind it."""

    text: str
    lower: str
    ends: bool = False


def move_in(body: str, language: CommandLanguage, board: Board, seat: Seat, letters: Letters = no_letters) -> str:
    """Return the move that the first line of a body names among other words; "" if it names none, or several.

    If it names nothing, it may be a greeting or a banner: then this is the only move on the lines below.
    """
    first, _, below = body.strip().partition("\n")
    if seat not in board.to_move or len(first) > LONGEST or is_of_others(first) or may_be_man(first, board):
        return ""
    if JOKES.search(first):  # of several moves the last one may be meant, see `last_move`
        return ""
    words = _words(first, board, seat, letters)
    if len(words) > _MOST_WORDS or _deny(words, language):
        texts = list[str]()
    else:
        named = _without_usual(words, board, seat, letters) or _named(words, board, seat)
        texts = [text for text in named if _is_spoken_of(text, words, board)] or _glued(words, board, seat)
    if not board.game.means(board.position, without_noise(first).lower()):
        texts = foreign(first, board, seat)
    elif not any(texts):
        texts = foreign(first, board, seat) or texts or _said_whole(first, board, seat, letters)
    others = _below(first, below, language, board, seat, letters)
    if texts and any(legal_move(other, board, seat) != legal_move(texts[0], board, seat) for other in others):
        return ""  # the one below may be meant instead
    texts = texts or others
    if len(texts) != 1 or not texts[0]:
        return ""
    return next((word.text for word in words if legal_move(word.text, board, seat) == texts[0]), texts[0])


@lru_cache(maxsize=256)  # several ways look for a move in the same line
def is_of_others(line: str) -> bool:
    """Return whether a line speaks of another board, or of a time of day."""
    return _OF_OTHERS.search(line) is not None


def with_other_letters(text: str, board: Board, seat: Seat) -> str:
    """Return the move that a text is with the letters of men in another language than English; "" if it is none."""
    return next((t for t in translated(text, board, lambda: _OTHER_LETTERS) if legal_move(t, board, seat)), "")


def words_in(line: str, language: CommandLanguage) -> list[CommandSyntax]:
    """Return the commands that do something and whose words are in a sentence or between signs; none if it denies them.

    A sentence about somebody else names none, nor does a joke, and one with a digit may be about a move. Who asks for
    something can ask the other: how about a draw? Otherwise all words besides are usual ones, or those of a farewell.
    """
    if len(line) > LONGEST:
        return []
    bare = (_SIGNS.sub("", word.folded).strip("-'") for word in words_of(_THANKING.sub("", line), _MOST_WORDS))
    words = [word for word in bare if word]
    if verb := _VERBS.get(_key(words)) or "resign" * _resigns(line, language):
        return [language.game_command(verb)]
    against = [word for word in words if denies(word) or word in OTHERS or _DIGIT.search(word)]
    texts = [" ".join(words[at : at + size]) for at in range(len(words)) for size in range(1, _MOST_PARTS + 1)]
    named = [text for text in texts if (command := language.reply_verbs.get(text)) and not command.question]
    before = takewhile(lambda word: not named or word != named[0].split()[0], words)  # a draw would be boring
    is_judged = any(word in named and then in BEING for word, then in pairwise(words))  # would a draw be an insult
    invites = not is_judged and not INVITING.isdisjoint(before) and TO_OTHERS.issuperset(against)
    is_told = JOKES.search(line) or _ALLOWING.search(line) or puts_off(words)
    if is_told or (against and not invites):
        return []
    if not invites and not {*words} <= KNOWN | FAREWELL | {word for text in named for word in text.split()}:
        return []
    read = (language.reply_verbs[text] for text in named)
    is_urging = not URGING.isdisjoint(words) and OWN.isdisjoint(words)  # ok then resign
    is_unreal = any(
        word in ("would", "würde") and then != "like" for word, then in pairwise(words)
    )  # I would resign, but
    without = ("accept",) * asks_to_agree(line) + ("resign", "undo") * is_urging + ("resign",) * is_unreal
    commands = [command for command in read if command.verb not in without]
    return list({command.verb: command for command in commands if command.requests or not against}.values())


def _resigns(line: str, language: CommandLanguage) -> bool:
    """Return whether a part of a line is its writer's resignation, and no other part puts that in doubt.

    The others give reasons, so they may deny something: you won, I resign, no need to count.
    """
    if ASKS & set(line) or line.lstrip()[:1] in QUOTES or _DIGIT.search(line):  # I resign from my job. 1-5
        return False
    parts = [words for part in _END_OF_REASON.split(line) if (words := bare_words(part))]
    at = next((at for at, part in enumerate(parts) if _is_resignation(part, language)), -1)
    if at < 0 or JOKES.search(line) or is_of_others(line):
        return False
    others = [*parts[:at], *parts[at + 1 :]]
    is_told = any(doubts(word) and not denies(word) for part in others for word in part) or revokes(line)
    return not (is_told or any(map(_is_no_reason, others)))


def _is_no_reason(part: Sequence[str]) -> bool:
    """Return whether a part of a sentence takes back what stands beside it, or puts it off."""
    is_denial = len(part) <= _FEW_DENYING and any(map(denies, part))  # I resign, not
    return is_denial or not NO_REASON.isdisjoint(part) or conditions(part) or puts_off(part) or _orders(part)


def _orders(part: Sequence[str]) -> bool:
    return orders([word for word in part if word != "es"])  # tu es trop fort


def _is_resignation(part: Sequence[str], language: CommandLanguage) -> bool:
    """Return whether a part of a sentence says `I resign`, or a phrase of another language for it."""
    if " ".join(part) in _RESIGNING:
        return True
    is_own = not OWN.isdisjoint(part) and OTHERS.isdisjoint(part) and WOULD.isdisjoint(part)
    known = language.reply_verbs.get(_key(word for word in part if word not in URGING)) if is_own else None
    return known is not None and known.verb == "resign"


def _key(words: Iterable[str]) -> str:
    return " ".join(word for word in words if word not in POLITE)


def _said_whole(line: str, board: Board, seat: Seat, letters: Letters) -> list[str]:
    """Return the moves that a whole line names in words without spaces, or in the words of another language."""
    bare = AROUND_MOVE.sub("", line)
    named = [
        *(spelled(bare, board, seat, letters) if bare != line else ()),
        *filter(None, [said_for(line, board, seat)]),
    ]
    return named or _taking([without_noise(word.folded) for word in words_of(line, _MOST_PARTS)], board, seat)


def said_for(text: str, board: Board, seat: Seat) -> str:
    """Return the legal move that is a word, such as a swap, if a text says it in others: I think I will swap sides."""
    plain = " ".join(filter(None, (without_noise(word.folded) for word in words_of(text, _MOST_WORDS))))
    return legal_move(_MOVES.get(_key(_WILLING.sub("i ", plain).split()), ""), board, seat)


def _taking(words: Sequence[str], board: Board, seat: Seat) -> list[str]:
    """Return the only legal move to the cell on which words say that their writer takes something: takes on d4."""
    cells = [cell for word in words for cell in board.game.cells_of(word)]
    usual = PLAYING | POLITE | JOINING | CAPTURING | {*cells}
    if len(cells) != 1 or CAPTURING.isdisjoint(words) or not usual.issuperset(words):
        return []
    legal = map(board.game.format, moves_of(board.game, board.position, seat))
    moves = [text for text in legal if board.game.cells_of(text)[-1:] == (cells[0],)]
    return moves if len(moves) == 1 else []


def _phrases(table: Mapping[str, str]) -> Mapping[str, str]:
    return {_key(phrase.split()): meant for meant, phrases in table.items() for phrase in phrases.split("|")}


_VERBS, _MOVES = _phrases(SAID_FOR), _phrases(SAID_FOR_MOVES)


def _named(words: Sequence[_Word], board: Board, seat: Seat) -> list[str]:
    """Return the moves in these words as they were written. If it is not clear which piece moves, "" is among them."""
    kinds = [kind_named(word.lower, board.game.names_of_pieces) for word in words]
    return _by_name(words, kinds, board, seat) if any(kinds) else _joined(words, board, seat)


def _is_spoken_of(text: str, words: Sequence[_Word], board: Board) -> bool:
    """Return whether words speak of a move in them, and of nothing else: that's right, and vitamin B6, are none."""
    if any(then.lower == "of" and SAID.get(word.lower, word.lower).isdecimal() for word, then in pairwise(words)):
        return False  # three of a kind
    digits = [word.lower for word in words if _DIGIT.search(word.lower)]
    if text.isalpha() or (len(digits) == 1 and digits[0].isdecimal()):  # go 4 it
        written = {text.lower(), *filter(str.isdecimal, digits)}  # swap? h8?
        others = {word.lower for word in words if word.lower not in written and not _says(word.lower, board)}
        others = set(filter(without_noise, others))
        return (
            others <= PLAYING | POLITE | JOINING | TOO
            and others.isdisjoint(OTHERS | POINTING)
            and _is_no_answer(text, others)
            and not _is_thing({word.lower for word in words} - {text.lower()})
        )
    parts = _parts_of(words)
    return all(_is_of_playing(part, board) for part in parts if any(board.game.cells_of(w) for w in part))


def _is_thing(others: Set[str]) -> bool:
    """Return whether words say that a word is a thing, and no move: I want the best roll."""
    return not others.isdisjoint(ARTICLES) and others.isdisjoint((MOVING | JOINING) - ARTICLES)


def _is_no_answer(text: str, others: Set[str]) -> bool:
    """Return whether a move that is a word is no answer such as `right, then`."""
    return not agrees(text) or not others.isdisjoint(JOINING | MOVING | MEANING)


def _parts_of(words: Sequence[_Word]) -> list[list[str]]:
    """Return the parts of a sentence, each as its words in lower case."""
    parts = [list[str]()]
    for word in words:
        parts[-1].append(word.lower)
        parts += [[]] * word.ends
    return parts


def _is_of_playing(part: Sequence[str], board: Board) -> bool:
    """Return whether a part of a sentence says `play` before a move, or has only usual words beside it.

    All words before `play` must be known, or it may be somebody else who plays, or elsewhere.
    """
    if any(pair == ("i", "like") or (pair[0] == "of" and board.game.cells_of(pair[1])) for pair in pairwise(part)):
        return False  # the game of Q16
    told = [word for word in part if word not in JOINING]
    known = [*takewhile(lambda word: word in KNOWN or _belongs(word, board), told)]
    if not ABSENT_ONES.isdisjoint(known):
        return False
    if len(known) == len(told):
        before = [*takewhile(lambda word: not board.game.cells_of(word), known)]  # you have played e4
        is_told = "you" in before and "thank" not in before
        return not is_told and (OTHERS - TO_OTHERS).isdisjoint(part)
    played = [word for word, then in pairwise(known) if board.game.cells_of(then)]
    return not MOVING.isdisjoint(played) and OTHERS.isdisjoint(part)


def _belongs(word: str, board: Board) -> bool:
    """Return whether a word belongs to a move: a cell, a number, the name of a man, or what is said for them."""
    game = board.game
    is_part = _is_part(word) or _says(word, board) or not _LETTERS.search(word)
    return is_part or bool(game.cells_of(word) or man_named(word, game.names_of_pieces))


def _says(word: str, board: Board) -> bool:
    return word in SAID or word in board.game.said_signs


def _without_usual(words: Sequence[_Word], board: Board, seat: Seat, letters: Letters) -> list[str]:
    """Return the moves that are left without usual words around them: I castle, four please, B takes f7."""
    bare = [word.text for word in words]
    while bare and bare[0].lower() in PLAYING | POLITE:
        bare.pop(0)
    while bare and (bare[-1].lower() in POLITE | TOO or not without_noise(bare[-1])):  # je double !
        bare.pop()
    moves = not MOVING.isdisjoint(word.lower for word in words)
    while moves and len(bare) > 1 and len(bare[-1]) == 1 and bare[0].lower() in JOINING:  # I sow from g
        bare.pop(0)
    if bare[:1] == ["see"] and len(bare) < len(words):  # see three of us
        return []
    text = " ".join(bare)
    return [*(spelled(text, board, seat, letters) or spelled(_TAKES.sub("x", text), board, seat, letters))]


def _glued(words: Sequence[_Word], board: Board, seat: Seat) -> list[str]:
    """Return the legal moves at the ends of words that a program has put together, as in `e2e4Good luck`."""
    texts = (text for word in words if len(word.text) <= _LONGEST_GLUED for text in _without_word(word.text))
    return list({move: text for text in texts if (move := legal_move(text, board, seat))}.values())


def _without_word(text: str) -> Sequence[str]:
    """Return what may be left of a text without letters at its end, or without letters at its beginning."""
    halves = [(text[:at], text[at:]) for at in range(_SHORTEST, len(text) - 1)]
    halves = [] if UNREAD.search(text) else halves  # a knight is one word with its square there
    first = [(head, tail) for head, tail in halves if tail.lower() in KNOWN and _DIGIT.search(head)]
    clear = [head for head, tail in first if tail.istitle()]
    last = [tail for head, tail in halves if head.lower() in KNOWN and _DIGIT.search(tail)]
    return [*(clear or [head for head, _ in first]), *last]


def _split(line: str, board: Board) -> list[_Word]:
    """Return the words of a line; the name of a piece is a word of its own, also before a hyphen."""
    return list(chain.from_iterable(_parts(word.cased, board) for word in words_of(line)))


def _words(line: str, board: Board, seat: Seat, letters: Letters) -> list[_Word]:
    """Return the words of a line with the letters of men in English, unless they are too many to name a move."""
    words = _split(line, board)
    return [_in_english(word, board, seat, letters) for word in words] if len(words) <= _MOST_WORDS else words


def _in_english(word: _Word, board: Board, seat: Seat, letters: Letters) -> _Word:
    """Return a word with the letters of men in English if only so it is a legal move.

    Whoever has an account in English may write those of another language, too.
    """
    if legal_move(word.text, board, seat):
        return word
    turned = _TURNED.sub(r"\2\1", word.text) if _TURNED.fullmatch(word.text) else ""  # 9i
    texts = (text for text in (turned, *translated(word.text, board, letters)) if legal_move(text, board, seat))
    text = next(texts, "") or with_other_letters(word.text, board, seat)
    if not text or len(spelled(word.text, board, seat, letters)) > 1:  # Pf3 is a pawn here, and a knight in Dutch
        return word
    return word._replace(text=text, lower=text.lower())


def _parts(written: str, board: Board) -> Iterator[_Word]:
    bare = without_noise(written)
    named = _NAMED.fullmatch(bare)
    if named and kind_named(named[1].lower(), board.game.names_of_pieces):
        yield _Word(named[1], named[1].lower())
        bare = without_noise(named[2])
    bare = bare or written
    *parts, last = [bare] if is_move(bare, board.game) else _BETWEEN.split(bare)
    yield from (_Word(part, part.lower()) for part in parts if part)
    if last:
        yield _Word(last, last.lower(), written.endswith(_ENDS))


def _deny(words: Sequence[_Word], language: CommandLanguage) -> bool:
    """Return whether words say that something is not played, or perhaps; or name something else that can be done.

    How about e4: that asks only whether it is good. I was in Rome, e4: that tells what was, and asks nothing.
    """
    lower = [word.lower for word in words]
    asked = TO_OTHERS if "about" in lower else frozenset[str]()
    told = {"was"} if not any("was" in part and _is_about_move(part) for part in _parts_of(words)) else frozenset[str]()
    return any((denies(word) and word not in asked and word not in told) or _acts(word, language) for word in lower)


def _is_about_move(part: Sequence[str]) -> bool:
    """Return whether a part of a sentence with `was` asks something in German, or speaks of a move."""
    return part[0] == "was" or any(map(_DIGIT.search, part))


def _acts(word: str, language: CommandLanguage) -> bool:
    command = language.reply_verbs.get(word)
    return command is not None and not command.question


def _by_name(words: Sequence[_Word], kinds: Sequence[str], board: Board, seat: Seat) -> list[str]:
    """Return the legal move of the piece that is named, if one square or both follow; none if no square is named."""
    game, position = board.game, board.position
    at = next(i for i, kind in enumerate(kinds) if kind)
    after = [game.cells_of(word.lower) for word in words[at + 1 :] if word.lower not in JOINING]
    before = game.cells_of(words[at - 1].lower) if at else ()  # the g8 knight to f6
    cells = (*before, *chain.from_iterable(takewhile(bool, after)))
    named = tuple(chain.from_iterable(game.cells_of(word.lower) for word in words))
    if not cells or cells == before or cells != named or sum(map(bool, kinds)) > 1:
        return [""] if named else []
    moves = [move for move in moves_of(game, position, seat) if game.piece_of(position, move) == kinds[at]]
    texts = [
        text for text in map(game.format, moves) if game.cells_of(text) == cells or game.cells_of(text)[1:] == cells
    ]
    return texts or [""]


def _joined(words: Sequence[_Word], board: Board, seat: Seat) -> list[str]:
    """Return the legal moves in these words, the longest texts only; with "" for one that another word may change."""
    game = board.game
    told = [word for word in words if word.lower not in JOINING]
    spans = list[tuple[int, int, str, str]]()
    for start in range(len(told)):
        for end in range(min(len(told), start + _MOST_PARTS), start, -1):
            if start >= max((e for _, e, _, _ in spans), default=0) and (legal := _legal(told[start:end], board, seat)):
                spans.append((start, end, *legal))
    taken = {at for start, end, _, _ in spans for at in range(start, end)}
    others = [word for at, word in enumerate(told) if at not in taken]
    if any(
        game.said_signs.get(word.lower)
        or (_DIGIT.search(word.text) and is_move(word.text, game))
        or (word.text.isdecimal() and game.cells_of(word.text))
        for word in others
    ):
        return [""]  # 1b1 plus is another move than 1b1, a1-a5, c1-c4 are two ships, and 9-14-18 goes on
    for start, end, move, text in spans:
        if end < len(told) and told[end].text.isdecimal() and not told[end - 1].ends:
            return [""]  # d4 5
        is_short = len(game.cells_of(text.lower())) < len(game.cells_of(move))
        if is_short and start and not _is_harmless(told[start - 1]):
            return [""]
    return list({move: text for _, _, move, text in spans}.values())


def _is_harmless(word: _Word) -> bool:
    """Return whether a word before a move cannot name a piece: a number, a usual word, or the end of a part."""
    return word.ends or word.lower in PLAYING or word.lower.isdecimal()


def _legal(words: Sequence[_Word], board: Board, seat: Seat) -> tuple[str, str] | None:
    """Return the legal move that these words are together, in canonical form and as it was written."""
    texts = [word.text for word in words]
    if len(words) == 1:
        spellings = texts if len(texts[0]) >= _SHORTEST else []
    elif all(_is_part(text) for text in texts) and re.search(r"\d", texts[0]):
        moves = board.game.moves_in(texts)
        spellings = [*(moves if len(moves) == 1 else ()), "".join(texts), "-".join(texts)]
    else:
        spellings = []
    named = next(((move, text) for text in spellings if (move := legal_move(text, board, seat))), None)
    only = "" if named else with_ends(texts, board, seat)
    return (only, only) if only else named


def with_ends(texts: Sequence[str], board: Board, seat: Seat) -> str:
    """Return the only legal move with these ends; if it is the only one at all, its beginning is enough: 15x18.

    A sign of a capture is no choice, but all else is one that is not in the cells, such as a tumble.
    """
    game = board.game
    cells = [*chain.from_iterable(game.cells_of(part.lower()) for text in texts for part in _BETWEEN_CELLS.split(text))]
    are_several = len(texts) > 1 and any(legal_move(text, board, seat) for text in texts)  # c2c3 b2b3
    if len(cells) < 2 or are_several or not all(map(_is_part, texts)):
        return ""
    legal = [*map(game.format, moves_of(game, board.position, seat))]
    ends = {text: game.cells_of(text) for text in legal}
    ends = {text: there for text, there in ends.items() if _BETWEEN_CELLS.sub("", text) == "".join(there)}
    moves = [text for text, there in ends.items() if there[:1] + there[-1:] == (cells[0], cells[-1])]
    moves = moves or [text for text, there in ends.items() if len(legal) == 1 and there[0] == cells[0]]
    return moves[0] if len(moves) == 1 else ""


def _is_part(text: str) -> bool:
    """Return whether a text can be a part of a move: it has a digit, or it is a letter behind the squares."""
    return len(text) == 1 or re.search(r"\d", text) is not None


def _below(first: str, below: str, language: CommandLanguage, board: Board, seat: Seat, letters: Letters) -> list[str]:
    """Return the moves on lines below, if nothing directly above denies them."""
    moves_below, above = dict[str, str](), [first]
    for line in below.split("\n", _MOST_LINES)[:_MOST_LINES]:
        if not line.strip():
            above = [last for last in above[-1:] if last.rstrip().endswith(":")]
            continue
        moves = _on_line(line, language, board, seat, letters)
        if moves and not any(_forbids(other, language, board) for other in above):
            moves_below |= {legal_move(move, board, seat) if move else "": move for move in moves}
        above.append(line)
    return list(moves_below.values())


def _on_line(line: str, language: CommandLanguage, board: Board, seat: Seat, letters: Letters) -> list[str]:
    """Return the moves on a line that has nothing else, or in which its writer says `I` or `my`."""
    if len(line) > _LONGEST:
        return []
    read = read_first_line(line, language, board, seat, letters)
    if read:
        return [*read.moves] if not read.asks else []
    words = _split(line, board)
    if _deny(words, language) or not WRITING.isdisjoint(word.lower for word in words):  # on Monday I wrote: Nf6
        return []
    if not (_is_own(words) or all(_is_of_move(word, board) for word in words)):
        return []
    return _without_usual(words, board, seat, letters) or _named(words, board, seat)


def _is_own(words: Sequence[_Word]) -> bool:
    spoken = {word.lower for word in words}
    return bool(spoken & OWN) and not spoken & OTHERS


def _is_of_move(word: _Word, board: Board) -> bool:
    """Return whether a word belongs to a move: a cell, the name of a piece, or what stands around these."""
    game = board.game
    usual = word.lower in JOINING or word.lower in PLAYING
    return usual or bool(game.cells_of(word.lower) or kind_named(word.lower, game.names_of_pieces))


def _forbids(line: str, language: CommandLanguage, board: Board) -> bool:
    """Return whether a line above a move denies it. The banner of a gateway says `do not`, too, but of other things."""
    words = _split(line, board)
    if sum(word.lower in GATEWAY for word in words) >= _OF_A_BANNER:
        return False
    is_about = len(words) <= _FEW or line.rstrip().endswith(":") or any(w.lower in OWN | PLAYING for w in words)
    return is_about and _deny(words, language)
