"""Finds the move that stands beside a comment: before it on its line, alone below it, or alone in the subject.

It is played only if the rest leaves no doubt: it names no move, asks nothing, and has no word such as `or` and `maybe`
(ADR 78). Everything else is offered.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile, islice, pairwise, takewhile
from typing import NamedTuple

from pbmserv.games.base import Seat, moves_of
from pbmserv.games.base.board import Board, play
from pbmserv.games.base.pieces import kind_named, man_named
from pbmserv.games.base.words import PASS, SWAP
from pbmserv.inbox.command import CommandLanguage
from pbmserv.inbox.lines.agreement import agrees
from pbmserv.inbox.lines.first_line import LONGEST, read_first_line, word_of
from pbmserv.inbox.lines.offers import is_of_others, said_for, with_other_letters
from pbmserv.inbox.lines.parse import Word, words_of
from pbmserv.inbox.lines.spellings import (
    ASKS,
    QUOTES,
    Letters,
    legal_move,
    legal_moves,
    may_be_man,
    moves_within,
    spelled,
    without_noise,
)
from pbmserv.inbox.lines.wishes import PLEASE
from pbmserv.inbox.lines.words.comment_words import (
    CORRECTING,
    KNOWN,
    MOST_OF_CORRECTION,
    MOST_OF_TAG,
    NO_HURRY,
    OR_ELSE,
    THIS,
    UNREAD,
    asks,
    conditions,
    corrects,
    doubts,
    goes_on,
    is_read,
    is_tag,
    is_unknown_tag,
    may_ask,
    orders,
    puts_off,
    revokes,
    takes_back,
    wishes_well,
)
from pbmserv.inbox.lines.words.farewell import FAREWELL, JOKES
from pbmserv.inbox.lines.words.said_words import SAID
from pbmserv.inbox.lines.words.sentence_words import (
    ABSENT_ONES,
    BEING,
    CHECKING,
    DENIALS,
    END_OF_PART,
    HOPING,
    JOINING,
    MEANING,
    MOVING,
    OTHERS,
    OWN,
    PAST,
    PLAYING,
    POLITE,
    TOO,
    WOULD,
    denies,
)
from pbmserv.mail.reading.added.ending import without_additions
from pbmserv.mail.reading.encoding import fold

_MOST_PARTS = 10  #: words of a move at the beginning of a line
_MOST_WORDS = 600  #: of a comment
_MOST_BESIDE, _MOST_PASSED_ON = 60, 8  #: words and sentences beside an offered move
_LONGEST_ASKING = 800  #: characters of a line with a move and a question
_LONGEST_LINE = 80  #: characters of a line that is a move below a comment
_MOST_LINES, _MOST_SENTENCES = 30, 20  #: below a move, in which something may take it back
_BESIDE_MOVES = KNOWN | CORRECTING  #: words of such a sentence that are no part of a move
_UNDOING = ("undo", "resign", "decline")  #: words of the server on a line below a move, which take it back
_ENDS = (".", ",", ";", ":", "!", "…", "。")
_COMMA = re.compile("[，、。！；]\\s*")  #: of a script without spaces
_APART = re.compile(r"[^\w\"'„“”«»‹›?]")  #: the first sign of what is set off from the move
_SENTENCE = re.compile(r"[.!;:\n。、，]+")
_DIGIT = re.compile(r"\d")
_FACES = re.compile(r"(?<!\w)[:;=8]-?[DPpOo](?!\w)")  #: smileys with a letter
_SPLIT = re.compile(r"[\s.,;:!()/…]+")
#: Faces and signs of somebody who thinks or asks.
_THINKS = frozenset("\N{THINKING FACE}\N{SHRUG}\N{CONFUSED FACE}\u2753\u2754\u2049=")
#: With which somebody begins who does not know.
_HEDGES = re.compile(r"\b(?:as far as i|soweit ich|voor zover|pour autant que|så vitt|såvitt)\b", re.IGNORECASE)
_SQUARE_BRACKETS = re.compile(r"^\s*\[", re.MULTILINE)  #: of the banner of a mail gateway
_VERB = 4  #: the most words of a verb
_FEW = 3  #: words of a part of a sentence that are nothing but a denial or a question
_BEHIND = ".,;:!?…"  #: signs behind a move
_LAST_SIGN = re.compile(r"[.,:;!…]+\s+|\s+[-\u2013\u2014]\s+|\s+\((?=\S+\)$)")  #: before the last part of a line
_NO_SWAP = re.compile(r"\(?\b(?:no|not|without|kein|nicht|ohne|sans|sin|pas de) swap\w*\)?", re.IGNORECASE)
_MOST_LABEL = 8  #: words of what stands before a move that ends a line
#: The end of a sentence, and no number before a move.
_STOP = re.compile(r"(?<=[.!?…])(?<!\b\d\.)(?<!\b\d\d\.)(?<!\b\d\.{3})(?<!\b\d\d\.{3})\s+")
_ASKING = re.compile(r"^[\s,]*(?:please|pls|bitte)\b[\s.,;:!]*", re.IGNORECASE)  #: for a move that is played
_MOST_SAID = 4  #: words before a move that only say that it is played, in any language
#: Letters that are words by themselves.
_WORDS_OF_ONE = frozenset("aeiouyàèéòóùовиуякж")
_OF_MOVE = PLEASE | CHECKING  #: words behind a move that are for the server, or only say that it gives check
_SAID_ALONE = frozenset("Otf/+")  #: parts of a move that are said in a word: castling, a tumble, an arrow


class Beside(NamedTuple):
    """A legal move as it was written, and the comment beside it."""

    move: str
    comment: str


@dataclass(frozen=True, slots=True)
class LineReading:
    """How moves on a board are read. The beginnings of a line are read in several ways, so what they are is kept."""

    language: CommandLanguage
    board: Board
    seat: Seat
    letters: Letters
    names: frozenset[str] = frozenset()  #: of those who play and of the writer, in lower case
    _kept: dict[str, str] = field(default_factory=dict, compare=False, repr=False)

    def move(self, text: str) -> str:
        """Return the one legal move that a text is, as it was written; "" if it is none, asks, or is anything else."""
        if text not in self._kept:
            self._kept[text] = self._move(text)
        return self._kept[text]

    def _move(self, text: str) -> str:
        read = read_first_line(text, self.language, self.board, self.seat, self.letters)
        is_one = read is not None and len(read.moves) == 1 and read.command.verb == "move" and not read.asks
        return read.moves[0] if read and is_one and legal_move(read.moves[0], self.board, self.seat) else ""

    def is_legal(self, word: str, move: str) -> bool:
        """Return whether a word is this legal move, in canonical form."""
        return legal_move(without_noise(word), self.board, self.seat) == move


def before_comment(line: str, reading: LineReading) -> Beside | None:
    """Return the move with which a line begins, and the comment behind it."""
    for words, rest in _beginnings(line, LONGEST):
        last = without_noise(words[-1].folded)
        if last.isalpha() and last in JOINING:  # e4. A domani
            continue
        if move := reading.move(" ".join(word.cased for word in words)):
            return Beside(move, _comment(rest)) if _is_comment(words[-1].cased, rest, move, reading) else None
    return None


def before_question(line: str, reading: LineReading) -> str:
    """Return the move with which a line begins, to be offered, if a question or a request about something else follows.

    `Nf3. How are you?` and `Nf3, draw?` name no other move, and nothing in them denies this one.
    """
    asked = ASKS & set(fold(line))
    for words, rest in _beginnings(line, _LONGEST_ASKING):
        is_apart = words[-1].cased.endswith(_ENDS) or _APART.match(rest) is not None
        if not (is_apart or asked):
            continue
        others = _words(fold(rest))
        is_apart = is_apart or (KNOWN - DENIALS).issuperset(others)  # but not: F1 fan? E5 dead?
        text = " ".join(word.cased for word in words).rstrip(".,;:")
        move = reading.move(text) if is_apart else ""
        if len(move) > 1 and not (move.isalpha() and text.isalpha()):  # right, let me think
            is_denied = any(doubts(word) for word in others if not may_ask(word))
            is_named = _names_move(others, reading.board) or any(_within(word, reading) for word in others)
            return "" if is_denied or is_named or revokes(rest) or JOKES.search(rest) else move
    return ""


def leading_move(line: str, reading: LineReading) -> str:
    """Return the legal move with which a line begins, to be offered whatever follows, unless it is not meant (ADR 126).

    So it is with another legal move behind it, a denial, the past, somebody else who plays it, and another board.
    """
    board, bare = reading.board, _NO_SWAP.sub("", line)  # who moves does not swap anyway
    if bare != line and (move := reading.move(bare.strip(" ,;-"))):
        return move
    line = bare
    if len(line) > LONGEST or line[:1] in QUOTES or is_of_others(line) or may_be_man(line, board):
        return ""
    if not board.game.means(board.position, line.lower()):
        return ""
    for words, rest in _beginnings(line, LONGEST):
        text = " ".join(word.cased for word in words).rstrip(_BEHIND)
        last = without_noise(words[-1].folded)
        if last.isalpha() and last in JOINING:
            continue
        move = reading.move(text) or _with_other_letters(text, reading)
        if not move and (move := said_for(text, board, reading.seat)):
            text = move
        if move:
            legal = legal_move(move, board, reading.seat)
            asked_for = " ".join(dropwhile(lambda word: word.strip(_BEHIND).lower() in POLITE, rest.split()))
            is_apart = words[-1].cased.endswith(tuple(_BEHIND)) or _APART.match(rest) is not None
            is_apart = is_apart or (asked_for != rest and rest.split()[0].endswith(tuple(_BEHIND)))  # swap please, ...
            parts = [part for part in map(_words, END_OF_PART.split(fold(rest))) if part]
            parts = [*parts[:1], *(part for part in parts[1:] if not _denies_other_man(part, legal, reading))]
            is_clear = _is_clear(text, parts, is_apart=is_apart)
            is_other = is_clear and _is_unmeant(rest, parts, reading, is_apart=is_apart)
            return move if is_clear and not is_other and not _changes(rest, parts, legal, reading) else ""
    return ""


def closing_move(line: str, reading: LineReading) -> str:
    """Return the legal move that is alone behind the last sign of a line, to be offered (ADR 126): in the centre: h8.

    Behind a colon, more may follow as in `leading_move`. What stands before the sign must not doubt the move, ask, name
    another one, or tell of others or of the past; and no player's name stands before a colon.
    """
    bare = line.rstrip(" .!") if len(line) <= LONGEST and line[:1] not in QUOTES else ""
    signs = [*_LAST_SIGN.finditer(bare)]
    if not signs or is_of_others(line) or ASKS & set(fold(bare)):
        return ""
    last, colon = signs[-1], next((sign for sign in signs if ":" in sign[0]), signs[-1])
    text = bare[last.end() :].rstrip(")")
    written = reading.move(text) or _with_other_letters(text, reading)
    move = written if not text.isalpha() or SAID.get(text.lower(), text.lower()) in (PASS, SWAP) else ""
    sign = last if move else colon
    move = move or (leading_move(bare[colon.end() :], reading) if colon != last else "")
    return move if move and _introduces(bare[: sign.start()], move, reading, is_label=":" in sign[0]) else ""


def _introduces(above: str, move: str, reading: LineReading, *, is_label: bool) -> bool:
    """Return whether words before a move on its line say nothing against it. `is_label`: a colon ends them."""
    parts = [part for part in map(_words, END_OF_PART.split(fold(above))) if part]
    words = [word for part in parts for word in part]
    if not 0 < len(words) <= _MOST_LABEL or any(doubts(word) or denies(word) for word in words):
        return False
    is_told = not (PAST | WOULD | OTHERS | ABSENT_ONES).isdisjoint(parts[-1])
    is_named = is_label and not reading.names.isdisjoint(words)
    is_unmeant = revokes(above) or JOKES.search(above) is not None
    is_unmeant = is_unmeant or any(asks(part) or conditions(part) or puts_off(part) for part in parts)
    legal = legal_move(move, reading.board, reading.seat)
    is_other = _names_move(words, reading.board) or _is_of_other_man(words, legal, reading)
    return not (is_told or is_named or is_unmeant or is_other or _acts(words, reading.language))


def _with_other_letters(text: str, reading: LineReading) -> str:
    move = with_other_letters(text, reading.board, reading.seat)
    return move if move and len(spelled(text, reading.board, reading.seat, reading.letters)) < 2 else ""  # Pf3


def _is_clear(text: str, parts: Sequence[Sequence[str]], *, is_apart: bool) -> bool:
    """Return whether a move with which a line begins is no ordinary word or number: right, so what; 12 points."""
    if not any(map(str.isalpha, text)):
        return not text.isdecimal()
    if len(text) < 2:
        words = [word for part in parts for word in part]
        return is_apart and text.lower() != "i" and OTHERS.isdisjoint(words) and not any(map(doubts, words))
    if not text.isalpha():
        return True
    if not parts or agrees(text):  # right, let me think
        return False
    is_sure = SAID.get(text.lower(), text.lower()) in (PASS, SWAP)
    is_again = not TOO.isdisjoint(parts[0]) and (TOO | POLITE | {"all", "alle"}).issuperset(parts[0])
    return is_again or (is_sure and is_apart)


def _is_unmeant(rest: str, parts: Sequence[Sequence[str]], reading: LineReading, *, is_apart: bool) -> bool:
    """Return whether what follows a move denies it, makes it depend on something, or tells of others or of the past."""
    first = [] if is_apart or not parts else parts[0]  # what belongs to the move itself
    words = [word for part in parts for word in part]
    is_told = not BEING.isdisjoint(first[:1]) or not (PAST | WOULD).isdisjoint(first)
    is_asking = bool(ASKS & set(fold(rest)))
    is_asked = is_asking and bool(first) and len(words) <= _FEW  # E4 fan?
    is_tag_question = is_asking and bool(parts) and len(parts[-1]) == 1  # I think, no?
    return (
        is_told
        or is_asked
        or any(_denies_move(part) for part in (parts[:-1] if is_tag_question else parts))
        or any(map(_is_of_somebody, parts))
        or any(map(conditions, parts))
        or bool(JOKES.search(rest))
        or revokes(rest)
        or any(_acts(part, reading.language) for part in parts if len(part) == 1 or "stop" not in part)
    )


def _denies_move(part: Sequence[str]) -> bool:
    """Return whether a part of a sentence behind a move denies it, and nothing else: nope, don't play that, not now."""
    at = next((at for at, word in enumerate(part) if denies(word) and word not in OR_ELSE and not may_ask(word)), None)
    if at is None:
        return False
    behind = {*part[at + 1 :]}
    is_of_move = not behind.isdisjoint(MOVING | MEANING) or not THIS.isdisjoint(part[at + 1 : at + 3])
    is_verb = part[at].endswith("n't")  # don't laugh
    return is_of_move or (len(part) <= _FEW and not is_verb)


def _denies_other_man(part: Sequence[str], move: str, reading: LineReading) -> bool:
    """Return whether a part of a sentence only says what another man than that of a move does not do."""
    names, told = reading.board.game.names_of_pieces, list(takewhile(lambda word: not denies(word), part))
    kinds = {kind_named(word, names) for word in told} - {""}
    is_doubted = len(told) == len(part) or any(doubts(word) and not denies(word) for word in part)
    is_doubted = is_doubted or not THIS.isdisjoint(part)  # my queen does not like that
    return len(kinds) == 1 and kinds.isdisjoint(("?", _kind_of(move, reading))) and not is_doubted


def _kind_of(move: str, reading: LineReading) -> str:
    """Return the kind of the man of a legal move; "" if men are alike."""
    game, position = reading.board.game, reading.board.position
    legal = next((legal for legal in moves_of(game, position, reading.seat) if game.format(legal) == move), None)
    return "" if legal is None else game.piece_of(position, legal)


def _is_of_somebody(part: Sequence[str]) -> bool:
    """Return whether somebody else plays, has played or would play: my brother would, quality play by you."""
    is_of_other = not (OTHERS | ABSENT_ONES).isdisjoint(part)
    return is_of_other and not (MOVING | PAST | WOULD).isdisjoint(part)


def words_besides(text: str, move: str, reading: LineReading) -> str:
    """Return what a text says to the others besides a move that is offered; "" if all of it is not for them (ADR 126).

    So it is with doubts, plans, other moves, words of the server, and questions that ask none of the others. Each
    sentence and word is read as a move, which is dear, so of a longer text nothing is returned.
    """
    sentences = sum(1 + len(_STOP.findall(line)) for line in text.split("\n") if line.strip())
    if len(text.split()) > _MOST_BESIDE or sentences > _MOST_PASSED_ON:
        return ""
    legal = legal_move(move, reading.board, reading.seat)
    cut = [(line, [_besides(part, legal, reading) for part in _STOP.split(line)]) for line in text.strip().split("\n")]
    is_named = any(" ".join(left).strip() != line.strip() for line, left in cut)
    is_named = is_named or any(reading.is_legal(word, legal) for word in text.split())
    lines = (" ".join(filter(None, left)) for line, left in cut if any(left) or not line.strip())
    words = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    return words if is_named and _is_for_others(words, legal, reading) else ""


def _besides(sentence: str, move: str, reading: LineReading) -> str:
    """Return what a sentence says besides a move; "" if it says only that this is played."""
    told = sentence.split()
    usual = list(takewhile(lambda word: word.lower() in PLAYING | JOINING, told[:_MOST_SAID]))  # Ik speel F17
    for text in dict.fromkeys((sentence, " ".join(told[len(usual) :]))):
        if reading.move(text) or _with_other_letters(text, reading) or said_for(text, reading.board, reading.seat):
            return ""
        for words, rest in _beginnings(text, LONGEST):
            first = " ".join(word.cased for word in words).rstrip(_BEHIND)
            is_more = len(words) > 1 and without_noise(words[-1].folded) in JOINING
            read = "" if is_more else reading.move(first) or _with_other_letters(first, reading)
            if read and legal_move(read, reading.board, reading.seat) == move:
                return _comment(_ASKING.sub("", rest, count=1))
    last = told[-1] if told[1:] else ""
    is_said = len(told) - 1 <= _MOST_SAID and reading.is_legal(last, move)
    others = [word for word in _words(fold(sentence)) if word not in _BESIDE_MOVES]
    is_said = is_said or (bool(others) and all(map(reading.board.game.cells_of, others)))
    return "" if is_said else sentence


def _is_for_others(text: str, move: str, reading: LineReading) -> bool:
    plain = _FACES.sub(" ", fold(text))
    parts = [part for part in map(_words, END_OF_PART.split(plain)) if part]
    sentences = [(sentence, _words(sentence)) for line in plain.split("\n") for sentence in _STOP.split(line)]
    words = [word for part in parts for word in part if not reading.is_legal(word, move)]
    is_doubted = any(doubts(word) and not (denies(word) or may_ask(word)) for word in words)
    others = [word for word in words if word not in _OF_MOVE]
    usual = POLITE | PLAYING | JOINING | TOO | BEING | {"them"}
    is_said = words and usual.issuperset(others) and not wishes_well(others)  # then
    asked = (spoken for sentence, spoken in sentences if ASKS & set(sentence) or asks(spoken))
    return (
        bool(parts)
        and not is_said
        and not (is_doubted or _THINKS & set(plain) or _HEDGES.search(plain) or revokes(plain) or JOKES.search(plain))
        and not any(
            part[0] in OR_ELSE
            or not HOPING.isdisjoint(part[-1:] + part[-2:-1] * (part[-1] in OWN))
            or _denies_move(part)
            or conditions(part)
            or puts_off(part)
            or orders(part)
            for part in parts
        )
        and not any(_acts(part, reading.language) for part in parts)
        and not any(takes_back(*sentence) for sentence in sentences if "?" not in sentence[0])
        and not any(map(OTHERS.isdisjoint, asked))
        and not _names_move(words, reading.board)
    )


def _changes(rest: str, parts: Sequence[Sequence[str]], move: str, reading: LineReading) -> bool:
    """Return whether what follows a move names another one, or more of this one: d4 5, f3 with the knight, c1-c2 t."""
    board, seat, game = reading.board, reading.seat, reading.board.game
    words = [word for part in parts for word in part]
    goes_on = words[:1] and (words[0].isdecimal() or bool(game.cells_of(words[0])) or _is_form(words[:1], board))
    signs = (sign for word in words if len(sign := game.said_signs.get(word, "")) == 1)  # no long time
    letters = (word for word in words if len(word) == 1 and word not in _WORDS_OF_ONE)
    ending = any(sign not in move for sign in signs) or any(legal_moves(f"{move}{x}", board, seat) for x in letters)
    if goes_on or ending or any(_is_said_cell(*pair) for pair in pairwise(words)):
        return True
    texts = [text for text in _SENTENCE.split(fold(rest).replace("?", ".")) if text.strip()]
    named = {other for text in texts for other in _instead(text, reading, each=True)}
    return bool(named - {"", move}) or _is_of_other_man(words, move, reading)


def _is_of_other_man(words: Sequence[str], move: str, reading: LineReading) -> bool:
    """Return whether words name another man than that of a move, and it can go to the same place."""
    board, seat, game = reading.board, reading.seat, reading.board.game
    kinds = {kind for word in words if (kind := kind_named(word, game.names_of_pieces)).isalpha()}
    legal = {game.format(other): other for other in moves_of(game, board.position, seat)} if kinds else {}
    own = game.piece_of(board.position, legal[move]) if move in legal else ""
    there = (other for text, other in legal.items() if game.cells_of(text)[-1:] == game.cells_of(move)[-1:])
    return any(game.piece_of(board.position, other) in kinds - {own} for other in there)


def below_comment(body: str, reading: LineReading) -> Beside | None:
    """Return the move that is alone on the last line of a text, and the comment above it."""
    above, _, last = body.strip().rpartition("\n")
    if not above.strip() or len(last) > _LONGEST_LINE or len(without_noise(last)) < 2:
        return None
    move = reading.move(last)
    is_banner = _SQUARE_BRACKETS.search(above)
    same = above.rpartition("\n")[2].rstrip()  # the line directly above
    if not move or is_banner or (same[-1:].isalnum() and goes_on(_words(fold(same)))):
        return None
    return Beside(move, above.strip()) if is_harmless(above, reading) else None


def in_subject(subject: str, body: str, reading: LineReading) -> Beside | None:
    """Return the move that is alone in a subject. The text below it is the comment."""
    move = _of_subject(subject, reading)
    return Beside(move, body.strip()) if move and is_harmless(body, reading) else None


def doubted_in_subject(subject: str, body: str, reading: LineReading) -> str:
    """Return the move that is alone in a subject, to be offered, if the text below it names nothing else."""
    move = _of_subject(subject, reading)
    words = _words(fold(body)) if move else []
    is_other = len(words) > _MOST_WORDS or _names_move(words, reading.board) or _acts(words, reading.language)
    return "" if is_other else move


def taken_back(below: str, move: str, reading: LineReading) -> list[str] | None:
    """Return the other moves that lines below a move name, if something there takes it back; None if it stands.

    They may name none, as `no, wait` does. Otherwise a comment below is free: it may ask, and speak of moves.
    Where ships are hidden, lines with several squares speak of these.
    """
    board, seat = reading.board, reading.seat
    first = legal_move(move, board, seat)
    lines = [line for line in below.split("\n", _MOST_LINES)[:_MOST_LINES] if len(line) <= LONGEST]
    texts = (text for line in lines for text in _SENTENCE.split(fold(line)) if text.strip())
    sentences = [(text, _words(text)) for text in islice(texts, _MOST_SENTENCES)]
    acting = {word.command.verb for line in lines if (word := word_of(line, reading.language))}
    is_doubted = any(takes_back(*sentence) for sentence in sentences) or not acting.isdisjoint(_UNDOING)
    is_doubted = is_doubted or (not acting and is_unknown_tag(below, reading.names | FAREWELL))
    named = {legal_move(without_noise(below.strip()), board, seat)}  # also of one letter, if it stands alone
    is_other = not {first, ""}.issuperset(named)
    for sentence, words in sentences:
        is_corrected, is_own = corrects(words), OTHERS.isdisjoint(words)
        names = (is_own or is_corrected) and len(words) <= MOST_OF_CORRECTION
        is_unread = len(words) > 1 and not is_read([word for word in words if not _DIGIT.search(word)], reading.names)
        each = is_doubted or is_corrected or is_unread or 1 < len(words) <= MOST_OF_TAG  # else d4
        moves = _instead(sentence, reading, each=each) if names else ()
        named.update(moves)
        is_other = is_other or not {first, ""}.issuperset(moves) or (is_corrected and is_own and bool(moves))
    named -= {"", first}
    is_doubted = is_doubted or (is_other and bool(named) and any(corrects(words) for _, words in sentences))
    if is_other and not is_doubted:
        # Then the next line may be the next move.
        goes_on_now = bool(first) and seat in play(board, seat, first).board.to_move
        is_other = not goes_on_now and not (board.game.info.hidden and len(named) > 1)
    return sorted(named) if is_doubted or is_other else None


def _instead(sentence: str, reading: LineReading, *, each: bool) -> Sequence[str]:
    """Return the canonical texts of the moves in a sentence; "" is one that may be several, or is not possible.

    Its usual words count for nothing. `each`: its other words may be no moves.
    """
    rest = [word for word in sentence.split() if without_noise(word).lower() not in _BESIDE_MOVES]
    text = " ".join(rest)
    is_short = len(without_noise(text)) < 2 and not each  # an initial
    read = None if is_short else read_first_line(text, reading.language, reading.board, reading.seat, reading.letters)
    if read and read.command.verb == "move":
        return [legal_move(move, reading.board, reading.seat) for move in read.moves]
    board, seat, words = reading.board, reading.seat, [without_noise(word) for word in rest if each]
    written = (with_other_letters(word, board, seat) or word for word in words if len(word) > 1)
    moves = [move for word in written if (move := legal_move(word, board, seat))]
    within = _within(text, reading)
    return [*moves, *(within[:1] if len(within) == 1 else [""] * bool(within))]


def _within(text: str, reading: LineReading) -> Sequence[str]:
    return moves_within(text, reading.board, reading.seat)


def _beginnings(line: str, longest: int) -> Iterator[tuple[Sequence[Word], str]]:
    """Yield the words with which a line begins, the most first, and what follows them. One over `longest` has none."""
    line = _COMMA.sub(", ", line, count=1)
    words = words_of(line, _MOST_PARTS + 1) if len(line) <= longest else []
    for size in range(min(len(words) - 1, _MOST_PARTS), 0, -1):
        yield words[:size], line.split(None, size)[size]


def _of_subject(subject: str, reading: LineReading) -> str:
    return reading.move(subject) if len(without_noise(subject)) > 1 else ""


def is_harmless(text: str, reading: LineReading) -> bool:
    """Return whether a text leaves no doubt about the move beside it: it asks nothing, does nothing, names no move."""
    plain = _FACES.sub(" ", fold(text))
    words = _words(plain)
    if len(words) > _MOST_WORDS or any(map(doubts, words)) or is_tag(words):
        return False
    sentences = [_words(sentence) for sentence in _SENTENCE.split(plain)]
    if any(asks(s) or puts_off(s) or orders(s) or not is_read(s, reading.names) for s in sentences):
        return False
    if any(known.search(plain) for known in (UNREAD, JOKES, _HEDGES)) or (ASKS | _THINKS) & set(plain):
        return False
    return not _acts(words, reading.language) and not _names_move(words, reading.board)


def _is_comment(last: str, rest: str, move: str, reading: LineReading) -> bool:
    """Return whether what follows a move is a comment. `last`: the last word of the move."""
    words = _words(fold(rest))
    is_apart = bool(last.endswith(_ENDS) or not any(map(str.isalnum, last)) or _APART.match(rest))
    names = [name for name in reading.names if not _is_of_move([name], 0, reading.board)]
    is_wish = _is_advert(rest) or (wishes_well(words, names) and not (ASKS | _THINKS) & set(fold(rest)))
    if not (is_apart or (len(move) > 1 and _DIGIT.search(move))):  # Double thanks, 2 good games
        return False
    sign = last[-1] if last.endswith(_ENDS) else rest[:1]
    is_unknown = sign in (",", "(") and len(words) <= MOST_OF_TAG and not KNOWN.issuperset({*words} - {*names})
    return is_wish or (is_apart and len(move) > 1 and not is_unknown and is_harmless(rest, reading))


def _comment(rest: str) -> str:
    """Return the comment without the dash before it; "" for an advertisement, a `please`, and signs of check."""
    text = re.sub(r"^[-\u2010-\u2015\u2212.,;:!]+(?:\s+|$)", "", rest)
    words = _words(fold(text))
    is_of_move = text in ("+", "#") or (words and _OF_MOVE.issuperset(words))
    return "" if is_of_move or _is_advert(rest) else text


def _is_advert(rest: str) -> bool:
    return without_additions(["", rest]) != ["", rest]


def _words(text: str) -> list[str]:
    """Return the words of a folded text in lower case, without signs, and without phrases that deny nothing."""
    lower = _FACES.sub(" ", text).lower()
    for phrase in NO_HURRY:
        lower = lower.replace(phrase, " ")
    words = map(without_noise, _SPLIT.split(lower))
    return [word for word in words if any(map(str.isalnum, word))]


def _acts(words: Sequence[str], language: CommandLanguage) -> bool:
    """Return whether words of the server are among these, which do something."""
    texts = (" ".join(words[at : at + size]) for at in range(len(words)) for size in range(1, _VERB + 1))
    return any((command := language.reply_verbs.get(text)) and not command.question for text in texts)


def _names_move(words: Sequence[str], board: Board) -> bool:
    """Return whether a word may be a move or a part of one, or all words are single letters and numbers."""
    are_signs = bool(words) and all(len(word) == 1 or word.isdigit() for word in words)
    return are_signs or any(_is_of_move(words, at, board) for at in range(len(words)))


def _is_of_move(words: Sequence[str], at: int, board: Board) -> bool:
    """Return whether a word may be a move or a part of one: a cell, also in two words, or a word for a part."""
    word, game = words[at], board.game
    if len(word) == 1:
        return word not in _WORDS_OF_ONE and not word.isdigit() and _is_form([word], board)
    names = game.names_of_pieces
    is_part = game.said_signs.get(word) in _SAID_ALONE or names.get(man_named(word, names)) == "?"
    return is_part or _is_said_cell(*words[at : at + 2]) or bool(game.cells_of(word)) or _is_form([word], board)


def _is_said_cell(word: str, then: str = "") -> bool:
    """Return whether two words say a cell, as echo four does."""
    return SAID.get(word, "").isalpha() and (SAID.get(then, "").isdigit() or then.isdigit())


def _is_form(words: list[str], board: Board) -> bool:
    moves = board.game.moves_in(words)
    return bool(moves) and all(board.game.is_move(board.game.normalise(move)) for move in moves)
