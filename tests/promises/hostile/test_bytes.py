"""Whatever bytes come, the pipeline accepts them or says that they are too many. It goes on, and nothing is a bug."""

import random
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbmserv.conformance.walks import SEED
from pbmserv.mail import signed_addresses
from pbmserv.mail.envelope import ACCEPTED, TRY_AGAIN, Incoming
from pbmserv.mail.inbound import TooLarge
from tests.commands.answers import status
from tests.examples import SOAK
from tests.mail.odd_mails import HEADERS, MAILS, PIECES, mutants, pieces
from tests.tools.postgresql import Server
from tests.tools.tree import ROOT
from tests.world import ADDRESS, World

REPORTS = [path.read_bytes() for path in sorted((ROOT / "tests/mail/bounces").glob("*.eml"))]
WORDS = (
    "tumble threes town trippples 3io move challenge show showas propose resign help list signup set who message "
    "alice bob alice-secret bob-secret 101 101#1 101#999999999 999999999999999 -c --as=alice:alice-secret --as=: "
    "--nagtime=1e999 --nagtime=nan --totaltime=-1 -= --= = # #1 move#1 c1-c2 h4-f6 ** ; : \u0660 \u2167 \ud83d \x1b"
)  # fmt: skip


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """One server for all mails: it has to go on after each of them."""
    with ExitStack() as stack:
        if request.param == "sqlite":
            world = World(tmp_path_factory.mktemp("hostile"))
        else:
            server: Server = request.getfixturevalue("postgresql")
            world = World(stack.enter_context(server.database()))
        stack.callback(world.engine.dispose)
        world.board("alice", "bob")
        yield world
        letters = world.mail("alice", "games")  # and all that were caused before
        assert letters
        assert all(letter.data for letter in letters)
        world.verify()


def take(world: World, data: bytes, to: str = ADDRESS, mail_from: str = "x@example.org") -> None:
    """Hand a mail in. It must not come onto the shelf, because that would mean a bug of ours."""
    try:
        prepared = world.prepare(Incoming(data, mail_from, (to,), "192.0.2.1"))
    except TooLarge:
        return
    assert prepared.bug is None, prepared.bug
    (reply,) = world.pipeline.handle([prepared])
    if reply == TRY_AGAIN and prepared.is_for_operator:  # the operator has had enough mails for today
        return
    assert reply == ACCEPTED
    assert status(world) != "shelved", world.query(lambda s: s.mails.newest(1))[0].problem


def signed(world: World) -> list[str]:
    """Return our signed addresses of all kinds, for things that exist and things that do not."""
    sign = world.site.signer.sign
    of_two = (
        signed_addresses.UNSUBSCRIBE,
        signed_addresses.STOP,
        signed_addresses.SUBSTITUTE,
        signed_addresses.TOURNAMENT,
        signed_addresses.TALK,
        signed_addresses.PUZZLE,
    )
    here = [
        sign(p, n)
        for p in (*signed_addresses.ANSWERED, signed_addresses.VERP)
        if p not in (*signed_addresses.OF_A_BOARD, *of_two)
        for n in (1, 9**9)
    ]
    boards = [sign(signed_addresses.BOARD, *n) for n in ((101, 0, 0), (101, 0, 99), (999, 0, 0))]
    return [
        ADDRESS,
        "postmaster@games.example",
        *here,
        *boards,
        *(world.site.signer.offer(*n, None, "h4-g5t") for n in ((101, 0, 0), (101, 0, 99), (999, 0, 0))),
        sign(signed_addresses.UNSUBSCRIBE, 101, 1),
        *(sign(signed_addresses.STOP, player, signed_addresses.OWN_MOVES) for player in (1, 999)),
        sign(signed_addresses.UNSUBSCRIBE, 999, 9),
        *(sign(signed_addresses.SUBSTITUTE, seek, player) for seek, player in ((1, 1), (1, 9**9), (9**9, 2))),
        *(sign(signed_addresses.TALK, *n) for n in ((1, 2), (1, 9**9), (9**9, 2), (1, 2, 7))),
        *(
            sign(purpose, number, player)
            for purpose in (signed_addresses.TOURNAMENT, signed_addresses.PUZZLE)
            for number, player in ((1, 1), (1, 9**9), (9**9, 2))
        ),
    ]


lives_on = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@lives_on
@given(st.binary())
def test_any_bytes(played: World, data: bytes) -> None:
    take(played, data)


@pytest.mark.slow
@lives_on
@given(st.dictionaries(st.sampled_from(HEADERS.split()), pieces(PIECES)), pieces(PIECES, WORDS), st.data())
def test_any_mail(played: World, headers: dict[str, str], body: str, data: st.DataObject) -> None:
    head = "".join(f"{name}: {value}\n" for name, value in headers.items())
    to = data.draw(st.sampled_from(signed(played)))
    take(played, f"From: alice@example.org\n{head}\n{body}".encode("utf-8", "replace"), to)


@lives_on
@given(st.lists(st.sampled_from(WORDS.split()), max_size=9).map(" ".join), st.text(max_size=30), st.data())
@pytest.mark.slow
def test_any_words(played: World, line: str, more: str, data: st.DataObject) -> None:
    to = data.draw(st.sampled_from(signed(played)))
    for text in (
        f"Subject: {line}\n\n{more}",
        f"Subject: multiple\n\n{line}\n{more}",
        f"Subject: Re: x\n\n{line} {more}",
    ):
        take(played, f"From: alice@example.org\n{text}".encode("utf-8", "replace"), to)


def _run(world: World, count: int, seed: int) -> None:
    chance = random.Random(seed)
    addresses = signed(world)
    for data in mutants(count, seed):
        take(world, data, chance.choice(addresses), chance.choice(("", "x@example.org")))
        report = bytearray(chance.choice(REPORTS))
        at = chance.randrange(len(report))
        report[at : at + chance.randint(0, 40)] = chance.choice(MAILS)[: chance.randint(0, 40)]
        take(world, bytes(report), world.site.signer.sign(signed_addresses.VERP, chance.randint(1, 4)), "")


@pytest.mark.slow
def test_mutants_of_the_fixtures(played: World) -> None:
    _run(played, 20, seed=3)


@pytest.mark.slow
@pytest.mark.timeout(600 * SOAK)
def test_many_mutants_of_the_fixtures(played: World) -> None:
    _run(played, 120 * SOAK, seed=SEED)


def test_a_sender_with_letters_beyond_ascii_is_not_answered(played: World) -> None:
    """No header can be written for such an address. If the apology failed, too, the whole batch would fail."""
    take(played, "From: älice@example.org\nSubject: games\n\n".encode())
    assert status(played) == "refused"


def test_a_mail_for_which_there_is_not_even_an_apology_stands_alone(
    played: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(type(played.pipeline), "_effects", fail)
    monkeypatch.setattr(type(played.pipeline), "_apologize", fail)
    prepared = played.prepare(Incoming(b"From: a@b.example\n\nhelp", "", (ADDRESS,)))
    assert played.pipeline.handle([prepared]) == [ACCEPTED]
    assert status(played) == "shelved"


@pytest.mark.parametrize(
    "line", ["threes move {0} carol carol-secret " + "w" * 201, "threes preview new " + "w a " * 101]
)
def test_a_mail_has_so_many_moves_and_no_more(world: World, line: str) -> None:
    number = world.board("carol", game="threes")
    (answer,) = world.mail("carol", "multiple", line.format(number))
    assert "A mail can have at most 200 moves, and yours has 20" in answer.text
    assert world.row(number).board.length == 0


def test_a_command_has_so_many_words_and_no_more(world: World) -> None:
    world.signup("carol")
    (answer,) = world.mail("carol", "multiple", "list" + " tumble" * 250)
    assert "A command can have at most 250 words, and this one has 251." in answer.text
