"""The token buckets that limit wrong passwords: alone, and in the pipeline."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv import metrics
from pbmserv.inbox.authentication.password_checks import (
    MOST_HASHED,
    MOST_NEW,
    Attempts,
    Buckets,
    Rate,
    Rates,
    minutes,
    origin_of,
)
from pbmserv.mail.envelope import Incoming
from pbmserv.mail.inbound import Mail, Standing
from tests.inbox.mails import message
from tests.world import ADDRESS, World

HERE = "192.0.2.1"
STRICT = Rates(Rate(3, 60), Rate(5, 60), Rate(2, 600))


@given(
    burst=st.integers(1, 5),
    seconds=st.integers(1, 50),
    pauses=st.lists(st.integers(0, 100), max_size=60),
)
def test_never_more_than_the_burst_and_what_time_gave_back(burst: int, seconds: int, pauses: list[int]) -> None:
    buckets, now, taken = Buckets(Rate(burst, seconds)), 0.0, list[float]()
    for pause in pauses:
        now += pause
        if not buckets.wait("key", now):
            buckets.take("key", now)
            taken.append(now)
    for i, first in enumerate(taken):
        for j in range(i, len(taken)):
            assert j - i + 1 <= burst + (taken[j] - first) / seconds


def test_after_the_wait_that_was_said_the_next_try_may_be_made() -> None:
    buckets = Buckets(Rate(2, 30))
    for _ in range(2):
        assert buckets.wait("key", 100.0) == 0
        buckets.take("key", 100.0)
    assert buckets.wait("key", 110.0) == 20.0
    assert buckets.wait("key", 130.0) == 0
    assert buckets.wait("other", 110.0) == 0


def test_the_number_of_keys_is_bounded_and_those_in_use_stay() -> None:
    buckets = Buckets(Rate(1, 3600), most_keys=10)
    for n in range(100):
        buckets.take("mine", float(n))
        buckets.take(str(n), float(n))
    assert len(buckets) == 10
    assert buckets.wait("mine", 100.0) > 0
    assert buckets.wait("1", 100.0) == 0


def test_an_attempt_is_counted_in_all_its_buckets_or_in_none() -> None:
    attempts = Attempts(Rates(account=Rate(1, 60), login=Rate(2, 60)), lambda: 0.0)
    assert attempts.login("alice", HERE) == 0
    assert attempts.login("alice", HERE) == 60
    assert attempts.login("bob", HERE) == 0
    assert attempts.login("carol", HERE) == 60
    assert attempts.login("carol", "192.0.2.2") == 0


def test_a_password_that_fits_is_not_counted() -> None:
    attempts = Attempts(Rates(account=Rate(1, 60)), lambda: 0.0)
    for _ in range(20):
        assert attempts.login("alice", HERE) == 0
        attempts.fits("alice", HERE)


def test_those_who_cannot_be_told_apart_share_a_bucket() -> None:
    attempts = Attempts(Rates(signup=Rate(1, 60)), lambda: 0.0)
    assert [attempts.signup("") for _ in range(2)] == [0, 60]
    assert [attempts.signup(HERE) for _ in range(2)] == [0, 60]


def mail(*, passes: bool = False) -> Mail:
    return Mail("", "", "", "alice@gmail.com", "", "", "", Standing.NORMAL, dmarc_pass=passes)


@pytest.mark.parametrize(
    ("peer", "passes", "origin"),
    [
        ("192.0.2.1", False, "192.0.2.1"),
        ("192.0.2.1", True, "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", False, "2001:db8:1:2::/64"),
        ("127.0.0.1", False, ""),
        ("::1", True, "gmail.com"),
        ("", False, ""),
        ("", True, "gmail.com"),
    ],
)
def test_where_a_mail_comes_from_is_not_what_its_sender_says(peer: str, passes: bool, origin: str) -> None:
    assert origin_of(mail(passes=passes), peer) == origin


def test_threads_together_get_no_more_than_one_would() -> None:
    attempts = Attempts(Rates(account=Rate(50, 60), login=Rate(999, 1)), lambda: 0.0)
    granted: list[float] = []

    def work() -> None:
        granted.extend(attempts.login("alice", HERE) for _ in range(100))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert granted.count(0) == 50


@pytest.mark.parametrize(
    ("seconds", "text"), [(1, "1 minute"), (60, "1 minute"), (61, "2 minutes"), (3600, "60 minutes")]
)
def test_minutes_are_rounded_up(seconds: float, text: str) -> None:
    assert minutes(seconds) == text


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[World]:
    """A server that allows only a few wrong passwords and signups."""
    world = World(tmp_path, rates=STRICT)
    yield world
    world.engine.dispose()


def test_too_many_wrong_passwords_are_answered_with_wait_and_nothing_else(limited: World) -> None:
    limited.signup("alice")
    for _ in range(3):
        [wrong] = limited.mail("mallory", "vacation alice wrong-secret 10")
        assert "The password is not that of alice." in wrong.text
    [wait] = limited.mail("mallory", "vacation alice wrong-secret 10")
    assert wait.subject == "Please wait"
    assert wait.text == "Too many wrong passwords came. Wait 1 minute, then send it again.\n"


def test_a_refused_password_is_not_even_looked_at(limited: World) -> None:
    limited.mail("alice", "signup alice fresh-secret")
    for _ in range(3):
        limited.mail("mallory", "vacation alice wrong-secret")
    [right] = limited.mail("elsewhere", "vacation alice fresh-secret")
    assert right.subject == "Please wait"
    limited.now += timedelta(minutes=1)
    [right] = limited.mail("elsewhere", "vacation alice fresh-secret")
    assert right.subject == "Vacation"


def test_who_writes_from_an_address_of_the_account_is_not_locked_out_by_others(limited: World) -> None:
    limited.mail("alice", "signup alice fresh-secret")
    for _ in range(9):
        limited.mail("mallory", "vacation alice wrong-secret")
    for _ in range(2):
        [wrong] = limited.mail("Alice", "vacation alice wrong-secret")
        assert "The password is not that of alice." in wrong.text
    [right] = limited.mail("alice", "vacation alice fresh-secret")
    assert right.subject == "Vacation"


def test_who_forges_an_address_of_the_account_has_no_more_tries(limited: World) -> None:
    limited.signup("alice")
    subjects = [limited.mail("alice", "vacation alice wrong-secret")[0].subject for _ in range(5)]
    assert subjects == ["Error"] * 3 + ["Please wait"] * 2


def test_a_remembered_password_and_a_signed_address_pass_by(limited: World) -> None:
    limited.signup("alice", "bob")
    letters = limited.mail("alice", "tumble challenge alice bob -c")
    [to_alice] = [x for x in letters if x.to.startswith("alice")]
    limited.mail("alice", "vacation alice alice-secret")
    for _ in range(4):
        limited.mail("mallory", "vacation alice wrong-secret")
    [remembered] = limited.mail("alice", "vacation alice alice-secret")
    assert remembered.subject == "Vacation"
    moved = limited.reply(to_alice, "h4-g5t")
    assert any(x.first_line == "Your move, bob." for x in moved)


def test_a_peer_that_guesses_at_many_accounts_has_to_wait(limited: World) -> None:
    limited.signup("alice", "bob", "carol")
    subjects = [
        limited.mail(f"mallory@{userid}.example", f"vacation {userid} wrong-secret")[0].subject
        for userid in ("alice", "alice", "bob", "bob", "carol", "carol")
    ]
    assert subjects == ["Error"] * 5 + ["Please wait"]


def test_the_same_wrong_password_on_ten_lines_is_looked_at_once(limited: World) -> None:
    limited.signup("alice")
    for _ in range(2):
        limited.mail("mallory", "multiple", "vacation alice wrong-secret\n" * 10)
    [wrong] = limited.mail("mallory", "vacation alice wrong-secret")
    assert "The password is not that of alice." in wrong.text


def test_a_flood_of_signups_has_to_wait_by_peer(limited: World) -> None:
    for userid in ("alice", "bob"):
        [letter] = limited.mail(f"{userid}@one.example", f"signup {userid} {userid}-secret")
        assert letter.subject == "Welcome"
    [wait] = limited.mail("carol@two.example", "signup carol carol-secret")
    assert wait.flat == "Too many accounts are being created just now. Wait 10 minutes, then send it again."
    assert limited.query(lambda s: s.players.find("carol")) is None
    limited.now += timedelta(minutes=10)
    [letter] = limited.mail("carol@two.example", "signup carol carol-secret")
    assert letter.subject == "Welcome"


def test_accounts_with_one_password_in_one_mail_are_counted_one_by_one(limited: World) -> None:
    limited.mail("mallory", "multiple", "".join(f"signup mallory{n} one-secret\n" for n in range(9)))
    assert limited.query(lambda s: s.players.userids()) == ["mallory0", "mallory1"]


def test_a_userid_that_is_taken_costs_no_signup(limited: World) -> None:
    limited.signup("alice")
    for _ in range(3):
        limited.mail("alice", "add alice alice-secret alice@example.org")
    [letter] = limited.mail("bob", "signup bob bob-secret")
    assert letter.subject == "Welcome"


@pytest.mark.parametrize(
    "lines",
    [
        "vacation alice alice-secret",
        "change password alice alice-secret other-secret\nvacation alice other-secret",
        "signup bob bob-secret\nvacation bob bob-secret",
    ],
)
def test_no_password_is_hashed_while_others_wait_to_write(
    limited: World, monkeypatch: pytest.MonkeyPatch, lines: str
) -> None:
    limited.signup("alice")
    prepared = limited.prepare(Incoming(message("alice", "", lines), "x@example.org", (ADDRESS,), HERE))
    hashed = list[str]()
    monkeypatch.setattr(metrics, "hashed", lambda: hashed.append(""))
    limited.pipeline.handle([prepared])
    assert hashed == []
    assert limited.query(lambda s: s.mails.newest(1))[0].status == "done"


_CHAIN = [f"change password bob bob-secret-{n} bob-secret-{n + 1}" for n in range(9)]
_OWN_CHAIN = ["change password alice alice-secret bob-secret-0", *(x.replace("bob", "alice", 1) for x in _CHAIN)]


@pytest.mark.parametrize(
    ("lines", "most"),
    [
        ([f"vacation alice wrong-{n}" for n in range(10)], 1),
        ([f"tumble preview new --as=alice:wrong-{n}" for n in range(10)], 1),
        ([f"signup new{n} new-secret-{n}" for n in range(10)], MOST_NEW),
        ([f"change password alice alice-secret new-secret-{n}" for n in range(10)], MOST_NEW),
        (["vacation alice wrong", "signup bob bob-secret"], 1),
        (["signup bob bob-secret", "vacation alice wrong", "signup carol carol-secret"], 2),
        (["signup bob bob-secret", "signup carol carol-secret", "vacation alice wrong"], MOST_NEW),
        (["signup bob bob-secret-0", *_CHAIN], MOST_NEW),
        (_OWN_CHAIN, MOST_NEW),
        (["signup bob bob-secret", *[f"vacation bob wrong-{n}" for n in range(9)]], 1),
    ],
)
def test_one_mail_costs_few_hashes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: Sequence[str], most: int
) -> None:
    world = World(tmp_path)
    world.signup("alice")
    world.mail("alice", "vacation alice alice-secret")
    hashed = count_hashes(monkeypatch)
    letters = world.mail("mallory", "multiple", "\n".join(lines))
    assert len(hashed) == most
    assert letters[-1].subject == "Multiple"
    world.close()


@pytest.mark.slow
def test_a_line_of_many_unknown_words_costs_few_hashes(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that knows the password needs no hash to say that a word is another one."""
    world.board("alice", "bob")
    letter = world.mail("alice", "tumble undo 101 alice alice-secret")[0]
    line = "ziggy zaggy bimbam bambum bumbum zogzog zugzug zagzug alice-secret gugzag"
    hashed = count_hashes(monkeypatch)
    (answer,) = world.reply(letter, line)
    assert hashed == []
    assert "You wrote: ziggy zaggy bimbam" in answer.flat
    assert "secret" not in answer.text
    world.site = replace(world.site, passwords=type(world.site.passwords)())
    world.use(world.site.renderer)
    (answer,) = world.reply(letter, f"{line} again")
    assert len(hashed) == MOST_HASHED
    assert "secret" not in answer.text


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("1...c1-c2 reversed Sicilian then", "You wrote: 1...c1-c2 reversed Sicilian then"),
        (
            "my aunt Alicia said Alicia to Alicia on the street",
            "You wrote: my aunt Alicia said Alicia to Alicia on the street",
        ),
        ("1...alice-secret reversed Sicilian", "You wrote: WORD"),
    ],
)
def test_neither_a_number_before_a_move_nor_a_word_that_comes_again_costs_a_hash(
    world: World, line: str, told: str
) -> None:
    world.board("alice", "bob")
    letter = world.mail("alice", "tumble undo 101 alice alice-secret")[0]
    world.site = replace(world.site, passwords=type(world.site.passwords)())
    world.use(world.site.renderer)
    (answer,) = world.reply(letter, line)
    assert told in answer.flat
    assert "secret" not in answer.text


def test_new_passwords_of_one_account_are_limited(limited: World, monkeypatch: pytest.MonkeyPatch) -> None:
    limited.mail("alice", "signup alice alice-secret")
    old = "alice-secret"
    for n in range(STRICT.account.burst):
        limited.mail("alice", f"change password alice {old} new-secret-{n}")
        old = f"new-secret-{n}"
    limited.mail("alice", f"vacation alice {old}")
    hashed = count_hashes(monkeypatch)
    [wait] = limited.mail("alice", f"change password alice {old} new-secret-9")
    assert wait.flat == "Too many new passwords came. Wait 1 minute, then send it again."
    assert hashed == []


def count_hashes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows whenever Argon2 runs."""
    hashed = list[str]()
    monkeypatch.setattr(metrics, "hashed", lambda: hashed.append(""))
    return hashed
