"""Fixtures: a provider of logins by OAuth2, and a mailbox on a real IMAP server that takes its tokens."""

from collections.abc import Iterator

import pytest

from tests.tools.dovecot import Served, dovecot
from tests.tools.oauth_provider import Issuer, issuer


@pytest.fixture
def provider() -> Iterator[Issuer]:
    with issuer() as made:
        yield made


@pytest.fixture
def served(provider: Issuer) -> Iterator[Served]:
    with dovecot(introspection=f"{provider.url}/introspect") as mailbox:
        yield mailbox
