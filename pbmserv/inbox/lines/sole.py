"""Finds the only move that a text names among words of no table, and the last one of a text that corrects itself.

Both are offered, never played (ADR 126). An unknown verb before a cell does no harm: `block at f8`. So what stands
around the cell decides, and the tables only have to know what is no move: a denial, a fear, the past, somebody else.
"""

import re
from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from pbmserv.games.base import moves_of
from pbmserv.games.base.pieces import kind_named
from pbmserv.inbox.lines.beside import LineReading
from pbmserv.inbox.lines.first_line import LONGEST
from pbmserv.inbox.lines.offers import is_of_others, move_in
from pbmserv.inbox.lines.spellings import ARROW, ASKS, QUOTES, legal_move, may_be_man, without_noise
from pbmserv.inbox.lines.wishes import PLEASE
from pbmserv.inbox.lines.words.cell_words import OF_CELLS, SPEAKING_OF
from pbmserv.inbox.lines.words.comment_words import (
    KNOWN,
    UNREAD,
    asks,
    conditions,
    corrects,
    doubts,
    puts_off,
    revokes,
    takes_back,
)
from pbmserv.inbox.lines.words.farewell import JOKES
from pbmserv.inbox.lines.words.said_words import COLOURS
from pbmserv.inbox.lines.words.sentence_words import (
    ABSENT_ONES,
    AND,
    ARTICLES,
    BEING,
    CAPTURING,
    CHECKING,
    END_OF_PART,
    HOPING,
    JOINING,
    MOVING,
    OTHERS,
    OWN,
    PAST,
    PLAYING,
    POLITE,
    TOO,
    WITH,
    WOULD,
    all_words,
    denies,
)
from pbmserv.mail.reading.encoding import fold

_MOST_WORDS, _MOST_LINES = 60, 8  #: of a text in which a move is looked for
_DIGIT = re.compile(r"\d")
_SPACED = re.compile(r"(?<!\w)([a-z]) (\d{1,2})(?!\w)", re.IGNORECASE)  #: h 12
_BETWEEN = re.compile(r"(?<=[a-z0-9])[-/x:](?=[a-z0-9])")  #: two cells
#: What denies nothing.
_NO_CHOICE = re.compile(
    r"\b(?:no (?:choice|other choice|alternative|option)|keine (?:wahl|andere wahl))\b", re.IGNORECASE
)
#: Words from where something comes, or with what: before the only cell of a text they name no goal.
_FROM = all_words(["from of de du da von vom van fra från z с out off about"])
_AMAZED = all_words(["really seriously echt vraiment score"])  #: d4... really
#: What was, in languages whose verbs have an ending for it.
_PAST_ENDING = re.compile(r"\w{2,}(?:łem|łam|łeś|łaś|ł|ła|aba|abas|ía|avo|evo|ivo|ava|ais|ait|лся|лась|л|ла|ли)")
#: Moves, of which somebody speaks who does not call one their own.
_NOUNS = all_words(["move zug coup jugada lance mossa zet ruch tah ход хід drag trekk træk"])
#: Of these, words of somebody who weighs moves up.
_WEIGHING = all_words(
    [
        "good better best bad fine nice looks look see attack problem sorry leider schön gut stark strong weak pass "
        "pas nah between"
    ]
)
#: Words directly before a cell to which something goes, and behind it.
_BEFORE = (JOINING - BEING) | MOVING | CAPTURING | WITH
_BEHIND = PLAYING | POLITE | TOO | JOINING | CHECKING | PLEASE
#: What somebody plays, who names it before or behind its cell: hane c3, and F17 enclosure. They are no words of KNOWN.
_KINDS = all_words(
    [
        "hane tenuki peep kosumi keima kakari shimari enclosure approach tsuke nobi tobi hiki extension atari cut cuts "
        "block blocks coupe bloque bloqueo sperre connect connects verbinde extends invasion invade schnitt"
    ]
)
#: Words that only say how a man goes, or where its cell is.
_HOW = re.compile(
    r"\b(?:(?:all )?along the (?:row|column|file|rank|diagonal|line)|all the way|"
    r"(?:right )?across the board|over(?= to\b)|"
    r"(?:next to|beside|neben|close to|near) (?:my |your |the |his )?(?:stone )?(?:on |at )?[a-z]\d{1,2}|"
    r"(?:in|at|on) the (?:corner|edge|top|bottom|upper|lower|left|right|middle|centre|center)"
    r"(?: (?:left|right|side|corner))*)\b"
)
_DROPPING = all_words(["drop drops"])  #: which puts a man of the hand on the board
_YESTERDAY = all_words(
    ["yesterday gestern hier ayer ontem ieri gisteren wczoraj včera igår вчера вчора eilen tegnap dün"]
)
_YOU = all_words(["tu toi te ton votre vous tú usted tuo tua jij jouw ty twój tvůj ni din ты твой ви sinä"])
_GONE = HOPING | PAST | WOULD | ABSENT_ONES | _YOU
#: What an article may stand before.
_PLACES = all_words(
    ["left right top bottom middle centre center corner edge linken rechten oberen unteren piece square"]
)
_BEFORE_NOUNS = ARTICLES | all_words(
    [
        "this that our unser unsere notre nuestro nostro my mein meine meinem mon ma mes mi mis mijn mio mia min mój",
        "moje мой моя",
    ]
)
#: Words behind a move that somebody has decided for.
_DECIDED = all_words(["first then it is instead please rather now lieber stattdessen jetzt bitte zuerst"])
_TAKING_IT = all_words(["go for take then ok so"])  #: before it
#: Words behind which a move stands in place of another one. It ends its part of the sentence.
_IN_PLACE = re.compile(
    r"\b(?:make (?:that|it)|i (?:do )?mean|ich meine|lieber|je veux dire|quiero decir|quero dizer|ik bedoel)"
    r"[ :]{1,2}([^\s,.;:!?()]{2,12})(?=[ ]?(?:[,.;:!()\n]|$| (?:please|instead|bitte|stattdessen)\b))",
    re.IGNORECASE,
)
_LATER = re.compile(r",[ ]\S{2,12} (?:later|afterwards|später)[.! ]*$", re.IGNORECASE)  #: R8, S10 later
_NOT_FREE = re.compile(
    r"\bthat(?:'s| is| was) (?:yours|your \w+)(?=\s*(?:[,.;!]|$))", re.IGNORECASE
)  #: so it is dropped
_AGREED = frozenset(("yes", "ja", "oui", "sí", "tak", "ok", "okay"))
_STOP = re.compile(r"[.!…]+\s+|\n+")
_MOST_SAID = 4  #: words of a sentence that only says a move in words
_LONGEST_DECISION = 60  #: characters of such a move with these words
_SEPARATOR = re.compile(r"(?:(?<![.!?…:;,()])[.!?…:;,()]+\s+|\n+|\s[-\u2013\u2014]\s)")


def only_move(text: str, reading: LineReading) -> str:
    """Return the only legal move that has all cells of a text, if nothing there is against it; else ""."""
    if len(text) > LONGEST:
        return ""
    plain = ARROW.sub(" to ", _NO_CHOICE.sub(" ", _SPACED.sub(r"\1\2", fold(text))))
    if not _may_be_own(plain, reading):
        return ""
    parts = _parts(_HOW.sub(" ", plain.lower()))
    cells = [[_cells(word, reading) for word in part] for part in parts]
    there = [at for at, named in enumerate(cells) if any(named)]
    above = {word for part in parts[: there[-1] + 1] for word in part} if there else OTHERS
    if not (OTHERS | _YESTERDAY).isdisjoint(above) or any(map(partial(_is_against, reading), parts, cells)):
        return ""
    named = list(dict.fromkeys(cell for part in cells for of_word in part for cell in of_word))
    is_move = all(_is_of_move(parts[at], cells[at], reading, is_goal=len(named) < 2) for at in there)
    return _sole([word for at in there for word in parts[at]], named, reading) if is_move else ""


def last_move(text: str, reading: LineReading) -> str:
    """Return the legal move with which a text ends that drops another one before: pass?? no way. M4; else ""."""
    plain = _LATER.sub("", fold(text).strip()) if len(text) <= LONGEST else ""
    last = next(reversed([*_SEPARATOR.finditer(plain)]), None)
    if last is None or plain.endswith("?") or len(plain) - last.end() > _LONGEST_DECISION:
        return ""
    words = plain[last.end() :].split()
    while len(words) > 1 and without_noise(words[-1]).lower() in _DECIDED:
        words.pop()
    while len(words) > 1 and without_noise(words[0]).lower() in MOVING | OWN | _TAKING_IT:
        words.pop(0)
    parts = _parts(_NOT_FREE.sub("no", plain[: last.start()]))
    move = reading.move(" ".join(words)) if parts and len(without_noise(words[0])) > 1 else ""
    return move if move and _drops(plain[: last.end()], parts, last[0], reading) else ""


def said_move(text: str, reading: LineReading) -> str:
    """Return the move that is a word and all that the last sentence of a text says: I know, I know. Just take."""
    plain = fold(text).strip() if len(text) <= LONGEST else ""
    last = next(reversed([*_STOP.finditer(plain)]), None)
    if last is None or ASKS & set(plain) or _is_talk(plain):
        return ""
    above, ending = _parts(plain[: last.start()]), _words_of(plain[last.end() :])
    words = [word for part in above for word in part]
    is_other = len(words) > _MOST_WORDS or not (OTHERS | ABSENT_ONES | WOULD).isdisjoint(words) or revokes(plain)
    is_other = is_other or any(conditions(part) or puts_off(part) or asks(part) for part in above)
    is_doubted = any(doubts(word) and not denies(word) for word in words)
    if is_other or is_doubted or not 0 < len(ending) <= _MOST_SAID:
        return ""
    board, seat = reading.board, reading.seat
    move = legal_move(move_in(plain[last.end() :], reading.language, board, seat, reading.letters), board, seat)
    named = {legal_move(word, board, seat) for word in words if len(word) > 1}
    return move if len(move) > 1 and move.isalpha() and named <= {"", move} else ""


def mended_move(text: str, reading: LineReading) -> str:
    """Return the legal move that a text puts in place of what it named before: make that E7, I mean j1; else ""."""
    plain = _SPACED.sub(r"\1\2", fold(text).strip()) if len(text) <= LONGEST else ""
    last = next(reversed([*_IN_PLACE.finditer(plain)]), None)
    move = reading.move(last[1]) if last and len(last[1]) > 1 else ""
    if last is None or not move or _is_talk(plain):
        return ""
    above, below = _parts(plain[: last.start()]), _parts(plain[last.end() :])
    words, behind = ([word for part in parts for word in part] for parts in (above, below))
    against = (OTHERS - {"yours"}) | ABSENT_ONES | WOULD  # that was yours
    is_other = not against.isdisjoint(words) or len(words) > _MOST_WORDS or any(map(conditions, (*above, *below)))
    is_doubted = "?" in plain[last.end() :] or revokes(plain[last.end() :]) or any(map(puts_off, below))
    is_doubted = is_doubted or any(takes_back(" ".join(part), part) for part in below)
    before, after = ({cell for word in some for cell in _cells(word, reading)} for some in (words, behind))
    is_mended = bool(before - {*reading.board.game.cells_of(move.lower())}) and any(map(corrects, above))
    return move if is_mended and after <= before and not (is_other or is_doubted) else ""


def _drops(above: str, parts: Sequence[Sequence[str]], separator: str, reading: LineReading) -> bool:
    """Return whether what stands above the last move names another one, and says that this is not the one."""
    words = [word for part in parts for word in part]
    against = OTHERS | (ABSENT_ONES - CHECKING) | WOULD | (SPEAKING_OF - _WEIGHING)
    is_other = not against.isdisjoint(words) or any(map(conditions, parts)) or any(map(puts_off, parts))
    if is_other or len(words) > _MOST_WORDS or above[:1] in QUOTES or is_of_others(above):
        return False
    is_decided = _is_correction(parts[-1]) or _AGREED.issuperset(parts[-1])
    is_listed = "," in separator and not (is_decided and not any(map(_DIGIT.search, parts[-1])))
    is_named = any(
        _cells(word, reading) or legal_move(word, reading.board, reading.seat) for word in words if len(word) > 1
    ) or any(reading.move(" ".join(part[:_MOST_SAID])) for part in parts)
    is_dropped = "?" in above or JOKES.search(above) is not None or any(map(doubts, words))
    return is_named and not is_listed and (is_dropped or any(map(_is_correction, parts)))


def _is_correction(part: Sequence[str]) -> bool:
    return corrects(part) or doubts(part[0])


def _may_be_own(plain: str, reading: LineReading) -> bool:
    """Return whether a text may say what its writer plays here, as far as that can be seen without its cells."""
    is_long = plain.count("\n") >= _MOST_LINES or len(plain.split()) > _MOST_WORDS
    is_talk = UNREAD.search(plain) or ASKS & set(plain) or _is_talk(plain) or revokes(plain)
    return not (is_long or is_talk or may_be_man(plain, reading.board)) and reading.board.game.means(
        reading.board.position, plain.lower()
    )


def _is_talk(plain: str) -> bool:
    """Return whether a text quotes, jokes, or speaks of another board."""
    return plain[:1] in QUOTES or is_of_others(plain) or JOKES.search(plain) is not None


def _parts(plain: str) -> list[list[str]]:
    """Return the parts of the sentences of a text, each as its words in lower case."""
    return [words for part in END_OF_PART.split(plain.lower()) if (words := _words_of(part))]


def _words_of(part: str) -> list[str]:
    bare = (without_noise(word) for word in part.split())
    return [word for word in bare if any(map(str.isalnum, word))]


def _cells(word: str, reading: LineReading) -> Sequence[str]:
    """Return the cells that a word is, also several with a sign between them; () for another word."""
    parts = _BETWEEN.split(word) if _DIGIT.search(word) else []
    return [cell for part in parts for cell in reading.board.game.cells_of(part)]


def _is_against(reading: LineReading, part: Sequence[str], cells: Sequence[Sequence[str]]) -> bool:
    known = (reading.language.reply_verbs.get(word) for word in part)
    is_deed = any(command is not None and not command.question for command in known)
    is_letter = len(part) == len(part[0]) == 1 and part[0].isalpha()  # h4-g5, t
    is_doubted = not _AMAZED.isdisjoint(part) or any(doubts(word) or denies(word) for word in part)
    is_asking = asks(part) and any(cells)  # qui fa bello
    return is_deed or is_letter or is_doubted or conditions(part) or puts_off(part) or is_asking


def _is_of_move(part: Sequence[str], cells: Sequence[Sequence[str]], reading: LineReading, *, is_goal: bool) -> bool:
    """Return whether the words around the cells of a part of a sentence are those of a move.

    Before the first cell stands where it goes to; behind the last one are only usual words: not `f3 looks weak`.
    `is_goal`: it is the only cell, so nothing comes from there. The name of a man can be an unknown word, and a number
    anything; so beside them all words must be known.
    """
    at = [n for n, named in enumerate(cells) if named]
    names, is_taking = reading.board.game.names_of_pieces, not CAPTURING.isdisjoint(part)
    others = [word for word, named in zip(part, cells, strict=True) if not named]
    before, last = part[: at[0]], part[at[0] - 1] if at[0] else ""
    is_from = is_goal and (last in _FROM or (last in WITH and not is_taking))
    known = KNOWN | CAPTURING | CHECKING | _PLACES | _DROPPING
    unknown = {word for word in others if not (word in known or _is_said(word, reading))}
    is_noun = any(word in _BEFORE_NOUNS and then in unknown for word, then in pairwise(part))
    are_numbers = all(word.isdecimal() for word, named in zip(part, cells, strict=True) if named)
    must_know = bool(names.get("bishop")) or (are_numbers and not is_taking)
    is_list = is_goal or not AND.isdisjoint(
        part[at[0] : at[-1]]
    )  # a start and a goal are a move, defend b2 and b3 none
    is_before = is_list and not (last in _BEFORE | _KINDS or _is_said(last, reading))
    return not (
        (last and is_before)
        or is_from
        or (are_numbers and is_goal and not is_taking)
        or not (_BEHIND | _KINDS).issuperset(part[at[-1] + 1 :])
        or not (_of_cells(reading) | _GONE).isdisjoint(others)
        or is_noun
        or (must_know and unknown)
        or any(map(_PAST_ENDING.fullmatch, unknown))
        or any(then in _NOUNS and word not in OWN for word, then in pairwise(part))
        or any(then in BEING for then in before[-1:])
    )


def _of_cells(reading: LineReading) -> frozenset[str]:
    """Return the words of those who speak of a cell and play nothing there; not the colour of who writes."""
    board = reading.board
    own = board.game.names_of_seats(board.start.options, board.start.seats)[reading.seat]
    return OF_CELLS - {own.lower(), *COLOURS.get(own, "").split()}


def _is_said(word: str, reading: LineReading) -> bool:
    """Return whether a word is the name of a man, or said for a part of a move."""
    game = reading.board.game
    return bool(kind_named(word, game.names_of_pieces)) or word in game.said_signs


def _sole(words: Sequence[str], named: Sequence[str], reading: LineReading) -> str:
    """Return the only legal move with these cells, by the man and with the sign that words name; else ""."""
    game, position = reading.board.game, reading.board.position
    men = (word for word in words if word not in game.said_signs)
    kinds = {kind for word in men if (kind := kind_named(word, game.names_of_pieces))}
    signs = [sign for word in words if len(sign := game.said_signs.get(word, "")) == 1 and sign.isalpha()]
    drops = not _DROPPING.isdisjoint(words)
    digits = () if drops else filter(_DIGIT.search, words)
    whole = {legal_move(word, reading.board, reading.seat) for word in digits} - {""}
    moves = {game.format(move): move for move in moves_of(game, position, reading.seat)}
    there = [text for text in moves if whole <= {text} and _has(game.cells_of(text), named, words)]
    there = there or [*filter(None, [legal_move("-".join(named), reading.board, reading.seat)])]  # a ship has two ends
    there = [text for text in there if not kinds or kinds == {game.piece_of(position, moves[text])}]
    there = [text for text in there if all(map(text.endswith, signs))]
    there = [text for text in there if not drops or "*" in text]
    return there[0] if len(there) == 1 and whole <= {*there} else ""


def _has(cells: Sequence[str], named: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether a move has all cells that are named, in their order, or first what is taken and then with what."""
    rest = iter(cells)
    is_in_order = all(cell in rest for cell in named)
    return is_in_order or (not WITH.isdisjoint(words) and {*named} <= {*cells})
