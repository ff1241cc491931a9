"""Games like chess: which moves are legal, and what they make of a position. Everything special comes from the row."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

from pbmserv.games.base import Seat
from pbmserv.games.base.grid import ORTHOGONAL
from pbmserv.games.base.values import changed
from pbmserv.games.families.chesslike.army import Man
from pbmserv.games.families.chesslike.betza import Track, ways
from pbmserv.games.families.chesslike.placing import CHECK, DECLARED, Move, Position
from pbmserv.games.families.chesslike.row import EMPTY, Variant

Board = Sequence[str]


class _Threats(NamedTuple):
    """From where a square can be attacked: by leaps, with what must be empty; along lines; over a man."""

    leaps: tuple[tuple[int, tuple[int, ...], frozenset[str]], ...]
    lines: tuple[tuple[tuple[int, ...], frozenset[str]], ...]
    hops: tuple[tuple[tuple[int, ...], frozenset[str]], ...]


class RowRules:
    """The rules of a row. It keeps only tables that follow from the row."""

    is_followed = False  #: whether a legal move is known to follow, so that none is looked for to find the end

    def __init__(self, row: Variant) -> None:
        self.row, self.grid = row, row.grid
        self.royal = (row.royal.upper(), row.royal.lower())
        self.pawn = (row.pawn.upper(), row.pawn.lower())
        self.own = (frozenset(map(str.upper, row.kinds)), frozenset(row.kinds))
        #: Men that go neither over nor onto each other.
        self.shy = frozenset(man for c, kind in row.kinds.items() if "o" in kind.betza for man in (c.upper(), c))
        self.falls = {promoted: man for man, promoted in row.falls_back.items()}  #: what a man is in a hand

    def followed(self) -> "RowRules":
        """Return the same rules, with the same tables, for a position after which a move was played."""
        rules = object.__new__(_FollowedRules)
        rules.__dict__ = self.__dict__
        return rules

    @cached_property
    def names(self) -> list[str]:
        """The name of each square."""
        return [*map(self.grid.name, range(self.grid.size))]

    @cached_property
    def ranks(self) -> tuple[list[int], list[int]]:
        """The rank of each square from the side of each seat, from 1."""
        up = [s // self.grid.columns + 1 for s in range(self.grid.size)]
        return up, [self.grid.rows + 1 - rank for rank in up]

    @cached_property
    def ways(self) -> dict[str, list[tuple[Track, ...]]]:
        """The ways of each man from each square."""
        squares = range(self.grid.size)
        return {
            letter.upper() if seat == 0 else letter: [self._ways(man, seat, s) for s in squares]
            for seat in (0, 1)
            for letter, man in self.row.kinds.items()
        }

    def _ways(self, man: Man, seat: Seat, square: int) -> tuple[Track, ...]:
        """Return the ways of a man from a square: beyond the river others, and not out of the part that it keeps."""
        rank = self.ranks[seat][square]
        tracks = ways(man.beyond if man.beyond and rank > self.row.river else man.betza, self.grid, seat, square)
        straight = (track for track in tracks if self._keeps_part(man, seat, track.squares[0]))
        return (*straight, *self._crossings(man, seat, square))

    def _crossings(self, man: Man, seat: Seat, square: int) -> Iterator[Track]:
        """Yield the ways of a man along the diagonal lines of a palace."""
        for palace in self.row.palaces if man.crossing else ():
            off = abs(square - sum(palace) // len(palace))  # from the middle
            if off in (0, self.grid.columns - 1, self.grid.columns + 1):
                for track in ways(man.crossing, self.grid, seat, square):
                    inside = tuple(takewhile(palace.__contains__, track.squares))
                    if inside:
                        yield track._replace(squares=inside)

    def _keeps_part(self, man: Man, seat: Seat, target: int) -> bool:
        if man.keeps == "palace":
            return target in self.row.palaces[seat]
        return not man.keeps or self.ranks[seat][target] <= self.row.river

    @cached_property
    def choices(self) -> dict[str, tuple[str, ...]]:
        """What a man can become, "" if it can also stay what it is."""
        chess = {man: tuple(self.row.becomes) for man in self.pawn}
        shogi: dict[str, tuple[str, ...]] = {man: (new, "") for man, new in self.row.falls_back.items()}
        return shogi | {man.upper(): new for man, new in shogi.items()} if shogi else chess

    @cached_property
    def landings(self) -> dict[str, frozenset[int]]:
        """The squares on which the rules ever let a man come from the hand."""
        squares, men = range(self.grid.size), self.own[0] | self.own[1]
        return {man: frozenset(s for s in squares if self._may_land(man, s)) for man in men}

    def _may_land(self, man: str, square: int) -> bool:
        if self.row.sets_up:
            return self.ranks[man.islower()][square] <= self.row.sets_up.get(man.lower(), (0, 0))[1]
        if self.row.falls_back:
            return not self.row.drop_laws or bool(self.ways[man][square])
        return man not in self.pawn or 1 < self.ranks[0][square] < self.grid.rows

    @cached_property
    def turns(self) -> tuple[frozenset[int], frozenset[int]]:
        """The squares on which each seat's pawns become other men."""
        squares = frozenset(map(self.grid.square, self.row.turns.split()))
        return squares, frozenset(self.grid.size - 1 - s for s in squares)

    @cached_property
    def laid(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The squares on which each seat lays its men in one move, from its own left."""
        squares = tuple(map(self.grid.square, self.row.lays.split()))
        return squares, tuple(self.grid.size - 1 - s for s in squares)

    @cached_property
    def worth(self) -> dict[str, list[float]]:
        """What a man is worth on each square, for White: more near the middle, and for a pawn, the further it is."""
        grid, worth = self.grid, dict[str, list[float]]()
        for letter, man in self.row.kinds.items():
            for seat, side in ((0, 1), (1, -1)):
                steps = [self._advantage(letter, seat, s) for s in range(grid.size)]
                worth[letter.upper() if seat == 0 else letter] = [side * (man.value + step) for step in steps]
        return worth

    def _advantage(self, letter: str, seat: Seat, square: int) -> float:
        """Return how much better a man stands on a square than in a corner, in hundredths of a pawn."""
        row, column = divmod(square, self.grid.columns)
        if letter == self.row.pawn:
            return 3.0 * self.ranks[seat][square] ** 2
        if self.row.kinds[letter].beyond:
            return 90.0 * (self.row.river < self.ranks[seat][square] < self.grid.rows)
        off = abs(row - (self.grid.rows - 1) / 2) + abs(column - (self.grid.columns - 1) / 2)
        sign = 1 if letter != self.row.royal or self.row.goal else -1
        return (
            sign * 5 * ((self.grid.rows + self.grid.columns) / 2 - off)
            + 40 * self.row.race * (letter == self.row.royal) * self.ranks[0][square]
        )

    @cached_property
    def around(self) -> list[frozenset[int]]:
        """The squares that a capture blows up, the square itself among them."""
        return [frozenset({s, *(w.squares[0] for w in ways("K", self.grid, 0, s))}) for s in range(self.grid.size)]

    @cached_property
    def _threats(self) -> tuple[list[_Threats], list[_Threats]]:
        return self._threats_by(0), self._threats_by(1)

    def _threats_by(self, seat: Seat) -> list[_Threats]:
        leaps: list[dict[tuple[int, tuple[int, ...]], set[str]]] = [{} for _ in range(self.grid.size)]
        lines: list[dict[tuple[int, ...], set[str]]] = [{} for _ in range(self.grid.size)]
        hops: list[dict[tuple[int, ...], set[str]]] = [{} for _ in range(self.grid.size)]
        for man in self.own[seat]:
            for source, all_ways in enumerate(self.ways[man]):
                for way in (*all_ways, *self._flying(man, seat, source)):
                    if way.captures:
                        self._threaten(leaps, hops if way.hops else lines, man, source, way)
        return [
            _Threats(
                tuple((source, via, frozenset(men)) for (source, via), men in leaps[s].items()),
                tuple((line, frozenset(men)) for line, men in _longest(lines[s]).items()),
                tuple((line, frozenset(men)) for line, men in _longest(hops[s]).items()),
            )
            for s in range(self.grid.size)
        ]

    def _flying(self, man: str, seat: Seat, square: int) -> Iterator[Track]:
        """Yield the way along which a general of xiangqi attacks the other one."""
        if self.row.as_xiangqi and man == self.royal[seat] and square in self.row.palaces[seat]:
            yield Track(self.grid.ray(square, ORTHOGONAL[2 * seat]), moves=False)

    def _threaten(
        self,
        leaps: list[dict[tuple[int, tuple[int, ...]], set[str]]],
        lines: list[dict[tuple[int, ...], set[str]]],
        man: str,
        source: int,
        way: Track,
    ) -> None:
        for at, target in enumerate(way.squares):
            if len(way.squares) == 1 and not way.hops:
                leaps[target].setdefault((source, way.via), set()).add(man)
            else:
                back = (*reversed(way.squares[:at]), source)
                lines[target].setdefault(back, set()).add(man)

    def start(self) -> Position:
        """Return the first position."""
        row = self.row
        rooks = tuple(s for s, man in enumerate(row.board) if row.castles and man in "Rr" and self._is_corner(s, man))
        turn = 1 if row.lays else 0
        return Position(row.board, turn, rooks, hands=(row.hand, row.hand)).with_key(whole=row.judges_boards)

    def _is_corner(self, square: int, man: str) -> bool:
        """Return whether a rook stands on the rank from which its king castles."""
        return self.castlers[man == "r"] // self.grid.columns == square // self.grid.columns

    @cached_property
    def castlers(self) -> tuple[int, int]:
        """Where the man that castles stands at first, by seat; others of its kind can come. -1: there is none."""
        royal = self.row.royal or "k"
        return self.row.board.find(royal.upper()), self.row.board.find(royal.lower())

    def royal_square(self, board: Board, seat: Seat) -> int:
        """Return where the royal man of a seat stands; -1: it has none."""
        man = self.royal[seat]
        if not man:
            return -1
        try:
            return board.index(man)
        except ValueError:
            return -1

    def attacked(self, board: Board, square: int, by: Seat) -> bool:
        """Return whether a man of a seat could capture on this square."""
        threats = self._threats[by][square]
        for source, via, men in threats.leaps:
            if board[source] in men and all(board[on_way] == EMPTY for on_way in via):
                return True
        for line, men in threats.lines:
            for source in line:
                man = board[source]
                if man != EMPTY:
                    if man in men:
                        return True
                    break
        return bool(threats.hops) and any(self._hops(board, line, men) for line, men in threats.hops)

    def _hops(self, board: Board, line: tuple[int, ...], men: frozenset[str]) -> bool:
        over = EMPTY
        for square in line:
            man = board[square]
            if man != EMPTY and over != EMPTY:
                return man in men and not (man in self.shy and over in self.shy)
            if man != EMPTY:
                over = man
        return False

    def in_check(self, board: Board, seat: Seat) -> bool:
        """Return whether the royal man of a seat is attacked."""
        king = self.royal_square(board, seat)
        if king < 0:
            return False
        if self.row.explodes and self.royal_square(board, 1 - seat) in self.around[king]:
            return False  # whoever captured it would blow up the own one, too
        return self.attacked(board, king, 1 - seat)

    def is_check(self, position: Position) -> bool:
        """Return whether who is to move is in check. Where repeated checks count, the key says it."""
        if self.row.perpetual:
            return position.past[-1].endswith(CHECK)
        return self.in_check(position.board, position.turn)

    def are_facing(self, board: Board) -> bool:
        """Return whether the royal men stand on one file with nothing between them."""
        line = (board[square] for square in self.grid.ray(self.royal_square(board, 0), 0))
        return next((man for man in line if man != EMPTY), EMPTY) == self.royal[1]

    def points(self, board: Board) -> tuple[float, float]:
        """Return the points of the men of both seats, with those that the second has for not being first."""
        first, second = (
            sum(count * board.count(man.upper() if seat == 0 else man) for man, count in self.row.points.items())
            for seat in (0, 1)
        )
        return first, second + 1.5

    def targets(self, position: Position, source: int, goal: int = -1) -> Iterator[int]:
        """Yield where a man can go, as if its king could be captured. `goal`: only on ways that lead there."""
        board, man = position.board, position.board[source]
        for way in self.ways[man][source]:
            if goal >= 0 and goal not in way.squares:
                continue
            if not way.via or all(board[square] == EMPTY for square in way.via):
                yield from self._along(board, way, self.own[1 - position.turn])
        if man == self.pawn[position.turn]:
            yield from self._of_pawn(position, source)

    def _along(self, board: Board, way: Track, enemies: frozenset[str]) -> Iterator[int]:
        hops = way.hops
        for target in way.squares:
            there = board[target]
            if way.shuns and there in self.shy:
                return
            if hops:
                hops = there == EMPTY
                continue
            if there != EMPTY:
                if way.captures and there in enemies:
                    yield target
                return
            if way.moves:
                yield target

    def _of_pawn(self, position: Position, source: int) -> Iterator[int]:
        """Yield what only a pawn does: its capture in passing, and its second step."""
        board, doubles = position.board, self.ranks[position.turn][source] in self.row.double
        for way in self.ways[board[source]][source]:
            target = way.squares[0]
            if way.captures and target == position.passed:
                yield target
            if doubles and way.moves and board[target] == EMPTY:
                yield from self._second_step(board, source, target)

    def _second_step(self, board: Board, source: int, target: int) -> Iterator[int]:
        further = 2 * target - source
        if abs(further % self.grid.columns - target % self.grid.columns) <= 1 and board[further] == EMPTY:
            yield further

    def legal(self, position: Position) -> Iterator[Move]:
        """Yield the legal moves of the seat to move."""
        moves = self._safe(position)
        if self.row.must_capture:
            moves = iter(self._captures_first(position, list(moves)))
        return moves

    def legal_along(self, position: Position, source: int, goal: int) -> Sequence[Move]:
        """Return the legal moves of a man to a square, without castling."""
        moves = tuple(self.legal_from(position, source, goal))
        may_be_late = self.row.must_capture and not all(self.takes(position, move) for move in moves)
        if may_be_late and any(self.takes(position, move) for move in self._safe(position)):
            return tuple(move for move in moves if self.takes(position, move))
        return moves

    def _captures_first(self, position: Position, moves: list[Move]) -> list[Move]:
        captures = [move for move in moves if self.takes(position, move)]
        return captures or moves

    def takes(self, position: Position, move: Move) -> bool:
        """Return whether a move captures."""
        if move.source in (-1, move.target) or move.rook >= 0:
            return False
        is_passing = move.target == position.passed and position.board[move.source] in self.pawn
        return position.board[move.target] != EMPTY or is_passing

    def _safe(self, position: Position) -> Iterator[Move]:
        own = self.own[position.turn]
        for source, man in enumerate(position.board):
            if man in own:
                yield from self.legal_from(position, source)
        yield from self._castlings(position)
        if position.hands[position.turn]:
            yield from self._drops(position)
        if self.row.entering and self.has_entered(position):
            yield DECLARED

    def sets_up(self, position: Position) -> bool:
        """Return whether the seat to move still has to put down men before it may move any."""
        return bool(self.row.sets_up and position.hands[position.turn])

    def legal_from(self, position: Position, source: int, goal: int = -1) -> Iterator[Move]:
        """Yield the legal moves of one man, without castling, as if nothing had to be captured.

        `goal`: of its steps only those that end there.
        """
        if self.sets_up(position):
            return
        if self.row.points and self._may_pass(position, source):
            yield Move(source, source)
        for target in self.targets(position, source, goal):
            if goal not in (-1, target):
                continue
            moves = self._moves_to(position, source, target)
            if self._is_safe(position, moves[0]):
                yield from moves
        if self.row.turns and position.board[source] in self.pawn:
            yield from (move for move in self._turned(position, source) if self._is_quiet(position, move))

    def _is_quiet(self, position: Position, move: Move) -> bool:
        """Return whether a move gives no check, also not from behind, and leaves the own royal man unattacked."""
        return self._is_safe(position, move) and not self.in_check(self.board_after(position, move), 1 - position.turn)

    def _may_pass(self, position: Position, source: int) -> bool:
        board = position.board
        return board[source] == self.royal[position.turn] and (
            self.are_facing(board) or not self.in_check(board, position.turn)
        )

    def _turned(self, position: Position, source: int) -> Iterator[Move]:
        """Yield the moves by which a pawn that need not reach the last rank becomes another man."""
        turn, board, new = position.turn, position.board, self.row.becomes
        man = new.upper() if turn == 0 else new
        if man in board or (source not in self.turns[turn] and board.count(self.pawn[turn]) > 1):
            return
        for target in (source, *(way.squares[0] for way in self.ways[man][source])):
            attacked = (board[way.squares[0]] for way in self.ways[man][target])
            if (target == source or board[target] == EMPTY) and self.own[1 - turn].isdisjoint(attacked):
                yield Move(source, target, new)

    def _moves_to(self, position: Position, source: int, target: int) -> list[Move]:
        ranks, man, outside = self.ranks[position.turn], position.board[source], self.grid.rows - self.row.zone
        choices = self.choices.get(man)
        if not choices or (ranks[target] <= outside and ("" not in choices or ranks[source] <= outside)):
            return [Move(source, target)]
        return [Move(source, target, new) for new in choices if new or self.ways[man][target]]

    def drops_on(self, position: Position, square: int) -> Iterator[Move]:
        """Yield the legal moves by which a man comes from the hand on a square, if nothing has to be captured."""
        return self._drops(position, (square,)) if position.hands[position.turn] else iter(())

    def _drops(self, position: Position, squares: Sequence[int] = ()) -> Iterator[Move]:
        """`squares`: where a man may come; none: everywhere."""
        turn, board, laws = position.turn, position.board, self.row.drop_laws
        if self.row.lays:
            yield from (Move(-1, -1, drop=order) for order in self.row.orders)
            return
        hand = [(man, self.landings[man.upper() if turn == 0 else man]) for man in dict.fromkeys(position.hands[turn])]
        is_check = self.in_check(board, turn)
        for target in squares or range(len(board)):
            if board[target] == EMPTY:
                moves = [Move(-1, target, drop=man) for man, landings in hand if target in landings]
                if moves and not (is_check and not self._is_safe(position, moves[0])):
                    yield from (move for move in moves if not (laws and self.law_against(position, move)))

    def law_against(self, position: Position, move: Move) -> str:
        """Return why a man may not come from the hand on an empty square; "" if it may, unless its king is in check."""
        turn, target = position.turn, move.target
        man = move.drop.upper() if turn == 0 else move.drop
        if target not in self.landings[man]:
            return (
                "it could never move from there"
                if self.row.drop_laws
                else f"it comes no further than rank {self.row.sets_up[move.drop][1]}, counted from your side"
                if self.row.sets_up
                else "no pawn may be put on the first or the last rank"
            )
        if not self.row.drop_laws or man not in self.pawn:
            return ""
        if man in position.board[target % self.grid.columns :: self.grid.columns]:
            return "no second pawn may come on this file"
        mates = self.ways[man][target][0].squares[0] == self.royal_square(position.board, 1 - turn)
        return "a pawn from the hand may not mate" if mates and self.is_stuck(self.after(position, move)) else ""

    def is_stuck(self, position: Position) -> bool:
        """Return whether the seat to move has no legal move; whether it must capture makes no difference."""
        return next(self._safe(position), None) is None

    def has_entered(self, position: Position) -> bool:
        """Return whether the seat to move can declare that it wins: by the rule of 27 points.

        Its king is in the zone with ten other men of its own, and not in check. A rook or bishop there or in the hand
        counts five points, another man one.
        """
        turn, board, ranks = position.turn, position.board, self.ranks[position.turn]
        outside = self.grid.rows - self.row.zone
        if ranks[self.royal_square(board, turn)] <= outside:
            return False
        men = [man.lower() for s, man in enumerate(board) if man in self.own[turn] and ranks[s] > outside]
        points = sum(5 if self.falls.get(man, man) in "rb" else 1 for man in (*men, *position.hands[turn])) - 1
        return len(men) > 10 and points >= self.row.entering[turn] and not self.in_check(board, turn)

    def _castlings(self, position: Position) -> Iterator[Move]:
        turn, board = position.turn, position.board
        king = self.castlers[turn]
        for rook in position.rooks:
            if self.ranks[turn][rook] == 1 and (move := self._castling(board, turn, king, rook)):
                yield move

    def _castling(self, board: str, turn: Seat, king: int, rook: int) -> Move | None:
        king_to, rook_to = self.castled(king, rook)
        between = range(min(king, rook, king_to), max(king, rook, king_to) + 1)
        if any(board[s] != EMPTY for s in between if s not in (king, rook)):
            return None
        way = range(min(king, king_to), max(king, king_to) + 1)
        move = Move(king, king_to, rook=rook)
        if self.row.royal:
            for square in way:
                passing = list(board)
                passing[king] = EMPTY
                passing[square] = board[king]
                if square == king_to:
                    passing[rook], passing[rook_to] = EMPTY, board[rook]
                if self.in_check(passing, turn):
                    return None
        return move

    def castled(self, king: int, rook: int) -> tuple[int, int]:
        """Return where king and rook stand after castling."""
        home = rook - rook % self.grid.columns
        to_left = rook < king
        king_to = home + ord(self.row.castles[0 if to_left else 1]) - 97
        return king_to, king_to + (1 if to_left else -1)

    def _is_safe(self, position: Position, move: Move) -> bool:
        """Return whether a move leaves the own royal man unattacked, and does what the row demands besides."""
        row, turn = self.row, position.turn
        if not row.royal:
            return True
        board = self.board_after(position, move)
        if row.explodes and self.royal_square(board, turn) < 0:
            return False
        if row.explodes and self.royal_square(board, 1 - turn) < 0:
            return True
        if row.race and self.in_check(board, 1 - turn):
            return False
        if row.points and self.are_facing(board) and self.are_facing(position.board):
            return False
        return not self.in_check(board, turn)

    def board_after(self, position: Position, move: Move) -> list[str]:
        """Return the squares after a move."""
        if move.drop:
            return self._with_dropped(position, move)
        board, turn = list(position.board), position.turn
        man = board[move.source]
        board[move.source] = EMPTY
        if move.rook >= 0:
            king_to, rook_to = self.castled(move.source, move.rook)
            rook, board[move.rook] = board[move.rook], EMPTY
            board[king_to], board[rook_to] = man, rook
            return board
        takes = self.takes(position, move)
        if takes and board[move.target] == EMPTY:
            board[position.passer] = EMPTY
        if move.promotion:
            man = move.promotion.upper() if turn == 0 else move.promotion
        board[move.target] = man
        if takes and self.row.explodes:
            for square in self.around[move.target]:
                if square == move.target or board[square] not in self.pawn:
                    board[square] = EMPTY
        return board

    def _with_dropped(self, position: Position, move: Move) -> list[str]:
        board = list(position.board)
        squares = self.laid[position.turn] if self.row.lays else (move.target,)
        for square, man in zip(squares, move.drop, strict=True):
            board[square] = man.upper() if position.turn == 0 else man
        return board

    def after(self, position: Position, move: Move) -> Position:
        """Return the position after a legal move, without its end."""
        turn = position.turn
        board = self.board_after(position, move)
        man = "" if move.drop else position.board[move.source]
        takes, is_pawn = self.takes(position, move), man in self.pawn
        rooks = tuple(r for r in position.rooks if board[r] in "Rr" and self._keeps(position, move, r))
        passed = self._passed_over(position, move) if is_pawn else -1
        checks = position.checks
        if self.row.checks and self.in_check(board, 1 - turn):
            checks = (checks[0] + (turn == 0), checks[1] + (turn == 1))
        hands, promoted = self._hands(position, move, takes)
        is_quiet = not takes and not is_pawn
        past = position.past if (is_quiet and rooks == position.rooks) or self.row.drops else ()
        quiet = position.quiet + 1 if is_quiet and not self.sets_up(position) else 0
        sign = CHECK if self.row.perpetual and self.in_check(board, 1 - turn) else ""
        next_turn = turn if self.row.lays and move.drop and turn == 0 else 1 - turn
        passer = move.target if passed >= 0 else -1
        then = Position("".join(board), next_turn, rooks, passed, passer, hands, promoted, checks, quiet, past)
        if passed >= 0 and not self._can_capture_passer(then):
            then = changed(then, passed=-1, passer=-1)  # so it is the same position when it comes again
        return then.with_key(sign, whole=self.row.judges_boards)

    def _keeps(self, position: Position, move: Move, rook: int) -> bool:
        """Return whether a rook can still castle after a move."""
        touched = (move.source, move.target, move.rook)
        king = self.castlers[position.board[rook] == "r"]
        return rook not in touched and king not in touched

    def _passed_over(self, position: Position, move: Move) -> int:
        """Return the square between the two steps of a pawn, from which another pawn can capture it; else -1."""
        ranks = self.ranks[position.turn]
        if ranks[move.target] - ranks[move.source] != 2 or ranks[move.source] == 1:
            return -1
        return (move.source + move.target) // 2

    def _can_capture_passer(self, position: Position) -> bool:
        """Return whether a pawn may capture the one that has just passed over a square."""
        pawn, passed = self.pawn[position.turn], position.passed
        sources = [source for source, _, men in self._threats[position.turn][passed].leaps if pawn in men]
        return any(position.board[s] == pawn and self._is_safe(position, Move(s, passed)) for s in sources)

    def _hands(self, position: Position, move: Move, takes: bool) -> tuple[tuple[str, str], tuple[int, ...]]:
        """Return the men in hand after a move, and the squares of men that were pawns."""
        if not (move.drop or self.row.drops):
            return position.hands, position.promoted
        turn, hands, promoted = position.turn, list(position.hands), set(position.promoted)
        if move.drop:
            hands[turn] = "" if self.row.lays else hands[turn].replace(move.drop, "", 1)
        if not self.row.drops:
            return (hands[0], hands[1]), position.promoted
        if takes:
            taken = position.board[move.target].lower() if move.target not in promoted else self.row.pawn
            taken = self.falls.get(taken, taken)
            hands[turn] = "".join(sorted(hands[turn] + (taken if taken != EMPTY else self.row.pawn)))
        was = move.source in promoted or (bool(move.promotion) and not self.falls)
        promoted -= {move.source, move.target}
        if was:
            promoted.add(move.target)
        return (hands[0], hands[1]), tuple(sorted(promoted))


class _FollowedRules(RowRules):
    """The rules of a row after whose positions a move was played."""

    is_followed = True


def _longest(lines: dict[tuple[int, ...], set[str]]) -> dict[tuple[int, ...], set[str]]:
    """Keep of lines from a square in one direction the longest, for the men that attack along all of it."""
    best: dict[tuple[int, frozenset[str]], tuple[int, ...]] = {}
    for line, men in lines.items():
        key = line[0], frozenset(men)
        if len(line) > len(best.get(key, ())):
            best[key] = line
    return {line: set(men) for (_, men), line in best.items()}
