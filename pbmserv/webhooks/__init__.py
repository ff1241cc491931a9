"""Webhooks: which URLs are allowed, where they may lead, how a body is signed and sent. Nothing here knows a player."""
