"""Games of Go in SGF files that become boards here, and files that are refused."""

import pytest

from pbmserv.admin.game_files import add_all
from pbmserv.games.base.sheet import Reading
from pbmserv.games.territory.go.sgf import SGF
from pbmserv.model import Player
from pbmserv.store import Store
from tests.admin.test_game_files import read as read_file
from tests.admin.test_game_files import refusal as refused
from tests.world import World

NAMES = "PB[Ann]PW[Ben]"
#: The other colours, for an odd number of moves that come between.
SWAPPED = (str.maketrans("WB", "BW"), str.maketrans("", ""))


def read(world: World, text: str | bytes, *userids: str) -> int:
    """Import a file with one game; returns the number of its board."""
    (done,) = read_file(world, text, userids, "sgf")
    world.verify()
    return done.row.number


def refusal(world: World, text: str | bytes) -> str:
    return refused(world, text, name="sgf")


def move(world: World, number: int, *moves: str) -> None:
    """Make moves, each by who is to move."""
    for text in moves:
        row = world.row(number)
        (seat,) = row.board.to_move
        userid = row.players[seat].userid
        world.mail(userid, f"go move {number} {userid} {userid}-secret {text}")


def written(world: World, number: int) -> str:
    """Return our own SGF of a board."""
    (letter,) = world.mail("alice", f"go record {number} --format=sgf")[-1:]
    (part,) = letter.message.iter_attachments()
    return bytes(part.get_content()).decode()


def stones(world: World, number: int) -> str:
    """The names of the stones on a board, and whose turn it was at the end."""
    row = world.row(number)
    picture = row.game.picture(row.game.view(row.board.position, None))
    assert picture
    return " ".join(
        f"{c.name}{c.pieces[0].letter or c.pieces[0].sign}"
        for r in picture.rows
        for c in r
        if c and c.pieces and c.pieces[0].art != "owned"
    )


def result(world: World, number: int) -> tuple[str, tuple[int, ...]]:
    found = world.row(number).board.result
    assert found
    return found.reason, found.ranks


def players(world: World, number: int) -> list[Player]:
    return list(world.row(number).players)


def test_a_game_with_all_that_people_add(world: World) -> None:
    text = r"""A letter came with this file.
(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[6.5]PB[Mei\] Lin]PW[Ben]BR[2d]DT[2020-05-17,18]RE[B+Resign]C[Two \\ words: \]]
;B[ee]C[good](;W[gc]LB[gc:1]TR[ee](;B[cg];W[gg])(;B[cc]))(;W[cc]))
"""
    (done,) = read_file(world, text, (), "sgf")
    row = world.row(done.row.number)
    assert [p.userid for p in row.players] == ["mei-lin", "ben"]
    assert f"{row.created:%Y-%m-%d}" == "2020-05-17"
    assert dict(row.board.start.options) == {"size": "9", "komi": "6.5"}
    assert done.left_out == ("2 comments", "2 variations")
    assert stones(world, row.number) == "g7O e5X c3X g3O"
    assert result(world, row.number) == ("resign", (1, 2))
    world.verify()


def test_what_we_write_is_read_back(world: World) -> None:
    world.board("alice", "bob", game="go", options="-size=9 -handicap=3")
    world.mail("bob", "go move 101 bob bob-secret e5")
    world.mail("alice", "go move 101 alice alice-secret pass")
    world.mail("bob", "go resign 101 bob bob-secret")
    (letter,) = world.mail("alice", "go record 101 --format=sgf")[-1:]
    (part,) = letter.message.iter_attachments()
    number = read(world, part.get_content(), "alice", "bob")
    old, new = world.row(101).board, world.row(number).board
    assert (new.position, new.result, new.start.options) == (old.position, old.result, old.start.options)


@pytest.mark.parametrize(
    ("end", "reason", "ranks"),
    [
        ("RE[W+R]", "resign", (2, 1)),
        ("RE[b+t]", "forfeit", (1, 2)),
        ("RE[W + Resignation.]", "resign", (2, 1)),
        ("RE[Black wins by time]", "forfeit", (1, 2)),
        ("RE[B+3.5]", "adjudicated", (1, 2)),
        ("RE[W+]", "adjudicated", (2, 1)),
        ("RE[W+F]", "adjudicated", (2, 1)),
        ("RE[Jigo]", "adjudicated", (1, 1)),
        ("RE[0]", "adjudicated", (1, 1)),
    ],
)
def test_how_a_game_ended(world: World, end: str, reason: str, ranks: tuple[int, int]) -> None:
    assert result(world, read(world, f"(;SZ[9]{NAMES}{end};B[ee];W[cc];B[];W[tt])")) == (reason, ranks)


@pytest.mark.parametrize(
    ("root", "moves", "options"),
    [
        ("KM[375]", ";B[aa]", {}),
        ("KM[3.75]", ";B[aa]", {}),
        ("KM[3.25]", ";B[aa]", {"komi": "6.5"}),
        ("KM[2,75]", ";B[aa]", {"komi": "5.5"}),
        ("KM[-0]", ";B[aa]", {"komi": "0"}),
        ("KM[650]", ";B[aa]", {"komi": "6.5"}),
        ("KM[7,5]", ";B[aa]", {}),
        ("SZ[13:13]KM[0]", ";B[aa]", {"size": "13", "komi": "0"}),
        ("HA[2]KM[0.5]AB[pd][dp]", ";W[aa]", {"handicap": "2"}),
        ("HA[2]AB[pd][dp]KM[5.5]", ";W[aa]", {"handicap": "2", "komi": "5.5"}),
        ("HA[2]", ";B[pd];B[dp];W[aa]", {"handicap": "2"}),
        ("HA[2]", ";W[aa]", {"handicap": "2"}),
        ("HA[2]", ";B[pd];W[];B[dp];W[aa]", {"handicap": "2"}),
        ("HA[2]", ";B[aa];W[bb]", {}),
        ("HA[1]", ";B[aa];W[bb]", {}),
        ("SZ[9]HA[2]AB[ee][gg]", ";W[aa]", {"size": "9"}),
        ("SZ[9]AddBlack[aa:bb]AW[cc]PL[W]", ";W[ii]", {"size": "9"}),
    ],
)
def test_komi_and_handicap_of_all_kinds(world: World, root: str, moves: str, options: dict[str, str]) -> None:
    number = read(world, f"(;{root}{NAMES}RE[B+R]{moves})")
    assert dict(world.row(number).board.start.options) == options


@pytest.mark.slow
def test_a_fork_of_a_handicap_game_keeps_the_number(world: World) -> None:
    world.board("alice", "bob", game="go", options="-size=9 -handicap=5")
    move(world, 101, "c5", "d4")
    world.mail("alice", "go fork 101 alice bob")
    move(world, 102, "c4", "pass", "pass", "count", "count")
    number = read(world, written(world, 102), "alice", "bob")
    old, new = world.row(102).board, world.row(number).board
    assert new.position.handicap == 5
    assert (new.result and new.result.ranks) == (old.result and old.result.ranks) == (2, 1)


def test_black_stones_are_no_handicap_if_the_file_says_so(world: World) -> None:
    six = "AB[aa][cc][ee][gg][ii][ac]"
    number = read(world, f"(;SZ[9]HA[0]{six}PL[B]{NAMES}RE[B+R];B[ba];W[hh])")
    assert world.row(number).board.position.handicap == 0
    assert world.row(number).board.position.komi == 15
    number = read(world, f"(;SZ[9]{six}{NAMES}RE[B+R];W[hh])")
    assert world.row(number).board.position.handicap == 6


def test_no_stones_are_made_up_where_black_begins(world: World) -> None:
    number = read(world, f"(;SZ[9]HA[2]{NAMES}RE[B+R];B[ec];W[ce])")
    assert stones(world, number) == "e7X c5O"
    assert world.row(number).board.position.handicap == 0


def test_handicap_stones_with_passes_between(world: World) -> None:
    number = read(world, f"(;SZ[9]HA[2]{NAMES}RE[B+R];B[cc];W[];B[gg];W[ee])")
    assert stones(world, number) == "c7X e5O g3X"
    assert world.row(number).board.position.handicap == 2


def test_stones_in_the_second_node(world: World) -> None:
    number = read(world, f"(;GM[1]SZ[9]{NAMES};AB[cc][gg]HA[2]RE[B+R];W[ce])")
    assert stones(world, number) == "c7X c5O g3X"
    assert world.row(number).board.position.handicap == 2


def test_white_can_begin_an_even_game(world: World) -> None:
    number = read(world, f"(;GM[1]SZ[9]PL[W]{NAMES}RE[B+R];W[ce];B[ee])")
    assert stones(world, number) == "c5O e5X"
    assert world.row(number).board.position.komi == 15


def test_a_game_without_a_result_is_void(world: World) -> None:
    for moves in (";B[ee];W[cc]", ";B[ee];W[cc];B[];W[]"):
        number = read(world, f"(;SZ[9]{NAMES}RE[Void]{moves})")
        assert result(world, number)[0] == "voided"


@pytest.mark.parametrize("passes", [2, 3, 4, 5, 6, 9])
def test_many_passes_in_the_middle_and_at_the_end(world: World, passes: int) -> None:
    colours = [colour for _ in range(passes) for colour in "WB"]
    line = "".join(f";{colours[n]}[]" for n in range(passes))
    number = read(
        world, f"(;SZ[9]{NAMES}RE[B+R];B[ee]{line};{colours[passes]}[ff]{line.translate(SWAPPED[passes % 2])})"
    )
    assert stones(world, number) == f"e5X f4{'OX'[passes % 2]}"


def test_free_handicap_counts_as_much(world: World) -> None:
    number = read(world, f"(;SZ[9]HA[2]AB[ee][gg]{NAMES}RE[B+R];W[aa];B[ba])")
    assert stones(world, number) == "a9O b9X e5X g3X"
    assert world.row(number).board.position.handicap == 2


def test_who_plays_on_after_two_passes_has_wanted_no_count(world: World) -> None:
    number = read(world, f"(;SZ[9]{NAMES}RE[B+R];B[ee];W[tt];B[];W[cc];B[gg])")
    assert stones(world, number) == "c7O e5X g3X"
    number = read(world, f"(;SZ[9]{NAMES}RE[B+R];B[ee];W[];B[];W[])")
    assert world.row(number).board.position.count


@pytest.mark.parametrize(
    ("encoding", "name"), [("gb18030", "Müller"), ("shift_jis", "M-5"), ("latin-1", "Müller"), ("utf-8", "Müller")]
)
def test_files_in_the_encoding_that_they_name(world: World, encoding: str, name: str) -> None:
    text = f"(;CA[{encoding}]SZ[9]PB[{name}]PW[Ben 十段]RE[B+R];B[ee])"
    number = read(world, text.encode(encoding, "replace"))
    assert players(world, number)[0].userid == name.lower().replace("ü", "u")


@pytest.mark.parametrize(
    ("label", "encoding", "name"),
    [
        ("shift_jis", "cp932", "\u9ad9\u6a4b"),
        ("SJIS", "cp932", "\u9ad9\u6a4b"),
        ("gb2312", "gb18030", "\u9ec3\u9f8d"),
        ("GBK", "gb18030", "\u3eda"),
        ("euc-kr", "cp949", "\ub620"),
        ("Big5", "cp950", "\u7881"),
    ],
)
def test_a_label_can_mean_an_encoding_with_more_letters(label: str, encoding: str, name: str) -> None:
    data = f"(;CA[{label}]GM[1]SZ[9]PB[{name}]PW[\u8868]RE[B+R];B[ee];W[dd])".encode(encoding)
    assert SGF.read
    (reading,) = SGF.read(data)
    assert isinstance(reading, Reading)
    assert reading.players == (name, "\u8868")
    assert len(reading.moves) == 2


@pytest.mark.parametrize("bad", ["(;SZ[9]KM[x];B[ee])", "(;SZ[9]FF[4];B[ee]", "(;SZ[9]([aa])"])
def test_bad_games_can_be_skipped(world: World, bad: str) -> None:
    text = f"(;SZ[9]{NAMES}RE[B+R];B[ee])\n{bad}\n(;SZ[9]{NAMES}RE[W+R];B[cc])\n"
    skipped: list[str] = []
    with world.engine.begin() as connection:
        done = add_all(Store(connection), text.encode(), "sgf", (), world.now, skipped)
    assert [result(world, game.row.number)[1] for game in done] == [(1, 2), (2, 1)]
    assert len(skipped) == 1
    assert skipped[0].startswith("Game 2")


def test_several_games_in_a_file(world: World) -> None:
    done = read_file(world, f"(;SZ[9]{NAMES}RE[B+R];B[ee])\n(;SZ[9]{NAMES}RE[W+R];B[cc])", (), "sgf")
    assert [result(world, game.row.number)[1] for game in done] == [(1, 2), (2, 1)]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "There is no game in this file."),
        (f"(;GM[11]SZ[11]{NAMES};B[a1])", "Game 1: it is no game of go"),
        (
            f"(;SZ[8]{NAMES}RE[B+R];B[aa])",
            "Game 1: its board has the size '8'; odd sizes from 5 to 19 can be read.",
        ),
        (f"(;KM[x]{NAMES}RE[B+R];B[aa])", "Game 1: its komi 'x' is no number of halves."),
        (f"(;KM[6_5]{NAMES}RE[B+R];B[aa])", "Game 1: its komi '6_5' is no number of halves."),
        (f"(;KM[6.3]{NAMES}RE[B+R];B[aa])", "Game 1: its komi '6.3' is no number of halves."),
        (f"(;AB[zz]{NAMES}RE[B+R])", "Game 1: AB[zz] is no point of its board."),
        (f"(;{NAMES}RE[B+R];B[aa];B[bb])", "Game 1: move 2 is Black's, but it is White's turn."),
        (f"(;{NAMES}RE[B+R];W[aa])", "Game 1: move 1 is White's, but it is Black's turn."),
        (f"(;HA[12]{NAMES}RE[B+R];W[aa])", "Game 1: it has HA[12], but does not say where these stones are."),
        (f"(;{NAMES}RE[B+R];B[aa];AE[aa])", "Game 1: after move 1, stones are set up by hand."),
        (f"(;{NAMES}RE[B+R];B[aa]W[bb])", "Game 1: after move 0, both players move at once."),
        (f"(;{NAMES}RE[B+R];B[aa];AW[bb])", "Game 1: after move 1, stones are set up by hand."),
        (f"(;{NAMES}RE[B+R];B[aa];W[aa])", "Game 1: move 2 (White a19) cannot be played: 'a19' is not possible"),
        (f"(;{NAMES}RE[B+R];B[zz])", "Game 1: move 1 (Black zz) cannot be played: 'zz' is not a move"),
        (f"(;SZ[9]{NAMES}RE[B+R];B[ss])", "Game 1: move 1 (Black ss) cannot be played"),
        (f"(;{NAMES}RE[B+R];B[aa)", "Game 1, after 1 moves: it cannot be read from here: [aa)"),
        (f"(;{NAMES}RE[B+R];B[aa]", "Game 1, after 1 moves: it never ends."),
        ("(;[aa])", "Game 1, after 0 moves: a value belongs to no property."),
        (f"(;{NAMES};B[aa])", "Game 1: it is not over, so its players must have accounts here."),
    ],
)
def test_a_file_that_is_refused(world: World, text: str, why: str) -> None:
    assert why in refusal(world, text)


@pytest.mark.parametrize(
    "part", ["(", "(;", "(;B[aa]", "[", "(;A[", "(;A[\\", "(;A[a]\\]", "CA[", "( ", "(;)", "\n(;FF["]
)
def test_hostile_files_end_soon(world: World, part: str) -> None:
    """Nothing calls itself, and each character is looked at a few times only: 300,000 of them take about a second."""
    refusal(world, part * (300_000 // len(part)))


def test_a_game_that_breaks_the_superko_names_the_move(world: World) -> None:
    ko = ";B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[cb];W[bb];B[cb]"
    assert "move 9 (Black c8) cannot be played" in refusal(world, f"(;SZ[9]{NAMES}RE[B+R]{ko})")


def test_a_result_that_cannot_be_read_is_left_out(world: World) -> None:
    world.signup("ann", "ben")
    (done,) = read_file(world, "(;PB[Ann]PW[Ben]RE[maybe];B[aa])", ("ann", "ben"), "sgf")
    assert (done.row.board.result, done.left_out) == (None, ("the result 'maybe', which cannot be read",))
