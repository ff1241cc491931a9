"""Engines of others: what they are told and may say, what becomes of broken ones, and what they are kept from."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from pbmserv.games import find
from pbmserv.games.base.board import Board, Start, begin, play
from pbmserv.games.race.backgammon.cube import doubled
from pbmserv.games.race.backgammon.places import BAR, OFF, digits
from pbmserv.games.race.backgammon.situation import Position
from pbmserv.robots.engines import CannotPlay, EngineFault, Engines, EngineSettings, NoEngine, PlayedSoFar, Strength
from pbmserv.robots.engines.pool import FIRST_PAUSE, speaks
from pbmserv.robots.engines.process import Process, program
from tests.robots import engine_programs

PROGRAMS = Path(engine_programs.__file__)


def engine(mode: str, file: Path, protocol: str = "uci", seconds: float = 30.0) -> EngineSettings:
    return EngineSettings(f"{sys.executable} {PROGRAMS} {mode} {file}", protocol, seconds)  # type: ignore[arg-type]


def installed(settings: EngineSettings) -> EngineSettings:
    try:
        program(settings)
    except EngineFault as missing:
        pytest.skip(str(missing))
    return settings


def record(board: Board, *texts: str) -> PlayedSoFar:
    """The record of a board after these moves."""
    positions, moves = [board.position], []
    for text in texts:
        (seat,) = board.to_move
        board = play(board, seat, text).board
        positions.append(board.position)
        moves.append((seat, text))
    return PlayedSoFar(board.game, board.start.options, positions, moves)


def board(game: str, **options: str) -> Board:
    return begin(Start(find(game), options, 2, "0" * 32))


@pytest.fixture
def pools() -> Iterator[list[Engines]]:
    """Engines that end with the test."""
    made = list[Engines]()
    yield made
    for engines in made:
        engines.close()


def is_alive(pid: int) -> bool:
    with suppress(OSError):
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return False


@pytest.mark.slow
@pytest.mark.parametrize("mode", engine_programs.FAULTS)
def test_a_broken_engine_is_ended_with_its_children_and_pauses(mode: str, tmp_path: Path, pools: list[Engines]) -> None:
    pids, now = tmp_path / "pids", [0.0]
    seconds = 2.0 if mode in ("silent", "slow") else 30.0
    engines = Engines({"bad": engine(mode, pids, seconds=seconds)}, lambda: now[0])
    pools.append(engines)
    game = record(board("chess"))
    for fault in (1, 2, 3) if mode == "dying" else (1,):
        with pytest.raises(EngineFault, match=engine_programs.FAULTS[mode]):
            engines.choose("bad", game, Strength())
        children = [int(pid) for pid in pids.read_text().split()]
        assert len(children) == 4
        assert not any(map(is_alive, children))
        assert engine_programs.FAULTS[mode] in engines.news()["bad"]
        now[0] += FIRST_PAUSE * 2 ** (fault - 1) - 1
        with pytest.raises(NoEngine, match="pauses"):
            engines.choose("bad", game, Strength())
        now[0] += 2
    assert engines.news() == {}


def test_a_process_has_no_secret_no_network_and_a_bound_of_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBMSERV_SECRET_KEY", "very secret")
    settings = EngineSettings("/bin/sh", "uci", memory=300)
    process = Process(settings)
    try:
        told = "\n".join(
            process.ask(
                "tr '\\0' ' ' < /proc/$$/environ; echo; ls /sys/class/net /proc/net/dev_mcast; "
                "cat /proc/$$/limits /proc/net/dev; ls -l /proc/$$/fd; echo end",
                lambda x: x == "end",
                30,
            )
        )
    finally:
        process.end()
    assert "secret" not in told
    assert told.startswith("\n")
    assert "300000000" in next(line for line in told.splitlines() if line.startswith("Max data size"))
    assert [line.split()[8] for line in told.splitlines() if " -> " in line][:3] == ["0", "1", "2"]
    assert told.count(" -> ") <= 4  # and what `ls` opens itself
    names = [line.split(":")[0].strip() for line in told.splitlines() if line.count(":") == 1 and "lo" in line]
    assert process.has_network or names == ["lo"]


@pytest.mark.slow
def test_an_engine_plays_draughts_by_hub_to_the_end(tmp_path: Path, pools: list[Engines]) -> None:
    engines = Engines({"scan": engine("draughts", tmp_path / "log", "hub")})
    pools.append(engines)
    game, texts = board("draughts", international=""), ["32-28", "19-23", "28x19", "14x23"]
    for text in texts:
        (seat,) = game.to_move
        game = play(game, seat, text).board
    first = record(board("draughts", international=""), *texts)
    (line,) = engines.analyse("scan", first)
    assert line.score == 0.25
    assert len(line.moves) == 1
    assert 'moves="32-28 19-23 28x19x23 14x23x19"' in (tmp_path / "log").read_text()
    while game.result is None:
        (seat,) = game.to_move
        reply = engines.choose("scan", first, Strength(nodes=10))
        game = play(game, seat, reply.text).board
        first = replace(first, positions=[*first.positions, game.position], moves=[*first.moves, (seat, reply.text)])
    assert len(first.moves) > 30
    with pytest.raises(CannotPlay, match="international"):
        engines.choose("scan", record(board("draughts")), Strength())
    with pytest.raises(CannotPlay, match="do not play Turkish Draughts"):
        engines.check("scan", Strength(), find("turkishdraughts"))
    for key, options in (("frisiandraughts", {}), ("draughts", {"international": ""})):  # it is told each change
        game = board(key, **options)
        play(game, 0, engines.choose("scan", record(game), Strength(nodes=10)).text)
    told = [line for line in (tmp_path / "log").read_text().splitlines() if line.startswith("set-param")]
    assert told == ["set-param name=variant value=frisian", "set-param name=variant value=normal"]


STOCKFISH = EngineSettings("stockfish", "uci", 30, nodes=2000)
GNUGO = EngineSettings("gnugo --mode gtp --chinese-rules --level 1", "gtp", 30)
GNUBG = EngineSettings("gnubg", "gnubg", 30, setup=("plies 0",))


@pytest.mark.slow
def test_stockfish_knows_the_whole_game_and_plays_by_elo(pools: list[Engines]) -> None:
    engines = Engines({"stockfish": installed(STOCKFISH)})
    pools.append(engines)
    # White would be lost but for a draw by repetition, which a position alone does not show.
    mated = record(board("chess"), "f2f3", "e7e5", "g2g4")
    (line,) = engines.analyse("stockfish", mated)
    assert line.mate == 1
    assert line.moves == ("d8h4",)
    assert engines.choose("stockfish", mated.until(2), Strength(elo=1500)).value is not None
    with pytest.raises(CannotPlay, match="Elo of this engine is from"):
        engines.check("stockfish", Strength(elo=10))
    fischer = record(board("chess", **{"960": ""}))
    first = engines.choose("stockfish", fischer, Strength())
    assert record(board("chess", **{"960": ""}), first.text).moves[0][1] == first.text


@pytest.mark.slow
def test_fairy_stockfish_is_told_which_game_like_chess_it_plays(pools: list[Engines]) -> None:
    fairy = EngineSettings("fairy-stockfish", "uci", 30)
    engines = Engines({"fairy": installed(fairy), "stockfish": installed(STOCKFISH)})
    pools.append(engines)
    moves = ("e2e4", "e7e5", "e1e2", "d7d5", "e2e3", "g8f6", "e4d5", "f6d5")
    (line,) = engines.analyse("fairy", record(board("hill"), *moves))
    assert (line.mate, line.moves) == (1, ("e3e4",))  # the king is on the hill
    dropped = record(board("crazyhouse"), "e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5g2", "p*e4")
    assert engines.analyse("fairy", dropped)[0].moves
    shogi = record(board("shogi"), "7g7f", "3c3d", "8h2b+", "3a2b", "b*4e", "2b3c", "4e3d")
    (line,) = engines.analyse("fairy", shogi)
    assert line.moves
    (line,) = engines.analyse("fairy", record(board("chess"), "f2f3", "e7e5", "g2g4"))
    assert line.mate == 1
    with pytest.raises(CannotPlay, match="does not play Atomic Chess"):
        engines.check("stockfish", Strength(), find("atomic"))


def test_gnu_go_knows_captures_ko_and_komi(pools: list[Engines]) -> None:
    engines = Engines({"gnugo": installed(GNUGO)})
    pools.append(engines)
    corner = record(board("go", size="9", komi="20.5"), "a2", "a1", "b1", "pass", "e5", "pass")
    (line,) = engines.analyse("gnugo", corner)
    assert find("go").in_points(line.value) == pytest.approx(line.score)
    reply = engines.choose("gnugo", corner, Strength())
    assert reply.text != "a1"
    handicap = record(board("go", size="9", handicap="3"))
    assert engines.choose("gnugo", handicap, Strength()).text
    with pytest.raises(CannotPlay, match="nodes"):
        engines.check("gnugo", Strength(nodes=7))


@pytest.mark.slow
def test_gnubg_moves_doubles_and_judges_luck(pools: list[Engines]) -> None:
    engines = Engines({"gnubg": installed(GNUBG)})
    pools.append(engines)
    game, first = find("backgammon"), board("backgammon", match="5")
    best, *others = engines.analyse("gnubg", record(first), lines=3)
    assert best.score is not None
    assert all(best.value >= line.value for line in others)
    assert -2 < engines.luck("gnubg", record(first)) < 2
    ahead, behind = {OFF: 9, 1: 3, 2: 3}, {OFF: 1, 1: 4, 2: 4, 3: 3, 4: 3}
    men = tuple(digits([side.get(place, 0) for place in range(BAR + 1)]) for side in (ahead, behind))
    stakes = Position((men[0], men[1]), goal=5)
    assert engines.choose("gnubg", PlayedSoFar(game, {}, [stakes], []), Strength()).text == "double"
    assert engines.choose("gnubg", PlayedSoFar(game, {}, [doubled(stakes)], []), Strength()).text == "drop"
    off = engines.choose("gnubg", PlayedSoFar(game, {}, [replace(stakes, dice=(6, 6))], []), Strength())
    assert off.text == "2/off(3)+1/off"


def test_engines_are_for_games_of_their_protocol_without_hidden_things() -> None:
    assert speaks(STOCKFISH, find("chess"))
    assert not speaks(STOCKFISH, find("go"))
    assert speaks(GNUGO, find("go"))
    assert speaks(GNUGO, find("hex"))
    assert not any(speaks(settings, find("battleship")) for settings in (STOCKFISH, GNUGO, GNUBG))


def test_a_hex_engine_is_told_where_the_stone_is_after_a_swap(tmp_path: Path, pools: list[Engines]) -> None:
    """The engine is a shell that writes down what it reads, and takes all of it."""
    script = f"""while read line; do echo "$line" >> {tmp_path}/log; case "$line" in
        genmove*) echo "= swap-pieces";; *) echo "=";; esac; echo; done"""
    (tmp_path / "hex.sh").write_text(script)
    engines = Engines({"mohex": EngineSettings(f"/bin/sh {tmp_path}/hex.sh", "gtp", 30)})
    pools.append(engines)
    assert engines.choose("mohex", record(board("hex", size="5"), "b4"), Strength()).text == "swap"
    with pytest.raises(EngineFault, match="illegal move swap"):
        engines.choose("mohex", record(board("hex", size="5"), "b4", "swap", "c3"), Strength())
    told = (tmp_path / "log").read_text().splitlines()
    assert [line for line in told if line.startswith(("play", "boardsize"))] == [
        *("boardsize 5", "play b b4"),
        *("boardsize 5", "play w d2", "play b c3"),
    ]
