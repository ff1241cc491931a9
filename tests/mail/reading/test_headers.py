"""From as mail programs write it, also those that do not follow RFC 5322."""

import pytest

from pbmserv.mail.inbound import Standing, read


def _author(value: str) -> tuple[str, str]:
    mail = read(f"From: {value}\nSubject: list\n\n".encode(), is_ours=lambda left: False)
    assert bool(mail.sender) == (mail.standing is Standing.NORMAL)
    return mail.name, mail.sender


@pytest.mark.parametrize(
    ("value", "name", "sender"),
    [
        ("alice@example.com <alice@example.com>", "alice@example.com", "alice@example.com"),
        ("alice@example.com <alice@example.net>", "alice@example.com", "alice@example.net"),
        ("Example, Alice <alice@example.com>", "Example, Alice", "alice@example.com"),
        ("Alice @ Home <alice@example.com>", "Alice @ Home", "alice@example.com"),
        ("Alice [work] <alice@example.com>", "Alice [work]", "alice@example.com"),
        ("Alice; <alice@example.com>", "Alice;", "alice@example.com"),
        ('"Alice <alice@example.com>', '"Alice', "alice@example.com"),
        ("=?utf-8?q?Al=2C?= @ home <alice@example.com>", "Al, @ home", "alice@example.com"),
        ("Alice < alice@example.com >", "Alice", "alice@example.com"),
        ("alice..b@docomo.ne.jp", "", "alice..b@docomo.ne.jp"),
        ("Alice <alice.@docomo.ne.jp>", "Alice", "alice.@docomo.ne.jp"),
        ('Alice <"alice."@docomo.ne.jp>', "Alice", "alice.@docomo.ne.jp"),
        ("alice@games.local", "", "alice@games.local"),
        ("Alice <alice@localhost>", "Alice", "alice@localhost"),
        ("alice@games.TEST", "", "alice@games.test"),
        ("a:" * 1000 + " <alice@example.com>", "a:" * 1000, "alice@example.com"),
        ("(" * 1000 + " <alice@example.com>", "(" * 1000, "alice@example.com"),
    ],
)
def test_the_one_address_is_taken(value: str, name: str, sender: str) -> None:
    assert _author(value) == (name, sender)


@pytest.mark.parametrize(
    "value",
    [
        "alice@example.org, bob@example.org",
        "Alice <alice@example.org>, Bob <bob@example.org>",
        "alice@example.org, Bob <bob@example.org>",
        "Alice <alice@example.org> Bob <bob@example.org>",
        "Alice <alice@example.org> bob@example.org",
        "Alice <alice@example>.org",
        "Alice <alice at home>",
        "Alice <>",
        "Alice <al ice@example.org>",
        "alice@invalid",
        "a:" * 1000,
        "(" * 1000,
        "Alice",
    ],
)
def test_what_does_not_name_one_is_refused(value: str) -> None:
    assert _author(value) == ("", "")
