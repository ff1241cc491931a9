"""Chess: games as PGN, the Portable Game Notation of 1994."""

import re
from collections.abc import Iterator, Mapping
from functools import partial

from pbmserv.games.base.log import Kind
from pbmserv.games.base.sheet import Format, FormatError, Reading, Sheet, Written
from pbmserv.games.capture.chess.fen import fen, is_fischer, left_out, read
from pbmserv.games.capture.chess.laws import FIDE, Laws
from pbmserv.games.capture.chess.moving import in_check
from pbmserv.games.capture.chess.opening import opening
from pbmserv.games.capture.chess.pieces import Position
from pbmserv.games.capture.chess.san import BISHOP, candidates, canonical, san
from pbmserv.games.formats import movetext
from pbmserv.games.formats.tags import roster, score, written

_RANKED = re.compile(r"^B(?=[1-8])")
_AFTER = re.compile(r"(?<=[\w)])(?:/?e\.?p\.?)?[^\w)]*$")  #: what stands after a move and says nothing that we need
_LETTER = re.compile(r"^P(?=[a-h])")  #: of a pawn
_TAKES = re.compile(r":(?=[a-h][1-8])")
_DASHES = str.maketrans("–—‐‑−", "-----")
_RANKS = {"1-0": (1, 2), "0-1": (2, 1), "1/2-1/2": (1, 1)}
#: Names of variants, without blanks and signs.
_STANDARD = ("", "standard", "standardchess", "normal", "chess", "classical", "fromposition", "regular")
_FISCHER = ("chess960", "960", "fischerandom", "fischerrandom", "fischerrandomchess", "freestyle", "freestylechess")
#: Patterns in the tag Termination, as the standard and the big sites write it, if nobody has just resigned or agreed.
_ENDS = {r"\btime\b|timeout": Kind.FORFEIT, "adjudicat|infraction|abandon": Kind.ADJUDICATE}


def _write(sheet: Sheet) -> str:
    tags = roster(sheet)
    if "960" in sheet.options:
        tags.append(("Variant", "Chess960"))
    laws: Laws = getattr(sheet.game, "laws", FIDE)  # a variant has its own
    if "960" in sheet.options or sheet.first != opening():
        tags += [("SetUp", "1"), ("FEN", fen(sheet.first))]
    tags.append(("PlyCount", str(len(sheet.plies))))
    return written(sheet, tags, [san_of(laws, ply.position, ply.text) for ply in sheet.plies], score(sheet))


def san_of(laws: Laws, position: Position, text: str) -> str:
    """Return a legal move with its sign for check or mate. `text`: its two squares."""
    moves = candidates(position, text) if laws.has_usual_moves else laws.legal(position)
    move = next(m for m in moves if canonical(m) == text)
    then = laws.after(position, move)
    sign = "#" if then.over == "mate" else "+" if in_check(then.board, then.turn) else ""
    return san(position, move) + sign


def _read(laws: Laws, data: bytes) -> Iterator[Reading | FormatError]:
    for game in movetext.games(data):
        if isinstance(game, FormatError):
            yield game
            continue
        try:
            yield _reading(laws, game)
        except FormatError as e:
            yield FormatError(f"Game {game.number}: {e.text}")


def _reading(laws: Laws, game: movetext.RawGame) -> Reading:
    tags = game.tags
    options = _options(tags.get("variant", ""), tags.get("fen", ""))
    first = _first(laws, tags.get("fen", ""), fischer="960" in options)
    result = _result(tags.get("result", ""), game.result)
    names = tuple(tags.get(colour, "").strip(" ?") for colour in ("white", "black"))
    return Reading(
        options,
        names,
        _moves(game.moves, first.turn),
        _RANKS.get(result),
        next((kind for how, kind in _ENDS.items() if re.search(how, tags.get("termination", "").lower())), Kind.RESIGN),
        None if first == opening() else first,
        tags.get("date", "").replace(".", "-"),
        (*game.left_out, *_left_out(tags, first)),
    )


def _options(variant: str, first: str) -> dict[str, str]:
    """Return the options for a variant. Where none is named, the rights of the first position can tell."""
    name = re.sub(r"[\W_]", "", variant.lower())
    if name in _STANDARD:
        return {"960": ""} if is_fischer(first) else {}
    if name in _FISCHER:
        return {"960": ""}
    raise FormatError(f"its variant '{variant[:40]}' is not played here; standard chess and Chess960 are.")


def _first(laws: Laws, text: str, fischer: bool) -> Position:
    """Return the first position: that of the FEN, else that of the rules."""
    if not text and fischer:
        raise FormatError("a game of Chess960 needs the tag FEN, which says how the men stand.")
    return read(text, fischer, laws) if text else opening()


def _left_out(tags: Mapping[str, str], first: Position) -> Iterator[str]:
    """Yield what cannot be, or cannot be read, in the tags."""
    if text := tags.get("fen"):
        yield from left_out(text, first)
    result = tags.get("result", "?").strip()
    if result not in ("", "?") and not movetext.result_of(result):
        yield f"the result '{result[:30]}', which cannot be read"


def _result(tag: str, end: str) -> str:
    """Return the result that a tag and the end of the moves name."""
    tag = movetext.result_of(tag) or "*"
    if end and "*" not in (tag, end) and tag != end:
        raise FormatError(f"its tag Result says {tag}, and its moves end with {end}.")
    return tag if tag != "*" else end


def _moves(texts: list[str], turn: int) -> tuple[Written, ...]:
    """Read the moves. Only mail programs write a small letter large, so a capital B is a bishop here."""
    moves = []
    for half, text in enumerate(texts, start=turn):
        number, black = divmod(half, 2)
        where = f"{number + 1}{'...' if black else '.'} {text[:20]}"
        plain = _TAKES.sub("x", _AFTER.sub("", text.translate(_DASHES)))
        moves.append(Written(where, _RANKED.sub(BISHOP, _LETTER.sub("", plain))))
    return tuple(moves)


def pgn(laws: Laws) -> Format:
    """Return the format, which reads games as they are by these laws."""
    return Format("pgn", "application/vnd.chess-pgn", _write, partial(_read, laws))
