"""Chess: how moves are written. FIDE Laws of Chess, appendix C.

The canonical text names two squares: `e2e4`, `e7e8q`. Standard algebraic notation is understood too. There the letter
of a piece may be small, with one exception, because b is also a file: `bxc3` is a pawn and `Bxc3` is a bishop. Games
compare moves in lower case, so here a bishop becomes the sign `♗` first. In capitals, `BXC3` can be either; if both are
legal, it is ambiguous. So can `B2c3`: the piece on b2, if a mail program wrote its first letter large, or a bishop on
the second rank. `B2-c3` and `b2c3` are always the piece on b2.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from pbmserv.games.capture.chess.moving import castled, castlings, legal_to
from pbmserv.games.capture.chess.pieces import EMPTY, KING, NAMES, NUMBERS, PROMOTIONS, SIDES, SQUARES, Move, Position

BISHOP = "♗"
#: A text in normal form: two squares, a pawn, a piece, a bishop or something else in capitals, castling.
PATTERN = (
    r"[a-h][1-8][a-h][1-8][qrbn]?|[a-h]?[a-h][1-8][qrbn]?|[nrqk♗][a-h]?[1-8]?[a-h][1-8]"
    r"|B[AC][1-8]|B[1-8][A-H][1-8]|o-o(?:-o)?"
)
_WRITTEN = re.compile(
    r"([nbrqk♗]?)([a-h]?)([1-8]?)[-x]?([a-h][1-8])(?:[=/]?([qrbn])|=?\(([qrbn])\)|e\.?p\.?)?[+#!?]*",
    re.ASCII | re.IGNORECASE,
)
_SQUARES = re.compile("[a-h][1-8][a-h][1-8][qrbn]?")
_SAN = re.compile(
    r"(?:(?P<castling>O-O(?P<long>-O)?)|(?P<piece>[NBRQK]?)(?P<origin>[a-h]?[1-8]?)(?P<takes>x?)(?P<target>[a-h][1-8])"
    r"=?(?P<promotion>[NBRQ]?))(?P<sign>[+#]?)"
)
_CASTLING = re.compile(r"([o0])-?\1(-?\1)?[+#!?]*", re.ASCII | re.IGNORECASE)
#: Letters of pieces in other languages that are also files: German, French, Spanish, Italian, Portuguese, Polish.
_PIECES_ABROAD = {"A": "b", "C": "n", "D": "q", "F": "b", "G": "b", "H": "q"}
_ABROAD = re.compile(rf"([{''.join(_PIECES_ABROAD)}])x?([a-h][1-8])[+#!?]*")
#: Words for what is never noise: a man becomes another one.
PROMOTING = (
    "promote", "promotes", "promoted", "promoting", "promotion", "befördert", "befördere", "promoviert",
    "promoviere", "umgewandelt", "umwandlung", "verwandelt", "verwandle", "wandelt", "wandle", "promeut",
    "promeus", "promu", "promuove", "promuovo", "promosso", "promociona", "promociono", "promoveert", "promoveer",
    "promoverar", "promuję", "promocja",
)  # fmt: skip
#: What is said besides pieces and squares -> `O` for castling, its side, `=` for what a pawn becomes.
SAID_SIGNS = {
    **dict.fromkeys(("castle", "castles", "castling", "rochade", "rochiere", "rochiert", "roque", "enroque"), "O"),
    **dict.fromkeys(("arrocco", "rokade", "rockad", "rockade", "roszada", "rošáda", "рокировка", "рокіровка"), "O"),
    **dict.fromkeys(("rokeer", "rokeren", "rokeert", "roszadę", "arrocca", "roco", "enroco"), "O"),
    **dict.fromkeys(("rochad", "rochera", "rokerer", "rokera", "linnoitus", "linnoitan", "tornitus"), "O"),
    **dict.fromkeys(
        ("roszaduję", "rochuję", "rošuji", "rochuji", "sánc", "sáncolok", "rokada", "rocada", "ροκέ", "рокируюсь"), "O"
    ),
    **dict.fromkeys(
        ("short", "kingside", "king-side", "kurz", "kurze", "klein", "kleine", "petit", "corto", "korte"), "short"
    ),
    **dict.fromkeys(("kort", "lyhyt", "krótka", "krótko", "krátká", "krátce", "malá", "rövid", "короткая"), "short"),
    **dict.fromkeys(("long", "queenside", "queen-side", "lang", "lange", "groß", "große", "grand", "largo"), "long"),
    **dict.fromkeys(("lång", "pitkä", "długa", "długo", "dlouhá", "dlouze", "velká", "hosszú", "длинная"), "long"),
    **dict.fromkeys(("kratka", "mala"), "short"),
    **dict.fromkeys(("duga", "dolga", "velika"), "long"),
    **dict.fromkeys((*PROMOTING, "becomes", "equals", "wird", "="), "="),
    **dict.fromkeys(("ep", "e.p", "passant", "side"), ""),
    "night": "N",
}
_SAID = re.compile(
    r"(?:(?P<kind>[PNBRQK]) ?)?(?:(?P<origin>[a-h][1-8]|[a-h]|[1-8]) ?(?=[a-hx]))?"
    r"(?:(?P<takes>x) ?(?:(?P<taken>[PNBRQ]) ?)?)?(?P<target>[a-h][1-8]|(?<=x )[a-h])?(?: ?=? ?(?P<becomes>[QRBN]))?"
)
_SAID_CASTLING = re.compile(r"(?:K )?(?:(?P<wing>short|long|K|Q) )?O(?: (?P<side>short|long|K|Q))?")
#: The squares of descriptive notation, in which files have the names of the men that stand there at the beginning.
_OLD_FILES = {"k": "e", "q": "d", "r": "ah", "n": "bg", "b": "cf"}
_OLD_WINGS = {"": "abcdefgh", "k": "efgh", "q": "abcd"}
_OLD = re.compile(
    r"[kq]?[rnb]?(?P<kind>[pnbrqk])"
    r"(?:-(?P<wing>[kq](?=[rnb]))?(?P<file>[kqrnb])(?P<rank>[1-8])|x[kq]?[rnb]?(?P<taken>[pnbrq]))"
)
_NUMBERS = re.compile("(?:[1-8]{2}){2}[1-4]?")
_BECOMES = {"": "q", "1": "q", "2": "r", "3": "b", "4": "n"}
_FILES_ONLY = re.compile("([a-h])x?([a-h])=?([qrbn])?")
_FIGURES = str.maketrans("♔♕♖♘♚♛♜♝♞", "KQRNKQR♗N", "♙♟\ufe0e")


def normal(text: str) -> str:
    """Return a text in the form in which moves are compared: without signs, and in lower case."""
    if _SQUARES.fullmatch(text):  # as in the log
        return text
    bare = text.strip().translate(_FIGURES)
    if castling := _CASTLING.fullmatch(bare):
        return "o-o-o" if castling[2] else "o-o"
    match = _WRITTEN.fullmatch(bare)
    if not match:
        return text.strip().lower()
    piece, file, rank, target = match.groups()[:4]
    promotion = match[5] or match[6] or ""
    rest = f"{file}{rank}{target}{promotion}".lower()
    return _bishop_or_pawn(bare, piece, rest) if piece in ("b", "B") else piece.lower() + rest


def _bishop_or_pawn(written: str, letter: str, rest: str) -> str:
    """Read a text that begins with a b. `rest`: what follows, in normal form."""
    if rest[0].isdigit():  # a square, or the rank of a bishop
        is_square = letter == "b" or "-" in written or len(rest) > 3
        return f"b{rest}" if is_square else f"B{rest.upper()}"
    if len(rest) > 2 and rest[-1] in PROMOTIONS and rest[-2].isdigit():
        return f"b{rest}"
    if len(rest) > 2 or rest[0] not in "ac":
        return BISHOP + rest
    if letter == "b":
        return f"b{rest}"
    return f"B{rest.upper()}" if written.isupper() else BISHOP + rest


def canonical(move: Move) -> str:
    """Return the text of a move: its two squares, and what a pawn becomes."""
    return f"{SQUARES[move.source]}{SQUARES[move.target]}{move.promotion}"


def named(position: Position, text: str, moves: Iterable[Move]) -> list[Move]:
    """Return those of these legal moves that a text in normal form names."""
    return [move for move in moves if canonical(move) == text or text in other_texts(position, move)]


def other_texts(position: Position, move: Move) -> Iterator[str]:
    """Yield the other texts of a legal move in normal form, which may belong to other moves, too."""
    yield from _other_texts(position, move)
    if move.source % 8 == 1:  # on the b-file
        texts = (canonical(move), *_other_texts(position, move))
        yield from (text.upper() for text in texts if len(text) == 4 and is_squares(text))


def _other_texts(position: Position, move: Move) -> Iterator[str]:
    if move.rook >= 0:
        yield from _of_castling(position, move)
        return
    piece, target = position.board[move.source].lower(), SQUARES[move.target]
    source = SQUARES[move.source]
    if piece == "p":
        captures = source[0] != target[0]
        yield f"{source[0] * captures}{target}{move.promotion}"
        if move.promotion:
            yield f"{source}{target}"
            yield f"{source[0] * captures}{target}"
        if captures and source[0] == "b":
            yield f"B{target.upper()}"
        return
    letter = BISHOP if piece == "b" else piece
    yield from (f"{letter}{origin}{target}" for origin in ("", source[0], source[1], source))
    if piece == "b" and target[0] in "ac":
        yield f"B{target.upper()}"
    if piece == "b" and source[0] != "b":
        yield f"B{source[1]}{target.upper()}"


def _of_castling(position: Position, move: Move) -> Iterator[str]:
    yield "o-o" if move.rook > move.source else "o-o-o"
    source, goal = move.source, castled(move.source, move.rook)[0]
    for target in {move.rook, goal} - {move.target}:
        if target == move.rook or target not in (source, *KING[source]):
            yield f"{SQUARES[source]}{SQUARES[target]}"


def said(position: Position, words: Sequence[str], moves: Iterable[Move]) -> list[Move]:
    """Return those of these legal moves that words name: kinds of pieces in capitals, files, ranks, squares and signs.

    `e x d5` is a pawn, and `Q x N` names no square, but what is captured.
    """
    bare = [word for at, word in enumerate(words) if word != "-" and words[max(at - 1, 0) : at + 1] != ["=", "a"]]
    told = " ".join(bare)
    if castling := _SAID_CASTLING.fullmatch(told):
        wing = (castling["side"] or castling["wing"] or "").lower()
        return [m for m in moves if m.rook >= 0 and (not wing or (wing[0] in "sk") == (m.rook > m.source))]
    match = _SAID.fullmatch(told)
    return [move for move in moves if _fits(position, move, match)] if match else []


#: Pawn to K4, as old books are read aloud; without the wing it may be a square of today.
_OLD_SAID = re.compile(r"^(pawn|knight|bishop|rook|queen|king) (?:to )?(?:the )?([kq](?:b|n|kt|r)?[1-8])$")
_OLD_MEN = {"knight": "n"}


def foreign(position: Position, text: str, moves: Iterable[Move]) -> list[Move]:
    """Return those of these legal moves that a text in lower case names in an older notation.

    In descriptive notation (`P-K4`, `Kt-KB3`, `PxP`) each player counts the ranks from the own side. `exd` and `ed` are
    captures of a pawn, and `fg=N` is one that makes it a knight. In numbers, as correspondence players write across
    languages, `7163` is g1f3, and a fifth digit is the piece that a pawn becomes. Who takes `en passant` has few moves
    to choose from.
    """
    if text.removeprefix("en ") == "passant":
        return [move for move in moves if _is_passing(position, move)]
    if _NUMBERS.fullmatch(text):
        squares = tuple("abcdefgh"[int(text[at]) - 1] + text[at + 1] for at in (0, 2))
        becomes = _BECOMES[text[4:]]
        return [
            m
            for m in moves
            if (SQUARES[m.source], SQUARES[m.target]) == squares and (m.promotion or becomes).lower() == becomes
        ]
    if files := _FILES_ONLY.fullmatch(text):
        man = ["=", files[3].upper()] if files[3] else []
        return said(position, [files[1], "x", files[2], *man], moves)
    text = _OLD_SAID.sub(lambda old: f"{_OLD_MEN.get(old[1], old[1][0])}-{old[2]}", text)
    match = _OLD.fullmatch(text.replace("kt", "n"))
    return [move for move in moves if _fits_old(position, move, match)] if match else []


def _fits_old(position: Position, move: Move, told: re.Match[str]) -> bool:
    """Return whether a move may have this text in descriptive notation. On which wing the man stands is left out."""
    board, target = position.board, SQUARES[move.target]
    captured = board[move.target].lower()
    if move.rook >= 0 or board[move.source].lower() != told["kind"]:
        return False
    if told["taken"]:
        return told["taken"] == ("p" if _is_passing(position, move) else captured)
    rank = int(target[1]) if position.turn == 0 else 9 - int(target[1])
    file = set(_OLD_FILES[told["file"]]) & set(_OLD_WINGS[told["wing"] or ""])
    return captured == EMPTY and target[0] in file and rank == int(told["rank"])


def _is_passing(position: Position, move: Move) -> bool:
    return takes(position, move) and position.board[move.target] == EMPTY


def _fits(position: Position, move: Move, told: re.Match[str]) -> bool:
    """Return whether a legal move is one that somebody says so."""
    board, source, target = position.board, SQUARES[move.source], SQUARES[move.target]
    piece, captured = board[move.source].upper(), board[move.target].upper()
    origin, squares = told["origin"] or "", told["origin"] is not None and len(told["origin"]) == 2
    if piece == "P" and source[0] != target[0] and captured == EMPTY:
        captured = "P"
    return (
        move.rook < 0
        and target.startswith(told["target"] or (told["taken"] and target) or "-")
        and (told["kind"] or (piece if squares else "P")) == piece
        and set(origin) <= set(source)
        and not (told["takes"] and captured == EMPTY)
        and (told["taken"] or captured) == captured
        and told["becomes"] in (None, move.promotion.upper() or None)
        and not (piece == "P" and captured != EMPTY and not (origin or told["takes"]))
    )


def abroad(position: Position, written: str) -> list[Move]:
    """Return the legal moves of a piece that a text names in another language, where it looks like that of a pawn.

    `Dxe4` is a queen in German, and `dxe4` with the capital letter of a mail program.
    """
    match = _ABROAD.fullmatch(written.strip())
    if not match:
        return []
    piece, target = SIDES[position.turn]["pnbrqk".index(_PIECES_ABROAD[match[1]])], NUMBERS[match[2]]
    return [move for source in _all_of(position.board, piece) for move in legal_to(position, source, target)]


@lru_cache(maxsize=64)  # captions of the moves of two rooks ask it for each move
def _all_of(board: str, piece: str) -> tuple[int, ...]:
    """Return the squares of all equal pieces."""
    return tuple(square for square, other in enumerate(board) if other == piece)


def is_squares(text: str) -> bool:
    """Return whether a text in normal form names two squares."""
    return len(text) > 3 and text[0] in "abcdefgh" and text[1] in "12345678" and text[2] in "abcdefgh"


def candidates(position: Position, text: str) -> Iterator[Move]:
    """Yield legal moves, among them all that a text in normal form can name."""
    sources = _sources(position, text)
    if text[0] == "o" or position.board.index(SIDES[position.turn][5]) in sources:
        yield from castlings(position)
    for source in sources:
        yield from legal_to(position, source, NUMBERS[text.rstrip(PROMOTIONS)[-2:].lower()])


def exact(position: Position, text: str) -> Move | None:
    """Return the legal move whose canonical text this is; None if there is none, or if it may castle."""
    if not _SQUARES.fullmatch(text):
        return None
    source, piece = NUMBERS[text[:2]], position.board[NUMBERS[text[:2]]]
    if piece not in SIDES[position.turn] or (piece in "Kk" and position.fischer):
        return None
    return next((move for move in legal_to(position, source, NUMBERS[text[2:4]]) if move.promotion == text[4:]), None)


def _sources(position: Position, text: str) -> list[int]:
    """Return the squares of the pieces that a text can mean."""
    own, board = SIDES[position.turn], position.board
    if text[0] == "o":
        return []
    if is_squares(text):
        source = NUMBERS[text[:2]]
        return [source] if board[source] in own else []
    if text[0] == "B" and text[1].isdigit():
        square = NUMBERS[text[:2].lower()]
        return [s for s, piece in enumerate(board) if piece in own and (s == square or piece.lower() == "b")]
    kinds = {"B": "bp", BISHOP: "b"}.get(text[0], text[0] if text[0] in "nrqk" else "p")
    return [s for s, piece in enumerate(board) if piece in own and piece.lower() in kinds]


def san(position: Position, move: Move) -> str:
    """Return a legal move in standard algebraic notation, without a sign for check or mate."""
    if move.rook >= 0:
        return "O-O" if move.rook > move.source else "O-O-O"
    piece, source, target = position.board[move.source].upper(), SQUARES[move.source], SQUARES[move.target]
    captures = takes(position, move)
    if piece == "P":
        begins = f"{source[0]}x" * captures
        return f"{begins}{target}{'=' * bool(move.promotion)}{move.promotion.upper()}"
    return f"{piece}{_origin(position, move)}{'x' * captures}{target}"


def takes(position: Position, move: Move) -> bool:
    """Return whether a legal move captures, also in passing. One that castles may go to where the own rook stands."""
    is_aslant = position.board[move.source] in "Pp" and (move.source - move.target) % 8 != 0
    return move.rook < 0 and (position.board[move.target] != EMPTY or is_aslant)


def spoken(text: str) -> str:
    """Return in words what `san` wrote, and the sign behind it; "" for a text that is not so written."""
    match = _SAN.fullmatch(text)
    if not match:
        return ""
    sign = {"+": ", check", "#": ", mate"}.get(match["sign"], "")
    if match["castling"]:
        return f"castling {'long' if match['long'] else 'short'}{sign}"
    piece, becomes = NAMES[match["piece"].lower() or "p"], NAMES.get(match["promotion"].lower(), "")
    parts = (piece, *match["origin"], "takes" * bool(match["takes"]), match["target"], becomes and f"becomes {becomes}")
    return " ".join(filter(None, parts)) + sign


def _origin(position: Position, move: Move) -> str:
    """Return what tells the piece from others of its kind that can go to its square: file, rank, both or nothing."""
    piece, name = position.board[move.source], SQUARES[move.source]
    likes = _all_of(position.board, piece)
    others = [SQUARES[s] for s in likes if s != move.source and legal_to(position, s, move.target)]
    if not others:
        return ""
    if all(other[0] != name[0] for other in others):
        return name[0]
    return name[1] if all(other[1] != name[1] for other in others) else name
