"""Webhooks: events for players' own programs, which URLs are allowed, how a body is made, signed and sent."""
