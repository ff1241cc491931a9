"""Golden transcripts: whole games as readable text. The docstring of the package explains the format."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from pbmserv import paths
from pbmserv.conformance.picture_checks import renderer
from pbmserv.conformance.walks import random_turn, readers, setups
from pbmserv.games.base import AnyGame, Note, Outcome, Seat
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Change, Start, view_of
from pbmserv.games.base.log import Entry, Kind
from pbmserv.rng import Rng

RANDOM_PLIES = 40  #: the length of a transcript with random moves
DIAGRAM_EVERY = 10  #: plies
_DEEDS = {"resigns": Kind.RESIGN, "forfeits": Kind.FORFEIT}
_LINE = re.compile(r"> (?:\d+\. (?P<mover>.+): (?P<move>\S+)|(?P<leaver>.+) (?P<deed>resigns|forfeits))")


class NoTranscript(Exception):
    """A golden file is not a transcript. The text names the line."""


@dataclass(frozen=True)
class Transcript:
    """A golden file of a game. The file may not exist yet."""

    game: AnyGame
    path: Path

    @property
    def name(self) -> str:
        """The test's id."""
        return self.path.stem

    @property
    def exists(self) -> bool:
        """Whether the file has been written."""
        return self.path.is_file()

    @property
    def is_left_out(self) -> bool:
        """Whether this is one of our games, installed without the source tree that has its transcripts."""
        return _is_ours(self.game) and not self.path.parents[1].is_dir()

    def read(self) -> str:
        """Return the current content of the file."""
        return self.path.read_text(encoding="utf-8")

    def made(self) -> str:
        """Return the right content of the file: its moves, played again. If there is no file, the moves are random."""
        if not self.exists:
            start = _random_start(self.game, self.name)
            return _text(start, _random_changes(start))
        start, deeds = _parse(self.game, self.read())
        return _text(start, _changes(start, deeds))

    def write(self) -> None:
        """Write the right content to the file."""
        text = self.made()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(text, encoding="utf-8")


def transcripts(game: AnyGame) -> list[Transcript]:
    """Return the golden files of a game. If there is none, return the file to write."""
    folder = folder_of(game)
    files = sorted(folder.glob(f"{game.info.key}-*.txt")) or [folder / f"{game.info.key}-random.txt"]
    return [Transcript(game, path) for path in files]


def folder_of(game: AnyGame) -> Path:
    """Return the folder of a game's golden files: `golden` in its package, for our games `tests/golden`."""
    if _is_ours(game):
        return paths.data("templates").parent / "tests" / "golden"
    return Path(str(files(_package(game)))) / "golden"


def _is_ours(game: AnyGame) -> bool:
    return _package(game) == "pbmserv"


def _package(game: AnyGame) -> str:
    return type(game).__module__.partition(".")[0]


def _random_start(game: AnyGame, name: str) -> Start:
    setup = setups(game)[0]
    return Start(game, dict(setup.options), setup.seats, sha256(name.encode()).hexdigest()[:32])


def _random_changes(start: Start) -> Iterator[Change]:
    board = play.begin(start)
    while board.to_move and board.ply < RANDOM_PLIES:
        change = random_turn(board, Rng(f"golden {start.seed}", board.ply)).change
        yield change
        board = change.board


def _changes(start: Start, deeds: Sequence[Entry]) -> Iterator[Change]:
    board = play.begin(start)
    for deed in deeds:
        change = play.follow(board, deed, ())
        yield change
        board = change.board


# Reading


def _parse(game: AnyGame, text: str) -> tuple[Start, list[Entry]]:
    """Read the head and the moves of a file. Raises NoTranscript."""
    options = {}
    for word in _fact(text, "Options").split():
        if word != "none":
            name, _, value = word.removeprefix("-").partition("=")
            options[name] = value
    start = Start(game, options, int(_fact(text, "Seats", r"\d+")), _fact(text, "Seed", "[0-9a-f]{32}"))
    names = game.names_of_seats(options, start.seats)
    return start, [_deed(line, names) for line in text.splitlines() if line.startswith(">")]


def _fact(text: str, name: str, pattern: str = ".+") -> str:
    match = re.search(rf"(?m)^{name}: ({pattern})$", text)
    if not match:
        raise NoTranscript(f"There is no line '{name}: {pattern}'.")
    return match[1]


def _deed(line: str, names: Sequence[str]) -> Entry:
    match = _LINE.fullmatch(line.rstrip())
    name = match and (match["mover"] or match["leaver"])
    if not match or name not in names:
        raise NoTranscript(f"Not '> PLY. SEAT: MOVE' or '> SEAT resigns' with a seat of {', '.join(names)}: {line}")
    if match["move"]:
        return Entry(names.index(name), Kind.MOVE, match["move"])
    return Entry(names.index(name), _DEEDS[match["deed"]])


# Writing


def _text(start: Start, changes: Iterator[Change]) -> str:
    info, board = start.game.info, play.begin(start)
    names = board.seat_names
    lines = [f"Game: {info.name}, rules {info.rules}", f"Options: {_options(start)}"]
    lines += [f"Seats: {start.seats}", f"Seed: {start.seed}", "", *_pictures(board)]
    for change in changes:
        board = change.board
        lines += _told(change, names)
        if change.entry.kind is Kind.MOVE and board.ply % DIAGRAM_EVERY == 0 and board.to_move:
            lines += ["", f"After ply {board.ply}:", "", *_pictures(board)]
    lines += ["", "At the end:", ""]
    for display in [d.name for d in info.displays] or [""]:
        lines += _pictures(board, display)
    return "\n".join([*lines, f"Result: {_result(board.result, names)}"]) + "\n"


def _options(start: Start) -> str:
    return " ".join(f"-{name}={value}" if value else f"-{name}" for name, value in start.options.items()) or "none"


def _told(change: Change, names: Sequence[str]) -> list[str]:
    entry, name = change.entry, names[change.entry.seat]
    deed = f"{entry.ply}. {name}: {entry.text}" if entry.kind is Kind.MOVE else f"{name} {entry.kind.value}s"
    missed = [f"  - {names[seat]} is passed over" for seat in entry.missed]
    return [f"> {deed}", *(f"  - {_note(note, names)}" for note in entry.notes), *missed]


def _note(note: Note, names: Sequence[str]) -> str:
    if note.seats is None:
        return note.text
    return f"(for {' and '.join(names[seat] for seat in sorted(note.seats))}) {note.text}"


def _pictures(board: Board, display: str = "") -> list[str]:
    """Return the diagram for a spectator, and for each seat that sees a different one."""
    lines: list[str] = []
    for picture, seen_by in _seen(board, display).items():
        names = " and ".join(board.seat_names[seat] for seat in seen_by if seat is not None)
        who = [] if None in seen_by else [f"As {names} sees it:", ""]
        lines += [*who, *picture.split("\n"), ""]
    return lines


def _seen(board: Board, display: str) -> dict[str, list[Seat | None]]:
    """Return what each reader sees, the spectator first."""
    seen: dict[str, list[Seat | None]] = {}
    for reader in readers(board):
        picture = renderer().diagram(board.game, view_of(board, reader), display)
        seen.setdefault(picture, []).append(reader)
    return seen


def _result(outcome: Outcome | None, names: Sequence[str]) -> str:
    if outcome is None:
        return "none yet"
    ranks = ", ".join(f"{name} {rank}" for name, rank in zip(names, outcome.ranks, strict=True))
    scores = f"; scores {', '.join(map(str, outcome.scores))}" if outcome.scores else ""
    return f"{outcome.reason}; ranks {ranks}{scores}"
