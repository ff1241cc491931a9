"""Logins by OAuth2, in the database: what they give is renewed once, whichever process needs it first (ADR 93)."""
