"""What the first line of an answer to a board letter says: a move, several moves, or a verb.

People write `f6 - f7.` or `My move: f6-f7`. What stands around a move is taken off only if exactly one legal move
remains, as it is written. Nothing is completed, corrected or guessed.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pbmserv.errors import MoveError
from pbmserv.games.base import Seat
from pbmserv.games.base.board import Board
from pbmserv.inbox.command import Command, CommandLanguage
from pbmserv.inbox.parse import is_move, words_of

#: What people put around a word: quotes, brackets, end punctuation, the stars of mail programs.
_NOISE = " \t\"'`´“”„«»‹›‚‘’()[]{}<>.,;:!?*_…"
#: What people write before a move, in English and in German.
_LEAD = re.compile(r"(?:(?:my|mein)\s+)?(?:move|moves|zug|züge)(?:\s+(?:is|ist))?\s*[:=]?\s+|(?:move|zug):")
_SIGN = re.compile(r"\s*([-+:=#])\s*")
#: What agrees to an offer, in the languages there are.
_YES = ("yes", "y", "yes please", "ok", "okay", "ja", "j", "ja bitte")
_SHORTEST = 2  #: characters of a move that is found among other words: single letters are words of their own


@dataclass(frozen=True)
class FirstLine:
    """A line that was understood to its end: a command, and the moves that are meant if that is `move`."""

    command: Command
    moves: tuple[str, ...] = ()


def read_first_line(line: str, language: CommandLanguage, board: Board, seat: Seat | None) -> FirstLine | None:
    """What the line says; None unless all of it is understood.

    `seat`: who moves; None if it is not the turn of the writer, or no longer the position of the letter. Then nobody
    can know which moves are legal, and the form of a move is enough.
    """
    words = [w.folded for w in words_of(line)]
    verb = verb_of(line, language)
    if verb and not (len(words) == 1 and is_move(words[0], board.game)):  # in 3io, draw is a move and no offer
        return FirstLine(verb)
    if not words:
        return None
    moves = moves_of(words, board, seat) or _the_only(_bare_forms(" ".join(words)), board, seat)
    return FirstLine(language.game_command("move"), moves) if moves else None


def verb_of(line: str, language: CommandLanguage) -> Command | None:
    """The verb, or what people write in its place, that is all of a line."""
    return language.reply_verbs.get(_bare_words(line))


def is_yes(line: str) -> bool:
    """Whether a line agrees to an offer."""
    return _bare_words(line) in _YES


def _bare_words(line: str) -> str:
    """The words of a line without the signs around each."""
    bare = (w.folded.strip(_NOISE) for w in words_of(line))
    return " ".join(word for word in bare if word)


def moves_of(words: Sequence[str], board: Board, seat: Seat | None) -> tuple[str, ...]:
    """The moves that words are; () if one of them is none.

    Each word is a move, or several run together; or all of them are one legal move that was written with blanks in it.
    """
    game = board.game
    moves = tuple(m for w in words for m in game.words(w))
    if all(is_move(m, game) for m in moves):
        return moves
    return _the_only(["".join(words)], board, seat)


def move_among(line: str, board: Board, seat: Seat) -> str:
    """The only legal move that stands among the words of a line; "" if there is none, or more than one."""
    if seat not in board.to_move:
        return ""
    words = (w.folded.strip(_NOISE) for w in words_of(line))
    found = _the_only([w for w in words if len(w) >= _SHORTEST], board, seat)
    return found[0] if found else ""


def _bare_forms(line: str) -> Iterator[str]:
    """The line with less and less around it."""
    bare = line.strip(_NOISE)
    yield bare
    bare = _LEAD.sub("", bare, count=1) if _LEAD.match(bare) else bare
    bare = bare.strip(_NOISE)
    yield bare
    joined = _SIGN.sub(r"\1", bare)
    yield joined
    yield joined.replace(" ", "")


def _the_only(texts: Iterable[str], board: Board, seat: Seat | None) -> tuple[str, ...]:
    """The one of these texts that is a legal move; () unless they are one and the same move."""
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
