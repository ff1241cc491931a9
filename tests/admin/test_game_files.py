"""Games in PGN files that become boards here, and files that are refused."""

from collections.abc import Sequence

import pytest

from pbmserv.admin.game_files import Imported, add_all
from pbmserv.admin.imports import RecordRefused
from pbmserv.games.base.log import Kind
from pbmserv.store import Store
from tests.world import World

#: Adolf Anderssen and Lionel Kieseritzky, London 1851; known to everybody, and in nobody's copyright.
IMMORTAL = """[Event "London"]
[Site "London ENG"]
[Date "1851.06.21"]
[Round "?"]
[White "Anderssen, Adolf"]
[Black "Kieseritzky, Lionel"]
[Result "1-0"]

{ An offhand game. } 1.e4 e5 2.f4 exf4 3.Bc4 Qh4+ 4.Kf1 b5?! 5.Bxb5 Nf6 6.Nf3 Qh6 7.d3 Nh5 8.Nh4 Qg5 9.Nf5 c6
10.g4 Nf6 11.Rg1! $1 cxb5 (11... h5 {is better} (11... d5 12. h4) 12.h4) 12.h4 Qg6 13.h5 Qg5 14.Qf3 Ng8 15.Bxf4 Qf6
16.Nc3 Bc5 17.Nd5 Qxb2 18.Bd6 Bxg1 19.e5 Qxa1+ 20.Ke2 Na6 21.Nxg7+ Kd8 22.Qf6+ Nxf6 23.Be7# 1-0
"""

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"


def tagged(moves: str, **tags: str) -> str:
    """A game of two closed accounts."""
    tags = {"White": "Ann", "Black": "Ben", **tags}
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items() if value) + f"\n{moves}\n\n"


def read(world: World, text: str | bytes, userids: Sequence[str] = (), name: str = "pgn") -> list[Imported]:
    """Import a file."""
    data = text if isinstance(text, bytes) else text.encode()
    with world.engine.begin() as connection:
        return add_all(Store(connection), data, name, userids, world.now)


def refusal(world: World, text: str | bytes, userids: Sequence[str] = (), name: str = "pgn") -> str:
    """Import a file that is refused; returns why. Nothing has changed."""
    before = world.dump()
    with pytest.raises(RecordRefused) as refused:
        read(world, text, userids, name)
    assert world.dump() == before
    return str(refused.value)


def test_a_capital_b_in_a_file_is_a_bishop(world: World) -> None:
    (done,) = read(world, tagged("1. B1c3 1-0", SetUp="1", FEN="4k3/8/8/B7/8/8/8/BN2K3 w - - 0 1"))
    assert world.row(done.row.number).board.position.board[18] == "B"


def test_a_game_of_1851(world: World) -> None:
    (done,) = read(world, IMMORTAL)
    row = world.row(done.row.number)
    assert (row.board.ply, row.board.result and row.board.result.reason) == (45, "mate")
    assert [p.userid for p in row.players] == ["anderssen-adolf", "kieseritzky-lionel"]
    assert row.players[0].password_hash is None
    assert f"{row.created:%Y-%m-%d}" == "1851-06-21"
    assert not row.settings.rated
    assert set(done.left_out) == {"1 comment", "1 sign", "1 variation"}
    world.verify()


@pytest.mark.parametrize(
    ("fen", "variant", "options", "left_out"),
    [
        ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", "", {"960": ""}, ()),
        ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9", "", {"960": ""}, ()),
        ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w hfHF - 2 9", "Chess-960", {"960": ""}, ()),
        ("4k3/8/8/8/8/8/P7/4K2R w KQkq - 0 1", "", {}, ("3 rights to castle",)),
        ("4k3/8/8/8/8/8/P7/4K2R w K - 0 1", "Standard chess", {}, ()),
        ("4k3/8/8/8/8/8/P7/4KRR1 w FG", "Chess960", {"960": ""}, ("1 right to castle",)),
        ("4k3/8/8/8/8/8/P7/RR2KRR1 w AFGB", "Chess960", {"960": ""}, ("2 rights to castle",)),
        ("4k3/8/8/8/8/8/P7/4K2R w KHK", "Chess960", {"960": ""}, ()),
    ],
)
def test_rights_to_castle_tell_the_variant(
    world: World, fen: str, variant: str, options: dict[str, str], left_out: tuple[str, ...]
) -> None:
    """Rights that king and rooks cannot have are left out."""
    (done,) = read(world, tagged("9. a4 1-0", FEN=fen, Variant=variant))
    assert (done.row.board.start.options, done.left_out) == (options, left_out)


@pytest.mark.parametrize(
    ("board", "passed", "told"),
    [
        (START, "e6", True),  # no pawn there
        (START, "e3", True),  # one of the side to move
        (START, "a4", True),
        ("rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR", "e6", False),  # it has passed, and nobody can capture it
        ("rnbqkbnr/ppppnppp/8/4p3/8/8/PPPPPPPP/RNBQKB1R", "f6", True),
        ("rnbqkbnr/ppppnppp/4n3/4p3/8/8/PPPPPPPP/RNBQKB1R", "e6", True),  # occupied
    ],
)
def test_a_square_that_no_pawn_has_passed_over_is_left_out(world: World, board: str, passed: str, told: bool) -> None:
    (done,) = read(world, tagged("1. a4 1-0", FEN=f"{board} w KQkq {passed} 0 1"))
    assert done.left_out == (f"the right to capture on {passed}, which no pawn has passed over",) * told
    assert world.row(done.row.number).board.ply == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1"])
def test_signs_of_other_programs_are_read(world: World, encoding: str) -> None:
    """Values with quotes and brackets, with and without a backslash, and zeros at the end of the file."""
    text = tagged("1. e4 1-0", Event=r"The \"[Big]\"] one", Site='a "b" c', Annotator="Müller") + "\0\0"
    (done,) = read(world, text.encode(encoding))
    assert done.row.board.ply == 1


@pytest.mark.slow
def test_what_we_write_is_read_back(world: World) -> None:
    world.board("alice", "bob", game="chess", options="-960")
    moves = [world.row(101).board.game.example(world.row(101).board.position, 0)]
    world.mail("alice", f"chess move 101 alice alice-secret {moves[0]}")
    world.mail("bob", "chess resign 101 bob bob-secret")
    (letter,) = world.mail("alice", "chess record 101 --format=pgn")[-1:]
    (part,) = letter.message.iter_attachments()
    (done,) = read(world, part.get_content(), ("alice", "bob"))
    old, new = world.row(101).board, world.row(done.row.number).board
    assert (new.position, new.result, new.start.options) == (old.position, old.result, old.start.options)
    world.verify()


@pytest.mark.parametrize("sign", ["e.p.", "ep", "+-", "-+", "=", "mate", "ch", "N", "D", "±", "∓", "+=", "∞", "△"])
def test_remarks_after_a_move_are_left_out(world: World, sign: str) -> None:
    (done,) = read(world, tagged(f"1. e4 {sign} e5 {sign} 2. Nf3 {sign} 1-0"))
    assert (done.row.board.ply, done.left_out) == (3, ("3 signs",))


#: Moves as programs and people write them, and how many there are.
SPELLINGS = [
    ("1.e4 1…e5 2.Nf3 {[%clk 0:05]} 2...Nc6$1 3 . Bb5!? a6", 6),
    ("1. ♙e4 ♟e5 2. ♘f3 ♞c6 3. ♗b5 ♝c5 4. ♔e2 ♛e7", 8),
    ("1. e2–e4 d7-d5 2. e4:d5 Q:d5 3. Ng1-f3± Qd8† 4. g3 Nc6 5. Bg2 Nf6 6. O–O", 11),
    ("1. Pe4 Pa6 2. Pe4-e5 d5 3. exd6/ep cxd6 4. h4 (4. -- h5) h5 5. Rh3", 9),
    ("1.\u200be4 \u200ee5\u200f [%eval 0.1] 2. Nf3", 3),
]


def test_moves_in_all_spellings(world: World) -> None:
    done = read(world, "".join(tagged(f"{text} 1-0") for text, _ in SPELLINGS))
    assert [game.row.board.ply for game in done] == [count for _, count in SPELLINGS]


@pytest.mark.parametrize(
    ("end", "tag", "ranks"),
    [
        ("1 - 0", "", (1, 2)),
        ("O-1", "0:1", (2, 1)),
        ("e5*", "1–0", (1, 2)),
        ("1/2 - 1/2", "½-½", (1, 1)),
        ("0.5-0.5", "1/2", (1, 1)),
        ("1-0 1-0", "", (1, 2)),
    ],
)
def test_results_in_all_spellings(world: World, end: str, tag: str, ranks: tuple[int, int]) -> None:
    (done,) = read(world, tagged(f"1. e4 {end}", Result=tag))
    result = world.row(done.row.number).board.result
    assert (result and result.ranks) == ranks


def test_what_stands_after_a_result_is_no_game(world: World) -> None:
    """It is left out, and so is a tag that cannot be read."""
    text = tagged("1. e4 1-0 {well played} (1. d4 d5 *) $1", **{"White-Elo": "1500"}) + tagged(
        "1. d4 0-1", Result="1 to 0"
    )
    first, second = read(world, text)
    assert first.left_out == ("1 unread tag", "1 comment", "1 variation", "1 sign")
    assert second.left_out == ("the result '1 to 0', which cannot be read",)


def test_names_of_tags_in_small_letters(world: World) -> None:
    (done,) = read(world, '[white "Ann"]\n[black "Ben"]\n[Fen "4k3/8/8/8/8/8/4P3/4K3 w - -"]\n\n1. Kd1 1-0\n')
    assert done.row.board.position.board[3] == "K"


def test_the_game_after_a_bad_one_needs_no_empty_line(world: World) -> None:
    skipped: list[str] = []
    text = '[White "Ann"]\n1. e4 } 1-0\n[Event "x"]\n' + tagged("1. d4 1-0")
    with world.engine.begin() as connection:
        done = add_all(Store(connection), text.encode(), "pgn", (), world.now, skipped)
    assert (len(done), len(skipped)) == (1, 1)


def test_several_games_in_a_file_of_any_encoding(world: World) -> None:
    text = "\ufeff" + "\r\n".join(
        [
            '[White "Müller"]\r\n[Black "Ben"]\r\n[Result "1/2-1/2"]\r\n\r\n1. e4 e5 1/2-1/2',
            "% a line that programs skip",
            tagged("1 d4 d5 ; a comment\r\n 2. c4 *", Result="0-1").replace("\n", "\r\n"),
        ]
    )
    done = read(world, text)
    assert [game.row.players[0].userid for game in done] == ["muller", "ann"]
    reasons = [world.row(game.row.number).board.result for game in done]
    assert [r and (r.reason, r.ranks) for r in reasons] == [("agreed", (1, 1)), ("resign", (2, 1))]
    (latin,) = read(world, tagged("1. e4 1-0", White="Müller").encode("latin-1"))
    assert latin.row.players[0].userid == "muller"
    world.verify()


@pytest.mark.parametrize(
    ("moves", "tags", "reason", "ranks"),
    [
        ("1. e4 0-1", {}, "resign", (2, 1)),
        ("1. e4 1-0", {"Termination": "time forfeit"}, "forfeit", (1, 2)),
        ("1. e4 1-0", {"Termination": "Ann won on time"}, "forfeit", (1, 2)),
        ("1. e4 1-0", {"Termination": "timeout"}, "forfeit", (1, 2)),
        ("1. e4 1-0", {"Termination": "timelord won by resignation"}, "resign", (1, 2)),
        ("1. e4 1-0", {"Termination": "adjudication"}, "adjudicated", (1, 2)),
        ("1. e4 1/2-1/2", {"Termination": "rules infraction"}, "adjudicated", (1, 1)),
        ("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2", {}, "threefold", (1, 1)),
        ("1. f3 e5 2. g4 Qh4 0-1", {"Termination": "time forfeit"}, "mate", (2, 1)),
        ("", {"Result": "1-0"}, "resign", (1, 2)),
    ],
)
def test_how_a_game_ended(world: World, moves: str, tags: dict[str, str], reason: str, ranks: tuple[int, int]) -> None:
    (done,) = read(world, tagged(moves, **tags))
    result = world.row(done.row.number).board.result
    assert result
    assert (result.reason, result.ranks) == (reason, ranks)
    world.verify()


def test_a_game_that_is_not_over_goes_on_here(world: World) -> None:
    world.signup("carol", "dave")
    text = tagged("1. e4 *")
    assert "must have accounts here" in refusal(world, text)
    assert "There is no player eve" in refusal(world, text, ("carol", "eve"))
    (done,) = read(world, text, ("carol", "dave"))
    assert len(world.mail("dave", f"chess move {done.row.number} dave dave-secret e5")) == 2
    world.verify()


def test_nobody_plays_on_with_a_closed_account(world: World) -> None:
    world.signup("carol")
    read(world, tagged("1. e4 1-0"))  # makes the closed accounts ann and ben
    assert "The account of ann is closed, and the game is not over." in refusal(
        world, tagged("1. e4 *"), ("ann", "carol")
    )


def test_nobody_with_an_account_gets_a_game_by_accident(world: World) -> None:
    world.signup("ann")
    assert "may be somebody else than ann here. To say who played, add --players" in refusal(world, tagged("1. e4 1-0"))
    (done,) = read(world, tagged("1. e4 1-0"), ("ann", "ben"))
    assert done.row.players[0].password_hash


@pytest.mark.parametrize(
    ("fen", "tags", "move"),
    [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", {}, "1. e4"),
        ("4k3/8/8/8/8/8/4P3/4K3 b - - 10 40", {}, "1... Kd7"),
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", {}, "1. exf6"),
        ("nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1", {"Variant": "Chess960"}, "1. e4"),
        ("nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w GBgb - 0 1", {"Variant": "Fischerandom"}, "1. e4"),
    ],
)
def test_games_that_begin_elsewhere(world: World, fen: str, tags: dict[str, str], move: str) -> None:
    (done,) = read(world, tagged(f"{move} 1-0", SetUp="1", FEN=fen, **tags))
    kinds = [line.entry.kind for line in world.query(lambda s: s.boards.log(done.row.number))]
    assert kinds == [Kind.MOVE, Kind.RESIGN]
    world.verify()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "There is no game in this file."),
        (tagged("1. e4 e5 2. Ke3 1-0"), "Game 1: 2. Ke3 cannot be played: 'Ke3' is not possible"),
        (
            tagged("1. e4 1-0") + tagged("1. e4 e5 2. Nf3 Nf9 1-0"),
            "Game 2: 2... Nf9 cannot be played: 'Nf9' is not a move",
        ),
        (tagged("1. e4 -- 1-0"), "Game 1: 1... -- cannot be played"),
        (tagged("1. f3 e5 2. g4 Qh4# 3. a3 0-1"), "Game 1: 3. a3 comes after the end of the game (checkmate)."),
        (
            tagged("1. f3 e5 2. g4 Qh4# 1-0"),
            "Game 1: its result is not the one of our rules, by which it ended so: checkmate.",
        ),
        (tagged("1. e4 1-0", Result="0-1"), "Game 1: its tag Result says 0-1, and its moves end with 1-0."),
        (tagged("1. e4 1-0 0-1"), "Game 1, after 1 moves: it has two results, 1-0 and 0-1."),
        (tagged("1. e4 (1. d4 1-0"), "Game 1, after 1 moves: a variation begins with '(' and never ends."),
        (tagged("1. e4 ) 1-0"), "Game 1, after 1 moves: a ')' closes no variation."),
        (tagged("1. e4 { and so on"), "Game 1: line 4 cannot be read from here: { and so on"),
        (tagged("1. e4 1-0", White="", Black=""), "the name of player 1, '', makes no userid. To say who played"),
        (tagged("1. e4 1-0", White="李"), "the name of player 1, '李', makes no userid."),
        (tagged("1. e4 1-0", Variant="Atomic"), "Game 1: its variant 'Atomic' is not played here"),
        (tagged("1. e4 1-0", Variant="Chess960"), "Game 1: a game of Chess960 needs the tag FEN"),
        (tagged("1. e4 1-0", FEN="x"), "Game 1: The FEN 'x' is no position: the board needs eight ranks"),
        (tagged("1. e4 1-0", FEN=f"{START} x"), "'x' is not w or b"),
        (tagged("1. e4 1-0", FEN=f"{START} w xx"), "'xx' are no rights to castle"),
        (tagged("1. e4 1-0", FEN=f"{START} w - e9"), "'e9' is no square that a pawn has passed over"),
        (tagged("1. e4 1-0", FEN=f"{START} w - - x"), "'x' is no number of plies without a capture"),
        (tagged("1. e4 1-0", FEN=f"{START} w - - 0 1 2"), "it needs six fields"),
        (tagged("1. e4 1-0", FEN="8/8/8/8/8/8/8/K7 w"), "each side needs one king"),
        (tagged("1. e4 1-0", FEN="k7/8/8/8/8/8/8/K6P w"), "a pawn stands on the first or last rank"),
        (tagged("1. e4 1-0", FEN="k7/8/8/8/8/8/7/K7 w"), "a rank has not eight squares"),
        (tagged("1. e4 1-0", FEN="k7/8/8/8/8/8/8/R6K w"), "the side that is not to move is in check"),
        ("<html>no chess</html>", "cannot be played"),
    ],
)
def test_a_file_that_is_refused(world: World, text: str, why: str) -> None:
    assert why in refusal(world, text)


@pytest.mark.slow
@pytest.mark.parametrize(
    "part",
    ["(", "{", "[", '[A "', "1. ", "$1 ", "; ", '[A ""]\n', "((e4)", "1-0 ", '{\n\n[A "b"]\n', '[Event "x"]\n{ x\n'],
)
def test_hostile_files_end_soon(world: World, part: str) -> None:
    """Nothing calls itself, and each character is looked at a few times only: 300,000 of them take about a second."""
    refusal(world, part * (300_000 // len(part)))


def test_bounds(world: World) -> None:
    assert "has more than 16,000,000 bytes" in refusal(world, b" " * 16_000_001)
    assert "Game 1: it has more than 20,000 moves." in refusal(world, tagged("e4 " * 20_000))


def test_a_comment_that_never_ends_takes_no_other_game(world: World) -> None:
    """Not even if a comment of a later game would end it."""
    skipped: list[str] = []
    text = tagged("1. e4 {oops") + tagged("1. d4 {fine} 1-0") + tagged("1. c4 0-1")
    with world.engine.begin() as connection:
        done = add_all(Store(connection), text.encode(), "pgn", (), world.now, skipped)
    assert [game.row.board.ply for game in done] == [1, 1]
    assert skipped == ["Game 1: line 4 cannot be read from here: {oops"]


#: What can be wrong with a game in the middle of a file, and what is said of it.
BAD = [
    ("1. e4 { and so on", "Game 2: line 9 cannot be read from here: { and so on"),
    ("1. e4 ) e5 1-0", "Game 2, after 1 moves: a ')' closes no variation."),
    ("1. e4 e5 2. Ke3 1-0", "Game 2: 2. Ke3 cannot be played: 'Ke3' is not possible"),
    ("1. e4 (1. d4 1-0", "Game 2, after 1 moves: a variation begins with '(' and never ends."),
    ("1. e4 e5 *", "Game 2: it is not over, so its players must have accounts here."),
]


@pytest.mark.parametrize(("moves", "why"), BAD)
def test_bad_games_can_be_skipped(world: World, moves: str, why: str) -> None:
    text = tagged("1. e4 e5 1-0") + tagged(moves) + tagged("1. d4 d5 0-1")
    assert why in refusal(world, text)
    skipped: list[str] = []
    with world.engine.begin() as connection:
        done = add_all(Store(connection), text.encode(), "pgn", (), world.now, skipped)
    results = [game.row.board.result for game in done]
    assert [result and result.ranks for result in results] == [(1, 2), (2, 1)]
    assert len(skipped) == 1
    assert why in skipped[0]
    assert len(world.query(lambda s: s.board_lists.numbers())) == 2
    world.verify()
