"""The first session of a new operator: every line goes by `pbmserv send`, every answer is checked as it is printed."""

import json
import re
from dataclasses import dataclass

import pytest
from rich.table import Table

from pbmserv.cli.terminal.console import add_row, console
from tests.tools.process import Process

pytestmark = pytest.mark.slow  # the session starts twenty processes
A, B = "alice@example.org", "bob@example.org"


@dataclass(frozen=True)
class Line:
    """One `pbmserv send`, and words that the letters it prints must contain."""

    words: tuple[str, ...]
    expected: tuple[str, ...]
    stdin: str = ""


SESSION = (
    Line((A, "signup alice secret1"), ("To: alice@example.org", "Welcome, alice. Your account is open.")),
    Line((B, "signup bob secret2"), ("To: bob@example.org", "Welcome, bob. Your account is open.")),
    Line(
        (A, "tumble challenge alice bob -c"),
        ("Subject: Tumble Board 101 alice", "Your move, alice.", " 8|W4      |W3 ", "|B3      |B4      |"),
    ),
    Line((A, "tumble move 101 alice secret1 h4-g5t"), ("It is bob's turn, alice.", " 1  h4-f6t\n")),
    Line(
        (B, "Tumble Board 101 bob secret2 A5B4T"),
        ("Subject: Tumble Board 101 bob", "It is alice's turn, bob.", " 1  h4-f6t           a5-c3t"),
    ),
    Line((A, "--reply", "h3-g4"), ("It is bob's turn, alice.", " 2  h3-g4")),
    Line(
        (B, "--reply", "h3-g4"),
        ("Subject: Tumble Board 101 error", "'h3-g4' is not possible: the top man on h3 is not yours."),
    ),
    Line((B, "--reply", "b6-c5", "--body", "-"), ("It is alice's turn, bob.",), stdin="Good luck!\n"),
    Line((A, "tumble show 101"), ("h3-g4            b6-c5", "To move: alice, ply 5.")),
    Line((A, "tumble show 101#1"), ("after ply 1", " 1  h4-f6t\n", " 4|W1      |        |")),
    Line((B, "tumble set bob secret2 u"), ("Your display for Tumbling Down boards is u.",)),
    Line((B, "tumble showas bob secret2 101"), ("To move: alice, ply 5.",)),
    Line((A, "tumble games"), ("   101  tumble         4", "*alice, bob")),
    Line((A, "help"), ("signup USERID PASSWORD", "help commands")),
    Line((A, "help commands"), ("Server commands", "game challenge userid", "game resign board userid password")),
    Line((A, "list"), ("Running boards", "*alice, bob")),
    Line(
        (A, "multiple", "--body", "-"),
        (
            "> games\nThe games of this server:",
            "> (a line that was not understood)\nThere is no command 'frob'",
            "> list\nNot run.",
        ),
        stdin="games\ntumble frob\nlist\n",
    ),
    Line(
        (B, "--reply", "resign", "--body", "-"),
        ("Board 101 is over: alice wins (by resignation).", "alice used "),
        stdin="Well played.\n",
    ),
)


@pytest.fixture(scope="module")
def played(server: Process) -> Process:
    """The server after the session."""
    for line in SESSION:
        printed = server.told("send", *line.words, stdin=line.stdin)
        missing = [text for text in line.expected if text not in printed]
        assert not missing, (line.words, missing, printed)
    return server


def test_the_session_is_in_the_log(played: Process) -> None:
    """The admin sees each entry, and can find the mail that caused it by its number."""
    shown = played.told("boards", "show", "101")
    assert "Tumble Board 101 (-c, rated" in shown
    assert "over: alice wins (by resignation)" in shown
    entries = re.findall(r"^(\d) +[-\d]+ [:\d]+ +(\w+) +(\w+) +(\S*) +(\d) +(\d+)$", shown, re.M)
    assert [e[1:4] for e in entries] == [
        ("alice", "move", "h4-f6t"),
        ("bob", "move", "a5-c3t"),
        ("alice", "move", "h3-g4"),
        ("bob", "move", "b6-c5"),
        ("bob", "resign", ""),
    ]
    cause = played.told("mail", "show", entries[1][5])
    assert "from bob@example.org" in cause
    assert "call: tumble move 101 bob PASSWORD A5B4T" in cause
    assert "board 101, entry 2: bob move a5-c3t, ply 2" in cause
    to_the_relay = r"letter \d+ \(board\) to alice@example.org:\n +accepted by the relay .*\n +alice@example.org/new/"
    assert re.search(to_the_relay, cause)


def test_boards(played: Process) -> None:
    """Commands about boards: lists, an old ply, a player's view, the record, the check."""
    assert "alice, bob" in played.told("boards", "list")
    (listed,) = json.loads(played.told("boards", "list", "--json"))
    assert (listed["number"], listed["game"], listed["ply"], listed["players"]) == (101, "tumble", 4, ["alice", "bob"])
    assert json.loads(played.told("boards", "list", "--status", "active", "--json")) == []
    early = played.told("boards", "show", "101", "--ply", "0", "--as", "bob")
    assert " 5|W2      |W1      |" in early
    assert "B1      |B2      |\n" in early
    record = json.loads(played.told("boards", "record", "101"))
    assert re.fullmatch("[0-9a-f]{32}", record["seed"])
    assert "1 boards replayed, 0 differ" in played.told("boards", "verify")
    assert "1 boards replayed, 0 differ" in played.told("boards", "verify", "101")


def test_players(played: Process) -> None:
    """Commands about accounts and their addresses."""
    assert [p["userid"] for p in json.loads(played.told("players", "list", "--json"))] == ["alice", "bob"]
    assert "open" in played.told("players", "list")
    assert "bob@example.org  confirmed" in played.told("players", "show", "bob")
    hashed = played.query(lambda s: s.players.find("bob")).password_hash
    assert hashed.startswith("$argon2id$v=19$m=19456,t=2,p=1$")


def test_mails(played: Process) -> None:
    """Every mail is listed with its result, and no password is shown."""
    mails = json.loads(played.told("mail", "list", "--json"))
    assert len(mails) == len(SESSION)
    assert [m["status"] for m in mails].count("error") == 2
    assert mails[-1]["calls"] == "signup alice PASSWORD"
    kept = played.told("mail", "list") + json.dumps(mails) + played.log
    assert "secret1" not in kept
    assert "secret2" not in kept


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("boards", "show", "999"), 66, "There is no board 999."),
        (("boards", "show", "101", "--as", "carol"), 66, "There is no player carol."),
        (("boards", "show", "101", "--ply", "9"), 66, "There is no ply 9 on this board: its last ply is 4."),
        (("boards", "list", "--player", "carol"), 66, "There is no player carol."),
        (("players", "show", "carol"), 66, "There is no player carol."),
        (("mail", "show", "999"), 66, "There is no mail 999."),
        (("send", "carol@example.org", "--reply", "a1-a2"), 66, "carol@example.org has no board letter to answer."),
        (("send", A, "list", "--body", "no/such/file"), 66, "The body cannot be read:"),
        (("send", A, "list", "--to", "somebody@elsewhere.example"), 69, "did not take the mail: "),
    ],
)
def test_what_is_not_there(played: Process, words: tuple[str, ...], code: int, says: str) -> None:
    """The output is a sentence and an exit code, never a traceback."""
    done = played.asked(*words)
    assert (done.exit_code, says in done.stderr) == (code, True), done.output
    assert done.stdout == ""


def test_brackets_are_no_markup(capsys: pytest.CaptureFixture[str]) -> None:
    """Words of a player are shown in a table as they are. As markup they would be an error."""
    table = Table("calls")
    add_row(table, "tumble show [/bold] [red]x :bug:")
    console.print(table)
    assert "tumble show [/bold] [red]x :bug:" in capsys.readouterr().out
