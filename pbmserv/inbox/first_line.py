"""Reads the first line of an answer to a board letter: a move, several moves, or a verb.

People write `f6 - f7.` or `My move: f6-f7`. The words and signs around a move are removed only if exactly one legal
move remains as it is written. Nothing is completed, corrected or guessed.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pbmserv.errors import MoveError
from pbmserv.games.base import Seat
from pbmserv.games.base.board import Board
from pbmserv.inbox.command import Command, CommandLanguage, Is, is_userid
from pbmserv.inbox.parse import is_move, words_of

#: Signs around a word: quotes, brackets, end punctuation, the stars of mail programs.
_NOISE = " \t\"'`´“”„«»‹›‚‘’()[]{}<>.,;:!?*_…"
#: Words before a move, in English and German.
_LEAD = re.compile(
    r"(?:(?:my|mein)\s+)?(?:move|moves|zug|züge)(?:\s+(?:is|ist))?\s*[:=]?\s+|(?:move|zug):", re.IGNORECASE
)
_SIGN = re.compile(r"\s*([-+:=#])\s*")
#: Words that agree to an offer, in all our languages.
_YES = ("yes", "y", "yes please", "ok", "okay", "ja", "j", "ja bitte")
_LONGEST = 2_500  #: the most characters of a line, more than the moves of one answer can have
_SHORTEST = 2  #: the fewest characters of a move among other words, because a single letter can be a word


@dataclass(frozen=True)
class FirstLine:
    """A line that was understood completely: its command, and the moves if the command is `move`.

    `userid`: whom it names besides, as in `substitute carol`.
    """

    command: Command
    moves: tuple[str, ...] = ()
    userid: str = ""


def read_first_line(line: str, language: CommandLanguage, board: Board, seat: Seat | None) -> FirstLine | None:
    """Read the line; None unless it is understood completely.

    `seat`: the seat that moves; None if it is not the sender's turn, or if the position has changed since the letter.
    Then we cannot know which moves are legal, and the form of a move is enough.
    """
    if len(line) > _LONGEST:
        return None
    words = [w.cased for w in words_of(line)]
    verb = verb_of(line, language)
    if verb and not (len(words) == 1 and is_move(words[0], board.game)):  # in 3io, draw is a move and no offer
        return FirstLine(verb)
    if found := _with_userid(line, language):
        return found
    if not words:
        return None
    moves = moves_of(words, board, seat) or _the_only(_bare_forms(" ".join(words)), board, seat)
    return FirstLine(language.game_command("move"), moves) if moves else None


def verb_of(line: str, language: CommandLanguage) -> Command | None:
    """Return the command if the line is only its verb or a synonym; else None."""
    return language.reply_verbs.get(" ".join(bare_words(line))) if len(line) <= _LONGEST else None


def _with_userid(line: str, language: CommandLanguage) -> FirstLine | None:
    """Read a verb and the player whom it names; None if the verb names nobody."""
    *verb, userid = bare_words(line) or [""]
    command = language.reply_verbs.get(" ".join(verb))
    names_one = command is not None and any(arg.is_ is Is.USERID and arg.optional for arg in command.args)
    return FirstLine(command, userid=userid) if command and names_one and is_userid(userid) else None


def is_yes(line: str) -> bool:
    """Return whether a line agrees to an offer."""
    return len(line) <= _LONGEST and " ".join(bare_words(line)) in _YES


def bare_words(line: str) -> list[str]:
    """Return the words of a line without the signs around each. Words that are only signs are left out."""
    return [word.lower() for word in _cased_words(line)]


def _cased_words(line: str) -> list[str]:
    """The same words with their capitals, which a move can need."""
    bare = (_without_noise(w.cased) for w in words_of(line))
    return [word for word in bare if word]


def _without_noise(text: str) -> str:
    return text.strip(_NOISE)


def moves_of(words: Sequence[str], board: Board, seat: Seat | None) -> tuple[str, ...]:
    """Return the moves in these words; () if a word is no move.

    Each word is a move, or several moves without blanks. Or all words together are one legal move, written with blanks.
    """
    game = board.game
    moves = tuple(game.moves_in(words))
    if all(is_move(m, game) for m in moves):
        return moves
    return _the_only(["".join(words)], board, seat)


def move_among(line: str, board: Board, seat: Seat) -> str:
    """Return the only legal move among the words of a line; "" if there is none, or more than one."""
    if seat not in board.to_move or len(line) > _LONGEST:
        return ""
    found = _the_only(dict.fromkeys(w for w in _cased_words(line) if len(w) >= _SHORTEST), board, seat)
    return found[0] if found else ""


def _bare_forms(line: str) -> Iterator[str]:
    """Yield the line with fewer and fewer signs and words around the move."""
    bare = _without_noise(line)
    yield bare
    bare = _without_noise(_LEAD.sub("", bare, count=1) if _LEAD.match(bare) else bare)
    yield bare
    joined = _SIGN.sub(r"\1", bare)
    yield joined
    yield joined.replace(" ", "")


def _the_only(texts: Iterable[str], board: Board, seat: Seat | None) -> tuple[str, ...]:
    """Return the legal move that these texts name, as written first; () if they name none or several."""
    game, position, found = board.game, board.position, dict[str, str]()
    for text in texts:
        if not is_move(text, game):
            continue
        move, _, _ = text.partition("#")
        if seat is None:
            found.setdefault(game.normalise(move), text)
            continue
        try:
            found.setdefault(game.format(game.parse(position, seat, move)), text)
        except MoveError:
            continue
    return tuple(found.values()) if len(found) == 1 else ()
