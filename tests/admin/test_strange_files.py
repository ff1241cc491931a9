"""Files that programs, people and chance have made: each becomes boards, or is refused with a sentence."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbmserv.admin.game_files import add_all, formats
from pbmserv.admin.imports import RecordRefused, restore
from pbmserv.boards.records import record_of
from pbmserv.store import Store
from tests.admin.test_game_files import IMMORTAL
from tests.examples import examples
from tests.world import World

GO = r"""(;GM[1]FF[4]CA[UTF-8]SZ[9]HA[2]KM[6.5]PB[Mei\] Lin]PW[Ben]AB[cc][gg]DT[2020-05-17,18]RE[W+R]C[Two \\ words: \]]
;W[ee]C[good](;B[gc];W[](;B[tt])(;B[ci]))(;B[cd]))
(;GM[1]SZ[9]PB[Mei]PW[Ben]RE[B+3.5];B[ee];W[cc];B[];W[])"""
FROM_A_FEN = """[White "A b"]
[Black "C d"]
[Variant "Chess960"]
[FEN "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w GBgb - 0 1"]

1. e4 e5 {x} 2. Ng3 $1 (2. d4 (2. d3)) Ng6 1/2-1/2
"""
#: What means something in one of the formats.
PARTS = [
    *'()[]{};:"\\.,*/%$-+!?=<> \n\r\0\t', "\r\n\r\n", "1-0", "1/2", "0-1 ", "--", "Z0", "O-O-O", "0-0", "exd6 e.p.",
    "B2c3", "♘f3", "bxc", '[FEN "', '[Result "*"]', "w KQkq e3 0 1", "8/8/8/8/8/8/8/8", "(;", "AB[aa:zz]", "AW[",
    "PL[W]", "HA[9]", "SZ[19]", "KM[9e999]", "KM[,]", "CA[UTF-16]", "CA[idna]", "RE[B+", "DT[9999-99-99]", "tt",
    "null", "true", "-1", "1e999", '"seat":7,', '"ply":-3,', '"text":"\\ud800",', "\ud7ff\ufeff\u0663½", "9" * 30,
]  # fmt: skip
Edit = tuple[int, int, bytes]
EDITS = st.lists(
    st.tuples(
        st.integers(0, 5000),
        st.integers(0, 30),
        st.one_of(st.sampled_from([part.encode() for part in PARTS]), st.binary(max_size=6)),
    ),
    max_size=6,
)


def edited(data: bytes, edits: list[Edit]) -> bytes:
    """Put other bytes in the place of some."""
    for place, length, part in edits:
        at = place % (len(data) + 1)
        data = data[:at] + part + data[at + length :]
    return data


@pytest.fixture
def originals(world: World) -> dict[str, list[bytes]]:
    """Files by format that can be read."""
    world.board("alice", "bob", game="chess")
    world.mail("alice", "chess move 101 alice alice-secret e4")
    world.mail("bob", "chess resign 101 bob bob-secret")
    row = world.row(101)
    record = json.dumps(record_of(row, world.query(lambda s: s.boards.log(101))))
    return {"json": [record.encode()], "pgn": [IMMORTAL.encode(), FROM_A_FEN.encode()], "sgf": [GO.encode()]}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["json", *formats()])
@settings(examples(12, 50), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(which=st.integers(0, 5), edits=EDITS, skips=st.booleans())
def test_any_bytes_are_boards_or_refused(
    world: World, originals: dict[str, list[bytes]], name: str, which: int, edits: list[Edit], skips: bool
) -> None:
    data = edited(originals[name][which % len(originals[name])], edits)
    with world.engine.connect() as connection:
        why = refusal(Store(connection), data, name, world, [] if skips else None)
        connection.rollback()
    assert edits or why is None
    assert why != ""


def refusal(store: Store, data: bytes, name: str, world: World, skipped: list[str] | None) -> str | None:
    """Import a file; returns why it is refused, None if it is not."""
    try:
        if name == "json":
            restore(store, data, world.now)
        else:
            add_all(store, data, name, (), world.now, skipped)
    except RecordRefused as refused:
        return str(refused)
    return None
