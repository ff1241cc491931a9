"""Mails that meet a bug of ours are kept, but cannot fill the disk: beyond a bound they are refused for the moment."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from pbmserv.inbox.pipeline import Pipeline
from pbmserv.mail.envelope import ACCEPTED, TRY_AGAIN, Incoming
from pbmserv.model.mails import ORIGIN_PART, quarantine_origin
from tests.world import ADDRESS, World

MEGABYTES = 16
SIZE = 200_000


@pytest.fixture
def buggy(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A server with a small shelf, on which every mail about cats meets a bug."""
    policy = replace(world.site.policy, shelf_mb=MEGABYTES)
    world.site = replace(world.site, policy=policy)
    world.use(world.site.renderer)
    effects = Pipeline._effects

    def stumble(pipeline: Pipeline, store: object, prepared: object, *rest: object) -> None:
        if b"cats" in prepared.incoming.data:  # type: ignore[attr-defined]
            raise ZeroDivisionError
        effects(pipeline, store, prepared, *rest)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(Pipeline, "_effects", stumble)
        yield world


def mail(n: int, peer: str, sender: str = "x@example.org", size: int = SIZE) -> Incoming:
    head = (
        f"From: {sender}\nMessage-ID: <{n}@x>\nSubject: cats\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhi\n"
    )
    picture = "--b\nContent-Type: image/jpeg\n\n" + "x" * size + "\n--b--\n"
    return Incoming(f"{head}{picture}".encode(), "x@example.org", (ADDRESS,), peer)


def hand_in(world: World, *mails: Incoming) -> list[str]:
    return world.pipeline.handle([world.prepare(m) for m in mails])


def fill(world: World, peer: str, sender: str = "x@example.org") -> int:
    """Hand mails in until one is refused. Return how many were taken."""
    for n in range(1000):
        (reply,) = hand_in(world, mail(n, peer, sender))
        if reply != ACCEPTED:
            assert reply == TRY_AGAIN
            return n
        assert world.query(lambda s: s.mails.newest(1))[0].status == "shelved"
    pytest.fail("it takes all")


def count(world: World) -> int:
    return len(world.query(lambda s: s.mails.newest(1000)))


def test_one_origin_has_a_part_of_it(buggy: World) -> None:
    taken = fill(buggy, "192.0.2.1")
    assert 1 <= taken <= MEGABYTES * 1_000_000 / ORIGIN_PART / SIZE
    assert hand_in(buggy, mail(2000, "192.0.2.77")) == [TRY_AGAIN]
    assert hand_in(buggy, mail(2001, "198.51.100.1")) == [ACCEPTED]


@pytest.mark.both
def test_a_mail_that_finds_no_room_leaves_nothing_and_can_come_again(
    buggy: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(buggy, "192.0.2.1")
    before, dump = count(buggy), buggy.dump()
    late = mail(3000, "192.0.2.1")
    assert hand_in(buggy, late) == [TRY_AGAIN]
    assert (count(buggy), buggy.dump()) == (before, dump)
    shelved = buggy.query(lambda s: s.mails.newest(1))[0].id
    buggy.act(lambda s: s.mails.resolve(shelved, status="dropped"))
    assert hand_in(buggy, late) == [ACCEPTED]
    assert buggy.query(lambda s: s.mails.newest(1))[0].status == "shelved"
    assert hand_in(buggy, late) == [ACCEPTED]  # a duplicate
    assert count(buggy) == before + 1
    buggy.verify()


def test_the_others_of_its_batch_are_accepted(buggy: World) -> None:
    buggy.signup("alice")
    fill(buggy, "192.0.2.1")
    good = b"From: alice@example.org\nMessage-ID: <%d@y>\nSubject: games\n\n"
    batch = (
        Incoming(good % 1, "", (ADDRESS,)), mail(4000, "192.0.2.1"), Incoming(good % 2, "x@example.org", (ADDRESS,))
    )  # fmt: skip
    with capture_logs() as logs:
        assert hand_in(buggy, *batch) == [ACCEPTED, TRY_AGAIN, ACCEPTED]
    assert [x["event"] for x in logs] == ["shelf is full"]
    assert set(logs[0]) == {"event", "log_level", "bug", "where", "size"}


@pytest.mark.slow
def test_all_origins_together_have_a_bound(buggy: World) -> None:
    replies = [hand_in(buggy, mail(n, f"10.{n}.0.1"))[0] for n in range(MEGABYTES * 1_000_000 // SIZE)]
    assert replies[0] == ACCEPTED
    assert replies[-1] == TRY_AGAIN
    assert sum(buggy.query(lambda s: s.mails.quarantined_bytes()).values()) <= MEGABYTES * 1_000_000


def test_a_mail_from_the_shelf_may_go_back_there(buggy: World) -> None:
    fill(buggy, "192.0.2.1")
    number = buggy.query(lambda s: s.mails.newest(1))[0].id
    sealed = buggy.query(lambda s: s.mails.quarantined(number))
    assert sealed
    assert buggy.pipeline.retry(number, Incoming.unpack(buggy.seal.open(sealed)), lambda store: None)
    assert [m.status for m in buggy.query(lambda s: s.mails.by_ids([number]))] == ["shelved"]


@pytest.mark.parametrize(
    ("peer", "other"),
    [
        ("192.0.2.1", "192.0.2.254"),
        ("2001:db8::1", "2001:db8::ffff:1"),
        ("::ffff:192.0.2.1", "192.0.2.9"),
        ("", ""),
        ("127.0.0.1", "::1"),
    ],
)
def test_one_origin(peer: str, other: str) -> None:
    assert quarantine_origin(peer, "A@example.org") == quarantine_origin(other, "a@example.org")


@pytest.mark.parametrize(
    ("peer", "other"), [("192.0.2.1", "192.0.3.1"), ("2001:db8::1", "2001:db8:0:1::1"), ("192.0.2.1", "")]
)
def test_two_origins(peer: str, other: str) -> None:
    assert quarantine_origin(peer, "a@example.org") != quarantine_origin(other, "a@example.org")
    assert quarantine_origin("", "a@example.org") != quarantine_origin("", "b@example.org")
