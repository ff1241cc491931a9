"""Logins by OAuth2: how a person logs in once, and how a token for each connection comes of that (ADR 93)."""
