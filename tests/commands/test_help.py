"""The help pages; the tutorial is carried out line by line."""

import re

import pytest

from pbmserv.commands.info import TOPICS
from tests.world import World


@pytest.mark.parametrize("topic", TOPICS)
def test_topics_fit_on_a_page(world: World, topic: str) -> None:
    world.signup("alice")
    (letter,) = world.mail("alice", f"help {topic}")
    assert letter.subject == f"Help {topic}"
    assert max(map(len, letter.text.splitlines())) <= 79
    assert "{" not in letter.text


def test_an_unknown_topic_names_the_known_ones(world: World) -> None:
    world.signup("alice")
    (letter,) = world.mail("alice", "help me")
    assert "tutorial" in letter.text


def test_who_reads_only_the_tutorial_can_play(strict_world: World) -> None:
    """On a public server: addresses are confirmed, From proves nothing but that a letter was asked for."""
    world = strict_world
    world.signup("bob", "reader")
    (page,) = world.mail("reader", "help tutorial")
    signup, challenge, list_, bare, move, *rest = re.findall(r"(?m)^    (\S.*)$", page.text)
    (confirm,) = world.mail("alice@example.org", signup)
    (welcome,) = world.reply(confirm, "yes")
    assert "Thank you, alice" in welcome.text
    begun = world.mail("alice", f"{challenge} --as=alice:secret-1")
    (letter,) = [x for x in begun if x.to == "alice@example.org"]
    assert "101" in world.mail("alice", list_)[0].text
    played = world.reply(letter, bare)
    assert {x.first_line for x in played} == {"It is your turn, bob: ply 2.", "It is bob's turn, alice: ply 2."}
    assert "It is not your turn" in world.mail("alice", move)[0].text
    assert len(rest) == 3
    for line in rest:
        (answer,) = world.mail("alice", line)
        assert "error" not in answer.subject
