"""`pbmserv serve`: what it says when it starts."""

import pytest

from pbmserv.cli.serve import without_login


@pytest.mark.parametrize(
    ("relay", "shown"),
    [
        ("smtp+starttls://me:sword@fish@mx.example.org:587", "mx.example.org:587"),
        ("smtp://127.0.0.1:25", "smtp://127.0.0.1:25"),
        ("maildir:/srv/games@home/letters", "maildir:/srv/games@home/letters"),
    ],
)
def test_a_server_shows_its_relay_without_the_password(relay: str, shown: str) -> None:
    assert without_login(relay) == shown
