"""Signed addresses are read as they were written. Every other address is refused."""

import pytest

from pbmserv.mail import signed_addresses
from pbmserv.mail.signed_addresses import Signer, Token
from tests.tools.signatures import signed_words

SIGNER = Signer("Games+pbm@Example.org", b"key")
BOARD = SIGNER.sign(signed_addresses.BOARD, 101, 0, 12)
LOCAL, _, DOMAIN = BOARD.partition("@")


@pytest.mark.parametrize("numbers", [(), (0,), (101, 0, 12), (10**30,)])
@pytest.mark.parametrize("write", [str, str.upper, str.lower])
def test_an_address_says_what_was_signed(numbers: tuple[int, ...], write: type[str]) -> None:
    assert SIGNER.read(write(SIGNER.sign(signed_addresses.VERP, *numbers))) == Token(signed_addresses.VERP, numbers)


@pytest.mark.parametrize(
    "text",
    [
        BOARD,
        f"{BOARD}, {SIGNER.sign(signed_addresses.RESET, 10**18)} und {SIGNER.offer(101, 1, 3, None, 'h4-g5t')}",
        f"aaaaaaaaaaaaaaa.b{BOARD}{BOARD}.a",
        f"mailto:{BOARD.replace('+', '%2B')}?body=x",
        f"<{SIGNER.signed(signed_addresses.MESSAGE, 101, 7)}@example.org>",
        "b101.0.12.aaaaaaaaaaaaaaaa and b1.\\u0001 and \xe9",
        "",
    ],
)
def test_signatures_are_left_out_and_come_back(text: str) -> None:
    stored = text.encode()
    bare = SIGNER.without_signatures(stored)
    assert not signed_words(bare, SIGNER)
    assert SIGNER.with_signatures(bare) == stored
    assert (bare == stored) == (not signed_words(stored, SIGNER))
    assert len(SIGNER.without_signatures(BOARD.upper().encode())) < len(BOARD)


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
