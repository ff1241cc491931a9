"""The help page of every command: syntax, what it does, two examples, likely errors."""

import pytest

from pbmserv import games
from pbmserv.commands import COMMANDS
from pbmserv.commands.manual import command_page, examples
from pbmserv.commands.parse import parse
from pbmserv.commands.table import Command, Scope
from tests.world import World

each_command = pytest.mark.parametrize("command", COMMANDS, ids=lambda c: f"{c.scope.value}-{c.verb}")


@each_command
def test_every_example_is_a_line_of_its_command(command: Command) -> None:
    for game in games.all_games() if command.scope is Scope.GAME else (None,):
        for line in examples(command, game):
            found = parse(line, COMMANDS, games.names()).command
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
    topic = f"tumble {command.verb}" if command.scope is Scope.GAME else command.verb
    if command.verb == "help":
        topic = "help"
    [letter] = world.mail("alice", f"help {topic}")
    assert command.text.split(". ")[0] in letter.flat
    assert all(len(line) <= 79 for line in letter.text.splitlines())
