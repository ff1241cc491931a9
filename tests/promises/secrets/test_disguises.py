"""The search finds a password in every encoding, at every place of the encoded text."""

from base64 import b64encode
from quopri import encodestring

import pytest

from tests.promises.secrets.canary import CANARIES
from tests.promises.secrets.disguises import disguises


@pytest.mark.parametrize("canary", CANARIES)
def test_no_form_is_so_short_that_it_could_stand_anywhere(canary: str) -> None:
    assert min(map(len, disguises(canary))) > 8


@pytest.mark.parametrize("canary", CANARIES)
@pytest.mark.parametrize("before", [b"", b"x", b"xx", b"xxx"])
def test_it_is_found_wherever_it_stands(canary: str, before: bytes) -> None:
    for encoding in ("utf-8", "latin-1", "utf-16-le", "utf-16-be"):
        text = before + canary.encode(encoding) + b"yy"
        for written in (text, b64encode(text), encodestring(text)):
            assert any(form in written for form in disguises(canary)), written
