"""Reads the first line of an answer to a board letter: a move, several moves, or a word of the server.

What is noise is one rule (ADR 55). People write `f6 - f7.` or `"My move: f6-f7"`. The signs of NOISE around a
move and the words before it are taken off, if exactly one legal move remains as it is written. Letters and digits are
never noise, and nothing is completed, corrected or guessed. DOUBTS are noise, too, but they make the line a question:
around a move only a question mark does, around a word each of them. A line that asks does nothing; it is offered.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pbmserv.games.base import Seat
from pbmserv.games.base.board import Board, play, view_of
from pbmserv.inbox.command import CommandLanguage, CommandSyntax, Is, is_userid
from pbmserv.inbox.lines.parse import is_move, words_of
from pbmserv.inbox.lines.spellings import (
    ARROW,
    ASKS,
    DOUBTS,
    QUOTES,
    Letters,
    formed,
    in_english,
    legal_move,
    may_have_letter,
    no_letters,
    spelled,
    without_lead,
    without_noise,
)
from pbmserv.inbox.lines.words.comment_words import asks
from pbmserv.inbox.lines.words.sentence_words import AND, ASKING, POLITE
from pbmserv.mail.reading.encoding import fold

_SIGN = re.compile(r"\s*([-+:=#])\s*")
_NUMBER = re.compile(r"(?<!\S)(\d{1,3}) ?[.)](?: ?\.){0,3} ?(?=[^\W_])")  #: of a move
_ITS_NUMBER = re.compile(r"^\d{1,3}[.)]+")  #: in the same word as a move
_JOINING_PLAN = AND | {"if", "wenn", "falls"}
_MOST_HALF_MOVES = 30  #: words of a plan
#: Words that agree to an offer, in all our languages.
_CLEAR_YES = ("yes", "yes please", "ja", "ja bitte")
_YES = ("y", "ok", "okay", "j")
_OFFERING = frozenset(("offer", "propose", "biete", "anbieten"))  #: nobody asks others whether they offer something
_MOST_ASKED = 8  #: words of a line that asks for something
LONGEST = 2_500  #: the most characters of a line, more than the moves of one answer can have


@dataclass(frozen=True)
class FirstLine:
    """A line that was understood completely: its command, and the moves if the command is `move`.

    `userid`: whom it names besides, as in `substitute carol`. `asks`: it is only a question, or a plan of
    several moves. `either`: it may mean each of these moves.
    """

    command: CommandSyntax
    moves: tuple[str, ...] = ()
    userid: str = ""
    asks: bool = False
    either: bool = False


def read_first_line(
    line: str, language: CommandLanguage, board: Board, seat: Seat | None, letters: Letters = no_letters
) -> FirstLine | None:
    """Read the line; None unless it is understood completely.

    `seat`: the seat that moves; None if it is not the sender's turn, or if the position has changed since the letter.
    Then we cannot know which moves are legal, and the form of a move is enough. `letters`: gives those of men in the
    language of the sender.
    """
    if len(line) > LONGEST:
        return None
    words = [w.cased for w in words_of(line)]
    word = word_of(line, language, board)
    if word and not (len(words) == 1 and is_move(words[0], board.game)):  # in 3io, draw is a move and no offer
        return word
    queued = _queued(line, language, board, letters)
    if with_more := _with_userid(line, language) or queued or _legal(line, language, board):
        return with_more
    if not words:
        return None
    text = " ".join(words)
    exact = _as_written(words, board, seat) or _listed(words, board, seat) or _the_only(_bare_forms(text), board, seat)
    if seat is not None and (several := _several(exact, language, board, seat)):
        return several
    is_clear = len(exact) > 1 or (not may_have_letter(text, board) and _the_only(exact, board, seat))
    named = () if is_clear or seat is None else spelled(text, board, seat, letters)
    moves = exact if is_clear else named or exact
    if not moves and seat is None:
        moves = formed(text, board, seat, letters)
    if not moves or (seat is not None and not board.game.means(board.position, text.lower())):
        return None
    asks = _moves_ask(text, moves, board) or (
        seat is not None
        and has_other_number(text, board)
        and spelled(_NUMBER.sub("", text, count=1), board, seat, letters) == moves
    )
    moves = tuple(m.rstrip("?!") for m in moves) if asks else moves
    return FirstLine(language.game_command("move"), moves, asks=asks, either=len(named) > 1)


def word_of(line: str, language: CommandLanguage, board: Board | None = None) -> FirstLine | None:
    """Return the command if the line is only its verb or a synonym; else None.

    A draw or a take-back is asked of the others with a question mark, too, unless the board would end at once.
    """
    words = bare_words(line) if len(line) <= LONGEST else []
    command = language.reply_verbs.get(" ".join(words)) or _asked_for(words, language)
    if command is None:
        return None
    requests = command.requests and _OFFERING.isdisjoint(words) and not (board and board.game.claim(board.position))
    plain = fold(line).rstrip(" ?") if requests else line
    return FirstLine(command, asks=not (command.question or is_plain(plain)))


def _asked_for(words: Sequence[str], language: CommandLanguage) -> CommandSyntax | None:
    """Return the command that changes nothing if only its verb is left without usual words: what are my moves."""
    rest = [word for word in words if word not in POLITE and word not in ASKING]
    command = language.reply_verbs.get(" ".join(rest)) if 0 < len(rest) < len(words) <= _MOST_ASKED else None
    return command if command and command.question and rest != ["quit"] else None  # who says I quit may resign


def is_sentence(line: str, language: CommandLanguage) -> bool:
    """Return whether a line names a command only among usual words, as a sentence to another player may."""
    words = bare_words(line)
    return " ".join(words) not in language.reply_verbs and _asked_for(words, language) is not None


def is_plain(line: str) -> bool:
    """Return whether the words of a line stand there as themselves: not in quotes, and not as a question."""
    letters = "".join(fold(line).split())
    return not DOUBTS & set(letters) and ".." not in letters and "。。" not in letters


def is_question(line: str) -> bool:
    """Return whether a line of words asks something."""
    return bool(ASKS & set(fold(line))) or asks(bare_words(line))


def _with_userid(line: str, language: CommandLanguage) -> FirstLine | None:
    """Read a verb and the player whom it names; None if the verb names nobody."""
    *verb, userid = bare_words(line) or [""]
    command = language.reply_verbs.get(" ".join(verb))
    names_one = command is not None and any(arg.is_ is Is.USERID and arg.optional for arg in command.args)
    if command and names_one and is_userid(userid):
        return FirstLine(command, userid=userid, asks=not is_plain(line.replace(":", "")))
    return None


def _queued(line: str, language: CommandLanguage, board: Board, letters: Letters) -> FirstLine | None:
    """Read `queue` with moves for the next turn, their:mine, their:resign, or with clear."""
    verb, *words = [w.cased for w in words_of(line)] or [""]
    command = language.game_command("queue")
    parts = [part for word in words for part in word.split(":") if part.lower() not in ("clear", "resign")]
    if verb.lower() != command.verb or not words:
        return None
    if not all(is_move(in_english(part, board, letters), board.game) for part in parts):
        return None
    return FirstLine(command, tuple(words), asks="?" in line)


def _legal(line: str, language: CommandLanguage, board: Board) -> FirstLine | None:
    """Read `legal` with squares, near a square, or with the number of a page, as a touch of a board writes it."""
    command = language.game_command("legal")
    verb, *words = bare_words(line) or [""]
    squares = words[:-2] if words[-2:-1] == ["page"] and words[-1].isdecimal() else words[words[:1] == ["near"] :]
    if verb != command.verb or not words or not all(_is_cell(square, board) for square in squares):
        return None
    return FirstLine(command, tuple(words))


def _is_cell(text: str, board: Board) -> bool:
    """Return whether a text names a cell: in most games it is written like a move, in backgammon it is a number."""
    if board.game.cells_of(text) == (text,):
        return True
    try:
        picture = board.game.picture(view_of(board, None))
    except Exception:  # in a game of others; the log says so where the board is shown
        return False
    return picture is not None and text in picture.names


def _moves_ask(line: str, moves: Sequence[str], board: Board) -> bool:
    """Return whether a line with these moves is a question. A move such as swap or drop is a word; c1-c2 is none."""
    normal = [board.game.normalise(move) for move in moves]
    is_word = any(len(move) > 1 and not re.search(r"\d", move) for move in normal)
    around = set(without_lead(line)) - set("".join(normal))
    return bool(around & (QUOTES if is_word else ASKS)) or (is_word and ".." in line)


def has_other_number(line: str, board: Board) -> bool:
    """Return whether a line begins with the number of a move that is not the one to be made, nor the last one.

    Some count the moves of all, so this is no other number. But that of the next turn may belong to a plan; not where
    all men are alike: there records count so.
    """
    first, *more = _NUMBER.findall(without_lead(line))[:2] or [""]
    turn = board.ply // board.start.seats + 1
    is_plan = bool(first) and int(first) == turn + 1 and any(board.game.names_of_pieces.values())
    is_near = first and not is_plan and int(first) in (turn - 1, turn, board.ply, board.ply + 1)
    return bool(first) and not more and not is_near


def is_yes(line: str, *, to_word: bool = False) -> bool:
    """Return whether a line agrees to an offer, also in the quotes that its letter may have around the word.

    `to_word`: what is offered can end the board. Who answers with ok may only have read what it costs.
    """
    yes = _CLEAR_YES if to_word else (*_CLEAR_YES, *_YES)
    return len(line) <= LONGEST and " ".join(bare_words(line)) in yes and not ASKS & set(fold(line))


def bare_words(line: str) -> list[str]:
    """Return the words of a line without the signs around each. Words that are only signs are left out."""
    bare = (without_noise(w.folded) for w in words_of(line))
    return [word for word in bare if word]


def moves_of(words: Sequence[str], board: Board, seat: Seat, letters: Letters = no_letters) -> tuple[str, ...]:
    """Return the moves in these words, or the only one that they are together; () if a word is no move.

    Raises AmbiguousMove if the letter of a man may be that of two, in English and in the language of the account.
    """
    moves, text = _as_written(words, board, seat), " ".join(words)
    has_letter = len(moves) == 1 and may_have_letter(text, board)
    is_single = len(words) == 1 and bool(moves)
    if not has_letter and (is_single or _the_only(moves[:1], board, seat)):
        return moves
    named = spelled(text, board, seat, letters)
    if len(named) > 1 and len(moves) == 1:
        raise board.game.ambiguous(board.position, seat, text, named)
    return named if len(named) == 1 else moves


def _of_one_turn(moves: Sequence[str], board: Board, seat: Seat) -> tuple[str, ...]:
    """Return these moves if each is legal now and only one can be played: then nobody knows which one is meant."""
    legal = dict.fromkeys(legal_move(move, board, seat) for move in moves) if len(moves) > 1 else {}
    return tuple(legal) if len(legal) > 1 and "" not in legal and _ends_turn(moves[0], board, seat) else ()


def _several(moves: Sequence[str], language: CommandLanguage, board: Board, seat: Seat) -> FirstLine | None:
    """Return moves of which only one can be played: each may be meant, or they are a plan: Nf3 Nc6 Bb5."""
    command, either = language.game_command("move"), _of_one_turn(moves, board, seat)
    if either or len({*moves}) < 2 or not _ends_turn(moves[0], board, seat):
        return FirstLine(command, either, either=True) if either else None
    return FirstLine(command, tuple(moves), asks=True)


def plan_in(line: str, board: Board, seat: Seat) -> tuple[str, ...]:
    """Return the moves of a line as books write them, with numbers, dots and conditions; () if it has another word.

    Only the first one can be made now.
    """
    words = words_of(line, _MOST_HALF_MOVES) if len(line) <= LONGEST else []
    bare = [without_noise(_ITS_NUMBER.sub("", word.cased)) for word in words[:_MOST_HALF_MOVES]]
    moves = tuple(word for word in bare if word and word.lower() not in _JOINING_PLAN)
    is_plan = len(moves) > 1 and all(len(word) > 1 and is_move(word, board.game) for word in moves)
    return moves if is_plan and _ends_turn(moves[0], board, seat) else ()


def _ends_turn(text: str, board: Board, seat: Seat) -> bool:
    """Return whether a text is a legal move, after which it is the turn of others."""
    move = legal_move(text, board, seat)
    return bool(move) and seat not in play(board, seat, move).board.to_move


def _as_written(words: Sequence[str], board: Board, seat: Seat | None) -> tuple[str, ...]:
    """Return the moves in these words; () if a word is no move.

    Each word is a move, or several moves without blanks. Or all words together are one legal move, written with blanks,
    such as `e2 e4`: there the first word alone is not possible.
    """
    game, joined = board.game, "".join(words)
    moves = tuple(game.moves_in(words))
    are_moves = all(is_move(m, game) for m in moves)
    if are_moves and (len(words) == 1 or seat is None or _the_only(moves[:1], board, seat)):
        return moves
    only = _the_only([joined], board, seat) or _the_only([ARROW.sub("-", joined)], board, seat)
    return only or (moves if are_moves else ())


def _listed(words: Sequence[str], board: Board, seat: Seat | None) -> tuple[str, ...]:
    """Return the moves of a list such as `carrier a1-a5, frigate c1-c4 and e1-e3`; () if a word is no move.

    Behind the last move of a turn nobody lists another one, unless each of them is possible in its place.
    """
    bare = [word.rstrip(",;") for word in words if word.lower() not in AND]
    told = tuple(word for word in bare if board.game.said_signs.get(word.lower()) != "")
    is_list = len(told) > 1 and (len(bare) < len(words) or any(word.endswith((",", ";")) for word in words))
    if seat is None or not is_list or not all(is_move(word, board.game) for word in told):
        return ()
    goes_on = legal_move(told[0], board, seat) and not _ends_turn(told[0], board, seat)
    return told if goes_on or _of_one_turn(told, board, seat) else ()


def _bare_forms(line: str) -> Iterator[str]:
    """Yield the line with fewer and fewer signs and words around the move."""
    bare = without_noise(line)
    yield bare
    bare = without_noise(without_lead(bare))
    yield bare
    joined = ARROW.sub("-", _SIGN.sub(r"\1", bare))
    yield joined
    if not any(len(word) == 1 and word.isalpha() for word in joined.split()):  # c1c2 m! can be more than a move
        yield joined.replace(" ", "")


def _the_only(texts: Iterable[str], board: Board, seat: Seat | None) -> tuple[str, ...]:
    """Return the legal move that these texts name, as written first; () if they name none or several."""
    game, distinct = board.game, dict[str, str]()
    for text in texts:
        if not is_move(text, game):
            continue
        if seat is None:
            distinct.setdefault(game.normalise(text.partition("#")[0]), text)
        elif move := legal_move(text, board, seat):
            distinct.setdefault(move, text)
    return tuple(distinct.values()) if len(distinct) == 1 else ()
