"""Chess: how moves are written, what each special move does, and how games end. Articles of FIDE's Laws of Chess."""

import pytest

from pbmserv import games
from pbmserv.errors import AmbiguousMove, IllegalMove, MoveError, NotAMove
from pbmserv.games.base import Outcome
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Start
from pbmserv.games.base.log import Kind
from pbmserv.games.base.picture import CHECK
from pbmserv.games.capture.chess import Chess
from pbmserv.games.capture.chess.laws import FIDE, claim, could_mate
from pbmserv.games.capture.chess.moving import legal
from pbmserv.games.capture.chess.opening import POSITIONS, STANDARD, opening
from pbmserv.games.capture.chess.pieces import GRID, KING, KNIGHT, Position
from pbmserv.games.capture.chess.san import san
from pbmserv.rng import NoChance
from tests.games.base.logged import Logged, result
from tests.games.capture.chess.chess_positions import named, position_of

GAME = Chess()
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
CASTLE = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
KNIGHTS = ("g1f3", "g8f6", "f3g1", "f6g8")  #: out and back


def parsed(fen: str, text: str, *, fischer: bool = False) -> str:
    position = position_of(fen, fischer=fischer)
    return GAME.format(GAME.parse(position, position.turn, text))


def played(position: Position, *texts: str) -> Position:
    for text in texts:
        position = GAME.apply(position, position.turn, GAME.parse(position, position.turn, text), NoChance()).position
    return position


def targets(position: Position, source: str) -> set[str]:
    return {GRID.name(m.target) + m.promotion for m in legal(position) if GRID.name(m.source) == source}


# Notation


@pytest.mark.parametrize(
    ("text", "move"),
    [
        *(("e2e4", "e2e4"), ("E2E4", "e2e4"), ("e2-e4", "e2e4"), ("e4", "e2e4"), ("E4", "e2e4"), ("e4!?", "e2e4")),
        *(("Nf3", "g1f3"), ("nf3", "g1f3"), ("NF3", "g1f3"), ("Ng1-f3", "g1f3"), ("Ngf3", "g1f3"), ("N1f3", "g1f3")),
        *(("♘f3", "g1f3"), ("♞f3", "g1f3"), ("♘\ufe0ef3", "g1f3")),
    ],
)
def test_the_first_move_can_be_written_in_many_ways(text: str, move: str) -> None:
    assert parsed(START, text) == move


@pytest.mark.parametrize("text", ["e2e5", "e5", "Nd2", "O-O", "o-o-o", "Ke2", "e7e5", "Bc4", "e2e4q", "d4e5"])
def test_moves_that_are_not_legal(text: str) -> None:
    with pytest.raises(IllegalMove):
        parsed(START, text)


@pytest.mark.parametrize("text", ["", "e9", "i4", "e2e4e5", "Pe4", "O-O-O-O", "0", "x", "e2--e4", "Nf3Nc6", "Zf3"])
def test_what_is_no_move_of_chess(text: str) -> None:
    with pytest.raises(NotAMove):
        parsed(START, text)


#: A pawn on b2 and a bishop on d2 can both capture on c3; a bishop on f1 can go to b5 and d3.
BOTH = "4k3/8/8/8/8/2p5/1P1B4/4KB2 w - - 0 1"


@pytest.mark.parametrize(
    ("text", "move"),
    [
        *(("bxc3", "b2c3"), ("bc3", "b2c3"), ("Bxc3", "d2c3"), ("Bc3", "d2c3"), ("♗c3", "d2c3")),
        *(("b2c3", "b2c3"), ("B2-c3", "b2c3"), ("B2b4", "b2b4"), ("b4", "b2b4"), ("B4", "b2b4"), ("B2B4", "b2b4")),
        *(("bb5", "f1b5"), ("Bb5", "f1b5"), ("BB5", "f1b5"), ("bd3", "f1d3"), ("Bdxc3", "d2c3"), ("bdc3", "d2c3")),
    ],
)
def test_a_small_b_is_a_pawn_and_a_capital_b_a_bishop(text: str, move: str) -> None:
    assert parsed(BOTH, text) == move


#: A knight on b1, and bishops on a1 and a5: all can go to c3.
RANKS = "4k3/8/8/B7/8/8/8/BN2K3 w - - 0 1"


@pytest.mark.parametrize("text", ["B2c3", "B2C3", "B2XC3", "B2xc3"])
def test_a_capital_b_and_a_rank_can_be_a_square_or_a_bishop(text: str) -> None:
    with pytest.raises(AmbiguousMove) as both:
        parsed(BOTH, text)
    assert set(both.value.candidates) == {"b2c3", "d2c3"}
    assert parsed(BOTH.replace("1P1B4", "1P6"), text) == "b2c3"
    assert parsed(BOTH.replace("1P1B4", "3B4"), text) == "d2c3"


def test_two_bishops_of_one_file_are_told_apart_by_their_ranks() -> None:
    assert parsed(RANKS, "B5c3") == "a5c3"
    assert parsed(RANKS, "b1c3") == parsed(RANKS, "B1-c3") == "b1c3"
    assert parsed(RANKS, "♗1c3") == parsed(RANKS, "Ba1c3") == "a1c3"
    with pytest.raises(AmbiguousMove) as both:
        parsed(RANKS, "B1c3")
    assert set(both.value.candidates) == {"b1c3", "a1c3"}
    with pytest.raises(IllegalMove) as refused:
        parsed(RANKS, "B5c4")
    assert refused.value.text == "'B5c4' is not possible: the bishop on a5 does not reach c4."


#: White's pawn on d3 and queen on e1 can take on e4.
FOREIGN = "4k3/8/8/8/4p3/3P4/8/K3Q3 w - - 0 1"


@pytest.mark.parametrize(
    ("text", "fen", "other"),
    [
        ("Dxe4", FOREIGN, "e1e4"),
        ("De4", FOREIGN, "e1e4"),
        ("Cxd4", "4k3/8/8/8/3p4/2P2N2/8/K7 w - - 0 1", "f3d4"),
        ("Fxe4", "4k3/8/8/8/4p3/5P2/8/KB6 w - - 0 1", "b1e4"),
    ],
)
def test_a_capital_that_is_a_piece_elsewhere_is_not_taken_for_a_pawn(text: str, fen: str, other: str) -> None:
    """In German `Dxe4` is a queen, and a mail program writes it for `dxe4`."""
    with pytest.raises(AmbiguousMove) as both:
        parsed(fen, text)
    assert other in both.value.candidates
    assert parsed(fen, text.lower()) == parsed(fen, text.upper())
    assert other not in parsed(fen, text.lower())
    alone = "".join("1" if man in "QNB" else man for man in fen.split(" ")[0])
    assert parsed(f"{alone} w - - 0 1", text) == parsed(fen, text.lower())


def test_in_capitals_a_b_can_be_either() -> None:
    with pytest.raises(AmbiguousMove) as both:
        parsed(BOTH, "BXC3")
    assert set(both.value.candidates) == {"b2c3", "d2c3"}
    assert parsed(BOTH.replace("B4", "N4").replace("1P1B4", "1P6"), "BXC3") == "b2c3"


def test_a_bishop_that_cannot_go_there_is_never_taken_for_a_pawn() -> None:
    with pytest.raises(IllegalMove) as refused:
        parsed(BOTH.replace("1P1B4", "1P6"), "Bxc3")
    assert refused.value.text == "'Bc3' is not possible: the bishop on f1 does not reach c3."
    assert refused.value.hint == "A capital B is a bishop. To move a pawn, send its two squares, such as b2c3."
    with pytest.raises(IllegalMove) as refused:
        parsed(BOTH.replace("1P1B4", "1P6"), "Bc5")
    assert refused.value.hint.startswith("Send a move such as: ")


def test_two_knights() -> None:
    fen = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"
    with pytest.raises(AmbiguousMove) as both:
        parsed(fen, "Nd2")
    assert set(both.value.candidates) == {"b1d2", "f3d2"}
    assert parsed(fen, "Nbd2") == parsed(fen, "N1d2") == parsed(fen, "Nb1d2") == "b1d2"


def test_a_pinned_knight_is_no_candidate() -> None:
    assert parsed("4k3/4r3/8/8/4N3/8/8/1N2K3 w - - 0 1", "Nd2") == "b1d2"


@pytest.mark.parametrize("text", ["e8=Q", "e8Q", "e8q", "e7e8q", "E7E8Q", "e8=q+", "e8(Q)", "e7-e8=Q"])
def test_a_promotion(text: str) -> None:
    assert parsed("8/4P3/8/8/8/k7/8/4K3 w - - 0 1", text) == "e7e8q"


@pytest.mark.parametrize("text", ["e8", "e7e8"])
def test_a_promotion_names_the_man(text: str) -> None:
    with pytest.raises(AmbiguousMove) as four:
        parsed("8/4P3/8/8/8/k7/8/4K3 w - - 0 1", text)
    assert four.value.candidates == ("e7e8q", "e7e8r", "e7e8b", "e7e8n")


@pytest.mark.parametrize("text", ["O-O", "o-o", "0-0", "OO", "e1g1", "e1h1", "0-0+"])
def test_castling_can_be_written_in_many_ways(text: str) -> None:
    assert parsed(CASTLE, text) == "e1g1"
    assert parsed(CASTLE, "O-O-O") == parsed(CASTLE, "e1a1") == "e1c1"


@pytest.mark.parametrize(
    ("fen", "move", "text"),
    [
        (START, "e2e4", "e4"),
        (START, "g1f3", "Nf3"),
        (CASTLE, "e1g1", "O-O"),
        (CASTLE, "e1c1", "O-O-O"),
        (BOTH, "b2c3", "bxc3"),
        (BOTH, "d2c3", "Bxc3"),
        ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2", "Nbd2"),
        ("4k3/8/8/1N6/8/8/8/1N2K3 w - - 0 1", "b1c3", "N1c3"),
        ("4k3/8/8/8/Q6Q/8/8/Q3K3 w - - 0 1", "a4d4", "Qa4d4"),
        ("3r4/4P3/8/8/8/k7/8/4K3 w - - 0 1", "e7d8n", "exd8=N"),
    ],
)
def test_algebraic_notation_is_written_as_the_books_do(fen: str, move: str, text: str) -> None:
    position = position_of(fen)
    assert san(position, named(position, move)) == text


@pytest.mark.parametrize(
    ("fen", "text", "why"),
    [
        (START, "e3e4", "'e3e4' is not possible: e3 is empty."),
        (START, "e7e5", "'e7e5' is not possible: the man on e7 is not yours."),
        (START, "b1d2", "'b1d2' is not possible: the knight on b1 does not reach d2."),
        (START, "Qd3", "'Qd3' is not possible: the queen on d1 does not reach d3."),
        ("4k3/4r3/8/8/4N3/8/8/4K3 w - - 0 1", "e4c3", "'e4c3' is not possible: your king would be in check."),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "O-O", "king or rook have moved, so you cannot castle there."),
        ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "O-O", "king or rook have moved, so you cannot castle there."),
        ("r3k2r/8/8/8/8/8/8/4K3 b k - 0 1", "O-O-O", "king or rook have moved, so you cannot castle there."),
        ("4k3/4r3/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O", "'o-o' is not possible: you cannot castle out of check."),
        (START, "O-O", "to castle, the way must be free, and the king must not pass an attacked square."),
        ("4k3/4r3/8/8/4N3/8/8/1N2K3 w - - 0 1", "Ned2", "'Ned2' is not possible: your king would be in check."),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "Kg1", "'Kg1' is not possible: to castle, send O-O."),
        ("4k3/8/8/2b5/8/8/7K/4R3 w - - 0 1", "Kg1", "'Kg1' is not possible: your king would be in check."),
        (START, "Nd2", "'Nd2' is not possible: no knight of yours can go to d2."),
        (START, "Nxf3", "'Nxf3' is not possible: nothing can be captured there."),
        (START, "Nbd2", "'Nbd2' is not possible: the knight on b1 does not reach d2."),
        (START, "e4q", "'e4q' is not possible: only a pawn on the last rank becomes another man."),
        (START, "e2e4q", "'e2e4q' is not possible: only a pawn on the last rank becomes another man."),
    ],
)
def test_a_refusal_says_why(fen: str, text: str, why: str) -> None:
    with pytest.raises(MoveError) as refused:
        parsed(fen, text)
    assert refused.value.text.endswith(why)


# Special moves


def test_castling_moves_both_men_and_ends_the_right() -> None:
    position = played(position_of(CASTLE), "O-O", "O-O-O")
    assert position.board[:8] == "R....RK."
    assert position.board[56:] == "..kr...r"
    assert position.rooks == ()


@pytest.mark.parametrize(
    ("fen", "can"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", {"g1", "c1"}),
        ("4k3/4r3/8/8/8/8/8/R3K2R w KQ - 0 1", set()),  # in check
        ("4k3/5r2/8/8/8/8/8/R3K2R w KQ - 0 1", {"c1"}),  # f1 is attacked
        ("4k3/6r1/8/8/8/8/8/R3K2R w KQ - 0 1", {"c1"}),  # g1 is attacked
        ("4k3/7r/8/8/8/8/8/R3K2R w KQ - 0 1", {"g1", "c1"}),  # an attacked rook may castle
        ("4k3/1r6/8/8/8/8/8/R3K2R w KQ - 0 1", {"g1", "c1"}),  # and cross b1, which the king does not
        ("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", {"g1"}),
        ("4k3/8/8/8/8/8/8/R3K2R w K - 0 1", {"g1"}),
    ],
)
def test_when_castling_is_possible(fen: str, can: set[str]) -> None:
    """3.8.2."""
    assert targets(position_of(fen), "e1") & {"g1", "c1"} == can


def test_a_rook_that_moved_or_was_captured_cannot_castle() -> None:
    assert played(position_of(CASTLE), "a1b1", "a7a6", "b1a1").rooks == (7, 56, 63)
    assert played(position_of("4k2r/6p1/8/8/8/8/1B6/4K3 w k - 0 1"), "Bxg7", "e8d8").rooks == ()
    assert played(position_of("4k2r/8/8/8/8/8/1B6/4K3 w k - 0 1"), "Bxh8").rooks == ()


def test_en_passant_is_possible_only_at_once() -> None:
    """3.7.4."""
    position = played(opening(), "e4", "a6", "e5", "d5")
    assert "d6" in targets(position, "e5")
    captured = played(position, "exd6")
    assert captured.board[GRID.square("d5")] == "."
    assert "d6" not in targets(played(position, "h3", "h6"), "e5")


def test_en_passant_must_not_expose_the_king() -> None:
    """Both pawns leave the rank on which a rook looks at the king."""
    position = played(position_of("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1"), "e4")
    assert "e3" not in targets(position, "d4")
    assert position.passed == -1


# Ends


@pytest.mark.parametrize(
    ("texts", "reason", "winner"),
    [
        ("f3 e5 g4 Qh4", "mate", 1),
        ("e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7", "mate", 0),
        ("e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6", "stalemate", None),
    ],
)
def test_a_game_ends(texts: str, reason: str, winner: int | None) -> None:
    outcome = GAME.outcome(played(opening(), *texts.split()))
    assert outcome is not None
    assert (outcome.reason, outcome.winners) == (reason, () if winner is None else (winner,))


def is_dead(men: str) -> bool:
    """Whether no men are left with which anybody could give mate."""
    return not any(FIDE.can_win(Position(men.ljust(64, ".")), seat) for seat in (0, 1))


@pytest.mark.parametrize(
    ("men", "dead"),
    [
        *(("Kk", True), ("KBk", True), ("KkN", True), ("KbBk", False), ("KNNk", False), ("KNkn", False)),
        *(("KNkb", False), ("KPk", False), ("KRk", False), ("Kqk", False)),
    ],
)
def test_with_which_men_nobody_can_win(men: str, dead: bool) -> None:
    """Next to each other, two bishops stand on squares of different colours."""
    assert is_dead(men) == dead


def test_bishops_of_one_colour_cannot_win_however_many_there_are() -> None:
    """5.2.2."""
    assert is_dead("B.B.b.bkK")
    assert not is_dead("B.B.bbk.K")


@pytest.mark.parametrize(
    ("fen", "over"),
    [
        ("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", "dead"),
        ("4k3/8/8/p1p1p1p1/P1P1P1P1/8/7P/4K3 w - - 0 1", ""),  # the pawn on h2 can move
        ("4k3/8/8/p1p1p1p1/P1P1P1P1/8/4P3/4K3 w - - 0 1", ""),
        ("4k3/8/8/p1p1p3/P1P1P3/8/8/4K3 w - - 0 1", ""),  # the kings can go around
        ("4k3/8/8/p1p1p1p1/P1P1P1P1/3K4/8/8 w - - 0 1", "dead"),
        ("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4KB2 w - - 0 1", ""),  # only kings and pawns are judged
    ],
)
def test_a_position_that_is_sealed_is_a_draw(fen: str, over: str) -> None:
    """5.2.2."""
    assert FIDE.settled(position_of(fen)).over == over


def test_a_capture_of_the_last_man_is_a_draw() -> None:
    assert GAME.outcome(played(position_of("8/8/8/8/2k5/8/3q4/4K3 w - - 0 1"), "Kxd2")) == Outcome("dead", (1, 1))


@pytest.mark.parametrize(
    ("times", "claimed", "over"), [(1, "", ""), (2, "threefold", ""), (4, "threefold", "fivefold")]
)
def test_a_repeated_position(times: int, claimed: str, over: str) -> None:
    """9.2 and 9.6.1. The first position counts, too."""
    position = played(opening(), *KNIGHTS * times)
    assert (claim(position), position.over) == (claimed, over)


def test_a_position_is_another_one_if_other_moves_are_possible() -> None:
    """9.2.3: a right to castle, or a pawn that can be captured in passing."""
    kings = ("Ke2", "Ke7", "Ke1", "Ke8")
    open_files = CASTLE.replace("PPPPPPPP", "PPPP1PPP").replace("pppppppp", "pppp1ppp")
    assert claim(played(position_of(open_files), *kings * 2)) == ""
    passing = played(opening(), "e4", "Nf6", "e5", "d5")
    assert claim(played(passing, "Ng1f3", "Nf6g8", "f3g1", "g8f6", "Ng1f3", "Nf6g8", "f3g1", "g8f6")) == ""
    unable = played(opening(), "e4", "d5")  # nobody stands beside the pawn
    assert claim(played(unable, *KNIGHTS * 2)) == "threefold"


def test_after_fifty_moves_a_draw_can_be_claimed() -> None:
    """9.3."""
    position = position_of("4k3/8/8/8/8/8/8/R3K3 w - - 98 90")
    assert claim(played(position, "Ra2")) == ""
    assert claim(played(position, "Ra2", "Ke7")) == "fifty"


def test_after_seventy_five_moves_it_is_a_draw_unless_it_is_mate() -> None:
    """9.6.2."""
    assert played(position_of("4k3/8/8/8/8/8/8/R3K3 b - - 149 99"), "Ke7").over == "seventyfive"
    assert played(position_of("6k1/5ppp/8/8/8/8/8/R3K3 w - - 149 99"), "Ra8").over == "mate"
    assert played(position_of("6k1/5ppp/8/8/8/8/8/R3K3 w - - 149 99"), "Kd2").over == "seventyfive"


def test_a_capture_and_a_pawn_begin_the_count_again() -> None:
    position = position_of("4k3/8/8/8/8/8/4P3/r3K3 b - - 80 90")
    assert played(position, "Ra2", "e4").quiet == 0
    assert played(position, "Ra2").quiet == 81


def test_a_position_stays_small() -> None:
    """At most 150 keys, because the count of quiet plies ends the game."""
    position = played(opening(), *(KNIGHTS * 3)[:-2])
    assert len(GAME.dump(position)) < 500
    assert len(played(position, "e4").past) == 1


# The claim


def test_a_claim_ends_the_board_without_consent() -> None:
    logged = Logged(GAME)
    logged.moves(*KNIGHTS)
    assert logged.does(0, Kind.PROPOSE).offer is not None
    logged.moves(*KNIGHTS)
    assert "propose" in play.verbs(logged.board, 0, logged.log)
    board = logged.does(0, Kind.PROPOSE)
    assert (result(board), board.offer, board.to_move) == (Outcome("threefold", (1, 1)), None, frozenset())


def test_whose_move_repeated_the_position_can_claim_it_too() -> None:
    """9.2.1: a player can also claim because of the move that he is about to make."""
    logged = Logged(GAME)
    logged.moves(*KNIGHTS * 2)
    assert result(logged.does(1, Kind.PROPOSE)).reason == "threefold"


def test_an_open_request_does_not_prevent_a_claim() -> None:
    logged = Logged(GAME)
    logged.moves(*KNIGHTS * 2)
    logged.does(1, Kind.UNDO)
    assert result(logged.does(0, Kind.PROPOSE)).reason == "threefold"


def test_a_claim_is_told() -> None:
    logged = Logged(GAME)
    logged.moves(*KNIGHTS * 2)
    told = "The position stands for the third time: propose ends the board as a draw."
    assert [note.text for note in logged.log[-1].notes] == [told]


@pytest.mark.parametrize(("kind", "ranks"), [(Kind.FORFEIT, (1, 1)), (Kind.RESIGN, (1, 2))])
def test_a_lone_king_does_not_win_on_time(kind: Kind, ranks: tuple[int, int]) -> None:
    """6.9."""
    alone = Logged(GAME, origin=position_of("4k3/4q3/8/8/8/8/8/4K3 w - - 0 1"))
    assert result(alone.does(1, kind)) == Outcome(kind.value, ranks)
    other = Logged(GAME, origin=position_of("4k3/4q3/8/8/8/8/8/4K3 w - - 0 1"))
    assert result(other.does(0, kind)) == Outcome(kind.value, (2, 1))


@pytest.mark.parametrize(
    ("men", "can"),
    [
        *(("KNkq", False), ("KNkqq", False), ("KNkr", True), ("KNkp", True), ("KNkn", True), ("KNkqp", True)),
        *(("KNNkq", True), ("KBkqr", False), ("KBkp", True), ("KBkn", True), ("KBbk", True), ("KBkb", False)),
        *(("KB.Bkqr", False), ("KBNkq", True), ("KPk", True), ("KRkq", True), ("Kkqrbnp", False)),
    ],
)
def test_which_men_win_on_time(men: str, can: bool) -> None:
    """6.9. Next to each other, two bishops stand on squares of different colours."""
    assert could_mate(men.ljust(64, "."), 0) == can
    assert could_mate(men.swapcase().ljust(64, "."), 1) == can


@pytest.mark.slow
def test_queens_never_help_a_lone_knight_to_mate() -> None:
    """Every square that knight and king leave to the enemy king has a queen of its own: that is all that could help."""
    for king in (s for s in range(64) if s % 8 < 4 and s // 8 <= s % 8):  # the others are mirrored
        for knight in KNIGHT[king]:
            for own in set(range(64)) - {king, knight, *KING[king]}:
                bare = "".join({king: "k", knight: "N", own: "K"}.get(s, ".") for s in range(64))
                left = {s for s in KING[king] if s not in {*KNIGHT[knight], *KING[own]}}
                queens = "".join("q" if s in left else man for s, man in enumerate(bare))
                assert next(legal(Position(queens, turn=1)), None), queens


def test_a_board_that_began_earlier_keeps_its_rule_about_time() -> None:
    """With the first rules only a king alone did not win."""
    begun = play.begin(
        Start(games.find("chess", 1), {}, 2, "00", origin=position_of("4k3/4q3/8/8/8/8/8/4KN2 w - - 0 1"))
    )
    assert result(play.resign(begun, 1, Kind.FORFEIT).board).ranks == (1, 2)
    assert begun.game.info.pattern == GAME.info.pattern


# Fischer random chess


def test_the_usual_position_is_one_of_the_960() -> None:
    assert opening(STANDARD).board == opening().board == position_of(START).board


def test_all_960_positions_differ_and_keep_the_rules() -> None:
    ranks = {opening(n).board[:8] for n in range(POSITIONS)}
    assert len(ranks) == POSITIONS
    for rank in ranks:
        assert sorted(rank) == sorted("RNBQKBNR")
        assert rank.index("R") < rank.index("K") < rank.rindex("R")
        assert (rank.index("B") + rank.rindex("B")) % 2


@pytest.mark.parametrize(("number", "rank"), [(0, "BBQNNRKR"), (518, "RNBQKBNR"), (959, "RKRNNQBB")])
def test_the_positions_are_numbered_as_everywhere(number: int, rank: str) -> None:
    assert opening(number).board[:8] == rank


def test_the_seed_chooses_the_position() -> None:
    boards = {play.begin(Start(GAME, {"960": ""}, 2, f"{n:032x}")).position.board for n in range(20)}
    assert len(boards) > 10
    assert all(board[:8] == board[56:].upper() for board in boards)


@pytest.mark.parametrize(
    ("fen", "text", "move", "rank"),
    [
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "O-O", "f1g1", ".....RK."),
        ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "O-O", "g1h1", ".....RK."),  # the king stays
        ("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", "O-O-O", "c1b1", "..KR...."),  # both change places
        ("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "O-O-O", "b1a1", "..KR...."),
        ("4k3/8/8/8/8/8/8/1K4R1 w G - 0 1", "b1g1", "b1g1", ".....RK."),
    ],
)
def test_castling_in_fischer_random_chess(fen: str, text: str, move: str, rank: str) -> None:
    assert parsed(fen, text, fischer=True) == move
    assert played(position_of(fen, fischer=True), text).board[:8] == rank


def test_a_step_of_the_king_is_not_castling() -> None:
    """With the king on f1 and the rook on h1, f1g1 is a step, and castling is f1h1 or O-O."""
    fen = "4k3/8/8/8/8/8/8/5K1R w H - 0 1"
    assert played(position_of(fen, fischer=True), "f1g1").board[:8] == "......KR"
    assert played(position_of(fen, fischer=True), "f1h1").board[:8] == ".....RK."


def test_a_rook_must_not_uncover_its_king_by_castling() -> None:
    """The rook on b1 shields the king from the queen on a1 until it jumps over it."""
    assert not any(m.rook >= 0 for m in legal(position_of("4k3/8/8/8/8/8/8/qRK5 w B - 0 1", fischer=True)))


def test_the_picture_shows_check_and_what_was_captured() -> None:
    position = played(position_of(START), "e2e4", "e7e5", "d1h5", "b8c6", "h5f7")
    picture = GAME.picture(GAME.view(position, None))
    assert [cell.name for cell in picture.cells if cell.state == CHECK] == ["e8"]
    (tray,) = picture.beside
    assert (tray.says, tray.only_drawn) == ("Captured by White", True)
    assert [(p.in_ascii, p.art) for cell in tray.cells for p in cell.pieces] == [("p1", "pawn")]


def test_a_pawn_that_became_a_queen_was_not_captured() -> None:
    picture = GAME.picture(GAME.view(position_of("rnbqkbnr/1ppppppp/8/8/8/8/1PPPPPPP/QNBQKBNR w - - 0 1"), None))
    taken = {tray.says: tray.holds for tray in picture.beside}
    assert taken == {"Captured by White": ("pawn",), "Captured by Black": ("rook",)}
