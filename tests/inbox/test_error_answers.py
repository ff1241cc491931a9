"""Errors: each answer says what is wrong, gives the usage, and an example that works."""

from dataclasses import dataclass

import pytest

from pbmserv.commands import reserved
from pbmserv.games.base import View
from pbmserv.games.base import board as play
from pbmserv.games.capture.tumbling_down import TumblingDown
from pbmserv.games.solitaire.threes import Threes
from tests.commands.answers import diagram_of, example, fail, run, try_example, usage
from tests.world import World

MOVE = "tumble move board userid password move …"
CHALLENGE = "tumble challenge userid … [-options] [--options]"
SIGNUP = "signup userid password [address …]"


@dataclass(frozen=True)
class Bad:
    """A wrong line from bob, and parts of the answer. The boards are those of `busy`."""

    line: str
    says: str
    usage: str = ""
    board: int = 0
    hint: str = ""

    def __str__(self) -> str:
        return self.line


CASES = (
    # words that are not known
    Bad("tumbel show 101", "There is no such game.", "game show board|userid …", hint="Did you mean: tumble"),
    Bad("rummy show 101", "There is no game 'rummy'.", "game show board|userid …", hint="Available: tumble"),
    Bad("sigup bob secret", "There is no command 'sigup'.", SIGNUP, hint="Did you mean: signup"),
    Bad("tumble moev 101 bob bob-secret a5-b4t", "There is no command 'moev' in Tumbling Down.", MOVE),
    Bad("tumble frobnicate 101", "There is no such command in Tumbling Down.", hint="Send: tumble help"),
    Bad("tumble", "The line names a game, but no command", hint="send: tumble help"),
    Bad("tumble list", "There is no command 'list' in Tumbling Down.", "list [game …]", hint="without the game"),
    Bad("show alice", "There is no command 'show'.", "game show board|userid …", hint="Begin the line with the "
        "game."),
    Bad("tumble show bobb", "There is no player 'bobb'.", "tumble show board|userid …", hint="Did you mean: bob"),
    Bad("tumble show zaza", "There is no player 'zaza'.", hint="signup USERID PASSWORD"),
    Bad("tumble show 999", "There is no board '999'.", "tumble show board|userid …", hint="send: list"),
    Bad("tumble move 999 bob bob-secret a5-b4t", "There is no board '999'.", MOVE),
    Bad("tumble move abc bob bob-secret a5-b4t", "'abc' is not a board number.", MOVE, hint="look like 101"),
    Bad("tumble show 101#7", "There is no ply 7 on this board: its last ply is 1.", hint="Send #0 to #1"),
    Bad("help zork", "There is no help page 'zork'.", "help [subject …]", hint="town, threes"),
    Bad("list rummy", "There is no game of that name.", "list [game …]", hint="Available: tumble"),
    # who and which board
    Bad("tumble move 101 bob wrong-secret a5-b4t", "The password is not that of bob.", MOVE, 101),
    Bad("tumble move 101 bobb bob-secret a5-b4t", "There is no player 'bobb'.", MOVE, 101, hint="Did you mean: bob"),
    Bad("tumble move 101 carol carol-secret a5-b4t", "carol does not play on board 101. Its players are: alice and "
        "bob.", MOVE, 101),
    Bad("threes move 101 bob bob-secret a5-b4t", "Board 101 is a Tumbling Down board.", MOVE, 101,
        hint="Send: tumble move 101 bob PASSWORD a5-b4t"),
    Bad("threes show 101", "Board 101 is a Tumbling Down board.", hint="Send: tumble show 101"),
    # moves
    Bad("tumble move 101 bob bob-secret a5-b3", "'a5-b3' is not possible", MOVE, 101, hint="a single man goes"),
    Bad("tumble move 101 bob bob-secret h2-h5t", "the top man on h2 is not yours", MOVE, 101),
    Bad("tumble move 101 bob bob-secret d5-d6", "d5 is empty", MOVE, 101),
    Bad("tumble move 101 bob bob-secret jump", "'jump' is not a move in Tumbling Down.", MOVE, 101),
    Bad("tumble move 101 bob bob-secret a5-b4t#7", "The next ply is 2", MOVE, 101),
    Bad("tumble move 101 alice alice-secret h1-h5t", "It is not your turn on this board.", MOVE, 101),
    Bad("tumble move 102 bob bob-secret a5-b4t", "This board is over.", MOVE, 102),
    Bad("tumble resign 102 bob bob-secret", "This board is over.", "tumble resign board userid password", 102),
    Bad("tumble accept 101 bob bob-secret", "There is no open proposal", "tumble accept board userid password", 101),
    Bad("tumble undo 101 bob bob-secret", "You have no move on this board", "tumble undo board userid password", 101),
    Bad("tumble decline 101 alice alice-secret", "You have already moved on this board",
        "tumble decline board userid password", 101),
    Bad("threes propose 103 bob bob-secret", "Threes has no draw by agreement.",
        "threes propose board userid password", 103),
    # accounts
    Bad("signup alice another-secret", "The userid alice is taken.", SIGNUP, hint="signup alice-2 PASSWORD"),
    Bad("signup a dora-secret", "'a' cannot be a userid: it must have 2 to 20 letters", SIGNUP),
    Bad("signup 4ever dora-secret", "'4ever' cannot be a userid", SIGNUP),
    Bad("signup dora abc", "A password must have 6 to 128 characters", SIGNUP),
    Bad("signup dora with:colon", "A password must have 6 to 128 characters", SIGNUP),
    Bad('signup dora "quoted"', "A password must have 6 to 128 characters", SIGNUP),
    Bad("signup dora -dashed-secret", "A password must have 6 to 128 characters", SIGNUP),
    Bad("signup dora dora-secret nowhere@", "not a valid mail address", SIGNUP, hint="name@example.org"),
    Bad("signup dora", "The password is missing.", SIGNUP),
    # challenges
    Bad("tumble challenge bob bobb", "There is no player 'bobb'.", CHALLENGE, hint="Did you mean: bob"),
    Bad("tumble challenge bob", "Tumbling Down is for 2 players, not for 1.", CHALLENGE),
    Bad("tumble challenge bob alice carol", "Tumbling Down is for 2 players, not for 3.", CHALLENGE),
    Bad("tumble challenge", "At least one userid is missing.", CHALLENGE),
    Bad("threes challenge bob alice", "Threes is for 1 player, not for 2."),
    Bad("3io challenge bob alice bob", "One player cannot have two seats on this board."),
    Bad("tumble challenge bob alice -x", "There is no option '-x'.", CHALLENGE, hint="Available: -c, --as"),
    Bad("tumble challenge bob alice -c=3", "The option '-c' is written like this: -c", CHALLENGE),
    Bad("go challenge bob alice -komi=7.3", "The option '-komi' needs a number from -150 to 150 in steps of 0.5",
        CHALLENGE.replace("tumble", "go")),
    Bad("tumble challenge bob alice --nagtime", "'--nagtime' is written like this: --nagtime=DAYS", CHALLENGE),
    Bad("tumble challenge bob alice --nagtime=soon", "'--nagtime' needs a number of days.", CHALLENGE),
    Bad("tumble -c challenge bob alice", "An option cannot come before the command.", CHALLENGE),
    Bad("trippples challenge bob alice -p -h", "The options -p and -h do not go together."),
    Bad("trippples challenge bob alice -d", "Trippples with option -d is for 4 players, not for 2."),
    # too few, too many, in the wrong place
    Bad("tumble move 101 bob bob-secret", "At least one move is missing.", MOVE, 101),
    Bad("tumble move 101 bob", "The password is missing.", MOVE, 101),
    Bad("tumble move", "The board is missing.", MOVE),
    Bad("tumble resign 101 bob bob-secret now", "There is one word too many at the end.",
        "tumble resign board userid password", 101),
    Bad("games tumble all", "There is one word too many at the end.", "games [game]"),
    Bad("tumble show 101 -c", "The command show takes no options.", "tumble show board|userid …"),
    Bad("tumble show 101 bob", "Name boards or players, not both."),
    Bad("tumble games next", "The line names no player.", hint="Send: tumble games USERID next"),
    Bad("threes show next", "The line names no player.", hint="Send: threes show USERID next"),
    Bad("tumble set bob bob-secret x", "There is no display of that name", hint="Available: h, u"),
    Bad("threes set bob bob-secret u", "Threes has only one display."),
    # too short
    Bad("tumble re 101 bob bob-secret", "'re' could mean several commands.", hint="tumble reject, tumble resign"),
    Bad("tumble res 101 bob bob-secret", "'res' is too short", "tumble resign board userid password"),
    Bad("tumble acc 101 bob bob-secret", "'acc' is too short", "tumble accept board userid password"),
    Bad("tumble decl 101 bob bob-secret", "'decl' is too short", "tumble decline board userid password"),
)  # fmt: skip


@pytest.fixture
def busy(world: World) -> World:
    """On board 101 bob is to move against alice, 102 is over, on 103 bob plays threes alone."""
    world.once(_play)
    return world


def _play(world: World) -> None:
    world.signup("carol")
    world.board("alice", "bob", options="-c")
    run(world, "alice", "tumble move 101 alice alice-secret h1-h5t")
    world.board("alice", "bob")
    run(world, "alice", "tumble resign 102 alice alice-secret")
    world.board("bob", game="threes")


@pytest.mark.slow
@pytest.mark.parametrize("bad", CASES, ids=str)
def test_an_error_says_what_is_wrong_and_gives_a_line_that_works(busy: World, bad: Bad) -> None:
    answer = fail(busy, "bob", bad.line)
    text = answer.flat
    assert bad.says in text
    assert bad.hint in text
    assert answer.to == "bob@example.org"
    assert "-secret" not in answer.text
    assert (usage(answer) == bad.usage) if bad.usage else True
    if bad.board:
        assert diagram_of(busy, bad.board) in answer.text
        assert answer.subject.endswith(f"Board {bad.board} error")
    try_example(busy, "bob", answer)


def test_of_far_too_many_opponents_not_all_are_looked_for(busy: World) -> None:
    many = " ".join(f"qq{n}" for n in range(1, 13))
    answer = fail(busy, "alice", f"tumble challenge {many}")
    assert "Tumbling Down is for 2 players, not for 12." in answer.text
    assert "'qq10'" in answer.text
    assert "'qq11'" not in answer.text


def test_an_example_names_no_private_board_to_whoever_gives_its_players_name(busy: World) -> None:
    busy.board("carol", "dave", options="--private")
    answer = fail(busy, "alice", "tumble move 999 carol wrong-secret h4-g5t")
    assert "104" not in answer.text
    answer = fail(busy, "carol", "tumble move 999 carol carol-secret h4-g5t")
    assert example(answer).startswith("tumble move 104 carol PASSWORD ")


def test_an_example_tells_nothing_hidden_to_whoever_gives_a_players_name(
    busy: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Alice has moved on board 101, but spectators still see the first position."""
    first = play.begin(busy.row(101).board.start).position
    monkeypatch.setattr(TumblingDown, "view", lambda self, p, seat: View(seat, first if seat is None else p))
    wrong = fail(busy, "alice", "tumble move 101 bob wrong-secret a5-a5")
    assert example(wrong) == "tumble show 101"
    right = fail(busy, "bob", "tumble move 101 bob bob-secret a5-a5")
    assert example(right).startswith("tumble move 101 bob PASSWORD ")


@pytest.mark.slow
def test_words_of_the_language_cannot_be_userids(world: World) -> None:
    before = world.dump()
    for number, word in enumerate(reserved()):
        sender = f"bob{number // 50}"  # nobody gets more than a hundred answers in an hour
        (answer,) = world.mail(sender, f"signup {word} bob-secret")
        assert "word of the command language" in answer.text or "cannot be a userid" in answer.text, word
        assert usage(answer) == SIGNUP
    assert world.dump() == before


def test_an_ambiguous_move_is_answered_with_its_candidates(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    number = world.board("alice", game="threes")
    monkeypatch.setattr(Threes, "named", lambda self, position, seat, text: ("w", "a", "s", "d"))
    answer = fail(world, "alice", f"threes move {number} alice alice-secret up")
    assert "'up' could mean w or a or s or d" in answer.flat
    assert "Send one of: w, a, s, d" in answer.text


@pytest.mark.parametrize(
    "line",
    [
        "tumble move 101 canary7 bob a5-b4t",  # userid and password in the wrong order
        "tumble move 101 canary7 a5-b4t",
        "tumble move 101 bob a5-b4t canary7",
        "tumble move 101 bob canary7",
        "tumble move canary7 bob 101 a5-b4t",
        "tumble move 101 bob bob-secret a5-b4t canary7 a5-b4t",
        "tumble canary7 move 101 bob a5-b4t",
        "canary7 tumble move 101 bob a5-b4t",
        "signup canary7 bob",
        "signup dora dora-secret canary7",
        "tumble challenge bob canary7",
        "tumble challenge bob alice --as=canary7",
        "tumble challenge bob alice --nagtime=canary7",
        "tumble challenge bob alice --canary7",
        "tumble show canary7",
        "tumble games bob canary7",
        "tumble set bob bob-secret canary7",
        "tumble resign 101 bob bob-secret canary7",
        "help canary7",
        "list canary7",
    ],
)
def test_a_password_in_a_wrong_place_is_not_repeated(busy: World, line: str) -> None:
    answer = busy.mail("bob", line)[-1]
    several = busy.mail("bob", "multiple", f"{line}\n{line}")[-1]
    assert "canary7" not in answer.text + several.text
    assert "canary7" not in str(busy.query(lambda s: s.mails.newest()))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("go challenge bob alice -size=10", "-size=15, -size=17 The usual value is -size=19, which you can leave out."),
        ("go challenge bob alice -size=10", "Your line was read as: go challenge bob alice -size=10 "),
        ("tumble challenge bob alice -fast", "There is no option '-fast'."),
        ("tumble challenge bob alice -fast", "Your line was read as: tumble challenge bob alice -fast "),
        ("tumble challenge bob alice --nagtimee=3", "Your line was read as: tumble challenge bob alice --nagtimee=3 "),
        ("tumble challenge bob canary7 alice", "Send: tumble challenge bob alice "),
        ("tumble challenge bob Canary!7 alice", "write it at the end of the line: --as=USERID:PASSWORD"),
    ],
)
def test_a_refusal_names_its_cause(busy: World, line: str, told: str) -> None:
    (answer,) = busy.mail("bob", line)
    assert told in answer.flat
    assert "anary" not in answer.text


def test_an_example_for_a_public_server_proves_who_is_asking(strict_world: World) -> None:
    (letter,) = strict_world.mail("alice", "signup alice alice-secret")
    strict_world.reply(letter, "yes")
    answer = fail(strict_world, "alice", "threes challenge alice")
    assert example(answer) == "threes challenge alice --as=alice:PASSWORD"
    try_example(strict_world, "alice", answer)
