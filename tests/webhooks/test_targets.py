"""Which URLs players can name."""

import pytest

from pbmserv.errors import PlayerError
from pbmserv.webhooks.targets import Destination, read_stored, read_target

PORTS = (443, 8443)


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("https://bot.example.org/pbm", Destination("json", "bot.example.org", 443, "/pbm")),
        ("https://Bot.Example.org:8443/A?b=C", Destination("json", "bot.example.org", 8443, "/A?b=C")),
        ("https://bot.example.org", Destination("json", "bot.example.org", 443, "/")),
        ("https://discord.com/api/webhooks/1/aB", Destination("discord", "discord.com", 443, "/api/webhooks/1/aB")),
        ("json:https://discord.com/api/webhooks/1/aB", Destination("json", "discord.com", 443, "/api/webhooks/1/aB")),
        ("matrix:https://hookshot.example.org/w", Destination("matrix", "hookshot.example.org", 443, "/w")),
    ],
)
def test_what_is_allowed(text: str, target: Destination) -> None:
    assert read_target(text, PORTS) == target
    assert read_stored(target.form, target.url) == target


@pytest.mark.parametrize(
    "text",
    [
        "http://bot.example.org/", "ftp://bot.example.org/", "https:///x", "https://", "slack:https://x.example.org/",
        "https://127.0.0.1/", "https://[::1]/", "https://2130706433/", "https://0x7f000001/", "https://0177.0.0.1/",
        "https://127.1/", "https://0x7f.1/", "https://1.2.3.4.:443/", "https://user:word@bot.example.org/",
        "https://bot.example.org@127.0.0.1/", "https://bot.example.org/#x", "https://bot.example.org:22/",
        "https://bot.example.org:0/", "https://bot.example.org:99999/", "https://bot_.-example/", "https://böt.example/",
        "https://a..b/", "https://bot.example.org/" + "x" * 500, "https://bot.example.org\\@10.0.0.1/",
    ],
)  # fmt: skip
def test_what_is_not_allowed(text: str) -> None:
    with pytest.raises(PlayerError):
        read_target(text, PORTS)


def test_a_path_is_not_shown() -> None:
    assert "aB" not in repr(read_target("https://discord.com/api/webhooks/1/aB", PORTS))
