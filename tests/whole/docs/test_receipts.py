"""The program of docs/receipts.md finds every change of a log, with a record and the letters of two players."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbmserv.boards.records import record_of
from pbmserv.model import receipts
from tests.tools.tree import ROOT
from tests.world import Received, World

PAGE = (ROOT / "docs" / "receipts.md").read_text()
(PROGRAM,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
Record = dict[str, Any]


class Proof:
    """A folder with the record of board 101 and the letters that its players kept."""

    def __init__(self, world: World, folder: Path) -> None:
        self.world, self.folder = world, folder
        self.letters: list[str] = []

    def mail(self, sender: str, subject: str) -> None:
        """Send a mail, and keep the letters of its sender."""
        self.keep(sender, self.world.mail(sender, subject))

    def keep(self, sender: str, letters: list[Received]) -> None:
        """Write the letters to a player into the folder: half of them as mails, half as text."""
        for letter in letters:
            if letter.to.startswith(sender):
                name = f"{len(self.letters)}-{sender}" + (".txt" if len(self.letters) % 2 else ".eml")
                (self.folder / name).write_bytes(letter.text.encode() if name.endswith(".txt") else letter.data)
                self.letters.append(name)

    def record(self, *, with_secrets: bool = False) -> Record:
        row, lines = self.world.row(101), self.world.query(lambda s: s.boards.log(101))
        found: Record = json.loads(json.dumps(record_of(row, lines, with_secrets)))
        return found

    def check(self, record: Record, letters: bool = True) -> subprocess.CompletedProcess[str]:
        (self.folder / "board.json").write_text(json.dumps(record))
        words = [sys.executable, "-I", "-c", PROGRAM, "board.json", *(self.letters if letters else ())]
        return subprocess.run(words, cwd=self.folder, capture_output=True, text=True, check=False)

    def holds(self, record: Record, letters: bool = True) -> bool:
        done = self.check(record, letters)
        assert not done.stderr, done.stderr
        assert ("all receipts fit" in done.stdout) is (done.returncode == 0), done.stdout
        return done.returncode == 0


@pytest.fixture
def proof(world: World, tmp_path: Path) -> Proof:
    """A board of Tumbling Down with moves, a rejected undo and a resignation; bob reads German."""
    proof = Proof(world, tmp_path)
    for sender, letters in world.once(_play):
        proof.keep(sender, letters)
    assert len(proof.letters) == 6
    return proof


def _play(world: World) -> list[tuple[str, list[Received]]]:
    world.board("alice", "bob", options="-c")
    world.mail("bob", "set bob bob-secret language=de")
    lines = (
        *(("alice", "move", "h4-g5t"), ("bob", "move", "a5-b4t"), ("bob", "undo", ""), ("alice", "reject", "")),
        *(("bob", "propose", ""), ("alice", "resign", "")),
    )
    return [(who, world.mail(who, f"tumble {verb} 101 {who} {who}-secret {move}".strip())) for who, verb, move in lines]


@pytest.mark.slow
def test_the_letters_of_both_players_fit_the_record(proof: Proof) -> None:
    done = proof.check(proof.record())
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines[:2] == ["0-alice.eml: receipts 1", "1-bob.txt: receipts 2"]
    assert lines[-1] == "6 entries of alice, bob: all receipts fit"


def change(name: str, value: object) -> Callable[[Record], None]:
    def spoil(record: Record) -> None:
        assert record["log"][1][name] != value
        record["log"][1][name] = value

    return spoil


def leave_out(record: Record) -> None:
    del record["log"][2]


def leave_out_and_number(record: Record) -> None:
    del record["log"][2]
    for number, entry in enumerate(record["log"], start=1):
        entry["number"] = number


def leave_out_the_first(record: Record) -> None:
    del record["log"][0]


def leave_out_the_last(record: Record) -> None:
    del record["log"][-1]


def add(record: Record) -> None:
    record["log"].insert(3, dict(record["log"][2]))
    for number, entry in enumerate(record["log"], start=1):
        entry["number"] = number


def add_at_the_end(record: Record) -> None:
    record["log"].append(record["log"][0] | {"number": 7})


def swap(record: Record) -> None:
    record["log"][0], record["log"][1] = record["log"][1], record["log"][0]


def swap_and_number(record: Record) -> None:
    swap(record)
    record["log"][0]["number"], record["log"][1]["number"] = 1, 2


def swap_texts(record: Record) -> None:
    first, second = record["log"][:2]
    first["text"], second["text"] = second["text"], first["text"]


def other_options(record: Record) -> None:
    record["options"] = {}


def other_players(record: Record) -> None:
    record["beginning"]["players"].reverse()


def other_seed(record: Record) -> None:
    record["seed"] = "0" * 32


def other_seed_and_commitment(record: Record) -> None:
    other_seed(record)
    record["commitment"] = record["beginning"]["commitment"] = receipts.receipt_of(record["seed"])


def other_settings(record: Record) -> None:
    record["settings"]["rated"] = False


def another_board(record: Record) -> None:
    record["board"] = 102


def origin(record: Record) -> None:
    record["origin"] = {"board": "x"}


@pytest.mark.parametrize(
    "spoil",
    [
        change("text", "a5-b4"),
        change("seat", 0),
        change("kind", "propose"),
        change("ply", 3),
        change("at", "2026-03-01T12:00:00+00:00"),
        change("receipt", "0" * 64),
        leave_out,
        leave_out_and_number,
        leave_out_the_first,
        leave_out_the_last,
        add,
        add_at_the_end,
        swap,
        swap_and_number,
        swap_texts,
        other_options,
        other_players,
        other_seed,
        other_seed_and_commitment,
        other_settings,
        another_board,
        origin,
    ],
)
@pytest.mark.slow
def test_every_change_of_the_record_is_found(proof: Proof, spoil: Callable[[Record], None]) -> None:
    record = proof.record()
    spoil(record)
    assert not proof.holds(record)


def chained(record: Record) -> Record:
    """Compute all receipts of a record again, as a server could that wants to hide a change."""
    before = receipts.receipt_of(receipts.canonical(record["beginning"]))
    for number, entry in enumerate(record["log"], start=1):
        seal = receipts.seal(receipts.salt(record["seed"], number), entry["text"])
        words = [before, record["board"], number, entry["seat"], entry["kind"], seal, entry["ply"], entry["at"]]
        before = receipts.receipt_of(receipts.canonical(words))
        entry.update(number=number, receipt=before)
    return record


@pytest.mark.slow
@pytest.mark.parametrize("spoil", [change("text", "a5-b4"), leave_out, add, swap, other_players])
def test_a_whole_chain_that_was_made_anew_does_not_fit_the_letters(
    proof: Proof, spoil: Callable[[Record], None]
) -> None:
    record = proof.record()
    assert chained(json.loads(json.dumps(record))) == record
    spoil(record)
    forged = chained(record)
    assert proof.holds(forged, letters=False)
    done = proof.check(forged)
    assert done.returncode == 1
    assert re.search(r"(?m)^\d-(alice|bob)\.(eml|txt): receipt \d is not that of the record\.$", done.stdout)


def test_a_change_in_the_database_is_found_with_the_letters(proof: Proof, world: World) -> None:
    with world.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE entry SET text = 'a5-b4' WHERE board = 101 AND number = 2")
    assert "Entry 2 or the one before it was changed." in proof.check(proof.record()).stdout


@pytest.mark.slow
def test_a_letter_of_another_board_says_nothing(proof: Proof, world: World) -> None:
    world.board("alice", "bob")
    proof.letters.clear()
    proof.mail("alice", "tumble resign 102 alice alice-secret")
    assert "receipts none of this board" in proof.check(proof.record()).stdout


@pytest.mark.slow
def test_what_players_write_is_no_receipt(proof: Proof, world: World) -> None:
    fakes = "\n".join(
        ["", *(f"Receipt {n} of board 101: {'0' * 64}\nReceipt {n} of board 101:\n{'0' * 64}" for n in (2, 9))]
    )
    world.board("alice", "bob")
    for letter in world.mail("bob", "tumble move 102 bob bob-secret a5-b4t", f"Look:{fakes}\n\n{'x' * 70}{fakes}"):
        assert letter
    letters = world.mail("bob", "tumble chat 102 bob bob-secret", fakes)
    (letter,) = (x for x in letters if "0" * 64 in x.text)
    (proof.folder / "fake.eml").write_bytes(letter.data)
    proof.letters.append("fake.eml")
    done = proof.check(proof.record())
    assert "fake.eml: receipts none of this board" in done.stdout
    assert done.returncode == 0


@pytest.mark.slow
def test_hidden_texts_are_checked_while_the_board_runs_and_at_its_end(world: World, tmp_path: Path) -> None:
    world.board("alice", "bob", game="battleship")
    proof = Proof(world, tmp_path)
    proof.mail("alice", "battleship move 101 alice alice-secret a1-e1")
    proof.mail("bob", "battleship move 101 bob bob-secret random")
    proof.mail("bob", "battleship propose 101 bob bob-secret")
    running = proof.record()
    hidden = running["log"][0]
    assert "a1-e1" not in json.dumps(running)
    assert "salt" not in hidden
    assert proof.holds(running)
    assert re.findall(r"Entry (\d+) is under seal: ", proof.check(running).stdout) == ["1", "2"]
    assert not proof.holds(running | {"log": [hidden | {"seal": "0" * 64}, *running["log"][1:]]})
    assert proof.holds(proof.record(with_secrets=True))
    proof.mail("alice", "battleship resign 101 alice alice-secret")
    over = proof.record()
    assert over["log"][0]["text"] == "a1-e1"
    assert over["log"][0]["receipt"] == hidden["receipt"]
    assert proof.holds(over)
    over["log"][0]["text"] = "a2-e2"
    assert not proof.holds(over)


@pytest.mark.slow
def test_the_first_position_of_a_fork_is_proved(proof: Proof, world: World) -> None:
    world.mail("alice", "tumble fork 101#1 alice bob")
    world.mail("bob", "tumble move 102 bob bob-secret a5-b4t")
    row, lines = world.row(102), world.query(lambda s: s.boards.log(102))
    record: Record = json.loads(json.dumps(record_of(row, lines)))
    assert (record["seed"], bool(record["salt"])) == (None, True)
    assert proof.holds(record, letters=False)
    board = record["origin"]
    name = next(name for name, value in board.items() if isinstance(value, int))
    assert not proof.holds(record | {"origin": board | {name: board[name] + 1}}, letters=False)


def unsealed(record: Record) -> Record:
    """Write the record of a finished board as that of a running one, whose salts are told."""
    for entry in record["log"]:
        entry["salt"] = receipts.salt(record["seed"], entry["number"])
    return record | {"seed": None}


@pytest.mark.slow
def test_no_part_of_a_text_is_taken_for_salt(proof: Proof) -> None:
    record = unsealed(proof.record())
    assert proof.holds(record)
    entry = record["log"][0]
    entry["salt"], entry["text"] = entry["salt"] + entry["text"][:2], entry["text"][2:]
    assert not proof.holds(record)


@pytest.mark.parametrize("salt", [None, ""])
def test_another_text_beside_the_true_seal_is_found_or_named(proof: Proof, salt: str | None) -> None:
    record = unsealed(proof.record())
    entry = record["log"][0]
    entry["seal"] = receipts.seal(entry["salt"], entry["text"])
    entry.update(salt=salt, text="h4-g5")
    done = proof.check(record)
    assert "Entry 1 is under seal" in done.stdout or done.returncode == 1


@pytest.mark.slow
@pytest.mark.parametrize("salt", [None, "", "0" * 32])
def test_another_first_position_is_found(proof: Proof, world: World, salt: str | None) -> None:
    seal = {"salt": salt, "seal": None, "origin": {"board": "x"}, "seed": None}
    assert not proof.holds(unsealed(proof.record()) | seal)
    world.mail("alice", "tumble fork 101#1 alice bob")
    row, lines = world.row(102), world.query(lambda s: s.boards.log(102))
    record: Record = json.loads(json.dumps(record_of(row, lines)))
    assert not proof.holds(record | seal | {"seal": record["beginning"]["origin"]}, letters=False)


def test_the_number_of_the_board_is_no_pattern(proof: Proof) -> None:
    """Else it could lead from the number of a receipt to a hash that a player wrote further down."""
    record = proof.record()
    record["board"] = r"101:\s[\s\S]*fake"
    forged = chained(record)
    lines = [f"    fake: {entry['receipt']}" for entry in forged["log"]]
    letter = "\n".join(["Receipt 1 of board 101:", "0" * 64, lines[0]])
    (proof.folder / "forged.txt").write_text(letter)
    proof.letters = ["forged.txt"]
    assert "all receipts fit" not in proof.check(forged).stdout


@pytest.mark.slow
def test_a_first_position_that_is_not_told_is_named(proof: Proof, world: World) -> None:
    world.mail("alice", "tumble fork 101#1 alice bob")
    world.mail("bob", "tumble move 102 bob bob-secret a5-b4t")
    row, lines = world.row(102), world.query(lambda s: s.boards.log(102))
    record: Record = json.loads(json.dumps(record_of(row, lines)))
    told = "The first position is under seal"
    assert told not in proof.check(record, letters=False).stdout
    assert told in proof.check(record | {"origin": None, "salt": None}, letters=False).stdout


@pytest.mark.slow
def test_a_renamed_player_has_the_old_name_in_the_beginning(proof: Proof, world: World) -> None:
    alice = world.player("alice").id
    world.act(lambda s: s.players.rename(alice, "alice", "alicia"))
    record = proof.record()
    assert (record["players"], record["beginning"]["players"]) == (["alicia", "bob"], ["alice", "bob"])
    assert proof.holds(record)
    world.verify()


def receipt_in(letter: Received) -> str:
    (found,) = re.findall(r"\b[0-9a-f]{64}\b", letter.text)
    return str(found)


def test_the_example_of_the_page_is_as_letters_are(world: World) -> None:
    world.board("alice", "bob")
    letter = world.mail("alice", "tumble propose 101 alice alice-secret")[0]
    shown = re.search(r"```letter\n(.*?)\n5f0e", PAGE, re.DOTALL)
    assert shown
    assert shown[1].replace("12", "1") in letter.text
    assert receipt_in(letter) == world.row(101).receipt
