"""What a mail asks for: its lines become calls, each of them once."""

from collections import Counter

import pytest

from pbmserv.inbox.command import Call, CallError
from pbmserv.inbox.parse import MOST_LINES, Parser
from pbmserv.mail.envelope import Incoming
from tests.inbox.mails import message
from tests.world import ADDRESS, World


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each line was parsed."""
    lines, call = Counter[str](), Parser.call

    def counted(self: Parser, line: str) -> Call:
        lines[line] += 1
        return call(self, line)

    monkeypatch.setattr(Parser, "call", counted)
    return lines


def test_a_subject_is_parsed_once(world: World, parsed: Counter[str]) -> None:
    world.board("alice", "bob")
    parsed.clear()
    world.mail("alice", "tumble move 101 alice alice-secret h4-f6")
    world.mail("alice", "tumble show 999")
    world.mail("alice", "thumble show 101")
    assert set(parsed.values()) == {1}
    assert len(parsed) == 3


def test_the_lines_of_a_body_are_parsed_once(world: World, parsed: Counter[str]) -> None:
    """Whether they are run, are wrong, stand behind one that is wrong, or are too many."""
    world.board("alice", "bob")
    parsed.clear()
    lines = ["tumble show 101", "who alice", "frobnicate", "games", *(f"who player{n}" for n in range(MOST_LINES))]
    world.mail("alice", "multiple", "\n".join(lines))
    assert parsed == Counter(lines[: MOST_LINES + 1])


def test_a_line_that_is_no_call_says_why(world: World) -> None:
    mail = message("alice", "multiple", "games\ntumble mve 101")
    found = world.pipeline.prepare(Incoming(mail, "x@example.org", (ADDRESS,), "192.0.2.1")).request.calls
    assert isinstance(found[0], Call)
    assert isinstance(found[1], CallError)
    assert found[1].understood.game is not None
