"""Limits of the relay: no letter is refused, no address counts as bouncing, and the operator's own limits are kept."""

import asyncio
from datetime import timedelta

import pytest
import sqlalchemy as sa
from structlog.testing import capture_logs

from pbmserv.cli.checking.connection_checks import relay
from pbmserv.cli.status import look, warnings
from pbmserv.config import Config
from pbmserv.db import tables
from pbmserv.mail.smtp.client import SmtpRelay, Target
from pbmserv.server import sender as sender_module
from pbmserv.server.clock import Clock
from pbmserv.server.outbox import StoredOutbox
from pbmserv.server.sender import Sender
from tests.tools.aio import in_loop, until
from tests.tools.sink import Sink
from tests.world import World

DOMAINS = ("one.example", "two.example", "three.example", "four.example")


def outbox(world: World) -> StoredOutbox:
    return StoredOutbox(world.engine, world.site, lambda: world.now)


def ask(world: World, *senders: str) -> None:
    """Let a letter wait for each of these addresses."""
    for sender in senders:
        world.mail(sender, "games")


def found(world: World) -> list[tuple[str, str]]:
    rows = world.query(lambda s: s.letters.search())
    return sorted((x.recipient, x.status) for x in rows)


def later(world: World) -> bool:
    """Let letters that are deferred be due."""
    world.now += timedelta(minutes=5)
    return True


def bounces(world: World) -> int:
    with world.engine.connect() as connection:
        return sum(connection.execute(sa.select(tables.address.c.bounces)).scalars())


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["CONNECT", "MAIL", "RCPT", "DATA", "end"])
@in_loop
async def test_a_limit_makes_the_sender_pause(world: World, verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The letters wait, wherever in the dialogue the relay says it, and the pauses grow."""
    monkeypatch.setattr(sender_module, "FIRST_LIMIT_PAUSE", 0.05)
    world.signup("alice")
    ask(world, "alice", *(f"x@{domain}" for domain in DOMAINS))
    reply = "550 5.4.5 Daily user sending limit exceeded"
    script, replies = ([reply] * 99, {}) if verb == "end" else ([], {verb: reply})
    async with Sink(script, replies=replies) as sink:
        sender = Sender(outbox(world), SmtpRelay(Target("smtp", "127.0.0.1", sink.port), 5), poll_seconds=0.02)
        task = asyncio.create_task(sender.run())
        await until(lambda: later(world) and sender._pause >= 0.2, 20)
        await sender.stop()
        await task
        assert {status for _, status in found(world)} == {"queued"}
        assert bounces(world) == 0
        sink.replies, sink._script = {}, []
        again = Sender(outbox(world), SmtpRelay(Target("smtp", "127.0.0.1", sink.port), 5), poll_seconds=0.02)
        task = asyncio.create_task(again.run())
        await until(lambda: later(world) and {status for _, status in found(world)} == {"sent"}, 20)
        await again.stop()
        await task


def told(world: World) -> list[str]:
    with world.engine.connect() as connection:
        return [w for w in warnings(look(connection, world.now, world.site.policy)) if "clock" not in w.lower()]


def test_the_operator_is_told_until_a_letter_is_taken(world: World) -> None:
    ask(world, "x@one.example", "x@two.example")
    there = outbox(world)
    first, second = there.claim(9, 60)
    there.defer_many([first.id], "451 4.7.1 Greylisted", 60)
    world.now += timedelta(minutes=5)
    (warning,) = told(world)
    assert warning.startswith("The relay takes no letters since 5 min")
    assert "Greylisted" in warning
    config = Config(database_url=world.url, relay="maildir:letters")
    assert ["Greylisted" in finding.said for finding in relay(config)] == [False, True]
    there.sent_many([(second.id, "250 Taken")])
    assert told(world) == []


def test_a_letter_is_not_given_up_for_a_limit(world: World) -> None:
    ask(world, "x@one.example")
    there = outbox(world)
    for _ in range(12):
        world.now += timedelta(days=1)
        (letter,) = there.claim(9, 60)
        there.defer_many([letter.id], "550 5.7.1 hourly limit exceeded", 60)
    assert found(world) == [("x@one.example", "queued")]


@pytest.mark.both
@pytest.mark.parametrize("reply", ["550 5.7.1 <{}>: Sending denied", "554 {} blocked by mx.relay.example", "550 no"])
def test_equal_refusals_of_several_domains_are_the_relays(world: World, reply: str) -> None:
    """Those before them wait again, and what follows waits, too, until a letter is taken."""
    world.signup("alice")
    ask(world, "alice", *(f"x@{domain}" for domain in DOMAINS))
    there = outbox(world)
    letters = there.claim(9, 600)
    believed = [there.refuse(letter.id, reply.format(letter.recipient)) for letter in letters]
    assert believed == [True, True, False, False, False]
    assert {status for _, status in found(world)} == {"queued"}
    assert bounces(world) == 0
    assert len(told(world)) == 1
    world.now += timedelta(seconds=1)
    there.sent_many([(letters[0].id, "250 Taken")])
    world.now += timedelta(seconds=1)
    assert there.refuse(letters[1].id, reply.format("x"))
    assert told(world) == []


@in_loop
@pytest.mark.slow
async def test_a_pause_for_dead_addresses_is_short_and_ends(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three dead addresses look like a relay that refuses all. Another letter does not wait long, and ends it."""
    assert sender_module.LAST_ALIKE_PAUSE <= 60
    monkeypatch.setattr(sender_module, "FIRST_LIMIT_PAUSE", 0.02)
    monkeypatch.setattr(sender_module, "LAST_ALIKE_PAUSE", 0.08)
    ask(world, *(f"x@{domain}" for domain in DOMAINS))
    async with Sink(replies={"RCPT": "550 5.1.1 No such user"}) as sink:
        sender = Sender(outbox(world), SmtpRelay(Target("smtp", "127.0.0.1", sink.port), 5), poll_seconds=0.02)
        task = asyncio.create_task(sender.run())
        with capture_logs() as lines:
            await until(lambda: later(world) and [x["event"] for x in lines].count("relay_refuses_alike") > 6, 20)
        pauses = {line["pause"] for line in lines if line["event"] == "relay_refuses_alike"}
        assert (min(pauses), max(pauses)) == (0.02, 0.08)
        sink.replies = {}
        await until(lambda: later(world) and {status for _, status in found(world)} == {"sent"}, 20)
        assert sender._pause == 0
        await sender.stop()
        await task


@pytest.mark.slow
def test_dead_addresses_are_given_up_in_the_end(world: World) -> None:
    """Also if a letter that is taken, and a new dead address, come between the tries again and again."""
    ask(world, "x@one.example", "x@two.example")
    there = outbox(world)
    for day in range(30):
        world.now += timedelta(days=1)
        ask(world, f"x@new{day}.example", f"taken@{day}.example")
        for letter in there.claim(999, 60):
            if letter.recipient.startswith("taken"):
                there.sent_many([(letter.id, "250 Taken")])
            elif not there.refuse(letter.id, "550 5.1.1 No such user"):
                there.defer_many([letter.id], "550 5.1.1 No such user", 60)
            world.now += timedelta(seconds=1)
    first = world.query(lambda s: s.letters.search(recipients=("x@one.example", "x@two.example")))
    assert [letter.status for letter in first] == ["refused", "refused"]


def test_the_operator_reads_what_equal_refusals_may_mean(world: World) -> None:
    ask(world, *(f"x@{domain}" for domain in DOMAINS[:3]))
    there = outbox(world)
    for letter in there.claim(9, 60):
        there.refuse(letter.id, "550 5.1.1 No such user")
    world.now += timedelta(minutes=5)
    (warning,) = told(world)
    assert warning.startswith(
        "Since 5 min the relay refuses letters to several domains in the same words: 550 5.1.1 No such user - "
        "Either it takes no letters from this server, or these addresses are dead. They are tried again for 5 days."
    )
    config = Config(database_url=world.url, relay="maildir:letters")
    assert ["in the same words" in finding.said for finding in relay(config)] == [False, True]


def test_refusals_of_one_domain_or_for_several_reasons_are_believed(world: World) -> None:
    ask(world, *(f"{n}@one.example" for n in range(4)), "x@two.example", "x@three.example")
    there = outbox(world)
    letters = there.claim(9, 60)
    for n, letter in enumerate(letters):
        reply = "550 5.1.1 No such user" if n < 5 else "550 5.1.1 Mailbox disabled"
        assert there.refuse(letter.id, reply)
    assert {status for _, status in found(world)} == {"refused"}


@pytest.mark.slow
@pytest.mark.both
def test_no_more_letters_go_out_than_the_operator_allows(world: World) -> None:
    """Two senders share the limits, and a new process keeps them."""
    world.allow(letters_an_hour=3, letters_a_day=5)
    ask(world, *(f"{n}@one.example" for n in range(9)))

    def send(*senders: StoredOutbox) -> int:
        claims = [(sender, sender.claim(2, 60)) for sender in senders]
        for sender, letters in claims:
            sender.sent_many([(letter.id, "250 Taken") for letter in letters])
        return sum(len(letters) for _, letters in claims)

    one, other = outbox(world), outbox(world)
    assert [send(one, other), send(one, other), send(outbox(world))] == [3, 0, 0]
    assert told(world) == ["The limit of 3 letters in 1 h is reached; the next letter goes out in 60 min."]
    world.now += timedelta(minutes=61)
    assert [send(one, other), send(outbox(world))] == [2, 0]
    world.now += timedelta(minutes=61)
    assert send(one, other, outbox(world)) == 0
    world.now += timedelta(hours=23)
    assert send(one, other) == 3


def test_under_a_limit_turns_go_before_digests_and_these_before_news(world: World) -> None:
    world.board("alice", "carol")
    world.mail("carol", "set carol carol-secret digest=daily broadcasts=on")
    world.mail("alice", "broadcast alice alice-secret", "Hello, all of you!")
    world.play(each=1)
    world.now += timedelta(days=1)
    Clock(world.engine, world.site, lambda: world.now, gap=1e9).sweep()
    world.play(each=1)
    kinds = {letter.id: letter.kind for letter in world.query(lambda s: s.letters.search())}
    assert list(kinds.values()).index("broadcast") > list(kinds.values()).index("board")  # the newest first
    world.allow(letters_a_day=999)
    assert [kinds[letter.id] for letter in outbox(world).claim(99, 60)][-2:] == ["digest", "broadcast"]


def test_a_clock_that_was_ahead_holds_no_letters_back(world: World) -> None:
    world.allow(letters_an_hour=2)
    ask(world, *(f"{n}@one.example" for n in range(4)))
    sender, right = outbox(world), world.now
    world.now += timedelta(days=400)
    sender.sent_many([(letter.id, "250 Taken") for letter in sender.claim(9, 60)])
    assert sender.claim(9, 60) == []
    world.now = right + timedelta(minutes=1)
    assert len(sender.claim(9, 60)) == 2
