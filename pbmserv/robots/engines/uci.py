"""The Universal Chess Interface: Stockfish, lc0, Fairy-Stockfish. Moves in our log are written as it writes them."""

import re

from pbmserv.games.base import AnyGame
from pbmserv.games.base.grid import Grid
from pbmserv.games.capture.chess import Chess
from pbmserv.games.capture.chess.fen import fen
from pbmserv.games.families.chesslike.chesslike_game import ChessLike
from pbmserv.games.families.chesslike.shogi.shogi_squares import ShogiGrid
from pbmserv.robots.engines.process import START, EngineFault, Process
from pbmserv.robots.engines.protocol import Protocol, followed
from pbmserv.robots.engines.told import CannotPlay, EngineMove, EngineSettings, Line, PlayedSoFar, Strength

_NODES = 200_000  #: of a search whose limit nobody has set; Stockfish needs less than a second for them
_OWN_PART = 0.6  #: of its hard time in which an engine is told to be ready
_OPTION = re.compile(r"option name (.+?) type (\w+)(.*)")
_BOUNDS = re.compile(r" (min|max) (-?\d+)")
_INFO = re.compile(r"(?:.* multipv (\d+))?.* score (cp|mate) (-?\d+)(?! (?:lower|upper)bound).*? pv (.+)")
_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
_SHOGI_SQUARE, _CHESS_SQUARE = re.compile("[1-9][a-i]"), re.compile("[a-i][1-9]")
_WORTH = 400  #: hundredths of a pawn that make ten to one


class Uci(Protocol):
    """An engine that speaks UCI."""

    games = (Chess, ChessLike)

    def __init__(self, process: Process, settings: EngineSettings) -> None:
        super().__init__(process, settings)
        told = process.ask("uci", lambda line: line == "uciok", START)
        self.options = {m[1]: dict(_BOUNDS.findall(m[3])) for m in map(_OPTION.match, told) if m}
        self._ready(*settings.setup)

    def _ready(self, *lines: str) -> None:
        self.process.ask("\n".join((*lines, "isready")), lambda line: line == "readyok", START)

    def check(self, limit: Strength) -> None:
        if limit.elo is None:
            return
        if "UCI_Elo" not in self.options:
            raise CannotPlay("This engine cannot play by Elo.")
        bounds = {end: int(value) for end, value in self.options["UCI_Elo"].items()}
        if not bounds.get("min", limit.elo) <= limit.elo <= bounds.get("max", limit.elo):
            raise CannotPlay(f"The Elo of this engine is from {bounds['min']} to {bounds['max']}.")

    def demand(self, game: AnyGame) -> None:
        if isinstance(game, ChessLike) and "UCI_Variant" not in self.options:
            raise CannotPlay(f"This engine does not play {game.info.name}.")

    def choose(self, record: PlayedSoFar, limit: Strength) -> EngineMove:
        self.check(limit)
        told = self._search(record, limit, 1)
        best = told[-1].split()[1:2]
        if not best:
            raise EngineFault("it names no move")
        lines = [match for match in map(_INFO.match, told) if match]
        text = _of_ours(record.game, record.position, best[0])
        if not lines:
            return EngineMove(text)
        value, _, mate = _judged(lines[-1])
        return EngineMove(text, value, mate is not None and mate < 0)

    def analyse(self, record: PlayedSoFar, limit: Strength, lines: int) -> list[Line]:
        best = {int(m[1] or 1): m for m in map(_INFO.match, self._search(record, limit, lines)) if m}
        ways = list[Line]()
        for match in best.values():
            value, score, mate = _judged(match)
            ways.append(Line(value, score, followed(record, match[4].split(), _of_ours), mate))
        return sorted(ways, key=lambda way: -way.value)

    def _search(self, record: PlayedSoFar, limit: Strength, lines: int) -> list[str]:
        begin, fischer = _beginning(record), getattr(record.positions[0], "fischer", False)
        self.demand(record.game)
        if fischer and "UCI_Chess960" not in self.options:
            raise CannotPlay("This engine does not play Fischer random chess.")
        settings = {
            "UCI_Chess960": str(fischer).lower(),
            "UCI_LimitStrength": str(limit.elo is not None).lower(),
            "UCI_Elo": limit.elo,
            "MultiPV": lines,
            "UCI_Variant": _variant(record.game),
        }
        known = {name: value for name, value in settings.items() if name in self.options and value is not None}
        setting = (f"setoption name {name} value {value}" for name, value in known.items())
        self._ready(*self.settings.setup, *setting, "ucinewgame")
        moves = " ".join(_of_uci(record.game, text) for _, text in record.moves)
        nodes = limit.nodes or self.settings.nodes or _NODES
        go = f"go nodes {nodes} movetime {round(1000 * _OWN_PART * self.settings.seconds)}"
        position = f"position {begin} moves {moves}" if moves else f"position {begin}"
        return self.answer(f"{position}\n{go}", lambda line: line.startswith("bestmove"))


def _beginning(record: PlayedSoFar) -> str:
    """Return how the first position of a board is named. Raises CannotPlay."""
    first = record.positions[0]
    if isinstance(record.game, ChessLike):
        if first != record.game.rules.start():
            raise CannotPlay("A board that does not begin as its game does cannot be told to this engine.")
        return "startpos"
    return "startpos" if fen(first) == _START else f"fen {fen(first)}"


def _variant(game: AnyGame) -> str | None:
    """Return what the engine calls a game; None: as its settings say, for variants of chess that others have added."""
    if isinstance(game, ChessLike):
        return game.rules.row.fairy or game.info.key
    return "chess" if type(game) is Chess else None


def _of_uci(game: AnyGame, text: str) -> str:
    """Return our text of a move as UCI writes it: `N@f3` for a man from the hand, and squares as in chess."""
    man, sign, square = text.partition("*")
    told = f"{man.upper()}@{square}" if sign else text
    if isinstance(game, ChessLike) and isinstance(grid := game.rules.grid, ShogiGrid):
        return _SHOGI_SQUARE.sub(lambda match: Grid.name(grid, grid.square(match[0])), told)
    return told


def _of_ours(game: AnyGame, position: object, text: str) -> str:
    """Return a text of UCI as we read it."""
    if isinstance(game, ChessLike) and isinstance(grid := game.rules.grid, ShogiGrid):
        text = _CHESS_SQUARE.sub(lambda match: grid.name(Grid.square(grid, match[0])), text)
    return game.normalise(text) if "@" in text else text


def _judged(line: re.Match[str]) -> tuple[float, float | None, int | None]:
    """Return the value, the pawns and the mate of a line that an engine has told."""
    number = int(line[3])
    if line[2] == "mate":
        return (1.0 if number > 0 else -1.0), None, number
    return 2 / (1 + 10 ** (-number / _WORTH)) - 1, number / 100, None
