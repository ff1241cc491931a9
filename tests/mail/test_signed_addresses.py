"""Signed addresses: read as they were written, and nothing else is."""

import pytest

from pbmserv.mail import signed_addresses
from pbmserv.mail.signed_addresses import Signer, Token

SIGNER = Signer("Games+pbm@Example.org", b"key")
BOARD = SIGNER.sign(signed_addresses.BOARD, 101, 0, 12)
LOCAL, _, DOMAIN = BOARD.partition("@")


@pytest.mark.parametrize("numbers", [(), (0,), (101, 0, 12), (10**30,)])
@pytest.mark.parametrize("write", [str, str.upper, str.lower])
def test_an_address_says_what_was_signed(numbers: tuple[int, ...], write: type[str]) -> None:
    assert SIGNER.read(write(SIGNER.sign(signed_addresses.VERP, *numbers))) == Token(signed_addresses.VERP, numbers)


@pytest.mark.parametrize(
    "address",
    [
        f"{LOCAL}@elsewhere.example",
        f"{LOCAL[:-1]}@{DOMAIN}",
        f"{LOCAL}a@{DOMAIN}",
        f"{LOCAL[:-1]}\xe9@{DOMAIN}",
        BOARD.replace("b101", "b102"),
        BOARD.replace("b101", "b\u0661"),
        BOARD.replace("b101", "c101"),
        BOARD.replace("+b101", "b101"),
        BOARD.replace("Games+pbm+", "Games+"),
        Signer("games+pbm@example.org", b"other key").sign(signed_addresses.BOARD, 101, 0, 12),
        "games+pbm+@example.org",
        f"games+pbm+{'9' * 5000}.{'a' * 16}@example.org",
        "",
    ],
)
def test_every_other_address_says_nothing(address: str) -> None:
    assert SIGNER.read(address) is None
    assert not SIGNER.accepts(address)


@pytest.mark.parametrize("address", ["games+pbm@example.org", "GAMES+PBM@EXAMPLE.ORG", "Postmaster@example.org", BOARD])
def test_mail_is_taken_for_the_service_its_signed_forms_and_the_postmaster(address: str) -> None:
    assert SIGNER.accepts(address)
