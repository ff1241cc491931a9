"""The way of an event: from a move to the webhook of a player who has proved it."""

import asyncio
import hmac
import json
from base64 import b64encode
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest
import trustme

from pbmserv.mail.envelope import Outgoing
from pbmserv.server.event_outbox import EventOutbox
from pbmserv.webhooks.deliveries import MOST_FAILURES
from pbmserv.webhooks.events import moves_for
from tests.tools.aio import in_loop, until
from tests.webhooks.receiving import OK, Names, receiving, trust
from tests.webhooks.table import ask, event, events, fates, impatient, prove, sending, states
from tests.world import World

AUTHORITY = trustme.CA()


@pytest.fixture(autouse=True)
def _trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trust(AUTHORITY, tmp_path, monkeypatch)


def move(world: World, userid: str, text: str) -> None:
    world.mail(userid, f"four move 101 {userid} {userid}-secret {text}")


@pytest.mark.slow
@pytest.mark.both
@in_loop
async def test_turn_end_and_message(world: World) -> None:
    world.board("alice", "bob", game="four")
    async with receiving(AUTHORITY) as hook:
        await prove(world, hook)
        first = world.row().players[0].userid
        if first == "alice":
            move(world, "alice", "d")
        move(world, "bob", "a")
        world.mail("bob", "four chat 101 bob bob-secret", "Hello Alice!")
        world.mail("bob", "message bob bob-secret alice", "Good evening.")
        world.mail("bob", "four resign 101 bob bob-secret")
        async with sending(world):
            await until(lambda: event(hook)["type"] == "end")
    told = events(hook)
    turn = told[-4]
    assert [e["type"] for e in told[-4:]] == ["turn", "message", "message", "end"]
    assert turn["data"]["board"] == 101
    assert turn["data"]["game"] == "four"
    assert turn["data"]["moves"] == [{"player": "bob", "move": "a1"}]
    assert told[-3]["data"] | {"text": ""} == told[-3]["data"] | {"from": "bob", "text": ""}
    assert told[-3]["data"]["text"].strip() == "Hello Alice!"
    assert told[-2]["data"]["board"] is None
    assert told[-1]["data"]["reason"] == "resign"
    assert sorted(told[-1]["data"]["places"]) == [1, 2]
    assert "@" not in json.dumps(told)
    assert {status for _, status, _ in fates(world)} == {"sent"}
    world.verify()


@pytest.mark.slow
@in_loop
async def test_the_signature(world: World) -> None:
    world.board("alice", "bob", game="four")
    async with receiving(AUTHORITY) as hook:
        secret = await prove(world, hook)
        world.mail("bob", "message bob bob-secret alice", "Grüße")
        async with sending(world):
            await until(lambda: event(hook)["type"] == "message")
    words = f"{hook.header('webhook-id')}.{hook.header('webhook-timestamp')}.".encode() + hook.bodies[-1]
    mac = b64encode(hmac.digest(secret.encode(), words, sha256)).decode()
    assert hook.header("webhook-signature") == f"v1,{mac}"


@in_loop
async def test_off_until_the_operator_turns_it_on(world: World) -> None:
    world.signup("alice")
    (letter,) = world.mail("alice", "set alice alice-secret webhook=https://bot.example.org/")
    assert "This server has no webhooks." in letter.text
    assert fates(world) == []
    (letter,) = world.mail("alice", "set alice alice-secret")
    assert "webhook" not in letter.text


@pytest.mark.slow
@in_loop
async def test_nothing_goes_to_a_url_that_is_not_proved(world: World) -> None:
    world.board("alice", "bob", game="four")
    async with receiving(AUTHORITY) as hook:
        ask(world, hook)
        world.mail("bob", "message bob bob-secret alice", "Hello")
        async with sending(world):
            await until(lambda: bool(hook.bodies))
        assert [kind for kind, *_ in fates(world)] == ["challenge"]
        (letter,) = world.mail("alice", "set alice alice-secret webhook=0123456789ab")
        assert "This is not the code of your webhook." in letter.text
        world.now += timedelta(days=1)
        (letter,) = world.mail("alice", f"set alice alice-secret webhook={event(hook)['data']['code']}")
        assert "No webhook of yours waits for a code." in letter.text


@pytest.mark.slow
@in_loop
async def test_challenges_have_a_number_and_are_tried_once(world: World) -> None:
    world.signup("alice")
    async with receiving(AUTHORITY) as hook:
        hook.answer = b"HTTP/1.1 500 No\r\n\r\n"
        for n in range(5):
            ask(world, hook)
            async with sending(world):
                await until(lambda n=n: len(hook.bodies) == n + 1)  # type: ignore[misc]
        assert "You can name 5 webhooks a day." in ask(world, hook)[-1].text
        world.now += timedelta(hours=6)
        async with sending(world):
            await until(lambda: len(fates(world)) == 5)
        assert len(hook.bodies) == 5
    assert set(fates(world)) == {("challenge", "refused", "HTTP 500")}


@in_loop
async def test_a_name_that_leads_inside(world: World) -> None:
    world.signup("alice")
    async with receiving(AUTHORITY) as hook:
        ask(world, hook)
        async with sending(world, Names([["::ffff:127.0.0.1"]])):
            await until(lambda: fates(world)[-1][1] == "refused")
    assert hook.heads == []
    letter = world.letters()[-1]
    assert letter.subject == "Your webhook"
    assert "its name leads to an address that is not public" in letter.flat


@pytest.mark.slow
@in_loop
async def test_off_ends_what_waits(world: World) -> None:
    world.board("alice", "bob", game="four")
    async with receiving(AUTHORITY) as hook:
        await prove(world, hook)
        world.mail("bob", "message bob bob-secret alice", "Hello")
        world.mail("alice", "set alice alice-secret webhook=off")
        assert fates(world)[-1][:2] == ("message", "dropped")
        count = len(fates(world))
        world.mail("bob", "message bob bob-secret alice", "Hello")
        assert len(fates(world)) == count


@pytest.mark.slow
@in_loop
async def test_who_leaves_gets_no_more(world: World) -> None:
    world.board("alice", "bob", game="four")
    async with receiving(AUTHORITY) as hook:
        await prove(world, hook)
        world.mail("bob", "message bob bob-secret alice", "Hello")
        world.mail("alice", "signoff alice alice-secret")
        async with sending(world):
            pass
        assert not world.query(lambda s: s.webhooks.of([1, 2]))
        assert fates(world) == []
        assert events(hook) == []


@pytest.mark.slow
@pytest.mark.both
@in_loop
async def test_tried_again_under_the_same_id(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.board("alice", "bob", game="four")
    impatient(monkeypatch)
    async with receiving(AUTHORITY) as hook:
        await prove(world, hook)
        hook.answer = b"HTTP/1.1 503 Later\r\n\r\n"
        world.mail("bob", "message bob bob-secret alice", "Hello")
        async with sending(world):
            await until(lambda: len(hook.bodies) > 3)
            hook.answer = b"HTTP/1.1 200 OK\r\n\r\n"
            await until(lambda: fates(world)[-1][1] == "sent")
        assert len({hook.header("webhook-id", n) for n in range(1, len(hook.heads))}) == 1
        assert world.query(lambda s: [x.failures for x in s.webhooks.of([1, 2]).values()]) == [0]


@in_loop
async def test_a_killed_sender_repeats_it(world: World) -> None:
    """Whoever leases an event again makes the same bytes and the same id."""
    world.board("alice", "bob", game="four")
    async with receiving(AUTHORITY) as hook:
        await prove(world, hook)
        world.mail("bob", "message bob bob-secret alice", "Hello")
        outbox = EventOutbox(world.engine, world.site, lambda: world.now)
        first: list[Outgoing] = outbox.claim(10, 60)
        assert outbox.claim(10, 60) == []
        world.now += timedelta(seconds=61)
        assert outbox.claim(10, 60) == first
        assert len(first) == 1


@pytest.mark.slow
@in_loop
async def test_too_many_failures(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.board("alice", "bob", game="four")
    impatient(monkeypatch)
    async with receiving(AUTHORITY) as hook:
        await prove(world, hook)
        hook.answer = b"HTTP/1.1 404 Not Found\r\n\r\n"
        world.mail("bob", "message bob bob-secret alice", "Hello")
        async with sending(world):
            await until(lambda: fates(world)[-1][1] == "dropped")
        assert len(events(hook)) == MOST_FAILURES
    (letter,) = [x for x in world.letters() if x.subject == "Your webhook"]
    assert "Your webhook takes no more events, alice: HTTP 404." in letter.flat
    assert letter.to == "alice@example.org"
    world.mail("bob", "message bob bob-secret alice", "Hello")
    assert fates(world)[-1][1] == "dropped"
    assert "your URL did not work" in world.mail("alice", "set alice alice-secret")[0].flat


@pytest.mark.slow
@in_loop
async def test_gone(world: World) -> None:
    world.board("alice", "bob", game="four")
    async with receiving(AUTHORITY) as hook:
        await prove(world, hook)
        hook.answer = b"HTTP/1.1 410 Gone\r\n\r\n"
        world.mail("bob", "message bob bob-secret alice", "Hello")
        async with sending(world):
            await until(lambda: fates(world)[-1][1] == "refused")
        assert len(events(hook)) == 1
    letter = [x for x in world.letters() if x.to.startswith("alice")][-1]
    assert "Your webhook takes no more events, alice: HTTP 410." in letter.flat


@pytest.mark.slow
@in_loop
async def test_one_that_hangs_delays_nobody(world: World) -> None:
    """The letters are claimed by their own sender, and another webhook gets its event while the first one hangs."""
    world.board("alice", "bob", game="four")
    async with receiving(AUTHORITY) as slow, receiving(AUTHORITY) as quick:
        await prove(world, slow)
        world.signup("carol")
        await prove(world, quick, "carol")
        slow.answer = b""
        world.mail("bob", "message bob bob-secret alice carol", "Hello")
        async with sending(world, timeout=20):
            await until(lambda: bool(events(slow)) and bool(events(quick)))
            await until(lambda: fates(world)[-1][1] == "sent")
            due = world.query(lambda s: s.letters.any_due(world.now))
            assert due  # letters wait only for the relay
            assert fates(world)[-2][1] == "queued"
            slow.open.set()


@pytest.mark.slow
@pytest.mark.parametrize(("form", "field"), [("discord:", "content"), ("matrix:", "body")])
@in_loop
async def test_forms_of_chats(world: World, form: str, field: str) -> None:
    world.board("alice", "bob", game="four")
    async with receiving(AUTHORITY) as hook:
        await prove(world, hook, form=form)
        world.mail("bob", "message bob bob-secret alice", "@everyone " + "x" * 5000)
        async with sending(world):
            await until(lambda: len(hook.bodies) == 2)
    assert event(hook, 0)[field].startswith("To get events here, send: set alice PASSWORD webhook=")
    text = event(hook)[field]
    assert text.startswith("bob wrote:\n@everyone xxx")
    assert len(text) < 2000
    assert form == "matrix:" or event(hook)["allowed_mentions"] == {"parse": []}


@pytest.mark.slow
@in_loop
async def test_hidden_moves_stay_hidden(world: World) -> None:
    """When both have placed their ships, each webhook tells where the own ones are, and of the others only that."""
    fleets = {"alice": "a1-a5 c1-c4 e1-e3 g1-g3 i1-i2", "bob": "b1-b5 d1-d4 f1-f3 h1-h3 j1-j2"}
    world.board("alice", "bob", game="battleship")
    async with receiving(AUTHORITY) as hook:
        await prove(world, hook)
        for userid in ("bob", "alice"):
            world.mail(userid, f"battleship move 101 {userid} {userid}-secret {fleets[userid]}")
        world.mail("bob", "message bob bob-secret alice", "Hello")
        async with sending(world):
            await until(lambda: event(hook)["type"] == "message")
    assert world.row().board.position.placed == (5, 5)
    moves = [m for e in events(hook) if e["type"] == "turn" for m in e["data"]["moves"]]
    assert not set(fleets["bob"].split()) & {m["move"] for m in moves}


@pytest.mark.slow
@in_loop
async def test_what_another_has_hidden_is_told_in_other_words(world: World) -> None:
    world.board("alice", "bob", game="battleship")
    async with receiving(AUTHORITY) as hook:
        await prove(world, hook)
        for userid, ships in (("bob", "b1-b5 d1-d4 f1-f3 h1-h3 j1-j2"), ("alice", "a1-a5 c1-c4 e1-e3 g1-g3 i1-i2")):
            world.mail(userid, f"battleship move 101 {userid} {userid}-secret {ships}")
        world.mail("bob", "message bob bob-secret alice", "Hello")
        row, alice = world.row(), world.player("alice")
        entries = [x.entry for x in world.query(lambda s: s.boards.log(101))]
        seats = row.seats_of(alice)
        told = moves_for(row, seats, entries)
        assert {m["move"] for m in told if m["player"] == "bob"} == {"ship"}
        assert {m["move"] for m in told if m["player"] == "alice"} == {"a1-a5", "c1-c4", "e1-e3", "g1-g3", "i1-i2"}


@in_loop
async def test_no_secret_is_stored(world: World) -> None:
    world.board("alice", "bob", game="four")
    async with receiving(AUTHORITY) as hook:
        secret = await prove(world, hook)
        code = event(hook)["data"]["code"]
        world.mail("bob", "message bob bob-secret alice", "Hello")
    with world.engine.connect() as connection:
        for table in ("outbox", "webhook", "mail", "preference", "counter"):
            rows = "".join(map(str, connection.exec_driver_sql(f"SELECT * FROM {table}")))
            for word in (secret, *(half.rpartition(".")[2] for half in secret.split("-")), code, "/Path"):
                assert word not in rows, table


@pytest.mark.slow
@in_loop
async def test_what_an_earlier_url_answers_ends_no_later_one(world: World) -> None:
    """Alice has made a mistake in the URL, and names another one while the first still has her code in hand."""
    world.signup("alice")
    async with receiving(AUTHORITY) as wrong, receiving(AUTHORITY) as right:
        wrong.answer = b""
        ask(world, wrong)
        async with sending(world):
            await until(lambda: bool(wrong.bodies))
            ask(world, right)
            wrong.answer = b"HTTP/1.1 404 Not Found\r\n\r\n"
            wrong.open.set()
            await until(lambda: bool(right.bodies))
        world.mail("alice", f"set alice alice-secret webhook={event(right)['data']['code']}")
        assert states(world) == ["on"]


@in_loop
async def test_a_code_that_comes_back_before_the_answer_counts(world: World) -> None:
    """A program may send the mail first, and then forget to answer the request."""
    world.signup("alice")
    async with receiving(AUTHORITY) as hook:
        hook.answer = b""
        ask(world, hook)
        async with sending(world):
            await until(lambda: bool(hook.bodies))
            world.mail("alice", f"set alice alice-secret webhook={event(hook)['data']['code']}")
            hook.answer = b"HTTP/1.1 500 No\r\n\r\n"
            hook.open.set()
            await until(lambda: fates(world)[0][1] == "refused")
        assert states(world) == ["on"]


@pytest.mark.slow
@in_loop
async def test_an_earlier_url_that_is_gone(world: World) -> None:
    world.board("alice", "bob", game="four")
    async with receiving(AUTHORITY) as old, receiving(AUTHORITY) as new:
        await prove(world, old)
        world.mail("bob", "message bob bob-secret alice", "Hello")
        old.answer = b""
        async with sending(world):
            await until(lambda: bool(events(old)))
            ask(world, new)
            old.answer = b"HTTP/1.1 410 Gone\r\n\r\n"
            old.open.set()
            await until(lambda: bool(new.bodies))
        assert states(world) == ["asked"]


@pytest.mark.slow
@pytest.mark.both
@in_loop
async def test_a_slow_one_with_many_events_delays_nobody(world: World) -> None:
    """It takes each event in the end, so it never fails, and more wait for it than are sent at the same time."""
    world.board("alice", "bob", game="four")
    async with receiving(AUTHORITY) as slow, receiving(AUTHORITY) as quick:
        await prove(world, slow)
        world.signup("carol")
        await prove(world, quick, "carol")
        slow.seconds = 0.2
        for _ in range(60):
            world.mail("bob", "four chat 101 bob bob-secret", "Hello Alice!")
        for _ in range(3):
            world.mail("bob", "message bob bob-secret carol", "Hello Carol!")
        async with sending(world, batch=50):
            await until(lambda: len(events(quick)) == 3)
        assert len(events(slow)) < 10


@pytest.mark.slow
@in_loop
async def test_what_waits_for_one_that_fails_counts_once(world: World) -> None:
    """Otherwise a webhook that is away for a moment, while many events wait for it, would be suspended at once."""
    world.board("alice", "bob", game="four")
    async with receiving(AUTHORITY) as hook:
        await prove(world, hook)
        hook.answer = b"HTTP/1.1 503 Later\r\n\r\n"
        for _ in range(30):
            world.mail("bob", "message bob bob-secret alice", "Hello")
        async with sending(world, batch=20):
            await until(lambda: len(events(hook)) == 1)
            await asyncio.sleep(0.3)
        assert len(events(hook)) == 1
        assert states(world) == ["on"]
        hook.answer = OK
        world.now += timedelta(minutes=1)
        async with sending(world):
            await until(lambda: {status for _, status, _ in fates(world)} == {"sent"})


@pytest.mark.slow
@in_loop
async def test_new_events_for_one_that_fails_count_for_nothing(world: World) -> None:
    """Otherwise a player of many boards would lose a webhook that was away for a few minutes."""
    world.board("alice", "bob", game="four")
    async with receiving(AUTHORITY) as hook:
        await prove(world, hook)
        hook.answer = b"HTTP/1.1 503 Later\r\n\r\n"
        async with sending(world):
            for number in range(1, MOST_FAILURES + 5):
                world.mail("bob", "message bob bob-secret alice", "Hello")
                await until(lambda number=number: len(events(hook)) == number)  # type: ignore[misc]
                await until(lambda: fates(world)[-1] == ("message", "queued", "HTTP 503"))
        assert states(world) == ["on"]
        assert world.query(lambda s: [x.failures for x in s.webhooks.of([1]).values()]) == [1]


@pytest.mark.slow
@in_loop
async def test_a_clock_that_was_ahead_keeps_no_event_back(world: World) -> None:
    world.board("alice", "bob", game="four")
    async with receiving(AUTHORITY) as hook:
        world.now += timedelta(hours=6)
        await prove(world, hook)
        world.now -= timedelta(hours=6)
        world.mail("bob", "message bob bob-secret alice", "Hello")
        async with sending(world):
            await until(lambda: fates(world)[-1][1] != "queued")
        assert fates(world)[-1] == ("message", "sent", "HTTP 204")
