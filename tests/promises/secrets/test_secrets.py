"""No password is stored, sent, logged or shown: every command is tried, right and wrong, on every way in.

The lines come from the command table, so a new command is tested as soon as it has a row.
"""

import logging
from collections.abc import Sequence

import pytest
from structlog.testing import capture_logs

from pbmserv.commands import COMMANDS
from pbmserv.inbox.command import Call
from pbmserv.inbox.context import Answer, Command, Context
from pbmserv.mail import signed_addresses
from tests.examples import some_of
from tests.promises.secrets.canary import CANARIES, decoded, files, leaks, lines
from tests.world import Received, World


def each(*cases: tuple[Sequence[Command], str]) -> pytest.MarkDecorator:
    """Return parameters: each of these commands with a canary."""
    pairs = [(command, canary) for commands, canary in cases for command in commands]
    names = [f"{command.scope.value}-{command.verb.replace(' ', '-')}-{canary}" for command, canary in pairs]
    return pytest.mark.parametrize(("command", "canary"), pairs, ids=names)


each_canary = pytest.mark.parametrize("canary", [CANARIES[0], pytest.param(CANARIES[1], marks=pytest.mark.slow)])
pytestmark = pytest.mark.sqlite  # the stored data is searched in the files of SQLite


@pytest.fixture
def playing(world: World, canary: str) -> World:
    """A server on which alice plays against bob. The canary is alice's password, and it is alice's turn."""
    world.once(_begin, canary)
    return world


def _begin(world: World, canary: str) -> None:
    world.signup("bob", "carol")
    world.mail("alice", f"signup alice {canary}")
    world.mail("alice", f"tumble challenge alice bob --as=alice:{canary}")


def search(world: World, letters: list[Received], logs: list[str], canary: str) -> list[bytes]:
    """Return what is found in database, WAL, letters and logs."""
    return leaks([*files(world.file.parent), *(decoded(x.data) for x in letters), "\n".join(logs).encode()], canary)


@pytest.mark.slow
@each((some_of(COMMANDS, 6), CANARIES[0]), (some_of(COMMANDS, 14), CANARIES[1]))
def test_every_line_of_every_command(
    playing: World, canary: str, command: Command, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    letters: list[Received] = []
    with capture_logs() as logs:
        for line in lines(command, canary):
            letters += playing.mail("alice", line)
        letters += playing.mail("alice", "multiple", "games\n" + "\n".join(lines(command, canary)[:9]))
    assert letters
    assert not search(playing, letters, [str(logs), caplog.text], canary)


@each((some_of(COMMANDS, 3), CANARIES[0]))
def test_a_mail_that_is_shelved_keeps_it_sealed(
    playing: World, canary: str, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(ctx: Context, call: Call) -> Answer:
        raise RuntimeError(f"a bug that knows {call.values} and {call.credentials}")

    monkeypatch.setitem(command.__dict__, "run", stumble)
    with capture_logs() as logs:
        letters = playing.mail("alice", lines(command, canary)[0])
    assert playing.query(lambda s: s.mails.newest(1))[0].status == "shelved"
    assert not search(playing, letters, [str(logs)], canary)


@pytest.mark.slow
@each_canary
def test_answers_to_letters(playing: World, canary: str) -> None:
    """Answers to every kind of signed address, with a command or with the password alone."""
    signed = [
        playing.site.signer.sign(purpose, 101, 0, 0) for purpose in (signed_addresses.BOARD, signed_addresses.VERP)
    ]
    signed += [
        playing.site.signer.sign(p, 1)
        for p in signed_addresses.ANSWERED
        if p not in (signed_addresses.BOARD, signed_addresses.OFFER, signed_addresses.UNSUBSCRIBE)
    ]
    signed.append(playing.site.signer.offer(101, 0, 0, 7, "h4-g5t"))
    said = [canary, f"yes {canary}", f"resign {canary}", f"tumble resign 101 alice {canary}", f"h4-f6 {canary}"]
    said += [
        f"position ({canary})! elsewhere",
        f"pass={canary}, bob/{canary}",
        f"h4-f6t, {canary}",
        f"{canary}\nh4-f6t",
    ]
    letters = []
    with capture_logs() as logs:
        for to in signed:
            for line in said:
                letters += playing.mail("alice", "Re: Tumble Board 101 alice", line, to=to)
                letters += playing.mail("alice", f"Re: Tumble Board 101 alice {canary} h4-f6", line, to=to)
    assert len(letters) > len(signed)
    assert not search(playing, letters, [str(logs)], canary)


@each_canary
def test_the_search_finds_what_is_there(playing: World, canary: str) -> None:
    """A check of the search itself: it finds a message to other players in database and letters."""
    letters = playing.mail("bob", "tumble propose 101 bob bob-secret", f"Is it {canary}?")
    assert leaks([decoded(x.data) for x in letters], canary)
    assert leaks(files(playing.file.parent), canary)
