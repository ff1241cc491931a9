"""Boards of every game and option, played at random on a whole server: their letters and pages at three stages."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pbmserv import games
from pbmserv.boards import entries
from pbmserv.conformance.walks import random_turn, setups
from pbmserv.games.base import Option, Seat
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board
from pbmserv.rng import Rng
from pbmserv.store import Store
from tests.examples import some_of
from tests.looks.pages import whole
from tests.tools.seeds import seeds_from
from tests.web.browser import browse
from tests.web.own.sending import NOBODY
from tests.web.touching import HOME, answer, own_page, touchable
from tests.world import Received, World

#: One of them is as long as a userid can be.
NAMES = ("alice", "bob", "maximilian_the_2", "dora")
STAGES = ("beginning", "middle", "end")
_MOST = 600  #: plies of a random game
_COMMENT = "Well played! I did not see that coming.\n\nNo hurry: I am away until Sunday."


@dataclass(frozen=True)
class Sort:
    """A sort of board whose picture looks different, and the preferences of its players."""

    game: str
    options: tuple[str, ...] = ()
    seats: int = 2
    settings: tuple[str, ...] = ()  #: subjects of mails, without userid and password: `set language=de`

    @property
    def name(self) -> str:
        """Return a name for files and tests."""
        words = (self.game, *self.options, *([str(self.seats)] if self.seats > 2 else []))
        return "-".join([*words, *(setting.split()[-1].replace("=", "-") for setting in self.settings)])


def _option(option: tuple[str, str]) -> str:
    """Return an option as the challenge writes it, without its dash."""
    name, value = option
    return f"{name}={value}" if value else name


def _like_others(option: Option) -> Sequence[str]:
    """Return the values of an option with which a board looks as with others: all but the last, the largest number.

    On a larger board all is smaller and nearer together.
    """
    return [n for n in option.samples if float(n) < option.numbers.most] if option.numbers else option.values[:-1]


#: Options that change no picture: of the rules alone, or a number in a line below.
_ALIKE = {("noswap", ""), ("exact", ""), ("flying", ""), ("komi", "150")}


def _sorts() -> Iterator[Sort]:
    """Return each option alone, each number of players, and the preferences that change a picture or its words."""
    for game in games.listed():
        key, usual = game.info.key, game.info.seats[0]
        alone = (setup for setup in setups(game) if len(setup.options) <= (setup.seats == usual))
        left_out = {(o.name, value) for o in game.info.options for value in _like_others(o)} | _ALIKE
        shown = (setup for setup in alone if left_out.isdisjoint(setup.options))
        yield from (Sort(key, tuple(map(_option, setup.options)), setup.seats) for setup in shown)
        if game in games.listed()[::3]:  # in all games, test_translations_in_play.py counts how long the words are
            yield Sort(key, (), usual, ("set language=de",))
        yield from (Sort(key, (), usual, (f"{key} set {display.name}",)) for display in game.info.displays[1:])
    yield Sort("tumble", ("c",), 2, ("set turn=on",))
    yield Sort("trippples", ("d",), 4)  # the one option that needs more players than usual


SORTS = {sort.name: sort for sort in _sorts()}
_PLAIN = [name for name, sort in SORTS.items() if not (sort.options or sort.settings)]
#: Each game without options, and each ninth of the others: `make soak` looks at all.
FEW = [*_PLAIN, *some_of([name for name in SORTS if name not in _PLAIN], 9)]


@dataclass(frozen=True)
class Sight:
    """A letter that somebody gets, and what it is about."""

    stage: str
    seat: Seat
    board: Board
    letter: Received

    @property
    def name(self) -> str:
        """Return a name for files and messages."""
        return f"{self.stage}-{self.seat + 1}"


@dataclass
class Played:
    """A server on which a board of a sort was played to its end."""

    world: World
    sort: Sort
    sights: list[Sight] = field(default_factory=list)
    plies: Mapping[str, int] = field(default_factory=dict)  #: of each stage
    own: dict[str, str] = field(default_factory=dict)  #: players' own pages, by stage and step


@contextmanager
def played(sort: Sort, folder: Path, *, own: bool = True) -> Iterator[Played]:
    """Yield a server in an empty folder on which a board of this sort was played, the same in every run.

    `own`: with the players' own pages, which take as long as all else.
    """
    world = World(folder)
    world.allow(web_url=HOME, web_listener=NOBODY)
    with seeds_from(sort.name):
        yield _played(world, sort, own=own)
    world.close()


def _played(world: World, sort: Sort, *, own: bool) -> Played:
    players = NAMES[: sort.seats]
    world.signup(*NAMES)
    for userid in players:
        for setting in sort.settings:
            *head, value = setting.split()
            world.mail(userid, f"{' '.join(head)} {userid} {userid}-secret {value}")
    options = " ".join(f"-{option}" for option in sort.options)
    first = world.mail("alice", f"{sort.game} challenge {' '.join(players)} {options}".strip())
    found = Played(world, sort)
    moves = _moves(world.row().board, sort)
    middle = len(moves) // 2
    found.plies = dict(zip(STAGES, (0, middle, len(moves)), strict=True))
    _look(found, "beginning", first, own=own)
    for stage, ply in (("middle", middle), ("end", len(moves))):
        advance(world, moves[: ply - 1])
        seat, text = moves[ply - 1]
        userid = players[seat]
        letters = world.mail(userid, f"{sort.game} move 101 {userid} {userid}-secret {text}", _COMMENT)
        _look(found, stage, letters, own=own)
    return found


def _moves(board: Board, sort: Sort) -> list[tuple[Seat, str]]:
    """Return the moves of a random game that ends, and not too late."""
    for luck in range(50):
        moves = _random_moves(board, f"{sort.name} {luck}")
        if moves:
            return moves
    raise AssertionError(f"no random game of {sort.name} ends within {_MOST} plies")


def _random_moves(board: Board, luck: str) -> list[tuple[Seat, str]]:
    moves = list[tuple[Seat, str]]()
    while board.to_move and len(moves) < _MOST:
        turn = random_turn(board, Rng(luck, board.length))
        moves.append((turn.seat, turn.change.entry.text))
        board = turn.change.board
    return [] if board.to_move else moves


def advance(world: World, moves: Sequence[tuple[Seat, str]]) -> None:
    """Play those of these moves that are left on board 101, without letters."""

    def do(store: Store) -> None:
        row = store.boards.find(101)
        assert row
        for seat, text in moves[row.board.ply :]:
            row = entries.write(store, row, play.play(row.board, seat, text), None, world.now)

    world.act(do)


def _look(found: Played, stage: str, letters: Sequence[Received], *, own: bool) -> None:
    """Keep the letter to a seat that is to move, in the middle also one to another seat, and the first one's page."""
    board = found.world.row().board
    seats = {f"{userid}@example.org": seat for seat, userid in enumerate(NAMES)}
    sights = [Sight(stage, seats[letter.to], board, letter) for letter in letters if "101" in letter.subject]
    sights.sort(key=lambda sight: sight.seat not in board.to_move)
    found.sights += sights[: 2 if stage == "middle" else 1]
    if own:
        _look_at_page(found, stage, NAMES[sights[0].seat])


def _look_at_page(found: Played, stage: str, userid: str) -> None:
    with browse(found.world) as client:
        place = own_page(found.world, 101, userid)
        found.own[f"own, {stage}"] = whole(client, place)
        steps = [uri for uri in touchable(client.get(place)).cells.values() if not answer(uri)]
        if steps:
            found.own[f"own, {stage}, touched"] = whole(client, steps[len(steps) // 2])
