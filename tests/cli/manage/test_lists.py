"""Every list: for people at 80 columns, in pipes, and for programs with the keys that docs/operating.md names."""

import re
from typing import Any

import pytest
import typer

from pbmserv.cli.main import app
from pbmserv.cli.pages.command_tree import leaves, parameters
from pbmserv.cli.terminal.console import console
from pbmserv.letters.text.times import utc_now
from pbmserv.robots.reviewing.review import Review
from pbmserv.store import Store
from tests.cli.conftest import Desk, move
from tests.tools.tree import ROOT
from tests.world import World

BOXES = set("┏━┳┓┃┡╇┩│└─┴┘")
#: The keys of each command's JSON: of each row, or of the whole if it is no list.
KEYS = {
    words: set(keys.split(", "))
    for words, keys in re.findall(
        r"^\| `([a-z ]+)` \| ([a-z0-9_+, ]+) \|$", (ROOT / "docs/operating.md").read_text(), re.MULTILINE
    )
}
#: What the commands need besides their names.
WORDS = {
    "boards log": "101",
    "boards show": "101",
    "boards verify": "",
    "games options": "trippples",
    "letters show": "1",
    "mail show": "1",
    "players addresses": "alice",
    "players show": "alice",
    "ratings pairs": "--since 2026-02-01",
    "ratings show": "tumble",
    "stats": "--since 2026-02-01",
    "tournaments show": "1",
    "trace": "--board 101",
}


def _fill(world: World) -> None:
    """Let every list have a row."""
    desk = Desk(world)
    move(world, "bob", "f6-f5")
    world.play()
    world.mail("bob", "tumble resign 101 bob bob-secret")
    desk.run("robots", "add", "robert", "--game", "tumble")
    desk.run("tournaments", "new", "tumble", "--form", "league", "--start", "2030-01-31")
    world.mail("alice", "tournament join 1 alice alice-secret")
    desk.run("players", "ban", "mallory@example.net", "--why", "insults")
    world.act(_review)
    world.now = utc_now()
    world.mail("alice", "message alice alice-secret bob", "Hello.")


def _review(store: Store) -> None:
    """Keep a review of board 101."""
    store.reviews.ask(101, 3, (0,), utc_now())
    review = store.reviews.take(101, now=0.0, until=1.0)
    assert review
    result = Review((90.0, 80.0), (), (), agreement=(0.5, None), judge="robot 3")
    assert store.reviews.finish(review, result._asdict(), utc_now())


@pytest.mark.slow
@pytest.mark.both
def test_lists_fit_on_the_screen_and_in_pipes_and_are_json_with_known_keys(
    busy: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy.world.once(_fill)
    for command, keys in KEYS.items():
        words = (*command.split(), *WORDS.get(command, "").split())
        is_table = _is_table_of_known_keys(busy, command, words, keys)
        with monkeypatch.context() as patch:
            patch.setattr(console, "_force_terminal", True)
            shown = re.sub(r"\x1b\[[0-9;]*m", "", busy.run(*words).output)
        assert len(shown.splitlines()) > 3 * is_table, command
        assert max(map(len, shown.splitlines())) <= 80 or not is_table, command


def _is_table_of_known_keys(busy: Desk, command: str, words: tuple[str, ...], keys: set[str]) -> bool:
    """Check what programs read, and return whether people get a table."""
    found = busy.json(*words)
    lines = busy.run(*words).stdout.splitlines()
    assert not BOXES & set("".join(lines)), command
    if not isinstance(found, list):
        assert found.keys() == keys, command
        return False
    assert len(found) > 0, command
    told = {key for row in found for key in row}
    assert told == keys or (command in STORIES and told < keys), command
    if is_table := command not in STORIES:
        assert len(lines) == len(found) + 1 + (command in TOTALS), command
    return is_table


STORIES = ("trace", "mail show")  #: several lines for each row
TOTALS = ("letters queue",)  #: a line for all rows, which JSON leaves out


def test_every_command_that_lists_has_json_and_its_keys_are_told() -> None:
    def has_json(command: Any) -> bool:
        return any("--json" in p.opts for p in parameters(command))

    commands = {path.removeprefix("pbmserv "): c for path, c in leaves(typer.main.get_command(app), "pbmserv")}
    shows = {name for name, c in commands.items() if re.match("List|Show|Count", c.help)} - {"web"}
    assert [name for name in shows if not has_json(commands[name])] == []
    assert {name for name, c in commands.items() if has_json(c)} - CHECKED_ELSEWHERE == KEYS.keys()


#: They look at a server, or change something: test_status.py and test_doctor.py, mailing/, manage/test_boards.py.
CHECKED_ELSEWHERE = {"status", "doctor", "health", "boards import", "mailbox verify"}


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("boards", "list", "--game", "rummy"), 66, "There is no game rummy. Available: tumble"),
        (("boards", "list", "--player", "zoe"), 66, "There is no player zoe."),
        (("boards", "list", "--status", "sleeping"), 64, "sleeping"),
        (("letters", "list", "--status", "queue"), 64, "queue"),
        (("mail", "list", "--status", "shelf"), 64, "shelf"),
        (("boards", "verify", "999"), 1, "board 999"),
        (("boards", "list", "--waiting-since", "soon"), 64, "'soon' is not a time in a known form"),
        (("boards", "show", "999"), 66, "There is no board 999."),
        (("boards", "show", "101", "--ply", "9"), 66, "There is no ply 9"),
        (("boards", "show", "101", "--as", "carol"), 66, "carol does not play on board 101."),
        (("boards", "record", "999"), 66, "There is no board 999."),
        (("games", "rules", "rummy"), 66, "There is no game rummy."),
        (("ratings", "show", "rummy"), 66, "There is no game rummy."),
        (("mail", "show", "99"), 66, "There is no mail 99."),
        (("boards",), 64, "Usage"),
        (("boards", "shew"), 64, "shew"),
        (("players", "lock"), 64, "USERID"),
    ],
)
def test_what_is_not_there(busy: Desk, words: tuple[str, ...], code: int, says: str) -> None:
    assert says in busy.says(*words, code=code)
