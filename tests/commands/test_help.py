"""Help by mail: pages about topics, games and commands. Each line of the tutorial is sent."""

import re

import pytest

from pbmserv import games
from pbmserv.commands import COMMANDS, command_language
from pbmserv.commands.help import TOPICS, command_page, examples
from pbmserv.inbox.command import Scope
from pbmserv.inbox.context import Command
from pbmserv.inbox.lines.parse import Parser
from tests.commands.answers import only, run
from tests.world import World

each_command = pytest.mark.parametrize("command", COMMANDS, ids=lambda c: f"{c.scope.value}-{c.verb}")


@each_command
def test_every_example_is_a_line_of_its_command(command: Command) -> None:
    parser = Parser(command_language(), games.names())
    for game in games.listed() if command.scope is Scope.GAME else (None,):
        assert parser.call(examples(command, game)[0]).command is command
        for line in examples(command, game):
            found = parser.call(line).command
            written_as_move = found.verb == "move" and line.endswith(f" {command.verb}")
            assert found.verb == command.verb or written_as_move, line


@each_command
def test_every_command_has_likely_errors_and_a_second_example(command: Command) -> None:
    page = command_page(command, None)
    assert command.more in page
    assert len(command.more) > 60
    if command.verb != "games" or command.scope is Scope.GAME:
        assert len(examples(command, None)) == 2


@each_command
def test_every_page_comes_by_mail(world: World, command: Command) -> None:
    in_a_game = command.scope is Scope.GAME and command.verb != "help"
    page = only(run(world, "alice", f"help {'tumble ' if in_a_game else ''}{command.verb}"))
    assert command.usage("tumble") in page.flat or command.usage("GAME") in page.flat
    assert " ".join(command.text.split()) in page.flat
    assert max(map(len, page.text.splitlines())) <= 79


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("help", "This is a server for games by mail."),
        ("?", "This is a server for games by mail."),
        ("tumble help", "TUMBLING DOWN"),
        ("help tumble", "TUMBLING DOWN"),
        ("help move", "GAME move board userid password move …"),
        ("help tumble challenge", "-c                      corner layout"),
        ("help king of the hill", "KING OF THE HILL"),
        ("help Vier gewinnt", "FOUR IN A ROW"),
    ],
)
def test_what_can_be_asked(world: World, line: str, says: str) -> None:
    assert says in only(run(world, "alice", line)).text


def test_the_manual_has_every_command(world: World) -> None:
    manual = only(run(world, "alice", "help commands")).flat
    assert all(c.usage() in manual for c in COMMANDS)


@pytest.mark.parametrize("topic", TOPICS)
def test_topics_fit_on_a_page(world: World, topic: str) -> None:
    letter = only(run(world, "alice", f"help {topic}"))
    assert letter.subject == f"Help {topic}"
    assert max(map(len, letter.text.splitlines())) <= 79
    assert "{" not in letter.text


def test_the_page_of_options_has_those_of_a_challenge_and_a_seek_only(world: World) -> None:
    options = re.findall(r"(?m)^  --(\w+)", only(run(world, "alice", "help options")).text)
    assert {"nagtime", "unrated", "repetition", "seats", "as"} <= set(options)
    assert "format" not in options


def test_an_unknown_topic_names_the_known_ones(world: World) -> None:
    assert "tutorial" in only(world.mail("alice", "help me")).text


def test_who_reads_only_the_tutorial_can_play(strict_world: World) -> None:
    """The server is public: addresses must be confirmed, and From does not prove who wrote a mail."""
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
    assert {x.first_line for x in played} == {"Your move, bob.", "It is bob's turn, alice."}
    assert "It is not your turn" in world.mail("alice", move)[0].text
    assert len(rest) == 3
    for line in rest:
        (answer,) = world.mail("alice", line)
        assert "error" not in answer.subject


def test_the_letters_for_newcomers_name_the_tutorial(world: World, strict_world: World) -> None:
    assert "help tutorial" in only(run(world, "alice", "help")).flat
    (trusting,) = world.mail("alice", "signup alice alice-secret")
    (confirm,) = strict_world.mail("alice", "signup alice alice-secret")
    (strict,) = strict_world.reply(confirm, "yes")
    for letter, command in (
        (trusting, "  tumble challenge alice bob"),
        (strict, "  tumble challenge alice bob --as=alice:PASSWORD"),
    ):
        lines = letter.text.splitlines()
        for line in (
            command,
            "  set alice PASSWORD broadcasts=on",
            "Briefe auf Deutsch: set alice PASSWORD language=de",
        ):
            assert line in lines
        for words in ("help tutorial", "help commands", "games", "The player who is named first moves first."):
            assert words in letter.flat
