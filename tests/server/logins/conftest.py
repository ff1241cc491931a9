"""Fixtures for logins by OAuth2."""

from tests.tools.oauth_mailbox import provider, served

__all__ = ["provider", "served"]
